package kgdiff

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// open is a snapshot as the library gives it.
func open(t testing.TB, s *kgfile.Snapshot) *kgfile.File {
	t.Helper()
	kgfile.Quantise(s)
	s.KG.ParcelCount = len(s.Parcels)
	s.Folios = kgfile.Folios(s.Parcels)
	raw, err := kgfile.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// snapshot is a KG of parcels alone.
func snapshot(parcels ...kgfile.Parcel) *kgfile.Snapshot {
	s := &kgfile.Snapshot{KG: kgfile.KG{Code: "88801", Name: "Westdorf", GemeindeCode: "38801", LandUseCount: 1}, Parcels: parcels}
	s.KG.Box = geom.EmptyBox
	for _, p := range parcels {
		s.Outline = append(s.Outline, p.Geometry...)
		s.KG.Box = s.KG.Box.Union(p.Geometry.Bounds())
	}
	s.Build = kgfile.Build{Stichtag: "2026-10-01", AssemblyVersion: "tile_partition_v1", IngestGeneration: "tile_partition_v1",
		Source: "© BEV, 2026"}
	return s
}

const cell = 10_000

// rect is a parcel of a rectangle in cells of about 75 by 111 m.
func rect(gnr austria.GNR, x0, y0, x1, y1 float64) kgfile.Parcel {
	at := func(x, y float64) geom.Point {
		return geom.Point{X: 150_000_000 + int32(math.Round(x*cell)), Y: 480_000_000 + int32(math.Round(y*cell))}
	}
	m := geom.MultiPolygon{{geom.Ring{at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)}}}
	c := at((x0+x1)/2, (y0+y1)/2)
	return kgfile.Parcel{GNR: gnr, EZ: 7, Status: austria.StatusE, Geometry: m, AreaSqm: m.Area(crs.EqualArea), Centroid: c, Inside: c,
		VertexCount: 4}
}

func with(p kgfile.Parcel, f func(*kgfile.Parcel)) kgfile.Parcel {
	f(&p)
	return p
}

