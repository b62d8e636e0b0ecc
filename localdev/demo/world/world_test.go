package world

import (
	"strings"
	"sync"
	"testing"

	"mappe/localdev/demo/planar"
	"mappe/shared/austria"
)

var built = sync.OnceValues(func() (*World, error) { return Build(nil) })

func theWorld(t testing.TB) *World {
	t.Helper()
	w, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestCountsAreNearTheTargets(t *testing.T) {
	w := theWorld(t)
	for _, c := range []struct {
		what           string
		got, low, high int
	}{
		{"municipalities", len(w.Gemeinden), 3, 3},
		{"KGs", len(w.KGs), 12, 12},
		{"parcels", len(w.Parcels), 7600, 8400},
		{"footprints", len(w.Footprints), 3800, 4200},
		{"addresses", len(w.Addresses), 3300, 3700},
	} {
		if c.got < c.low || c.got > c.high {
			t.Errorf("%s: want %d to %d, got %d", c.what, c.low, c.high, c.got)
		}
	}
}

type directed struct{ a, b planar.Pt }

// edgesOf counts the directed edges of polygons, opposite ones cancelling each other.
func edgesOf(sum map[directed]int, parts []planar.Poly) {
	for _, p := range parts {
		for _, r := range p {
			a := r[len(r)-1]
			for _, b := range r {
				if sum[directed{b, a}] > 0 {
					sum[directed{b, a}]--
				} else {
					sum[directed{a, b}]++
				}
				a = b
			}
		}
	}
}

// Every edge of a parcel is met by the opposite edge of its neighbour; what is left over is exactly the
// outline. So the union of the parcels is the KG, without gaps and with shared vertices.
func TestParcelsPartitionTheirKG(t *testing.T) {
	w := theWorld(t)
	for k := range w.KGs {
		sum := map[directed]int{}
		var area int64
		for i := range w.Parcels {
			if p := &w.Parcels[i]; p.KG == k {
				edgesOf(sum, p.Parts)
				for _, q := range p.Parts {
					area += q.Area2()
				}
			}
		}
		want := map[directed]int{}
		edgesOf(want, w.Outlines[k])
		for e, n := range sum {
			if n != want[e] {
				t.Fatalf("KG %s: edge %v is open %d times, in the outline %d times", w.KGs[k].Code, e, n, want[e])
			}
		}
		var outline int64
		for _, q := range w.Outlines[k] {
			outline += q.Area2()
		}
		if area != outline {
			t.Errorf("KG %s: parcels cover %d, outline %d", w.KGs[k].Code, area, outline)
		}
	}
}

func TestKGsShareTheirBordersExactly(t *testing.T) {
	w := theWorld(t)
	sum, want := map[directed]int{}, map[directed]int{}
	for k := range w.KGs {
		edgesOf(sum, w.Outlines[k])
	}
	for g := range w.Gemeinden {
		edgesOf(want, w.GemeindeOutlines[g])
	}
	for e, n := range sum {
		if n != want[e] {
			t.Fatalf("border edge %v: %d of the KGs, %d of the municipalities are open", e, n, want[e])
		}
	}
}

// Drawing all parcel lines again finds no crossing and no vertex on another line.
func TestNoLineCrossesAnother(t *testing.T) {
	w := theWorld(t)
	var segs []planar.Seg
	points, edges := map[planar.Pt]bool{}, map[directed]bool{}
	for i := range w.Parcels {
		for _, p := range w.Parcels[i].Parts {
			for _, r := range p {
				a := r[len(r)-1]
				for _, b := range r {
					segs = append(segs, planar.Seg{A: a, B: b})
					points[a] = true
					if !edges[directed{b, a}] {
						edges[directed{a, b}] = true
					}
					a = b
				}
			}
		}
	}
	g, err := planar.Arrange(segs, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.V) != len(points) || len(g.H) != 2*len(edges) {
		t.Errorf("want %d vertices and %d edges, drawing again gives %d and %d", len(points), len(edges), len(g.V), len(g.H)/2)
	}
}

// Land use and buildings cover each parcel exactly: areas on the grid add up without remainder.
func TestUsesAndFootprintsFillTheirParcels(t *testing.T) {
	w := theWorld(t)
	left := make([]int64, len(w.Parcels))
	for i := range w.Parcels {
		for _, p := range w.Parcels[i].Parts {
			left[i] += 4 * p.Area2()
		}
	}
	for _, u := range w.Uses {
		if u.Shape.Area2() <= 0 {
			t.Fatalf("parcel %d: use %d has no area", u.Parcel, u.NS)
		}
		left[u.Parcel] -= u.Shape.Area2()
	}
	for _, f := range w.Footprints {
		left[f.Parcel] -= f.Shape.Area2()
	}
	for i, n := range left {
		if n != 0 {
			t.Errorf("parcel %s-%s: %d quarter units are left over", w.KGs[w.Parcels[i].KG].Code, w.Parcels[i].GNR, n)
		}
	}
}

// The lines of land use and buildings, drawn together, cross nowhere: no two of them overlap.
func TestNoUseOverlapsAnother(t *testing.T) {
	w := theWorld(t)
	var segs []planar.Seg
	points, edges := map[planar.Pt]bool{}, map[directed]bool{}
	add := func(p planar.Poly) {
		for _, r := range p {
			a := r[len(r)-1]
			for _, b := range r {
				segs = append(segs, planar.Seg{A: a, B: b})
				points[a], edges[directed{a, b}] = true, true
				a = b
			}
		}
	}
	for _, u := range w.Uses {
		add(u.Shape)
	}
	for _, f := range w.Footprints {
		add(f.Shape)
	}
	single := 0
	for e := range edges {
		if !edges[directed{e.b, e.a}] {
			single++
		}
	}
	g, err := planar.Arrange(segs, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := (len(edges) + single) / 2; len(g.V) != len(points) || len(g.H) != 2*want {
		t.Errorf("want %d vertices and %d edges, drawing again gives %d and %d", len(points), want, len(g.V), len(g.H)/2)
	}
}

func TestFootprintsAndLabelsLieInTheirParcels(t *testing.T) {
	w := theWorld(t)
	holds := func(p *Parcel, x, y float64) bool {
		for _, q := range p.Parts {
			if q.Contains(x, y) {
				return true
			}
		}
		return false
	}
	for i, f := range w.Footprints {
		p := &w.Parcels[f.Parcel]
		for _, q := range f.Shape[0] {
			if !holds(p, float64(q.X)/2, float64(q.Y)/2) {
				t.Errorf("footprint %d: vertex %v is outside parcel %s", i, q, p.GNR)
			}
		}
		if !f.Shape.Contains(f.At.X*2/Unit, f.At.Y*2/Unit) {
			t.Errorf("footprint %d: its point lies outside", i)
		}
	}
	for i := range w.Parcels {
		p := &w.Parcels[i]
		for _, l := range p.Labels {
			if !holds(p, l.At.X/Unit, l.At.Y/Unit) {
				t.Errorf("parcel %d %s: a label lies outside", i, p.GNR)
			}
		}
	}
}

func TestEveryPeculiarityIsThere(t *testing.T) {
	w := theWorld(t)
	n := map[string]int{}
	folio := map[[2]int]int{}
	seen := map[string]bool{}
	for i := range w.Parcels {
		p := &w.Parcels[i]
		if _, err := austria.ParseGNR(string(p.GNR)); err != nil {
			t.Error(err)
		}
		if id := w.KGs[p.KG].Code + "-" + string(p.GNR); seen[id] {
			t.Errorf("parcel %s stands twice", id)
		} else {
			seen[id] = true
		}
		dot, slash := strings.HasPrefix(string(p.GNR), "."), strings.Contains(string(p.GNR), "/")
		count := func(what string, is bool) {
			if is {
				n[what]++
			}
		}
		count("dot", dot && !slash)
		count("dot and slash", dot && slash)
		count("slash", slash && !dot)
		count("plain", !slash && !dot)
		count("status E", p.Status == austria.StatusE)
		count("status G", p.Status == austria.StatusG)
		count("two parts", len(p.Parts) == 2)
		count("three parts or more", len(p.Parts) >= 3)
		count("without folio", p.EZ == 0)
		count("below 20 m²", p.Area < 20)
		hole, wide, vertices := false, int32(0), 0
		for _, q := range p.Parts {
			hole = hole || len(q) > 1
			lo, hi := q.Bounds()
			wide = max(wide, hi.X-lo.X, hi.Y-lo.Y)
			vertices += len(q[0])
		}
		count("hole", hole)
		count("over three tiles long", wide > 3*4096)
		count("over 300 vertices", vertices > 300)
		folio[[2]int{p.KG, int(p.EZ)}]++
	}
	for _, f := range w.Footprints {
		if len(f.Shape) > 1 {
			n["courtyard"]++
		}
		if len(f.Shape[0]) == 6 {
			n["L-shaped footprint"]++
		}
	}
	for k, size := range folio {
		if k[1] == 0 {
			continue
		}
		if size > maxFolio {
			t.Errorf("folio %v has %d parcels", k, size)
		}
		if size == 1 {
			n["folio of one"]++
		}
		if size == maxFolio {
			n["folio of fifty"]++
		}
	}
	for _, want := range []struct {
		what  string
		least int
	}{
		{"dot", 500}, {"dot and slash", 20}, {"slash", 500}, {"plain", 2000}, {"status E", 3000}, {"status G", 700}, {"two parts", 40},
		{"three parts or more", 10},
		{"without folio", 5}, {"below 20 m²", 10}, {"hole", 30}, {"over three tiles long", 4}, {"over 300 vertices", 5}, {"courtyard", 1},
		{"L-shaped footprint", 300}, {"folio of one", 1000}, {"folio of fifty", 3},
	} {
		if n[want.what] < want.least {
			t.Errorf("%s: want at least %d, got %d", want.what, want.least, n[want.what])
		}
	}
	t.Log(n)
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Build(nil); err != nil {
			b.Fatal(err)
		}
	}
}
