package ne

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/register"
	"mappe/artefacts/sectionfile"
	"mappe/builders/objects"
	"mappe/builders/stage"
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
		if name := f.Name(i); name == ne.GroundSection || name[0] == 'x' || name[0] == 'y' {
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
		gets := read.Reads().Gets
		if err != nil || o != p.live[ne.SumsArtefact] || gets != 2+2+again { // the list, the served sums, the changes of two KGs
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

// changing is a country whose KGs have changes of cells that some of them share.
type changing struct {
	t     *testing.T
	r     *rand.Rand
	c     *stage.Country
	cells []hexgrid.Cell
	of    map[austria.KGCode][]ne.Change
}

// newChanging has n KGs in three municipalities over some twenty chunks.
func newChanging(t *testing.T, seed uint64, n int) *changing {
	t.Helper()
	h := &changing{t: t, r: rand.New(rand.NewPCG(seed, 2)), of: map[austria.KGCode][]ne.Change{},
		c: &stage.Country{Store: mem.New(), Register: &register.Contents{}, Workers: 2, Live: manifest.Artefacts{}}}
	centre, err := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 47.5, Lng: 13.5}, ne.LURes)
	if err != nil {
		t.Fatal(err)
	}
	if h.cells, err = centre.GridDisk(45); err != nil {
		t.Fatal(err)
	}
	slices.Sort(h.cells)
	for i := range n {
		k := register.KG{KG: kgfile.KG{Code: austria.KGCode(fmt.Sprint(10001 + i))}}
		k.GemeindeCode, k.DistrictCode = austria.GemeindeCode(fmt.Sprint(10101+i%3)), "101"
		h.c.Register.KGs = append(h.c.Register.KGs, k)
	}
	h.register()
	return h
}

// register puts the KGs of the register into the country.
func (h *changing) register() {
	h.c.KGs = nil
	for i := range h.c.Register.KGs {
		k := &h.c.Register.KGs[i]
		h.c.KGs = append(h.c.KGs, stage.KG{Entry: manifest.Entry{Code: k.Code}, Register: k})
	}
}

// change gives a KG other changes: of a run of cells, which neighbours by code share, and of some anywhere.
func (h *changing) change(i int) {
	code := h.c.Register.KGs[i].Code
	at := i * len(h.cells) / 12
	list := slices.Clone(h.cells[at:min(len(h.cells), at+100+h.r.IntN(len(h.cells)/6))])
	if h.r.IntN(3) == 0 {
		list = append(list, h.cells[h.r.IntN(len(h.cells))])
	}
	slices.Sort(list)
	h.of[code] = nil
	for _, cell := range slices.Compact(list) {
		if h.r.IntN(3) > 0 {
			continue
		}
		row := func() ne.Stat {
			r := ne.LURow{Cell: cell, KGShare: uint8(1 + h.r.IntN(255)), Cov: 255}
			r.Use[h.r.IntN(9)] = uint8(h.r.IntN(256))
			return ne.StatOf(&r)
		}
		status := []ne.Status{ne.Candidate, ne.Confirmed}[h.r.IntN(2)]
		h.of[code] = append(h.of[code], ne.Change{Cell: cell, Status: status, Since: "2024-10-01",
			LastChange: fmt.Sprintf("202%d-10-01", 4+h.r.IntN(3)), Before: row(), After: row()})
	}
}

// publish stores the list and the changes, and gives the sums over what is served and those made of all changes.
func (h *changing) publish() (over, whole manifest.Object, read int64) {
	h.t.Helper()
	list := &ne.Index{Recipe: Recipe, Dict: ne.DictID(dict)}
	for i := range h.c.KGs {
		k := &h.c.KGs[i]
		row := ne.IndexKG{Code: k.Entry.Code, Stichtag: "2026-10-01", Inputs: "x",
			Key: keys.Cells{Code: k.Entry.Code, Date: "2026-10-01", Sum: "0123456789abcdef"}.String()}
		changes := ne.Changes{KG: k.Entry.Code, Cells: h.of[k.Entry.Code]}
		k.Made = nil
		if len(changes.Cells) > 0 {
			body, err := changes.Encode()
			if err != nil {
				h.t.Fatal(err)
			}
			o, err := h.c.Put(h.t.Context(), keys.CellChanges{Code: k.Entry.Code, Date: "2026-10-01", Sum: keys.Sum(body)}, body)
			if err != nil {
				h.t.Fatal(err)
			}
			row.Changes = o.Key
			row.Candidates, row.Confirmed = changes.Counts()
			k.Note(ne.ChangesArtefact, o)
		}
		list.KGs = append(list.KGs, row)
	}
	body, err := list.Encode()
	if err != nil {
		h.t.Fatal(err)
	}
	o, err := h.c.Write(h.t.Context(), ne.Artefact, "json", body)
	if err != nil {
		h.t.Fatal(err)
	}
	h.c.Made = manifest.Artefacts{ne.Artefact: o}
	counting := &storetest.Counting{Store: h.c.Store}
	again := *h.c
	again.Store = counting
	keep := []int{0, 300, keptChanges}[h.r.IntN(3)]
	if over, err = sumUp(h.t.Context(), &again, keep); err != nil {
		h.t.Fatal(err)
	}
	read = counting.Reads().Gets
	again.Live = nil
	if whole, err = sumUp(h.t.Context(), &again, keptChanges); err != nil {
		h.t.Fatal(err)
	}
	h.c.Live = manifest.Artefacts{ne.SumsArtefact: over}
	return over, whole, read
}

