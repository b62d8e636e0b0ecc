// Package directory makes the national search directory out of the KG files of a publication. What the artefact
// holds and how it is laid out is artefacts/directory.
//
// Of KGs that have not changed the rows of the served directory are taken, so that their files are not read. One that is
// damaged, or was made from something else than what is served, is passed over: the result is the same, it takes longer.
package directory

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"mappe/artefacts/directory"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Stage is the stage of a publication that makes the directory.
func Stage() stage.Stage { return stage.Reading(directory.Artefact, directory.Recipe, begin) }

// reader takes the parcels and address points of the KGs that the served directory does not have, or of none where it was
// made from the same.
type reader struct {
	c    *stage.Country
	in   directory.Sum
	live manifest.Object           // the served directory, where it was made from the same
	kept map[austria.KGCode]string // KGs that were taken out of the served directory

	mu sync.Mutex
	b  *directory.Builder
}

func begin(ctx context.Context, c *stage.Country) (stage.Reader, error) {
	entries := make([]manifest.Entry, len(c.KGs))
	for i := range c.KGs {
		entries[i] = c.KGs[i].Entry
	}
	r := &reader{c: c, in: inputs(entries)}
	if live, ok := c.Live[directory.Artefact]; ok && madeFrom(ctx, c.Store, live, r.in) {
		r.live = live
		return r, nil
	}
	if r.b, r.kept = takeServed(ctx, c); r.b != nil {
		return r, nil
	}
	var err error
	r.b, err = newBuilder(c)
	return r, err
}

// newBuilder begins the directory of a country's KGs.
func newBuilder(c *stage.Country) (*directory.Builder, error) {
	codes := make([]austria.KGCode, len(c.KGs))
	for i := range c.KGs {
		codes[i] = c.KGs[i].Entry.Code
	}
	return directory.NewBuilder(codes)
}

// Wants implements stage.Reader.
func (r *reader) Wants(_ context.Context, k *stage.KG) (bool, error) {
	_, kept := r.kept[k.Entry.Code]
	return r.b != nil && !kept, nil
}

// Take implements stage.Reader.
func (r *reader) Take(_ context.Context, _ *stage.KG, f *kgfile.File) error {
	parcels, err := f.Parcels()
	if err != nil {
		return err
	}
	buildings, err := f.Buildings()
	if err != nil {
		return err
	}
	kg := f.KG()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Add(&kg, parcels, buildings)
}

// Finish implements stage.Reader.
func (r *reader) Finish(ctx context.Context) (manifest.Object, error) {
	if r.b == nil {
		return r.live, nil
	}
	head, err := r.b.Head(r.in)
	if err != nil {
		return manifest.Object{}, err
	}
	return r.c.WriteParts(ctx, directory.Artefact, directory.Family, head, r.b.Write)
}

// Close implements stage.Reader.
func (r *reader) Close() { r.b = nil }

// inputs names all that decides the bytes: the recipe and the KG files. The directory takes nothing from the
// register.
func inputs(kgs []manifest.Entry) directory.Sum {
	h := sha256.New()
	fmt.Fprintln(h, directory.Recipe)
	for i := range kgs {
		fmt.Fprintln(h, kgs[i].Code, kgs[i].Forms.KGS.SHA256)
	}
	return directory.Sum(h.Sum(nil))
}

// madeFrom says whether the served directory is there, whole, and made from these inputs. Where that cannot be
// told it is made anew.
func madeFrom(ctx context.Context, s store.Store, o manifest.Object, in directory.Sum) bool {
	const front = 1 << 20 // more than head and directory of the whole country
	b, info, err := store.ReadAll(ctx, s, o.Key, front, store.GetOptions{Range: &store.Range{Length: min(front, o.Bytes)}, Plain: true})
	if err != nil || info.Size != o.Bytes {
		return false
	}
	d, err := sectionfile.Parse(b)
	if err != nil || d.Family() != directory.Family {
		return false
	}
	h, err := directory.ParseHead(d.Head())
	return err == nil && h.Inputs == in
}
