package library

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"mappe/artefacts/keys"
)

// Ranged is an object of a form that its family knows and that is read by range: what says where its sections lie is in
// memory.
type Ranged[L Layout] struct {
	Front L
	opened
}

// Form says how the front of an object becomes a layout.
type Form[L Layout] struct {
	// Length is how many bytes the front takes, as its first 64 KiB say; nil: it is within them.
	Length func(beginning []byte) (int64, error)
	// Open makes the layout by reading in the front, behind which nothing can be read, and says what it takes in memory.
	Open func(front io.ReaderAt, size int64) (layout L, cost int64, err error)
}

// ranged is a front in memory.
type ranged[L Layout] struct {
	front L
	whole []byte // of an object that has no more than what was read for its front
}

// OpenRanged opens an object of size bytes, from memory or with one read, two where its front is longer than 64 KiB. Of an
// object that is shorter than that all is in memory then. The errors are those of Get.
func OpenRanged[L Layout](ctx context.Context, v *View, key keys.Key, size int64, form Form[L]) (*Ranged[L], error) {
	if key.Class() != keys.Immutable {
		return nil, fmt.Errorf("library: %s is replaced from time to time: it is not kept", key)
	}
	n := name{key.String(), front}
	got, err := v.l.cache.get(ctx, n, func(ctx context.Context) (any, int64, error) {
		b, stored, err := v.l.readFront(ctx, n.object, frontGuess, func(b []byte) (int64, error) {
			if form.Length == nil {
				return int64(len(b)), nil
			}
			return form.Length(b)
		})
		if err != nil {
			return nil, 0, err
		}
		r := &ranged[L]{}
		var cost int64
		err = Guarded(func() (err error) { r.front, cost, err = form.Open(bytes.NewReader(b), stored); return err })
		if err == nil && stored != size {
			err = fmt.Errorf("it has %d bytes, expected %d", stored, size)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w: %w", key, ErrDamaged, err)
		}
		if int64(len(b)) == stored {
			r.whole = b
		}
		return r, max(cost, 0) + int64(len(r.whole)) + entryBytes, nil
	})
	if err != nil {
		return nil, err
	}
	r, err := as[*ranged[L]](n, got)
	if err != nil {
		return nil, err
	}
	return &Ranged[L]{r.front, opened{r.front, v.l, n.object, r.whole}}, nil
}

// ArtefactSize is the length of a further artefact of the country; 0 where the generation has none of the kind.
func (v *View) ArtefactSize(kind string) int64 { return v.g.pointer.Artefacts[kind].Bytes }
