package format

import (
	"io"
	"sync"
)

// flushAt is the size in bytes at which a buffer goes to the client: what a stream holds in memory.
const flushAt = 128 << 10

// Buffer gathers bytes and hands them on in pieces of about 128 KB. The first error sticks; later
// writes are dropped, so that writers check once at the end of a row.
type Buffer struct {
	b       []byte
	kept    *[]byte // what the memory came in
	w       io.Writer
	err     error
	flushed bool
}

// space keeps the memory of released buffers.
var space = sync.Pool{New: func() any {
	b := make([]byte, 0, flushAt+8<<10)
	return &b
}}

// maxKept is the largest memory a released buffer gives back: a single huge row does not stay.
const maxKept = 1 << 20

// NewBuffer writes to w.
func NewBuffer(w io.Writer) *Buffer {
	kept := space.Get().(*[]byte)
	return &Buffer{w: w, kept: kept, b: (*kept)[:0]}
}

// Release gives the buffer's memory back once everything is flushed. The buffer is not used after it.
func (b *Buffer) Release() {
	if b.kept != nil && cap(b.b) <= maxKept {
		*b.kept = b.b[:0]
		space.Put(b.kept)
	}
	b.b, b.kept = nil, nil
}

// Write makes the buffer an io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	b.b = append(b.b, p...)
	b.spill()
	return len(p), b.err
}

func (b *Buffer) spill() {
	if len(b.b) >= flushAt {
		b.flush()
	}
}

func (b *Buffer) flush() {
	if b.err == nil && len(b.b) > 0 {
		_, b.err = b.w.Write(b.b)
		b.flushed = true
	}
	b.b = b.b[:0]
}

// Flush hands on what is left and gives the first error of the stream.
func (b *Buffer) Flush() error {
	b.flush()
	return b.err
}

// Err is the first error of the stream.
func (b *Buffer) Err() error { return b.err }

// Whole is the body when nothing has been handed on yet: it can still be sent with its length.
func (b *Buffer) Whole() ([]byte, bool) { return b.b, !b.flushed }
