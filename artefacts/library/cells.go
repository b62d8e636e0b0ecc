package library

import (
	"context"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/ne"
)

// Cells is the container of a KG's cells: its header is in memory, its frames are read by range; a small one is in
// memory whole.
type Cells struct {
	*ne.Frames
	opened
	unpack *ne.Unpacker
}

// smallCells is up to how many bytes a container is read whole: its frames come over the wire in the time of the
// request that they would need else. KGs of some 40,000 cells are smaller.
const smallCells = 512 << 10

// heldCells is a container in memory.
type heldCells struct {
	*ne.Frames
	whole []byte // nil: only its front was read
}

// CellRows are the rows of one layer below one cell of resolution 9, packed as they lie in the container, and
// unpacked. They are shared and not to be changed.
type CellRows struct {
	Packed, Rows []byte
}

// Cells opens the container of a KG, which has size bytes, from memory or with one read, two where it is large and
// has thousands of frames; one more is that of its dictionary, where that is not in memory. The errors are those of Get.
func (v *View) Cells(ctx context.Context, key keys.Cells, size int64) (*Cells, error) {
	n := name{key.String(), front}
	f, ok := v.l.cache.hit(n).(*heldCells)
	if !ok {
		got, err := v.l.cache.get(ctx, n, func(ctx context.Context) (any, int64, error) {
			f, err := v.l.openCells(ctx, key, size)
			if err != nil {
				return nil, 0, err
			}
			return f, f.Memory() + int64(len(f.whole)) + entryBytes, nil
		})
		if err != nil {
			return nil, err
		}
		if f, err = as[*heldCells](n, got); err != nil {
			return nil, err
		}
	}
	c := &Cells{Frames: f.Frames, opened: opened{f.Frames, v.l, n.object, f.whole}, unpack: withoutDict}
	if f.Dict != "" {
		d, err := v.CellDict(ctx, f.Dict)
		if err != nil {
			return nil, err
		}
		c.unpack = d.unpack
	}
	return c, nil
}

// withoutDict reads frames that need no dictionary.
var withoutDict = func() *ne.Unpacker {
	u, err := ne.NewUnpacker(nil)
	if err != nil {
		panic(err)
	}
	return u
}()

// openCells reads the header of a container, or all of a small one.
func (l *Library) openCells(ctx context.Context, key keys.Cells, expected int64) (*heldCells, error) {
	first := int64(frontGuess)
	if expected <= smallCells {
		first = max(first, expected)
	}
	b, size, err := l.readFront(ctx, key.String(), first, func(b []byte) (int64, error) {
		n, err := ne.FrontLength(b)
		return int64(n), err
	})
	if err != nil {
		return nil, err
	}
	f, err := ne.ParseFrames(b, size)
	if err == nil && f.KG != key.Code {
		err = fmt.Errorf("it holds the cells of KG %s", f.KG)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", key, ErrDamaged, err)
	}
	if int64(len(b)) < size {
		b = nil
	}
	return &heldCells{f, b}, nil
}

// Rows gives the rows of frames, in the order in which their numbers are given, held to the digests of the header:
// from memory, or read as Sections does.
func (c *Cells) Rows(ctx context.Context, frames []int) ([]CellRows, error) {
	return Sections(ctx, c, frames, func(i int, packed []byte) (CellRows, int64, error) {
		s, n := c.At(i)
		rows, err := s.Unpack(n, packed, c.unpack)
		return CellRows{packed, rows}, int64(len(packed) + len(rows)), err
	})
}

// CellDict is a dictionary that cells are packed with.
type CellDict struct {
	Bytes  []byte
	unpack *ne.Unpacker
}

// unpackerBytes is what a reader of frames takes in memory, about.
const unpackerBytes = 1 << 20

var cellDicts = Decoder[*CellDict]{Limit: ne.DictBytes, Decode: func(body []byte) (*CellDict, int64, error) {
	u, err := ne.NewUnpacker(body)
	return &CellDict{body, u}, int64(len(body)) + unpackerBytes, err
}}

// CellDict gives a dictionary by its id, from memory or with one read. ErrGone: it does not exist any more.
func (v *View) CellDict(ctx context.Context, id string) (*CellDict, error) {
	key := keys.CellDict{Sum: id}
	if _, err := keys.Parse(key.String()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGone, err)
	}
	if d, ok := v.l.cache.hit(name{key.String(), whole}).(*CellDict); ok {
		return d, nil
	}
	known, _ := v.begun(ctx, key.String())
	return getKnown(ctx, v, key, cellDicts, known)
}
