// Package lineage knows what became of a parcel number: in which snapshots of its KG a parcel stood, and, where it is
// gone, which parcels lie on its ground now. The endpoints that find no parcel for an id ask it, and the history of a
// parcel is made from it.
package lineage

import (
	"context"
	"errors"

	"mappe/artefacts/kgdiff"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/reply"
)

// MaxSnapshots is how many snapshots of a KG are looked into for one parcel, the newest first.
const MaxSnapshots = 40

// Heir is a parcel on the ground of one that is gone.
type Heir struct {
	ParcelID     string  `json:"parcel_id"`
	CommonSqm    float64 `json:"common_sqm"`
	ShareOfThis  float64 `json:"share_of_this"`  // of the parcel that is gone
	ShareOfOther float64 `json:"share_of_other"` // of the parcel that is there
}

// Tombstone stands for a parcel that is gone.
type Tombstone struct {
	ParcelID     string  `json:"parcel_id"`
	LastVersion  string  `json:"last_version"`  // date of the last snapshot that held it: version= gives it
	LastSnapshot string  `json:"last_snapshot"` // <kg>-<date>.kgs
	GoneSince    string  `json:"gone_since"`    // date of the next snapshot
	AreaSqm      float64 `json:"area_sqm"`
	Lon          float64 `json:"lon"`
	Lat          float64 `json:"lat"`
	ReplacedBy   []Heir  `json:"replaced_by"` // the largest common area first; empty where nothing is there now
}

// Dated lists the snapshots of a list by date, newest first, of each date the last published.
func Dated(list rowschema.Versions) []rowschema.Version {
	var out []rowschema.Version
	for _, s := range list.Snapshots {
		if len(out) == 0 || out[len(out)-1].Date != s.Date {
			out = append(out, s)
		}
	}
	return out
}

// Find gives the tombstone of a parcel that the served snapshot does not have; nil where no snapshot that was looked
// into has it, or where a snapshot cannot be read.
func Find(ctx context.Context, v *view.View, id austria.ParcelID) (*Tombstone, error) {
	list, listed, err := v.Versions(ctx, id.KG)
	if err != nil || !listed {
		return nil, quiet(ctx, err)
	}
	now, err := v.View.KG(ctx, id.KG)
	if err != nil {
		return nil, quiet(ctx, err)
	}
	since := list.Latest
	for i, s := range Dated(list) {
		if i >= MaxSnapshots {
			break
		}
		if s.Date >= list.Latest {
			continue // the served one, and what is newer and not served
		}
		f, err := v.Snapshot(ctx, id.KG, s)
		if err != nil {
			return nil, quiet(ctx, err)
		}
		p, err := Parcel(f, id.GNR)
		if err != nil {
			return nil, err
		}
		if p == nil {
			since = s.Date
			continue
		}
		heirs, err := Heirs(id.KG, p, now)
		return &Tombstone{id.String(), s.Date, s.Filename, since, p.AreaSqm, p.Centroid.Lon(), p.Centroid.Lat(), heirs}, err
	}
	return nil, nil
}

// quiet passes over what an answer can do without: a KG that does not exist, a snapshot that is not at hand.
func quiet(ctx context.Context, err error) error {
	if errors.Is(err, library.ErrUnknownKG) || errors.Is(err, library.ErrCold) || errors.Is(err, library.ErrDamaged) ||
		errors.Is(err, library.ErrGone) {
		return nil
	}
	return generation.Fault(ctx, err)
}

// Parcel is the parcel of a number; nil without one.
func Parcel(f *kgfile.File, g austria.GNR) (*kgfile.Parcel, error) {
	i, ok, err := f.ParcelByGNR(g)
	if err != nil || !ok {
		return nil, err
	}
	parcels, err := f.Parcels()
	if err != nil {
		return nil, err
	}
	return &parcels[i], nil
}

// Heirs are the parcels of a snapshot on the ground of a parcel.
func Heirs(kg austria.KGCode, p *kgfile.Parcel, after *kgfile.File) ([]Heir, error) {
	links, err := kgdiff.Successors(p, after)
	return Links(kg, links), err
}

// Links are links as answers show them.
func Links(kg austria.KGCode, links []kgdiff.Link) []Heir {
	out := make([]Heir, len(links))
	for i, l := range links {
		out[i] = Heir{austria.ParcelID{KG: kg, GNR: l.GNR}.String(), rounded(l.CommonSqm, 100), rounded(l.OfThis, 10_000),
			rounded(l.OfOther, 10_000)}
	}
	return out
}

// Meta is what an answer says of a parcel that is gone; nil where nothing is known.
func Meta(t *Tombstone) []reply.Member {
	if t == nil {
		return nil
	}
	return []reply.Member{{Name: "gone", Value: t}}
}

// GoneMeta is the shape of Meta, for the description of the service.
type GoneMeta struct {
	view.GapsMeta
	Gone *Tombstone `json:"gone,omitempty"`
}

// Doc is what endpoints that find parcels by their id say of those that are gone.
const Doc = `
Where a parcel id is gone, meta.gone says which snapshot held it last (version=), since when it is gone, and which parcels lie on its
ground now.`
