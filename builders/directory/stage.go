// Package directory makes the national search directory out of the KG files of a publication. What the artefact
// holds and how it is laid out is artefacts/directory.
package directory

import (
	"context"

	"mappe/artefacts/directory"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/parts"
	"mappe/builders/stage"
)

// Stage is the stage of a publication that makes the directory.
func Stage() stage.Stage {
	return stage.Stage{Kind: directory.Artefact, Recipe: directory.Recipe, Make: build}
}

// tables are what the directory takes up of a KG.
type tables struct {
	kg        kgfile.KG
	parcels   []kgfile.Parcel
	buildings []kgfile.Building
}

func build(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	b := directory.NewBuilder()
	err := stage.InOrder(ctx, len(c.KGs), c.Workers, func(ctx context.Context, i int) (tables, error) { return read(ctx, c, &c.KGs[i]) },
		func(_ int, t tables) error { return b.Add(&t.kg, t.parcels, t.buildings) })
	if err != nil {
		return manifest.Object{}, err
	}
	head, err := b.Head()
	if err != nil {
		return manifest.Object{}, err
	}
	return c.WriteParts(ctx, directory.Artefact, directory.Kind, head, func(to *parts.Builder) error { return b.Write(to) })
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
