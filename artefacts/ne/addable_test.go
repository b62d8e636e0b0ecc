package ne

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"mappe/artefacts/sectionfile"
	"mappe/shared/geo/hexgrid"
)

// sectionsOf are the sections of the sums of KGs by name.
func sectionsOf(t testing.TB, kgs []PlacedKG, changes []*Changes) map[string]sectionfile.Section {
	t.Helper()
	var noted Noted
	for _, c := range changes {
		noted.Note(c.Changed())
	}
	sums := noted.Sums()
	for i, k := range kgs {
		sums.Add(sums.Part(k, Sum{}, changes[i]))
	}
	list, err := sums.Sections()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]sectionfile.Section{}
	for i, s := range list {
		if i > 0 && s.Name <= list[i-1].Name {
			t.Errorf("section %s does not stand behind %s", s.Name, list[i-1].Name)
		}
		out[s.Name] = s
	}
	return out
}

// The sums of any KGs, made of what each has published, are those of their changes added one by one, each cell once.
func TestAnyKGs(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 3))
	for range 20 {
		kgs, changes := randomKGs(t, r)
		sections := sectionsOf(t, kgs, changes)
		for range 20 {
			var chosen []*KGSums
			winners := map[hexgrid.Cell]CellChange{}
			for i, k := range kgs {
				if r.IntN(2) == 0 {
					continue
				}
				if s, ok := sections[AddableSection(k.Code)]; ok {
					sums, cost, err := ParseKGSums(s.Body)
					if err != nil || cost <= 0 {
						t.Fatal(err)
					}
					chosen = append(chosen, sums)
				} else if len(changes[i].Cells) > 0 {
					t.Fatalf("KG %s has changes and no section", k.Code)
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
			if got, want := SumKGs(chosen), all.Sums(); !reflect.DeepEqual(got, want) {
				t.Fatalf("got %+v\nwant %+v", got, want)
			}
		}
	}
}

// A KG has a section of its own sums where anything changed in it, be it only confirmed, only a candidate, or only in cells that
// others have too.
func TestKGsWithSums(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	cells := someCells(t, 3)
	kgs := []PlacedKG{{Code: "10001"}, {Code: "10002"}, {Code: "10003"}, {Code: "10004"}, {Code: "10005"}}
	one := func(i int, share uint8, status Status) *Changes {
		return &Changes{Cells: []Change{randomChange(r, cells[i], share, status)}}
	}
	changes := []*Changes{one(0, 9, Confirmed), one(1, 9, Candidate), one(2, 9, Confirmed), one(2, 8, Candidate), {}}
	sections := sectionsOf(t, kgs, changes)
	for i, k := range kgs {
		if s, ok := sections[AddableSection(k.Code)]; ok != (i < 4) {
			t.Errorf("KG %s: a section %v", k.Code, ok)
		} else if ok {
			sums, _, err := ParseKGSums(s.Body)
			if err != nil || len(sums.Shared) != map[bool]int{true: 1}[i >= 2] || sums.Own.empty() != (i >= 2) {
				t.Errorf("KG %s: %+v, %v", k.Code, sums, err)
			}
			if got := SumKGs([]*KGSums{{}, sums, {}}); got.Since == nil || *got.Since != changes[i].Cells[0].Since {
				t.Errorf("KG %s: since %v, want %s", k.Code, got.Since, changes[i].Cells[0].Since)
			}
		}
	}
}

// The changed ground by cell of resolution 9 is that of the country, at every resolution.
func TestGroundLosesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	kgs := []PlacedKG{{Code: "10001", Gemeinde: "30101", District: "301"}, {Code: "10002", Gemeinde: "30101", District: "301"}}
	changes := []*Changes{{KG: "10001"}, {KG: "10002"}}
	for i, cell := range someCells(t, 1500) { // of five cells of resolution 9; one in seven is shared
		for k, c := range changes {
			if i%7 == 0 || i%2 == k {
				c.Cells = append(c.Cells, randomChange(r, cell, uint8(100+k), []Status{Confirmed, Candidate}[i%3%2]))
			}
		}
	}
	sections := sectionsOf(t, kgs, changes)
	whole, _, err := ParseSums(sections[string(Nation)].Body)
	if err != nil {
		t.Fatal(err)
	}
	ground, err := ParseGround(sections[GroundSection].Body)
	if err != nil || len(ground) != 5 {
		t.Fatal(len(ground), err)
	}
	changed := func(s StatusSums) (m2 float64) {
		for _, v := range s.Transitions {
			m2 += v
		}
		return m2
	}
	for _, resolution := range []int{9, 8, 7} {
		lifted, err := LiftGround(ground, resolution)
		if err != nil {
			t.Fatal(err)
		}
		var confirmed, candidate int64
		for cell, g := range lifted {
			if cell.Resolution() != resolution || g.Cell != cell {
				t.Errorf("%s of resolution %d among those of %d", g.Cell, cell.Resolution(), resolution)
			}
			confirmed, candidate = confirmed+g.Confirmed, candidate+g.Candidate
		}
		// Each number is rounded to a tenth: of the cells of resolution 9, and of the transitions.
		room := 0.05*float64(len(ground)) + 5
		if got, want := float64(confirmed)/10, changed(whole.Confirmed); math.Abs(got-want) > room {
			t.Errorf("resolution %d: %.1f m² confirmed, want %.1f", resolution, got, want)
		}
		if got, want := float64(candidate)/10, changed(whole.Candidate); math.Abs(got-want) > room {
			t.Errorf("resolution %d: %.1f m² candidate, want %.1f", resolution, got, want)
		}
	}
	for i := range ground { // one whose sums of shares are 0 is drawn all the same
		list := WithGround([]Coarse{{Cell: ground[0].Cell, Cov: 5}}, map[hexgrid.Cell]Ground{ground[i].Cell: ground[i]})
		if want := min(i, 1) + 1; len(list) != want || list[len(list)-1].Cell < list[0].Cell {
			t.Errorf("%d cells with the changed ground of the %d.", len(list), i)
		}
	}
}

