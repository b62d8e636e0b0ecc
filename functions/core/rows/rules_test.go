package rows

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// reading is a view whose reads of KGs are noted.
func reading(t testing.TB, s store.Store) (*view.View, func() map[austria.KGCode]int) {
	t.Helper()
	var mu sync.Mutex
	read := map[austria.KGCode]int{}
	lib, err := library.Open(t.Context(), s, library.Options{Used: func(code austria.KGCode) {
		mu.Lock()
		defer mu.Unlock()
		read[code]++
	}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return view.At(t.Context(), v), func() map[austria.KGCode]int {
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(read)
	}
}

// drawn are the ids of a page.
func drawn(t testing.TB, p *Page, v *view.View) (ids []string) {
	t.Helper()
	for row, err := range p.Rows(t.Context(), v) {
		if err != nil {
			t.Fatal(err)
		}
		id, _ := row.Value(row.RowType().Index("parcel_id")).Str()
		ids = append(ids, strings.Clone(id)) // the row is set anew
	}
	return ids
}

// KGs whose rows are counted by the register or an index are read when their rows stand on the page, and never when
// nothing in them matches; those that have to be searched are read.
func TestWhichKGsAreRead(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Many(4)); err != nil { // of 4 parcels each
		t.Fatal(err)
	}
	counts := map[austria.KGCode]int{"81001": 4, "81002": 0, "81003": 4, "81004": -1}
	count := func(at *Candidate) int { return counts[at.Code] }
	second := Where((*kgfile.File).Parcels, func(p *kgfile.Parcel) bool { return p.GNR == "2" })
	for _, c := range []struct {
		name          string
		layer         Layer
		offset, limit int
		ids           string
		total         int
		read          string // KGs that are read to count
	}{
		{"counted, behind the first", Layer{Count: count}, 6, 1, "81003-3", 12, "81003 81004"},
		{"counted, the first", Layer{Count: count}, 0, 1, "81001-1", 12, "81001 81004"},
		{"counted, none", Layer{Count: count}, 0, 0, "", 12, "81004"},
		{"searched", Layer{Match: second}, 1, 2, "81002-2 81003-2", 4, "81001 81002 81003 81004"},
		{"counted by an index", Layer{Match: second, Hits: func(at *Candidate) int {
			return map[austria.KGCode]int{"81001": 1, "81003": 1,
				"81004": -1}[at.Code]
		}},
			1, 1, "81003-2", 3, "81003 81004"},
	} {
		synctest.Test(t, func(t *testing.T) {
			v, read := reading(t, s)
			c.layer.Source = Parcels(rowschema.Parcel.Record())
			q, err := Over(t.Context(), v, []austria.KGCode{"81001", "81002", "81003", "81004"}, c.layer)
			if err != nil {
				t.Fatal(err)
			}
			p := &Page{Offset: c.offset, Limit: c.limit}
			if err := q.Collect(t.Context(), &q.Layers[0], p); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // what is read in advance
			if got := fmt.Sprint(slices.Sorted(maps.Keys(read()))); got != "["+c.read+"]" || p.Total != c.total || !q.Missing.Ready() {
				t.Errorf("%s: want %s read and %d rows, got %s and %d", c.name, c.read, c.total, got, p.Total)
			}
			if got := strings.Join(drawn(t, p, v), " "); got != c.ids || p.Returned() != len(strings.Fields(c.ids)) {
				t.Errorf("%s: want %q, got %q", c.name, c.ids, got)
			}
		})
	}
}

// A KG that left the store keeps the places of its known rows on pages by offset, and takes none on pages by position.
func TestRowsThatCannotBeRead(t *testing.T) {
	for _, fill := range []bool{false, true} {
		s := mem.New()
		if err := fixture.Publish(s, fixture.Many(3)); err != nil {
			t.Fatal(err)
		}
		v, _ := reading(t, s)
		if err := s.Delete(t.Context(), v.Register().KG("81002").Snapshot.Key); err != nil {
			t.Fatal(err)
		}
		q, err := Over(t.Context(), v, []austria.KGCode{"81001", "81002", "81003"}, Layer{Source: Parcels(rowschema.Parcel.Record()),
			Count: func(*Candidate) int { return 4 }})
		if err != nil {
			t.Fatal(err)
		}
		p := &Page{Limit: 10, Fill: fill}
		if err := q.Collect(t.Context(), &q.Layers[0], p); err != nil {
			t.Fatal(err)
		}
		want := map[bool]string{false: "4 2", true: "4 4"}[fill]
		in := map[string]int{}
		for _, id := range drawn(t, p, v) {
			in[id[:5]]++
		}
		if got := fmt.Sprint(in["81001"], in["81003"]); got != want || in["81002"] != 0 || p.Total != 12 || !q.Missing.Has("81002") {
			t.Errorf("fill %v: want %s rows, got %s of %d", fill, want, got, p.Total)
		}
	}
}

// A reader that wants no more is given no more, of rows by their numbers and of whole KGs.
func TestRowsEndWhenNoMoreAreWanted(t *testing.T) {
	v, _ := reading(t, fixture.Store(t))
	for name, match := range map[string]Match{"whole": nil, "by number": Where((*kgfile.File).Parcels,
		func(*kgfile.Parcel) bool { return true })} {
		q, err := Over(t.Context(), v, []austria.KGCode{"88801", "88802"}, Layer{Source: Parcels(rowschema.Parcel.Record()), Match: match})
		if err != nil {
			t.Fatal(err)
		}
		p := &Page{Limit: 100}
		if err := q.Collect(t.Context(), &q.Layers[0], p); err != nil {
			t.Fatal(err)
		}
		for _, wanted := range []int{1, 3, 17, 18, 34} {
			n := 0
			for _, err := range p.Rows(t.Context(), v) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; n == wanted {
					break
				}
			}
			if n != wanted {
				t.Errorf("%s: want %d rows, got %d", name, wanted, n)
			}
		}
	}
}

