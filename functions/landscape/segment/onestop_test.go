package segment

import (
	"database/sql"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/functions/core/generation"
	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/functions/landscape/scans"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
)

// counter is the endpoint with a desk whose tasks are done when the test says so.
type counter struct {
	http.Handler
	desk  *tasks.Desk
	files store.Store // of the generation
	queue *jobs.Queue
}

func openCounter(t *testing.T) *counter {
	t.Helper()
	files := world(t, true, false)
	lib, err := fixture.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{files: files}
	p := tasks.Place{Ledger: sqlitetest.Open(t, sqlite.Options{}), Files: mem.New()}
	works := tasks.Works{Place: p, Runners: Tasks(Deps{Library: lib}), Pin: generation.Pin(lib),
		Repin: generation.Repin(lib), Notice: scans.Notice,
		Log: slog.New(slog.DiscardHandler)}
	if c.queue, err = works.NewQueue(); err != nil {
		t.Fatal(err)
	}
	c.desk = &tasks.Desk{Queue: c.queue, Place: p, Version: "v1"}
	c.Handler = fixture.Handler(t, New(Deps{Library: lib, Tasks: c.desk}))
	return c
}

// box are the edges of a box around the corner of four tiles, of so many metres from it.
func box(metres float64) string {
	x, y := corner()
	lon0, lat0 := crs.LAEA.Inverse(x-metres, y-metres)
	lon1, lat1 := crs.LAEA.Inverse(x+metres, y+metres)
	return fmt.Sprintf("bbox=%.5f,%.5f,%.5f,%.5f", lon0, lat0, lon1, lat1)
}

func (c *counter) get(path string) *httptest.ResponseRecorder {
	return fixture.Ask(c, "GET", path, "")
}

// begin asks for a task, which is polled in vain, and gives its id.
func (c *counter) begin(t *testing.T, query string) string {
	t.Helper()
	b := fixture.Decode[begun](t, c.get("/api/v1/onestop?"+query), 202)
	if again := fixture.Decode[begun](t, c.get("/api/v1/onestop?"+query), 202); again != b {
		t.Fatalf("asked again: %+v, at first %+v", again, b)
	}
	w := c.get(b.PollURL)
	if again := fixture.Decode[begun](t, w, 202); again != b || !(b.Estimated >= secondsAtLeast) || w.Header().Get("Retry-After") == "" ||
		w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Etag") != "" {
		t.Fatalf("%+v, polled %+v %v", b, again, w.Header())
	}
	return b.TaskID
}

// done is the result of a question.
func (c *counter) done(t *testing.T, query string) *httptest.ResponseRecorder {
	t.Helper()
	id := c.begin(t, query)
	if err := c.queue.RunOne(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w := c.get("/api/v1/onestop?task_id=" + id)
	if w.Code != 200 || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%s: %d %.300s %v", query, w.Code, w.Body, w.Header())
	}
	return w
}

type stopAnswer struct {
	answer
	Grouped map[string]struct{ Count int } `json:"grouped"`
	Terrain *reliefSummary                 `json:"terrain"`
	Trees   *woodSummary                   `json:"trees"`
	DTM     *terrainFiles                  `json:"dtm"`
}

