// Package media reads files that are kept as IPFS keeps them: one raw block, or a tree of UnixFS nodes in DAG-PB
// (https://ipld.io/specs/codecs/dag-pb/spec/, https://specs.ipfs.tech/unixfs/). It cuts uploads into raw blocks and one node above them.
package media

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ipfs/go-cid"
	"google.golang.org/protobuf/encoding/protowire"

	"mappe/localdev/node/blob"
)

// Source gives blobs.
type Source interface{ Get(cid.Cid) ([]byte, error) }

const (
	// chunk is how many bytes of an upload make a block.
	chunk = 256 << 10
	// maxLinks bounds the links of a node.
	maxLinks = 16_384
	// maxDepth bounds how deep nodes lie in each other.
	maxDepth = 16
	// maxBlocks bounds the blocks of a file.
	maxBlocks = 100_000
	// MaxFile is the most bytes of a file.
	MaxFile = 512 << 20
)

// node is a DAG-PB node that holds a part of a file.
type node struct {
	links []cid.Cid
	data  []byte
}

var errNode = errors.New("the block is no UnixFS file")

// parse reads a node: links are field 2, the UnixFS message is field 1, in which the bytes are field 2.
func parse(raw []byte) (node, error) {
	var n node
	err := fields(raw, func(num protowire.Number, value []byte) error {
		switch num {
		case 1:
			return fields(value, func(num protowire.Number, value []byte) error {
				if num == 2 {
					n.data = value
				}
				return nil
			})
		case 2:
			if len(n.links) >= maxLinks {
				return errNode
			}
			return fields(value, func(num protowire.Number, value []byte) error {
				if num != 1 {
					return nil
				}
				c, err := cid.Cast(value)
				if err == nil {
					n.links = append(n.links, c)
				}
				return err
			})
		}
		return nil
	})
	return n, err
}

// fields calls a function with each field of bytes of a message.
func fields(raw []byte, f func(protowire.Number, []byte) error) error {
	for len(raw) > 0 {
		num, kind, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return errNode
		}
		raw = raw[n:]
		if kind != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(num, kind, raw); n < 0 {
				return errNode
			}
			raw = raw[n:]
			continue
		}
		value, n := protowire.ConsumeBytes(raw)
		if n < 0 {
			return errNode
		}
		if err := f(num, value); err != nil {
			return err
		}
		raw = raw[n:]
	}
	return nil
}

// Links are the blocks that a node of a file names; none where the bytes are no node.
func Links(raw []byte) []cid.Cid {
	n, err := parse(raw)
	if err != nil {
		return nil
	}
	return n.links
}

// Parts are the blocks of a file that are kept here, the root first, at most so many.
func Parts(s Source, root cid.Cid, most int) []cid.Cid {
	var out []cid.Cid
	seen := map[cid.Cid]bool{root: true}
	for queue := []cid.Cid{root}; len(queue) > 0 && len(out) < most; queue = queue[1:] {
		raw, err := s.Get(queue[0])
		if err != nil {
			continue
		}
		out = append(out, queue[0])
		if queue[0].Prefix().Codec != cid.DagProtobuf {
			continue
		}
		n, err := parse(raw)
		if err != nil {
			continue
		}
		for _, c := range n.links {
			if !seen[c] {
				seen[c] = true
				queue = append(queue, c)
			}
		}
	}
	return out
}

// File reads a file block by block: a few blocks may name each other so that they make a long file. It holds one block at a time.
type File struct {
	source Source
	parts  []part
	size   int64
	at     int64
	block  int // of parts, whose bytes are in data; -1 for none
	data   []byte
}

// part are the bytes of a block, from a place of the file on.
type part struct {
	id    cid.Cid
	start int64
}

