// Package process analyses KGs: terrain, canopy, segments with their types, buildings, infrastructure, changes and what parcels
// have of all that, from the layers that the served generation has. It makes the file of a KG (artefacts/landscape); whose turn it
// is shared/cloud/landprocess knows, builders/landscape/process.Worker asks it.
//
// A KG is worked on in squares of at most 1 km² at multiples of 1,000 m of EPSG:3035, each read with a margin of 64 m, one after
// the other: a square holds some 200 MB. Segments end at the border of a square, trees, buildings and parcels belong to one or are
// added up. The same inputs give the same bytes; Fingerprint names them: recipe, snapshots of the KG and of those around it, tiles
// of the layers, model, ways of the community map.
//
// Squares that are done are kept in the store until the KG is (work/landscape/), at least once a minute and when the work on it
// ends before, so that a worker whose process dies costs a minute and the square that it works on.
//
// A layer that is missing leaves its figures missing (Outcome.Missing names it). A KG without heights and without an orthophoto
// cannot be analysed.
package process

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/classifier"
	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/artefacts/library/trained"
	"mappe/artefacts/manifest"
	"mappe/artefacts/proximity"
	"mappe/artefacts/rasters"
	"mappe/artefacts/register"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/store"
)

// Recipe names the way in which results are made: another one makes all of them anew.
const Recipe = "landscape-kg-5"

// ErrNever is the error of a KG that cannot be analysed, however often it is tried.
var ErrNever = errors.New("the KG cannot be analysed")

// Progress is told how far the analysis of a KG is, between two squares. An error of it ends the work.
type Progress func(ctx context.Context, step string, done, of int) error

// Outcome is what became of a KG.
type Outcome struct {
	KG          austria.KGCode
	Fingerprint string
	Unchanged   bool // its file was made of the same inputs before
	File        manifest.Object
	Squares     int
	Km2         float64
	Missing     []string // layers that the generation does not have there
	Counts      map[string]int
}

// Made is what a KG was made into before; the zero value of one that was not.
type Made struct {
	Fingerprint string
	Key         string // of its file in the store
	Bytes       int64
}

// Order is a KG that is to be analysed.
type Order struct {
	KG  austria.KGCode
	Had Made
}

// there says whether the file is in the store as it was written.
func (m Made) there(ctx context.Context, st store.Store) (bool, error) {
	info, err := store.Stat(ctx, st, m.Key)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && info.Size == m.Bytes, err
}

// Analyse makes the file of a KG and stores it: nothing is done where nothing has changed since the file that is there was made.
// Errors of the store may pass, ErrNever does not. library.ErrCold says that a snapshot that it needs is not in the store at
// present.
func Analyse(ctx context.Context, v *library.View, st store.Store, o Order, tell Progress) (*Outcome, error) {
	code := o.KG
	out := &Outcome{KG: code}
	row := v.Register().KG(code)
	if row == nil {
		return nil, fmt.Errorf("%w: the register has no KG %s", ErrNever, code)
	}
	if err := tell(ctx, "opening layers", 0, 0); err != nil {
		return nil, err
	}
	a, err := open(ctx, v, code)
	if err != nil {
		return nil, err
	}
	out.Missing = slices.Clone(a.layers.missing)
	out.Km2 = a.m2 / 1e6
	model := ""
	if a.model != nil {
		model = a.model.ID
	}
	if out.Fingerprint = a.layers.fingerprint(row.Snapshot.Key, model); out.Fingerprint == o.Had.Fingerprint {
		if out.Unchanged, err = o.Had.there(ctx, st); err != nil || out.Unchanged {
			return out, err
		}
	}
	kept := &kept{store: st, prefix: keptOf(code) + out.Fingerprint + "/", now: time.Now, since: time.Now()}
	k, err := a.analyse(ctx, row, out, kept, tell)
	if err != nil {
		if !errors.Is(err, landprocess.ErrLost) { // whoever has the KG now clears what is kept when it is done
			kept.ended(ctx)
		}
		return nil, err
	}
	body, err := landscape.Encode(k)
	if err != nil {
		return nil, err
	}
	key := keys.Landscape{Code: code, Date: row.Snapshot.Date, Sum: keys.Sum(body)}
	err = objects.Put(ctx, st, key, body)
	if errors.Is(err, store.ErrPrecondition) {
		// The key names its bytes: others under it are damage, which is mended.
		opt := objects.Options(key)
		opt.Immutable = false
		_, err = st.Put(ctx, key.String(), body, opt)
	}
	if err != nil {
		return nil, err
	}
	out.File = objects.Of(key, body)
	return out, nil
}

