package coding

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"runtime"
	"sync"

	"github.com/klauspost/compress/flate"
)

// gzipLevel is the fastest: answers are made while they are compressed, and a level more saves 3 % of the size for a
// quarter of the time.
const gzipLevel = 1

// Sizes in bytes: how much of a body one processor compresses at a time, and how far back deflate refers, which
// is what of the block before a block is compressed with.
const (
	block = 128 << 10
	reach = 32 << 10
)

// gzipHeader is that of RFC 1952 without name and time; the operating system is not told.
var gzipHeader = [10]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// parallelGzip compresses the blocks of a stream on all processors. Each block ends on a byte border (a sync
// flush), so that they are one deflate stream when they stand in their order. klauspost/pgzip does the same,
// but writes on a goroutine of its own, where a panic of the writer ends the process and a write can come after
// the handler; here only Write and Close write.
type parallelGzip struct {
	w      io.Writer
	filled *packing   // the block that is being filled
	queue  []*packing // blocks being compressed, in their order
	sum    uint32
	size   uint32
	begun  bool
}

// packing is a block with what it takes to compress it.
type packing struct {
	in   []byte // what may be referred to, then the block
	from int    // where the block begins
	out  []byte
	z    *flate.Writer
	done chan struct{}
}

var packings = sync.Pool{New: func() any {
	z, _ := flate.NewWriter(nil, gzipLevel) // the level is valid
	return &packing{z: z, in: make([]byte, 0, reach+block), out: make([]byte, 0, block/2)}
}}

func (p *packing) Write(b []byte) (int, error) {
	p.out = append(p.out, b...)
	return len(b), nil
}

// run compresses the block; the last one of a stream ends it.
func (p *packing) run(last bool) {
	p.z.ResetDict(p, p.in[:p.from])
	_, _ = p.z.Write(p.in[p.from:]) // memory takes everything
	if last {
		_ = p.z.Close()
	} else {
		_ = p.z.Flush()
	}
	close(p.done)
}

// newPacking is an empty block after another one, which may be nil.
func newPacking(before *packing) *packing {
	p := packings.Get().(*packing)
	p.in, p.out, p.done = p.in[:0], p.out[:0], make(chan struct{})
	if before != nil {
		p.in = append(p.in, before.in[max(before.from, len(before.in)-reach):]...)
	}
	p.from = len(p.in)
	return p
}

func (z *parallelGzip) Reset(w io.Writer) { *z = parallelGzip{w: w, queue: z.queue[:0]} }

func (z *parallelGzip) Write(p []byte) (int, error) {
	z.sum = crc32.Update(z.sum, crc32.IEEETable, p)
	z.size += uint32(len(p)) // modulo 2^32, as RFC 1952 counts
	for rest := p; len(rest) > 0; {
		if z.filled == nil {
			z.filled = newPacking(nil)
		}
		b := z.filled
		n := min(len(rest), block-(len(b.in)-b.from))
		b.in = append(b.in, rest[:n]...)
		rest = rest[n:]
		if len(b.in)-b.from == block {
			if err := z.pack(false); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}

// pack hands the filled block to a goroutine and begins the next one. It writes out what is ready, and waits
// for the oldest block where all processors are busy.
func (z *parallelGzip) pack(last bool) error {
	b := z.filled
	if z.filled = nil; !last {
		z.filled = newPacking(b) // copies from the block before it is given back
	}
	z.queue = append(z.queue, b)
	go b.run(last)
	for len(z.queue) > 0 {
		if len(z.queue) < runtime.GOMAXPROCS(0)+1 {
			select {
			case <-z.queue[0].done:
			default:
				return nil
			}
		}
		if err := z.writeOldest(); err != nil {
			return err
		}
	}
	return nil
}

func (z *parallelGzip) writeOldest() error {
	b := z.queue[0]
	<-b.done
	z.queue = append(z.queue[:0], z.queue[1:]...)
	err := z.begin()
	if err == nil {
		_, err = z.w.Write(b.out)
	}
	packings.Put(b)
	return err
}

func (z *parallelGzip) begin() error {
	if z.begun {
		return nil
	}
	z.begun = true
	_, err := z.w.Write(gzipHeader[:])
	return err
}

// Close compresses the last block and writes the stream's sum and size.
func (z *parallelGzip) Close() error {
	if z.filled == nil {
		z.filled = newPacking(nil)
	}
	if err := z.pack(true); err != nil {
		return err
	}
	for len(z.queue) > 0 {
		if err := z.writeOldest(); err != nil {
			return err
		}
	}
	var end [8]byte
	binary.LittleEndian.PutUint32(end[:], z.sum)
	binary.LittleEndian.PutUint32(end[4:], z.size)
	_, err := z.w.Write(end[:])
	return err
}
