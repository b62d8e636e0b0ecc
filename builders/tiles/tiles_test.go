package tiles

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/pmt"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// patchwork is a KG of n by n crooked fields near Krems that share every border vertex: corners are
// displaced, and each border has bends that both neighbours carry.
func patchwork(kg austria.KGCode, x0, n int) *kgfile.Snapshot {
	const step = 4000 // 1e-7 degrees, 30 to 45 m
	noise := func(a, b, c int) int32 {
		v := math.Sin(float64(a)*12.9898+float64(b)*78.233+float64(c)*37.719) * 43758.5453
		return int32((v - math.Floor(v) - 0.5) * 1500)
	}
	corner := func(i, j int) geom.Point {
		return geom.Point{X: 156000000 + int32(i*step) + noise(i, j, 1), Y: 484000000 + int32(j*step) + noise(i, j, 2)}
	}
	side := func(i, j, di, dj int) []geom.Point { // from a corner to the next, without the last point
		a, b := corner(i, j), corner(i+di, j+dj)
		out := []geom.Point{a}
		for k := int32(1); k < 4; k++ {
			out = append(out, geom.Point{X: a.X + (b.X-a.X)*k/4 + noise(2*i+di, 2*j+dj, int(k)+2)/4,
				Y: a.Y + (b.Y-a.Y)*k/4 + noise(2*i+di, 2*j+dj, int(k)+7)/4})
		}
		return out
	}
	back := func(p []geom.Point, last geom.Point) []geom.Point {
		out := []geom.Point{last}
		for i := len(p) - 1; i > 0; i-- {
			out = append(out, p[i])
		}
		return out
	}
	s := &kgfile.Snapshot{KG: kgfile.KG{Code: kg, Name: "Flickwerk", Box: geom.EmptyBox},
		Build: kgfile.Build{Stichtag: "2026-10-01", Source: "© BEV, 2026"}}
	for j := range n {
		for i := x0; i < x0+n; i++ {
			var r geom.Ring
			r = append(r, side(i, j, 1, 0)...)
			r = append(r, side(i+1, j, 0, 1)...)
			r = append(r, back(side(i, j+1, 1, 0), corner(i+1, j+1))...)
			r = append(r, back(side(i, j, 0, 1), corner(i, j+1))...)
			g := geom.MultiPolygon{{r}}
			s.KG.Box = s.KG.Box.Union(g.Bounds())
			s.Parcels = append(s.Parcels, kgfile.Parcel{
				GNR: austria.GNR(fmt.Sprintf("%d/%d", i+1, j+1)), EZ: austria.EZ(i % 7), Status: austria.StatusG,
				Geometry: g, AreaSqm: 1234.5, Inside: corner(i, j), Centroid: corner(i, j),
			})
		}
	}
	s.Outline = s.Parcels[0].Geometry
	return s
}

