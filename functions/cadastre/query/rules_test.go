package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mappe/artefacts/columns"
	"mappe/artefacts/register"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

func setOf(codes ...austria.LandUse) (s austria.LandUseSet) {
	for _, c := range codes {
		s.Add(c)
	}
	return s
}

// What the summary of a KG says of its rows, at each bound and beside it. The KG has areas from 100 to 500 m².
func TestJudge(t *testing.T) {
	kg := func(edit func(*columns.KG)) *columns.KG {
		k := &columns.KG{Parcels: 3, Least: columns.Hundredths(100), Greatest: columns.Hundredths(500), Codes: setOf(41, 52),
			Box: geom.Box{MinX: 10, MinY: 10, MaxX: 20, MaxY: 20}}
		if edit != nil {
			edit(k)
		}
		return k
	}
	areas := func(low, high float64) filter {
		f := filter{}
		f.least, f.most = bounds(low, high)
		return f
	}
	all := areas(0, math.Inf(1))
	with := func(edit func(*filter)) filter { f := all; edit(&f); return f }
	box := func(x0, y0, x1, y1 int32) filter {
		return with(func(f *filter) { f.box = &geom.Box{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1} })
	}
	use := func(codes ...austria.LandUse) filter {
		return with(func(f *filter) { s := setOf(codes...); f.LandUse = &s })
	}
	for _, c := range []struct {
		name string
		f    filter
		edit func(*columns.KG)
		want verdict
	}{
		{"every area", all, nil, allFit},
		{"the least area is the bound", areas(100, math.Inf(1)), nil, allFit},
		{"the least area is less", areas(100.01, math.Inf(1)), nil, some},
		{"the greatest area is the bound", areas(0, 500), nil, allFit},
		{"the greatest area is more", areas(0, 499.99), nil, some},
		{"the greatest area alone", areas(500, 600), nil, some},
		{"all areas are less", areas(500.01, 600), nil, noneFits},
		{"the least area alone", areas(50, 100), nil, some},
		{"all areas are more", areas(50, 99.99), nil, noneFits},
		{"an area is not known", all, func(k *columns.KG) { k.Least = 0 }, some},
		{"no parcel", all, func(k *columns.KG) { k.Parcels = 0 }, noneFits},
		{"a code it has", use(52, 83), nil, some},
		{"codes it has not", use(48, 83), nil, noneFits},
		{"a status", with(func(f *filter) { f.status = 1 }), nil, some},
		{"a folio", with(func(f *filter) { f.ez = 7 }), nil, some},
		{"buildings", with(func(f *filter) { f.Filter = parcelfilter.Filter{Built: 1} }), nil, some},
		{"no buildings", with(func(f *filter) { f.Filter = parcelfilter.Filter{Built: -1} }), nil, some},
		{"a box around it", box(10, 10, 20, 20), nil, allFit},
		{"a box over its corner", box(20, 20, 30, 30), nil, some},
		{"a box beside it", box(21, 10, 30, 20), nil, noneFits},
	} {
		if got := c.f.judge(kg(c.edit), false); got != c.want {
			t.Errorf("%s: want %d, got %d", c.name, c.want, got)
		}
	}
	built := with(func(f *filter) { f.Filter = parcelfilter.Filter{Built: 1} })
	if got := built.judge(kg(nil), true); got != allFit {
		t.Errorf("the summary is that of parcels with buildings: want %d, got %d", allFit, got)
	}
}

// The bounds of the columns are those of the request: an area passes as the number does, at each step of 0.01 m².
func TestBounds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		v := float64(rnd.IntN(100_000)) / 100
		for _, bound := range []float64{v, v + 0.01, v - 0.01, v + 0.004, v - 0.004} {
			if bound < 0 {
				continue
			}
			h := columns.Hundredths(v)
			if least, _ := bounds(bound, math.Inf(1)); (h >= least) != (v >= bound) {
				t.Fatalf("%g of at least %g: %d and %d", v, bound, h, least)
			}
			if _, most := bounds(0, bound); (h <= most) != (v <= bound) {
				t.Fatalf("%g of at most %g: %d and %d", v, bound, h, most)
			}
		}
	}
	if least, most := bounds(0, math.Inf(1)); least != 0 || most != math.MaxUint64 {
		t.Errorf("without bounds an area that is not known passes: %d to %d", least, most)
	}
	if least, _ := bounds(0.001, math.Inf(1)); least <= columns.Hundredths(0) {
		t.Errorf("of a bound an area that is not known, or none, does not pass: %d", least)
	}
}

