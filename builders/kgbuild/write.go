package kgbuild

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/builders/forms"
	"mappe/builders/kg"
	"mappe/builders/objects"
	"mappe/builders/verify"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

// OutlineToleranceM is how far the outlines of digests, and so those of the register, may lie from the true ones.
const OutlineToleranceM = 10

// writing tunes write.
type writing struct {
	Workers     int
	RegisterSqm float64
	// Live gives the snapshot to compare with, nil where no snapshot is served. It is called when the forms are written.
	Live       func(context.Context) (*kgfile.Snapshot, error)
	Accept     bool
	AcceptGaps bool
	// What the build is verified against; nil where it is not at hand.
	Addresses []kg.Address
	Outline   geom.MultiPolygon
	Assembly  *kg.Report
}

// write writes the five forms and the quality report of a snapshot, and not the digest that it gives. A refused snapshot is
// written too, apart from those that are served, so that it can be looked at; nothing points to it.
func write(ctx context.Context, st store.Store, snap *kgfile.Snapshot, w writing) (Made, error) {
	files, err := forms.Write(snap, max(w.Workers, 1))
	if err != nil {
		return Made{}, err
	}
	var live *kgfile.Snapshot
	if w.Live != nil {
		if live, err = w.Live(ctx); err != nil {
			return Made{}, err
		}
	}
	q := verify.KG(verify.Input{
		Snapshot: snap, RegisterSqm: w.RegisterSqm, Live: live, AcceptLosses: w.Accept, AcceptGaps: w.AcceptGaps,
		Addresses: w.Addresses, Outline: w.Outline, Assembly: w.Assembly,
		FormsDiffer: forms.Parity(snap, files),
	})
	report, err := manifest.Encode(q)
	if err != nil {
		return Made{}, err
	}
	entry := manifest.Entry{Code: snap.KG.Code, Name: snap.KG.Name, Stichtag: snap.Build.Stichtag,
		Snapshot: keys.Snapshot{Code: snap.KG.Code, Date: snap.Build.Stichtag}.Name(), Parcels: len(snap.Parcels)}
	for _, f := range []struct {
		form keys.Form
		body []byte
		to   *manifest.Object
	}{
		{keys.KGS, files.KGS, &entry.Forms.KGS}, {keys.GeoParquet, files.GeoParquet, &entry.Forms.GeoParquet},
		{keys.GeoJSON, files.GeoJSON, &entry.Forms.GeoJSON}, {keys.GeoPackage, files.GeoPackage, &entry.Forms.GeoPackage},
		{keys.PMTiles, files.PMTiles, &entry.Forms.PMTiles}, {keys.Quality, report, &entry.Quality},
	} {
		snapshot := keys.Snapshot{Code: snap.KG.Code, Date: snap.Build.Stichtag, Sum: keys.Sum(f.body), Form: f.form}
		key := keys.Key(snapshot)
		if q.Verdict == rowschema.Refuse {
			key = keys.Refused{Snapshot: snapshot}
		}
		err := objects.Put(ctx, st, key, f.body)
		if errors.Is(err, store.ErrPrecondition) { // the name says the bytes: those that are there are others
			err = fmt.Errorf("the object %s is damaged: delete it and build the KG again: %w", key, err)
		}
		if err != nil {
			return Made{}, err
		}
		*f.to = objects.Of(key, f.body)
	}
	centroid, ok := snap.Outline.Centroid()
	if !ok {
		centroid = snap.KG.Box.Center()
	}
	sum := md5.Sum(files.KGS)
	return Made{Quality: q, Digest: Digest{
		Format: DigestFormat, Entry: entry, KG: snap.KG, Centroid: centroid, Build: snap.Build, MD5: hex.EncodeToString(sum[:]),
		Outline: register.Simplify(snap.Outline, OutlineToleranceM), GapSqm: q.Coverage.GapSqm, OverlapSqm: q.Coverage.OverlapSqm,
	}}, nil
}

// WriteSnapshot writes a ready snapshot with its digest: for benchmarks and trials that start from a snapshot instead
// of a raw source.
func WriteSnapshot(ctx context.Context, st store.Store, snap *kgfile.Snapshot) (Made, error) {
	made, err := write(ctx, st, snap, writing{Workers: 2})
	if err != nil {
		return Made{}, err
	}
	body, err := manifest.Encode(made.Digest)
	if err != nil {
		return Made{}, err
	}
	made.Key = keys.Digest{Code: snap.KG.Code, Input: keys.Sum(body)}
	return made, objects.Put(ctx, st, made.Key, body)
}

// errDamaged: an object is not what its name and its entry say.
var errDamaged = errors.New("it holds other bytes than it did")

// snapshotOf opens the snapshot of an entry, nil without one.
func snapshotOf(ctx context.Context, st store.Store, e *manifest.Entry) (*kgfile.Snapshot, error) {
	if e == nil {
		return nil, nil
	}
	b, err := objects.Read(ctx, st, e.Forms.KGS.Key)
	if err != nil {
		return nil, err
	}
	if objects.Sum(b) != e.Forms.KGS.SHA256 {
		return nil, fmt.Errorf("%s: %w", e.Forms.KGS.Key, errDamaged)
	}
	f, err := kgfile.Open(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Forms.KGS.Key, err)
	}
	return f.Snapshot()
}
