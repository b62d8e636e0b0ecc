package view_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/artefacts/pmt"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/warmup"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// world is a view of the made-up world, with its store; load is whether cold KGs are loaded there.
func world(t *testing.T, load bool) (store.Store, *view.View) {
	t.Helper()
	s := fixture.Store(t)
	var o library.Options
	if load {
		o.Warmup = func(austria.KGCode) {}
	}
	lib, err := library.Open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s, view.At(t.Context(), v)
}

// missing draws what an answer says of the KGs it lacks.
func missing(g *view.Missing) string {
	return fmt.Sprint(g.Warming(), g.Unavailable(), g.Ready())
}

func TestReadSaysWhyAKGIsMissing(t *testing.T) {
	for _, c := range []struct {
		name  string
		load  bool
		spoil func(t *testing.T, s store.Store, key string)
		code  austria.KGCode
		want  string
	}{
		{"warm", false, nil, "88801", "[] [] true"},
		{"cold, and nothing loads it", false, nil, "88803", "[] [88803] false"},
		{"cold, and being loaded", true, nil, "88803", "[88803] [] false"},
		{"gone from the store", false, func(t *testing.T, s store.Store, key string) {
			if err := s.Delete(t.Context(), key); err != nil {
				t.Fatal(err)
			}
		}, "88801", "[] [88801] false"},
		{"damaged, though cold KGs are loaded", true, func(t *testing.T, s store.Store, key string) {
			if _, err := s.Put(t.Context(), key, []byte("no KG file"), store.PutOptions{}); err != nil {
				t.Fatal(err)
			}
		}, "88801", "[] [88801] false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, v := world(t, c.load)
			if c.spoil != nil {
				c.spoil(t, s, v.Register().KG(c.code).Snapshot.Key)
			}
			var g view.Missing
			f, err := v.Read(t.Context(), c.code, &g)
			if err != nil || missing(&g) != c.want {
				t.Errorf("want %s, got %s, %v", c.want, missing(&g), err)
			}
			if (f != nil) != g.Ready() || g.Has(c.code) == g.Ready() {
				t.Errorf("a file %v, and the gaps %s", f != nil, missing(&g))
			}
		})
	}
	_, v := world(t, false)
	var g view.Missing
	if _, err := v.Read(t.Context(), "77777", &g); !errors.Is(err, library.ErrUnknownKG) || !g.Ready() {
		t.Errorf("a KG that does not exist: %v, %s", err, missing(&g))
	}
}

// A KG that is gone while its rows are sent ends the answer, with a time to try again.
func TestOpenOfAKGThatIsGone(t *testing.T) {
	_, v := world(t, false)
	_, err := v.Open(t.Context(), "88803")
	var f *fault.Fault
	if !errors.As(err, &f) || f.Status() != http.StatusServiceUnavailable {
		t.Errorf("want 503, got %v", err)
	}
	if file, err := v.Open(t.Context(), "88801"); err != nil || file.KG().Code != "88801" {
		t.Errorf("a warm KG: %v", err)
	}
}

