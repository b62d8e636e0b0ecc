package contrib

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/artefacts/ne"
	"mappe/functions/context/contrib/observers"
	"mappe/functions/core/cells"
	"mappe/functions/fixture"
	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/hexgrid"
)

// harness is the service over the made-up world, with a clock that tests set.
type harness struct {
	h, cells http.Handler
	records  *observers.Records
	mu       sync.Mutex
	at       time.Time
	fails    bool // of the ledger
}

func (r *harness) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at
}

// failing is a ledger that cannot be reached while its harness says so.
type failing struct {
	ledger.Ledger
	r *harness
}

var errNet = errors.New("the network broke")

func (f failing) Get(ctx context.Context, k ledger.Key) (ledger.Record, error) {
	if f.r.fails {
		return ledger.Record{}, errNet
	}
	return f.Ledger.Get(ctx, k)
}

func newHarness(t testing.TB) *harness {
	t.Helper()
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots(), "88803"); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddCells(s, fixture.Snapshots()[:2], fixture.CellsOf{}); err != nil {
		t.Fatal(err)
	}
	lib := fixture.Library(t, s)
	l := sqlitetest.Open(t, sqlite.Options{})
	r := &harness{at: fixture.Noon}
	r.records = observers.New(failing{l, r}, r.now)
	r.h = fixture.Handler(t, New(Deps{Library: lib, Records: r.records}))
	r.cells = fixture.Handler(t, cells.New(cells.Deps{Library: lib}))
	return r
}

func (r *harness) token(t testing.TB, observer string) (id, text string) {
	t.Helper()
	tok, text, err := r.records.Grant(t.Context(), observer, 24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return tok.ID, text
}

func (r *harness) send(token, kg, body string) *httptest.ResponseRecorder {
	return fixture.Ask(r.h, "POST", "/contrib/api/v1/ne/"+kg+"/report", body, "Authorization", "Bearer "+token)
}

// head is the published header of a KG, as everybody reads it.
func (r *harness) head(t testing.TB, kg string) *ne.Header {
	t.Helper()
	var a struct{ Data ne.Header }
	if err := json.Unmarshal(fixture.Ask(r.cells, "GET", "/api/v1/ne/"+kg+"/head", "").Body.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	return &a.Data
}

func body(observer, baseline string, chunks ...string) string {
	var list []string
	for i := 0; i+1 < len(chunks); i += 2 {
		list = append(list, fmt.Sprintf(`{"h3":%q,"digest":%q}`, chunks[i], chunks[i+1]))
	}
	return fmt.Sprintf(`{"observer":%q,"layer":"lu","baseline":%q,"chunks":[%s]}`, observer, baseline, strings.Join(list, ","))
}

// changes are the cells of an answer with their status.
func changes(t testing.TB, w *httptest.ResponseRecorder) map[string]string {
	t.Helper()
	var a reportShape
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
		t.Fatalf("%d %v %s", w.Code, err, w.Body)
	}
	out := map[string]string{}
	for _, c := range a.Data.Changed {
		out[c.H3] = c.Status
	}
	return out
}

const otherDigest = "00000000000000ff"

// What one observer sees is a candidate, what a second sees too is confirmed; what is seen as published is no change.
func TestReports(t *testing.T) {
	r := newHarness(t)
	_, anna := r.token(t, "anna")
	_, bert := r.token(t, "bert")
	h := r.head(t, "88801")
	lu := h.Section(ne.LU)
	a, b := lu.Chunks[0], lu.Chunks[1]
	far, _ := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 47, Lng: 16}, ne.ChunkRes)
	if got := changes(t, r.send(anna, "88801", body("anna", h.Generation, a.Cell.String(), a.Digest, b.Cell.String(), otherDigest,
		far.String(), otherDigest))); len(got) != 2 || got[b.Cell.String()] != "candidate" || got[far.String()] != "candidate" {
		t.Errorf("one observer: %v", got)
	}
	if got := changes(t, r.send(anna, "88801",
		body("anna", h.Generation, b.Cell.String(), otherDigest))); got[b.Cell.String()] != "candidate" {
		t.Errorf("the same observer once more: %v", got)
	}
	if got := changes(t, r.send(bert, "88801", body("bert", h.Generation, b.Cell.String(), otherDigest, far.String(),
		"00000000000000fe"))); got[b.Cell.String()] != "confirmed" || got[far.String()] != "candidate" {
		t.Errorf("a second observer: %v", got)
	}
	if got := changes(t, r.send(anna, "88801",
		body("anna", h.Generation, b.Cell.String(), otherDigest))); got[b.Cell.String()] != "confirmed" {
		t.Errorf("the first observer again: %v", got)
	}
	if got := changes(t, r.send(bert, "88801", body("bert", h.Generation, b.Cell.String(), b.Digest))); len(got) != 0 {
		t.Errorf("as published: %v", got)
	}
	if got := changes(t, r.send(anna, "88801",
		body("anna", h.Generation, b.Cell.String(), otherDigest))); got[b.Cell.String()] != "candidate" {
		t.Errorf("the second observer has taken it back: %v", got)
	}
}