// Open finds the blocks of a file. A block that is neither raw nor a node is a file of its own. The error is the source's where a block is
// missing.
func Open(s Source, root cid.Cid) (*File, error) {
	f := &File{source: s, block: -1}
	blocks := 0
	var walk func(c cid.Cid, depth int) error
	walk = func(c cid.Cid, depth int) error {
		if blocks++; blocks > maxBlocks { // empty nodes that name each other many times
			return errNode
		}
		data, links, err := f.read(c)
		if err != nil {
			return err
		}
		if len(links) > 0 && depth >= maxDepth {
			return errNode
		}
		if len(data) > 0 {
			f.parts = append(f.parts, part{c, f.size})
		}
		if f.size += int64(len(data)); f.size > MaxFile {
			return fmt.Errorf("the file has more than %d bytes", MaxFile)
		}
		for _, link := range links {
			if err := walk(link, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return f, walk(root, 0)
}

// read gives the bytes of a block that belong to the file, and the blocks after them.
func (f *File) read(c cid.Cid) ([]byte, []cid.Cid, error) {
	raw, err := f.source.Get(c)
	if err != nil || c.Prefix().Codec != cid.DagProtobuf {
		return raw, nil, err
	}
	n, err := parse(raw)
	return n.data, n.links, err
}

// Read gives what follows.
func (f *File) Read(p []byte) (int, error) {
	if f.at >= f.size {
		return 0, io.EOF
	}
	i, found := slices.BinarySearchFunc(f.parts, f.at, func(p part, at int64) int { return cmp.Compare(p.start, at) })
	if !found {
		i--
	}
	if i != f.block {
		data, _, err := f.read(f.parts[i].id)
		if err != nil {
			return 0, err
		}
		f.block, f.data = i, data
	}
	n := copy(p, f.data[f.at-f.parts[i].start:])
	f.at += int64(n)
	return n, nil
}

// Seek goes to a place.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.size
	}
	if offset < 0 {
		return 0, errors.New("a place before the file")
	}
	f.at = offset
	return offset, nil
}

// Block is a piece of a file and its name.
type Block struct {
	ID   cid.Cid
	Data []byte
}

// Cut makes the blocks of a file, the root last. A file of one piece is a raw block.
func Cut(in io.Reader) ([]Block, error) {
	var pieces []Block
	var sizes []uint64
	total := uint64(0)
	for {
		data := make([]byte, chunk)
		n, err := io.ReadFull(in, data)
		if n > 0 || len(pieces) == 0 {
			data = data[:n]
			pieces = append(pieces, Block{blob.SumRaw(data), data})
			sizes = append(sizes, uint64(n))
			total += uint64(n)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if total > MaxFile {
			return nil, fmt.Errorf("the file has more than %d bytes", MaxFile)
		}
	}
	if len(pieces) == 1 {
		return pieces, nil
	}
	raw := root(pieces, sizes, total)
	return append(pieces, Block{blob.SumNode(raw), raw}), nil
}

// root is the node above the pieces: links with their sizes, then UnixFS's message of a file.
func root(pieces []Block, sizes []uint64, total uint64) []byte {
	var raw []byte
	for i, p := range pieces {
		var link []byte
		link = protowire.AppendBytes(protowire.AppendTag(link, 1, protowire.BytesType), p.ID.Bytes())
		link = protowire.AppendString(protowire.AppendTag(link, 2, protowire.BytesType), "")
		link = protowire.AppendVarint(protowire.AppendTag(link, 3, protowire.VarintType), sizes[i])
		raw = protowire.AppendBytes(protowire.AppendTag(raw, 2, protowire.BytesType), link)
	}
	var file []byte
	file = protowire.AppendVarint(protowire.AppendTag(file, 1, protowire.VarintType), 2) // a file
	file = protowire.AppendVarint(protowire.AppendTag(file, 3, protowire.VarintType), total)
	for _, n := range sizes {
		file = protowire.AppendVarint(protowire.AppendTag(file, 4, protowire.VarintType), n)
	}
	return protowire.AppendBytes(protowire.AppendTag(raw, 1, protowire.BytesType), file)
}
