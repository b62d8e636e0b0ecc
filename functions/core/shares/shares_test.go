package shares

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/format"
)

func shelf(t testing.TB) *Shares {
	t.Helper()
	return &Shares{Ledger: sqlitetest.Open(t, sqlite.Options{}), Files: mem.New()}
}

func (s *Shares) put(t testing.TB, name string, fence int64, change func(*Share)) Share {
	t.Helper()
	h := Share{Name: name, Kind: "terrain", Created: time.Now().Add(time.Duration(fence) * time.Second), Expires: time.Now().Add(Keep),
		Job: name, Fence: fence}
	if change != nil {
		change(&h)
	}
	if err := s.Save(t.Context(), h, strings.NewReader(`{"result":`+fmt.Sprint(fence)+`}`), nil); err != nil {
		t.Fatal(err)
	}
	if there, err := s.Find(t.Context(), name); err == nil {
		return there
	}
	return h // it is over
}

// The newest shares stand first; what is not listed, is over or was renamed stands in no list.
func TestListIsNewestFirst(t *testing.T) {
	s := shelf(t)
	listed := func(h *Share) { h.Listed = true }
	for i := range int64(5) {
		s.put(t, fmt.Sprintf("auto-%d", i), i, listed)
	}
	s.put(t, "auto-hidden", 9, nil)
	s.put(t, "auto-over", 9, func(h *Share) { h.Listed, h.Expires = true, time.Now().Add(-time.Second) })
	if _, err := s.Rename(t.Context(), "auto-2", "two"); err != nil {
		t.Fatal(err)
	}
	all, err := s.List(t.Context())
	var names []string
	for _, h := range all {
		names = append(names, h.Name)
	}
	if got := strings.Join(names, " "); err != nil || got != "auto-4 auto-3 two auto-1 auto-0" {
		t.Errorf("%s, %v", got, err)
	}
}

