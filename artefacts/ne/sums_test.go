package ne

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// someCells are n cells of resolution 12, rising.
func someCells(t testing.TB, n int) []hexgrid.Cell {
	t.Helper()
	at, _ := geom.PointAt(14.2, 47.6)
	c, err := hexgrid.PointToCell(at, 8)
	if err != nil {
		t.Fatal(err)
	}
	var out []hexgrid.Cell
	for x := range c.Children(LURes) {
		if out = append(out, x); len(out) == n {
			return out
		}
	}
	t.Fatal("too few cells")
	return nil
}

// randomChange is a change of a cell whose nine shares and the rest sum to 255 before and after.
func randomChange(r *rand.Rand, c hexgrid.Cell, share uint8, status Status) Change {
	row := func() Stat {
		out := LURow{Cell: c, KGShare: share, Cov: 255, StrCover: uint8(r.IntN(256)), StrN: uint16(r.IntN(4))}
		for left, i := 255, 0; i < len(out.Use); i++ {
			v := r.IntN(left + 1)
			out.Use[i] = uint8(v)
			left -= v
		}
		return StatOf(&out)
	}
	day := func() string { return fmt.Sprintf("20%02d-10-01", 20+r.IntN(5)) }
	return Change{Cell: c, Status: status, Since: day(), LastChange: day(), Before: row(), After: row()}
}

// randomKGs are KGs of two states with changes, half of them in cells that others have too.
func randomKGs(t testing.TB, r *rand.Rand) ([]PlacedKG, []*Changes) {
	cells := someCells(t, 60)
	var kgs []PlacedKG
	var changes []*Changes
	for i := range 8 {
		gemeinde := austria.GemeindeCode(fmt.Sprintf("%d%02d01", 3+i/5, i/2))
		k := PlacedKG{Code: austria.KGCode(fmt.Sprintf("%05d", 10000+i)), Gemeinde: gemeinde, District: gemeinde.District()}
		c := &Changes{KG: k.Code}
		for _, cell := range cells {
			share := uint8(r.IntN(4) * 60) // ties are frequent
			if r.IntN(3) == 0 {
				c.Cells = append(c.Cells, randomChange(r, cell, share, Confirmed))
			}
			if r.IntN(4) == 0 {
				c.Cells = append(c.Cells, randomChange(r, cell, share, Candidate))
			}
		}
		kgs, changes = append(kgs, k), append(changes, c)
	}
	return kgs, changes
}

// The sums of an area are those of its KGs' changes added one by one, each cell once; the order of the KGs changes nothing.
func TestAreaSums(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 20 {
		kgs, changes := randomKGs(t, r)
		want := map[string]string{}
		for name, in := range areasOf(kgs) {
			winners := map[hexgrid.Cell]CellChange{}
			for i, k := range kgs { // by rising code
				if !in(k) {
					continue
				}
				for x := range changes[i].ByCell() {
					if known, ok := winners[x.Newest.Cell]; !ok || x.Share() > known.Share() {
						winners[x.Newest.Cell] = x
					}
				}
			}
			var all Adder
			for _, x := range winners {
				all.Add(x)
			}
			if len(winners) > 0 {
				b, _ := json.Marshal(all.Sums())
				want[name] = string(b)
			}
		}
		var noted Noted
		for _, c := range changes {
			noted.Note(c.Changed())
		}
		sums := noted.Sums()
		for _, i := range r.Perm(len(kgs)) {
			sums.Add(sums.Part(kgs[i], Sum{}, changes[i]))
		}
		sections, err := sums.Sections()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, s := range sections {
			if s.Name == GroundSection || s.Name[0] == 'x' || s.Name[0] == 'y' {
				continue // TestAnyKGs, TestPartsAreKept
			}
			got[s.Name] = string(s.Body)
			back, _, err := ParseSums(s.Body)
			if again, _ := json.Marshal(back); err != nil || string(again) != string(s.Body) {
				t.Errorf("%s: read back %s %v", s.Name, again, err)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v\nwant %v", got, want)
		}
	}
}

// areasOf are the areas that KGs are in.
func areasOf(kgs []PlacedKG) map[string]func(PlacedKG) bool {
	out := map[string]func(PlacedKG) bool{"n": func(PlacedKG) bool { return true }}
	for _, k := range kgs {
		out["k"+string(k.Code)] = func(o PlacedKG) bool { return o.Code == k.Code }
		out["g"+string(k.Gemeinde)] = func(o PlacedKG) bool { return o.Gemeinde == k.Gemeinde }
		out["d"+string(k.District)] = func(o PlacedKG) bool { return o.District == k.District }
		out["s"+string(k.Gemeinde[:1])] = func(o PlacedKG) bool { return o.Gemeinde[0] == k.Gemeinde[0] }
	}
	return out
}

// The whole numbers of an Adder say what decimals would: shares of the cell times its area.
func TestAdderBesideDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	var all Adder
	var use [9]float64
	transitions, cover, changed := map[string]float64{}, 0.0, 0.0
	for _, cell := range someCells(t, 2000) {
		c := randomChange(r, cell, 255, Confirmed)
		all.Add(CellChange{Newest: &c})
		area := CellArea(cell)
		before, after := c.Before.Row(cell), c.After.Row(cell)
		cover += (float64(after.StrCover) - float64(before.StrCover)) / 255 * area
		lost, won := map[int]float64{}, map[int]float64{}
		rest, gained := 0.0, 0.0
		for i := range before.Use {
			d := (float64(after.Use[i]) - float64(before.Use[i])) / 255 * area
			use[i] += d
			rest -= d
			lost[i], won[i] = max(-d, 0), max(d, 0)
		}
		lost[9], won[9] = max(-rest, 0), max(rest, 0)
		for _, w := range won {
			gained += w
		}
		changed += gained
		for i, l := range lost {
			for j, w := range won {
				if l > 1e-9 && w > 1e-9 {
					transitions[ClassName(i)+">"+ClassName(j)] += l * w / gained
				}
			}
		}
	}
	got := all.Sums()
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 0.1 {
			t.Errorf("%s: got %.1f, want %.3f", what, got, want)
		}
	}
	for i, want := range use {
		near(Uses[i], got.Confirmed.LU[i], want)
	}
	near("d_str_cover_m2", got.Confirmed.StrCover, cover)
	for name, want := range transitions {
		near(name, got.Confirmed.Transitions[name], want)
	}
	if len(got.Confirmed.Transitions) != len(transitions) || got.Confirmed.Cells != 2000 || got.Candidate.Cells != 0 {
		t.Errorf("got %+v", got)
	}
	sum := 0.0
	for _, d := range got.ByDay {
		sum += d.ChangedM2
	}
	if math.Abs(sum-changed) > 0.5 || !slices.IsSortedFunc(got.ByDay, func(a, b DaySums) int {
		if a.Day < b.Day {
			return -1
		}
		return 1
	}) {
		t.Errorf("by day: %v, together %.1f, want %.1f", got.ByDay, sum, changed)
	}
}

func FuzzParseSums(f *testing.F) {
	b, _ := json.Marshal((&Adder{}).Sums())
	f.Add(b)
	f.Add([]byte(`{"by_day":[]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, cost, err := ParseSums(b)
		if err == nil && (s == nil || cost <= 0 || s.ByDay == nil || s.Confirmed.Transitions == nil) {
			t.Errorf("%+v %d", s, cost)
		}
	})
}
