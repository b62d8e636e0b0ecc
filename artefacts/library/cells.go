package library

import (
	"context"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/ne"
)

// Cells is the container of a KG's cells: its header is in memory, its frames are read by range.
type Cells struct {
	*ne.Frames
	opened
	unpack *ne.Unpacker
}

// CellRows are the rows of one layer below one cell of resolution 9, packed as they lie in the container, and
// unpacked. They are shared and not to be changed.
type CellRows struct {
	Packed, Rows []byte
}

// Cells opens the container of a KG, from memory or with one read, two where it has thousands of frames; one more is
// that of its dictionary, where that is not in memory. The errors are those of Get.
func (v *View) Cells(ctx context.Context, key keys.Cells) (*Cells, error) {
	n := name{key.String(), front}
	f, ok := v.l.cache.hit(n).(*ne.Frames)
	if !ok {
		got, err := v.l.cache.get(ctx, n, func(ctx context.Context) (any, int64, error) {
			f, err := v.l.cellFront(ctx, key)
			if err != nil {
				return nil, 0, err
			}
			return f, f.Memory() + entryBytes, nil
		})
		if err != nil {
			return nil, err
		}
		if f, err = as[*ne.Frames](n, got); err != nil {
			return nil, err
		}
	}
	c := &Cells{Frames: f, opened: opened{f, v.l, n.object}, unpack: withoutDict}
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

// cellFront reads the header of a container.
func (l *Library) cellFront(ctx context.Context, key keys.Cells) (*ne.Frames, error) {
	b, size, err := l.readFront(ctx, key.String(), func(b []byte) (int64, error) {
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
	return f, nil
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

// CellDict gives a dictionary by its id, from memory or with one read. ErrGone says that there is none.
func (v *View) CellDict(ctx context.Context, id string) (*CellDict, error) {
	key := keys.CellDict{Sum: id}
	if _, err := keys.Parse(key.String()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGone, err)
	}
	return Get(ctx, v, key, cellDicts)
}
