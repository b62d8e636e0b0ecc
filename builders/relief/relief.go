// Package relief makes the relief of the map: tiles of heights (raster-dem, encoding terrarium) as PMTiles, which map
// clients shade. builders/source/terrain reads grids of heights, builders/rasters makes the tiles of laser scans, which are the
// layers of analyses too, shared/landscape/terrain has the formulas of slope and shade; builders/national runs the stage.
//
// A pixel of a tile holds h + 32,768 m in steps of 1/8 m: red is the whole part over 256, green the rest of it, blue the
// fraction. Finer steps are not seen in a shade of such pixels and take more than the rest. The highest zoom
// has pixels of at most 1.5 cells; a pixel of a lower zoom is the mean of the four below it. At a place counts
// the finest grid, if it is finer than the overviews that are read of the scans (16 m), else the newest scan, else another grid.
// Beyond all heights go over into their mean, so that no cliff is shaded at the border.
package relief

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/artefacts/rowschema"
	scanned "mappe/builders/rasters"
	"mappe/builders/source/terrain"
	"mappe/builders/stage"
)

// Artefact is the kind of the relief in a generation.
const Artefact = "base-relief"

// recipe names what in the program decides the bytes beside the heights.
const recipe = "relief-2"

const (
	side    = 256 // pixels of a tile
	minZoom = 5
	maxZoom = 12 // pixels of 26 m; clients shade larger scales from these
)

// Source is the terrain of a raw source.
type Source struct {
	Model       terrain.Model
	Attribution string
	Sum         string // of the files
	scans       *scans // nil: none
}

// Read reads the folder terrain; nil if it does not exist.
func Read(files fs.FS, attribution string) (*Source, error) {
	m, err := terrain.Read(files)
	if err != nil || len(m) == 0 {
		return nil, err
	}
	s := &Source{Model: m, Attribution: attribution}
	h := sha256.New()
	fmt.Fprintln(h, attribution)
	if err := m.Write(h); err != nil {
		return nil, err
	}
	s.Sum = hex.EncodeToString(h.Sum(nil))
	return s, nil
}

// Stages make the artefact of the grids of a source, nil where it has none, and of the scans that the stage of its rasters makes;
// none of neither.
func Stages(s *Source, scans *scanned.Source) []stage.Stage {
	made := scanned.Stages(scans)
	if s == nil && len(made) == 0 {
		return nil
	}
	if s == nil {
		s = &Source{}
	}
	recipe, warn := s.recipe(), func(string) {}
	for _, m := range made {
		recipe += " " + m.Recipe
		warn = scans.Tell
	}
	return []stage.Stage{{Artefact: Artefact, Recipe: recipe, Make: func(ctx context.Context, c *stage.Country) (manifest.Object, error) {
		return s.relief(ctx, c, warn)
	}}}
}

// recipe is what the tiles are made of. That of grids alone names no scans.
func (s *Source) recipe() string {
	r := recipe + " " + s.Sum
	if s.scans != nil {
		r += " " + scansRecipe + " " + s.scans.sum()
	}
	return r
}

// metadata is that of the archive.
type metadata struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Attribution string `json:"attribution"`
	License     string `json:"license"`
	Type        string `json:"type"`
	Format      string `json:"format"`
	Encoding    string `json:"encoding"`
	Recipe      string `json:"recipe"` // what the tiles were made of: a publication of the same terrain takes them over
}

// relief makes the tiles, or takes those over that were made of the same terrain.
func (s *Source) relief(ctx context.Context, c *stage.Country, warn func(string)) (manifest.Object, error) {
	scans, err := scansOf(ctx, c)
	if err != nil {
		return manifest.Object{}, fmt.Errorf("relief: %w", err)
	}
	if scans == nil && len(s.Model) == 0 { // rasters without a terrain model
		return manifest.Object{}, nil
	}
	with := *s
	with.scans = scans
	if live, ok := c.Live[Artefact]; ok {
		if had, err := stage.RecipeOf(ctx, c.Store, live); err == nil && had == with.recipe() {
			return live, nil
		}
	}
	body, err := with.Encode(ctx, c.Workers)
	if scans != nil {
		for _, line := range scans.problems() {
			warn(line)
		}
	}
	if err != nil || body == nil {
		return manifest.Object{}, err
	}
	return c.Write(ctx, Artefact, "pmtiles", body)
}

