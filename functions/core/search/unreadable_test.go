package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// breaking fails the at-th read, counted from 1.
type breaking struct {
	store.Store
	at, reads atomic.Int64
}

func (b *breaking) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if b.reads.Add(1) == b.at.Load() {
		return nil, errors.New("the network broke")
	}
	return b.Store.Get(ctx, key, o)
}

var nationalPaths = []string{"text?q=Hauptstra%C3%9Fe%201", "text?q=Westdorf%206", "text?q=Nirgends", "address?q=Mozartgasse%207",
	"address?q=Mozatrgasse", "address_osm?q=Hauptstra%C3%9Fe%208%20Westdorf",
	"gnr?gnr=6", "gnr?gnr=1*", "feature?id=9000010-000", "text?suggest=true&q=Haupt", "address?suggest=true&q=Hauptstra%C3%9Fe%201"}

// Whichever read of the store fails, the answer is whole or says that it cannot be given now; the next one is whole.
func TestEveryReadFailsOnce(t *testing.T) {
	s := publishStreets(t, streets)
	for _, path := range nationalPaths {
		want := ""
		for at := int64(0); ; at++ {
			b := &breaking{Store: s}
			lib, err := library.Open(t.Context(), b, library.Options{})
			if err != nil {
				t.Fatal(err)
			}
			h := handler(t, Deps{Library: lib})
			b.reads.Store(0)
			b.at.Store(at)
			w := get(h, "search/"+path)
			reads := b.reads.Load()
			if body := untimed(w.Body.String()); at == 0 {
				want = body
			} else if w.Code == 200 && body != want || w.Code != 200 && (w.Code != 503 || w.Header().Get("Retry-After") == "" ||
				strings.Contains(body, "network")) {
				t.Errorf("%s, read %d of %d fails: got %d %s", path, at, reads, w.Code, body)
			}
			if again := get(h, "search/"+path); again.Code != 200 || untimed(again.Body.String()) != want {
				t.Errorf("%s, after read %d failed: want %s, got %d %s", path, at, want, again.Code, again.Body)
			}
			if at > reads {
				break
			}
		}
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

// A directory whose bytes changed is not believed, and nobody is told to ask again.
func TestDamagedDirectory(t *testing.T) {
	s := publishStreets(t, streets)
	var key string
	for info, err := range s.List(t.Context(), "national/search-directory") {
		if err != nil {
			t.Fatal(err)
		}
		key = info.Key
	}
	whole, _, err := store.ReadAll(t.Context(), s, key, 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/97 {
		body := append([]byte(nil), whole...)
		body[at] ^= 0x41
		if err := s.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(t.Context(), key, body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		h := serve(t, s, library.Options{})
		for _, path := range nationalPaths {
			if w := get(h, "search/"+path); w.Code != 200 &&
				(w.Code != 503 || !strings.Contains(w.Body.String(), "the search index is not initialised") ||
					w.Header().Get("Retry-After") != "" || !strings.Contains(w.Body.String(), `"reason":"damaged"`)) {
				t.Errorf("byte %d of %d changed, %s: got %d %s", at, len(whole), path, w.Code, w.Body)
			}
		}
	}
}

// Whatever is typed, the answer is one of the two.
func TestHostileText(t *testing.T) {
	h := streetWorld(t)
	for _, q := range []string{"'", "\"", "%", "*", "\\", "a\x00b", "ß", "éé́", "  ", ",,,", "-", "/", "0", "00000000000000000000",
		"999999999999/1", "1/2/3/4/5/6/7/8/9", "1-", "-1", "12-10",
		"Top", "Stiege Stiege 1", "Top 3", "A-", "A-1", "str", "St.", strings.Repeat("a ", 99), strings.Repeat("1 ", 99),
		strings.Repeat("ä", 99), "<script>", "🏠 1", "\u202eabc", "=1+1"} {
		for _, path := range []string{"text?q=", "address?q=", "address?street=", "address?ort=", "address_osm?q=", "text?suggest=true&q=",
			"address?suggest=true&q="} {
			if strings.HasPrefix(path, "address?s") && len(q) > 100 || strings.HasPrefix(path, "address?o") && len(q) > 100 {
				continue
			}
			if w := get(h, "search/"+path+url.QueryEscape(q)); w.Code != 200 && w.Code != 400 {
				t.Errorf("%s%q: got %d %s", path, q, w.Code, w.Body)
			}
		}
	}
}

// The ETag changes with the directory, and saves the answer while it does not.
func TestETagsOfNationalSearches(t *testing.T) {
	a, b := streetWorld(t), serve(t, publishStreets(t, streets[:5]), library.Options{})
	for _, path := range nationalPaths {
		tag := get(a, "search/"+path).Header().Get("ETag")
		if other := get(b, "search/"+path).Header().Get("ETag"); tag != "" && tag == other {
			t.Errorf("%s: two directories, one ETag", path)
		}
		if w := get(a, "search/"+path, "If-None-Match", tag); tag != "" && w.Code != 304 {
			t.Errorf("%s: want 304, got %d", path, w.Code)
		}
	}
	if fmt.Sprint(get(a, "search/address?q=a").Header().Get("X-Data-Ready")) != "false" {
		t.Error("a KG that is cold may have addresses too: the answer is partial")
	}
}

// TestManyColdKGs: a search of a country of which most is not loaded says so, and asks for some of it.
func TestManyColdKGs(t *testing.T) {
	s := mem.New()
	var cold []austria.KGCode
	if err := fixture.PublishWith(s, fixture.Snapshots(), func(c *register.Contents) {
		for i := range 200 {
			code := austria.KGCode(fmt.Sprint(20000 + i))
			cold = append(cold, code)
			c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: code, Name: "Kalt", GemeindeCode: "32201", Box: geom.EmptyBox,
				AvgNNDistanceM: math.NaN(), FootprintMedianAreaSqm: math.NaN(), MedianParcelAreaSqm: math.NaN()}, DistrictCode: "322"})
		}
		slices.SortFunc(c.KGs, func(a, b register.KG) int { return strings.Compare(string(a.Code), string(b.Code)) })
	}); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddDirectory(s, fixture.Snapshots()); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32 // each KG is asked for once; requests may do so side by side
	h := serve(t, s, library.Options{Warmup: func(austria.KGCode) { asked.Add(1) }})
	w := fixture.Ask(h, "GET", "/api/v1/search/gnr?gnr=7", "")
	var a struct {
		Data []any
		Meta struct {
			Ready       bool
			Warming     []string `json:"kgs_warming"`
			Unavailable []string `json:"kgs_unavailable"`
			Count       int      `json:"kgs_warming_count"`
			URL         string   `json:"missing_url"`
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
		t.Fatal(w.Code, err, w.Body)
	}
	if a.Meta.Ready || len(a.Data) == 0 || len(a.Meta.Warming) != 20 || len(a.Meta.Unavailable) != 0 || a.Meta.Count != len(cold) ||
		a.Meta.URL == "" || asked.Load() != 64 {
		t.Errorf("%d rows, ready %v, %d being loaded, %d not, %d asked for", len(a.Data), a.Meta.Ready, len(a.Meta.Warming),
			len(a.Meta.Unavailable), asked.Load())
	}
}
