package kgbuild

import (
	"context"
	"errors"
	"fmt"
	"io"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/objects"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

// joinRecipe names what in the program decides the bytes of a joined snapshot beside the one it is made from.
const joinRecipe = "repair-1"

// Joined is the end of a join.
type Joined struct {
	Made            *Made // nil: the snapshot carried the join already
	Inside, Outside int   // address points in a parcel, and in none of the KG
}

// Join joins the address points of a snapshot to the parcels that contain them, for data of an ingest generation before
// that was done, and writes it under its date. body is the file that the entry names as its KGS form. No source is read.
func Join(ctx context.Context, st store.Store, of manifest.Entry, body []byte) (Joined, error) {
	f, err := kgfile.Open(body)
	if err != nil {
		return Joined{}, fmt.Errorf("%s: %w", of.Forms.KGS.Key, err)
	}
	snap, err := f.Snapshot()
	if err != nil {
		return Joined{}, fmt.Errorf("%s: %w", of.Forms.KGS.Key, err)
	}
	if rowschema.EpochID(snap.Build.IngestGeneration).Has(rowschema.AddressPointJoin) {
		return joined(snap), nil
	}
	join(f, snap)
	done := joined(snap)
	made, err := writeJoined(ctx, st, snap, of)
	if err != nil {
		return Joined{}, err
	}
	done.Made = &made
	return done, nil
}

// writeJoined writes the forms of the joined snapshot and its digest, which is named for the snapshot it was made from.
func writeJoined(ctx context.Context, st store.Store, snap *kgfile.Snapshot, from manifest.Entry) (Made, error) {
	input, err := chain(joinRecipe, func(w io.Writer) error { _, err := io.WriteString(w, from.Forms.KGS.SHA256); return err })
	if err != nil {
		return Made{}, err
	}
	// What is verified against the source was verified when the parcels were built: they are the same.
	made, err := write(ctx, st, snap, writing{Workers: 2, Accept: true, AcceptGaps: true})
	if err != nil {
		return Made{}, fmt.Errorf("KG %s: write: %w", from.Code, err)
	}
	if made.Quality.Verdict == rowschema.Refuse {
		return Made{}, &Refusal{KG: from.Code, Quality: made.Quality}
	}
	made.Key = keys.Digest{Code: from.Code, Input: input}
	body, err := manifest.Encode(made.Digest)
	if err != nil {
		return Made{}, err
	}
	if err := objects.Put(ctx, st, made.Key, body); err != nil && !errors.Is(err, store.ErrPrecondition) {
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
	s.Build.IngestGeneration = string(rowschema.EpochID(s.Build.IngestGeneration).With(rowschema.AddressPointJoin))
}

func joined(s *kgfile.Snapshot) (j Joined) {
	for i := range s.Buildings {
		if s.Buildings[i].Parcel >= 0 {
			j.Inside++
		} else {
			j.Outside++
		}
	}
	return j
}
