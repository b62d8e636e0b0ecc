// Package demo writes a made-up alpine valley as raw sources in their real forms: vector tiles, address
// register, registers and outlines, in the folders that real data drops into. The country itself is
// localdev/demo/world; this package owns the files. Beside them, in truth/, stands what the generator
// knows, for tests of what is built from the sources; builders do not read it.
//
// The same program writes the same bytes: seeds are fixed, and no clock and no map order enters.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mappe/artefacts/classifier/scenes"
	"mappe/builders/landscape"
	"mappe/localdev/demo/world"
)

// Stichtag is the date the sources are of, and Attribution their notice: nobody surveyed this country. It
// goes into every file and answer that is made of the sources.
const (
	Stichtag    = "2026-10-01"
	Attribution = "made-up demonstration data"
)

// Options of Generate.
type Options struct {
	// Progress is told each step of the work before it starts; nil is silent.
	Progress func(step string, done, total int)
	// Without are steps that are left out, by the names that Progress is told: tests of what has nothing to do with them save
	// most of the time so. A name that is not a step's is an error.
	Without []string
	// Unsourced adds KG UnsourcedKG, of which the source has an outline and no parcels: nothing ever builds it, so that all
	// that is asked of the whole country stays incomplete. Without it the country is whole but for Unbuilt.
	Unsourced bool
}

// Summary counts what was written.
type Summary struct {
	Gemeinden  int   `json:"gemeinden"`
	KGs        int   `json:"kgs"`
	Parcels    int   `json:"parcels"`
	Footprints int   `json:"footprints"`
	LandUse    int   `json:"landuse"` // polygons without the buildings
	Symbols    int   `json:"symbols"`
	Addresses  int   `json:"addresses"`
	Tiles      int   `json:"tiles"`
	Files      int   `json:"-"`
	Bytes      int64 `json:"-"`
}

// steps of Generate after the world's own.
var steps = []string{"waters and ways", "blocks", "parcels", "houses", "numbers", "parcel tiles", "land-use tiles", "symbol tiles",
	"registers", "overlays", "community map", "names", "terrain", "laser scans", "classifier", "observations", "epochs", "earlier dates",
	"truth"}

// marker is in every directory that Generate has written to: made before all else, empty until the country
// is whole. So what a killed run has left is known as the demo country's and written anew.
var marker = filepath.Join("truth", "summary.json")

// Stamp is where a caller notes the version of a whole country; Generate takes it away first.
const Stamp = ".version"

// owned are the entries of the directory that Generate replaces, beside truth.
var owned = []string{"tiles", "addresses", "registers", "prices", "kg.geojson", "gemeinden.geojson", "source.json", "overlays", "osm",
	"names", "terrain", "rasters", "observations", "epochs", earlierFolder}

// errForeign says that the directory holds sources that Generate did not write.
var errForeign = errors.New("the directory holds sources that are not the demo country's; choose another")

// Generate writes the sources of the made-up country to dir. A directory that holds an earlier demo
// country is written anew; one with other sources is refused.
func Generate(ctx context.Context, dir string, opt Options) (Summary, error) {
	done := 0
	step := func(name string) {
		if opt.Progress != nil {
			opt.Progress(name, done, len(steps))
		}
		done++
	}
	for _, name := range opt.Without {
		if !slices.Contains(steps, name) {
			return Summary{}, fmt.Errorf("the demo country has no step %q to leave out; steps: %s", name, strings.Join(steps, ", "))
		}
	}
	if err := clear(dir); err != nil {
		return Summary{}, err
	}
	w, err := world.Build(func(s string) { step(s) })
	if err != nil {
		return Summary{}, err
	}
	o := &output{dir: dir, unsourced: opt.Unsourced}
	o.sum = Summary{Gemeinden: len(w.Gemeinden), KGs: len(w.KGs), Parcels: len(w.Parcels), Footprints: len(w.Footprints),
		LandUse: len(w.Uses), Symbols: len(w.Symbols), Addresses: len(w.Addresses)}
	t, err := newTruth(w)
	if err != nil {
		return o.sum, err
	}
	for _, part := range o.parts(w, t) {
		if err := ctx.Err(); err != nil {
			return o.sum, err
		}
		step(part.name)
		if slices.Contains(opt.Without, part.name) {
			continue
		}
		if err := part.write(); err != nil {
			return o.sum, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return o.sum, nil
}

// part is a step of Generate that writes files.
type part struct {
	name  string
	write func() error
}

// parts are the steps that write what the world and its truth hold.
func (o *output) parts(w *world.World, t *truth) []part {
	return []part{
		{"parcel tiles", func() error { return o.parcelTiles(w, t) }},
		{"land-use tiles", func() error { return o.landUseTiles(w, t) }},
		{"symbol tiles", func() error { return o.symbolTiles(w) }},
		{"registers", func() error {
			return errors.Join(o.registers(w, t), o.addressRegister(w), o.outlines(w, t), o.prices(w))
		}},
		{"overlays", func() error { return o.overlays(w, t) }},
		{"community map", func() error { return o.communityMap(w) }},
		{"names", func() error { return o.toponyms(w) }},
		{"terrain", func() error { return o.terrain(w) }},
		{"laser scans", func() error { return o.rasters(w) }},
		// The model of segments travels with the program: the scenes that it was trained from take minutes.
		{"classifier", func() error { return o.file(landscape.SourceFile, scenes.Model()) }},
		{"observations", func() error { return o.observations(w) }},
		{"epochs", func() error { return o.epochs(w, t) }},
		{"earlier dates", func() error { return o.earlier(w) }},
		{"truth", func() error { return o.truth(w, t) }},
	}
}

// clear removes an earlier demo country, or a part of one, all but the emptied marker.
func clear(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	_, err := os.Stat(filepath.Join(dir, marker))
	ours := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range owned {
		p := filepath.Join(dir, name)
		if _, err := os.Lstat(p); !ours && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", p, errForeign)
		}
	}
	for _, name := range append([]string{Stamp}, owned...) {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	truth := filepath.Join(dir, filepath.Dir(marker))
	if err := os.MkdirAll(truth, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, marker), nil, 0o644); err != nil {
		return err
	}
	known, err := os.ReadDir(truth)
	if err != nil {
		return err
	}
	for _, e := range known {
		if e.Name() == filepath.Base(marker) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(truth, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// output writes files below a directory and counts them.
type output struct {
	unsourced bool
	dir       string
	sum       Summary
}

func (o *output) file(name string, b []byte) error {
	p := filepath.Join(o.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		return err
	}
	o.sum.Files++
	o.sum.Bytes += int64(len(b))
	return os.WriteFile(p, b, 0o644)
}
