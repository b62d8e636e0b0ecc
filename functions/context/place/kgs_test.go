package place

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/infra/golden"
	"mappe/infra/realdata"
	"mappe/shared/austria"
)

func serve(t testing.TB, d Deps) http.Handler {
	t.Helper()
	d.Library = fixture.Library(t, fixture.Store(t))
	if d.Now == nil {
		d.Now = fixture.Now
	}
	return fixture.Handler(t, New(d))
}

func get(h http.Handler, target string, header ...string) *httptest.ResponseRecorder {
	return fixture.Ask(h, "GET", target, "", header...)
}

func universe() string {
	return register.UniverseHash([]austria.KGCode{"00804", "88801", "88802", "88803"})
}

func TestKGsGolden(t *testing.T) {
	got := get(serve(t, Deps{}), "/api/v1/kgs?pretty=1").Body.Bytes()
	golden.Check(t, "kgs.json", got)
}

func TestKGsFilters(t *testing.T) {
	h := serve(t, Deps{})
	for _, c := range []struct{ query, want string }{
		{"", "00804 88801 88802 88803"},
		{"codes=88802,804,99999,00804", "88802 00804"}, // order kept, unknown dropped, unpadded accepted, once
		{"district=bezirk%20387", ""},
		{"district=BEZIRK%20388", "88801 88802 88803"},
		{"district=488", "00804"},
		{"district_code=388", "88801 88802 88803"},
		{"gemeinde_code=38801", "88801 88802"},
		{"state=3", "88801 88802 88803"},
		{"state=ober%C3%B6sterreich", "00804"},
		{"state=Nieder%C3%B6sterreich&gemeinde_code=38802", "88803"},
		{"codes=88803,88801&gemeinde_code=38801", "88801"},
	} {
		sep := ""
		if c.query != "" {
			sep = "&"
		}
		w := get(h, "/api/v1/kgs?fields=codes"+sep+c.query)
		var body struct {
			Data struct{ Codes []string }
			Meta struct{ Total int }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %v %s", c.query, w.Code, err, w.Body)
		}
		if got := strings.Join(body.Data.Codes, " "); got != c.want || body.Data.Codes == nil || body.Meta.Total != len(body.Data.Codes) {
			t.Errorf("%s: want %q, got %q of %d", c.query, c.want, got, body.Meta.Total)
		}
	}
}

func TestKGsValidators(t *testing.T) {
	h := serve(t, Deps{})
	w := get(h, "/api/v1/kgs")
	want := universe()
	if got := w.Header().Get("ETag"); got != `W/"`+want+`"` { // query_time_ms stands in the body
		t.Errorf("ETag: want %q, got %s", want, got)
	}
	if got := w.Header().Get("X-KG-Universe-Hash"); got != want {
		t.Errorf("X-KG-Universe-Hash: want %s, got %s", want, got)
	}
	if got := w.Header().Get("Cache-Control"); got != "max-age=3600" {
		t.Errorf("Cache-Control: got %s", got)
	}
	if w := get(h, "/api/v1/kgs", "If-None-Match", `"`+want+`"`); w.Code != 304 || w.Body.Len() != 0 {
		t.Errorf("want 304 without a body, got %d %s", w.Code, w.Body)
	}
	// The hash is known from the body too, whatever encoding that came in.
	if w := get(h, "/api/v1/kgs", "If-None-Match", `"`+want+`"`, "Accept-Encoding", "gzip"); w.Code != 304 ||
		w.Header().Get("ETag") != `W/"`+want+`"` {
		t.Errorf("gzip: want 304 with the tag that was sent, got %d %v", w.Code, w.Header())
	}
	if w := get(h, "/api/v1/kgs", "If-None-Match", `"other"`); w.Code != 200 {
		t.Errorf("want 200 for another hash, got %d", w.Code)
	}
}

