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

// Made is an index that was made.
type Made struct {
	Object manifest.Object
	Unread []Unread
	Read   int // files that were read; the other KGs were taken over from the earlier index
}

// Country is what an index is made of.
type Country struct {
	Register *register.Register
	Files    Files
	Earlier  manifest.Object // an index that was made before; the zero value: none
	Workers  int             // files that are read at once
}

// Build makes the index of a country and stores it. A KG of the files that the register does not have is an error: what is not
// in the cadastre is in no index. A file that is missing or damaged does not keep the others out: it is passed over and named.
//
// Of an earlier index of the same rules what it has of KGs whose file is the same is taken over and not read again. The index
// is then the one that all files give, byte by byte, with one difference: a file that was damaged since is not noticed.
func Build(ctx context.Context, st store.Store, c Country) (*Made, error) {
	for code := range c.Files {
		if c.Register.KG(code) == nil {
			return nil, fmt.Errorf("index: the file of KG %s is of no KG of the register", code)
		}
	}
	e, err := open(ctx, st, c.Earlier)
	if err != nil {
		return nil, err
	}
	w := &work{Country: c, st: st}
	if e != nil {
		if w.unchanged, err = w.same(ctx, e); err != nil {
			return nil, err
		}
		m, err := w.make(ctx, e)
		if !errors.Is(err, landscape.ErrShort) {
			return m, err
		}
		w.unchanged = nil
	}
	return w.make(ctx, nil)
}

// work is the making of an index.
type work struct {
	Country
	st        store.Store
	unchanged map[austria.KGCode]bool
}

func (w *work) make(ctx context.Context, e *landscape.Earlier) (*Made, error) {
	x, m := landscape.NewIndexBuilder(), &Made{}
	if e != nil {
		if err := x.TakeOver(e, func(code austria.KGCode) bool { return w.unchanged[code] }); err != nil {
			return nil, err
		}
	}
	if err := w.fill(ctx, x, e, m); err != nil {
		return nil, err
	}
	b, err := x.Encode()
	if err != nil {
		return nil, err
	}
	key := keys.National{Name: landscape.Artefact, Sum: keys.Sum(b), Ext: "parts"}
	if err := objects.Put(ctx, w.st, key, b); err != nil {
		return nil, err
	}
	state, err := x.State(b)
	if err != nil {
		return nil, err
	}
	if _, err := w.st.Put(ctx, stateKey, state, store.PutOptions{}); err != nil {
		return nil, fmt.Errorf("write %s: %w", stateKey, err)
	}
	m.Object = objects.Of(key, b)
	return m, nil
}

// fill adds all KGs of the register to an index.
func (w *work) fill(ctx context.Context, x *landscape.IndexBuilder, e *landscape.Earlier, m *Made) error {
	type read struct {
		kg  *landscape.KG
		err error // ErrUnreadable
	}
	kgs := w.Register.KGs()
	one := func(ctx context.Context, i int) (read, error) {
		f, ok := w.Files[kgs[i].Code]
		if !ok || w.unchanged[kgs[i].Code] {
			return read{}, nil
		}
		k, err := Read(ctx, w.st, kgs[i].Code, f.Key)
		if errors.Is(err, ErrUnreadable) {
			return read{err: err}, nil
		}
		return read{kg: k}, err
	}
	return stage.InOrder(ctx, len(kgs), w.Workers, one, func(i int, r read) error {
		code, known := kgs[i].Code, landscape.OfCadastre(&kgs[i])
		f := w.Files[code]
		if w.unchanged[code] {
			entry := *e.Entry(code)
			complete(&entry.Record, &known, f)
			return x.Again(entry)
		}
		if r.err != nil {
			m.Unread = append(m.Unread, Unread{code, r.err})
		}
		if r.kg == nil {
			x.Unprocessed(known)
			return nil
		}
		m.Read++
		complete(&r.kg.Record, &known, f)
		return x.Add(r.kg, f.Key)
	})
}

// stateKey is where the state of the last index is kept.
const stateKey = "work/landscape/index.parts"

// open opens the earlier index with its state; nil where no earlier index can be continued.
func open(ctx context.Context, st store.Store, o manifest.Object) (*landscape.Earlier, error) {
	if o.Key == "" {
		return nil, nil
	}
	state, err := objects.Read(ctx, st, stateKey)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b, err := objects.Read(ctx, st, o.Key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e, err := landscape.OpenEarlier(b, state)
	if err != nil {
		return nil, nil // of other rules, of another index, or damaged: all files are read
	}
	return e, nil
}

// same are the KGs that an earlier index has as the new one: their file is the same, and is still there. A register that has lost its
// counts is no reason to keep those of an earlier one: the file has its own.
func (w *work) same(ctx context.Context, e *landscape.Earlier) (map[austria.KGCode]bool, error) {
	there := map[string]bool{}
	for info, err := range w.st.List(ctx, "landscape/") {
		if err != nil {
			return nil, fmt.Errorf("list landscape/: %w", err)
		}
		there[info.Key] = true
	}
	out := map[austria.KGCode]bool{}
	for code, f := range w.Files {
		was, known := e.Entry(code), landscape.OfCadastre(w.Register.KG(code))
		out[code] = was != nil && was.File == f.Key && there[f.Key] && known.ParcelCount == known.ParcelCount
	}
	return out, nil
}

// Read reads the file of a KG. ErrUnreadable says that no usable file exists; other errors are those of the store.
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

// complete gives a record what the cadastre knows, and where its products are: names and counts are those of the register, whatever
// they were when the KG was processed.
func complete(r, known *landscape.Record, f File) {
	r.JSONURL, r.LightURL, r.FullURL = f.JSONURL, f.LightURL, f.FullURL
	r.KGName, r.GemeindeCode, r.GemeindeName, r.DistrictCode, r.DistrictName = known.KGName, known.GemeindeCode, known.GemeindeName,
		known.DistrictCode, known.DistrictName
	r.StateCode, r.StateName, r.BBox, r.Centroid = known.StateCode, known.StateName, known.BBox, known.Centroid
	if known.ParcelCount == known.ParcelCount {
		r.ParcelCount, r.BuildingCount, r.TotalAreaSqm = known.ParcelCount, known.BuildingCount, known.TotalAreaSqm
	}
}

// ErrNothing is the error of a store that serves nothing yet.
var ErrNothing = errors.New("nothing is published yet: build a country first")

// How says how much is read for an index.
type How uint8

// The ways.
const (
	Changed How = iota // files of KGs that have changed since the index that is served
	Whole              // all files: one that was damaged is noticed
)

// Publish makes the index of the served country and adds it to what is served. The same files of the same country give the same
// index, and publish nothing. now dates the publication; nil: time.Now. Files that cannot be read are named as Build has it.
func Publish(ctx context.Context, st store.Store, files Files, how How, now func() time.Time) (national.Published, *Made, error) {
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
	c := Country{Register: reg, Files: files, Workers: 2}
	if how == Changed {
		c.Earlier = live.Pointer.Artefacts[landscape.Artefact]
	}
	m, err := Build(ctx, st, c)
	if err != nil {
		return national.Published{}, nil, err
	}
	done, err := national.Add(ctx, st, manifest.Artefacts{landscape.Artefact: m.Object}, now)
	return done, m, err
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