// A KG that is gone while rows are drawn ends them with one error.
func TestRowsEndAtAKGThatIsGone(t *testing.T) {
	s := fixture.Store(t)
	v, _ := reading(t, s)
	q, err := Over(t.Context(), v, []austria.KGCode{"88801", "88802"}, Layer{Source: Parcels(rowschema.Parcel.Record()),
		Count: func(*Candidate) int { return 17 }})
	if err != nil {
		t.Fatal(err)
	}
	p := &Page{Offset: 0, Limit: 40}
	p.AddAll(&q.Layers[0], "88801", 17)
	p.AddAll(&q.Layers[0], "88802", 17)
	if err := s.Delete(t.Context(), v.Register().KG("88801").Snapshot.Key); err != nil {
		t.Fatal(err)
	}
	given, failed := 0, 0
	for _, err := range p.Rows(t.Context(), v) {
		var f *fault.Fault
		if err == nil {
			given++
		} else if failed++; !errors.As(err, &f) || f.Status() != 503 {
			t.Errorf("want 503, got %v", err)
		}
	}
	if given != 0 || failed != 1 {
		t.Errorf("%d rows and %d errors", given, failed)
	}
}

// How many KGs a query has to read: each once, however many layers search it, and none for layers that are counted or apart.
func TestReads(t *testing.T) {
	unknown, none := func(*Candidate) int { return -1 }, func(*Candidate) int { return 0 }
	for _, c := range []struct {
		name   string
		layers []Layer
		want   int
	}{
		{"no layer", nil, 0},
		{"searched", []Layer{{}}, 3},
		{"searched twice", []Layer{{}, {Count: unknown}}, 3},
		{"counted", []Layer{{Count: none}, {Hits: none}}, 0},
		{"an index that does not know", []Layer{{Hits: unknown, Count: none}}, 3},
		{"apart", []Layer{{External: true}}, 0},
		{"apart and searched", []Layer{{External: true}, {}}, 3},
		{"some", []Layer{{Count: func(at *Candidate) int { return map[austria.KGCode]int{"1": 1, "2": -1, "3": 0}[at.Code] }}}, 1},
	} {
		q := &Query{Candidates: []Candidate{{Code: "1"}, {Code: "2"}, {Code: "3"}}, Layers: c.layers}
		if got := q.Reads(); got != c.want {
			t.Errorf("%s: want %d, got %d", c.name, c.want, got)
		}
	}
	for n, ok := range map[int]bool{view.MaxKGs: true, view.MaxKGs + 1: false} {
		q := &Query{Candidates: make([]Candidate, n), Layers: []Layer{{}}}
		if err := q.Check(); (err == nil) != ok {
			t.Errorf("%d KGs: %v", n, err)
		}
	}
}

