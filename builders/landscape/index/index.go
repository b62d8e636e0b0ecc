// Package index folds the files of processed KGs into the search index of the country (artefacts/landscape): every KG of the
// register stands in it, those that were not processed with what the cadastre knows. It reads files and writes the index; which
// files there are builders/landscape's processor knows, and what is served builders/national publishes.
package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/builders/national"
	"mappe/builders/objects"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Files are the files of processed KGs.
type Files map[austria.KGCode]File

// File is the file of a processed KG, and where its products are in the research repository; "": they are not there.
type File struct {
	Key                        string
	JSONURL, LightURL, FullURL string
}

// Build makes the index of a country and stores it. A KG of the files that the register does not have is an error: what is not
// in the cadastre is in no index. workers files are read at once.
func Build(ctx context.Context, st store.Store, reg *register.Register, files Files, workers int) (manifest.Object, error) {
	x := landscape.NewIndexBuilder()
	kgs := reg.KGs()
	there := 0
	one := func(ctx context.Context, i int) (*landscape.KG, error) {
		f, ok := files[kgs[i].Code]
		if !ok {
			return nil, nil
		}
		return Read(ctx, st, kgs[i].Code, f.Key)
	}
	err := stage.InOrder(ctx, len(kgs), workers, one, func(i int, k *landscape.KG) error {
		known := landscape.OfCadastre(&kgs[i])
		if k == nil {
			x.Unprocessed(known)
			return nil
		}
		there++
		complete(&k.Record, &known)
		f := files[kgs[i].Code]
		k.Record.JSONURL, k.Record.LightURL, k.Record.FullURL = f.JSONURL, f.LightURL, f.FullURL
		return x.Add(k, f.Key)
	})
	if err == nil && there != len(files) {
		err = fmt.Errorf("index: %d of %d files are of no KG of the register", len(files)-there, len(files))
	}
	if err != nil {
		return manifest.Object{}, err
	}
	b, err := x.Encode()
	if err != nil {
		return manifest.Object{}, err
	}
	key := keys.National{Name: landscape.Artefact, Sum: keys.Sum(b), Ext: "parts"}
	if err := objects.Put(ctx, st, key, b); err != nil {
		return manifest.Object{}, err
	}
	return objects.Of(key, b), nil
}

// Read reads the file of a KG.
func Read(ctx context.Context, st store.Store, code austria.KGCode, key string) (*landscape.KG, error) {
	b, err := objects.Read(ctx, st, key)
	if err != nil {
		return nil, err
	}
	f, err := landscape.Open(bytes.NewReader(b), int64(len(b)))
	if err == nil && f.Code != code {
		err = fmt.Errorf("it is of KG %s", f.Code)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	k, err := f.Whole()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return k, nil
}

// complete gives a record what the cadastre knows: names and counts are those of the register, whatever they were when the KG
// was processed.
func complete(r, known *landscape.Record) {
	r.KGName, r.GemeindeCode, r.GemeindeName, r.DistrictCode, r.DistrictName = known.KGName, known.GemeindeCode, known.GemeindeName, known.DistrictCode, known.DistrictName
	r.StateCode, r.StateName, r.BBox, r.Centroid = known.StateCode, known.StateName, known.BBox, known.Centroid
	if known.ParcelCount == known.ParcelCount {
		r.ParcelCount, r.BuildingCount, r.TotalAreaSqm = known.ParcelCount, known.BuildingCount, known.TotalAreaSqm
	}
}

// ErrNothing is the error of a store that serves nothing yet.
var ErrNothing = errors.New("nothing is published yet: build a country first")

// Publish makes the index of the served country and adds it to what is served. The same files of the same country give the same
// index, and publish nothing. now dates the publication; nil: time.Now.
func Publish(ctx context.Context, st store.Store, files Files, workers int, now func() time.Time) (national.Published, error) {
	live, err := national.ReadLive(ctx, st)
	if err != nil {
		return national.Published{}, err
	}
	if live.Pointer.Register == "" {
		return national.Published{}, ErrNothing
	}
	b, err := objects.Read(ctx, st, live.Pointer.Register)
	if err != nil {
		return national.Published{}, err
	}
	reg, err := register.Open(b)
	if err != nil {
		return national.Published{}, fmt.Errorf("%s: %w", live.Pointer.Register, err)
	}
	o, err := Build(ctx, st, reg, files, workers)
	if err != nil {
		return national.Published{}, err
	}
	return national.Add(ctx, st, manifest.Artefacts{landscape.Artefact: o}, now)
}

// Served are the entries of an index that is served; none of no index.
func Served(ctx context.Context, st store.Store, o manifest.Object) ([]landscape.Entry, error) {
	if o.Key == "" {
		return nil, nil
	}
	b, err := objects.Read(ctx, st, o.Key)
	if err != nil {
		return nil, err
	}
	entries, err := landscape.ReadEntries(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Key, err)
	}
	return entries, nil
}
