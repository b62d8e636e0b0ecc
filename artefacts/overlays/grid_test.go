package overlays

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"mappe/artefacts/sectionfile"
	"mappe/shared/geo/geom"
)

// star is a ring that runs in and out around a place, often across many cells.
func star(r *rand.Rand, x, y, radius float64, n int) geom.Ring {
	ring := make(geom.Ring, n)
	for i := range ring {
		a, d := 2*math.Pi*float64(i)/float64(n), radius*(0.2+0.8*r.Float64())
		ring[i] = geom.Point{X: int32(x + d*math.Cos(a)), Y: int32(y + d*math.Sin(a))}
	}
	return ring
}

// scattered is a source of shapes with holes and parts over some cells, and a corner of a cell in the middle of them.
func scattered(seed uint64) (*Source, geom.Point) {
	r := rand.New(rand.NewPCG(seed, 3))
	middle := geom.Point{X: 130_000_000, Y: 470_000_000}
	shape := func() geom.MultiPolygon {
		size := []float64{50_000, 400_000, 3_000_000, 12_000_000}[r.IntN(4)]
		x, y := float64(middle.X)+6e6*(r.Float64()-0.5), float64(middle.Y)+6e6*(r.Float64()-0.5)
		m := geom.MultiPolygon{{star(r, x, y, size, 3+r.IntN(200))}}
		if r.IntN(2) == 0 {
			m[0] = append(m[0], star(r, x, y, size/8, 12)) // within the least radius: a hole
		}
		if r.IntN(3) == 0 {
			m = append(m, geom.Polygon{star(r, x+3*size, y, size/2, 20)})
		}
		return m
	}
	s := &Source{}
	for range 6 {
		m := shape()
		s.Areas = append(s.Areas, Area{Name: "Park", RepArea: math.NaN(), GISArea: 1, Box: m.Bounds(), Geometry: m})
		m = shape()
		s.Municipalities = append(s.Municipalities, Municipality{Code: "50101", Name: "Salzburg", Box: m.Bounds(), Geometry: m})
		m = shape()
		s.Sites = append(s.Sites, Site{Code: string(rune('A' + len(s.Sites))), Type: Both, AreaHa: 1, Features: 1, Box: m.Bounds(),
			Geometry: m})
	}
	return s, middle
}

// gridOf writes the grid and opens it.
func gridOf(t testing.TB, s *Source) *sectionfile.File {
	t.Helper()
	head, err := s.GridHead().Encode()
	if err != nil {
		t.Fatal(err)
	}
	file, err := sectionfile.EncodeFilled(GridFamily, head, s.FillGrid)
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// cellAt is the cell of a point, nil where nothing reaches it.
func cellAt(t testing.TB, f *sectionfile.File, p geom.Point) *Cell {
	t.Helper()
	id := Cells.At(p)
	i, ok := f.Find(Cells.Section(id))
	if !ok {
		return nil
	}
	body, err := f.Section(i)
	if err != nil {
		t.Fatal(err)
	}
	c, cost, err := DecodeCell(body, Cells.Box(id))
	if err != nil || cost <= 0 {
		t.Fatal(cost, err)
	}
	return c
}

// A cell says of each of its points what the true shapes say, whichever way their borders run around it: anywhere, on
// vertices, beside them, and on the borders of the cell.
func TestCellsBesideShapes(t *testing.T) {
	inside, whole := 0, 0
	for seed := range uint64(12) {
		s, middle := scattered(seed)
		f := gridOf(t, s)
		var shapes [len(layers)][6]*geom.Index
		for k := range layers {
			for row := range shapes[k] {
				shapes[k][row] = geom.NewIndex(s.geometry(k, row))
			}
		}
		r := rand.New(rand.NewPCG(seed, 4))
		for range 2000 {
			p := geom.Point{X: middle.X + r.Int32N(4_000_000) - 2_000_000, Y: middle.Y + r.Int32N(4_000_000) - 2_000_000}
			switch r.IntN(4) {
			case 0: // on the border of a cell
				p.X -= p.X % Cells.Step
			case 1: // at the height of a vertex, where crossings are decided
				ring := s.geometry(r.IntN(len(layers)), r.IntN(6))[0][0]
				p.Y = ring[r.IntN(len(ring))].Y
			}
			c := cellAt(t, f, p)
			for k, l := range layers {
				var want, got []int
				for row := range 6 {
					if shapes[k][row].Contains(p) {
						want = append(want, row)
					}
				}
				if c != nil {
					for _, place := range c.At(l, p) {
						got = append(got, c.Row(l, place))
						if c.of(l).outlines[place] == nil {
							whole++
						}
					}
				}
				if inside += len(want); !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d, %v, layer %c: want the rows %v, got %v", seed, p, l, want, got)
				}
			}
		}
	}
	if inside < 8_000 || whole < 1000 {
		t.Errorf("%d points in shapes, %d in shapes that hold their cell: too few to tell", inside, whole)
	}
}

// The facts of a row are those of its own section, and the head counts the country.
func TestCellFacts(t *testing.T) {
	s := sample()
	f := gridOf(t, s)
	if h, err := DecodeGridHead(f.Head()); err != nil || h != (GridHead{1, 1, 1}) {
		t.Errorf("want one of each, got %+v, %v", h, err)
	}
	c := cellAt(t, f, geom.Point{X: 130_000_050, Y: 470_000_050})
	if c == nil || len(c.Sites) != 1 || c.Sites[0].Name != "Auen" || c.Sites[0].AreaHa != 12.34 || len(c.Municipalities) != 1 ||
		c.Municipalities[0].Code != "50101" ||
		len(c.Areas) != 1 || c.Areas[0].Name != "Park" || !math.IsNaN(c.Areas[0].RepArea) {
		t.Errorf("got %+v", c)
	}
	if n := len(c.At(SiteShapes, geom.Point{X: 130_000_050, Y: 470_000_050})) +
		10*len(c.At(AreaShapes, geom.Point{X: 130_000_050, Y: 470_000_050})); n != 1 {
		t.Errorf("want the site alone, got %d", n)
	}
	if cellAt(t, f, geom.Point{X: 130_000_050, Y: 475_000_050}) != nil {
		t.Error("a cell that nothing reaches has a section")
	}
}

// Any bytes give an error or a cell that can be asked.
func FuzzDecodeCell(f *testing.F) {
	s, middle := scattered(1)
	file := gridOf(f, s)
	for i := range min(file.Len(), 4) {
		body, err := file.Section(i)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Add(file.Head())
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, _, err := DecodeCell(b, Cells.Box(Cells.At(middle))); err == nil {
			for _, l := range layers {
				for _, place := range c.At(l, middle) {
					c.Row(l, place)
				}
			}
		}
		_, _ = DecodeGridHead(b)
	})
}
