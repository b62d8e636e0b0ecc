package ogc

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/library"
	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/functions/landscape/analysis"
	"mappe/functions/landscape/changes"
	"mappe/functions/landscape/ogc/table"
	"mappe/functions/landscape/scans"
	"mappe/functions/landscape/segment"
	"mappe/functions/landscape/trees"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/raster"
	"mappe/shared/web/endpoint"
)

// required are the members that the schemas of OGC 18-062r2 (OGC API Processes part 1: core) require, by the name of the schema.
var required = map[string][]string{
	"landingPage":       {"links"},
	"confClasses":       {"conformsTo"},
	"processList":       {"processes", "links"},
	"processSummary":    {"id", "version"},
	"process":           {"id", "version", "inputs", "outputs"},
	"inputDescription":  {"schema"},
	"outputDescription": {"schema"},
	"jobList":           {"jobs", "links"},
	"statusInfo":        {"jobID", "status", "type"},
	"link":              {"href"},
	"exception":         {"type"},
	"qualifiedValue":    {"value"},
}

// optional are the further members that these schemas have.
var optional = map[string][]string{
	"landingPage": {"title", "description", "attribution"},
	"processSummary": {"title", "description", "keywords", "metadata", "additionalParameters", "jobControlOptions",
		"outputTransmission", "links"},
	"process": {"title", "description", "keywords", "metadata", "additionalParameters", "jobControlOptions",
		"outputTransmission", "links"},
	"inputDescription":  {"title", "description", "keywords", "metadata", "additionalParameters", "minOccurs", "maxOccurs"},
	"outputDescription": {"title", "description", "keywords", "metadata", "additionalParameters"},
	"statusInfo":        {"processID", "message", "created", "started", "finished", "updated", "progress", "links"},
	"link":              {"rel", "type", "hreflang", "title"},
	"exception":         {"title", "status", "detail", "instance"},
	"qualifiedValue":    {"mediaType", "encoding", "schema"},
}

type object = map[string]any

// holds says that an object is of a schema: it has what that requires, and nothing that it does not have; its links are links.
func holds(t testing.TB, schema string, o object) object {
	t.Helper()
	for _, name := range required[schema] {
		if o[name] == nil {
			t.Errorf("%s lacks %s: %v", schema, name, o)
		}
	}
	for name := range o {
		if !slices.Contains(required[schema], name) && !slices.Contains(optional[schema], name) {
			t.Errorf("%s has %s, which the standard does not know", schema, name)
		}
	}
	links, _ := o["links"].([]any)
	for _, l := range links {
		of := holds(t, "link", l.(object))
		if href, _ := of["href"].(string); !strings.HasPrefix(href, "https://land.example/landscape/") {
			t.Errorf("%s links to %v", schema, of["href"])
		}
	}
	if schema == "statusInfo" {
		if !slices.Contains([]string{"accepted", "running", "successful", "failed", "dismissed"}, o["status"].(string)) ||
			o["type"] != "process" {
			t.Errorf("status %v, type %v", o["status"], o["type"])
		}
		for _, at := range []string{"created", "updated", "finished"} {
			if text, ok := o[at].(string); ok {
				if _, err := time.Parse(time.RFC3339, text); err != nil {
					t.Errorf("%s: %v", at, err)
				}
			}
		}
	}
	return o
}

// harness is the family over a world whose ground is flat at 500 m, but for a block of 12 m that the later scan lacks.
type harness struct {
	http.Handler
	queue *jobs.Queue
	desk  *tasks.Desk
}

func open(t testing.TB, workers int, wait time.Duration, change ...func(*Deps)) *harness {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	west, south := fixture.Plane(0, 0)
	west, south = math.Floor(west), math.Floor(south)
	box := raster.Box{West: west - 50, South: south - 50, East: west + 300, North: south + 350}
	flat := func(float64, float64) float64 { return 500 }
	block := func(x, y float64) float64 {
		if x > west+60 && x < west+100 && y > south+60 && y < south+100 {
			return 512
		}
		return 500
	}
	if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DSM, Date: "2022-09-15", Box: box, Height: block},
		fixture.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: box, Height: flat},
		fixture.Raster{Layer: rasters.DTM, Date: "2022-09-15", Box: box, Height: flat}, fixture.Raster{Layer: rasters.DTM,
			Date: "2024-09-15", Box: box, Height: flat}); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := tasks.Place{Ledger: sqlitetest.Open(t, sqlite.Options{}), Files: mem.New()}
	runners := slices.Concat(analysis.Tasks(analysis.Deps{Library: lib}), changes.Tasks(changes.Deps{Library: lib}),
		trees.Tasks(trees.Deps{Library: lib}), segment.Tasks(segment.Deps{Library: lib}))
	works := tasks.Works{Place: p, Runners: runners, Pin: generation.Pin(lib), Repin: generation.Repin(lib), Notice: scans.Notice,
		Log: slog.New(slog.DiscardHandler)}
	r := &harness{}
	if r.queue, err = works.NewQueue(); err != nil {
		t.Fatal(err)
	}
	if workers > 0 {
		pool := &jobs.Pool{Queue: r.queue, Workers: workers, Poll: 20 * time.Millisecond}
		pool.Start(t.Context())
		t.Cleanup(func() { pool.Stop(t.Context()) })
	}
	r.desk = &tasks.Desk{Queue: r.queue, Place: p}
	d := Deps{Library: lib, Families: table.Families(lib, r.desk, nil), Desk: r.desk, BaseURL: "https://land.example/landscape",
		Patience: wait}
	for _, f := range change {
		f(&d)
	}
	h := fixture.Handler(t, New(d))
	r.Handler = endpoint.Mount("/landscape", h)
	return r
}

// ask gives an answer that has to be of a status.
func (r *harness) ask(t testing.TB, method, path, body string, status int, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	w := fixture.Ask(r, method, "/landscape/ogc"+path, body, append(headers, "Content-Type", "application/json")...)
	if w.Code != status {
		t.Fatalf("%s %s %s: want %d, got %d %.600s", method, path, body, status, w.Code, w.Body)
	}
	if status >= 400 {
		e := holds(t, "exception", decoded(t, w))
		if w.Header().Get("Content-Type") != problemType || e["status"] != float64(status) {
			t.Errorf("%s %s: exception %v as %s", method, path, e, w.Header().Get("Content-Type"))
		}
	}
	return w
}

func decoded(t testing.TB, w *httptest.ResponseRecorder) (o object) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &o); err != nil {
		t.Fatalf("%v: %.300s", err, w.Body)
	}
	return o
}

// finish waits for a job that workers have.
func (r *harness) finish(t testing.TB, id string) object {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(30 * time.Millisecond) {
		info := holds(t, "statusInfo", decoded(t, r.ask(t, "GET", "/jobs/"+id, "", 200)))
		if s := info["status"]; s != "accepted" && s != "running" {
			return info
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v does not end", info)
		}
	}
}

// square is an area of the world as GeoJSON.
func square(x0, y0, x1, y1 float64) string {
	a, b := fixture.At(x0, y0), fixture.At(x1, y1)
	return fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%[1]v,%[2]v],[%[3]v,%[2]v],[%[3]v,%[4]v],[%[1]v,%[4]v],[%[1]v,%[2]v]]]}`,
		a.Lon(), a.Lat(), b.Lon(), b.Lat())
}
