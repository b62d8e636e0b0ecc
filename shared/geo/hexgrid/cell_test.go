package hexgrid

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"mappe/shared/geo/geom"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		in string
		ok bool
	}{
		{"87283472bffffff", true},
		{"87283472BFFFFFF", true},
		{"087283472bffffff", true},
		{"8001fffffffffff", true},
		{"8f0800000000000", true},
		{"", false},
		{"0", false},
		{"87283472bfffff", false}, // 14 digits
		{"0087283472bffffff", false},
		{"+7283472bffffff", false},
		{"87283472bffff_f", false},
		{"0x7283472bffffff", false},
		{"87283472bfffff ", false},
		{"87283472bfffffe", false}, // a digit below the resolution
		{"872834fffffffff", false}, // no digit 7 above it
		{"80f5fffffffffff", false}, // base cell 122
		{"8108bffffffffff", true},  // around pentagon 4, digit 2
		{"81087ffffffffff", false}, // digit K in it
		{"881ffffffffffff", false},
		{"115283473fffffff", false}, // a directed edge
		{"c7283472bffffff", false},  // reserved bits
		{strings.Repeat("8", 1<<16), false},
	} {
		got, err := Parse(c.in)
		if (err == nil) != c.ok || c.ok && got.String() != strings.TrimLeft(strings.ToLower(c.in), "0") {
			t.Errorf("%.40q: %v, %v", c.in, got, err)
		}
		if err != nil && (!errors.Is(err, ErrCell) || len(err.Error()) > 120) {
			t.Errorf("%.40q: %v", c.in, err)
		}
	}
}

func TestJSONCarriesTheString(t *testing.T) {
	in := map[string]Cell{"cell": 0x87283472bffffff}
	b, err := json.Marshal(in)
	if err != nil || string(b) != `{"cell":"87283472bffffff"}` {
		t.Fatalf("%s, %v", b, err)
	}
	var out map[string]Cell
	if err := json.Unmarshal(b, &out); err != nil || out["cell"] != in["cell"] {
		t.Fatalf("%v, %v", out, err)
	}
	if err := json.Unmarshal([]byte(`{"cell":"87283472bfffffe"}`), &out); !errors.Is(err, ErrCell) {
		t.Fatalf("want %v, got %v", ErrCell, err)
	}
}

// The example of H3's documentation, and Vienna's Stephansdom as a point of the grid.
func TestExamples(t *testing.T) {
	if c, err := LatLngToCell(LatLng{37.3615593, -122.0553238}, 7); err != nil || c.String() != "87283472bffffff" {
		t.Errorf("%v, %v", c, err)
	}
	p := geom.Point{X: 163731000, Y: 482085000}
	c, err := PointToCell(p, 12)
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := LatLngToCell(LatLng{48.2085, 16.3731}, 12); d != c {
		t.Errorf("%v and %v", c, d)
	}
	area, _ := c.AreaM2()
	sides, _ := c.SideLengthsM()
	if area < 250 || area > 350 || len(sides) != 6 || slices.Max(sides) > 12 || slices.Min(sides) < 9 {
		t.Errorf("%g m², sides %v m: expected about 307 m² and 11 m", area, sides)
	}
}

func TestNumCells(t *testing.T) {
	for res, want := range []int{122, 842, 5882, 41162} {
		got := 0
		for base := range BaseCells() {
			for range base.Children(res) {
				got++
			}
		}
		if got != want || NumCells(res) != want {
			t.Errorf("resolution %d: counted %d, said %d, want %d", res, got, NumCells(res), want)
		}
	}
	if NumCells(15) != 569707381193162 {
		t.Errorf("resolution 15: %d", NumCells(15))
	}
}

// The cells of a resolution fill the sphere.
func TestAreasAddUp(t *testing.T) {
	for res := range 5 {
		sum := 0.0
		for base := range BaseCells() {
			for c := range base.Children(res) {
				a, err := c.AreaM2()
				if err != nil {
					t.Fatal(err)
				}
				sum += a
			}
		}
		if want := 4 * math.Pi * earthRadius * earthRadius; math.Abs(sum-want) > 1e-9*want {
			t.Errorf("resolution %d: %g m² of %g", res, sum, want)
		}
	}
}