// What an earlier lease of a job saves late does not replace what a later one saved.
func TestALaterLeaseCounts(t *testing.T) {
	s := shelf(t)
	for _, fence := range []int64{2, 1} {
		s.put(t, "auto-a", fence, func(h *Share) { h.ResultAt, h.ResultBytes = 10, 1 })
	}
	h, err := s.Find(t.Context(), "auto-a")
	if err != nil || h.Fence != 2 {
		t.Fatalf("%+v %v", h, err)
	}
	result, err := s.Result(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := result.Read(t.Context()); err != nil || string(b) != "2" {
		t.Errorf("%s %v", b, err)
	}
}

// Drop takes back what its own job saved and no other.
func TestDrop(t *testing.T) {
	s := shelf(t)
	h := s.put(t, "auto-a", 1, func(h *Share) { h.Listed = true })
	if err := s.Drop(t.Context(), "auto-a", "auto-b"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find(t.Context(), "auto-a"); err != nil {
		t.Errorf("dropped by another job: %v", err)
	}
	for range 2 {
		if err := s.Drop(t.Context(), "auto-a", h.Job); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List(t.Context())
	if _, gone := s.Find(t.Context(), "auto-a"); !errors.Is(gone, ErrNotFound) || len(list) != 0 || err != nil {
		t.Errorf("%v, %v, %v", gone, list, err)
	}
	s.put(t, "auto-c", 1, nil)
	if _, err := s.Rename(t.Context(), "auto-c", "c"); err != nil {
		t.Fatal(err)
	}
	if err := s.Drop(t.Context(), "auto-c", "auto-c"); err != nil {
		t.Fatal(err)
	}
	if h, err := s.Follow(t.Context(), "auto-c"); err != nil || h.Name != "c" {
		t.Errorf("a share that was renamed is dropped: %+v %v", h, err)
	}
}

// Renames that lead in a circle end.
func TestFollowEnds(t *testing.T) {
	s := shelf(t)
	a, b := s.put(t, "a", 1, nil), s.put(t, "b", 1, nil)
	for _, m := range []struct {
		from Share
		to   string
	}{{a, "b"}, {b, "a"}} {
		if err := s.move(t.Context(), m.from, m.to); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Follow(t.Context(), "a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}

func TestNames(t *testing.T) {
	for name, ok := range map[string]bool{"a": true, "A-b_9": true, strings.Repeat("x", 80): true, strings.Repeat("x", 81): false,
		"": false, "a b": false, "a/b": false, "ä": false, "a\n": false} {
		if err := CheckName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := shelf(t).Find(context.Background(), "../x"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// of is the source of an object that is held.
func of(object string) source {
	return sourceOf(context.Background(), strings.NewReader(object), func(*feature) bool { return true })
}

// listed are the features of an object.
func listed(object string) (all []feature, p parts, err error) {
	p, err = of(object)(func(f *feature) error { all = append(all, *f); return nil })
	return all, p, err
}

// Columns come in the order in which properties first come, with names that SQLite tells apart, numbers as numbers, and what
// differs as text; what is beyond the columns stands together.
func TestColumns(t *testing.T) {
	object := `{"geometry":null,"result":{"type":"FeatureCollection","meta":{"license":"CC BY 4.0"},"features":[
		{"id":"x","properties":{"n":1,"N":"a","fid":2,"geom":3,"":4,"mixed":1,"none":null},"geometry":null},
		{"properties":{"late":true,"n":2.5,"mixed":"b","other_properties":{"a":1}},"geometry":null},{"properties":null,"geometry":null}]}}`
	features, p, err := listed(object)
	if err != nil || p.about != "CC BY 4.0" || len(features) != 3 {
		t.Fatalf("%v %q %d", err, p.about, len(features))
	}
	h := Share{Kind: "terrain"}
	layers, err := h.layers(of(object))
	if err != nil || len(layers) != 1 || layers[0].Name != "terrain_without_place" {
		t.Fatalf("%v %+v", err, layers)
	}
	var rows []string
	for r, err := range layers[0].Rows {
		if err != nil {
			t.Fatal(err)
		}
		var cells []string
		for i, c := range r.RowType().Columns {
			v := r.Value(i)
			text, _ := v.Str()
			if n, ok := v.Float64(); ok {
				text = fmt.Sprint(n)
			}
			cells = append(cells, c.Name+"="+text)
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	want := []string{`id=x n=1 N_2=a fid_2=2 geom_2=3 _=4 mixed=1 none= late= other_properties_2=`,
		`id= n=2.5 N_2= fid_2= geom_2= _= mixed="b" none= late=1 other_properties_2={"a":1}`,
		`id= n= N_2= fid_2= geom_2= _= mixed= none= late= other_properties_2=`}
	if strings.Join(rows, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
	var many []string
	for i := range maxColumns + 2 {
		many = append(many, fmt.Sprintf(`"p%d":%d`, i, i))
	}
	layers, err = h.layers(of(`{"result":{"type":"FeatureCollection","features":[{"properties":{` + strings.Join(many, ",") +
		`},"geometry":null}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	for r := range layers[0].Rows {
		last := len(r.RowType().Columns) - 1
		if text, _ := r.Value(last).Str(); last != maxColumns || r.RowType().Columns[last].Name != rest || text != `{"p500":500,"p501":501}` ||
			r.RowType().Columns[0].Type != format.TypeFloat {
			t.Errorf("%d columns, the last %s: %s", last+1, r.RowType().Columns[last].Name, text)
		}
	}
}

// Features are chosen by their type and by the first height that they have.
func TestFilters(t *testing.T) {
	l := Layer{Type: "type", Height: []string{"h", "h_max"}}
	five := 5.0
	for text, want := range map[string][3]bool{ // types=a, height_min=5, both
		`{"type":"a","h":5}`: {true, true, true}, `{"type":"a","h":4.99,"h_max":9}`: {true, false, false},
		`{"type":"b","h":null,"h_max":9}`: {false, true, false},
		`{"h":9}`:                         {false, true, false}, `{"type":1}`: {false, false, false}, `{"type":"a","h":"9"}`: {true, false,
			false}, `{}`: {false,
			false, false},
	} {
		features, _, err := listed(`{"result":{"type":"FeatureCollection","features":[{"properties":` + text + `,"geometry":null}]}}`)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range []Filter{{Types: []string{"a", "c"}}, {HeightMin: &five}, {Types: []string{"a"}, HeightMin: &five}} {
			if got := l.has(&features[0], f); got != want[i] {
				t.Errorf("%s by filter %d: %v", text, i, got)
			}
		}
		if !l.has(&features[0], Filter{}) {
			t.Errorf("%s is left out by no filter", text)
		}
	}
}

func FuzzFeatures(f *testing.F) {
	f.Add([]byte(`{"geometry":null,"result":{"type":"FeatureCollection","features":[{"id":1,"properties":{"a":[1]},
		"geometry":{"type":"Point","coordinates":[13,47]}}]}}`))
	f.Add([]byte(`{"geometry":{"type":"Polygon","coordinates":[[[13,47],[13.1,47],[13.1,47.1],[13,47]]]},
		"result":{"data":{"a":{"b":1},"c":null}}}`))
	f.Fuzz(func(t *testing.T, object []byte) {
		h := Share{Kind: "terrain"}
		layers, err := h.layers(of(string(object)))
		if err != nil {
			return
		}
		for _, l := range layers {
			names := map[string]bool{}
			for r := range l.Rows {
				for i, c := range r.RowType().Columns {
					names[strings.ToLower(c.Name)] = true
					r.Value(i)
				}
				if len(names) != len(r.RowType().Columns) {
					t.Fatalf("columns %v", r.RowType().Columns)
				}
			}
		}
	})
}
