package funcurl

import (
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// ReaderGrace is the variable with how long a reader may keep an answer waiting; unset: 10s.
const ReaderGrace = "MAPPE_READER_GRACE"

// A reader may keep an answer waiting for readerGrace. Bytes that are taken give time back, a second for each
// readerRate of them, but never more than the grace: whoever takes 64 KiB a second has no bound but the
// function's own, and who takes nothing holds the function for the grace, however much went before.
const (
	readerGrace = 10 * time.Second
	readerRate  = 64 << 10
)

// errStalled ends a stream whose reader has used up its time.
var errStalled = errors.New("the reader does not take the answer")

// reader is whoever takes the answer, seen from the writer's end of the pipe.
type reader struct {
	pipe    *io.PipeWriter
	grace   time.Duration
	used    time.Duration // of the grace
	timer   *time.Timer
	stalled atomic.Bool
}

// Write hands bytes over, or fails when the reader has used up its time.
func (r *reader) Write(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil { // in pieces, so that one who takes some of a large write has taken it
		var taken int
		taken, err = r.piece(p[:min(len(p), bufferBytes)])
		n, p = n+taken, p[taken:]
	}
	return n, err
}

func (r *reader) piece(p []byte) (int, error) {
	if left := r.grace - r.used; r.timer == nil {
		r.timer = time.AfterFunc(left, r.stop)
	} else {
		r.timer.Reset(left)
	}
	began := time.Now()
	n, err := r.pipe.Write(p)
	r.timer.Stop()
	back := time.Duration(n) * time.Second / readerRate
	r.used = max(0, r.used+time.Since(began)-back)
	return n, err
}

func (r *reader) stop() {
	r.stalled.Store(true)
	r.pipe.CloseWithError(errStalled)
}
