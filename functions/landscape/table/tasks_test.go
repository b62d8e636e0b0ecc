package table

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/functions/landscape/analysis"
	"mappe/functions/landscape/results"
	"mappe/functions/landscape/scans"
	"mappe/functions/landscape/segment"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// slope is a plane that rises to the east, with trees on its eastern half, over the corner of four tiles.
var slope = func() raster.Box {
	x, y := fixture.Plane(4, 2)
	x, y = float64(int(x/5000))*5000, float64(int(y/5000))*5000
	return raster.Box{West: x - 1000, South: y - 1000, East: x + 1000, North: y + 1000}
}()

func ground(x, _ float64) float64 { return 700 + 0.2*(x-slope.West) }

func canopy(x, y float64) float64 { return ground(x, y) + 12 }

// harness is the analyses and the results of tasks over a store that may lose its rasters.
type harness struct {
	http.Handler
	queue *jobs.Queue
	desk  *tasks.Desk
}

// losing is a store whose rasters are gone once left of them were read.
type losing struct {
	store.Store
	left atomic.Int64
	read func() // before each
}

func (s *losing) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if strings.HasPrefix(key, "rasters/") {
		if s.read != nil {
			s.read()
		}
		if s.left.Add(-1) < 0 {
			return nil, fmt.Errorf("%w: %s", store.ErrNotFound, key)
		}
	}
	return s.Store.Get(ctx, key, o)
}

func open(t testing.TB) (*harness, *losing) {
	t.Helper()
	inner, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddRasters(inner, fixture.Raster{Layer: rasters.DTM, Date: "2022-09-15", Box: slope, Height: ground},
		fixture.Raster{Layer: rasters.DSM, Date: "2022-09-15", Box: slope, Height: canopy}); err != nil {
		t.Fatal(err)
	}
	s := &losing{Store: inner}
	s.left.Store(1 << 40)
	lib, err := library.Open(t.Context(), s, library.Options{BudgetBytes: 1, Refresh: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	p := tasks.Place{Ledger: sqlitetest.Open(t, sqlite.Options{}), Files: mem.New()}
	works := tasks.Works{Place: p, Runners: Tasks(Deps{Library: lib}), Pin: generation.Pin(lib),
		Repin: generation.Repin(lib), Notice: scans.Notice,
		Log: slog.New(slog.DiscardHandler)}
	r := &harness{}
	if r.queue, err = works.NewQueue(); err != nil {
		t.Fatal(err)
	}
	r.desk = &tasks.Desk{Queue: r.queue, Place: p, Version: "v1"}
	svc := analysis.New(analysis.Deps{Library: lib, Tasks: r.desk})
	svc.Endpoints = append(svc.Endpoints, segment.New(segment.Deps{Library: lib, Tasks: r.desk}).Endpoints...)
	svc.Endpoints = append(svc.Endpoints, results.New(results.Deps{Desk: r.desk}).Endpoints...)
	if r.Handler, err = svc.Handler(); err != nil {
		t.Fatal(err)
	}
	return r, s
}

// area is a square around the corner of four tiles, of so many metres from its middle.
func area(metres float64) string {
	x, y := (slope.West+slope.East)/2, (slope.South+slope.North)/2
	var corners []string
	for _, c := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}} {
		lon, lat := crs.LAEA.Inverse(x+c[0]*metres, y+c[1]*metres)
		corners = append(corners, fmt.Sprintf("[%.7f,%.7f]", lon, lat))
	}
	return `{"type":"Polygon","coordinates":[[` + strings.Join(corners, ",") + `]]}`
}

func (r *harness) ask(t testing.TB, path, body string) string {
	t.Helper()
	return fixture.Decode[tasks.Accepted](t, fixture.Ask(r, "POST", path, body), 202).TaskID
}

// finish does attempts until the task has ended.
func (r *harness) finish(t testing.TB, id string) tasks.State {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		_ = r.queue.RunOne(t.Context(), id) // what became of it the state says
		w := fixture.Ask(r, "GET", "/api/v1/segment/progress?task_id="+id, "")
		s := fixture.Decode[tasks.State](t, w, w.Code)
		if !s.Active {
			return s
		}
		if time.Now().After(deadline) {
			t.Fatalf("%+v does not end", s)
		}
	}
}

var timed = regexp.MustCompile(`"query_time_ms":[0-9.]+`)