// Encode draws the archive on some workers; the bytes do not depend on their number. nil: no cell has a height.
func (s *Source) Encode(ctx context.Context, workers int) ([]byte, error) {
	d, err := s.drawing(ctx)
	if err != nil {
		return nil, fmt.Errorf("relief: %w", err)
	}
	d.room = make(chan struct{}, max(workers-1, 0))
	for _, t := range d.cover(minZoom) {
		if _, err := d.draw(ctx, t); err != nil {
			return nil, fmt.Errorf("relief: %w", err)
		}
	}
	if len(d.tiles) == 0 {
		return nil, nil
	}
	slices.SortFunc(d.tiles, func(a, b pmt.Tile) int { return cmp.Compare(a.ID, b.ID) })
	e7 := func(v float64) int32 { return int32(math.Round(v * 1e7)) }
	return pmt.Encode(pmt.Options{Type: pmt.PNG, TileCompression: pmt.None, MinLon: e7(d.box[0]), MinLat: e7(d.box[1]),
		MaxLon: e7(d.box[2]), MaxLat: e7(d.box[3]), CenterZoom: d.top, Metadata: s.metadata()}, d.tiles)
}

// drawing prepares the making of the tiles.
func (s *Source) drawing(ctx context.Context) (*drawing, error) {
	d := &drawing{others: s.Model, scans: s.scans}
	if s.scans == nil {
		d.box, d.level = s.Model.Box(), float32(s.Model.Mean())
		d.top = topZoom(s.Model.StepMetres(), (d.box[1]+d.box[3])/2)
		return d, nil
	}
	step := s.scans.step()
	d.box = s.scans.box()
	if len(s.Model) > 0 {
		b := s.Model.Box()
		d.box = [4]float64{min(b[0], d.box[0]), min(b[1], d.box[1]), max(b[2], d.box[2]), max(b[3], d.box[3])}
		step = min(step, s.Model.StepMetres())
	}
	lat := (d.box[1] + d.box[3]) / 2
	d.top = topZoom(step, lat)
	s.scans.pixel = pixel(d.top, lat)
	d.finer, d.others = s.Model.Split(s.scans.overview())
	mean, area, err := s.scans.mean(ctx)
	if err != nil {
		return nil, err
	}
	grids := s.Model.Area()
	if grids+area > 0 {
		d.level = float32((float64(mean*area) + float64(s.Model.Mean()*grids)) / (area + grids))
	}
	return d, nil
}

// metadata is that of the archive. One that lacks tiles is not taken over: no publication has its recipe.
func (s *Source) metadata() metadata {
	m := metadata{Name: "Relief", Description: "Heights above the Adriatic", Attribution: s.Attribution, License: rowschema.LicenseURL,
		Type: "baselayer", Format: "png", Encoding: "terrarium", Recipe: s.recipe()}
	if s.scans == nil {
		return m
	}
	credits, licences := []string{s.Attribution}, []string{}
	if len(s.Model) > 0 {
		licences = append(licences, m.License)
	}
	for i := range s.scans.layers {
		c := s.scans.layers[i].Credit
		credits, licences = append(credits, c.Attribution), append(licences, c.LicenseURL)
	}
	m.Attribution, m.License = named(credits), named(licences)
	if len(s.scans.lost) > 0 {
		m.Recipe += " incomplete"
	}
	return m
}

// named are the different ones of some names, in their order.
func named(all []string) string {
	var out []string
	for _, name := range all {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// topZoom is the lowest zoom whose pixels are at most 1.5 cells at a latitude.
func topZoom(step, lat float64) uint8 {
	for z := uint8(minZoom); z < maxZoom; z++ {
		if pixel(z, lat) <= 1.5*step {
			return z
		}
	}
	return maxZoom
}

// pixel is the side of a pixel of a zoom in metres at a latitude.
func pixel(zoom uint8, lat float64) float64 {
	const circumference = 40_075_016.7
	return circumference * math.Cos(lat*math.Pi/180) / side / math.Exp2(float64(zoom))
}
