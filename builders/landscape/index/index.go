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

// ErrUnreadable is the error of a file that is not there, or is no file of its KG: reading it again does not help.
var ErrUnreadable = errors.New("the file of the KG cannot be read")

// Unread is a KG whose file cannot be read: in the index it stands as one that was not processed.
type Unread struct {
	KG  austria.KGCode
	Err error // is ErrUnreadable
}

// Build makes the index of a country and stores it. A KG of the files that the register does not have is an error: what is not
// in the cadastre is in no index. A file that is missing or damaged does not keep the others out: it is passed over and named.
// workers files are read at once.
func Build(ctx context.Context, st store.Store, reg *register.Register, files Files, workers int) (manifest.Object, []Unread, error) {
	x := landscape.NewIndexBuilder()
	kgs := reg.KGs()
	there := 0
	var unread []Unread
	type read struct {
		kg  *landscape.KG
		err error // ErrUnreadable
	}
	one := func(ctx context.Context, i int) (read, error) {
		f, ok := files[kgs[i].Code]
		if !ok {
			return read{}, nil
		}
		k, err := Read(ctx, st, kgs[i].Code, f.Key)
		if errors.Is(err, ErrUnreadable) {
			return read{err: err}, nil
		}
		return read{kg: k}, err
	}
	err := stage.InOrder(ctx, len(kgs), workers, one, func(i int, r read) error {
		if _, ok := files[kgs[i].Code]; ok {
			there++
		}
		if r.err != nil {
			unread = append(unread, Unread{kgs[i].Code, r.err})
		}
		known := landscape.OfCadastre(&kgs[i])
		if r.kg == nil {
			x.Unprocessed(known)
			return nil
		}
		complete(&r.kg.Record, &known)
		f := files[kgs[i].Code]
		r.kg.Record.JSONURL, r.kg.Record.LightURL, r.kg.Record.FullURL = f.JSONURL, f.LightURL, f.FullURL
		return x.Add(r.kg, f.Key)
	})
	if err == nil && there != len(files) {
		err = fmt.Errorf("index: %d of %d files are of no KG of the register", len(files)-there, len(files))
	}
	if err != nil {
		return manifest.Object{}, nil, err
	}
	b, err := x.Encode()
	if err != nil {
		return manifest.Object{}, nil, err
	}
	key := keys.National{Name: landscape.Artefact, Sum: keys.Sum(b), Ext: "parts"}
	if err := objects.Put(ctx, st, key, b); err != nil {
		return manifest.Object{}, nil, err
	}
	return objects.Of(key, b), unread, nil
}

// Read reads the file of a KG. ErrUnreadable says that there is none that can be used; other errors are those of the store.
func Read(ctx context.Context, st store.Store, code austria.KGCode, key string) (*landscape.KG, error) {
	b, err := objects.Read(ctx, st, key)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrTooLarge) {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if err != nil {
		return nil, err
	}
	f, err := landscape.Open(bytes.NewReader(b), int64(len(b)))
	if err == nil && f.Code != code {
		err = fmt.Errorf("it is of KG %s", f.Code)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", key, ErrUnreadable, err)
	}
	k, err := f.Whole()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", key, ErrUnreadable, err)
	}
	return k, nil
}

// complete gives a record what the cadastre knows: names and counts are those of the register, whatever they were when the KG
// was processed.
func complete(r, known *landscape.Record) {
	r.KGName, r.GemeindeCode, r.GemeindeName, r.DistrictCode, r.DistrictName = known.KGName, known.GemeindeCode, known.GemeindeName,
		known.DistrictCode, known.DistrictName
	r.StateCode, r.StateName, r.BBox, r.Centroid = known.StateCode, known.StateName, known.BBox, known.Centroid
	if known.ParcelCount == known.ParcelCount {
		r.ParcelCount, r.BuildingCount, r.TotalAreaSqm = known.ParcelCount, known.BuildingCount, known.TotalAreaSqm
	}
}

// ErrNothing is the error of a store that serves nothing yet.
var ErrNothing = errors.New("nothing is published yet: build a country first")

// Publish makes the index of the served country and adds it to what is served. The same files of the same country give the same
// index, and publish nothing. now dates the publication; nil: time.Now. Files that cannot be read are named as Build has it.
func Publish(ctx context.Context, st store.Store, files Files, workers int, now func() time.Time) (national.Published, []Unread, error) {
	live, err := national.ReadLive(ctx, st)
	if err != nil {
		return national.Published{}, nil, err
	}
	if live.Pointer.Register == "" {
		return national.Published{}, nil, ErrNothing
	}
	b, err := objects.Read(ctx, st, live.Pointer.Register)
	if err != nil {
		return national.Published{}, nil, err
	}
	reg, err := register.Open(b)
	if err != nil {
		return national.Published{}, nil, fmt.Errorf("%s: %w", live.Pointer.Register, err)
	}
	o, unread, err := Build(ctx, st, reg, files, workers)
	if err != nil {
		return national.Published{}, nil, err
	}
	done, err := national.Add(ctx, st, manifest.Artefacts{landscape.Artefact: o}, now)
	return done, unread, err
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
