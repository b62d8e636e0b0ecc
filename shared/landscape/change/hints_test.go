package change_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"mappe/localdev/demo/scene"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/change"
)

// photos are the orthophotos of a scene of one tile that are nearest to its first and last scan.
type photos [2]*scene.Ortho

func photosOf(s *scene.Scene) *photos { return &photos{s.Ortho(0, 0, 1, 1), s.Ortho(0, 0, 2, 1)} }

func (p *photos) Index(_ context.Context, after bool, b raster.Box) (*raster.Grid, error) {
	o := p[0]
	if after {
		o = p[1]
	}
	g, err := raster.Over(b, 1)
	if err != nil {
		return nil, err
	}
	system := crs.System(o.RGB.EPSG)
	for row := range g.Rows {
		for col := range g.Cols {
			x, y := system.Forward(crs.LAEA.Inverse(g.Centre(col, row)))
			c, r := int(math.Floor(x-o.RGB.West)), int(math.Floor(o.RGB.North-y))
			if o.RGB.SouthUp {
				return nil, errors.New("a file from the south")
			}
			if c < 0 || r < 0 || c >= o.RGB.Cols || r >= o.RGB.Rows || o.NIR.Pix[r*o.NIR.Cols+c] == 0 {
				continue
			}
			red, nir := float32(o.RGB.Pix[3*(r*o.RGB.Cols+c)]), float32(o.NIR.Pix[r*o.NIR.Cols+c])
			g.Row(row)[col] = (nir - red) / (nir + red)
		}
	}
	return g, nil
}

// footprintsOf are those of the cadastre at a date of a scene.
func footprintsOf(s *scene.Scene) []raster.Polygon {
	out := []raster.Polygon{}
	for _, p := range s.Vectors(0, 0).Footprints {
		var ring []raster.XY
		for _, v := range p.Ring {
			ring = append(ring, raster.XY(v))
		}
		out = append(out, raster.Polygon{ring})
	}
	return out
}

// What the cadastre and the orthophotos show of changes that are known: most cells that were bared had green and have less.
func hintsFit(t *testing.T, truth []scene.Event, found []change.Event, pairs []pair) {
	t.Helper()
	bared, less := 0, 0
	for _, p := range pairs {
		e := &found[p.found]
		if e.Footprint == nil || *e.Footprint < 0 || *e.Footprint > 1 {
			t.Errorf("%s: a share of footprints of %v", e.Kind, e.Footprint)
		}
		if e.IndexBefore == nil || e.IndexAfter == nil {
			if !e.Edge {
				t.Errorf("%s: no vegetation index", e.Kind)
			}
			continue
		}
		switch truth[p.truth].Type {
		case scene.TreeFelling, scene.ForestClearcut, scene.Construction, scene.RoadNew, scene.EarthworkCut, scene.EarthworkFill:
			bared++
			if *e.IndexAfter < *e.IndexBefore-0.05 {
				less++
			}
		}
	}
	if bared < 3 || less < bared-bared/4 {
		t.Errorf("of %d places that were bared %d had green and lost it", bared, less)
	}
}

// The hints are the same whatever the squares are; a photo that cannot be read is the answer.
func hintsHold(t *testing.T, m change.Source, s *scene.Scene, o change.Options, want *change.Result) {
	t.Helper()
	o.Core = 500
	if got := find(t, m, whole(s), o); digest(t, got) != digest(t, want) {
		t.Error("hints are others in other squares")
	}
	lost := errors.New("lost")
	o.MinChange, o.Photos = 1, failingPhotos{lost}
	if _, err := change.Find(context.Background(), m, whole(s), o); !errors.Is(err, lost) {
		t.Errorf("a photo that cannot be read: %v", err)
	}
}

type failingPhotos struct{ err error }

func (f failingPhotos) Index(context.Context, bool, raster.Box) (*raster.Grid, error) {
	return nil, f.err
}