func TestOneStopJSON(t *testing.T) {
	c := openCounter(t)
	all := fixture.Decode[stopAnswer](t, c.done(t, box(130)+"&layers=trees,terrain&include_segments_vector=true&name=hill"), 200)
	if len(all.Features) < 4 || all.Terrain == nil || all.Terrain.Min == nil || !(*all.Terrain.Min < *all.Terrain.Max) ||
		all.Trees == nil ||
		all.Trees.Segments != all.Summary["tree"].Count || all.Trees.Segments == 0 || all.Trees.Max == nil || *all.Trees.Max < 15 {
		t.Fatalf("%d features, terrain %+v, trees %+v", len(all.Features), all.Terrain, all.Trees)
	}
	high := fixture.Decode[stopAnswer](t, c.done(t, box(130)+"&height_min=5&height_op=gt&group_by=height_class&include_dtm=true"), 200)
	if m := high.DTM; all.DTM != nil || m == nil || m.Dataset != "20240915" || m.Step != 1 || m.EPSG != 3035 || len(m.Files) != 4 {
		t.Errorf("terrain models %+v, %+v", all.DTM, m)
	} else {
		for _, f := range m.Files {
			info, err := c.files.Head(t.Context(), f.Key)
			if err != nil || info.Size != f.Bytes || f.Box[2]-f.Box[0] != 5000 || !strings.Contains(f.Key, "dtm") {
				t.Errorf("%+v: %+v %v", f, info, err)
			}
		}
	}
	n := 0
	for class, g := range high.Grouped {
		if n += g.Count; class == "under_2_m" || class == "2_to_5_m" || class == unknownHeight {
			t.Errorf("segments over 5 m of the class %s", class)
		}
	}
	want := 0
	for _, f := range all.Features {
		if h, ok := f.Properties["height_max_m"].(float64); ok && h > 5 {
			want++
		}
	}
	if n != want || want == 0 || want == len(all.Features) || len(high.Features) != 0 || len(high.Summary) != len(all.Summary) {
		t.Errorf("%d segments over 5 m, want %d; summary of %d types, want %d", n, want, len(high.Summary), len(all.Summary))
	}
	h, err := c.desk.Shares().Find(t.Context(), "hill")
	if err != nil || h.Kind != "onestop" || h.Expires.IsZero() || h.Listed {
		t.Errorf("the share of the name: %+v %v", h, err)
	}
	w := c.get("/api/v1/onestop?name=hill&" + box(60))
	if w.Code != 409 || !strings.Contains(w.Body.String(), "name") {
		t.Errorf("a name that another result has: %d %.200s", w.Code, w.Body)
	}
	c.begin(t, box(60)+"&name=dale") // the task of who was refused takes no place for long
}

