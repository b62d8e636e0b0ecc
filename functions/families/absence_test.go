package families

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/availability"
	"mappe/artefacts/library"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// absentKG is the KG that is missing; lon 15.004 to 15.008, lat 48 to 48.004.
const absentKG = austria.KGCode("88802")

// inAbsent puts the places of the examples, which are of the demo country, into the KG.
var inAbsent = strings.NewReplacer("99101", string(absentKG), "09902-287", string(absentKG)+"-1", "09902", string(absentKG),
	"west=13.27&south=47.318&east=13.28&north=47.325", "west=15.0041&south=48.0001&east=15.0079&north=48.0039",
	"bbox=13.27,47.318,13.28,47.325", "bbox=15.0041,48.0001,15.0079,48.0039", "lon=13.2742", "lon=15.0051", "lat=47.3208", "lat=48.0011",
	`"lon":13.2742`, `"lon":15.0051`, `"lat":47.3208`, `"lat":48.0011`, "9100643-001", "8880201-001", "\"99101_fp_1\"", "\"88802_fp_1\"",
	"AT3299001", "AT0000002", "area=Lorfach", "area=Park",
	"[13.27,47.318]", "[15.0041,48.0001]", "[13.28,47.318]", "[15.0079,48.0001]", "[13.275,47.325]", "[15.006,48.0039]",
	"%5B13.27%2C47.318%5D", "%5B15.0041%2C48.0001%5D", "%5B13.28%2C47.318%5D", "%5B15.0079%2C48.0001%5D", "%5B13.275%2C47.325%5D",
	"%5B15.006%2C48.0039%5D")

// further are requests beside the examples: filters on what lies over parcels, a country, ids.
var further = []string{"/cadastre/api/v1/query?kg=88802&has_natura2000=true", "/cadastre/api/v1/query?kg=88802&has_natura2000=false",
	"/cadastre/api/v1/query?kg=88802&natura2000_site=AT0000002",
	"/cadastre/api/v1/query?kg=88802&has_legal_refs=true", "/cadastre/api/v1/query?has_natura2000=true",
	"/cadastre/api/v1/query?min_area=1&with_stats=true",
	"/cadastre/api/v1/query?min_lon=15.0041&min_lat=48.0001&max_lon=15.0079&max_lat=48.0039", "/cadastre/api/v1/search/parcel?kg=88802",
	"/cadastre/api/v1/search/ez?kg=88802",
	"/cadastre/api/v1/search/parcel?id=88802-1", "/cadastre/api/v1/natura2000/site_parcels/AT0000002",
	"/cadastre/ogc/collections/parcels/items?limit=3",
	"/cadastre/ogc/collections/parcels/items/88802-1", "/cadastre/api/v1/kg/88802/diff", "/cadastre/api/v1/kg/88802/history?gnr=1"}

// ofRegister are the endpoints that show what is known of KGs, built or not: they differ with what is built and lack nothing.
// They do not differ with what can be read.
var ofRegister = regexp.MustCompile(
	`/(stats|docs|llm|openapi|kg_versions|landing|status|list|stac|search/(kg|municipality|municipalities|district|lookup|text|address_osm)|lookup|spatial/kgs|ogc/collections/(kgs|municipalities)|ogc/collections$|natura2000/(stats|search|point|site/)|query\?type=crop|query/compound|index/status|kg/[0-9]{5}$|ne/|context|land_prices/(gemeinde|map|kg)|export/size)`)

// operating are the endpoints about the process and its jobs: they read no KG.
var operating = regexp.MustCompile(`/(inspire|buildings/repair|prewarm|debug|geom_cache|segment|shares?|processing)\b`)

// absentWorld is the handler of a world in which one KG is in a state; "" is there.
func absentWorld(t *testing.T, state string) map[string]http.Handler {
	t.Helper()
	s := mem.New()
	var cold []austria.KGCode
	if state == "unbuilt" || state == "cold" {
		cold = []austria.KGCode{absentKG}
	}
	list := fixture.Snapshots()
	if err := errors.Join(fixture.PublishOver(s, nil, cold...), fixture.AddDirectory(s, list, cold...),
		fixture.AddGrid(s, fixture.Over())); err != nil {
		t.Fatal(err)
	}
	k := fixture.View(t, s).Register().KG(absentKG)
	if err := spoil(t, s, state, k.Snapshot.Key, hex.EncodeToString(k.Snapshot.SHA256[:])); err != nil {
		t.Fatal(err)
	}
	o := library.Options{}
	if state == "cold" || state == "evicted" {
		o.Warmup = func(austria.KGCode) {}
	}
	lib, err := library.Open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	handlers := map[string]http.Handler{}
	for _, service := range All(Deps{Library: lib}) {
		h, err := service.Handler()
		if err != nil {
			t.Fatal(err)
		}
		handlers[service.Prefix] = h
	}
	return handlers
}

// spoil takes a snapshot away, or makes it unreadable.
func spoil(t *testing.T, s store.Store, state, key, sum string) error {
	switch state {
	case "evicted":
		b, err := json.Marshal(availability.Index{Format: availability.Format,
			KGs: []availability.Evicted{{Code: absentKG, Sum: sum, Bytes: 1}}})
		if err == nil {
			_, err = s.Put(t.Context(), "availability.json", b, store.PutOptions{})
		}
		return errors.Join(err, s.Delete(t.Context(), key))
	case "lost":
		return s.Delete(t.Context(), key)
	case "damaged":
		err := s.Delete(t.Context(), key)
		if err == nil {
			_, err = s.Put(t.Context(), key, []byte("no KG file"), store.PutOptions{})
		}
		return err
	}
	return nil
}

// asked is a request of the walk.
type asked struct{ prefix, method, target, body string }

