package library

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Decoder says how the objects of one kind become values. Values are shared by requests and never changed;
// those of one key always come from the same decoder.
type Decoder[T any] struct {
	Limit int64 // bytes of an object, at most; a larger one is damaged
	// Decode makes the value of a whole object, whose bytes it may keep, and says what it takes in memory, in
	// bytes. It bears any bytes.
	Decode func(body []byte) (value T, cost int64, err error)
}

// entryBytes is what the cache takes for an entry beside its value, about.
const entryBytes = 256

// Get gives the value of an immutable object, from memory or with one read. Requests at the same time share
// the read, and what it made counts against the library's one budget. Where the key is that of a content, the
// bytes are held to it. ErrDamaged says that the object is not what it should be, ErrGone that the store does
// not have it, ErrStore that the store gives no answer.
func Get[T any](ctx context.Context, v *View, key keys.Key, d Decoder[T]) (T, error) {
	return getKnown(ctx, v, key, d, nil)
}

// getKnown is Get of an object whose bytes may be at hand: nil, or others than the key names, and it is read.
func getKnown[T any](ctx context.Context, v *View, key keys.Key, d Decoder[T], known []byte) (T, error) {
	var none T
	if key.Class() != keys.Immutable {
		return none, fmt.Errorf("library: %s is replaced from time to time: it is not kept", key)
	}
	n := name{key.String(), whole}
	got, err := v.l.cache.get(ctx, n, func(ctx context.Context) (any, int64, error) {
		body := known
		if len(known) == 0 || keys.Sum(known) != keys.ContentSum(key) {
			var err error
			if body, err = v.l.object(ctx, key, d.Limit); err != nil {
				return nil, 0, err
			}
		}
		var value T
		var cost int64
		if err := Guarded(func() (err error) { value, cost, err = d.Decode(body); return err }); err != nil {
			return nil, 0, fmt.Errorf("%s: %w: %w", key, ErrDamaged, err)
		}
		return value, max(cost, 0) + entryBytes, nil
	})
	if err != nil {
		return none, err
	}
	return as[T](n, got)
}

// Object reads an artefact whole, of at most so many bytes, past the cache, and holds it to its name. The errors are those of Get.
func (l *Library) Object(ctx context.Context, key keys.Key, limit int64) ([]byte, error) {
	return l.object(ctx, key, limit)
}

// object reads a whole object and holds it to its name.
func (l *Library) object(ctx context.Context, key keys.Key, limit int64) ([]byte, error) {
	body, err := l.read(ctx, key.String(), limit)
	if err != nil {
		return nil, lost(err)
	}
	if want := keys.ContentSum(key); want != "" && keys.Sum(body) != want {
		return nil, fmt.Errorf("%s: %w: its SHA-256 begins with %s", key, ErrDamaged, keys.Sum(body))
	}
	return body, nil
}

// lost tells the outcomes of reading what a generation names.
func lost(err error) error {
	switch {
	case errors.Is(err, store.ErrTooLarge), errors.Is(err, store.ErrRange):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}

// Artefact is the key of a further artefact of the country (manifest.Artefacts); false where the generation
// has none of the kind.
func (v *View) Artefact(kind string) (keys.Key, bool) {
	o, ok := v.g.pointer.Artefacts[kind]
	if !ok {
		return nil, false
	}
	key, err := keys.Parse(o.Key)
	return key, err == nil
}

// ArtefactOf is the key of a further artefact of a KG, its cells for example; false where it has none of the
// kind. The first one asked of a generation costs a read of its manifest, the first of a part of it another.
func (v *View) ArtefactOf(ctx context.Context, code austria.KGCode, kind string) (keys.Key, bool, error) {
	e, err := v.entry(ctx, code)
	o, ok := e.artefacts[kind]
	if err != nil || !ok {
		return nil, false, err
	}
	key, err := keys.Parse(o.Key)
	return key, err == nil, err
}