// Whatever changes in a country, its sums over what is served are those that are made of all changes.
func TestSumsOverServedOnes(t *testing.T) {
	for seed := range uint64(6) {
		h := newChanging(t, seed, 10)
		for i := range h.c.KGs {
			h.change(i)
		}
		for round := range 12 {
			if over, whole, _ := h.publish(); over != whole {
				t.Fatalf("seed %d, round %d: the sums are %+v, of all changes %+v", seed, round, over, whole)
			}
			i := h.r.IntN(len(h.c.KGs))
			switch round % 6 {
			case 1:
				delete(h.of, h.c.KGs[i].Entry.Code)
			case 2:
				h.c.Register.KGs[i].GemeindeCode = "10102"
			case 3:
				h.c.Register.KGs = slices.Delete(h.c.Register.KGs, i, i+1)
				h.register()
			default:
				h.change(i)
			}
		}
	}
}

// Of KGs far from what changed nothing is read; sums that are gone or damaged, or are of another recipe, are made of all changes.
func TestFewChangesAreRead(t *testing.T) {
	h := newChanging(t, 3, 10)
	for i := range h.c.KGs {
		h.of[h.c.KGs[i].Entry.Code] = nil
	}
	for _, i := range []int{0, 1, 5, 9} { // the first two share cells
		h.change(i)
	}
	all := h.cells[len(h.cells)/2]
	h.of["10010"] = slices.DeleteFunc(h.of["10010"], func(c ne.Change) bool { return c.Cell < all })
	h.of["10001"] = slices.DeleteFunc(h.of["10001"], func(c ne.Change) bool { return c.Cell >= h.cells[len(h.cells)/3] })
	if _, _, n := h.publish(); n < 5 {
		t.Fatalf("%d reads of the first sums, want those of the list and of four KGs", n)
	}
	if _, _, n := h.publish(); n != 2 {
		t.Errorf("%d reads where nothing changed, want 2: the list and the served sums", n)
	}
	h.of["10001"] = h.of["10001"][:len(h.of["10001"])/2]
	if over, whole, n := h.publish(); over != whole || n > 6 {
		t.Errorf("%d reads where one KG changed, want at most 6: the list, the served sums, the changes of two KGs once or twice", n)
	}
	served := h.c.Live[ne.SumsArtefact]
	for name, spoil := range map[string]func(body []byte) []byte{
		"damaged": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"gone":    func([]byte) []byte { return nil },
		"empty":   func([]byte) []byte { return []byte{} },
	} {
		body, err := readObject(t.Context(), h.c.Store, served.Key)
		if err != nil {
			t.Fatal(err)
		}
		if b := spoil(slices.Clone(body)); b == nil {
			err = h.c.Store.Delete(t.Context(), served.Key)
		} else {
			err = objects.Put(t.Context(), h.c.Store, keys.National{Name: "spoilt", Sum: keys.Sum(b), Ext: "parts"}, b)
			h.c.Live[ne.SumsArtefact] = manifest.Object{Key: keys.National{Name: "spoilt", Sum: keys.Sum(b), Ext: "parts"}.String(),
				Bytes: served.Bytes, SHA256: served.SHA256}
		}
		if err != nil {
			t.Fatal(err)
		}
		if over, whole, n := h.publish(); over != whole || over != served || n < 5 {
			t.Errorf("%s: %+v of %d reads, want %+v of all changes", name, over, n, served)
		}
	}
}