// requests are the examples of all endpoints that read the cadastre, and further ones.
func requests() (list []asked) {
	for _, s := range All(Deps{}) {
		if s.Prefix != "/cadastre" && s.Prefix != "/landscape" && s.Prefix != "/context" {
			continue
		}
		for _, m := range s.Members {
			for _, e := range m.Service.Endpoints {
				if e.Example == "" || operating.MatchString(e.Path) {
					continue
				}
				list = append(list, asked{s.Prefix, e.Method, inAbsent.Replace(e.Example), inAbsent.Replace(e.ExampleBody)})
			}
		}
	}
	for _, target := range further {
		list = append(list, asked{"/cadastre", "GET", strings.TrimPrefix(target, "/cadastre"), ""})
	}
	return list
}

func (a asked) of(handlers map[string]http.Handler) *httptest.ResponseRecorder {
	return fixture.Ask(handlers[a.prefix], a.method, a.prefix+a.target, a.body, "Content-Type", "application/json")
}

// flags are what an answer says of what it lacks.
type flags struct {
	Ready    *bool  `json:"ready"`
	Complete *bool  `json:"complete"`
	Cache    *bool  `json:"geom_cache_ready"`
	Reason   string `json:"reason"`
	lists
	Meta struct {
		Ready    *bool          `json:"ready"`
		Complete *bool          `json:"complete"`
		Cache    *bool          `json:"geom_cache_ready"`
		Reasons  map[string]int `json:"missing_by_reason"`
		lists
	} `json:"meta"`
}

type lists struct {
	Warming     []austria.KGCode `json:"kgs_warming"`
	Unavailable []austria.KGCode `json:"kgs_unavailable"`
	Warmings    int              `json:"kgs_warming_count"`
	Unavailed   int              `json:"kgs_unavailable_count"`
}

// names says whether the KG is in the list of its state and in no other.
func (l lists) names(coming bool) bool {
	return slices.Contains(l.Warming, absentKG) == coming && slices.Contains(l.Unavailable, absentKG) == !coming
}

func isFalse(b *bool) bool { return b != nil && !*b }

// volatile are members that differ from answer to answer.
var volatile = regexp.MustCompile(
	`"(query_time_ms|duration_ms|request_id|timeStamp|age_ms|published_at|requested_at|generation|updated_at)":("[^"]*"|[0-9.]+)|20[0-9][0-9]-[0-9-]+T[0-9:.]+Z|[0-9a-f]{16}`)

// Every endpoint says of a KG that it cannot read what the table of docs/absence.md says: an answer that differs from the
// one with the KG is not complete.
func TestWhatIsMissingIsSaidByEveryEndpoint(t *testing.T) {
	whole := absentWorld(t, "")
	list := requests()
	want := make([]*httptest.ResponseRecorder, len(list))
	for i, a := range list {
		want[i] = a.of(whole)
	}
	for _, why := range view.AllAbsences() {
		if !why.Exists() {
			continue
		}
		t.Run(why.String(), func(t *testing.T) {
			handlers := absentWorld(t, why.String())
			said := 0
			for i, a := range list {
				if w := a.of(handlers); checkAbsence(t, why, a, w, want[i]) {
					said++
				}
			}
			if said < 20 {
				t.Errorf("only %d of %d answers said that the KG is missing: the walk does not reach it", said, len(list))
			}
		})
	}
}

// checkAbsence holds an answer to the table; said is whether it says that the KG is missing.
func checkAbsence(t *testing.T, why view.Absence, a asked, w, whole *httptest.ResponseRecorder) (said bool) {
	t.Helper()
	var f flags
	_ = json.Unmarshal(w.Body.Bytes(), &f) // other forms say it in the header alone
	partial := w.Header().Get(view.ReadyHeader) == "false" || isFalse(f.Ready) || isFalse(f.Meta.Ready) || isFalse(f.Complete) ||
		isFalse(f.Meta.Complete) ||
		strings.HasPrefix(a.target, "/stac") && strings.Contains(w.Body.String(), `"ready":false`) // each item says it of its files
	known := ofRegister.MatchString(a.target) && (why == view.Unbuilt || why == view.Cold)
	switch {
	case w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") != "" && !why.Coming() && whole.Code != w.Code:
		t.Errorf("%s: 503 with Retry-After of what never comes: %.200s", a.target, w.Body)
	case w.Code >= 500 && w.Code != http.StatusServiceUnavailable:
		t.Errorf("%s: %d %.200s", a.target, w.Code, w.Body)
	case w.Code != whole.Code && !(w.Code == 200 && partial) && !known && (f.Reason != why.String() || !isFalse(f.Ready) ||
		!f.lists.names(why.Coming()) || (w.Code == 503) != (w.Header().Get("Retry-After") != "") && why.Coming()):
		t.Errorf("%s: %d in place of %d, which does not say why: %.300s", a.target, w.Code, whole.Code, w.Body)
	case w.Code == 200 && partial && (w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != ""):
		t.Errorf("%s: a partial answer may be kept: %v", a.target, w.Header())
	case w.Code == 200 && isFalse(f.Meta.Ready) && (!f.Meta.lists.names(why.Coming()) || f.Meta.Reasons[why.String()] != 1 ||
		f.Meta.Warmings+f.Meta.Unavailed != 1):
		t.Errorf("%s: %.400s", a.target, w.Body)
	case w.Code == 200 && !partial && !known && volatile.ReplaceAllString(w.Body.String(),
		"") != volatile.ReplaceAllString(whole.Body.String(), ""):
		t.Errorf("%s: another answer than with the KG, and it claims to be complete:\n%.300s\n%.300s", a.target, w.Body, whole.Body)
	}
	return partial
}