// Whatever the number, nothing panics, and what is no cell is refused everywhere.
func FuzzIndex(f *testing.F) {
	for _, c := range []uint64{0, 1<<64 - 1, 0x87283472bffffff, 0x8009fffffffffff, 0x81087ffffffffff, 0x80f5fffffffffff} {
		f.Add(c, uint64(0x8009fffffffffff), 3, 5)
	}
	f.Fuzz(func(t *testing.T, a, b uint64, k, res int) {
		c, o := Cell(a), Cell(b)
		k %= 12
		_, centre := c.LatLng()
		_, border := c.Boundary()
		_, disk := c.GridDisk(max(k, 0))
		_, around := c.Neighbours()
		_, area := c.AreaM2()
		_, sides := c.SideLengthsM()
		for _, err := range []error{centre, border, disk, around, area, sides} {
			if (err == nil) != c.IsValid() || err != nil && !errors.Is(err, ErrCell) {
				t.Fatalf("%x: valid %v, %v", a, c.IsValid(), err)
			}
		}
		if p, err := Parse(c.String()); (err == nil) != c.IsValid() || err == nil && p != c {
			t.Fatalf("%x: valid %v, %v", a, c.IsValid(), err)
		}
		if p, err := c.Parent(res); err == nil {
			if _, err := p.NumChildren(c.Resolution()); err != nil {
				t.Fatalf("%v: parent %v: %v", c, p, err)
			}
		}
		c.ChildPos(res)
		c.ChildAt(k, res)
		if n, err := c.GridDistance(o); err == nil && n == 1 {
			if near, err := c.IsNeighbor(o); !near || err != nil {
				t.Fatalf("%v and %v: one step, but %v, %v", c, o, near, err)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"87283472bffffff", "8009fffffffffff", "", "zz", "0x1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse(s)
		if err != nil {
			return
		}
		if !c.IsValid() || !strings.EqualFold(strings.TrimLeft(s, "0"), c.String()) {
			t.Fatalf("%q is taken for %v", s, c)
		}
	})
}

func TestRefusals(t *testing.T) {
	cell, fine := Cell(0x87283472bffffff), Cell(0x8f0800000000000)
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"resolution 16", second(LatLngToCell(LatLng{}, 16)), ErrResolution},
		{"resolution -1", second(LatLngToCell(LatLng{}, -1)), ErrResolution},
		{"no number", second(LatLngToCell(LatLng{math.NaN(), 0}, 1)), ErrPosition},
		{"infinity", second(LatLngToCell(LatLng{math.Inf(1), math.Inf(1)}, 1)), ErrPosition},
		{"finer parent", second(cell.Parent(8)), ErrResolution},
		{"coarser child", second(cell.CenterChild(6)), ErrResolution},
		{"child out of range", second(cell.ChildAt(7, 8)), ErrDomain},
		{"disk of negative radius", second(cell.GridDisk(-1)), ErrDomain},
		{"disk of the world", second(cell.GridDisk(1001)), ErrDomain},
		{"two resolutions", second(cell.GridDistance(fine)), ErrResolution},
		{"polygon of too many cells", second(PolygonToCells(geom.MultiPolygon{{ring(0, 0, 1e7, 0, 0, 1e7)}}, 9, 1000)), ErrDomain},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: want %v, got %v", c.name, c.want, c.err)
		}
	}
	if cells, err := PolygonToCells(nil, 9, 10); cells != nil || err != nil {
		t.Errorf("no polygon: %v, %v", cells, err)
	}
}

func second[T any](_ T, err error) error { return err }

// Multipolygons that share a border share no cell and leave none out.
func TestNeighboursSplitTheCells(t *testing.T) {
	left := geom.Polygon{ring(140000000, 475000000, 140300000, 475020000, 140250000, 475400000, 140000000, 475300000)}
	right := geom.Polygon{ring(140300000, 475020000, 140600000, 475000000, 140700000, 475350000, 140250000, 475400000)}
	whole := geom.Polygon{ring(140000000, 475000000, 140300000, 475020000, 140600000, 475000000, 140700000, 475350000, 140250000, 475400000,
		140000000, 475300000)}
	cells := func(p geom.Polygon) []Cell {
		out, err := PolygonToCells(geom.MultiPolygon{p}, 11, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	got, want := append(cells(left), cells(right)...), cells(whole)
	if slices.Sort(got); len(want) < 5000 || !slices.Equal(got, want) {
		t.Errorf("%d cells in the halves, %d in the whole", len(got), len(want))
	}
}

// ring makes a ring of pairs of X and Y.
func ring(xy ...int32) (r geom.Ring) {
	for i := 0; i < len(xy); i += 2 {
		r = append(r, geom.Point{X: xy[i], Y: xy[i+1]})
	}
	return r
}
