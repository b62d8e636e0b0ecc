package mcp

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mappe/artefacts/library"
	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/functions/fixture"
	"mappe/functions/landscape/scans"
	landtable "mappe/functions/landscape/table"
	mcptable "mappe/functions/mcp/table"
	"mappe/shared/cloud/jobs"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/ledger/sqlite/sqlitetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/raster"
	"mappe/shared/web/endpoint"
)

// studies is the endpoint over the world with a search index and height models around Westdorf: flat ground, on which a block of
// 40 by 40 m stood 12 m high until the later scan. Workers do the tasks where there are some.
func studies(t *testing.T, workers int, patience time.Duration) *mcp.ClientSession {
	t.Helper()
	s := world(t)
	if err := fixture.AddLandscape(s, fixture.View(t, s).Register()); err != nil {
		t.Fatal(err)
	}
	west, south := fixture.Plane(0, 0)
	west, south = math.Floor(west), math.Floor(south)
	box := raster.Box{West: west - 50, South: south - 50, East: west + 400, North: south + 550}
	flat := func(float64, float64) float64 { return 500 }
	block := func(x, y float64) float64 {
		if x > west+100 && x < west+140 && y > south+100 && y < south+140 {
			return 512
		}
		return 500
	}
	var models []fixture.Raster
	for date, top := range map[string]func(x, y float64) float64{"2022-09-15": block, "2024-09-15": flat} {
		models = append(models, fixture.Raster{Layer: rasters.DTM, Date: date, Box: box, Height: flat},
			fixture.Raster{Layer: rasters.DSM, Date: date, Box: box, Height: top})
	}
	slices.SortFunc(models, func(a, b fixture.Raster) int { return strings.Compare(a.Layer+a.Date, b.Layer+b.Date) })
	if err := fixture.AddRasters(s, models...); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := tasks.Place{Ledger: sqlitetest.Open(t, sqlite.Options{}), Files: mem.New()}
	works := tasks.Works{Place: p, Runners: landtable.Tasks(landtable.Deps{Library: lib}), Pin: generation.Pin(lib),
		Repin:  generation.Repin(lib),
		Notice: scans.Notice, Log: slog.New(slog.DiscardHandler)}
	queue, err := works.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	if workers > 0 {
		pool := &jobs.Pool{Queue: queue, Workers: workers, Poll: 20 * time.Millisecond}
		pool.Start(t.Context())
		t.Cleanup(func() { pool.Stop(t.Context()) })
	}
	desk := &tasks.Desk{Queue: queue, Place: p}
	h := fixture.Handler(t, New(Deps{Library: lib, Families: mcptable.Families(mcptable.Deps{Library: lib, Tasks: desk}),
		PublicURL: "https://land.example",
		Patience:  patience}))
	return connect(t, endpoint.Mount("/mcp", h))
}

// plot is a box of the world as [west, south, east, north].
func plot(x0, y0, x1, y1 float64) []float64 {
	a, b := fixture.At(x0, y0), fixture.At(x1, y1)
	return []float64{a.Lon(), a.Lat(), b.Lon(), b.Lat()}
}

