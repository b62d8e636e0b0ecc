package format

import (
	"io"
	"sync/atomic"
)

// maxPieces is how many pieces a stream holds: one being filled, one being written, one between.
const maxPieces = 3

// sender writes pieces in their order on a goroutine of its own.
type sender struct {
	w    io.Writer
	full chan *[]byte // to be written
	done chan sent    // came to an end; closed when the goroutine ends
	out  int          // pieces handed over and not given back
	got  sent         // what the piece given back last came with
	drop atomic.Bool  // pieces are no longer written
}

// sent is a piece given back.
type sent struct {
	piece *[]byte
	err   error // of the stream: once set, it comes with every piece
	cause any   // the writer's panic
}

func send(w io.Writer) *sender {
	s := &sender{w: w, full: make(chan *[]byte, maxPieces), done: make(chan sent, maxPieces)}
	go s.run()
	return s
}

func (s *sender) run() {
	defer close(s.done)
	out := sent{}
	for out.piece = range s.full {
		if out.err == nil && !s.drop.Load() {
			out.cause, out.err = s.write(*out.piece)
		}
		s.done <- out
	}
}

// write turns a panic of the writer into an error, to be raised again where the stream is flushed: on
// this goroutine it would end the process.
func (s *sender) write(piece []byte) (cause any, err error) {
	ended := false
	defer func() {
		if !ended {
			cause, err = recover(), io.ErrClosedPipe
		}
	}()
	_, err = s.w.Write(piece)
	ended = true
	return nil, err
}

// take hands a piece over and gives an empty one, and the stream's error if one is known.
func (s *sender) take(piece *[]byte) (*[]byte, error) {
	s.full <- piece
	if s.out++; s.out < maxPieces {
		select {
		case s.got = <-s.done:
		default:
			return newPiece(), nil
		}
	} else {
		s.got = <-s.done
	}
	s.out--
	return s.got.piece, s.got.err
}

// end waits for the goroutine and gives the stream's error and the writer's panic, which may have come
// with a piece that take gave back.
func (s *sender) end() (cause any, err error) {
	close(s.full)
	for s.got = range s.done {
		release(s.got.piece)
	}
	return s.got.cause, s.got.err
}
