package ogc

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	"mappe/functions/core/pin"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/analysis"
	"mappe/functions/landscape/changes"
	"mappe/functions/landscape/ogc/table"
	"mappe/functions/landscape/scans"
	"mappe/functions/landscape/segment"
	"mappe/functions/landscape/trees"
	"mappe/functions/worldtest"
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

// rig is the family over a world whose ground is flat at 500 m, but for a block of 12 m that the later scan lacks.
type rig struct {
	http.Handler
	queue *jobs.Queue
	desk  *tasks.Desk
}

func open(t testing.TB, workers int, wait time.Duration, change ...func(*Deps)) *rig {
	t.Helper()
	s, err := worldtest.World()
	if err != nil {
		t.Fatal(err)
	}
	west, south := worldtest.Plane(0, 0)
	west, south = math.Floor(west), math.Floor(south)
	box := raster.Box{West: west - 50, South: south - 50, East: west + 300, North: south + 350}
	flat := func(float64, float64) float64 { return 500 }
	block := func(x, y float64) float64 {
		if x > west+60 && x < west+100 && y > south+60 && y < south+100 {
			return 512
		}
		return 500
	}
	if err := worldtest.AddRasters(s, worldtest.Raster{Layer: rasters.DSM, Date: "2022-09-15", Box: box, Height: block},
		worldtest.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: box, Height: flat},
		worldtest.Raster{Layer: rasters.DTM, Date: "2022-09-15", Box: box, Height: flat}, worldtest.Raster{Layer: rasters.DTM,
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
	works := tasks.Works{Place: p, Runners: runners, Pin: pin.To(lib), Repin: pin.Former(lib), Notice: scans.Notice,
		Log: slog.New(slog.DiscardHandler)}
	r := &rig{}
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
	h := worldtest.Handler(t, New(d))
	r.Handler = endpoint.Mount("/landscape", h)
	return r
}

// ask gives an answer that has to be of a status.
func (r *rig) ask(t testing.TB, method, path, body string, status int, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	w := worldtest.Ask(r, method, "/landscape/ogc"+path, body, append(headers, "Content-Type", "application/json")...)
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
func (r *rig) finish(t testing.TB, id string) object {
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
	a, b := worldtest.At(x0, y0), worldtest.At(x1, y1)
	return fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%[1]v,%[2]v],[%[3]v,%[2]v],[%[3]v,%[4]v],[%[1]v,%[4]v],[%[1]v,%[2]v]]]}`,
		a.Lon(), a.Lat(), b.Lon(), b.Lat())
}

// TestDocuments: landing page, classes, processes and their descriptions are those of the standard, and made of the endpoints.
func TestDocuments(t *testing.T) {
	r := open(t, 0, 0)
	page := holds(t, "landingPage", decoded(t, r.ask(t, "GET", "", "", 200)))
	for _, want := range []string{"service-desc", rel + "conformance", rel + "processes", rel + "job-list"} {
		if !slices.ContainsFunc(page["links"].([]any), func(l any) bool { return l.(object)["rel"] == want }) {
			t.Errorf("no link %s", want)
		}
	}
	holds(t, "confClasses", decoded(t, r.ask(t, "GET", "/conformance", "", 200)))
	list := holds(t, "processList", decoded(t, r.ask(t, "GET", "/processes", "", 200)))
	var ids []string
	for _, p := range list["processes"].([]any) {
		of := holds(t, "processSummary", p.(object))
		id := of["id"].(string)
		ids = append(ids, id)
		d := holds(t, "process", decoded(t, r.ask(t, "GET", "/processes/"+id, "", 200)))
		for _, in := range d["inputs"].(object) {
			holds(t, "inputDescription", in.(object))
		}
		for _, out := range d["outputs"].(object) {
			holds(t, "outputDescription", out.(object))
		}
	}
	if want := []string{"segment", "trees", "changes", "tree-changes", "terrain", "elevation", "onestop"}; !slices.Equal(ids, want) {
		t.Errorf("want %v, got %v", want, ids)
	}
	few := decoded(t, r.ask(t, "GET", "/processes?limit=2", "", 200))
	if n := len(few["processes"].([]any)); n != 2 {
		t.Errorf("limit=2 gives %d", n)
	}
	d := decoded(t, r.ask(t, "GET", "/processes/trees", "", 200))["inputs"].(object)
	height, _ := d["min_tree_height"].(object)
	if s, _ := height["schema"].(object); s["minimum"] != 1.5 || s["maximum"] != 60.0 || s["type"] != "number" ||
		height["minOccurs"] != 0.0 || d["async"] != nil || d["task_id"] != nil {
		t.Errorf("inputs %v", d)
	}
	if e := decoded(t, r.ask(t, "GET", "/processes/echo", "", 404)); e["type"] != noSuchThing {
		t.Errorf("got %v", e)
	}
}

// TestExecutions: every process is run, at once or as a job, and its result is that of its endpoint.
func TestExecutions(t *testing.T) {
	r := open(t, 1, time.Minute)
	at := square(0, 0, 2, 2)
	for _, tt := range []struct{ name, process, inputs, holds string }{
		{"objects", "segment", `{"area":` + at + `,"types":["grass"]}`, `"summary":{"grass"`},
		{"trees", "trees", `{"area":{"value":` + at + `,"mediaType":"application/geo+json"},"min_tree_height":4,"dataset":"20220915"}`,
			`"n_trees":`},
		{"changes of a box", "changes", `{"area":{"bbox":[15.0,48.0,15.002,48.002],"crs":"http://www.opengis.net/def/crs/OGC/1.3/CRS84"}}`,
			`"surface_volume_m3":-`},
		{"changes of trees", "tree-changes", `{"area":` + at + `}`, `"by_status":`},
		{"terrain", "terrain", `{"area":` + at + `}`, `"elevation_mean_m":500`},
		{"heights", "elevation", `{"features":{"type":"Point","coordinates":[15.001,48.001]}}`, `"dtm_m":500`},
		{"one-stop", "onestop", `{"bbox":{"bbox":[15.0,48.0,15.001,48.001]},"include_temporal":false}`, `"summary":`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := "/processes/" + tt.process + "/execution"
			w := r.ask(t, "POST", path, `{"inputs":`+tt.inputs+`}`, 201, "Prefer", "wait=10, respond-async")
			info := holds(t, "statusInfo", decoded(t, w))
			id, _ := info["jobID"].(string)
			if w.Header().Get("Location") != "https://land.example/landscape/ogc/jobs/"+id ||
				w.Header().Get("Preference-Applied") != "respond-async" || info["processID"] != tt.process {
				t.Errorf("%v with %v", info, w.Header())
			}
			if info = r.finish(t, id); info["status"] != "successful" || info["progress"] != 100.0 || info["finished"] == nil {
				t.Fatalf("got %v", info)
			}
			raw := r.ask(t, "GET", "/jobs/"+id+"/results", "", 200)
			now := r.ask(t, "POST", path, `{"inputs":`+tt.inputs+`,"outputs":{"result":{"transmissionMode":"value"}}}`, 200)
			if !strings.Contains(raw.Body.String(), tt.holds) || raw.Body.String() != now.Body.String() {
				t.Errorf("want %s and the same twice, got %.600s and %.600s", tt.holds, raw.Body, now.Body)
			}
		})
	}
}

// TestResultsAsADocument: JSON as a value with its media type, files in Base64.
func TestResultsAsADocument(t *testing.T) {
	r := open(t, 1, time.Minute)
	w := r.ask(t, "POST", "/processes/terrain/execution", `{"inputs":{"area":`+square(0, 0, 1, 1)+`},"response":"document"}`, 200)
	value := holds(t, "qualifiedValue", decoded(t, w)["result"].(object))
	if data := value["value"].(object)["data"].(object); value["mediaType"] != plain || data["elevation_mean_m"] != 500.0 {
		t.Errorf("got %v", value)
	}
	w = r.ask(t, "POST", "/processes/onestop/execution",
		`{"inputs":{"bbox":"15.0,48.0,15.001,48.001","format":"kml"},"response":"document"}`, 200)
	value = holds(t, "qualifiedValue", decoded(t, w)["result"].(object))
	file, err := base64.StdEncoding.DecodeString(value["value"].(string))
	if err != nil || value["encoding"] != "base64" || !strings.Contains(string(file), "<kml") {
		t.Errorf("%v %v %.80s", err, value["mediaType"], file)
	}
}

// TestJobsThatSeveralHave: what waits, is dismissed, fails, or is not there; a job that others have stays when one is dismissed.
func TestJobsThatSeveralHave(t *testing.T) {
	r := open(t, 0, time.Millisecond)
	run := func(process, inputs string) string {
		w := r.ask(t, "POST", "/processes/"+process+"/execution", `{"inputs":`+inputs+`}`, 201, "Prefer", "respond-async")
		return decoded(t, w)["jobID"].(string)
	}
	inputs := `{"area":` + square(0, 0, 1, 1) + `,"listed":true}`
	one, two := run("terrain", inputs), run("terrain", inputs)
	if one == two {
		t.Fatal("two executions are one job")
	}
	if info := holds(t, "statusInfo", decoded(t, r.ask(t, "GET", "/jobs/"+one, "", 200))); info["status"] != "accepted" ||
		info["progress"] != 0.0 {
		t.Errorf("got %v", info)
	}
	if e := decoded(t, r.ask(t, "GET", "/jobs/"+one+"/results", "", 404)); e["type"] != notReady {
		t.Errorf("got %v", e)
	}
	if info := holds(t, "statusInfo", decoded(t, r.ask(t, "DELETE", "/jobs/"+one, "", 200))); info["status"] != "dismissed" {
		t.Errorf("got %v", info)
	}
	r.ask(t, "GET", "/jobs/"+one+"/results", "", 410)
	if info := decoded(t, r.ask(t, "GET", "/jobs/"+two, "", 200)); info["status"] != "accepted" {
		t.Errorf("the job of another is gone: %v", info)
	}
	if e := decoded(t, r.ask(t, "POST", "/processes/terrain/execution", `{"inputs":`+inputs+`}`,
		503)); !strings.Contains(e["detail"].(string), "respond-async") {
		t.Errorf("got %v", e)
	}
	if list := holds(t, "jobList", decoded(t, r.ask(t, "GET", "/jobs", "", 200))); len(list["jobs"].([]any)) != 0 {
		t.Errorf("got %v", list)
	}
	lost := run("changes", `{"area":`+square(20, 20, 21, 21)+`}`) // no height model reaches there
	pool := &jobs.Pool{Queue: r.queue, Workers: 1, Poll: 20 * time.Millisecond}
	pool.Start(t.Context())
	t.Cleanup(func() { pool.Stop(t.Context()) })
	if info := r.finish(t, two); info["status"] != "successful" {
		t.Errorf("got %v", info)
	}
	list := holds(t, "jobList", decoded(t, r.ask(t, "GET", "/jobs", "", 200)))
	if all := list["jobs"].([]any); len(all) != 1 || holds(t, "statusInfo", all[0].(object))["status"] != "successful" {
		t.Errorf("got %v", list)
	}
	if info := r.finish(t, lost); info["status"] != "failed" || !strings.Contains(info["message"].(string), "heights of both dates") {
		t.Errorf("got %v", info)
	}
	r.ask(t, "GET", "/jobs/"+lost+"/results", "", 500)
	if info := decoded(t, r.ask(t, "DELETE", "/jobs/"+two, "", 200)); info["status"] != "successful" {
		t.Errorf("a job that is over: %v", info)
	}
	for _, method := range []string{"GET", "DELETE"} {
		if e := decoded(t, r.ask(t, method, "/jobs/raw-0000000000", "", 404)); e["type"] != noSuchJob {
			t.Errorf("got %v", e)
		}
	}
}

// TestRefusals: executions that are not taken are exceptions with the reason.
func TestRefusals(t *testing.T) {
	r := open(t, 0, time.Millisecond)
	at := square(0, 0, 1, 1)
	for _, tt := range []struct {
		process, body string
		status        int
		want          string
	}{
		{"echo", `{}`, 404, "echo"},
		{"terrain", ``, 400, "JSON object"},
		{"terrain", `[]`, 400, "JSON object"},
		{"terrain", `{"inputs":3}`, 400, "inputs"},
		{"terrain", `{"inputs":{}}`, 400, "area is required"},
		{"terrain", `{"inputs":{"area":"x"}}`, 400, "GeoJSON"},
		{"terrain", `{"inputs":{"area":{"type":"Polygon"}}}`, 400, "coordinates"},
		{"terrain", `{"inputs":{"area":{"bbox":[1,2,3]}}}`, 400, "west, south"},
		{"terrain", `{"inputs":{"area":{"href":"http://127.0.0.1/x"}}}`, 400, "nothing is fetched"},
		{"terrain", `{"inputs":{"area":` + at + `,"colour":1}}`, 400, "colour is unknown"},
		{"terrain", `{"inputs":{"area":` + at + `,"dataset":{"a":1}}}`, 400, "dataset"},
		{"terrain", `{"inputs":{"area":` + at + `,"async":true}}`, 400, "async is unknown"},
		{"terrain", `{"inputs":{"area":` + at + `},"response":"both"}`, 400, "raw or document"},
		{"terrain", `{"inputs":{"area":` + at + `},"outputs":{"result":{"transmissionMode":"reference"}}}`, 400, "transmissionMode"},
		{"terrain", `{"inputs":{"area":` + at + `},"outputs":{"image":{}}}`, 400, "image"},
		{"terrain", `{"inputs":{"area":` + at + `},"outputs":{"result":{"format":{"mediaType":"image/png"}}}}`, 400, "image/png"},
		{"trees", `{"inputs":{"area":` + at + `,"min_tree_height":900}}`, 400, "from 1.5 to 60"},
		{"segment", `{"inputs":{"area":` + at + `,"types":["oak"]}}`, 400, "oak"},
		{"onestop", `{"inputs":{}}`, 400, "bbox"},
		{"onestop", `{"inputs":{"bbox":[15,48,15.001]}}`, 400, "bbox"},
	} {
		e := decoded(t, r.ask(t, "POST", "/processes/"+tt.process+"/execution", tt.body, tt.status))
		if text, _ := e["detail"].(string); !strings.Contains(text, tt.want) {
			t.Errorf("%s %s: want %q, got %v", tt.process, tt.body, tt.want, e)
		}
	}
}

// Pages for people: by f or by the Accept header, each with a title, its links, and nothing that a browser would run.
func TestPages(t *testing.T) {
	r := open(t, 1, time.Minute)
	w := r.ask(t, "POST", "/processes/terrain/execution", `{"inputs":{"area":`+square(0, 0, 1, 1)+`,"listed":true}}`, 201,
		"Prefer", "respond-async")
	id := decoded(t, w)["jobID"].(string)
	r.finish(t, id)
	for path, wants := range map[string][]string{
		"": {"<h1>Landscape</h1>", `/ogc/processes?f=html"`, `/ogc/jobs?f=html"`, `/docs"`}, "/conformance": {"conf/html"},
		"/processes": {`/ogc/processes/trees?f=html"`, "Single trees of an area"},
		"/processes/trees": {`<th scope="row">min_tree_height</th><td>no</td><td>number, 1.5 to 60`,
			`<th scope="row">area</th><td>yes</td>`},
		"/jobs/" + id: {"successful", "terrain", "/results\""}, "/jobs": {`/ogc/jobs/task-`, `?f=html"`, "Its result"},
	} {
		page := r.ask(t, "GET", path+"?f=html", "", 200)
		body := page.Body.String()
		accepted := r.ask(t, "GET", path, "", 200, "Accept", "text/html,application/xhtml+xml")
		if accepted.Body.String() != body || !strings.HasPrefix(page.Header().Get("Content-Type"), "text/html") ||
			!strings.Contains(page.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: by Accept another page, or %v", path, page.Header())
		}
		for _, want := range append(wants, "<title>", `lang="en"`, "</html>") {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s in %s", path, want, body)
			}
		}
		if strings.Contains(body, "<script") {
			t.Errorf("%s has a script", path)
		}
		r.ask(t, "GET", path+"?f=json", "", 200, "Accept", "text/html")
	}
}