// The first hits of an order are those that sorting all of them gives, however many come, and a KG that is said to lie
// beyond them has none of them.
func TestBest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 2, 10, 300} {
		for _, count := range []int{0, 1, n, n + 1, 2*n + slackHits - 1, 2*n + slackHits, 2*n + slackHits + 1, 2000} {
			b := best{n: n}
			var all []hit
			for i := range count {
				h := hit{a: uint64(rnd.IntN(50)), b: uint64(rnd.IntN(3)), place: int32(rnd.IntN(4)), row: int32(i)}
				all = append(all, h)
				b.add(h)
				if b.full && len(b.hits) > 2*n+slackHits {
					t.Fatalf("%d of %d hits are held", len(b.hits), n)
				}
			}
			if held := len(b.hits); n > 0 && count >= 2*n+slackHits {
				if b.add(hit{a: 50}); len(b.hits) != held {
					t.Fatalf("a hit behind the %d of %d that are wanted is held", n, count)
				}
			}
			slices.SortFunc(all, byRank)
			for _, offset := range []int{0, 1, n / 2, n, n + 5} {
				c := b
				c.hits = slices.Clone(b.hits)
				want := all[:min(n, len(all))]
				if got := c.page(offset); !slices.Equal(got, want[min(offset, len(want)):]) {
					t.Fatalf("%d of %d from %d: want %v, got %v", n, count, offset, want, got)
				}
			}
		}
	}
}

// What split moves to the front are the first hits of the order, of hits that rise, fall, are equal or come anyhow.
func TestSplit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for _, of := range []func(i int) uint64{func(i int) uint64 { return uint64(i) }, func(i int) uint64 { return uint64(1000 - i) },
		func(int) uint64 { return 7 }, func(i int) uint64 { return uint64(i % 2) }, func(int) uint64 { return uint64(rnd.IntN(30)) },
		func(i int) uint64 { return uint64(max(i, 600-i)) }} {
		for _, count := range []int{1, 2, 8, 9, 60, 264, 600} {
			var all []hit
			for i := range count {
				all = append(all, hit{a: of(i), row: int32(i)})
			}
			for _, n := range []int{1, count/3 + 1, count - count/7, count} {
				got := slices.Clone(all)
				split(got, n)
				want := slices.SortedFunc(slices.Values(all), byRank)
				for _, part := range [][]hit{got[:n], got[n:]} {
					slices.SortFunc(part, byRank)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("the first %d of %d: want %v, got %v", n, count, want[:n], got[:n])
				}
			}
		}
	}
}

