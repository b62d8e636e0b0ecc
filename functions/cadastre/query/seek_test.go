package query

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mappe/artefacts/columns"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// spelled are parcel numbers as they may be spelled, few enough that KGs share some.
var spelled = rapid.Custom(func(t *rapid.T) austria.GNR {
	digits := rapid.SampledFrom([]string{"0", "1", "2", "12", "012", "0012", "123", "1230", "120", "9"})
	n := rapid.SampledFrom([]string{"", ".", "0", ".0"}).Draw(t, "front") + digits.Draw(t, "main")
	if rapid.Bool().Draw(t, "has") {
		n += "/" + digits.Draw(t, "sub")
	}
	return austria.GNR(n)
})

// numbered is a country whose KGs have some of these numbers, enough KGs for the directory to be asked.
func numbered(seed int) []*kgfile.Snapshot {
	list := fixture.Many(soughtPlaces + 8)
	drawn := seed << 16
	for i, s := range list {
		s.KG.GemeindeCode = []austria.GemeindeCode{"38801", "38802", "48804", "32201"}[i%4]
		s.KG.GemeindeName, s.KG.DistrictName = "G "+string(s.KG.GemeindeCode), "B "+string(s.KG.GemeindeCode.District())
		have := map[austria.GNR]bool{}
		for k := range s.Parcels {
			drawn++
			n := spelled.Example(drawn)
			for have[n] {
				n += "1"
			}
			have[n] = true
			s.Parcels[k].GNR = n
		}
		kgfile.Quantise(s)
		s.Folios = kgfile.Folios(s.Parcels)
	}
	return list
}

// askedNumbers are texts that name parcels.
var askedNumbers = rapid.Custom(func(t *rapid.T) string {
	n := string(spelled.Draw(t, "sought"))
	switch rapid.IntRange(0, 5).Draw(t, "form") {
	case 0:
		return n + "*"
	case 1:
		return n[:rapid.IntRange(1, len(n)).Draw(t, "cut")] + "*"
	case 2:
		return n + "*1"
	case 3:
		return n + " " + string(spelled.Draw(t, "and"))
	case 4:
		return "Dorf " + n
	}
	return n
})

// worlds is how many countries are searched.
const worlds = 3

// With the search directory the answers are those of the scan over all columns, byte for byte: rows, totals, statistics,
// gaps and cursors, with KGs that are cold or lost and KGs that the directory does not cover.
func TestTheDirectoryChangesNoAnswer(t *testing.T) {
	for seed := range worlds {
		list := numbered(seed)
		cold, lost := list[3].KG.Code, list[4+7*seed].KG.Code
		scanned, sought := published(t, list, cold), published(t, list, cold)
		if err := fixture.AddDirectory(sought, list[:len(list)-2], cold); err != nil {
			t.Fatal(err)
		}
		for _, s := range []store.Store{scanned, sought} {
			lose(t, s, lost)
		}
		want, got := serve(t, scanned), serve(t, sought)
		rapid.Check(t, func(rt *rapid.T) {
			target := "/api/v1/query?q=" + url.QueryEscape(askedNumbers.Draw(rt, "q")) + rapid.SampledFrom([]string{"", "&with_stats=true",
				"&sort=gnr", "&sort=area_asc&offset=2", "&state=3", "&has_buildings=true", "&version=2026-10-01"}).Draw(rt,
				"with") + "&limit=3"
			a, b := fixture.Ask(want, "GET", target, ""), fixture.Ask(got, "GET", target, "")
			for _, h := range []string{"ETag", "Link", "X-Data-Ready", "Cache-Control"} {
				if x, y := a.Header().Get(h), b.Header().Get(h); x != y {
					rt.Fatalf("%s: %s: want %q, got %q", target, h, x, y)
				}
			}
			if x, y := untimed(a.Body.String()), untimed(b.Body.String()); a.Code != b.Code || x != y {
				rt.Fatalf("%s:\nwant %d %s\ngot  %d %s", target, a.Code, x, b.Code, y)
			}
		})
	}
}

// untimed is an answer without what differs between equal ones.
func untimed(body string) string {
	head, rest, ok := strings.Cut(body, `"query_time_ms":`)
	if !ok {
		return body
	}
	return head + strings.TrimLeft(rest, "0123456789.")
}

// lose takes the snapshot of a KG away.
func lose(t *testing.T, s store.Store, code austria.KGCode) {
	t.Helper()
	var found []string
	for info, err := range s.List(t.Context(), "kg/"+string(code)) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(info.Key, ".kgs") {
			found = append(found, info.Key)
		}
	}
	if len(found) == 0 {
		t.Fatal("no snapshot of " + code)
	}
	for _, key := range found {
		if err := s.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
}

// What the directory leaves out is exactly what has no such number.
func TestLacking(t *testing.T) {
	for seed := range worlds {
		list := numbered(seed)
		s := published(t, list)
		covered := list[:len(list)-1]
		if err := fixture.AddDirectory(s, covered); err != nil {
			t.Fatal(err)
		}
		v := viewOf(t, s)
		rapid.Check(t, func(rt *rapid.T) {
			n := patternOf(askedNumbers.Filter(func(q string) bool { return !strings.Contains(q, " ") }).Draw(rt, "q"))
			p := &plan{view: v}
			for i := range v.Register().KGs() {
				p.places = append(p.places, place{kg: &v.Register().KGs()[i], numbers: []*pattern{&n}})
			}
			if err := p.seek(t.Context()); err != nil {
				t.Fatal(err)
			}
			if p.lacking == nil && n.exact && n.number.Main > 0 {
				rt.Fatalf("%+v: the directory was not asked", n)
			}
			for i := range p.lacking {
				want := i < len(covered) && !slices.ContainsFunc(list[i].Parcels, func(p kgfile.Parcel) bool {
					return n.fits(columns.CanonicalNumber(p.GNR))
				})
				if got := p.lacking[i]; got != want {
					rt.Fatalf("%+v in KG %s: want lacking %v, got %v", n, list[i].KG.Code, want, got)
				}
			}
		})
	}
}

func viewOf(t *testing.T, s store.Store) *view.View {
	t.Helper()
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return view.Dated(v, "")
}

// undirected is a store whose search directory cannot be read.
type undirected struct{ store.Store }

func (u undirected) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if strings.HasPrefix(key, "national/search-directory") {
		return nil, errors.New("the network broke")
	}
	return u.Store.Get(ctx, key, o)
}

// A directory that cannot be read is passed over.
func TestWithoutADirectory(t *testing.T) {
	list := fixture.Many(soughtPlaces)
	s := published(t, list)
	if err := fixture.AddDirectory(s, list); err != nil {
		t.Fatal(err)
	}
	target := fmt.Sprintf("/api/v1/query?q=%s", list[0].Parcels[0].GNR)
	want, got := ask(t, serve(t, s), target), ask(t, serve(t, undirected{s}), target)
	if want.total() == 0 || want.total() != got.total() || !slices.Equal(want.ids(), got.ids()) {
		t.Errorf("want %v, got %v", want.ids(), got.ids())
	}
}