// round answers in place of hosts.
type round func(*http.Request) (*http.Response, error)

func (f round) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Inputs are taken from the addresses of the service, and of hosts that the operator names, and from nothing else: what is refused is
// told by its name, its address and what may be.
func TestInputsByReference(t *testing.T) {
	area := square(0, 0, 1, 1)
	hosts := map[string]func() *http.Response{
		"https://data.example.org/area":  func() *http.Response { return answered(200, area, "") },
		"https://data.example.org/moved": func() *http.Response { return answered(302, "", "https://data.example.org/area") },
		"https://data.example.org/away":  func() *http.Response { return answered(302, "", "https://10.0.0.1/area") },
		"https://data.example.org/large": func() *http.Response { return answered(200, strings.Repeat(" ", mostReferred+1), "") },
		"https://data.example.org/html":  func() *http.Response { return answered(200, "<html>", "") },
		"https://data.example.org/gone":  func() *http.Response { return answered(404, "", "") },
	}
	asked := map[string]bool{}
	r := open(t, 1, time.Minute, func(d *Deps) {
		d.InputHosts = []string{"data.example.org"}
		d.Transport = round(func(q *http.Request) (*http.Response, error) {
			asked[q.URL.String()] = true
			if f := hosts[q.URL.String()]; f != nil {
				return f(), nil
			}
			return nil, errors.New("unreachable")
		})
	})
	run := func(href string, status int) string {
		w := r.ask(t, "POST", "/processes/terrain/execution", `{"inputs":{"area":{"href":"`+href+`","type":"application/geo+json"}}}`,
			status)
		return w.Body.String()
	}
	const own = "https://land.example/landscape/api/v1/"
	at := r.ask(t, "POST", "/processes/elevation/execution", `{"inputs":{"features":`+area+`}}`, 201, "Prefer", "respond-async")
	id := decoded(t, at)["jobID"].(string)
	r.finish(t, id)
	at = r.ask(t, "POST", "/processes/terrain/execution", `{"inputs":{"area":`+area+`}}`, 201, "Prefer", "respond-async")
	about := decoded(t, at)["jobID"].(string)
	r.finish(t, about)
	for _, href := range []string{"https://data.example.org/area", "https://data.example.org/moved", own + "share/auto-" + about,
		own + "segment/result?task_id=" + id} {
		if got := run(href, 200); !strings.Contains(got, `"elevation_mean_m":500`) {
			t.Errorf("%s: %.300s", href, got)
		}
	}
	for href, says := range map[string]string{
		"https://data.example.org/away": "https:// at data.example.org", "https://data.example.org/large": "at most 4 MB",
		"https://data.example.org/html": "JSON", "https://data.example.org/gone": "404", "https://data.example.org/none": "answers",
		"https://other.example.org/area": "https:// at data.example.org", "http://data.example.org/area": "https:// at data.example.org",
		"https://data.example.org:8443/area": "https:// at", "https://u:p@data.example.org/area": "https:// at",
		"file:///etc/passwd":       "https:// at",
		own + "share/auto-nothing": "forgotten", own + "share/auto-" + id: "about none", own + "layers": own + "share/NAME",
		own + "segment/result?task_id=nothing":          "forgotten",
		"https://land.example/artefacts/latest/nothing": "artefact"} {
		if got := run(href, 400); !strings.Contains(got, says) || !strings.Contains(got, "area") {
			t.Errorf("%s: want %q, got %s", href, says, got)
		}
	}
	if asked["https://10.0.0.1/area"] || asked["https://other.example.org/area"] || asked["http://data.example.org/area"] {
		t.Errorf("asked %v", asked)
	}
}