// TestToolsOverAreas: the summary of an area, whatever form it has, then the rows that are asked for.
func TestToolsOverAreas(t *testing.T) {
	c := studies(t, 1, time.Minute)
	for _, tt := range []struct {
		name, tool string
		arguments  map[string]any
		holds      []string
		rows       int
	}{
		{"objects of a box", "objects_in_area", map[string]any{"bbox": plot(0, 0, 4, 3)}, []string{`"summary":{`, `"dataset":"20240915"`},
			0},
		{"with rows", "objects_in_area", map[string]any{"bbox": plot(0, 0, 4, 3), "rows": 2}, []string{`"type"`, `"lon","lat"]`}, 2},
		{"a box as text", "terrain_of_area", map[string]any{"bbox": "15.0005,48.0005,15.001,48.001"}, []string{`"slope_mean_deg":0`,
			`"elevation_mean_m":500`}, 0},
		{"a KG", "terrain_of_area", map[string]any{"kg": "88801"}, []string{`"elevation_mean_m":500`}, 0},
		{"parcels", "terrain_of_area", map[string]any{"parcel_ids": []string{"88801-1", "88801-2"}}, []string{`"terrain_class":"level"`},
			0},
		{"a drawn area", "changes_in_area", map[string]any{"area": map[string]any{"type": "Polygon", "coordinates": [][][]float64{{{15,
			48}, {15.005, 48}, {15.005, 48.004}, {15, 48.004}, {15, 48}}}}, "rows": 5},
			[]string{`"surface_volume_m3":-1`, `"date_a":"20220915"`}, 1},
		{"the trees that stood", "trees_in_area", map[string]any{"bbox": plot(0, 0, 4, 3), "dataset": "20220915"}, []string{`"n_trees":`,
			`"trees_by_height":{`}, -1},
		{"what became of them", "tree_changes_in_area", map[string]any{"bbox": plot(0, 0, 4, 3)}, []string{`"by_status":{`}, 0},
		{"heights of a point", "heights_at", map[string]any{"lon": 15.0008, "lat": "48.0008"}, []string{`"dtm_m":500`, `"height_m":0`,
			`"dataset":"20240915"`}, 1},
		{"heights of points", "heights_at", map[string]any{"points": [][]float64{{15.0008, 48.0008}, {15.002, 48.001}}},
			[]string{`"columns":[`,
				`"lon"`}, 2},
		{"heights of an area", "heights_at", map[string]any{"dataset": "20220915", "area": map[string]any{"type": "Polygon",
			"coordinates": [][][]float64{{{15, 48}, {15.005, 48}, {15.005, 48.004}, {15, 48.004}, {15, 48}}}}}, []string{`"dsm_max_m":512`,
			`"dtm_mean_m":500`}, 1},
		{"a KG of the index", "landscape_of_kg", map[string]any{"kg_code": "88801"}, []string{`"processed":true`, `"landcover":[`}, -1},
		{"parcels of the index", "landscape_of_parcels", map[string]any{"parcel_ids": []string{"88801-1", "88801-2"}},
			[]string{`88801-2`}, 2},
		{"parcels by what covers them", "parcels_by_landscape", map[string]any{"kg": "88801", "limit": 3}, []string{`"next_offset":3`}, 3},
		{"KGs", "kgs_by_landscape", map[string]any{"processed_only": true}, []string{`"kg_code":"88801"`}, 1},
		{"for nature", "nature_parcels", map[string]any{"kg": "88801", "limit": 2}, []string{"conservation_score"}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, text := use(t, c, tt.tool, tt.arguments)
			answer, err := json.Marshal(r.Answer)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.holds {
				if !strings.Contains(string(answer), want) || !strings.Contains(text, want) {
					t.Errorf("answer or text lacks %s: %.1500s", want, answer)
				}
			}
			rows := 0
			if data := r.Answer["data"]; data != nil && (data[0] == '[' || strings.Contains(string(data), `"columns"`)) {
				rows = len(rowsOf(t, data))
			}
			if rows != tt.rows && tt.rows >= 0 {
				t.Errorf("want %d rows, got %d: %.900s", tt.rows, rows, answer)
			}
			if len(r.Sources) == 0 || r.Sources[0].License == "" || r.Sources[0].Attribution == "" || r.Date.As_of == nil ||
				len(r.Uncertainty) == 0 || len(r.Links) == 0 || (len(r.Links) < 2 && tt.tool != "heights_at") || len(text) > 24<<10 {
				t.Errorf("sources %v, date %v, uncertainty %v, links %v", r.Sources, r.Date, r.Uncertainty, r.Links)
			}
		})
	}
}

// TestATaskIsAskedAgain: its name alone gives its result with other rows; a tool of another question refuses it.
func TestATaskIsAskedAgain(t *testing.T) {
	c := studies(t, 1, time.Minute)
	first, _ := use(t, c, "changes_in_area", map[string]any{"bbox": plot(0, 0, 4, 3)})
	var id string
	if err := json.Unmarshal(first.Answer["task_id"], &id); err != nil || *first.Total != 1 {
		t.Fatalf("%v %s", err, first.Answer)
	}
	again, _ := use(t, c, "changes_in_area", map[string]any{"task_id": id, "rows": 10})
	if rows := rowsOf(t, again.Answer["data"]); len(rows) != 1 || string(again.Answer["summary"]) != string(first.Answer["summary"]) {
		t.Errorf("got %s, then %s", first.Answer, again.Answer)
	}
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
		want      []string
	}{
		{"trees_in_area", map[string]any{"task_id": id}, []string{"another question", "trees_in_area"}},
		{"terrain_of_area", map[string]any{"task_id": id}, []string{"another question"}},
		{"trees_in_area", map[string]any{"task_id": "0b7d4a52-none"}, []string{"no task"}},
		{"trees_in_area", map[string]any{"task_id": id, "min_tree_height": 4}, []string{"min_tree_height", "not beside task_id"}},
		{"trees_in_area", map[string]any{}, []string{"area", "exactly one of"}},
		{"trees_in_area", map[string]any{"kg": "88801", "bbox": plot(0, 0, 1, 1)}, []string{"exactly one of"}},
		{"trees_in_area", map[string]any{"bbox": []float64{15, 48, 14, 47}}, []string{"bbox", "west before east"}},
		{"trees_in_area", map[string]any{"bbox": plot(0, 0, 1, 1), "rows": 51}, []string{"rows", "from 0 to 50"}},
		{"trees_in_area", map[string]any{"bbox": plot(0, 0, 1, 1), "min_tree_height": 900}, []string{"min_tree_height", "from 1.5 to 60"}},
		{"trees_in_area", map[string]any{"bbox": plot(0, 0, 1, 1), "async": false}, []string{"async", "is unknown"}},
		{"terrain_of_area", map[string]any{"bbox": plot(0, 0, 1, 1), "rows": 3}, []string{"rows", "is unknown"}},
		{"terrain_of_area", map[string]any{"kg": "99999"}, []string{"99999"}},
		{"terrain_of_area", map[string]any{"area": "POINT(15 48)"}, []string{"area", "GeoJSON"}},
		{"terrain_of_area", map[string]any{"bbox": []float64{13, 47, 15, 48}}, []string{"25 km²"}},
		{"heights_at", map[string]any{}, []string{"lon", "exactly one of"}},
		{"heights_at", map[string]any{"lon": 15}, []string{"lat is required"}},
		{"heights_at", map[string]any{"lon": 15, "lat": 48, "points": [][]float64{{15, 48}}}, []string{"exactly one of"}},
		{"heights_at", map[string]any{"lon": "east", "lat": 48}, []string{"lon", `"east"`, "from -180 to 180"}},
		{"heights_at", map[string]any{"points": [][]float64{{15, 48}, {15}}}, []string{"points[1]", "two numbers"}},
		{"heights_at", map[string]any{"points": [][]any{{15, 48}, {15, "x"}}}, []string{"points[1][1]", "from -90 to 90"}},
		{"heights_at", map[string]any{"area": "POINT(15 48)"}, []string{"area", "GeoJSON"}},
		{"heights_at", map[string]any{"lon": 15, "lat": 48, "radius": 5}, []string{"radius", "is unknown"}},
	} {
		got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.arguments})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if text := textIn(got); !got.IsError || !strings.Contains(text, want) {
				t.Errorf("%s %v: want %q, got %.300s", tt.tool, tt.arguments, want, text)
			}
		}
	}
}

