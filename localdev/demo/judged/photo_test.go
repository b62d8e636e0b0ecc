package judged

import (
	"math"
	"testing"

	"mappe/localdev/demo/scene"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
)

// photoOf is the orthophoto of a scene of one tile of 0.5 m in cells of 0.4 m, by the nearest pixel.
func photoOf(s *scene.Scene, series int) []*raster.Grid {
	o := s.Ortho(0, 0, series, 2)
	system := crs.System(o.RGB.EPSG)
	b := s.Bounds()
	const step = 0.4
	n := int(math.Round((b.East - b.West) / step))
	out := make([]*raster.Grid, 4)
	for i := range out {
		out[i] = raster.New(b.West, b.North, step, n, n)
	}
	for row := range n {
		for col := range n {
			px, py := system.Forward(crs.LAEA.Inverse(out[0].Centre(col, row)))
			c, r := int(math.Floor((px-o.RGB.West)/o.RGB.Step)), int(math.Floor((o.RGB.North-py)/o.RGB.Step))
			if c < 0 || r < 0 || c >= o.RGB.Cols || r >= o.RGB.Rows {
				continue
			}
			at := r*o.RGB.Cols + c
			if o.NIR.Pix[at] == 0 {
				continue
			}
			for band := range 3 {
				out[band].Row(row)[col] = float32(o.RGB.Pix[3*at+band])
			}
			out[3].Row(row)[col] = float32(o.NIR.Pix[at])
		}
	}
	return out
}

// With an orthophoto trees are found as well, and their leaf types are told better.
func TestTreesWithAPhoto(t *testing.T) {
	s := sceneOf(t, "gate", 0, 250)
	l := layers(s, 2, true)
	p := canopy.Default()
	plain := OfTrees(s, 2, 3, inner(s), found(canopy.Find(l, s.Bounds(), p)))
	l.Photo = photoOf(s, 2)
	p.Fused = true
	list := canopy.Find(l, s.Bounds(), p)
	r := OfTrees(s, 2, 3, inner(s), found(list))
	confirmed := 0
	for i := range list {
		if list[i].Source == canopy.FromBoth {
			confirmed++
		}
	}
	leaf := func(r Trees) float64 { return float64(r.LeafRight) / float64(r.Matched) }
	t.Logf("F1 %.3f, without the photo %.3f; leaf type right %.3f and %.3f; %d of %d apexes confirmed", r.F1(), plain.F1(), leaf(r), leaf(plain), confirmed, len(list))
	if r.F1() < plain.F1()-0.02 || leaf(r) < 0.9 || confirmed < len(list)/20 {
		t.Errorf("F1 %.3f, without the photo %.3f; leaf type right %.3f; %d of %d apexes confirmed", r.F1(), plain.F1(), leaf(r), confirmed, len(list))
	}
}