// What a query looks at: KGs with a snapshot; a cold one is a gap, an unknown one a fault.
func TestLook(t *testing.T) {
	v, _ := reading(t, fixture.Store(t))
	q, err := Over(t.Context(), v, []austria.KGCode{"88801", "88803"})
	if err != nil || len(q.Candidates) != 1 || q.Candidates[0].Code != "88801" || q.Candidates[0].Whole ||
		!q.Missing.Has("88803") || q.Missing.Has("88801") {
		t.Errorf("got %+v, %v", q, err)
	}
	known := &Query{View: v} // without its row of the register
	if err := known.Look(t.Context(), Candidate{Code: "88803"}); err != nil || len(known.Candidates) != 0 || !known.Missing.Has("88803") {
		t.Errorf("a cold KG by its code alone: %+v, %v", known, err)
	}
	var f *fault.Fault
	if _, err := Over(t.Context(), v, []austria.KGCode{"77777"}); !errors.As(err, &f) || f.Status() != 404 {
		t.Errorf("an unknown KG: %v", err)
	}
	all := &Query{View: v}
	all.Country(t.Context())
	var codes []string
	for _, p := range all.Candidates {
		if !p.Whole || p.KG == nil {
			t.Errorf("%s is not whole", p.Code)
		}
		codes = append(codes, string(p.Code))
	}
	if got := strings.Join(codes, " "); got != "00804 88801 88802" || !all.Missing.Has("88803") {
		t.Errorf("the country is %s", got)
	}
	// the state of an answer: of its KGs in order, of those named beyond them, and of an index; none where something is missing
	state := func(edit func(*Query)) string {
		t.Helper()
		q, err := Over(t.Context(), v, []austria.KGCode{"88801"})
		if err != nil {
			t.Fatal(err)
		}
		edit(q)
		s, err := q.Depends(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	plain := state(func(*Query) {})
	named := state(func(q *Query) { q.Named = []austria.KGCode{"88802"} })
	index := state(func(q *Query) { q.State = "index 1 " })
	if plain == "" || plain == named || index != "index 1 "+plain || plain != state(func(*Query) {}) {
		t.Errorf("states %q, %q, %q", plain, named, index)
	}
	if partial := state(func(q *Query) { q.Missing = all.Missing }); partial != "" {
		t.Errorf("a partial answer has the state %q", partial)
	}
}

// The files of one answer are held, the last one without a table; more than Held begin anew. A KG that is asked for again
// while its file is held is not opened a second time.
func TestHeldFiles(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Many(Held+2)); err != nil {
		t.Fatal(err)
	}
	v, read := reading(t, s)
	var h heldFiles
	open := func(n int) {
		t.Helper()
		code := austria.KGCode(fmt.Sprint(81001 + n))
		f, err := h.open(t.Context(), v, code)
		if err != nil || f.KG().Code != code {
			t.Fatalf("%s: %v", code, err)
		}
		if len(h.files) > Held {
			t.Fatalf("%d files are held", len(h.files))
		}
	}
	open(0)
	open(0)
	if h.files != nil {
		t.Error("one file needs no table")
	}
	for range 2 { // to and fro
		for n := range Held {
			open(n)
		}
	}
	for code, n := range read() {
		if n != 1 {
			t.Errorf("%s was opened %d times", code, n)
		}
	}
	open(Held)
	open(Held + 1)
	open(Held)
	if n := read()[austria.KGCode(fmt.Sprint(81001+Held))]; n != 1 {
		t.Errorf("the last ones are held, %d was opened %d times", 81001+Held, n)
	}
	if _, err := h.open(t.Context(), v, "77777"); err == nil || h.last == "77777" {
		t.Error("an unknown KG was opened")
	}
}

// shownColumns are the columns of a KG's first row that have a value.
func shownColumns(t testing.TB, q *Query, v *view.View, code austria.KGCode) (list []string) {
	t.Helper()
	p := &Page{Limit: 1}
	p.AddAll(&q.Layers[0], code, 1)
	for row, err := range p.Rows(t.Context(), v) {
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range row.RowType().Columns {
			if !row.Value(i).IsNull() {
				list = append(list, c.Name)
			}
		}
	}
	return list
}

// Rows say what lies over them where their generation knows it and serves their snapshot: whether a site does always, and
// the rest where it does.
func TestRowsSayWhatLiesOverThem(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, func(*register.Contents) {}, "88803"); err != nil {
		t.Fatal(err)
	}
	with, _ := reading(t, s)
	without, _ := reading(t, fixture.Store(t))
	past := view.Dated(with.View, "2026-09-30") // before the served snapshots
	if !overlayindex.Knows(with.View) || overlayindex.Knows(without.View) {
		t.Fatal("one of the generations knows what lies over its KGs")
	}
	for _, c := range []struct {
		name  string
		v     *view.View
		code  austria.KGCode
		known bool
		over  bool
	}{
		{"under a site", with, "88801", true, true},
		{"under nothing", with, "00804", true, false},
		{"of another date", past, "88801", false, false},
		{"of a generation that does not know it", without, "88801", false, false},
	} {
		got, err := over(t.Context(), c.v, c.code)
		if err != nil || got.Known != c.known || (got.KG != nil) != c.over {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

// Rows with any of the columns of what lies over them show it, wherever the columns stand.
func TestEachColumnOfOverlays(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, func(*register.Contents) {}, "88803"); err != nil {
		t.Fatal(err)
	}
	v, _ := reading(t, s)
	for _, f := range rowschema.ParcelOverlay {
		for _, columns := range [][]string{{f.Name}, {"parcel_id", f.Name}} {
			some := rowschema.ParcelShown.Named("some", "Parcels.").Only(columns...)
			q, err := Over(t.Context(), v, []austria.KGCode{"88801"}, Layer{Source: Parcels(some.Record())})
			if err != nil {
				t.Fatal(err)
			}
			if got := shownColumns(t, q, v, "88801"); !slices.Contains(got, f.Name) { // of parcel 1, in a site and named by a law
				t.Errorf("of the columns %v those have a value: %v", columns, got)
			}
		}
	}
}

// windowed is a source of rows apart that is told which of them are drawn; bad is what it then answers.
type windowed struct {
	Source
	told []string
	bad  error
}

func (w *windowed) Open(*kgfile.File) (int, error) { return 5, nil }

func (w *windowed) Row(i int) format.Row { return w.Source.Row(i) }

func (w *windowed) Window(_ context.Context, lo, hi int) error {
	w.told = append(w.told, fmt.Sprint(lo, "-", hi))
	return w.bad
}

// A source that reads what it draws is told once which rows are drawn; where it cannot read them they end with its error.
func TestRowsThatAreReadWhenDrawn(t *testing.T) {
	v, _ := reading(t, fixture.Store(t))
	f, err := v.KG(t.Context(), "88801")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the disk is on fire")
	for _, bad := range []error{nil, broken} {
		parcels := Parcels(rowschema.Parcel.Record())
		if _, err := parcels.Open(f); err != nil {
			t.Fatal(err)
		}
		w := &windowed{Source: parcels, bad: bad}
		q := &Query{View: v, Layers: []Layer{{Source: w, External: true}}}
		p := &Page{Offset: 1, Limit: 3}
		if err := q.Collect(t.Context(), &q.Layers[0], p); err != nil || p.Total != 5 {
			t.Fatalf("%d rows, %v", p.Total, err)
		}
		given := 0
		var failed error
		for _, err := range p.Rows(t.Context(), v) {
			if failed = err; err == nil {
				given++
			}
		}
		if want := map[bool]int{true: 3}[bad == nil]; given != want || failed != bad || fmt.Sprint(w.told) != "[1-4]" {
			t.Errorf("%d rows of %v, %v", given, w.told, failed)
		}
	}
}

// The page of one row of a KG in JSON has the columns that have a value, and no other.
func TestColumnsOfOverlays(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, func(*register.Contents) {}, "88803"); err != nil {
		t.Fatal(err)
	}
	v, _ := reading(t, s)
	shown := map[austria.KGCode][]string{}
	for _, code := range []austria.KGCode{"88801", "00804"} {
		q, err := Over(t.Context(), v, []austria.KGCode{code}, Layer{Source: Parcels(rowschema.ParcelShown.Record())})
		if err != nil {
			t.Fatal(err)
		}
		shown[code] = shownColumns(t, q, v, code)
	}
	for name, c := range map[string]struct{ west, far bool }{"parcel_id": {true, true}, "in_natura2000": {true, true},
		"natura2000_sites": {true, false}, "legal_ref_count": {true, false}} {
		if slices.Contains(shown["88801"], name) != c.west || slices.Contains(shown["00804"], name) != c.far {
			t.Errorf("%s: %v %v", name, shown["88801"], shown["00804"])
		}
	}
}