func decode(t testing.TB, archive []byte) map[pmt.ZXY]*mvt.Tile {
	t.Helper()
	a, err := pmt.Open(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[pmt.ZXY]*mvt.Tile{}
	for e, c := range a.All() {
		if c.Err != nil {
			t.Fatal(c.Err)
		}
		tile, err := mvt.Decode(c.Bytes, mvt.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(e.Run) {
			at, _ := pmt.Address(e.ID + i)
			out[at] = tile
		}
	}
	return out
}

func build(t testing.TB, s *kgfile.Snapshot, o Options) []byte {
	t.Helper()
	b, err := Build(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Shared vertices stay shared at every zoom: inside a tile, as many parcels run along an edge in one
// direction as in the other, unless it belongs to the border of the KG.
func TestNoGapsBetweenNeighbours(t *testing.T) {
	s := patchwork("99901", 0, 60)
	net := map[[2]geom.Point]int{}
	for _, p := range s.Parcels {
		ring := p.Geometry[0][0]
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			net[[2]geom.Point{a, b}]++
			net[[2]geom.Point{b, a}]--
		}
	}
	inner := func(p mvt.Point) bool {
		return p.X > shown.MinX && p.X < shown.MaxX && p.Y > shown.MinY && p.Y < shown.MaxY
	}
	for at, tile := range decode(t, build(t, s, Options{Layers: []Layer{Parcels}, FromZoom: 12})) {
		pixel := func(p geom.Point) mvt.Point {
			q := shift(snap(p), MaxZoom-at.Z)
			return mvt.Point{X: q.X - int32(at.X)<<extentBits, Y: q.Y - int32(at.Y)<<extentBits}
		}
		border := map[[2]mvt.Point]bool{}
		for e, n := range net {
			if n != 0 {
				border[[2]mvt.Point{pixel(e[0]), pixel(e[1])}] = true
			}
		}
		edges, checked := map[[2]mvt.Point]int{}, 0
		l := tile.Layer("parcels")
		for _, f := range l.Features {
			for _, r := range f.Parts {
				if mvt.Area2(r) <= 0 {
					t.Fatalf("%v: an exterior ring has area %d", at, mvt.Area2(r))
				}
				for i, a := range r {
					b := r[(i+1)%len(r)]
					if a == b {
						t.Fatalf("%v: a pixel is repeated", at)
					}
					edges[[2]mvt.Point{a, b}]++
				}
			}
		}
		for e, n := range edges {
			if !inner(e[0]) || !inner(e[1]) || border[e] {
				continue
			}
			checked++
			if m := edges[[2]mvt.Point{e[1], e[0]}]; m != n {
				t.Fatalf("%v: edge %v is run %d times, back %d times", at, e, n, m)
			}
		}
		if len(l.Features) > 50 && checked == 0 {
			t.Errorf("%v: %d parcels and no edge to check", at, len(l.Features))
		}
	}
}

// Every parcel is drawn at the highest zoom with its attributes and its exact pixels.
func TestParcelsAtTheHighestZoom(t *testing.T) {
	s := patchwork("99901", 0, 20)
	seen := map[string]bool{}
	for at, tile := range decode(t, build(t, s, Options{})) {
		if at.Z != MaxZoom {
			continue
		}
		l := tile.Layer("parcels")
		if l == nil {
			continue
		}
		for i := range l.Features {
			id, _ := l.Value(&l.Features[i], l.Key("parcel_id"))
			area, _ := l.Value(&l.Features[i], l.Key("area_sqm"))
			if v, _ := area.Float64(); v != 1234.5 {
				t.Errorf("%s: area_sqm is %v, want 1234.5", id.Text(), v)
			}
			seen[id.Text()] = true
		}
	}
	for i := range s.Parcels {
		if id := "99901-" + string(s.Parcels[i].GNR); !seen[id] {
			t.Errorf("parcel %s is in no tile", id)
		}
	}
}

func TestSameBytesOnAnyNumberOfWorkers(t *testing.T) {
	s := patchwork("99901", 0, 25)
	one := build(t, s, Options{Workers: 1})
	for range 3 {
		if !bytes.Equal(one, build(t, s, Options{Workers: 3})) {
			t.Fatal("the number of workers changes the archive")
		}
	}
}

func TestZoomsOfLayers(t *testing.T) {
	s := patchwork("99901", 0, 12)
	s.Footprints = []kgfile.Footprint{{N: 1, Geometry: s.Parcels[3].Geometry}}
	s.LandUse = []kgfile.LandUseArea{{NS: 55, Geometry: s.Parcels[4].Geometry}}
	s.Labels = []kgfile.Label{{GNR: s.Parcels[0].GNR, At: s.Parcels[0].Inside, Rotation: 12.5}}
	lowest, labels := map[string]uint8{}, 0
	for at, tile := range decode(t, build(t, s, Options{})) {
		for _, l := range tile.Layers {
			if z, ok := lowest[l.Name]; !ok || at.Z < z {
				lowest[l.Name] = at.Z
			}
			if l.Name == "labels" {
				labels += len(l.Features)
			}
		}
	}
	for _, l := range AllLayers() {
		if lowest[l.String()] != specs[l].minZoom {
			t.Errorf("layer %s starts at zoom %d, want %d", l, lowest[l.String()], specs[l].minZoom)
		}
	}
	if labels != len(s.Parcels) {
		t.Errorf("%d labels, want one for each of %d parcels", labels, len(s.Parcels))
	}
}

// A hole that covers the whole tile leaves nothing to draw, a hole that does not is cut with its polygon.
func TestClip(t *testing.T) {
	square := func(at, size int32) []mvt.Point {
		return []mvt.Point{{X: at, Y: at}, {X: at + size, Y: at}, {X: at + size, Y: at + size}, {X: at, Y: at + size}}
	}
	hole := func(at, size int32) []mvt.Point {
		r := square(at, size)
		reverse(r)
		return r
	}
	var p pen
	if got := p.polygon(nil, polygon{square(-9000, 20000), hole(-5000, 12000)}, corner{}, false); len(got) != 0 {
		t.Errorf("a polygon whose hole covers the tile gives %v", got)
	}
	got := p.polygon(nil, polygon{square(-9000, 20000), hole(100, 200)}, corner{}, false)
	if len(got) != 2 || mvt.Area2(got[0]) != 2*(Extent+2*Buffer)*(Extent+2*Buffer) || mvt.Area2(got[1]) != -2*200*200 {
		t.Errorf("a polygon around the tile with a hole gives %v", got)
	}
	if got := p.polygon(nil, polygon{square(5000, 10)}, corner{}, false); len(got) != 0 {
		t.Errorf("a polygon beside the tile gives %v", got)
	}
}

func TestNothingToDraw(t *testing.T) {
	if _, err := Build(&kgfile.Snapshot{}, Options{}); err == nil {
		t.Error("an empty snapshot gave an archive")
	}
}
