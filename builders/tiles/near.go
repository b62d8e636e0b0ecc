package tiles

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"mappe/artefacts/pmt"
)

// Near is an archive that can be read in place.
type Near struct {
	Context context.Context // ends the reading
	From    io.ReaderAt
	Size    int64
	SHA256  string // what the bytes are to have, hex
}

// contents are the distinct contents of an archive that was found whole, in the order of their ends. Two are equal only if
// their keys are.
type contents struct {
	of  *pmt.Archive
	all []contentKey
}

// contentKey is what can be told of a content without reading it. A packed tile ends with the sum and the length of what is
// packed.
type contentKey struct {
	end    uint64 // in the contents of the archive
	tail   uint64 // its last tailBytes; 0 of a shorter one
	length uint32
}

const (
	tailBytes = 8
	// nearBytes are read at once.
	nearBytes = 1 << 20
)

func (k *contentKey) equal(o *contentKey) int {
	return cmp.Or(cmp.Compare(k.tail, o.tail), cmp.Compare(k.length, o.length))
}

// read reads an archive from its front to its end. It is nil where it is damaged, or cannot be read.
func (n *Near) read(a *pmt.Archive) (*contents, error) {
	c := &contents{of: a}
	for e, err := range a.Entries() {
		if err != nil {
			return nil, nil
		}
		c.all = append(c.all, contentKey{end: e.Offset + uint64(e.Length), length: e.Length})
	}
	slices.SortFunc(c.all, func(x, y contentKey) int { return cmp.Or(cmp.Compare(x.end, y.end), cmp.Compare(x.length, y.length)) })
	c.all = slices.Compact(c.all)
	h := sha256.New()
	room := make([]byte, tailBytes+nearBytes) // behind the end of what was read before
	next, first := 0, a.Header.Tiles.Offset
	for at := int64(0); at < n.Size; {
		if err := n.Context.Err(); err != nil {
			return nil, err
		}
		got, err := n.From.ReadAt(room[tailBytes:tailBytes+int(min(nearBytes, n.Size-at))], at)
		if got == 0 || err != nil && !errors.Is(err, io.EOF) {
			return nil, n.Context.Err()
		}
		h.Write(room[tailBytes : tailBytes+got])
		for at += int64(got); next < len(c.all) && first+c.all[next].end <= uint64(at); next++ {
			if k := &c.all[next]; k.length >= tailBytes {
				to := tailBytes + got - int(uint64(at)-first-k.end)
				k.tail = binary.LittleEndian.Uint64(room[to-tailBytes : to])
			}
		}
		copy(room, room[got:got+tailBytes])
	}
	if hex.EncodeToString(h.Sum(nil)) != n.SHA256 || next < len(c.all) {
		return nil, nil
	}
	slices.SortFunc(c.all, func(x, y contentKey) int { return cmp.Or(x.equal(&y), cmp.Compare(x.end, y.end)) })
	return c, nil
}

// find gives where a content stands, if it does.
func (c *contents) find(content []byte) (e pmt.Entry, ok bool, err error) {
	want := contentKey{length: uint32(len(content))}
	if len(content) >= tailBytes {
		want.tail = binary.LittleEndian.Uint64(content[len(content)-tailBytes:])
	}
	i, _ := slices.BinarySearchFunc(c.all, want, func(x, y contentKey) int { return x.equal(&y) })
	for ; i < len(c.all) && c.all[i].equal(&want) == 0; i++ {
		e := pmt.Entry{Offset: c.all[i].end - uint64(want.length), Length: want.length}
		b, err := c.of.Content(e)
		if err != nil || bytes.Equal(b, content) {
			return e, err == nil, err
		}
	}
	return e, false, nil
}

// placing puts the tiles of a merging into the result.
type placing struct {
	*pmt.Builder
	data   *Merged
	whole  *contents              // of the earlier archive; nil: none stays there
	placed map[uint64]pmt.Section // by where they stand in the earlier archive
}

// place appends a tile. One that the earlier archive has stands in the result once, whether it is taken over or made anew.
func (p *placing) place(t *merging) error {
	if p.whole != nil && !t.over {
		e, ok, err := p.whole.find(t.content)
		if err != nil {
			return err
		}
		if ok {
			t.archive, t.entry, t.over = p.whole.of, e, true
		}
	}
	if !t.over {
		p.data.take(t.archive, t.entry)
		return p.Add(t.id, t.content)
	}
	if at, ok := p.placed[t.entry.Offset]; ok {
		return p.AddEqual(t.id, at)
	}
	at, err := p.AddApart(t.id, uint64(t.entry.Length))
	if err != nil {
		return err
	}
	if p.placed == nil {
		p.placed = map[uint64]pmt.Section{}
	}
	p.placed[t.entry.Offset] = at
	p.data.add(source{t.archive, int64(t.entry.Offset)}, int64(t.entry.Length))
	return nil
}
