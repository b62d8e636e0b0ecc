package ne

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// sums reads the published sums.
func (p *publishes) sums() map[ne.Area]*ne.Sums {
	p.t.Helper()
	b, _, err := store.ReadAll(p.t.Context(), p.st, p.live[ne.SumsArtefact].Key, 1<<24, store.GetOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil || f.Family() != ne.SumsFamily {
		p.t.Fatal(err)
	}
	out := map[ne.Area]*ne.Sums{}
	for i := range f.Len() {
		if name := f.Name(i); name == ne.GroundSection || name[0] == 'x' {
			continue
		}
		body, err := f.Section(i)
		if err != nil {
			p.t.Fatal(err)
		}
		if out[ne.Area(f.Name(i))], _, err = ne.ParseSums(body); err != nil {
			p.t.Fatal(err)
		}
	}
	return out
}

// Two KGs of one district, an edit across their border: the cells of the border count once in the district, as the KG with
// the larger share has them, and twice in the sum of the KGs.
func TestSumsOfADistrict(t *testing.T) {
	first := small()
	middle := first.KG.Box.MinX/2 + first.KG.Box.MaxX/2
	halves := func(s *kgfile.Snapshot) []*kgfile.Snapshot {
		a := half(s, "99101", func(p geom.Point) bool { return p.X < middle })
		b := half(s, "99102", func(p geom.Point) bool { return p.X >= middle })
		a.KG.Box, b.KG.Box = a.Outline.Bounds(), b.Outline.Bounds()
		a.KG.GemeindeCode, b.KG.GemeindeCode = "99101", "99102"
		return []*kgfile.Snapshot{a, b}
	}
	second := small()
	for i := range second.LandUse {
		if second.LandUse[i].NS == 48 {
			second.LandUse[i].NS = 83
		}
	}
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	if _, err := p.pass("2024-10-01", halves(first)...); err != nil {
		t.Fatal(err)
	}
	if got := p.sums(); len(got) != 0 {
		t.Errorf("sums of the first pass: %v", got)
	}
	x, err := p.pass("2025-10-01", halves(second)...)
	if err != nil {
		t.Fatal(err)
	}
	got := p.sums()
	west, east := p.changes(x, "99101"), p.changes(x, "99102")
	want := map[hexgrid.Cell]ne.CellChange{}
	shared := 0
	for _, c := range []*ne.Changes{west, east} {
		for x := range c.ByCell() {
			known, ok := want[x.Newest.Cell]
			if ok {
				shared++
			}
			if !ok || x.Share() > known.Share() {
				want[x.Newest.Cell] = x
			}
		}
	}
	var all ne.Adder
	for _, x := range want {
		all.Add(x)
	}
	if shared == 0 || len(west.Cells) == 0 || len(east.Cells) == 0 {
		t.Fatalf("%d shared cells of %d and %d", shared, len(west.Cells), len(east.Cells))
	}
	same := func(a, b any) bool {
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		return bytes.Equal(x, y)
	}
	for _, area := range []ne.Area{ne.Nation, ne.StateArea("9"), ne.DistrictArea("991")} {
		if !same(got[area], all.Sums()) {
			t.Errorf("%s: %+v, want %+v", area, got[area], all.Sums())
		}
	}
	cells := 0
	for code, c := range map[austria.KGCode]*ne.Changes{"99101": west, "99102": east} {
		var own ne.Adder
		for x := range c.ByCell() {
			own.Add(x)
		}
		if !same(got[ne.KGArea(code)], own.Sums()) || !same(got[ne.GemeindeArea(austria.GemeindeCode(code))], own.Sums()) {
			t.Errorf("%s: %+v, want %+v", code, got[ne.KGArea(code)], own.Sums())
		}
		cells += got[ne.KGArea(code)].Candidate.Cells
	}
	if n := got[ne.Nation].Candidate.Cells; n != cells-shared || n != len(want) {
		t.Errorf("%d cells in the country, %d in its KGs of which %d are shared", n, cells, shared)
	}
	read := &storetest.Counting{Store: p.st}
	p.last.Store = read
	for keep, again := range map[int]int64{0: 2, len(west.Cells): 1, keptChanges: 0} { // what memory has no room for is read again
		read.Reset()
		o, err := sumUp(t.Context(), p.last, keep)
		if gets := read.Reads().Gets; err != nil || o != p.live[ne.SumsArtefact] || gets != 1+2+again { // the list, the changes of two KGs
			t.Errorf("with room for %d changes: %v %v, %d reads", keep, o, err, gets)
		}
	}
	if _, err := p.pass("2025-10-01", halves(second)...); err != nil { // the next pass confirms
		t.Fatal(err)
	}
	if s := p.sums()[ne.Nation]; s.Candidate.Cells != 0 || s.Confirmed.Cells != len(want) ||
		!slices.Equal(s.ByDay, []ne.DaySums{{Day: "2025-10-01", Confirmed: len(want), ChangedM2: s.ByDay[0].ChangedM2}}) {
		t.Errorf("confirmed: %+v", s)
	}
}