// open opens a KG with its layers.
func open(ctx context.Context, v *library.View, code austria.KGCode) (*area, error) {
	f, err := v.KG(ctx, code)
	if err != nil {
		return nil, err
	}
	a, err := areaOf(f)
	if err != nil {
		return nil, err
	}
	if len(a.outline) == 0 {
		return nil, fmt.Errorf("%w: its parcels have no area", ErrNever)
	}
	if a.layers, err = chosen(ctx, v, a.box, a.m2); err != nil {
		return nil, err
	}
	if a.layers.Ground == nil && a.layers.photo == nil {
		return nil, fmt.Errorf("%w: no height model and no orthophoto reaches into it", ErrNever)
	}
	if err := a.layers.surroundings(ctx, v, a.box); err != nil {
		return nil, err
	}
	model, why, err := trained.Of(ctx, v)
	if why != "" {
		a.layers.missing = append(a.layers.missing, "classifier")
	}
	a.model = model
	return a, err
}

// analyse works on the squares and folds them.
func (a *area) analyse(ctx context.Context, row *register.KG, out *Outcome, kept *kept, tell Progress) (*landscape.KG, error) {
	squares := a.squares()
	out.Squares = len(squares)
	parts := make([]*part, len(squares))
	for i, at := range squares {
		if err := tell(ctx, "analysing squares", i, len(squares)); err != nil {
			return nil, err
		}
		p, err := kept.read(ctx, at)
		if err != nil {
			return nil, err
		}
		if p == nil {
			if p, err = a.bounded(ctx, at); err != nil {
				return nil, err
			}
			if err := kept.add(ctx, p, len(squares)); err != nil {
				return nil, err
			}
		}
		parts[i] = p
	}
	if err := tell(ctx, "folding", len(squares), len(squares)); err != nil {
		return nil, err
	}
	r := a.fold(parts)
	if r.known == 0 && len(r.objects) == 0 {
		return nil, fmt.Errorf("%w: no height model and no orthophoto has a value in it", ErrNever)
	}
	k, err := r.kg(landscape.OfCadastre(row), out.Fingerprint)
	if err != nil {
		return nil, err
	}
	out.Counts = map[string]int{"segments": len(k.Segments), "trees": len(k.Trees), "buildings": len(k.Buildings),
		"new_buildings":  len(k.NewBuildings),
		"infrastructure": len(k.Infrastructure), "parcels": len(k.Parcels), "samples": len(k.Samples), "changes": len(k.Changes)}
	return k, nil
}

// bounded works on a square for at most squareTime.
func (a *area) bounded(ctx context.Context, at [2]int) (*part, error) {
	inner, cancel := context.WithTimeoutCause(ctx, squareTime, errSlow)
	defer cancel()
	p, err := a.square(inner, at[0], at[1])
	if err != nil && ctx.Err() == nil && context.Cause(inner) == errSlow {
		return nil, fmt.Errorf("square E%dN%d: %w", at[0], at[1], errSlow)
	}
	return p, err
}

// Inputs is a cheap name of the state that a KG would be analysed from: while it is the same, so is the fingerprint. It changes
// with every publication of rasters or of the map, of which a KG may have nothing.
func Inputs(v *library.View, code austria.KGCode) string {
	var names []string
	if k := v.Register().KG(code); k != nil {
		names = append(names, k.Snapshot.Key)
		for _, near := range v.Register().KGsNear(k.Box) {
			names = append(names, v.Register().KG(near).Snapshot.Key)
		}
	}
	for _, kind := range slices.Concat([]string{rasters.Artefact, proximity.Artefact}, classifier.NewestOf()) {
		if key, ok := v.Artefact(kind); ok {
			names = append(names, key.String())
		}
	}
	return keys.Sum([]byte(Recipe + " " + strings.Join(names, " ")))
}
