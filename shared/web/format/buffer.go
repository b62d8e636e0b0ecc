package format

import (
	"io"
	"sync"
)

// flushAt is the size in bytes at which a piece goes to the client.
const flushAt = 128 << 10

// Buffer gathers bytes and hands them on in pieces of about 128 KB. What fits in one piece is written
// by Flush itself; from the second piece on another goroutine writes, so that rows are made while the
// ones before are sent. At most maxPieces pieces are held. The first error sticks; later writes are
// dropped, so that writers check once at the end of a row.
//
// Whoever makes a Buffer calls Close or a last Flush before the writer goes out of use, also on panic:
// after either, no goroutine of the Buffer writes any more.
type Buffer struct {
	b       []byte
	piece   *[]byte // what the memory came in
	w       io.Writer
	err     error
	flushed bool
	sender  *sender // nil while everything fits in one piece
}

// space keeps the memory of released pieces.
var space = sync.Pool{New: func() any {
	b := make([]byte, 0, flushAt+8<<10)
	return &b
}}

// maxKept is the largest memory a released piece gives back: a single huge row does not stay.
const maxKept = 1 << 20

func newPiece() *[]byte { return space.Get().(*[]byte) }

func release(piece *[]byte) {
	if cap(*piece) <= maxKept {
		*piece = (*piece)[:0]
		space.Put(piece)
	}
}

// NewBuffer writes to w.
func NewBuffer(w io.Writer) *Buffer {
	p := newPiece()
	return &Buffer{w: w, piece: p, b: (*p)[:0]}
}

// Write makes the buffer an io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	b.b = append(b.b, p...)
	b.spill()
	return len(p), b.err
}

func (b *Buffer) spill() {
	if len(b.b) >= flushAt {
		b.hand()
	}
}

// hand gives the full piece to the sender and goes on with an empty one.
func (b *Buffer) hand() {
	if b.err != nil {
		b.b = b.b[:0]
		return
	}
	b.flushed = true
	if b.sender == nil {
		b.sender = send(b.w)
	}
	*b.piece = b.b
	b.piece, b.err = b.sender.take(b.piece)
	b.b = (*b.piece)[:0]
}

// Flush hands on what is left, waits until everything is written and gives the first error of the
// stream. A panic of the writer goes on here.
func (b *Buffer) Flush() error {
	switch {
	case b.err != nil:
		b.b = b.b[:0]
	case len(b.b) == 0:
	case b.sender != nil:
		b.hand()
	default:
		_, b.err = b.w.Write(b.b)
		b.b, b.flushed = b.b[:0], true
	}
	if b.sender != nil {
		cause, err := b.sender.end()
		b.sender = nil
		if b.err == nil {
			b.err = err
		}
		if cause != nil {
			panic(cause)
		}
	}
	return b.err
}

// Err is the first error of the stream that is known.
func (b *Buffer) Err() error { return b.err }

// Whole is the body when nothing has been handed on yet: it can still be sent with its length.
func (b *Buffer) Whole() ([]byte, bool) { return b.b, !b.flushed }

// Sending says whether another goroutine may be writing now.
func (b *Buffer) Sending() bool { return b.sender != nil }

// Close drops what is not written yet, waits for a write under way and gives the memory back. The
// buffer is not used after it; a second Close does nothing.
func (b *Buffer) Close() {
	if b.sender != nil {
		b.sender.drop.Store(true)
		b.sender.end()
		b.sender = nil
	}
	if b.piece != nil {
		*b.piece = b.b
		release(b.piece)
	}
	b.b, b.piece = nil, nil
}