// A KG is passed over when its best area comes behind the last one of the page, and not when it is equal: then the id decides.
func TestBeyond(t *testing.T) {
	k := &columns.KG{Least: 100, Greatest: 500}
	full := func(a uint64) *best { return &best{n: 1, full: true, last: hit{a: a}} }
	for _, c := range []struct {
		name string
		b    *best
		by   order
		want bool
	}{
		{"no hits are wanted", &best{}, byNumber, true},
		{"the page is not full", &best{n: 1}, areaAsc, false},
		{"ascending, behind", full(99), areaAsc, true},
		{"ascending, equal", full(100), areaAsc, false},
		{"ascending, before", full(101), areaAsc, false},
		{"descending, behind", full(^uint64(501)), areaDesc, true},
		{"descending, equal", full(^uint64(500)), areaDesc, false},
		{"descending, before", full(^uint64(499)), areaDesc, false},
		{"by number", full(0), byNumber, false},
	} {
		if got := c.b.beyond(c.by, k); got != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
}

// By number 12 stands before 12/0, that before 12/1, and .12 behind 12.
func TestRankOfNumbers(t *testing.T) {
	order := []austria.GNR{"2", "12", ".12", "12/0", ".12/0", "12/1", "12/10", "13"}
	table := &columns.Table{N: len(order)}
	for _, n := range order {
		kind, main, sub := columns.ParseNumber(n)
		table.Plots, table.Main, table.Subs = append(table.Plots, kind), append(table.Main, main), append(table.Subs, sub)
	}
	var last hit
	for i := range order {
		h := hit{}
		if h.a, h.b = byNumber.rank(table, int32(i)); i > 0 && byRank(last, h) >= 0 {
			t.Errorf("%s does not stand behind %s", order[i], order[i-1])
		}
		last = h
	}
}

// The values that were used last are kept, and no more than the bound.
func TestRecent(t *testing.T) {
	var c recent[int]
	for i := range 3 {
		c.put(fmt.Sprint(i), i, 3)
	}
	c.get("0")
	c.put("1", 11, 3)
	c.put("3", 3, 3) // 2 was used least
	if _, ok := c.get("2"); ok || len(c.keys) != 3 || len(c.values) != 3 {
		t.Errorf("want three without 2, got %v %v", c.keys, c.values)
	}
	if v, ok := c.get("1"); v != 11 || !ok {
		t.Errorf("want the value that was put last, got %d", v)
	}
	if !slices.Equal(c.keys, []string{"1", "3", "0"}) {
		t.Errorf("want those used last first, got %v", c.keys)
	}
	var m memo
	for n, kept := range map[int]bool{0: true, keptHits: true, keptHits + 1: false} {
		key := fmt.Sprint(n)
		m.keepResult(key, &result{hits: make([]hit, n)})
		if _, ok := m.result(key); ok != kept {
			t.Errorf("%d hits: kept %v", n, ok)
		}
	}
}

// The folded names of two registers are kept: those that were asked for last.
func TestNamesOfTheLastRegisters(t *testing.T) {
	var n nameTables
	var regs []*register.Register
	for _, name := range []string{"Erstdorf", "Zweitdorf", "Drittdorf"} {
		k := register.KG{DistrictCode: "101"}
		k.Code, k.Name, k.GemeindeCode = "01001", name, "10101"
		regs = append(regs, registerOf(t, []register.KG{k}))
	}
	kept := func(want ...*register.Register) {
		t.Helper()
		var got []*register.Register
		for _, k := range n.kept {
			got = append(got, k.reg)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d tables are kept, or in another order", len(got))
		}
	}
	if got := n.of(regs[0]); len(got) != 1 || !strings.HasPrefix(got[0], "erstdorf") {
		t.Errorf("got %q", got)
	}
	n.of(regs[1])
	if got := n.of(regs[0]); !strings.HasPrefix(got[0], "erstdorf") {
		t.Errorf("once more: %q", got)
	}
	kept(regs[0], regs[1])
	n.of(regs[2])
	kept(regs[2], regs[0])
}

// Of one key one computation runs at a time; it goes on when the client leaves, and what fails is tried by the next one.
func TestRefreshes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m memo
		runs := 0
		compute := func(err error) func(context.Context) (snapshot, error) {
			return func(ctx context.Context) (snapshot, error) {
				runs++
				time.Sleep(time.Second)
				return snapshot{generation: fmt.Sprint(runs)}, errors.Join(err, ctx.Err())
			}
		}
		ctx, leave := context.WithCancel(t.Context())
		m.refresh(ctx, "a", compute(nil))
		m.refresh(ctx, "a", compute(nil))
		leave()
		time.Sleep(2 * time.Second)
		if s, ok := m.snapshot("a"); !ok || s.generation != "1" || runs != 1 {
			t.Errorf("want one run, and its snapshot, got %d, %v", runs, s)
		}
		m.refresh(t.Context(), "b", compute(errors.New("the disk is on fire")))
		time.Sleep(2 * time.Second)
		if _, ok := m.snapshot("b"); ok {
			t.Error("a failure was kept")
		}
		m.refresh(t.Context(), "b", compute(nil))
		time.Sleep(2 * time.Second)
		if s, ok := m.snapshot("b"); !ok || s.generation != "3" {
			t.Errorf("want another try, got %v after %d", s, runs)
		}
	})
}

