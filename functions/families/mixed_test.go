package families

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

const (
	mixedKGs         = 6
	mixedClients     = 64
	mixedGenerations = 10   // one after the other, over and over
	firstFolio       = 1000 // of all parcels in generation 0: the folio of a row says which generation it is of
)

// mixed is a country that is published over and over while it is asked, and what it holds.
type mixed struct {
	t         *testing.T
	store     store.Store
	handler   http.Handler
	snapshots []*kgfile.Snapshot
	parcels   map[string]*kgfile.Parcel // by parcel_id
	pointers  [][]byte                  // of the generations
	files     map[string][]byte         // of KGs, by key
	swaps     atomic.Int64
	asked     atomic.Int64
	walked    atomic.Int64
	short     atomic.Int64 // answers that said that a KG is missing
	torn      atomic.Int64 // answers in whose middle a KG file was taken away
}

func newMixed(t *testing.T) *mixed {
	m := &mixed{t: t, store: mem.New(), parcels: map[string]*kgfile.Parcel{}, files: map[string][]byte{}}
	for i := range mixedKGs {
		s := kgtest.Snapshot(kgtest.Options{Code: austria.KGCode(fmt.Sprint(81001 + i)), Parcels: 120 + 40*i, Segments: 1, AreaKm2: 1,
			Seed: uint64(i), East: int32(i) * 134_000})
		s.KG.GemeindeCode = "38801"
		m.snapshots = append(m.snapshots, s)
		for j := range s.Parcels {
			m.parcels[string(s.KG.Code)+"-"+string(s.Parcels[j].GNR)] = &s.Parcels[j]
		}
	}
	for generation := range mixedGenerations {
		m.publish(generation)
	}
	for info, err := range m.store.List(t.Context(), "kg/") {
		if err != nil {
			t.Fatal(err)
		}
		if m.files[info.Key], _, err = store.ReadAll(t.Context(), m.store, info.Key, 1<<20, store.GetOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := library.Open(t.Context(), m.store, library.Options{Refresh: time.Millisecond, BudgetBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range All(Deps{Library: lib}) {
		if s.Prefix == "/cadastre" {
			if m.handler, err = s.Handler(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return m
}

// publish makes a generation: the same parcels in another folio.
func (m *mixed) publish(generation int) {
	list := make([]*kgfile.Snapshot, len(m.snapshots))
	for i, s := range m.snapshots {
		c := *s
		c.Parcels = slices.Clone(s.Parcels)
		for j := range c.Parcels {
			c.Parcels[j].EZ = austria.EZ(firstFolio + generation)
		}
		c.Folios = kgfile.Folios(c.Parcels)
		list[i] = &c
	}
	if err := fixture.Publish(m.store, list); err != nil {
		m.t.Fatal(err)
	}
	b, _, err := store.ReadAll(m.t.Context(), m.store, "current.json", 1<<20, store.GetOptions{})
	if err != nil {
		m.t.Fatal(err)
	}
	m.pointers = append(m.pointers, b)
}

// row is what is looked at of a row, in a list or as a GeoJSON feature.
type row struct {
	ID     string  `json:"parcel_id"`
	EZ     int64   `json:"ez"`
	Area   float64 `json:"area_sqm"`
	Status string  `json:"status"`
}

// ask gives the rows of an answer, the address of the next page, and whether a KG was missing.
func (m *mixed) ask(target string) (list []row, next string, short bool) {
	w := httptest.NewRecorder()
	m.asked.Add(1)
	if cut := m.serve(w, target); cut || w.Code == http.StatusServiceUnavailable && strings.Contains(w.Body.String(),
		"no longer at hand") && w.Header().Get("Retry-After") != "" {
		m.torn.Add(1) // a file was taken away between two reads of this answer
		return m.ask(target)
	}
	if w.Code != 200 {
		m.t.Errorf("%s: %d %.300s", target, w.Code, w.Body)
		return nil, "", true
	}
	var body struct {
		Data     []row
		Features []struct{ Properties row }
		Meta     struct {
			Ready       *bool
			Warming     []string `json:"kgs_warming"`
			Unavailable []string `json:"kgs_unavailable"`
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		m.t.Errorf("%s: %v in %.300s", target, err, w.Body)
	}
	list = body.Data
	for _, f := range body.Features {
		list = append(list, f.Properties)
	}
	for i, r := range list {
		p := m.parcels[r.ID]
		switch {
		case p == nil:
			m.t.Errorf("%s: there is no parcel %q", target, r.ID)
		case fmt.Sprintf("%.2f", p.AreaSqm) != fmt.Sprintf("%.2f", r.Area) || p.Status.String() != r.Status:
			m.t.Errorf("%s: %+v is %.2f m², %s", target, r, p.AreaSqm, p.Status)
		case r.EZ != list[0].EZ || r.EZ < firstFolio || r.EZ >= firstFolio+mixedGenerations:
			m.t.Errorf("%s: row %d is of folio %d, the first of %d", target, i, r.EZ, list[0].EZ)
		}
	}
	if link := nextPage.FindStringSubmatch(strings.Join(w.Header().Values("Link"), ", ")); link != nil {
		next = link[1]
	}
	short = w.Header().Get("X-Data-Ready") == "false" || body.Meta.Ready != nil && !*body.Meta.Ready ||
		len(body.Meta.Warming)+len(body.Meta.Unavailable) > 0
	if short {
		m.short.Add(1)
	}
	return list, next, short
}

// serve answers; cut says that the answer was broken off, so that the client knows that it is not whole.
func (m *mixed) serve(w http.ResponseWriter, target string) (cut bool) {
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			cut = true
		} else if p != nil {
			panic(p)
		}
	}()
	m.handler.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	return false
}

var nextPage = regexp.MustCompile(`<([^>]*)>; rel="?next"?`)

// walk follows a list to its end: each row stands once, and all are of the generation that the walk began in. want are the
// rows that the list must have, and which further ones it may have; a KG that was said to be missing may lack.
func (m *mixed) walk(target string, want map[string]bool, may func(string) bool) {
	seen := map[string]bool{}
	folio, short := int64(0), false
	for at := target; at != ""; {
		list, next, lacks := m.ask(at)
		short = short || lacks
		for _, r := range list {
			if seen[r.ID] {
				m.t.Errorf("%s: %s stands twice", target, r.ID)
			}
			seen[r.ID] = true
			if folio == 0 {
				folio = r.EZ
			}
			if r.EZ != folio {
				m.t.Errorf("%s: the walk began in folio %d, %s is of %d", at, folio, r.ID, r.EZ)
				break
			}
			if !want[r.ID] && !may(r.ID) {
				m.t.Errorf("%s: %s does not belong there", target, r.ID)
			}
		}
		if u, err := url.Parse(next); err == nil && next != "" {
			next = u.RequestURI()
		}
		at = next
	}
	for id := range want {
		if !seen[id] && !short {
			m.t.Errorf("%s: %s is missing", target, id)
			break
		}
	}
	m.walked.Add(1)
}

// where are the parcels that a test holds of.
func (m *mixed) where(holds func(id string, p *kgfile.Parcel) bool) map[string]bool {
	out := map[string]bool{}
	for id, p := range m.parcels {
		if holds(id, p) {
			out[id] = true
		}
	}
	return out
}

func never(string) bool { return false }

// client asks at random until the time is over.
func (m *mixed) client(ctx context.Context, r *rand.Rand) {
	ids := slices.Sorted(maps.Keys(m.parcels))
	for ctx.Err() == nil && !m.t.Failed() {
		s := m.snapshots[r.IntN(len(m.snapshots))]
		kg := string(s.KG.Code)
		of := func(id string) bool { return strings.HasPrefix(id, kg+"-") }
		limit := []int{7, 50, 400}[r.IntN(3)]
		switch r.IntN(6) {
		case 0:
			least := float64(int(m.parcels[ids[r.IntN(len(ids))]].AreaSqm))
			m.walk(fmt.Sprintf("/cadastre/api/v1/query?kg=%s&min_area=%g&limit=%d&sort=%s", kg, least, limit,
				[]string{"area_desc", "area_asc", "gnr"}[r.IntN(3)]),
				m.where(func(id string, p *kgfile.Parcel) bool { return of(id) && p.AreaSqm >= least+0.01 }),
				func(id string) bool { return of(id) && m.parcels[id].AreaSqm >= least-0.01 }) // stored areas are rounded
		case 1:
			a, b := m.parcels[ids[r.IntN(len(ids))]].Inside, m.parcels[ids[r.IntN(len(ids))]].Inside
			w, e, lo, hi := min(a.X, b.X), max(a.X, b.X)+1, min(a.Y, b.Y), max(a.Y, b.Y)+1
			m.walk(fmt.Sprintf("/cadastre/api/v1/spatial/bbox?layers=parcels&west=%.7f&south=%.7f&east=%.7f&north=%.7f&limit=%d",
				float64(w)/1e7, float64(lo)/1e7, float64(e)/1e7, float64(hi)/1e7, limit),
				m.where(func(_ string, p *kgfile.Parcel) bool {
					return p.Inside.X > w && p.Inside.X < e && p.Inside.Y > lo && p.Inside.Y < hi
				}), func(id string) bool {
					x := m.parcels[id].Geometry.Bounds()
					return x.MaxX >= w && x.MinX <= e && x.MaxY >= lo && x.MinY <= hi
				})
		case 2:
			id := ids[r.IntN(len(ids))]
			p := m.parcels[id].Inside
			m.walk(fmt.Sprintf("/cadastre/api/v1/spatial/point?layers=parcels&lon=%.7f&lat=%.7f&radius=%d&limit=%d", p.Lon(), p.Lat(),
				[]int{1, 300}[r.IntN(2)], limit), map[string]bool{id: true}, func(string) bool { return true })
		case 3:
			id := ids[r.IntN(len(ids))]
			code, gnr, _ := strings.Cut(id, "-")
			m.walk("/cadastre/api/v1/search/gnr?gnr="+url.QueryEscape(gnr)+"&kg="+code, map[string]bool{id: true}, func(other string) bool {
				return strings.HasPrefix(other, id)
			})
		case 4:
			m.walk("/cadastre/api/v1/export/geojson?kg="+kg, m.where(func(id string, _ *kgfile.Parcel) bool { return of(id) }), never)
		case 5:
			m.walk(fmt.Sprintf("/cadastre/ogc/collections/parcels/items?kg_code=%s&limit=%d", kg, limit),
				m.where(func(id string, _ *kgfile.Parcel) bool { return of(id) }), never)
		}
	}
}

// disturb swaps the pointer, and takes KG files away for a moment, until the time is over.
func (m *mixed) disturb(ctx context.Context, r *rand.Rand) {
	keys := slices.Sorted(maps.Keys(m.files))
	whole := context.WithoutCancel(ctx) // what was begun is ended
	for n := 1; ctx.Err() == nil; n++ {
		if _, err := m.store.Put(whole, "current.json", m.pointers[n%mixedGenerations], store.PutOptions{}); err != nil {
			m.t.Error(err)
		}
		m.swaps.Add(1)
		gone := keys[r.IntN(len(keys)):]
		gone = gone[:min(len(gone), 10)]
		for _, key := range gone {
			if err := m.store.Delete(whole, key); err != nil {
				m.t.Error(err)
			}
		}
		time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		for _, key := range gone {
			if _, err := m.store.Put(whole, key, m.files[key], store.PutOptions{}); err != nil {
				m.t.Error(err)
			}
		}
		time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
	}
}

// 64 clients ask everything at once while the country is published anew and KG files go and come back: no answer fails, no
// row is wrong, and a list that is walked gives each row once, of one generation, beside a search through all parcels.
func TestManyClientsWhileTheCountryChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the clients that ask for seconds")
	}
	m := newMixed(t)
	long := 3 * time.Second
	if d := oracles.Soak(t); d > 0 {
		long = d
	}
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	var all sync.WaitGroup
	for i := range mixedClients {
		all.Go(func() { m.client(ctx, rand.New(rand.NewPCG(uint64(i), 64))) })
	}
	all.Go(func() { m.disturb(ctx, rand.New(rand.NewPCG(1, 1))) })
	all.Wait()
	t.Logf("%d requests, %d lists walked, %d answers without a KG, %d asked again, %d generations served", m.asked.Load(), m.walked.Load(),
		m.short.Load(), m.torn.Load(), m.swaps.Load())
	if m.torn.Load()*20 > m.asked.Load() {
		t.Errorf("%d answers failed in their middle", m.torn.Load())
	}
	if m.walked.Load() < 20 || m.swaps.Load() < 5 {
		t.Error("hardly anything was asked")
	}
}
