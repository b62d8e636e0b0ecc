package national

import (
	"context"
	"errors"
	"fmt"
	"io"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

// repairRecipe names what in the program decides the bytes of a repaired snapshot beside the one it is made from.
const repairRecipe = "repair-1"

// ErrNotServed: no snapshot of the KG is served, or its object is not in the store.
var ErrNotServed = errors.New("no snapshot of the KG is at hand")

// Repairing joins the address points of a KG's served snapshot to the parcels that contain them, for data of an ingest
// generation before that was done, and publishes it under its date. Of the source only the registers and overlays are
// published with it: no parcel is read.
type Repairing struct {
	Store   store.Store
	Source  *Source
	KG      austria.KGCode
	Restore func(context.Context, manifest.Entry) error // of Publication; the snapshot too is brought back by it
	// Publishing is called before the publication; nil: nobody is told.
	Publishing func() error
}

// Repaired is the end of a repair.
type Repaired struct {
	Processed
	Joined, Outside int // address points in a parcel, and in none of the KG
}

// Do repairs. A snapshot that carries the join stays as it is.
func (r Repairing) Do(ctx context.Context) (Repaired, error) {
	live, err := ReadLive(ctx, r.Store)
	if err != nil {
		return Repaired{}, err
	}
	was, ok := live.Manifest.Find(r.KG)
	if !ok {
		return Repaired{}, fmt.Errorf("KG %s: %w", r.KG, ErrNotServed)
	}
	b, err := read(ctx, r.Store, was.Forms.KGS.Key)
	if errors.Is(err, store.ErrNotFound) && r.Restore != nil { // it was evicted
		if restored := r.Restore(ctx, was); restored == nil {
			b, err = read(ctx, r.Store, was.Forms.KGS.Key)
		}
	}
	if errors.Is(err, store.ErrNotFound) {
		return Repaired{}, fmt.Errorf("KG %s: %w: %w", r.KG, ErrNotServed, err)
	}
	if err != nil {
		return Repaired{}, err
	}
	f, err := kgfile.Open(b)
	if err != nil {
		return Repaired{}, fmt.Errorf("%s: %w", was.Forms.KGS.Key, err)
	}
	snap, err := f.Snapshot()
	if err != nil {
		return Repaired{}, fmt.Errorf("%s: %w", was.Forms.KGS.Key, err)
	}
	done := Repaired{Processed: Processed{Generation: live.Pointer.Generation, Entry: was}}
	if kgdocs.EpochID(snap.Build.IngestGeneration).Has(kgdocs.AddressPointJoin) {
		done.Joined, done.Outside = joined(snap)
		return done, nil
	}
	join(f, snap)
	done.Joined, done.Outside = joined(snap)
	made, err := r.write(ctx, snap, was)
	if err != nil {
		return Repaired{}, err
	}
	if r.Publishing != nil {
		if err := r.Publishing(); err != nil {
			return Repaired{}, err
		}
	}
	// Without a date of the publication the snapshot keeps its own.
	done.Processed, err = publishMade(ctx, Publication{Store: r.Store, Country: r.Source.Country, Digests: []Made{made}, Restore: r.Restore, Observer: silent{}}, was)
	return done, err
}

// write writes the forms of the repaired snapshot and its digest, which is named for the snapshot it was made from.
func (r Repairing) write(ctx context.Context, snap *kgfile.Snapshot, was manifest.Entry) (Made, error) {
	input, err := chain(repairRecipe, func(w io.Writer) error { _, err := io.WriteString(w, was.Forms.KGS.SHA256); return err })
	if err != nil {
		return Made{}, err
	}
	// What is verified against the source was verified when the parcels were built: they are the same.
	made, err := writeSnapshot(ctx, r.Store, snap, Writing{Workers: 2, Accept: true, AcceptGaps: true})
	if err != nil {
		return Made{}, fmt.Errorf("KG %s: write: %w", r.KG, err)
	}
	if made.Quality.Verdict == kgdocs.Refuse {
		return Made{}, &Refusal{KG: r.KG, Quality: made.Quality}
	}
	made.Key = keys.Digest{Code: r.KG, Input: input}
	body, err := manifest.Encode(made.Digest)
	if err != nil {
		return Made{}, err
	}
	if err := put(ctx, r.Store, made.Key, body); err != nil && !errors.Is(err, store.ErrPrecondition) {
		return Made{}, err
	}
	return made, nil
}

// join sets the containing parcel of every address point, and what is counted by it.
func join(f *kgfile.File, s *kgfile.Snapshot) {
	for i := range s.Parcels {
		s.Parcels[i].BuildingCount = 0
	}
	for i := range s.Buildings {
		b := &s.Buildings[i]
		b.Parcel = -1
		if b.At == (geom.Point{}) {
			continue
		}
		if p, ok := f.Locate(b.At); ok {
			b.Parcel = int32(p)
			s.Parcels[p].BuildingCount++
		}
	}
	for i := range s.Folios {
		s.Folios[i].BuildingCount = 0
		for _, p := range s.Folios[i].Parcels {
			s.Folios[i].BuildingCount += s.Parcels[p].BuildingCount
		}
	}
	s.Build.IngestGeneration = string(kgdocs.EpochID(s.Build.IngestGeneration).With(kgdocs.AddressPointJoin))
}

func joined(s *kgfile.Snapshot) (in, out int) {
	for i := range s.Buildings {
		if s.Buildings[i].Parcel >= 0 {
			in++
		} else {
			out++
		}
	}
	return in, out
}
