package library

import (
	"context"
	"errors"
	"fmt"
	"io"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Form is the object of a public form of a KG's served snapshot, keys.GeoJSON or keys.GeoPackage; false where the
// generation has none. It costs what ArtefactOf does.
func (v *View) Form(ctx context.Context, code austria.KGCode, form keys.Form) (manifest.Object, bool, error) {
	e, err := v.entry(ctx, code)
	if err != nil {
		return manifest.Object{}, false, err
	}
	o := map[keys.Form]manifest.Object{keys.GeoJSON: e.forms.GeoJSON, keys.GeoPackage: e.forms.GeoPackage}[form]
	return o, o.Key != "", nil
}

// Forms are the forms of a KG's served snapshot; one that the generation does not have has no key. It costs what
// ArtefactOf does.
func (v *View) Forms(ctx context.Context, code austria.KGCode) (manifest.Forms, error) {
	e, err := v.entry(ctx, code)
	return e.forms, err
}

// Has says whether the store has an object. What was seen is taken to be there for a minute.
func (v *View) Has(ctx context.Context, o manifest.Object) (bool, error) {
	now := v.l.opt.Now()
	if v.l.present.fresh(now, o.Key) {
		return true, nil
	}
	ctx, cancel := context.WithTimeout(ctx, v.l.opt.LoadTimeout)
	defer cancel()
	info, err := store.Stat(ctx, v.l.store, o.Key)
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			return false, nil
		}
		return false, storeError(o.Key, err)
	}
	if info.Size != o.Bytes {
		return false, nil
	}
	v.l.present.note(now, o.Key)
	return true, nil
}

// OpenRange opens length bytes of an object that the generation names, for a body that is passed on as it is: it
// takes no place in memory, and is given as much time as the context. length is at least 1. The errors are those
// of Get.
func (v *View) OpenRange(ctx context.Context, o manifest.Object, offset, length int64) (io.ReadCloser, error) {
	got, err := v.l.store.Get(ctx, o.Key, store.GetOptions{Range: &store.Range{Offset: offset, Length: length}, Plain: true})
	if err != nil {
		return nil, lost(storeError(o.Key, err))
	}
	if got.Size != o.Bytes || got.Length != length {
		got.Body.Close()
		return nil, fmt.Errorf("%s: %w: %d bytes from %d of %d, expected %d of %d", o.Key, ErrDamaged, got.Length, offset, got.Size, length,
			o.Bytes)
	}
	return got.Body, nil
}
