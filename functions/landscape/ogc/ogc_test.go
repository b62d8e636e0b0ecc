package ogc

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/jobs"
)

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
