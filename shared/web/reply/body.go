package reply

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"mappe/shared/web/format"
)

// gzipLevel trades a third of the time of the usual level for a few percent of size.
const gzipLevel = 3

var gzips = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzipLevel) // the level is valid
	return z
}}

// body is the open body of an answer. The status goes out with the first piece; a body that fits in
// one piece is sent with its length, unless it is compressed.
type body struct {
	*format.Buffer
	w      http.ResponseWriter
	z      *gzip.Writer
	status int
	gzip   bool
	head   bool
	begun  bool
	sent   int64 // bytes of the body that were taken, before compression
}

// Write receives the buffer's pieces.
func (b *body) Write(p []byte) (int, error) {
	b.begin()
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

func (b *body) begin() {
	if b.begun {
		return
	}
	b.begun = true
	if b.status == 0 {
		b.status = http.StatusOK
	}
	b.w.WriteHeader(b.status)
	if b.gzip && !b.head {
		b.z = gzips.Get().(*gzip.Writer)
		b.z.Reset(b.w)
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
	if ok && !b.gzip && !b.head {
		b.w.Header()["Content-Length"] = []string{strconv.Itoa(len(whole))}
	}
	if err := b.Flush(); err != nil {
		b.abort(err)
	}
	b.begin()
	b.finish()
	return nil
}

// whole sends a body that is finished, without taking it into pieces, and ends.
func (b *body) whole(p []byte) {
	if !b.gzip {
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
		gzips.Put(b.z)
		// Flushing keeps the server from measuring a short body: compressed answers are chunked.
		http.NewResponseController(b.w).Flush()
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
