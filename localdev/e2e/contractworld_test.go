package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/national"
	"mappe/functions/expander"
	"mappe/functions/families"
	"mappe/functions/fixture"
	"mappe/infra/rights"
	"mappe/localdev/server"
	"mappe/shared/austria"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/pay"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// exampleCountry is published by the first test that asks for it.
var exampleCountry struct {
	once  sync.Once
	store *mem.Store
}

// country is one small KG at the place the examples speak of, with what lies over it: every test has a copy of its own.
func country(t *testing.T, id austria.ParcelID) *mem.Store {
	t.Helper()
	exampleCountry.once.Do(func() { exampleCountry.store = publishCountry(t, id) })
	if exampleCountry.store == nil {
		t.Fatal("the country of the examples was not published: the test before says why")
	}
	return exampleCountry.store.Clone()
}

func publishCountry(t *testing.T, id austria.ParcelID) *mem.Store {
	t.Helper()
	ctx, st := context.Background(), mem.New()
	before := exampleSnapshot(t, id)
	before.Build.Stichtag, before.Parcels[3].GNR = "2025-10-01", "9999" // a year ago a parcel had another number
	if _, err := national.PublishSnapshots(ctx, st, before); err != nil {
		t.Fatal(err)
	}
	snapshot := exampleSnapshot(t, id)
	if _, err := national.PublishSnapshots(ctx, st, snapshot); err != nil {
		t.Fatal(err)
	}
	lay(ctx, t, st, snapshot.KG.Box, id)
	reg := fixture.View(t, st).Register()
	if err := fixture.AddProcessed(st, reg, fixture.ProcessedOf(reg, snapshot)); err != nil {
		t.Fatal(err)
	}
	return st
}

// contract serves the country of the examples and reads every description.
func contract(t *testing.T) []described {
	t.Helper()
	id := exampleParcel(t)
	ctx, st := context.Background(), country(t, id)
	read := &recording{Store: st}
	// nothing is kept: each request reads all that it needs
	lib, err := library.Open(rights.As(ctx, opening), acts.Store(read, artefactBucket, "artefacts/"), library.Options{BudgetBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	var all []described
	config := server.Config{Started: time.Unix(0, 0), Expander: expander.Deps{Gate: openGate{}}}
	var token string
	config.Work.Log, token = workLog(t)
	config.Feedback = reports(t)
	var observer string
	config.Observers, observer = observerRecords(t)
	shelf := newBookShelf(t)
	config.Books = shelf.deps
	config.Exports = exportQueue(t, lib, st, acts.Ledger(sqlitetest.Open(t, sqlite.Options{})))
	config.Tasks = taskDesk(t, lib)
	config.Processing, config.Ledger = processingQueue(t, st)
	config.Processor = config.Ledger
	config.Store = acts.Store(st, artefactBucket, "artefacts/")
	for _, m := range config.Services(lib) {
		b, err := m.Lead().Service.OpenAPI(m.Prefix)
		if err != nil {
			t.Fatal(err)
		}
		var doc document
		if err := json.Unmarshal(b, &doc); err != nil {
			t.Fatal(err)
		}
		h, err := m.Handler()
		if err != nil {
			t.Fatal(err)
		}
		if m.Prefix == "/landscape" {
			exampleTask(t, func(method, path, body string) (int, []byte) {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
				return w.Code, w.Body.Bytes()
			})
		}
		for _, e := range m.Endpoints() {
			op, ok := doc.Paths[e.Path][strings.ToLower(e.Method)]
			if !ok {
				t.Errorf("%s %s is not described", e.Method, e.Path)
				continue
			}
			e.Example = strings.Replace(e.Example, "99204", string(id.KG), 1) // the demo country has its references there
			if m.Prefix == "/landscape" {                                     // and its laser scans here
				e.Example = strings.NewReplacer("09902-287", id.String(), "09902", string(id.KG)).Replace(e.Example)
			}
			if strings.Contains(e.Path, "/export/jobs/") {
				e.Example = jobExample(t, e.Example, func(path string) []byte {
					w := httptest.NewRecorder()
					h.ServeHTTP(w, httptest.NewRequest("GET", m.Prefix+path, nil))
					return w.Body.Bytes()
				})
			}
			d := described{service: m, endpoint: e, op: op, doc: &doc, handler: h, token: token, read: read}
			if strings.HasPrefix(e.Path, "/contrib/") {
				d.token, d.endpoint.ExampleBody = observer, reportExample(t, h, m.Prefix, string(id.KG), e.ExampleBody)
			}
			if m.Prefix == "/books" {
				d = shelf.prepare(d)
			}
			all = append(all, d)
		}
	}
	shelf.ready(t, all)
	return all
}

// exampleSnapshot is a small KG at the place the examples speak of, with the parcel that they name.
func exampleSnapshot(t *testing.T, id austria.ParcelID) *kgfile.Snapshot {
	t.Helper()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: id.KG, Parcels: 60, Segments: 2, AreaKm2: 1, Seed: 5})
	k := &snapshot.KG // as the demo country has it, which the examples speak of
	k.Name, k.GemeindeCode, k.GemeindeName, k.DistrictName = "Lorfach Markt", "59902", "Lorfach", "Lorfachtal"
	if !slices.ContainsFunc(snapshot.Parcels, func(p kgfile.Parcel) bool { return p.GNR == id.GNR }) {
		snapshot.Parcels[0].GNR = id.GNR
	}
	for i := range snapshot.Buildings {
		snapshot.Buildings[i].PLZ = "5790"
	}
	snapshot.Buildings[0].ID = austria.BuildingID{ADRCD: 9_100_643, SUBCD: 1} // as the example of an address point has it
	shift(reflect.ValueOf(snapshot), exampleCentre(t), snapshot.KG.Box)
	return snapshot
}

