package funcurl

import (
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// ReaderGrace is the variable with how long a reader may keep an answer waiting; unset: 10s.
const ReaderGrace = "MAPPE_READER_GRACE"

// A reader may keep an answer waiting for readerGrace in all, and a second more for each readerRate bytes
// that it has taken. Whoever takes 64 KiB a second has no bound but the function's own; the slowest reader
// who takes nothing holds the function for the grace.
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
	waited  time.Duration
	taken   int64
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
	left := r.grace + time.Duration(float64(r.taken)/readerRate*float64(time.Second)) - r.waited
	if r.timer == nil {
		r.timer = time.AfterFunc(left, r.stop)
	} else {
		r.timer.Reset(left)
	}
	began := time.Now()
	n, err := r.pipe.Write(p)
	r.timer.Stop()
	r.waited += time.Since(began)
	r.taken += int64(n)
	return n, err
}

func (r *reader) stop() {
	r.stalled.Store(true)
	r.pipe.CloseWithError(errStalled)
}
