package demo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mappe/artefacts/classifier"
	"mappe/artefacts/classifier/scenes"
	"mappe/artefacts/cog/cogtest"
	builder "mappe/builders/rasters"
	"mappe/localdev/demo/planar"
	"mappe/localdev/demo/world"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/segment"
)

// coverLayers are the layers of the scanned square as its files have them, with the newest orthophoto.
func coverLayers(t *testing.T, dir string, w *world.World, square raster.Box, trees []tree) *segment.Layers {
	t.Helper()
	l := &segment.Layers{EarlierDTM: scanned(t, dir, "20220915", "DTM"), EarlierDSM: scanned(t, dir, "20220915", "DSM"),
		DTM: scanned(t, dir, "20240915", "DTM"), DSM: scanned(t, dir, "20240915", "DSM"), BuildingsKnown: true}
	seen, grain := looksOf(w, square, trees, scans[1]), rand.New(rand.NewPCG(43, 3))
	for _, g := range []**raster.Grid{&l.Red, &l.Green, &l.Blue, &l.NIR} {
		*g = raster.New(square.West, square.North, 1, scanSide, scanSide)
	}
	for i, of := range seen {
		shade := 0.94 + 0.12*grain.Float64()
		c := of.at(flights[len(flights)-1].green)
		for band, g := range []*raster.Grid{l.Red, l.Green, l.Blue, l.NIR} {
			g.Z[i] = float32(math.Floor(c[band] * shade))
		}
	}
	satellite := func(name string) *raster.Grid {
		b, err := os.ReadFile(filepath.Join(dir, "rasters", "satellite", "2024", name+".tif"))
		if err != nil {
			t.Fatal(err)
		}
		return cogtest.Whole(t, b)
	}
	var months [12]*raster.Grid
	for i := range months {
		months[i] = satellite(fmt.Sprintf("NDVI_%02d", i+1))
	}
	l.Mean, l.Cos, l.Sin = builder.Year(&months)
	l.VV, l.VH = satellite("SAR_VV"), satellite("SAR_VH")
	for i := range w.Footprints {
		l.Buildings = append(l.Buildings, polygonsOf([]planar.Poly{w.Footprints[i].Shape})...)
	}
	for i := range w.Uses {
		for _, p := range polygonsOf([]planar.Poly{w.Uses[i].Shape}) {
			if raster.BoxOf([]raster.Polygon{p}).Overlaps(square) {
				l.Uses = append(l.Uses, segment.Use{Polygon: p, Code: int(w.Uses[i].NS)})
			}
		}
	}
	return l
}

// windowOf gives the layers of 1 m in the cells of a window.
func windowOf(l *segment.Layers) segment.Source {
	return func(_ context.Context, w raster.Box) (*segment.Layers, error) {
		out := *l
		for _, g := range []**raster.Grid{&out.DTM, &out.DSM, &out.EarlierDTM, &out.EarlierDSM, &out.Red, &out.Green, &out.Blue,
			&out.NIR} {
			part := raster.New(w.West, w.North, 1, int(w.East-w.West), int(w.North-w.South))
			if err := part.Paste(*g); err != nil {
				return nil, err
			}
			*g = part
		}
		return &out, nil
	}
}

// The forest that the demo country has lost between its scans is the clearing, and no terrain was moved: the model of the demo knows
// neither the colours of its gardens nor those of its fields, and they did not change.
func TestTheDemosTreeLossIsItsClearing(t *testing.T) {
	w, err := world.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := (&output{dir: dir}).rasters(w); err != nil {
		t.Fatal(err)
	}
	m, err := classifier.Decode(scenes.Model())
	if err != nil {
		t.Fatal(err)
	}
	model, err := m.OfSegments()
	if err != nil {
		t.Fatal(err)
	}
	ground := scanned(t, dir, "20240915", "DTM")
	square := raster.Box{West: ground.West, North: ground.North, East: ground.West + scanSide, South: ground.North - scanSide}
	trees := treesOf(w, square)
	l := coverLayers(t, dir, w, square, trees)
	area := []raster.Polygon{{{{X: square.West, Y: square.South}, {X: square.East, Y: square.South}, {X: square.East, Y: square.North},
		{X: square.West, Y: square.North}}}}
	land, err := segment.Divide(t.Context(), area, segment.Default(), windowOf(l), func(ctx context.Context) error { return ctx.Err() })
	if err != nil {
		t.Fatal(err)
	}
	lost, said, inside := 0.0, 0.0, 0.0
	middle, radius := felledOf(trees)
	for i, a := range segment.Classify(land.Objects, model) {
		o := &land.Objects[i]
		m2 := float64(o.Row[segment.Area])
		if a.Model == segment.TreeLoss {
			said += m2
		}
		switch a.Type {
		case segment.TreeLoss:
			if lost += m2; math.Hypot((o.West+o.East)/2-middle.X, (o.North+o.South)/2-middle.Y) < radius+treeGap {
				inside += m2
			}
		case segment.Earthwork, segment.Excavation, segment.Fill:
			t.Errorf("%s of %.0f m² where the terrain changed by %.2f m", a.Type, m2, o.Row[segment.TerrainChange])
		}
	}
	truth := math.Pi * radius * radius
	t.Logf("%.0f m² of tree loss, the model says %.0f; the clearing has %.0f", lost, said, truth)
	if lost < 0.8*truth || lost > 1.25*truth || inside < 0.9*lost {
		t.Errorf("%.0f m² of tree loss, %.0f of it in the clearing of %.0f m²", lost, inside, truth)
	}
	if said < 3*truth {
		t.Errorf("the model alone says %.0f m²: that the scans forbid it is not tried here", said)
	}
}

// felledOf is the circle in which trees were felled.
func felledOf(trees []tree) (middle raster.XY, radius float64) {
	cut := slices.DeleteFunc(slices.Clone(trees), func(t tree) bool { return !t.cut })
	for _, t := range cut {
		middle.X += t.at.X / float64(len(cut))
		middle.Y += t.at.Y / float64(len(cut))
	}
	return middle, clearing
}
