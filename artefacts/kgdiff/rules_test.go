package kgdiff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// compare is Of over parcels alone.
func compare(t testing.TB, before, after []kgfile.Parcel) *Diff {
	t.Helper()
	d, err := Of(open(t, snapshot(before...)), open(t, snapshot(after...)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

type parcels = []kgfile.Parcel

// The shares at which parcels are linked (a tenth of the smaller one), are parts (a half) and are one parcel with another
// number (95 % of each), on both sides of the bound.
func TestSharesOnBothSidesOfTheirBounds(t *testing.T) {
	old := rect("12", 0, 0, 2, 1)
	for _, c := range []struct {
		name          string
		before, after parcels
		want          string
	}{
		{"less than a tenth", parcels{rect("1", 0, 0, 1, 1)}, parcels{rect("3", 0.91, 0, 1.91, 1)}, "1 removed\n3 added\n"},
		{"more than a tenth", parcels{rect("1", 0, 0, 1, 1)}, parcels{rect("3", 0.89, 0, 1.89, 1)},
			"1 removed to 3(0.11,0.11)\n3 added from 1(0.11,0.11)\n"},
		{"a tenth of the smaller one", parcels{rect("1", 0, 0, 1, 1)}, parcels{rect("3", 0.95, 0, 1.15, 1)},
			"1 removed to 3(0.05,0.25)\n3 added from 1(0.25,0.05)\n"},
		{"a tenth of the smaller one, which is the old one", parcels{rect("1", 0.95, 0, 1.15, 1)}, parcels{rect("3", 0, 0, 1, 1)},
			"1 removed to 3(0.25,0.05)\n3 added from 1(0.05,0.25)\n"},
		{"beside", parcels{rect("1", 0, 0, 1, 1)}, parcels{rect("3", 1, 0, 2, 1), rect("4", 0, 1, 1, 2), rect("5", -1, 0, 0, 1),
			rect("6", 0,
				-1, 1, 0)},
			"1 removed\n3 added\n4 added\n5 added\n6 added\n"},
		{"the second is no part", parcels{old}, parcels{rect("12/1", 0, 0, 1, 1), rect("12/2", 1.54, 0, 2.54, 1)},
			"12 removed to 12/1(0.50,1.00) to 12/2(0.23,0.46)\n12/1 added from 12(1.00,0.50)\n12/2 added from 12(0.46,0.23)\n"},
		{"the second is a part", parcels{old}, parcels{rect("12/1", 0, 0, 1, 1), rect("12/2", 1.46, 0, 2.46, 1)},
			"12 removed split to 12/1(0.50,1.00) to 12/2(0.27,0.54)\n12/1 added split from 12(1.00,0.50)\n12/2 added split from 12(0.54,0.27)\n"},
		{"a third is no part", parcels{old}, parcels{rect("12/1", 0, 0, 1, 1), rect("12/2", 1, 0, 1.6, 1), rect("13", 1.6, 0, 3.6, 1)},
			"12 removed split to 12/1(0.50,1.00) to 12/2(0.30,1.00) to 13(0.20,0.20)\n" +
				"12/1 added split from 12(1.00,0.50)\n12/2 added split from 12(1.00,0.30)\n13 added from 12(0.20,0.20)\n"},
		{"a third is no part of a merged one", parcels{rect("1", 0, 0, 1, 1), rect("2", 1, 0, 1.6, 1), rect("3", 1.6, 0, 3.6, 1)},
			parcels{rect("9", 0, 0, 2, 1)},
			"1 removed merge to 9(1.00,0.50)\n2 removed merge to 9(1.00,0.30)\n3 removed to 9(0.20,0.20)\n" +
				"9 added merge from 1(0.50,1.00) from 2(0.30,1.00) from 3(0.20,0.20)\n"},
		{"94 % of each", parcels{rect("1", 0, 0, 1, 1)}, parcels{rect("2", 0.06, 0, 1.06, 1)},
			"1 removed to 2(0.94,0.94)\n2 added from 1(0.94,0.94)\n"},
		{"96 % of each", parcels{rect("1", 0, 0, 1, 1)}, parcels{rect("2", 0.04, 0, 1.04, 1)},
			"1 removed renumbered to 2(0.96,0.96)\n2 added renumbered from 1(0.96,0.96)\n"},
		{"all of the old and less of the new", parcels{rect("1", 0, 0, 1, 1)}, parcels{rect("2", 0, 0, 1.1, 1)},
			"1 removed to 2(1.00,0.91)\n2 added from 1(0.91,1.00)\n"},
		{"all of the new and less of the old", parcels{rect("1", 0, 0, 1.1, 1)}, parcels{rect("2", 0, 0, 1, 1)},
			"1 removed to 2(0.91,1.00)\n2 added from 1(1.00,0.91)\n"},
	} {
		if got := drawn(compare(t, c.before, c.after)); got != c.want {
			t.Errorf("%s: want\n%sgot\n%s", c.name, c.want, got)
		}
	}
}

// A number that stays is not renumbered, whoever's ground it comes to lie on.
func TestAKeptNumberIsNotRenumbered(t *testing.T) {
	for _, before := range []parcels{{rect("1", 0, 0, 1, 1), rect("2", 5, 0, 6, 1)}, {rect("2", 5, 0, 6, 1), rect("1", 0, 0, 1, 1)}} {
		d := compare(t, before, parcels{rect("2", 0, 0, 1, 1)})
		if got, want := drawn(d), "1 removed to 2(1.00,1.00)\n2 changed reshaped from 1(1.00,1.00)\n"; got != want || d.Renumbered != 0 {
			t.Errorf("the new one has its old number: want\n%sgot\n%s", want, got)
		}
	}
	d := compare(t, parcels{rect("1", 0, 0, 1, 1)}, parcels{rect("1", 5, 0, 6, 1), rect("2", 0, 0, 1, 1)})
	if got, want := drawn(d), "1 changed reshaped to 2(1.00,1.00)\n2 added from 1(1.00,1.00)\n"; got != want || d.Renumbered != 0 {
		t.Errorf("the old one is elsewhere: want\n%sgot\n%s", want, got)
	}
}

// A parcel that did not change is linked to one that went where snapshots overlap, and to no other; the first parcel of
// a file is one like the others.
func TestGroundOfWhatDidNotChange(t *testing.T) {
	stays := rect("2", 0.5, 0, 2, 1)
	for _, first := range []bool{true, false} {
		order := func(a, b kgfile.Parcel) parcels {
			if first {
				return parcels{a, b}
			}
			return parcels{b, a}
		}
		if got, want := drawn(compare(t, order(rect("1", 0, 0, 1, 1), stays), parcels{stays})), "1 removed to 2(0.50,0.33)\n"; got != want {
			t.Errorf("one that went: want\n%sgot\n%s", want, got)
		}
		d := compare(t, order(rect("1", 0, 0, 1, 1), stays), order(rect("1", 0, 0, 0.9, 1), stays))
		if got, want := drawn(d), "1 changed reshaped from 1(1.00,0.90) to 1(0.90,1.00)\n"; got != want {
			t.Errorf("one that changed: want\n%sgot\n%s", want, got)
		}
		other := with(stays, func(p *kgfile.Parcel) { p.EZ = 8 })
		d = compare(t, order(rect("1", 0, 0, 1, 1), stays), order(rect("1", 0, 0, 0.9, 1), other))
		if got, want := drawn(d), "1 changed reshaped from 1(1.00,0.90) to 1(0.90,1.00)\n2 changed ez:7>8\n"; got != want {
			t.Errorf("one with another folio did not move: want\n%sgot\n%s", want, got)
		}
	}
}

// Two parts of a parcel that stays on its ground make no split of one that has no row.
func TestAParcelWithoutARowIsNotMerged(t *testing.T) {
	stays := rect("2", 0, 0, 2, 1)
	d := compare(t, parcels{rect("1", 0, 0, 1, 1), stays, rect("3", 1, 0, 2, 1)}, parcels{stays})
	if got, want := drawn(d), "1 removed to 2(1.00,0.50)\n3 removed to 2(1.00,0.50)\n"; got != want || d.Merges != 0 || d.Unchanged != 1 {
		t.Errorf("want\n%sgot\n%s%+v", want, got, d)
	}
}

// A shape without an area is on no ground: it is neither linked nor does it make a share.
func TestAShapeWithoutAnArea(t *testing.T) {
	line := rect("9", 0.5, 0, 0.5, 1)
	for _, c := range []struct {
		before, after parcels
		want          string
	}{
		{parcels{rect("1", 0, 0, 1, 1)}, parcels{line}, "1 removed\n9 added\n"},
		{parcels{line}, parcels{rect("1", 0, 0, 1, 1)}, "1 added\n9 removed\n"},
		{parcels{line}, parcels{with(line, func(p *kgfile.Parcel) { p.GNR = "10" })}, "9 removed\n10 added\n"},
	} {
		if got := drawn(compare(t, c.before, c.after)); got != c.want {
			t.Errorf("want\n%sgot\n%s", c.want, got)
		}
		if got, err := Successors(&c.before[0], open(t, snapshot(c.after...))); err != nil || len(got) != 0 {
			t.Errorf("%s has the successors %v, %v", c.before[0].GNR, got, err)
		}
	}
}

// Links stand by the common area, the largest first, equal ones by their number.
func TestOrderOfLinks(t *testing.T) {
	d := compare(t, parcels{rect("1", -0.1, -0.1, 4.1, 1.1)}, parcels{rect("10", 0, 0, 1, 1), rect("9", 1, 0, 2, 1), rect("2", 2, 0, 2.5,
		1), rect("3", 2.5, 0, 4, 1)})
	var order []austria.GNR
	for _, l := range d.Find("1").To {
		order = append(order, l.GNR)
	}
	if want := []austria.GNR{"3", "9", "10", "2"}; !slices.Equal(order, want) {
		t.Errorf("want %v, got %v", want, order)
	}
	for _, g := range []austria.GNR{"10", "9", "2", "3", "1"} {
		if r := d.Find(g); r == nil || r.GNR != g {
			t.Errorf("row of %s: %+v", g, r)
		}
	}
	if d.Find("4") != nil || d.Find("11") != nil || d.Find(".1") != nil {
		t.Error("a number without a row has none")
	}
}

// What is counted, and the areas: of a parcel that grew by its neighbour the neighbour's, of one that came or went its own.
func TestCounts(t *testing.T) {
	folio := func(p *kgfile.Parcel) { p.EZ = 99 }
	before := parcels{rect("1", 0, 0, 1, 1), rect("2", 1, 0, 2, 1), rect("5", 0, 2, 2, 3), rect("7", 4, 0, 5, 1), rect("8", 6, 0, 7, 1),
		rect("9", 8, 0, 9, 1), rect("11", 10, 0, 11, 1), rect("12", 12, 0, 13, 1), rect("13", 14, 0, 15, 1)}
	after := parcels{rect("1", 0, 0, 2, 1), rect("5/1", 0, 2, 1, 3), rect("5/2", 1, 2, 2, 3), with(rect("7", 4, 0, 5, 1), folio), rect("8",
		6, 0, 7, 1),
		rect("10", 8, 0, 9, 1), with(rect("11", 10, 0, 11, 1), corner), with(rect("12", 12, 0, 13.25, 1), folio), rect("14", 20, 0, 21, 1)}
	d := compare(t, before, after)
	got := fmt.Sprintf("added %d removed %d changed %d reshaped %d attributed %d splits %d merges %d renumbered %d redrawn %d unchanged %d",
		d.Added, d.Removed, d.Changed, d.Reshaped, d.Attributed, d.Splits, d.Merges, d.Renumbered, d.Redrawn, d.Unchanged)
	// added 5/1 5/2 10 14; removed 2 5 9 13; changed 1 7 12; unchanged 8 and the redrawn 11
	if want := "added 4 removed 4 changed 3 reshaped 2 attributed 2 splits 1 merges 1 renumbered 1 redrawn 1 unchanged 2"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.05 {
			t.Errorf("%s: want %.2f m², got %.2f", name, want, got)
		}
	}
	near("1 grew by 2", d.Find("1").SymmetricSqm, rect("2", 1, 0, 2, 1).AreaSqm)
	near("12 grew by a strip", d.Find("12").SymmetricSqm, rect("x", 13, 0, 13.25, 1).AreaSqm)
	near("7 kept its shape", d.Find("7").SymmetricSqm, 0)
	near("5 went", d.Find("5").SymmetricSqm, rect("5", 0, 2, 2, 3).AreaSqm)
	near("14 came", d.Find("14").SymmetricSqm, rect("14", 20, 0, 21, 1).AreaSqm)
	near("the sum over the changed ones", d.SymmetricSqm, rect("2", 1, 0, 2, 1).AreaSqm+rect("x", 13, 0, 13.25, 1).AreaSqm)
	near("common of 1 and 2", d.Find("2").To[0].CommonSqm, rect("2", 1, 0, 2, 1).AreaSqm)
}

// corner gives a rectangle a vertex in the middle of its first edge.
func corner(p *kgfile.Parcel) {
	r := p.Geometry[0][0]
	p.Geometry = geom.MultiPolygon{{geom.Ring{r[0], {X: (r[0].X + r[1].X) / 2, Y: r[0].Y}, r[1], r[2], r[3]}}}
	p.VertexCount = 5
}

// A corner that moves by the last digit, some 1.1 cm: across an edge of 0.3 m that is 0.0017 m² and a redrawn parcel,
// across 1.5 m it is 0.0083 m² and a changed one.
func TestRedrawnBelowTheLeastArea(t *testing.T) {
	tiny := func(width float64) (a, b kgfile.Parcel) {
		a = rect("1", 0, 0, width, 0.01)
		b = with(rect("1", 0, 0, width, 0.01), func(p *kgfile.Parcel) { p.Geometry[0][0][2].Y++ })
		return a, b
	}
	for width, want := range map[float64]string{0.004: "", 0.02: "1 changed reshaped from 1(1.00,0.99) to 1(0.99,1.00)\n"} {
		a, b := tiny(width)
		d := compare(t, parcels{a}, parcels{b})
		same := want == ""
		if (len(d.Rows) == 0) != same || (d.Redrawn == 1) != same || (d.Unchanged == 1) != same || (d.Reshaped == 0) != same {
			t.Errorf("%g cells: %s%+v", width, drawn(d), d)
		}
	}
	// one that is redrawn and has another folio is changed, by no area
	a, b := tiny(0.004)
	b.EZ = 8
	if d := compare(t, parcels{a}, parcels{b}); drawn(d) != "1 changed ez:7>8\n" || d.SymmetricSqm != 0 || d.Redrawn != 1 ||
		d.Unchanged != 0 {
		t.Errorf("got %s%+v", drawn(d), d)
	}
}

// An attribute is compared where both snapshots have it of any parcel: what a snapshot does not have is unknown.
func TestAttributesThatBothSnapshotsHave(t *testing.T) {
	counted := func(buildings, footprints, uses int) func(*kgfile.Snapshot) {
		return func(s *kgfile.Snapshot) {
			s.KG.BuildingCount, s.KG.FootprintCount, s.KG.LandUseCount = buildings, footprints, uses
		}
	}
	symbols := func(codes ...austria.LandUse) (out []kgfile.CodeCount) {
		for _, c := range codes {
			out = append(out, kgfile.CodeCount{Code: c, N: 1})
		}
		return out
	}
	plain := rect("1", 0, 0, 1, 1)
	full := with(plain, func(p *kgfile.Parcel) {
		p.BuildingCount, p.FootprintCount, p.DominantLandUse, p.SymbolCounts = 2, 3, 52, symbols(52)
	})
	for _, c := range []struct {
		name          string
		before, after func(*kgfile.Snapshot)
		want          string
	}{
		{"all", counted(1, 1, 1), counted(2, 3, 1),
			"1 changed landuse_codes:>52 dominant_landuse:>52 building_count:0>2 footprint_count:0>3\n"},
		{"the old one has none", counted(0, 0, 0), counted(2, 3, 1), ""},
		{"the new one has none", counted(1, 1, 1), counted(0, 0, 0), ""},
		{"footprints have uses too", counted(0, 1, 0), counted(0, 3, 0),
			"1 changed landuse_codes:>52 dominant_landuse:>52 footprint_count:0>3\n"},
		{"buildings alone", counted(1, 0, 0), counted(2, 3, 1), "1 changed building_count:0>2\n"},
	} {
		var before, after kgfile.Snapshot
		c.before(&before)
		c.after(&after)
		d := &Diff{}
		if list := compareAttributes(&plain, &full, compared(before.KG, after.KG)); len(list) > 0 {
			d.Rows = []Row{{GNR: "1", Change: Changed, Attributes: list}}
		}
		if got := drawn(d); got != c.want {
			t.Errorf("%s: want %q, got %q", c.name, c.want, got)
		}
	}
}

// Land-use codes are those of symbols and areas together, whatever their number and their areas.
func TestSameUses(t *testing.T) {
	type count = []kgfile.CodeCount
	type area = []kgfile.CodeArea
	for _, c := range []struct {
		name                       string
		symbolsBefore, symbolAfter count
		before, after              area
		same                       bool
	}{
		{"none", nil, nil, nil, nil, true},
		{"other areas", nil, nil, area{{Code: 41, Sqm: 5}}, area{{Code: 41, Sqm: 7}}, true},
		{"other counts", count{{Code: 41, N: 1}}, count{{Code: 41, N: 3}}, nil, nil, true},
		{"another area's code", count{{Code: 83, N: 1}}, count{{Code: 83, N: 1}}, area{{Code: 41, Sqm: 5}}, area{{Code: 52, Sqm: 5}},
			false},
		{"another symbol", count{{Code: 83, N: 1}}, count{{Code: 52, N: 1}}, area{{Code: 41, Sqm: 5}}, area{{Code: 41, Sqm: 5}}, false},
		{"a symbol in place of an area", count{{Code: 41, N: 1}}, nil, nil, area{{Code: 41, Sqm: 5}}, true},
		{"one more", nil, nil, area{{Code: 41, Sqm: 5}}, area{{Code: 41, Sqm: 5}, {Code: 52, Sqm: 5}}, false},
	} {
		a, b := kgfile.Parcel{SymbolCounts: c.symbolsBefore, UseAreas: c.before},
			kgfile.Parcel{SymbolCounts: c.symbolAfter, UseAreas: c.after}
		if sameUses(&a, &b) != c.same || sameUses(&b, &a) != c.same {
			t.Errorf("%s: want %v", c.name, c.same)
		}
	}
}

// Any two numbers compare as their places in the order do.
func TestCompareOfPairs(t *testing.T) {
	order := []austria.GNR{".1", ".3", ".20", ".20/1", ".20/2", "1", "2", "2/0", "2/1", "2/9", "2/10", "02/10", "10", "10/1", "100"}
	// 02/10 and 2/10 are the same number: their texts decide, so that the order is one
	slices.SortFunc(order[10:12], func(a, b austria.GNR) int { return Compare(a, b) })
	for i, a := range order {
		for j, b := range order {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := Compare(a, b); got != want {
				t.Errorf("%s and %s: want %d, got %d", a, b, want, got)
			}
		}
	}
}

// The successors of a parcel that went are the links that the comparison of both snapshots gives it.
func TestSuccessorsAreTheLinks(t *testing.T) {
	for seed := range uint64(4) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		before := kgtest.Snapshot(kgtest.Options{Code: "88801", Parcels: 60, Segments: 2, AreaKm2: 0.2, Seed: seed})
		before.Buildings, before.Footprints, before.LandUse, before.Symbols, before.Labels = nil, nil, nil, nil, nil
		x, y := open(t, before), open(t, changed(t, before, rnd))
		d, err := Of(x, y)
		if err != nil {
			t.Fatal(err)
		}
		linked := 0
		for i := range d.Rows {
			r := &d.Rows[i]
			if r.Change != Removed {
				continue
			}
			got, err := Successors(r.Before, y)
			if err != nil || !slices.Equal(got, r.To) {
				t.Errorf("seed %d, %s: want %v, got %v, %v", seed, r.GNR, r.To, got, err)
			}
			linked += len(got)
		}
		if linked == 0 {
			t.Errorf("seed %d: no parcel that went has a successor", seed)
		}
	}
	after := open(t, snapshot(rect("3", 0.91, 0, 1.91, 1), rect("4", 0, 0.89, 1, 1.89), with(rect("5", 0, 0, 1, 1), func(p *kgfile.Parcel) {
		p.Geometry, p.AreaSqm = nil, 0
	})))
	p := rect("1", 0, 0, 1, 1)
	if got, err := Successors(&p, after); err != nil || len(got) != 1 || got[0].GNR != "4" || math.Abs(got[0].OfThis-0.11) > 0.001 ||
		math.Abs(got[0].OfOther-0.11) > 0.001 {
		t.Errorf("a tenth is the least: got %v, %v", got, err)
	}
	p.Geometry = nil
	if got, err := Successors(&p, after); err != nil || len(got) != 0 {
		t.Errorf("a parcel without a shape: got %v, %v", got, err)
	}
}

// The bound by boxes is never below the common area, and 0 where boxes do not overlap.
func TestAtMostBoundsTheCommonArea(t *testing.T) {
	box := func(x0, y0, x1, y1 float64) geom.Box { return rect("1", x0, y0, x1, y1).Geometry.Bounds() }
	a := box(0, 0, 2, 2)
	for _, c := range []struct {
		b    geom.Box
		ring kgfile.Parcel // what they share; no area: nothing
	}{
		{box(1, 1, 3, 3), rect("", 1, 1, 2, 2)},
		{box(-1, -1, 1, 1), rect("", 0, 0, 1, 1)},
		{box(0.5, 0.5, 1, 1), rect("", 0.5, 0.5, 1, 1)},
		{box(-1, 0.5, 3, 1), rect("", 0, 0.5, 2, 1)},
		{box(2, 0, 3, 1), kgfile.Parcel{}},
		{box(0, 2, 1, 3), kgfile.Parcel{}},
		{box(3, 3, 4, 4), kgfile.Parcel{}},
		{box(-2, 0, -1, 1), kgfile.Parcel{}},
		{box(0, -2, 1, -1), kgfile.Parcel{}},
	} {
		got, back := atMost(a, c.b), atMost(c.b, a)
		if got != back || got < c.ring.AreaSqm || got > 1.1*c.ring.AreaSqm {
			t.Errorf("%v: want a little over %.1f m², got %.1f and %.1f", c.b, c.ring.AreaSqm, got, back)
		}
	}
}

// Find is the row of a parcel number; nil where it did not change.
func (d *Diff) Find(g austria.GNR) *Row {
	i, ok := slices.BinarySearchFunc(d.Rows, g, func(r Row, g austria.GNR) int { return Compare(r.GNR, g) })
	if !ok {
		return nil
	}
	return &d.Rows[i]
}