// A number names a KG by its code, that of its municipality or a word of its name; else it is a parcel's.
func TestNumbersThatNameAKG(t *testing.T) {
	k := &register.KG{}
	k.Code, k.GemeindeCode = "01004", "90101"
	const name = "innere stadt 1 | wien 10 | innerestadt1 | wien10"
	for n, want := range map[string]bool{"01004": true, "1004": true, "004": false, "4": false, "90101": true, "101": false, "1": true,
		"10": true, "0": false, "100": false} {
		var w words
		if got := w.namesKG(k, name, n); got != want {
			t.Errorf("%s: want %v", n, want)
		}
	}
}

// Sums that a client reads: hundredths of square metres, ten-thousandths of hectares, the mean over known areas.
func TestFiguresOf(t *testing.T) {
	r := &result{n: 4, totals: totals{area: 1_000_001, known: 3, least: columns.Hundredths(12.5), greatest: columns.Hundredths(9000),
		buildings: 2}}
	f := figuresOf(r, map[austria.LandUse]*columns.KGUse{52: {Parcels: 2}, 41: {Parcels: 1, ParcelArea: columns.Hundredths(3.25)}})
	if *f.Matching != 4 || *f.Buildings != 2 || *f.TotalSqm != 10_000.01 || *f.TotalHa != 1 || *f.AvgSqm != 3333.34 ||
		*f.LeastSqm != 12.5 || *f.MostSqm != 9000 || f.Skipped {
		t.Errorf("got %+v", f)
	}
	if len(f.Uses) != 2 || f.Uses[0].Code != 41 || *f.Uses[0].AreaSqm != 3.25 || f.Uses[1].Code != 52 || f.Uses[1].AreaSqm != nil {
		t.Errorf("by code: %+v", f.Uses)
	}
	if f = figuresOf(&result{n: 1}, nil); f.AvgSqm != nil || f.LeastSqm != nil || !f.Skipped || f.SkipReason == "" || f.Uses != nil {
		t.Errorf("without a known area, and without uses: %+v", f)
	}
}

// Of fewer than 250 KGs the store is asked whether they can be read; of more those on the page tell. What is remembered within
// a generation is not old: its answer may be cached.
func TestWhichKGsAreConfirmed(t *testing.T) {
	for n, gap := range map[int]bool{wideKGs - 1: true, wideKGs: false} {
		s := published(t, fixture.Many(n))
		lose(t, s, "81200") // not on the page
		h := serve(t, s)
		if a := ask(t, h, "/api/v1/query?kg=81200"); a.Meta["ready"] != false { // it was looked for, so that its loss is known
			t.Fatalf("81200: %v", a.Meta)
		}
		for range 2 {
			w := fixture.Ask(h, "GET", "/api/v1/query?state=3&sort=gnr&limit=1", "")
			if got := w.Header().Get("X-Data-Ready") == "false"; w.Code != 200 || got != gap || (w.Header().Get("Etag") == "") != gap {
				t.Errorf("%d KGs: %d, a gap %v, %v", n, w.Code, got, w.Header())
			}
		}
	}
}

// With any filter on Natura 2000 statistics come only when they are asked for; filters on laws leave them.
func TestStatisticsOfNatura(t *testing.T) {
	h := overWorld(t)
	for filter, skipped := range map[string]bool{"has_natura2000=true": true, "has_natura2000=false": true,
		"natura2000_site=AT0000001": true,
		"natura2000_type=A":         true, "natura2000_habitat=forest": true, "has_legal_refs=true": false,
		"legal_context=nature_protection": false, "min_area=1": false} {
		if a := ask(t, h, "/api/v1/query?kg=88801&"+filter); a.Stats.Skipped != skipped || (a.Stats.Matching == nil) != skipped {
			t.Errorf("%s: %+v", filter, a.Stats)
		}
		if a := ask(t, h, "/api/v1/query?kg=88801&with_stats=true&"+filter); a.Stats.Skipped || *a.Stats.Matching != a.total() {
			t.Errorf("%s, asked for: %+v", filter, a.Stats)
		}
	}
}
