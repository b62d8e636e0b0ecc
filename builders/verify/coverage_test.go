package verify

import (
	"math"
	"testing"

	"mappe/shared/geo/geom"
)

// rect is an axis-parallel rectangle in units from a corner near Salzburg.
func rect(x0, y0, x1, y1 int32) geom.MultiPolygon {
	const X, Y = 132000000, 473000000
	return geom.MultiPolygon{{{{X: X + x0, Y: Y + y0}, {X: X + x1, Y: Y + y0}, {X: X + x1, Y: Y + y1}, {X: X + x0, Y: Y + y1}}}}
}

func TestCoverMeasuresGapsAndOverlaps(t *testing.T) {
	unit := sqmPerUnit(47.3) // m² of one square unit there
	tests := []struct {
		name                  string
		areas                 []geom.MultiPolygon
		gap, overlap, outside float64 // in square units
	}{
		{"a partition", []geom.MultiPolygon{rect(0, 0, 500, 1000), rect(500, 0, 1000, 1000)}, 0, 0, 0},
		{"one missing", []geom.MultiPolygon{rect(0, 0, 500, 1000)}, 500 * 1000, 0, 0},
		{"an overlap", []geom.MultiPolygon{rect(0, 0, 600, 1000), rect(500, 0, 1000, 1000)}, 0, 100 * 1000, 0},
		{"three deep", []geom.MultiPolygon{rect(0, 0, 1000, 1000), rect(0, 0, 10, 10), rect(0, 0, 10, 10)}, 0, 200, 0},
		{"outside", []geom.MultiPolygon{rect(0, 0, 1000, 1100)}, 0, 0, 100 * 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Cover(tt.areas, rect(0, 0, 1000, 1000))
			near(t, "gap", tt.gap*unit, c.GapSqm)
			near(t, "overlap", tt.overlap*unit, c.OverlapSqm)
			near(t, "outside", tt.outside*unit, c.OutsideSqm)
			near(t, "outline", 1000*1000*unit, c.OutlineSqm)
			near(t, "outline = covered - outside + gap", c.OutlineSqm, c.CoveredSqm-c.OutsideSqm+c.GapSqm)
		})
	}
}

func TestCoverOfATriangleInASquare(t *testing.T) {
	tri := geom.MultiPolygon{{rect(0, 0, 1000, 1000)[0][0][:3]}}
	c := Cover([]geom.MultiPolygon{tri}, rect(0, 0, 1000, 1000))
	near(t, "gap", c.OutlineSqm/2, c.GapSqm)
	if c.WorstGap == (geom.Point{}) {
		t.Error("the gap has no position")
	}
}

func near(t *testing.T, what string, want, got float64) {
	t.Helper()
	if math.Abs(want-got) > 1e-3+1e-4*math.Abs(want) {
		t.Errorf("%s: want %.4f m², got %.4f", what, want, got)
	}
}