// drawn is a diff as one line a row.
func drawn(d *Diff) string {
	var b strings.Builder
	for _, r := range d.Rows {
		fmt.Fprintf(&b, "%s %s", r.GNR, r.Change)
		for _, e := range AllEvents() {
			if r.Events&e != 0 {
				fmt.Fprintf(&b, " %s", e)
			}
		}
		if r.Reshaped {
			b.WriteString(" reshaped")
		}
		for _, a := range r.Attributes {
			fmt.Fprintf(&b, " %s:%s>%s", a.Name, a.Before, a.After)
		}
		for _, l := range r.From {
			fmt.Fprintf(&b, " from %s(%.2f,%.2f)", l.GNR, l.OfThis, l.OfOther)
		}
		for _, l := range r.To {
			fmt.Fprintf(&b, " to %s(%.2f,%.2f)", l.GNR, l.OfThis, l.OfOther)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestWhatHappensToParcels(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after []kgfile.Parcel
		want          string
	}{
		{"nothing", []kgfile.Parcel{rect("1", 0, 0, 1, 1)}, []kgfile.Parcel{rect("1", 0, 0, 1, 1)}, ""},
		{"another order of vertices", []kgfile.Parcel{rect("1", 0, 0, 1, 1)},
			[]kgfile.Parcel{with(rect("1", 0, 0, 1, 1), func(p *kgfile.Parcel) {
				r := p.Geometry[0][0]
				p.Geometry = geom.MultiPolygon{{geom.Ring{r[1], r[2], r[3], r[0]}}}
			})}, ""},
		{"attributes", []kgfile.Parcel{rect("1", 0, 0, 1, 1)}, []kgfile.Parcel{with(rect("1", 0, 0, 1, 1), func(p *kgfile.Parcel) {
			p.EZ, p.Status, p.SymbolCounts = 0, austria.StatusG, []kgfile.CodeCount{{Code: 52, N: 1}}
		})}, "1 changed ez:7> status:E>G landuse_codes:>52\n"},
		{"a split into new numbers", []kgfile.Parcel{rect("12", 0, 0, 2, 1)},
			[]kgfile.Parcel{rect("12/1", 0, 0, 1.2, 1), rect("12/2", 1.2, 0, 2, 1)},
			"12 removed split to 12/1(0.60,1.00) to 12/2(0.40,1.00)\n12/1 added split from 12(1.00,0.60)\n12/2 added split from 12(1.00,0.40)\n"},
		{"a split that keeps the number", []kgfile.Parcel{rect("12", 0, 0, 2, 1)},
			[]kgfile.Parcel{rect("12", 0, 0, 1, 1), rect("13", 1, 0, 2, 1)},
			"12 changed split reshaped from 12(1.00,0.50) to 12(0.50,1.00) to 13(0.50,1.00)\n13 added split from 12(1.00,0.50)\n"},
		{"a merge", []kgfile.Parcel{rect("1", 0, 0, 1, 1), rect("2", 1, 0, 2, 1)}, []kgfile.Parcel{rect("1", 0, 0, 2, 1)},
			"1 changed merge reshaped from 1(0.50,1.00) from 2(0.50,1.00) to 1(1.00,0.50)\n2 removed merge to 1(1.00,0.50)\n"},
		{"another number", []kgfile.Parcel{rect("1", 0, 0, 1, 1)}, []kgfile.Parcel{rect("1/1", 0, 0, 1, 1)},
			"1 removed renumbered to 1/1(1.00,1.00)\n1/1 added renumbered from 1(1.00,1.00)\n"},
		{"a border that moves", []kgfile.Parcel{rect("1", 0, 0, 1, 1), rect("2", 1, 0, 2, 1)},
			[]kgfile.Parcel{rect("1", 0, 0, 1.05, 1), rect("2", 1.05, 0, 2, 1)},
			"1 changed reshaped from 1(0.95,1.00) to 1(1.00,0.95)\n2 changed reshaped from 2(1.00,0.95) to 2(0.95,1.00)\n"},
		{"gone and come elsewhere", []kgfile.Parcel{rect("1", 0, 0, 1, 1), rect("2", 1, 0, 2, 1)},
			[]kgfile.Parcel{rect("2", 1, 0, 2, 1), rect("3", 5, 5, 6, 6)},
			"1 removed\n3 added\n"},
		{"without a shape", []kgfile.Parcel{with(rect("1", 0, 0, 1, 1), func(p *kgfile.Parcel) { p.Geometry, p.AreaSqm = nil, 0 }),
			rect("2", 1, 0, 2, 1)},
			[]kgfile.Parcel{rect("1", 0, 0, 1, 1), with(rect("2", 1, 0, 2, 1), func(p *kgfile.Parcel) { p.Geometry, p.AreaSqm = nil, 0 })},
			"1 changed reshaped\n2 changed reshaped\n"},
	} {
		d, err := Of(open(t, snapshot(c.before...)), open(t, snapshot(c.after...)))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := drawn(d); got != c.want {
			t.Errorf("%s: want\n%sgot\n%s", c.name, c.want, got)
		}
	}
	other := snapshot(rect("1", 0, 0, 1, 1))
	other.KG.Code = "88802"
	if _, err := Of(open(t, snapshot(rect("1", 0, 0, 1, 1))), open(t, other)); err == nil {
		t.Error("want snapshots of two KGs refused")
	}
}

func TestNumbersAreOrderedAsPeopleDo(t *testing.T) {
	list := []austria.GNR{"100", "2/10", "2/9", "2", ".3", "10", ".20/1", ".20", "2/1"}
	slices.SortFunc(list, Compare)
	if got := fmt.Sprint(list); got != "[.3 .20 .20/1 2 2/1 2/9 2/10 10 100]" {
		t.Errorf("got %s", got)
	}
}

// changed is a KG after a random year: parcels split, merged, moved, renumbered.
func changed(t *testing.T, s *kgfile.Snapshot, rnd *rand.Rand) *kgfile.Snapshot {
	t.Helper()
	after := *s
	after.Parcels = slices.Clone(s.Parcels)
	after.Buildings, after.Footprints, after.LandUse, after.Symbols, after.Labels = nil, nil, nil, nil, nil
	next := 9000
	number := func() austria.GNR { next++; return austria.GNR(fmt.Sprint(next)) }
	for range 1 + len(after.Parcels)/8 {
		i := rnd.IntN(len(after.Parcels))
		p := &after.Parcels[i]
		switch rnd.IntN(5) {
		case 0: // split, sometimes keeping the number
			b := p.Geometry.Bounds()
			x := b.MinX + int32(float64(b.MaxX-b.MinX)*(0.2+0.6*rnd.Float64()))
			left, right := b, b
			left.MaxX, right.MinX = x, x
			l, r := p.Geometry.Clip(left), p.Geometry.Clip(right)
			if len(l) == 0 || len(r) == 0 {
				continue
			}
			q := *p
			p.Geometry, q.Geometry, q.GNR = l, r, number()
			if rnd.IntN(2) == 0 {
				p.GNR = number()
			}
			after.Parcels = append(after.Parcels, q)
		case 1: // merge with a neighbour
			j := (i + 1) % len(after.Parcels)
			m, err := geom.Dissolve([]geom.MultiPolygon{p.Geometry, after.Parcels[j].Geometry}, 0)
			if err != nil {
				continue
			}
			p.Geometry = m
			after.Parcels = slices.Delete(after.Parcels, j, j+1)
		case 2: // move
			dx, dy := rnd.Int32N(2000)-1000, rnd.Int32N(2000)-1000
			p.Geometry = moved(p.Geometry, dx, dy)
		case 3:
			p.GNR = number()
		case 4:
			after.Parcels = slices.Delete(after.Parcels, i, i+1)
		}
	}
	box := geom.EmptyBox
	for i := range after.Parcels {
		p := &after.Parcels[i]
		p.AreaSqm = p.Geometry.Area(crs.EqualArea)
		p.Centroid, _ = p.Geometry.Centroid()
		p.Inside, _ = p.Geometry.Inside()
		p.UseAreas, p.BuildingCount, p.FootprintCount = nil, 0, 0
		box = box.Union(p.Geometry.Bounds())
	}
	after.KG.Box = box
	slices.SortFunc(after.Parcels, func(a, b kgfile.Parcel) int {
		return cmp.Or(cmp.Compare(packtree.Hilbert(a.Inside, box), packtree.Hilbert(b.Inside, box)), cmp.Compare(a.GNR, b.GNR))
	})
	return &after
}

func moved(m geom.MultiPolygon, dx, dy int32) geom.MultiPolygon {
	out := make(geom.MultiPolygon, len(m))
	for i, p := range m {
		for _, r := range p {
			q := make(geom.Ring, len(r))
			for k, v := range r {
				q[k] = geom.Point{X: v.X + dx, Y: v.Y + dy}
			}
			out[i] = append(out[i], q)
		}
	}
	return out
}

// judge is a shape in the plane as simplefeatures has it.
func judge(m geom.MultiPolygon) sf.Geometry {
	var ps []sf.Polygon
	for _, p := range m {
		var rings []sf.LineString
		for _, r := range p {
			var xy []float64
			for _, v := range append(slices.Clone(r), r[0]) {
				x, y := crs.EqualArea(v)
				xy = append(xy, x, y)
			}
			rings = append(rings, sf.NewLineStringXY(xy...))
		}
		ps = append(ps, sf.NewPolygon(rings))
	}
	return sf.NewMultiPolygon(ps).AsGeometry()
}

// reference compares two snapshots pair by pair with the overlay of simplefeatures, by the rules as they are
// written down.
type reference struct {
	a, b   []kgfile.Parcel
	ga, gb []sf.Geometry
	common map[[2]int]float64
}

func newReference(t *testing.T, x, y *kgfile.File) *reference {
	t.Helper()
	r := &reference{common: map[[2]int]float64{}}
	r.a, _ = x.Parcels()
	r.b, _ = y.Parcels()
	for _, p := range r.a {
		r.ga = append(r.ga, judge(p.Geometry))
	}
	for _, p := range r.b {
		r.gb = append(r.gb, judge(p.Geometry))
	}
	for i, g := range r.ga {
		for j, h := range r.gb {
			if !r.a[i].Geometry.Bounds().Intersects(r.b[j].Geometry.Bounds()) {
				continue
			}
			x, err := sf.Intersection(g, h)
			if err != nil {
				continue // the reference gives up on some touching borders
			}
			if v := x.Area(); v > 0 {
				r.common[[2]int{i, j}] = v
			}
		}
	}
	return r
}

func (r *reference) check(t *testing.T, d *Diff) {
	t.Helper()
	rows := map[string]*Row{}
	for i := range d.Rows {
		rows[d.Rows[i].Change.String()+" "+string(d.Rows[i].GNR)] = &d.Rows[i]
	}
	near := func(v, want float64) bool { return math.Abs(v-want) <= 0.02+1e-6*want }
	byName := map[austria.GNR]int{}
	for j, p := range r.b {
		byName[p.GNR] = j
	}
	kept := map[int]bool{}
	for i, p := range r.a {
		j, ok := byName[p.GNR]
		if !ok {
			row := rows["removed "+string(p.GNR)]
			if row == nil || !near(row.SymmetricSqm, r.ga[i].Area()) {
				t.Fatalf("%s is gone: %+v", p.GNR, row)
			}
			r.links(t, row, i)
			continue
		}
		kept[j] = true
		want := r.ga[i].Area() + r.gb[j].Area() - 2*r.common[[2]int{i, j}]
		row := rows["changed "+string(p.GNR)]
		got := 0.0
		if row != nil {
			got = row.SymmetricSqm
			r.links(t, row, i)
		}
		if !near(got, want) {
			t.Fatalf("%s: symmetric difference %.3f, the reference has %.3f", p.GNR, got, want)
		}
	}
	for j, p := range r.b {
		if row := rows["added "+string(p.GNR)]; (row != nil) == kept[j] {
			t.Fatalf("%s: added %v, the reference says %v", p.GNR, row != nil, !kept[j])
		}
	}
}

// links compares what an old parcel became. Shares within a thousandth of a threshold are left to either.
func (r *reference) links(t *testing.T, row *Row, i int) {
	t.Helper()
	got := map[austria.GNR]float64{}
	for _, l := range row.To {
		got[l.GNR] = l.CommonSqm
	}
	parts := 0
	for j, p := range r.b {
		common := r.common[[2]int{i, j}]
		a, b := r.ga[i].Area(), r.gb[j].Area()
		switch least := LinkShare * min(a, b); {
		case math.Abs(common-least) < 0.001*least:
			return
		case (common >= least) != (got[p.GNR] > 0) && (row.Change == Removed || row.Reshaped):
			if unmoved(r, j) && row.Change != Removed {
				continue // links are among parcels that moved
			}
			t.Fatalf("%s to %s: common %.2f of %.2f and %.2f, linked %v", row.GNR, p.GNR, common, a, b, got[p.GNR] > 0)
		case got[p.GNR] > 0 && math.Abs(common-got[p.GNR]) > 0.02+1e-6*common:
			t.Fatalf("%s to %s: common %.3f, the reference has %.3f", row.GNR, p.GNR, got[p.GNR], common)
		}
		if math.Abs(common-PartShare*b) < 0.001*b {
			return
		}
		if common >= PartShare*b && got[p.GNR] > 0 {
			parts++
		}
	}
	if split := row.Events&Split != 0; split != (parts >= 2) && !partOfAnother(row) {
		t.Fatalf("%s has %d parts, split %v", row.GNR, parts, split)
	}
}

// partOfAnother says that the row is marked as part of another parcel that was split.
func partOfAnother(row *Row) bool { return len(row.From) > 0 }

// unmoved says whether a new parcel covers what it covered before.
func unmoved(r *reference, j int) bool {
	i := slices.IndexFunc(r.a, func(p kgfile.Parcel) bool { return p.GNR == r.b[j].GNR })
	return i >= 0 && r.ga[i].Area()+r.gb[j].Area()-2*r.common[[2]int{i, j}] < 0.02
}

// Random years of a KG, compared with a slow comparison over another library's overlay.
func TestAgainstASlowComparison(t *testing.T) {
	for seed := range oracles.Rounds(t, 12) {
		rnd := rand.New(rand.NewPCG(uint64(seed), 3))
		before := kgtest.Snapshot(kgtest.Options{Code: "88801", Parcels: 20 + rnd.IntN(40), Segments: 1 + rnd.IntN(3), AreaKm2: 0.2,
			Seed: uint64(seed)})
		before.Buildings, before.Footprints, before.LandUse, before.Symbols, before.Labels = nil, nil, nil, nil, nil
		for i := range before.Parcels {
			before.Parcels[i].UseAreas, before.Parcels[i].BuildingCount, before.Parcels[i].FootprintCount = nil, 0, 0
		}
		x, y := open(t, before), open(t, changed(t, before, rnd))
		d, err := Of(x, y)
		if err != nil {
			t.Fatal(err)
		}
		newReference(t, x, y).check(t, d)
		again, err := Of(x, y)
		if err != nil || drawn(again) != drawn(d) {
			t.Fatalf("seed %d: the same comparison gives something else (%v)", seed, err)
		}
		back, err := Of(y, x)
		if err != nil || back.Added != d.Removed || back.Removed != d.Added || back.Reshaped != d.Reshaped || back.Splits != d.Merges ||
			back.Merges != d.Splits || back.Renumbered != d.Renumbered {
			t.Fatalf("seed %d: forwards %+v, backwards %+v, %v", seed, d, back, err)
		}
	}
}

// BenchmarkOf compares a KG like the largest with its state a year later: 2 % of the parcels changed, and the whole
// KG redrawn, which is the most that can be.
func BenchmarkOf(b *testing.B) {
	before := kgtest.Snapshot(kgtest.Large)
	x := open(b, before)
	some, all := *before, *before
	some.Parcels, all.Parcels = slices.Clone(before.Parcels), slices.Clone(before.Parcels)
	for i := range before.Parcels {
		shifted := moved(before.Parcels[i].Geometry, 40, 25)
		all.Parcels[i].Geometry = shifted
		if i%100 == 7 {
			some.Parcels[i].GNR = austria.GNR(fmt.Sprint(90_000 + i))
		}
		if i%100 == 57 {
			some.Parcels[i].Geometry = shifted
		}
	}
	for name, s := range map[string]*kgfile.Snapshot{"a year": &some, "everything": &all} {
		y := open(b, s)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Of(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