// A KG whose warm-up failed is not being loaded, until it is tried again or was built; gaps of answers that only count rows
// say the same.
func TestAKGWhoseWarmupFailed(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(100, 0) // the store counts seconds from 1970
	lib, err := library.Open(t.Context(), s, library.Options{Warmup: func(austria.KGCode) {}, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	says := func(want string) {
		t.Helper()
		served, err := lib.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		v := view.At(t.Context(), served)
		var read, counted view.Missing
		if _, err := v.Read(t.Context(), "88803", &read); err != nil {
			t.Fatal(err)
		}
		if err := v.Confirm(t.Context(), []austria.KGCode{"88801", "88803"}, &counted); err != nil {
			t.Fatal(err)
		}
		if missing(&read) != want || missing(&counted) != want {
			t.Errorf("at %v: want %s, got %s and %s", now, want, missing(&read), missing(&counted))
		}
		now = now.Add(time.Minute) // what was seen is looked at again
	}
	note := func(err error) {
		t.Helper()
		if err = errors.Join(err, warmup.NoteFailures(t.Context(), s)); err != nil {
			t.Fatal(err)
		}
	}
	says("[88803] [] false")
	note(warmup.Failed(t.Context(), s, "88803", errors.New("no parcels"), true))
	says("[] [88803] false")
	if _, err := s.Put(t.Context(), "requests/failed.json", []byte("damaged"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	says("[] [88803] false")
	note(warmup.Done(t.Context(), s, "88803"))
	says("[88803] [] false")
	note(warmup.Failed(t.Context(), s, "88803", errors.New("tiles cannot be read"), false))
	says("[] [88803] false")
	now = now.Add(warmup.RetryAfter)
	says("[88803] [] false")
}

// KGs that are only counted are asked for in the store.
func TestConfirm(t *testing.T) {
	for _, load := range []bool{true, false} {
		s, v := world(t, load)
		if err := s.Delete(t.Context(), v.Register().KG("88802").Snapshot.Key); err != nil {
			t.Fatal(err)
		}
		var g view.Missing
		want := map[bool]string{true: "[88802] [] false", false: "[] [88802] false"}[load]
		if err := v.Confirm(t.Context(), []austria.KGCode{"88801", "88802"}, &g); err != nil || missing(&g) != want {
			t.Errorf("want %s, got %s, %v", want, missing(&g), err)
		}
	}
}

// Missing of the parts of an answer are the gaps of the answer, each KG once and in order.
func TestMerge(t *testing.T) {
	_, v := world(t, false)
	var a, b view.Missing
	for _, g := range []*view.Missing{&a, &b} {
		if _, err := v.Read(t.Context(), "88803", g); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.Confirm(t.Context(), []austria.KGCode{"00001"}, &b); err != nil {
		t.Fatal(err)
	}
	if a.Merge(b); missing(&a) != "[] [00001 88803] false" {
		t.Errorf("got %s", missing(&a))
	}
}

// Two parts of the list of a generation are joined, whichever comes first; a part is made once for its name.
func TestMergeOfParts(t *testing.T) {
	_, v := world(t, false)
	all := v.Unbuilt(t.Context())
	made := 0
	one := func(name string, codes ...austria.KGCode) *library.Unbuilt {
		return all.Part(name, func() []austria.KGCode { made++; return codes })
	}
	none := one("none", "88801")
	if one("none") != none || made != 1 || none.Len() != 0 {
		t.Errorf("made %d times, %d KGs: a part that is known, of a KG with a snapshot", made, none.Len())
	}
	for _, parts := range [][2]*library.Unbuilt{{all, one("cold", "88803")}, {one("cold"), all}, {none, all}, {all, all}} {
		var a, b view.Missing
		v.Part(parts[0], &a)
		v.Part(parts[1], &b)
		if a.Merge(b); missing(&a) != "[] [88803] false" {
			t.Errorf("got %s", missing(&a))
		}
	}
}

// A complete answer carries no header of its own; a partial one is kept by nobody. Answers do not share what
// is added to their meta.
func TestMark(t *testing.T) {
	_, v := world(t, false)
	var whole, partial view.Missing
	if _, err := v.Read(t.Context(), "88803", &partial); err != nil {
		t.Fatal(err)
	}
	names := func(m []reply.Member) (n []string) {
		for _, m := range m {
			n = append(n, m.Name)
		}
		return n
	}
	want := []string{"ready", "kgs_warming", "kgs_unavailable", "kgs_warming_count", "kgs_unavailable_count"}
	r := whole.Mark(&reply.Rows{})
	if len(r.Header) != 0 || !slices.Equal(names(r.Meta), want) {
		t.Errorf("a whole answer: %v %v", r.Header, r.Meta)
	}
	r.Meta = append(r.Meta, reply.Member{Name: "more"})
	if again := whole.Meta(); !slices.Equal(names(append(again, reply.Member{Name: "other"})), append(want, "other")) ||
		r.Meta[5].Name != "more" {
		t.Errorf("answers share their meta: %v", r.Meta)
	}
	b := partial.MarkBeside(&reply.Rows{})
	if b.Header.Get(view.ReadyHeader) != "false" || b.Header.Get("Cache-Control") != "no-store" ||
		b.Members[0] != (reply.Member{Name: "ready", Value: false}) {
		t.Errorf("a partial answer: %v %v", b.Header, b.Members)
	}
	if s := partial.MarkStream(&reply.Stream{}); s.Header.Get(view.ReadyHeader) != "false" ||
		!slices.Equal(names(s.Meta), append(want, "missing_by_reason")) {
		t.Errorf("a partial stream: %v %v", s.Header, s.Meta)
	}
}

// A parcel is opened by its id: that a parcel does not exist is said only of a KG that was read, and a KG that there is not is not one that
// was not built.
func TestParcel(t *testing.T) {
	_, v := world(t, false)
	for id, want := range map[string]string{
		"88801-6": "5", "88801-.6/1": "16",
		"88801-77": "404 there is no parcel 88801-77",
		"88803-1":  "404 KG 88803 was not built here",
		"77777-1":  "404 there is no KG 77777",
	} {
		p, err := austria.ParseParcelID(id)
		if err != nil {
			t.Fatal(err)
		}
		file, row, err := v.Parcel(t.Context(), p)
		got := fmt.Sprint(row)
		var f *fault.Fault
		if errors.As(err, &f) {
			got = fmt.Sprint(f.Status(), " ", f.Message)
		} else if err != nil || file.KG().Code != p.KG {
			t.Errorf("%s: %v", id, err)
		}
		if !strings.HasPrefix(got, want) || (err == nil) == strings.Contains(want, " ") {
			t.Errorf("%s: want %s, got %s", id, want, got)
		}
	}
	for code, known := range map[austria.KGCode]bool{"88801": true, "88803": true, "77777": false} {
		var f *fault.Fault
		if k, err := view.Known(v.View, code); (k != nil) != known || known && k.Code != code || !known && (!errors.As(err, &f) ||
			f.Status() != http.StatusNotFound) {
			t.Errorf("%s: %v, %v", code, k, err)
		}
	}
}

// Vector tiles are those of the request's generation; a country without any says so.
func TestACountryWithoutTiles(t *testing.T) {
	s := fixture.Store(t)
	service := endpoint.Service{Pin: generation.Pin(fixture.Library(t, s)), Endpoints: []endpoint.Endpoint{{
		Method: "GET", Path: "/tiles", ID: "tiles", Tag: "t", Summary: "Tiles", Example: "/tiles", Answer: endpoint.Answer{Body: ""},
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			a, err := view.TilesOf(ctx)
			return &reply.Document{Body: fmt.Sprint(a != nil)}, err
		}}}}
	h := fixture.Handler(t, &service)
	if w := fixture.Ask(h, "GET", "/tiles", ""); w.Code != 404 || !strings.Contains(w.Body.String(), "no vector tiles") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if a, err := view.TilesOf(t.Context()); a != nil || err == nil {
		t.Errorf("outside of a request: %v, %v", a, err)
	}
}

// An archive that the generation names and the store lost is not taken for a country without tiles, and nobody is told to ask again.
func TestTilesThatAreLost(t *testing.T) {
	s := fixture.Store(t)
	options, tiles := pmt.Options{Metadata: struct{}{}}, []pmt.Tile{{Content: []byte("t")}}
	if err := errors.Join(fixture.AddTiles(s, options, tiles), fixture.AddArchive(s, "base-relief", options, tiles)); err != nil {
		t.Fatal(err)
	}
	for info, err := range s.List(t.Context(), "national/") {
		if err == nil && strings.HasSuffix(info.Key, ".pmtiles") {
			err = s.Delete(t.Context(), info.Key)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, _, err := generation.Pin(fixture.Library(t, s))(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() (*pmt.Archive, error){
		"the vector tiles": func() (*pmt.Archive, error) { return view.TilesOf(ctx) },
		"the relief":       func() (*pmt.Archive, error) { return view.ArchiveOf(ctx, "base-relief") },
	} {
		a, err := open()
		if f := (*fault.Fault)(nil); a != nil || !errors.As(err, &f) || f.Status() != http.StatusServiceUnavailable || f.RetryAfter != 0 ||
			f.Members["reason"] != "lost" {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
	if a, err := view.ArchiveOf(ctx, "base-cells"); a != nil || err != nil {
		t.Errorf("what the generation does not name: %v, %v", a, err)
	}
}