// What is asked in the background is what is answered at once, digit by digit, whatever form the question has.
func TestTheResultIsTheAnswer(t *testing.T) {
	r, _ := open(t)
	features := `{"type":"FeatureCollection","features":[{"type":"Feature","id":7,"properties":{"b":1,"a":[2]},"geometry":` + area(30) + `},
		{"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":` + line() + `}},
		{"type":"Feature","properties":{},"geometry":null}]}`
	bow := strings.Replace(area(100), "[[[", "[[[", 1)
	for name, c := range map[string]struct{ path, body string }{
		"terrain": {"/api/v1/terrain?dataset=20220915", area(500)}, "a collection": {"/api/v1/terrain", `{"geometry":` + bow +
			`,"params":{"dataset":"2022-09-15"}}`},
		"heights": {"/api/v1/elevation", features},
	} {
		r.compare(t, name, c.path, c.body)
	}
}

// Segments are kept as the collection that is answered at once, and their file has them by type.
func TestSegmentsInTheBackground(t *testing.T) {
	r, _ := open(t)
	at := area(20)
	lon, lat := crs.LAEA.Inverse((slope.West+slope.East)/2+100, (slope.South+slope.North)/2+100)
	r.compare(t, "a point", "/api/v1/segment?include_temporal=false", fmt.Sprintf(`{"type":"Point","coordinates":[%.7f,%.7f]}`, lon, lat))
	if w := fixture.Ask(r, "POST", "/api/v1/segment?async=true&types=house", at); w.Code != 400 {
		t.Errorf("an unknown type: %d %.200s", w.Code, w.Body)
	}
}

// compare asks a question at once and in the background: the result is the answer, and becomes a GeoPackage.
func (r *harness) compare(t *testing.T, name, path, body string) {
	t.Helper()
	at := fixture.Ask(r, "POST", path, body)
	if at.Code != 200 {
		t.Fatalf("%s: %d %s", name, at.Code, at.Body)
	}
	sep := "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	id := r.ask(t, path+sep+"async=true", body)
	if s := r.finish(t, id); s.Status != tasks.Done {
		t.Errorf("%s: %+v", name, s)
	}
	got := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
	if a, b := timed.ReplaceAllString(strings.TrimSpace(at.Body.String()), ""), timed.ReplaceAllString(got.Body.String(), ""); a != b ||
		got.Header().Get("Content-Type") != at.Header().Get("Content-Type") {
		t.Errorf("%s: the result\n%s\nis not the answer\n%s", name, b, a)
	}
	if file := fixture.Ask(r, "GET", "/api/v1/share/auto-"+id+"/download.gpkg", ""); file.Code != 200 ||
		!strings.HasPrefix(file.Body.String(), "SQLite format 3") {
		t.Errorf("%s: the GeoPackage is %d %.200s", name, file.Code, file.Body)
	}
}

// A height model that was asked for in the background is the file of the answer, with its headers; its share says what it
// is, and keeps it under another name.
func TestAGeoTIFFInTheBackground(t *testing.T) {
	r, _ := open(t)
	const path = "/api/v1/lidar/geotiff?layer=ndsm&dataset=20220915"
	at := fixture.Ask(r, "POST", path, area(100))
	id := r.ask(t, path+"&async=true", area(100))
	if s := r.finish(t, id); at.Code != 200 || s.Status != tasks.Done {
		t.Fatalf("%d %+v", at.Code, s)
	}
	result := "/api/v1/segment/result?task_id=" + id
	check := func() {
		t.Helper()
		got := fixture.Ask(r, "GET", result, "")
		if got.Code != 200 || got.Body.String() != at.Body.String() {
			t.Errorf("%d, %d bytes, want %d", got.Code, got.Body.Len(), at.Body.Len())
		}
		for _, name := range []string{"Content-Type", "Content-Disposition", "X-Dataset", "X-Coverage", "X-Data-Attribution"} {
			if a, b := at.Header().Get(name), got.Header().Get(name); a == "" || a != b {
				t.Errorf("%s: %q, want %q", name, b, a)
			}
		}
	}
	check()
	share := fixture.Ask(r, "GET", "/api/v1/share/auto-"+id, "").Body.String()
	if want := fmt.Sprintf(`"result":{"content_type":"image/tiff","bytes":%d,"data":{"coverage":"1.0000","dataset":"20220915"}}}`,
		at.Body.Len()); !strings.HasSuffix(strings.TrimSpace(share), want) {
		t.Errorf("the share is %s, want its end %s", share, want)
	}
	if file := fixture.Ask(r, "GET", "/api/v1/share/auto-"+id+"/download.gpkg", ""); file.Code != 200 ||
		!strings.Contains(file.Body.String(), "lidar_geotiff_areas") {
		t.Errorf("the GeoPackage is %d %.200s", file.Code, file.Body)
	}
	if _, err := r.desk.Shares().Rename(t.Context(), "auto-"+id, "canopy"); err != nil {
		t.Fatal(err)
	}
	check()
	var left []string
	for info, err := range r.desk.Place.Files.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, info.Key)
	}
	if len(left) != 2 || !strings.HasPrefix(left[0], "named/canopy-") || !strings.HasSuffix(left[0], ".bin") || !strings.HasSuffix(left[1],
		".json") {
		t.Errorf("objects %v", left)
	}
}

