package proximity

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"mappe/artefacts/internal/column/columntest"
	"mappe/artefacts/sectionfile"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

func class(t testing.TB, c Category, name string) Class {
	t.Helper()
	k, ok := ParseClass(c, name)
	if !ok {
		t.Fatalf("no class %s %s", c, name)
	}
	return k
}

// made is a country of random roads, tracks of rail, stops and lakes around 14 E 47.5 N.
func made(t testing.TB, n int) *Country {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	c := &Country{Date: "2026-10-01", Attribution: "made up"}
	at := func() geom.Point {
		return geom.Point{X: 139_000_000 + r.Int32N(4_000_000), Y: 474_000_000 + r.Int32N(3_000_000)}
	}
	for i := range n {
		p := at()
		v := []geom.Point{p}
		for range 1 + r.IntN(60) {
			p = geom.Point{X: p.X + r.Int32N(60_000) - 20_000, Y: p.Y + r.Int32N(60_000) - 30_000}
			v = append(v, p)
		}
		k := Class(r.IntN(27)) // roads, railways, flowing water
		c.Lines = append(c.Lines, Line{k, fmt.Sprint("line ", i%50), "", v})
		if i%3 == 0 {
			c.Points = append(c.Points, Point{class(t, Transit, "bus_stop") + Class(i/3%12), fmt.Sprint("point ", i), at(), i - 1})
		}
		if i%20 == 0 {
			q := at()
			s := r.Int32N(900_000) + 1000
			ring := geom.Ring{q, {X: q.X + s, Y: q.Y}, {X: q.X + s, Y: q.Y + s/2}, {X: q.X + s/2, Y: q.Y + s/3}, {X: q.X, Y: q.Y + s/2}}
			c.Areas = append(c.Areas, Area{class(t, Water, "water"), fmt.Sprint("lake ", i), geom.MultiPolygon{{ring}}})
		}
	}
	return c
}