// A name is one question's from when it is asked, before there is a result; one whose task has ended without a result is free.
func TestOneStopNames(t *testing.T) {
	c := openCounter(t)
	id := c.begin(t, box(20)+"&name=mill")
	for i := range 8 { // more than wait: who is refused has no task
		w := c.get(fmt.Sprintf("/api/v1/onestop?name=mill&min_object_size=%d&%s", 20+i, box(20)))
		if w.Code != 409 || !strings.Contains(w.Body.String(), "name") {
			t.Fatalf("a name that another result is to have: %d %.200s", w.Code, w.Body)
		}
	}
	if queued, running, err := c.queue.Count(t.Context(), tasks.OneStop); err != nil || queued+running != 1 {
		t.Errorf("%d and %d tasks, %v", queued, running, err)
	}
	if _, err := c.desk.Abort(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	c.begin(t, box(20)+"&name=mill&min_object_size=20")
}

// A box beside the id of a task is that task's question, while it is worked on and when it is done; another one is refused.
func TestOneStopTaskOfAnotherQuestion(t *testing.T) {
	c := openCounter(t)
	own := fixture.Decode[begun](t, c.get("/api/v1/onestop?format=kml&"+box(20)), 202)
	mine := fixture.Decode[begun](t, c.get("/api/v1/onestop?task_id=mine-0001&"+box(20)), 202)
	check := func(status int) {
		t.Helper()
		for id, same := range map[string]string{own.TaskID: "format=kml&" + box(20), mine.TaskID: box(20)} {
			for query, want := range map[string]int{same: status, same + "&types=tree": 409,
				strings.Replace(same, box(20), box(21), 1): 409,
				same + "&name=barn":                        409} {
				if w := c.get("/api/v1/onestop?task_id=" + id + "&" + query); w.Code != want {
					t.Errorf("%s&%s: %d, want %d: %.200s", id, query, w.Code, want, w.Body)
				}
			}
		}
	}
	check(202)
	for _, id := range []string{own.TaskID, mine.TaskID} {
		task, err := c.desk.Find(t.Context(), id)
		if err == nil {
			err = c.queue.RunOne(t.Context(), strings.TrimPrefix(task.Share(), shares.Auto))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	check(200)
}

func TestOneStopFiles(t *testing.T) {
	c := openCounter(t)
	w := c.done(t, box(130)+"&format=kml&group_by=type&segment_geometry_style=height&name=hill")
	var doc struct {
		Document struct {
			Style []struct {
				ID string `xml:"id,attr"`
			}
			Folder []struct {
				Name      string `xml:"name"`
				Placemark []struct {
					Style string    `xml:"styleUrl"`
					Point *struct{} `xml:"Point"`
				}
			}
		}
	}
	if err := xml.Unmarshal(w.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if d := w.Header().Get("Content-Disposition"); !strings.Contains(d, "hill.kml") || len(doc.Document.Folder) < 3 {
		t.Errorf("%s, %d folders", d, len(doc.Document.Folder))
	}
	known := map[string]bool{}
	for _, s := range doc.Document.Style {
		known["#"+s.ID] = true
	}
	for _, f := range doc.Document.Folder {
		for _, p := range f.Placemark {
			if p.Point == nil || !known[p.Style] {
				t.Errorf("in %s: %+v", f.Name, p)
			}
		}
	}
	w = c.done(t, box(130)+"&format=gpkg&group_by=type")
	if got := layersOf(t, w.Body.Bytes()); got["segments_tree"] != 3035 || got["segments_roof"] != 3035 {
		t.Errorf("layers %v", got)
	}
	w = c.done(t, box(130)+"&format=gpkg&segment_geometry=point&segment_geometry_style=height&types=tree")
	if got := layersOf(t, w.Body.Bytes()); len(got) != 1 || got["segment_points"] != 4326 {
		t.Errorf("layers %v", got)
	}
}

// Two run and four wait, whoever asks; who is refused is told when to come again, and comes in when one has ended.
func TestOneStopGate(t *testing.T) {
	c := openCounter(t)
	var ids []string
	for i := range 6 {
		ids = append(ids, c.begin(t, fmt.Sprintf("%s&name=n%d", box(20), i)))
	}
	seventh := "/api/v1/onestop?name=n7&" + box(20)
	if w := c.get(seventh); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Fatalf("the seventh: %d %.200s", w.Code, w.Body)
	}
	if again := fixture.Decode[begun](t, c.get("/api/v1/onestop?name=n3&"+box(20)), 202); again.TaskID != ids[3] {
		t.Errorf("the fourth asked again is %s, want %s", again.TaskID, ids[3])
	}
	if err := c.queue.RunOne(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	if w := c.get(seventh); w.Code != 202 {
		t.Errorf("after one has ended: %d %.200s", w.Code, w.Body)
	}
}

func TestOneStopRefuses(t *testing.T) {
	c := openCounter(t)
	for query, by := range map[string]string{
		"":                                     "bbox",
		"bbox=1,2,3":                           "bbox",
		"bbox=2.1,48.1,2.2,48.2":               "bbox",
		box(50) + "&name=a/b":                  "name",
		box(50) + "&types=house":               "types",
		box(50) + "&height_op=gt":              "height_op",
		box(50) + "&height_op=lt&height_min=2": "height_op",
		box(50) + "&height_op=gt&height_min=2&height_max=3": "height_max",
		box(50) + "&height_min=3&height_max=2":              "height_min",
		box(50) + "&format=shp":                             "format",
		box(50) + "&format=kml&layers=trees":                "layers",
		box(50) + "&segment_geometry=point":                 "segment_geometry",
		box(50) + "&segment_geometry_style=type":            "segment_geometry_style",
		box(50) + "&format=gpkg&include_dtm=true":           "include_dtm",
		"task_id=" + shares.Auto:                            "task_id",
	} {
		w := c.get("/api/v1/onestop?" + query)
		var f struct{ Errors []struct{ Parameter string } }
		if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || w.Code != 400 || len(f.Errors) != 1 || f.Errors[0].Parameter != by {
			t.Errorf("%s: %d %.300s", query, w.Code, w.Body)
		}
	}
	if w := c.get("/api/v1/onestop?bbox=13.2,47.3,13.4,47.5"); w.Code != 413 {
		t.Errorf("a box of 330 km²: %d %.200s", w.Code, w.Body)
	}
	for _, id := range []string{"onestop-0123456789abcdef-1", "task-1", "nobodys-task"} {
		if w := c.get("/api/v1/onestop?task_id=" + id); w.Code != 404 {
			t.Errorf("no task %s: %d %.200s", id, w.Code, w.Body)
		}
	}
}

// layersOf gives the tables of a GeoPackage that have rows, with their systems.
func layersOf(t *testing.T, body []byte) map[string]int {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.gpkg")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT g.table_name, g.srs_id FROM gpkg_geometry_columns g JOIN layer_styles s ON s.f_table_name = g.table_name")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var name string
		var srs, n int
		if err := rows.Scan(&name, &srs); err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRow(`SELECT count(*) FROM "` + name + `"`).Scan(&n); err != nil || n == 0 {
			t.Errorf("%s has %d rows: %v", name, n, err)
		}
		out[name] = srs
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