// Two reports of one observer at once are both kept, and of two observers at least one is told that they agree.
func TestReportsAtOnce(t *testing.T) {
	r := newHarness(t)
	h := r.head(t, "88801")
	lu := h.Section(ne.LU)
	_, anna := r.token(t, "anna")
	_, bert := r.token(t, "bert")
	var wg sync.WaitGroup
	confirmed := make([]string, 2)
	for i, o := range []struct{ name, token string }{{"anna", anna}, {"bert", bert}} {
		for n, c := range lu.Chunks[:2] {
			wg.Go(func() {
				got := changes(t, r.send(o.token, "88801", body(o.name, h.Generation, c.Cell.String(), otherDigest)))
				if n == 0 {
					confirmed[i] = got[c.Cell.String()]
				}
			})
		}
	}
	wg.Wait()
	if confirmed[0] != "confirmed" && confirmed[1] != "confirmed" {
		t.Errorf("nobody was told: %v", confirmed)
	}
	_, third := r.token(t, "carla")
	got := changes(t, r.send(third, "88801", body("carla", h.Generation, lu.Chunks[0].Cell.String(), otherDigest,
		lu.Chunks[1].Cell.String(), otherDigest)))
	if len(got) != 2 || got[lu.Chunks[0].Cell.String()] != "confirmed" || got[lu.Chunks[1].Cell.String()] != "confirmed" {
		t.Errorf("a report was lost: %v", got)
	}
}

func TestTokens(t *testing.T) {
	r := newHarness(t)
	h := r.head(t, "88801")
	ok := body("anna", h.Generation, h.Section(ne.LU).Chunks[0].Cell.String(), otherDigest)
	id, anna := r.token(t, "anna")
	forged := anna[:len(anna)-1] + map[bool]string{true: "A", false: "B"}[anna[len(anna)-1] != 'A']
	refused := func(name, token, want string) {
		t.Helper()
		w := r.send(token, "88801", ok)
		if w.Code != 401 || !strings.Contains(w.Body.String(), want) || !strings.Contains(w.Header().Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%s: got %d %s", name, w.Code, w.Body)
		}
	}
	if w := r.send(anna, "88801", ok); w.Code != 200 || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	refused("forged", forged, "not known")
	refused("nonsense", "nonsense", "not known")
	refused("none", "", "required")
	_, bert := r.token(t, "bert")
	if w := r.send(bert, "88801", ok); w.Code != 403 {
		t.Errorf("another's token: %d %s", w.Code, w.Body)
	}
	if err := r.records.Revoke(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	refused("revoked", anna, "revoked")
	r.mu.Lock()
	r.at = r.at.Add(24 * time.Hour)
	r.mu.Unlock()
	refused("expired", bert, "expired")
	refused("forged and revoked", forged, "not known")
	all, err := r.records.Tokens(t.Context())
	if err != nil || len(all) != 2 {
		t.Errorf("%v %v", all, err)
	}
	if err := r.records.Revoke(t.Context(), "00000000"); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("no such token: %v", err)
	}
	r.fails = true
	if w := r.send(bert, "88801", ok); w.Code != 503 || w.Header().Get("Retry-After") == "" ||
		strings.Contains(w.Body.String(), "network") {
		t.Errorf("the ledger fails: %d %s", w.Code, w.Body)
	}
	h2 := fixture.Handler(t, New(Deps{}))
	if w := fixture.Ask(h2, "POST", "/contrib/api/v1/ne/88801/report", ok); w.Code != 503 {
		t.Errorf("without a ledger: %d", w.Code)
	}
}

