package reply

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"mappe/shared/web/coding"
	"mappe/shared/web/format"
)

// body is the open body of an answer. The status goes out with the first piece; a body that fits in
// one piece is sent with its length, unless it is compressed.
type body struct {
	*format.Buffer
	w      http.ResponseWriter
	z      io.WriteCloser // nil for the plain bytes
	status int
	coding coding.Coding
	head   bool
	begun  bool
	sent   int64 // bytes of the body that were taken, before compression
}

// Write receives the buffer's pieces.
func (b *body) Write(p []byte) (int, error) {
	b.begin(b.Sending() || len(p) > largePiece)
	var err error
	if b.z != nil {
		_, err = b.z.Write(p)
	} else {
		_, err = b.w.Write(p)
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errClient, err)
	}
	b.sent += int64(len(p))
	return len(p), nil
}

// largePiece is the size in bytes from which a body in one piece is compressed as a large one.
const largePiece = 256 << 10

// begin sends the status and chooses how the body is compressed; large says that it is long.
func (b *body) begin(large bool) {
	if b.begun {
		return
	}
	b.begun = true
	if b.status == 0 {
		b.status = http.StatusOK
	}
	b.w.WriteHeader(b.status)
	if b.coding != coding.Identity && !b.head {
		b.z = b.coding.NewWriter(b.w, large)
	}
}

// end closes the body. An error before the first piece was handed on is returned; one after it aborts.
func (b *body) end(err error) error {
	if err == nil {
		err = b.Err()
	}
	whole, ok := b.Whole()
	if err != nil && ok {
		return err
	}
	if err != nil {
		b.abort(err)
	}
	if ok && b.coding == coding.Identity && !b.head {
		b.w.Header()["Content-Length"] = []string{strconv.Itoa(len(whole))}
	}
	if err := b.Flush(); err != nil {
		b.abort(err)
	}
	b.begin(false)
	b.finish()
	return nil
}

// whole sends a body that is finished, without taking it into pieces, and ends.
func (b *body) whole(p []byte) {
	if b.coding == coding.Identity {
		b.w.Header()["Content-Length"] = []string{strconv.Itoa(len(p))}
	}
	if _, err := b.Write(p); err != nil {
		b.abort(err)
	}
	b.finish()
}

// finish ends what is packed.
func (b *body) finish() {
	if b.z != nil {
		if err := b.z.Close(); err != nil {
			b.abort(err)
		}
	}
}

// close ends the writing of a body that did not come to its end: what a slow client has not taken yet is
// not waited for, because the connection is broken anyway.
func (b *body) close() {
	if b.Sending() {
		_ = http.NewResponseController(b.w).SetWriteDeadline(time.Unix(1, 0)) // a writer without deadlines ends its write by itself
	}
	b.Buffer.Close()
}

// Broken is the panic value of a body that was cut: it stands for http.ErrAbortHandler and tells the
// log why.
type Broken struct {
	Err   error
	Bytes int64 // of the body that went out before, uncompressed
}

// Client says whether it was the client that ended the connection.
func (b Broken) Client() bool { return errors.Is(b.Err, errClient) }

func (b *body) abort(err error) {
	b.close() // ends what is being sent, so that it is counted
	panic(Broken{err, b.sent})
}
