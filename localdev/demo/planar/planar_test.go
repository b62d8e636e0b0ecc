package planar

import (
	"testing"

	"pgregory.net/rapid"
)

func square(x, y, side int32) []Seg {
	p := []Pt{{X: x, Y: y}, {X: x + side, Y: y}, {X: x + side, Y: y + side}, {X: x, Y: y + side}}
	var s []Seg
	for i := range p {
		s = append(s, Seg{A: p[i], B: p[(i+1)%4], Tag: 1})
	}
	return s
}

func TestCrossingSquaresGiveThreeFaces(t *testing.T) {
	g, err := Arrange(append(square(0, 0, 100), square(50, 50, 100)...), 2)
	if err != nil {
		t.Fatal(err)
	}
	var areas []int64
	for _, f := range g.Faces[1:] {
		areas = append(areas, f.Area2/2)
	}
	if len(areas) != 3 || areas[0]+areas[1]+areas[2] != 17500 {
		t.Errorf("want three faces of together 17500, got %v", areas)
	}
}

func TestAnIslandIsAHole(t *testing.T) {
	g, err := Arrange(append(square(0, 0, 100), square(40, 40, 20)...), 2)
	if err != nil {
		t.Fatal(err)
	}
	polys := g.Dissolve([]int32{-1, 0, 1})
	if len(polys[0]) != 1 || len(polys[0][0]) != 2 || polys[0][0].Area2() != 2*(10000-400) {
		t.Errorf("want one polygon with one hole, got %v", polys[0])
	}
	if !polys[0][0].Contains(10, 10) || polys[0][0].Contains(50, 50) {
		t.Error("the hole must be outside, the rest inside")
	}
}

func TestAVertexOnALineCutsIt(t *testing.T) {
	segs := append(square(0, 0, 100), Seg{A: Pt{X: 50, Y: 1}, B: Pt{X: 50, Y: 99}, Tag: 2})
	g, err := Arrange(segs, 4)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Faces) != 3 {
		t.Errorf("want the square in two, got %d faces", len(g.Faces)-1)
	}
}

func TestRegionsThatTouchInAPointAreTwoPolygons(t *testing.T) {
	g, err := Arrange(append(square(0, 0, 100), square(100, 100, 100)...), 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Dissolve([]int32{-1, 0, 0})[0]; len(got) != 2 {
		t.Errorf("want two polygons, got %d", len(got))
	}
}

func TestMergeSmallJoinsTheLongestNeighbour(t *testing.T) {
	segs := append(square(0, 0, 100), Seg{A: Pt{X: 5, Y: 0}, B: Pt{X: 5, Y: 100}}, Seg{A: Pt{X: 0, Y: 90}, B: Pt{X: 5, Y: 90}})
	g, err := Arrange(segs, 2)
	if err != nil {
		t.Fatal(err)
	}
	label := make([]int32, len(g.Faces))
	for i := range label {
		label[i] = int32(i)
	}
	root := g.MergeSmall(label, len(label), func(int32) float64 { return 60 }, func(_, o int32) float64 {
		if o == 0 {
			return 0
		}
		return 1
	})
	kept := map[int32]bool{}
	for _, r := range root[1:] {
		kept[r] = true
	}
	if len(kept) != 2 {
		t.Errorf("want 2 regions left of %d, got %d", len(g.Faces)-1, len(kept))
	}
}

// Whatever lines are drawn: the drawing drawn again is the same, and the faces less the outside's holes
// cover nothing twice.
func TestDrawingAgainChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Int32Range(-300, 300)
		var segs []Seg
		for range rapid.IntRange(1, 40).Draw(t, "lines") {
			segs = append(segs, Seg{A: Pt{X: c.Draw(t, "x"), Y: c.Draw(t, "y")}, B: Pt{X: c.Draw(t, "x"), Y: c.Draw(t, "y")}})
		}
		g, err := Arrange(segs, 3)
		if err != nil {
			t.Fatal(err)
		}
		var again []Seg
		for h := 0; h < len(g.H); h += 2 {
			again = append(again, Seg{A: g.V[g.H[h].Org], B: g.V[g.H[h+1].Org]})
		}
		f, err := Arrange(again, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.H) != len(g.H) || len(f.Faces) != len(g.Faces) {
			t.Fatalf("want %d half-edges and %d faces, got %d and %d", len(g.H), len(g.Faces), len(f.H), len(f.Faces))
		}
		var sum int64
		for _, f := range g.Faces {
			sum += f.Area2
		}
		if sum != 0 {
			t.Fatalf("faces and outside must cancel, left %d", sum)
		}
	})
}