func TestRefusedReports(t *testing.T) {
	r := newHarness(t)
	_, anna := r.token(t, "anna")
	h := r.head(t, "88801")
	g, c := h.Generation, h.Section(ne.LU).Chunks[0].Cell
	above, _ := c.Parent(8)
	many := make([]string, 0, 2*(maxChunks+1))
	for i := range maxChunks + 1 {
		many = append(many, c.String(), fmt.Sprintf("%016x", i))
	}
	var chunks []string // more chunks that differ than are kept
	disk, err := c.GridDisk(50)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range disk[:observers.MaxSeen+1] {
		chunks = append(chunks, x.String(), otherDigest)
	}
	for name, x := range map[string]struct {
		kg, body string
		code     int
		want     string
	}{
		"another baseline": {"88801", body("anna", "00000000000000aa", c.String(), otherDigest), 409, g},
		"unbuilt":          {"88803", body("anna", g, c.String(), otherDigest), 404, "not built"},
		"no KG":            {"12345", body("anna", g, c.String(), otherDigest), 404, "no KG"},
		"no code":          {"x", body("anna", g, c.String(), otherDigest), 400, "kg"},
		"no chunks":        {"88801", body("anna", g), 400, "chunks"}, "too many": {"88801", body("anna", g, many...), 413, "10001"},
		"more than are kept": {"88801", body("anna", g, chunks...), 413, "5000"},
		"resolution":         {"88801", body("anna", g, above.String(), otherDigest), 400, "chunks[0].h3"},
		"digest":             {"88801", body("anna", g, c.String(), "zz"), 400, "chunks[0].digest"},
		"two digests":        {"88801", body("anna", g, c.String(), otherDigest, c.String(), "00000000000000fe"), 400, "chunks[1].h3"},
		"observer":           {"88801", body("Anna B", g, c.String(), otherDigest), 400, "observer"},
		"layer":              {"88801", strings.Replace(body("anna", g, c.String(), otherDigest), `"lu"`, `"x"`, 1), 400, "layer"},
		"baseline":           {"88801", body("anna", "x", c.String(), otherDigest), 400, "baseline"},
		"unknown member":     {"88801", `{"rows":1}`, 400, "rows"}, "no JSON": {"88801", "chunks", 400, "JSON"},
		"a large body": {"88801", strings.Repeat(" ", maxBody+1), 413, "larger"},
	} {
		if w := r.send(anna, x.kg, x.body); w.Code != x.code || !strings.Contains(w.Body.String(), x.want) {
			t.Errorf("%s: want %d and %q, got %d %s", name, x.code, x.want, w.Code, w.Body)
		}
	}
}

func FuzzReport(f *testing.F) {
	r := newHarness(f)
	_, anna := r.token(f, "anna")
	h := r.head(f, "88801")
	f.Add(body("anna", h.Generation, h.Section(ne.LU).Chunks[0].Cell.String(), otherDigest))
	f.Add(`{"observer":"anna","layer":"LU","baseline":"","chunks":[{}]}`)
	f.Fuzz(func(t *testing.T, b string) {
		if w := r.send(anna, "88801", b); w.Code >= 500 {
			t.Fatalf("%s: %d %s", b, w.Code, w.Body)
		}
	})
}
