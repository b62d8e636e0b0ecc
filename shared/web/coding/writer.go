package coding

import (
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// NewWriter compresses to w, from Write and Close alone: never on another goroutine. Close ends the stream and
// gives memory back, and the writer is not used after it; one that is not closed is left to the collector.
// large says that the body is longer than 128 KB, so that compressing it on several processors pays.
// Identity has no writer.
func (c Coding) NewWriter(w io.Writer, large bool) io.WriteCloser {
	home := &gzips
	switch {
	case c == Identity:
		panic("coding: identity is written as it is")
	case c == Zstd:
		home = &zstds
	case large:
		home = &parallelGzips
	}
	z := home.Get().(packer)
	z.Reset(w)
	return &pooled{z, home}
}

// packer is what the codings' writers have in common.
type packer interface {
	io.WriteCloser
	Reset(io.Writer)
}

var (
	gzips = sync.Pool{New: func() any {
		z, _ := gzip.NewWriterLevel(nil, gzipLevel) // the level is valid
		return z
	}}
	parallelGzips = sync.Pool{New: func() any { return &parallelGzip{} }}
	zstds         = sync.Pool{New: func() any { return newParallelZstd() }}
)

// pooled is a writer that Close gives back to its pool.
type pooled struct {
	packer
	home *sync.Pool
}

func (p *pooled) Close() error {
	err := p.packer.Close()
	if err == nil {
		p.Reset(nil) // nothing of the answer stays
		p.home.Put(p.packer)
	}
	return err
}
