// Package terrain makes the relief of the map: tiles of heights (raster-dem, encoding terrarium) as PMTiles, which map
// clients shade. builders/source/terrain reads the heights, builders/national runs the stage.
//
// A pixel of a tile holds h + 32,768 m in steps of 1/256 m: red is the whole part over 256, green the rest of it, blue the
// fraction. The highest zoom has pixels of at most 1.5 cells; a pixel of a lower zoom is the mean of the four below it.
// Beyond the grids heights go over into the mean of all, so that no cliff is shaded at the border.
package terrain

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"mappe/artefacts/kgdocs"
	"mappe/artefacts/manifest"
	"mappe/artefacts/pmt"
	"mappe/builders/source/terrain"
	"mappe/builders/stage"
	"mappe/shared/cloud/store"
)

// Artefact is the kind of the relief in a generation.
const Artefact = "base-relief"

// recipe names what in the program decides the bytes beside the heights.
const recipe = "relief-1"

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
}

// Read reads the folder terrain; nil where there is none.
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

// Stages make the artefact of a source; none of no source.
func Stages(s *Source) []stage.Stage {
	if s == nil {
		return nil
	}
	return []stage.Stage{{Kind: Artefact, Recipe: s.recipe(), Make: s.relief}}
}

func (s *Source) recipe() string { return recipe + " " + s.Sum }

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
func (s *Source) relief(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	if live, ok := c.Live[Artefact]; ok {
		if had, err := recipeOf(ctx, c.Store, live); err == nil && had == s.recipe() {
			return live, nil
		}
	}
	body, err := s.Encode(ctx, c.Workers)
	if err != nil || body == nil {
		return manifest.Object{}, err
	}
	return c.Write(ctx, Artefact, "pmtiles", body)
}

// recipeOf is what a served archive was made of.
func recipeOf(ctx context.Context, st store.Store, o manifest.Object) (string, error) {
	a, err := pmt.Open(store.InPlace(ctx, st, o.Key), o.Bytes)
	if err != nil {
		return "", err
	}
	b, err := a.Metadata()
	if err != nil {
		return "", err
	}
	var m metadata
	err = json.Unmarshal(b, &m)
	return m.Recipe, err
}

// Encode draws the archive on some workers; the bytes do not depend on their number. nil: no cell has a height.
func (s *Source) Encode(ctx context.Context, workers int) ([]byte, error) {
	box := s.Model.Box()
	d := drawing{model: s.Model, box: box, top: topZoom(s.Model.StepMetres(), (box[1]+box[3])/2), level: float32(s.Model.Mean()),
		room: make(chan struct{}, max(workers-1, 0))}
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
	return pmt.Encode(pmt.Options{Type: pmt.PNG, TileCompression: pmt.None, MinLon: e7(box[0]), MinLat: e7(box[1]), MaxLon: e7(box[2]),
		MaxLat: e7(box[3]), CenterZoom: d.top,
		Metadata: metadata{Name: "Relief", Description: "Heights above the Adriatic", Attribution: s.Attribution,
			License: kgdocs.LicenseURL,
			Type:    "baselayer", Format: "png", Encoding: "terrarium", Recipe: s.recipe()}}, d.tiles)
}

// topZoom is the lowest zoom whose pixels are at most 1.5 cells at a latitude.
func topZoom(step, lat float64) uint8 {
	const circumference = 40_075_016.7
	for z := uint8(minZoom); z < maxZoom; z++ {
		if circumference*math.Cos(lat*math.Pi/180)/side/math.Exp2(float64(z)) <= 1.5*step {
			return z
		}
	}
	return maxZoom
}