// The changed ground of a cell is what another class has won in the cells below it, to a tenth of a m².
func TestGroundIsRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, cell := range someCells(t, 40) {
		c := randomChange(r, cell, 255, Confirmed)
		before, after := c.Before.Row(cell), c.After.Row(cell)
		won := 0
		for _, d := range Deltas(&before, &after) {
			won += max(d, 0)
		}
		var g Ground
		g.add(CellChange{Newest: &c}, wholeArea(cell))
		if want := math.Round(10 * float64(won) / 255 * CellArea(cell)); math.Abs(float64(g.Confirmed)-want) > 0.5 || g.Candidate != 0 {
			t.Errorf("cell %s: %d and %d tenths of a m², want %.0f", cell, g.Confirmed, g.Candidate, want)
		}
		c.Status = Candidate
		g.add(CellChange{Newest: &c}, wholeArea(cell))
		if g.Candidate != g.Confirmed {
			t.Errorf("cell %s: %d tenths as a candidate, %d confirmed", cell, g.Candidate, g.Confirmed)
		}
	}
}

func TestWrongKGSums(t *testing.T) {
	for _, text := range []string{`{`, `{"own":{"confirmed":{"transitions":{"acker>acker":1}}}}`,
		`{"own":{"candidate":{"transitions":{"acker":1}}}}`,
		`{"own":{"days":{"2026-10-01":["x",0,0]}}}`, `{"shared":[{"cell":"8c1e1692d1619ff","status":"seen"}]}`} {
		if _, _, err := ParseKGSums([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	cell := someCells(t, 1)[0]
	above, _ := cell.Parent(ChunkRes)
	good := EncodeGround([]*Ground{{Cell: above, Confirmed: 7}, {Cell: above + 1}})
	if list, err := ParseGround(good); err != nil || len(list) != 1 || list[0].Confirmed != 7 {
		t.Errorf("%v %v", list, err)
	}
	for what, b := range map[string][]byte{"half a row": good[:9], "a row twice": append(good, good...),
		"no cell":            make([]byte, groundBytes),
		"another resolution": EncodeGround([]*Ground{{Cell: cell, Candidate: 1}})} {
		if _, err := ParseGround(b); err == nil {
			t.Errorf("%s is read", what)
		}
	}
}

func FuzzParseKGSums(f *testing.F) {
	kgs, changes := randomKGs(f, rand.New(rand.NewPCG(1, 1)))
	s := sectionsOf(f, kgs[:2], changes[:2])[AddableSection(kgs[0].Code)]
	f.Add(s.Body)
	f.Add([]byte(`{"own":{"days":{"":[1,2,3]}},"shared":null}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		k, cost, err := ParseKGSums(b)
		if err != nil {
			return
		}
		again, err := json.Marshal(k)
		if err != nil || cost <= 0 {
			t.Fatal(cost, err)
		}
		back, _, err := ParseKGSums(again)
		if err != nil || !reflect.DeepEqual(SumKGs([]*KGSums{k}), SumKGs([]*KGSums{back})) {
			t.Errorf("%s reads as %s: %v", b, again, err)
		}
	})
}

func FuzzParseGround(f *testing.F) {
	f.Add(EncodeGround([]*Ground{{Cell: someCells(f, 1)[0], Candidate: 3}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if list, err := ParseGround(b); err == nil && len(list) != len(b)/groundBytes {
			t.Errorf("%d rows of %d bytes", len(list), len(b))
		}
	})
}
