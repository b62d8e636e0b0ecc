package judged

import (
	"fmt"
	"os"
	"testing"
	"time"

	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
)

func sceneOf(t testing.TB, set string, n int, km2 int, stems float64) *scene.Scene {
	t.Helper()
	seed, err := scene.Seed(set, "", n)
	if err != nil {
		t.Fatal(err)
	}
	o := scene.Default(seed, km2)
	o.Stems = stems
	s, err := scene.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func find(s *scene.Scene, date int, p canopy.Params, footprints bool) []canopy.Tree {
	l := canopy.Layers{DTM: s.DTM(date), DSM: s.DSM(date)}
	if footprints {
		l.BuildingsKnown = true
		for row := range s.Options().Rows {
			for col := range s.Options().Cols {
				for _, f := range s.Vectors(col, row).Footprints {
					var ring []raster.XY
					for _, p := range f.Ring {
						ring = append(ring, raster.XY{X: p.X, Y: p.Y})
					}
					l.Buildings = append(l.Buildings, raster.Polygon{ring})
				}
			}
		}
	}
	return canopy.Find(l, s.Bounds(), p)
}

func TestTry(t *testing.T) {
	if os.Getenv("TRY") == "" {
		t.Skip()
	}
	for _, stems := range []float64{250, 600} {
		for n := range 3 {
			s := sceneOf(t, os.Getenv("TRY"), n, 1, stems)
			for _, fp := range []bool{true, false} {
				s.DTM(2)
				s.DSM(2)
				start := time.Now()
				trees := find(s, 2, canopy.Default(), fp)
				took := time.Since(start)
				var found []Found
				classes := map[canopy.Class]int{}
				for _, x := range trees {
					classes[x.Class]++
					if !x.Class.Rejected() && x.Likelihood >= 0.35 {
						found = append(found, Found{x.X, x.Y, x.Height, x.Leaf == canopy.Coniferous})
					}
				}
				b := s.Bounds()
				r := OfTrees(s, 2, 3, raster.Box{West: b.West + 20, South: b.South + 20, East: b.East - 20, North: b.North - 20}, found)
				fmt.Printf("%g %d fp=%v: recall %.3f precision %.3f F1 %.3f bias %.2f sd %.2f leaf %d/%d conif %d n=%d %v %v\n", stems, n, fp, r.Recall(), r.Precision(), r.F1(), r.Bias, r.SD, r.LeafRight, r.Matched, r.Conifers, r.Truth, classes, took)
			}
		}
	}
}