func line() string {
	var a struct{ Coordinates [][][]float64 }
	if err := json.Unmarshal([]byte(area(200)), &a); err != nil {
		panic(err)
	}
	b, _ := json.Marshal(a.Coordinates[0][:2])
	return string(b)
}

// The same area drawn and uploaded in another form is one question.
func TestFormsOfAnAreaAreOneQuestion(t *testing.T) {
	r, _ := open(t)
	var a struct{ Coordinates [][][]float64 }
	if err := json.Unmarshal([]byte(area(300)), &a); err != nil {
		t.Fatal(err)
	}
	var kml, wkt []string
	for _, c := range a.Coordinates[0] {
		kml, wkt = append(kml, fmt.Sprintf("%.7f,%.7f,0", c[0], c[1])), append(wkt, fmt.Sprintf("%.7f %.7f", c[0], c[1]))
	}
	want := r.ask(t, "/api/v1/terrain?async=1", area(300))
	if got := r.ask(t, "/api/v1/terrain", `{"geometry":`+area(300)+`,"params":{"async":true}}`); got != want {
		t.Errorf("asked by a parameter of the body it is the task %s, expected %s", got, want)
	}
	if got := r.ask(t, "/api/v1/terrain",
		`{"geometry":`+area(300)+`,"params":{"async":true,"task_id":"in-the-body"}}`); got != "in-the-body" {
		t.Errorf("the id of the body is %s", got)
	}
	for form, body := range map[string]string{
		"WKT": "POLYGON((" + strings.Join(wkt, ",") + "))",
		"KML": `<kml><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>` + strings.Join(kml, " ") +
			`</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`,
	} {
		if got := r.ask(t, "/api/v1/terrain?async=1", body); got != want {
			t.Errorf("%s is the task %s, expected %s", form, got, want)
		}
	}
	if other := r.ask(t, "/api/v1/terrain?async=1", area(301)); other == want {
		t.Error("another area is the same task")
	}
}

// A layer disappears while a task runs, at each of its reads: the task ends, in words, and nothing of it is kept; where it
// was read before, the result is whole.
func TestALayerDisappearsWhileATaskRuns(t *testing.T) {
	whole := ""
	for left := int64(0); ; left++ {
		r, s := open(t)
		id := r.ask(t, "/api/v1/terrain?async=1", area(500))
		s.left.Store(left)
		st := r.finish(t, id)
		w := fixture.Ask(r, "GET", "/api/v1/segment/result?task_id="+id, "")
		switch st.Status {
		case tasks.Failed:
			if !strings.Contains(*st.Error, "cannot be read") || w.Code != 500 {
				t.Errorf("after %d reads: %+v, %d", left, *st.Error, w.Code)
			}
		case tasks.Done:
			if whole = w.Body.String(); left == 0 || !strings.Contains(whole, `"known_fraction":1,`) {
				t.Errorf("after %d reads: %s", left, whole)
			}
			return
		default:
			t.Errorf("after %d reads: %+v", left, st)
		}
	}
}

// The terrain of an area is aborted at each of its reads.
func TestAnalysesAreAborted(t *testing.T) {
	for at := 1; at <= 4; at++ {
		r, s := open(t)
		id := r.ask(t, "/api/v1/terrain?async=1", area(900))
		n := atomic.Int64{}
		s.read = func() {
			if n.Add(1) == int64(at) {
				fixture.Ask(r, "POST", "/api/v1/segment/abort?task_id="+id, "")
				time.Sleep(1200 * time.Millisecond) // the sign of life finds the note
			}
		}
		began := time.Now()
		if st := r.finish(t, id); st.Status != tasks.Cancelled || time.Since(began) > 4*time.Second {
			t.Errorf("read %d: %+v after %s", at, st, time.Since(began))
		}
	}
}
