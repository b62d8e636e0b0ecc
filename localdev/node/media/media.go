// Package media reads files that are kept as IPFS keeps them: one raw block, or a tree of UnixFS nodes in DAG-PB
// (https://ipld.io/specs/codecs/dag-pb/spec/, https://specs.ipfs.tech/unixfs/). It cuts uploads into raw blocks and one node above them.
package media

import (
	"errors"
	"fmt"
	"io"

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

// Read gives the bytes of a file. A block that is neither raw nor a node is given as it is.
func Read(s Source, root cid.Cid) ([]byte, error) {
	var out []byte
	blocks := 0
	var read func(c cid.Cid, depth int) error
	read = func(c cid.Cid, depth int) error {
		if blocks++; blocks > maxBlocks { // empty nodes that name each other many times
			return errNode
		}
		raw, err := s.Get(c)
		if err != nil {
			return err
		}
		if c.Prefix().Codec != cid.DagProtobuf {
			out = append(out, raw...)
		} else {
			n, err := parse(raw)
			if err != nil {
				return err
			}
			if depth >= maxDepth {
				return errNode
			}
			out = append(out, n.data...)
			for _, link := range n.links {
				if err := read(link, depth+1); err != nil {
					return err
				}
			}
		}
		if len(out) > MaxFile {
			return fmt.Errorf("the file has more than %d bytes", MaxFile)
		}
		return nil
	}
	err := read(root, 0)
	return out, err
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
