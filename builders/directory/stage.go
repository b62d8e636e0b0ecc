// Package directory makes the national search directory out of the KG files of a publication. What the artefact
// holds and how it is laid out is artefacts/directory.
package directory

import (
	"context"
	"crypto/sha256"
	"fmt"

	"mappe/artefacts/directory"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/cloud/store"
)

// Stage is the stage of a publication that makes the directory.
func Stage() stage.Stage {
	return stage.Stage{Kind: directory.Artefact, Recipe: directory.Recipe, Make: build}
}

// readWidth is how many KG files are read at once at least: most of what it takes is waiting for them.
const readWidth = 8

// tables are what the directory takes up of a KG.
type tables struct {
	kg        kgfile.KG
	parcels   []kgfile.Parcel
	buildings []kgfile.Building
}

func build(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	in := inputs(c)
	if live, ok := c.Live[directory.Artefact]; ok && madeFrom(ctx, c.Store, live, in) {
		return live, nil
	}
	b := directory.NewBuilder()
	err := stage.InOrder(ctx, len(c.KGs), max(c.Workers, readWidth),
		func(ctx context.Context, i int) (tables, error) { return read(ctx, c, &c.KGs[i]) },
		func(_ int, t tables) error { return b.Add(&t.kg, t.parcels, t.buildings) })
	if err != nil {
		return manifest.Object{}, err
	}
	head, err := b.Head(in)
	if err != nil {
		return manifest.Object{}, err
	}
	return c.WriteParts(ctx, directory.Artefact, directory.Kind, head, func(to *sectionfile.Builder) error { return b.Write(to) })
}

// inputs names all that decides the bytes: the recipe and the KG files. The directory takes nothing from the
// register.
func inputs(c *stage.Country) directory.Sum {
	h := sha256.New()
	fmt.Fprintln(h, directory.Recipe)
	for i := range c.KGs {
		fmt.Fprintln(h, c.KGs[i].Entry.Code, c.KGs[i].Entry.Forms.KGS.SHA256)
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
	if err != nil || d.Kind() != directory.Kind {
		return false
	}
	h, err := directory.ParseHead(d.Head())
	return err == nil && h.Inputs == in
}

func read(ctx context.Context, c *stage.Country, k *stage.KG) (t tables, err error) {
	f, err := c.Open(ctx, k)
	if err != nil {
		return t, err
	}
	t.kg = f.KG()
	if t.parcels, err = f.Parcels(); err != nil {
		return t, err
	}
	t.buildings, err = f.Buildings()
	return t, err
}