func file(t testing.TB, c *Country) *sectionfile.File {
	t.Helper()
	head, err := c.Head().Encode()
	if err != nil {
		t.Fatal(err)
	}
	all, err := sectionfile.EncodeFilled(Family, head, c.Fill)
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func cellOf(t testing.TB, f *sectionfile.File, g Grid, id CellID) *Cell {
	t.Helper()
	i, ok := f.Find(g.Section(id))
	if !ok {
		return &Cell{}
	}
	b, err := f.Section(i)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := DecodeCell(b, g.Box(id))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// brute measures to every edge of every feature with the geodesic of the ellipsoid.
func brute(c *Country, p geom.Point, set Set) float64 {
	best := math.Inf(1)
	edge := func(a, b geom.Point) {
		lo, hi := 0.0, 1.0
		at := func(t float64) float64 {
			return geodesic(p.Lon(), p.Lat(), a.Lon()+t*(b.Lon()-a.Lon()), a.Lat()+t*(b.Lat()-a.Lat()))
		}
		for range 60 { // the distance to a straight edge has one minimum
			x, y := lo+(hi-lo)/3, hi-(hi-lo)/3
			if at(x) < at(y) {
				hi = y
			} else {
				lo = x
			}
		}
		best = min(best, at((lo+hi)/2))
	}
	near := func(b geom.Box) bool { return geodesicToBox(p, b) < best }
	for _, l := range c.Lines {
		if set.Has(l.Class) && near(geom.Ring(l.Vertices).Bounds()) {
			for i := 1; i < len(l.Vertices); i++ {
				edge(l.Vertices[i-1], l.Vertices[i])
			}
		}
	}
	for _, q := range c.Points {
		if set.Has(q.Class) {
			best = min(best, geodesic(p.Lon(), p.Lat(), q.At.Lon(), q.At.Lat()))
		}
	}
	for _, a := range c.Areas {
		if !set.Has(a.Class) || !near(a.Geometry.Bounds()) {
			continue
		}
		if a.Geometry.Contains(p) {
			return 0
		}
		for _, r := range a.Geometry.Rings() {
			for i := range r {
				edge(r[i], r[(i+1)%len(r)])
			}
		}
	}
	return best
}

func geodesicToBox(p geom.Point, b geom.Box) float64 {
	q := geom.Point{X: max(b.MinX, min(b.MaxX, p.X)), Y: max(b.MinY, min(b.MaxY, p.Y))}
	return geodesic(p.Lon(), p.Lat(), q.Lon(), q.Lat()) - 1 // m, for the bend of parallels
}

// geodesic is the length of the shortest line on the ellipsoid (Vincenty 1975, inverse).
func geodesic(lon1, lat1, lon2, lat2 float64) float64 {
	const a, f = 6378137.0, 1 / 298.257223563
	const b = a * (1 - f)
	rad := math.Pi / 180
	u1, u2 := math.Atan((1-f)*math.Tan(lat1*rad)), math.Atan((1-f)*math.Tan(lat2*rad))
	l := (lon2 - lon1) * rad
	s1, c1, s2, c2 := math.Sin(u1), math.Cos(u1), math.Sin(u2), math.Cos(u2)
	lambda := l
	for range 100 {
		sl, cl := math.Sincos(lambda)
		ss := math.Hypot(c2*sl, c1*s2-s1*c2*cl)
		if ss == 0 {
			return 0
		}
		cs := s1*s2 + c1*c2*cl
		sigma := math.Atan2(ss, cs)
		sa := c1 * c2 * sl / ss
		ca2 := 1 - sa*sa
		cm := 0.0
		if ca2 != 0 {
			cm = cs - 2*s1*s2/ca2
		}
		c := f / 16 * ca2 * (4 + f*(4-3*ca2))
		next := l + (1-c)*f*sa*(sigma+c*ss*(cm+c*cs*(2*cm*cm-1)))
		if math.Abs(next-lambda) < 1e-13 {
			k := ca2 * (a*a - b*b) / (b * b)
			x := 1 + k/16384*(4096+k*(-768+k*(320-175*k)))
			y := k / 1024 * (256 + k*(-128+k*(74-47*k)))
			d := y * ss * (cm + y/4*(cs*(2*cm*cm-1)-y/6*cm*(4*ss*ss-3)*(4*cm*cm-3)))
			return b * x * (sigma - d)
		}
		lambda = next
	}
	return math.NaN()
}

// All cells together give the nearest feature of each set within 0.1 m of the geodesic.
func TestNearestBesideTheGeodesic(t *testing.T) {
	c := made(t, 900)
	f := file(t, c)
	r := rand.New(rand.NewPCG(3, 4))
	sets := map[string]Set{"road": OfCategory(Road), "major": SetOf(Class.Major), "rail": OfCategory(Rail), "water": OfCategory(Water),
		"transit": OfCategory(Transit), "trains": SetOf(Class.Trains), "place": OfCategory(Place)}
	worst, lakes := 0.0, 0
	for range 60 {
		p := geom.Point{X: 139_000_000 + r.Int32N(4_000_000), Y: 474_000_000 + r.Int32N(3_000_000)}
		ruler := crs.RulerAt(p)
		for name, set := range sets {
			g := Near
			if name != "road" && name != "water" {
				g = Far
			}
			best := None()
			for _, id := range g.Cells(crs.Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, 60_000), 1000) {
				cellOf(t, f, g, id).Nearest(&ruler, set, &best)
			}
			want := brute(c, p, set)
			if d := math.Abs(best.Metres - want); !(d <= 0.1) {
				t.Errorf("%s of %v: want %.3f m, got %.3f m", name, p, want, best.Metres)
			} else {
				worst = max(worst, d)
			}
			if best.Metres == 0 {
				lakes++
			}
		}
	}
	if lakes == 0 {
		t.Error("no point lay in a lake")
	}
	t.Logf("at most %.4f m beside the geodesic", worst)
}

func TestHeadAndCells(t *testing.T) {
	c := made(t, 100)
	f := file(t, c)
	h, err := DecodeHead(f.Head())
	if err != nil || !reflect.DeepEqual(h, c.Head()) {
		t.Errorf("want %v, got %v, %v", c.Head(), h, err)
	}
	lines := 0
	for i := range f.Len() {
		b, err := f.Section(i)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name(i)[0] != 'n' {
			continue
		}
		var id CellID
		if _, err := fmt.Sscanf(f.Name(i), "n%04d%04d", &id.Row, &id.Column); err != nil {
			t.Fatal(err)
		}
		cell, cost, err := DecodeCell(b, Near.Box(id))
		if err != nil || cost <= 0 {
			t.Fatal(err)
		}
		again, err := cell.encode(Near.Box(id))
		if err != nil || !bytes.Equal(again, b) {
			t.Errorf("cell %s is encoded otherwise: %v", f.Name(i), err)
		}
		lines += len(cell.Lines)
	}
	if lines < len(c.Lines) {
		t.Errorf("%d lines of %d", lines, len(c.Lines))
	}
}

// The same features give the same bytes.
func TestSameBytes(t *testing.T) {
	a, b := file(t, made(t, 200)), file(t, made(t, 200))
	for i := range a.Len() {
		x, errX := a.Section(i)
		y, errY := b.Section(i)
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			t.Fatalf("section %s differs: %v %v", a.Name(i), errX, errY)
		}
	}
}

func TestWhatCannotBeStored(t *testing.T) {
	for name, c := range map[string]*Country{
		"a line of one vertex": {Lines: []Line{{Vertices: make([]geom.Point, 1)}}},
		"a lake of the earth": {Areas: []Area{{Class: class(t, Water, "water"),
			Geometry: geom.MultiPolygon{{{{X: -1_800_000_000, Y: -900_000_000}, {X: 1_800_000_000, Y: -900_000_000},
				{X: 0, Y: 900_000_000}}}}}}},
	} {
		b, err := sectionfile.NewBuilder(Family, nil, &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Fill(b); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func FuzzCell(f *testing.F) {
	c := made(f, 30)
	made := file(f, c)
	for i := range min(made.Len(), 8) {
		b, err := made.Section(i)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		box := Near.Box(CellID{Row: 1375, Column: 1940})
		columntest.Bounded(t, len(b), func() {
			cell, _, err := DecodeCell(b, box)
			if err != nil {
				return
			}
			ruler, best := crs.RulerAt(box.Center()), None()
			cell.Nearest(&ruler, ^Set(0), &best)
		})
	})
}

func FuzzHead(f *testing.F) {
	h := Head{"2026-10-01", "made up", make([]int, len(classes))}
	b, err := h.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) { _, _ = DecodeHead(b) }) // an error or not
}
