package library

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

// View is one generation, for the time of one request.
type View struct {
	l *Library
	g *generation
}

// Generation names the generation; ETags derive from it.
func (v *View) Generation() string { return v.g.pointer.Generation }

// Pointer is the pointer of the generation: its keys, attribution and counts.
func (v *View) Pointer() manifest.Pointer { return v.g.pointer }

// Register is the national register.
func (v *View) Register() *register.Register { return v.g.register }

// Warm says whether a snapshot of the KG is in the object store, as the register has it.
func (v *View) Warm(code austria.KGCode) bool {
	k := v.g.register.KG(code)
	return k != nil && k.Snapshot.Key != ""
}

// KG gives the file of a KG, from memory or with one read. ErrUnknownKG and ErrCold say that there is
// none (yet); any other error is of the store or of the object.
func (v *View) KG(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	k := v.g.register.KG(code)
	if k == nil {
		return nil, fmt.Errorf("KG %s: %w", code, ErrUnknownKG)
	}
	if k.Snapshot.Key == "" {
		v.l.warmUp(code)
		return nil, fmt.Errorf("KG %s: %w", code, ErrCold)
	}
	if f := v.l.files.hit(k.Snapshot.Key); f != nil {
		return f, nil
	}
	f, err := v.l.files.get(ctx, k.Snapshot.Key, func(ctx context.Context) (*kgfile.File, error) {
		return v.l.open(ctx, k)
	})
	if errors.Is(err, store.ErrNotFound) {
		// The store's own budget evicted it since the register was written.
		v.l.warmUp(code)
		return nil, fmt.Errorf("KG %s: %w (%w)", code, ErrCold, err)
	}
	return f, err
}

// open reads and checks the file of a KG.
func (l *Library) open(ctx context.Context, k *register.KG) (*kgfile.File, error) {
	return l.openAs(ctx, k.Code, k.Snapshot.Key, k.Snapshot.Bytes)
}

// openAs reads an object of at most limit bytes that holds the KG.
func (l *Library) openAs(ctx context.Context, code austria.KGCode, key string, limit int64) (*kgfile.File, error) {
	body, _, err := l.read(ctx, key, store.GetOptions{}, limit)
	if err != nil {
		return nil, err
	}
	f, err := kgfile.Open(body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	if got := f.KG().Code; got != code {
		return nil, fmt.Errorf("%s holds KG %s", key, got)
	}
	return f, nil
}

// Place is what lies at a point.
type Place struct {
	// KG is that of the parcel, else of the outline that contains the point, else the only cold one that may
	// hold it; "" outside the country and where several cold ones may.
	KG     austria.KGCode
	File   *kgfile.File // of KG; nil when it is cold
	Parcel int          // index in File; -1 when the point is in no parcel that is known
	// Cold: a KG that may hold the point is cold, so a missing parcel means unknown, not absent.
	Cold bool
}

// Locate finds the parcel at a point among the register's candidates.
func (v *View) Locate(ctx context.Context, p geom.Point) (Place, error) {
	out := Place{Parcel: -1}
	var cold []austria.KGCode
	for i, code := range v.g.register.Candidates(p) {
		f, err := v.KG(ctx, code)
		if errors.Is(err, ErrCold) {
			cold = append(cold, code)
		} else if err != nil {
			return Place{Parcel: -1}, err
		}
		if i == 0 {
			out.KG, out.File = code, f
		}
		if f == nil {
			continue
		}
		if n, ok := f.Locate(p); ok {
			return Place{KG: code, File: f, Parcel: n}, nil
		}
	}
	// The KGs that were read do not hold the point: it is the cold one's, when there is only one.
	switch len(cold) {
	case 0:
	case 1:
		out = Place{KG: cold[0], Parcel: -1, Cold: true}
	default:
		out = Place{Parcel: -1, Cold: true}
	}
	return out, nil
}