func TestKGsFaults(t *testing.T) {
	h := serve(t, Deps{})
	for _, c := range []struct{ query, want string }{
		{"codes=abc", `parameter codes has the value "abc": expected 1 to 5 digits, for example 01004`},
		{"state=Bayern", `parameter state has the value "Bayern": expected a state, by digit or name: 1 Burgenland`},
		{"district_code=3888", `parameter district_code has the value "3888": expected 3 digits, for example 315`},
		{"fields=codes,kg_name", `parameter fields has the value "codes,kg_name": expected codes alone, or row fields without it`},
		{"fields=kg_nam", `did you mean kg_name?`},
		{"distrct=388", `did you mean district?`},
	} {
		w := get(h, "/api/v1/kgs?"+c.query)
		if w.Code != 400 || !strings.Contains(w.Body.String(), strings.ReplaceAll(c.want, `"`, `\"`)) {
			t.Errorf("%s: want 400 with %s, got %d %s", c.query, c.want, w.Code, w.Body)
		}
	}
}

// peerOf reads the header and peer_check.agree.
func peerOf(t *testing.T, h http.Handler) (string, *bool) {
	t.Helper()
	w := get(h, "/api/v1/kgs")
	var body struct {
		Data struct {
			PeerCheck struct {
				Service *string
				Agree   *bool
			} `json:"peer_check"`
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	return w.Header().Get("X-KG-Universe-Peer-Agree"), body.Data.PeerCheck.Agree
}

func TestPeerCheckIsHonest(t *testing.T) {
	if header, agree := peerOf(t, serve(t, Deps{})); header != "unknown" || agree != nil {
		t.Errorf("no sibling configured: want unknown and null, got %s %v", header, agree)
	}
	now := fixture.Noon
	var clock atomic.Int64
	var asked atomic.Int32
	answered := make(chan struct{}, 10)
	answers := []struct {
		list PeerList
		err  error
	}{{PeerList{4, universe()}, nil}, {PeerList{}, errors.New("down")}, {PeerList{5, "other"}, nil}}
	h := serve(t, Deps{PeerName: "cadastre", Now: func() time.Time { return now.Add(time.Duration(clock.Load())) },
		Peer: func(context.Context) (PeerList, error) {
			defer func() { answered <- struct{}{} }()
			a := answers[asked.Add(1)-1]
			return a.list, a.err
		}})
	settle := func() string {
		<-answered
		for range 10_000 { // the outcome is noted right after the answer
			if header, _ := peerOf(t, h); header != "unknown" {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		header, _ := peerOf(t, h)
		return header
	}
	if header, agree := peerOf(t, h); header != "unknown" || agree != nil {
		t.Errorf("before the first answer: want unknown and null, got %s %v", header, agree)
	}
	if got := settle(); got != "true" {
		t.Errorf("same hash: want true, got %s", got)
	}
	clock.Store(int64(59 * time.Minute))
	peerOf(t, h)
	if asked.Load() != 1 {
		t.Errorf("asked %d times within the hour", asked.Load())
	}
	clock.Store(int64(61 * time.Minute))
	peerOf(t, h)
	if got := settle(); got != "true" {
		t.Errorf("sibling down: want the outcome before, got %s", got)
	}
	clock.Store(int64(122 * time.Minute))
	peerOf(t, h)
	if got := settle(); got != "false" {
		t.Errorf("other hash: want false, got %s", got)
	}
}

// The recipe gives the published hash of the real register.
func TestRecipeOnRealRegister(t *testing.T) {
	table, err := os.ReadFile(realdata.Path(t, "admin/kg_register_2023.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var codes []austria.KGCode
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		c, err := austria.ParseKGCode(strings.TrimPrefix(strings.Split(line, ",")[0], "\ufeff"))
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, c)
	}
	want, err := os.ReadFile(realdata.Path(t, "admin/kg_universe_hash.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(codes) != contractCount || !strings.Contains(string(want), register.UniverseHash(codes)) {
		t.Errorf("%d codes with hash %s, want %s", len(codes), register.UniverseHash(codes), want)
	}
}

func BenchmarkKGs(b *testing.B) {
	h := serve(b, Deps{})
	b.ReportAllocs()
	for b.Loop() {
		get(h, "/api/v1/kgs")
	}
}
