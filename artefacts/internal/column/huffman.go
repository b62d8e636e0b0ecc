package column

import (
	"encoding/binary"
	"sync"

	"github.com/klauspost/compress/huff0"
)

// huffBlock is how many bytes share one code table.
const huffBlock = 1 << 16

// huffScratch lends working space; a table is some 20 KB and would dominate small columns.
var huffScratch = sync.Pool{New: func() any { return new(huff0.Scratch) }}

// huffman codes p in blocks, nil where a block does not gain by it.
func huffman(p []byte) []byte {
	s := &huff0.Scratch{Reuse: huff0.ReusePolicyNone}
	var out []byte
	for len(p) > 0 {
		n := min(len(p), huffBlock)
		z, _, err := huff0.Compress4X(p[:n], s)
		if err != nil {
			return nil
		}
		out = binary.AppendUvarint(out, uint64(len(z)))
		out = append(out, z...)
		p = p[n:]
	}
	return out
}

// huffman reads n bytes into dst, whose capacity bounds what a block can give.
func (r *Reader) huffman(dst []byte) []byte {
	s := huffScratch.Get().(*huff0.Scratch)
	defer huffScratch.Put(s)
	for at := 0; at < len(dst); at += huffBlock {
		n := min(len(dst)-at, huffBlock)
		z := r.Take(r.Count(len(r.Rest)))
		if r.Err != nil {
			return nil
		}
		table, streams, err := huff0.ReadTable(z, s)
		if err != nil {
			r.Fail("code table at byte %d: %w", at, err)
			return nil
		}
		s = table
		got, err := s.Decoder().Decompress4X(dst[at:at:at+n], streams)
		if err != nil || len(got) != n {
			r.Fail("coded block at byte %d gave %d of %d bytes: %v", at, len(got), n, err)
			return nil
		}
	}
	return dst
}
