package coding

import (
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// window bounds the memory of a zstd stream at both ends, in bytes.
const window = 1 << 20

// parallelZstd compresses a stream on two processors: the library looks for repetitions in one block while it
// codes the block before and while the caller makes the next. It writes on a goroutine of its own, into memory;
// what has come is handed on by Write and Close.
type parallelZstd struct {
	z     *zstd.Encoder
	out   spool
	ready []byte // taken from out
	w     io.Writer
}

func newParallelZstd() *parallelZstd {
	p := &parallelZstd{}
	z, err := zstd.NewWriter(&p.out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(2))
	if err != nil {
		panic(err) // the options are valid
	}
	p.z = z
	return p
}

func (p *parallelZstd) Reset(w io.Writer) {
	p.w = w
	p.z.Reset(&p.out)
	p.ready = p.out.take(p.ready)
}

func (p *parallelZstd) Write(b []byte) (int, error) {
	n, err := p.z.Write(b)
	if err == nil {
		err = p.hand()
	}
	return n, err
}

func (p *parallelZstd) Close() error {
	if err := p.z.Close(); err != nil {
		return err
	}
	return p.hand()
}

// hand passes on what is compressed so far.
func (p *parallelZstd) hand() error {
	p.ready = p.out.take(p.ready)
	if len(p.ready) == 0 {
		return nil
	}
	_, err := p.w.Write(p.ready)
	return err
}

// spool keeps what one goroutine writes until another takes it.
type spool struct {
	mu sync.Mutex
	b  []byte
}

func (s *spool) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.b = append(s.b, b...)
	return len(b), nil
}

// take gives what was written, and goes on in the memory of another slice.
func (s *spool) take(memory []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	full := s.b
	s.b = memory[:0]
	return full
}