// All inputs of an execution have the same 10 seconds: many slow hosts hold no function for minutes.
func TestReferencesShareTheirTime(t *testing.T) {
	var ends []time.Time
	r := open(t, 1, time.Minute, func(d *Deps) {
		d.InputHosts = []string{"data.example.org"}
		d.Transport = round(func(q *http.Request) (*http.Response, error) {
			end, _ := q.Context().Deadline()
			ends = append(ends, end)
			return answered(200, map[string]string{"/area": square(0, 0, 1, 1), "/date": `"20240915"`}[q.URL.Path], ""), nil
		})
	})
	r.ask(t, "POST", "/processes/terrain/execution",
		`{"inputs":{"area":{"href":"https://data.example.org/area"},"dataset":{"href":"https://data.example.org/date"}}}`, 200)
	if len(ends) != 2 || !ends[0].Equal(ends[1]) || time.Until(ends[0]) > timeReferred {
		t.Errorf("asked until %v", ends)
	}
}

// answered is the answer of a host.
func answered(status int, body, location string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Location": {location}}, Body: io.NopCloser(strings.NewReader(body))}
}

// Without a transport of its own a name that is allowed and leads into the house is not followed.
func TestPrivateHostsAreNotAsked(t *testing.T) {
	f := &references{s: &service{Deps: Deps{InputHosts: []string{"localhost"}}}, base: "https://land.example/landscape"}
	if _, err := f.read(t.Context(), "https://localhost/x"); !errors.Is(err, errForeign) {
		t.Errorf("%v", err)
	}
	for text, ok := range map[string]bool{"": true, "data.example.org, b.example": true, "127.0.0.1": false, "https://x.org": false,
		"x.org:443": false, "localhost": false, "x.org/path": false} {
		if _, err := InputHosts(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