// TestATaskThatIsNotOver is told with how it is asked again; without a desk there is nothing to be asked.
func TestATaskThatIsNotOver(t *testing.T) {
	c := studies(t, 0, time.Millisecond)
	r, text := use(t, c, "objects_in_area", map[string]any{"bbox": plot(0, 0, 2, 2)})
	var task struct{ Task_id, Status, Step string }
	if err := json.Unmarshal(r.Answer["task"], &task); err != nil || task.Status != "running" || task.Step != "queued" ||
		!strings.Contains(text, fmt.Sprintf("task_id=%q", task.Task_id)) {
		t.Errorf("%v %s", err, text)
	}
	again, _ := use(t, c, "objects_in_area", map[string]any{"task_id": task.Task_id})
	if !strings.Contains(string(again.Answer["task"]), task.Task_id) {
		t.Errorf("got %s", again.Answer)
	}
	none := connect(t, over(t, world(t)))
	got, err := none.CallTool(t.Context(), &mcp.CallToolParams{Name: "objects_in_area", Arguments: map[string]any{"bbox": plot(0, 0, 2,
		2)}})
	if err != nil || !got.IsError || !strings.Contains(textIn(got), "no tasks here") {
		t.Errorf("%v %s", err, textIn(got))
	}
}

// TestADigestKeepsTheFirst: of any number of features those of the greatest rank, in the order of the result where they are alike,
// and as many as the bound allows.
func TestADigestKeepsTheFirst(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"FeatureCollection","features":[`)
	for i := range 2000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"Feature","geometry":{"type":"Point","coordinates":[15,48]},"properties":{"n":%d,"v":%d,"text":%q}}`, i,
			-(i * 7919 % 1000), strings.Repeat("x", 60))
	}
	b.WriteString(`],"summary":{"a":1},"meta":{"warnings":["far"],"date_b":"20240915"}}`)
	d := digest{rank: by("v"), columns: []string{"n", "v", "text"}, most: 40}
	if err := d.read(strings.NewReader(b.String())); err != nil || d.features != 2000 || d.strange {
		t.Fatal(err, d.features)
	}
	for i, k := range d.kept {
		n, _ := k.of.number("n")
		if want := float64(1000 - 1 - i/2); k.value != want || i%2 == 1 && n < 1000 || i%2 == 0 && n >= 1000 {
			t.Errorf("row %d: want %v, got %v of feature %v", i, want, k.value, n)
		}
	}
	for _, bound := range []int{1 << 10, 2 << 10, 20 << 10} {
		c := &content{Answer: map[string]json.RawMessage{}}
		ok := d.within(c, bound)
		if size, _ := c.measure(); !ok || size > bound || c.rows == 0 || bound > 10<<10 && c.rows != 40 {
			t.Errorf("within %d: %v, %d rows, %d bytes", bound, ok, c.rows, size)
		}
	}
	if day := d.date(date{}); *day.AsOf != "2024-09-15" || d.warnings()[0] != "Far." {
		t.Errorf("%v %v", day, d.warnings())
	}
	for _, broken := range []string{``, `[]`, `{"features":3}`, `{"features":[{]}`, `{"features":[{}`} {
		if err := (&digest{rank: by("v")}).read(strings.NewReader(broken)); err == nil {
			t.Errorf("%s is read", broken)
		}
	}
}