// openGate is a payment gate that lets everybody through: what is bought has a contract too.
type openGate struct{}

func (openGate) Wrap(next http.Handler) http.Handler { return next }
func (openGate) Requirements() pay.Requirements      { return pay.Requirements{} }
func (openGate) OpenAPIExtensions() map[string]any   { return nil }

// exampleParcel is the parcel that the table's examples name, exampleCentre the point they ask about.
func exampleParcel(t *testing.T) austria.ParcelID {
	for _, q := range exampleQueries() {
		if id, err := austria.ParseParcelID(q.Get("ids")); err == nil {
			return id
		}
	}
	t.Fatal("no example names a parcel")
	return austria.ParcelID{}
}

func exampleCentre(t *testing.T) geom.Point {
	for _, q := range exampleQueries() {
		lon, errLon := strconv.ParseFloat(q.Get("lon"), 64)
		lat, errLat := strconv.ParseFloat(q.Get("lat"), 64)
		if errLon == nil && errLat == nil {
			return geom.Point{X: int32(lon * geom.Scale), Y: int32(lat * geom.Scale)}
		}
	}
	t.Fatal("no example names a point")
	return geom.Point{}
}

func exampleQueries() []url.Values {
	var all []url.Values
	for _, m := range families.All(families.Deps{}) {
		for _, e := range m.Endpoints() {
			if u, err := url.Parse(e.Example); err == nil {
				all = append(all, u.Query())
			}
		}
	}
	return all
}

// shift moves every position of a snapshot so that the middle of its box lies at a place.
func shift(v reflect.Value, to geom.Point, box geom.Box) {
	dx, dy := to.X-(box.MinX/2+box.MaxX/2), to.Y-(box.MinY/2+box.MaxY/2)
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch {
		case v.Kind() == reflect.Pointer && !v.IsNil():
			walk(v.Elem())
		case v.Kind() == reflect.Slice:
			own := reflect.MakeSlice(v.Type(), v.Len(), v.Len()) // neighbours share their corners' memory
			reflect.Copy(own, v)
			v.Set(own)
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case v.Kind() != reflect.Struct || !v.CanSet():
		case v.Type() == reflect.TypeFor[geom.Point]():
			p := v.Interface().(geom.Point)
			v.Set(reflect.ValueOf(geom.Point{X: p.X + dx, Y: p.Y + dy}))
		case v.Type() == reflect.TypeFor[geom.Box]():
			b := v.Interface().(geom.Box)
			v.Set(reflect.ValueOf(geom.Box{MinX: b.MinX + dx, MinY: b.MinY + dy, MaxX: b.MaxX + dx, MaxY: b.MaxY + dy}))
		default:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		}
	}
	walk(v)
}
