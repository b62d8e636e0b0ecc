package changes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/cloud/membudget"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// The models of the world: a meadow that rises to the east, measured twice with noise. Between the dates a mound of 20 x 16 m
// and 2 m was filled, a house was built, and trees of 12 m were felled. Nothing is known of a strip in the west.
var square = func() raster.Box {
	x, y := fixture.Plane(4, 2)
	x, y = math.Round(x/5000)*5000, math.Round(y/5000)*5000 // the nearest corner of tiles
	return raster.Box{West: x - 500, South: y - 500, East: x + 500, North: y + 500}
}()

func centreOf() (x, y float64) {
	return (square.West + square.East) / 2, (square.South + square.North) / 2
}

// noise is a number between -1 and 1 that looks drawn, the same for the same place.
func noise(x, y float64, salt uint64) float64 {
	k := uint64(int64(x))*0x9e3779b97f4a7c15 ^ uint64(int64(y))*0xd1b54a32d192ed03 ^ salt*0xbf58476d1ce4e5b9
	k ^= k >> 31
	k *= 0x94d049bb133111eb
	return float64(k>>11)/(1<<52) - 1
}

// inside says whether a place lies within half a rectangle's sides of a middle, in metres from the middle of the models.
func within(x, y, cx, cy, a, b float64) bool {
	mx, my := centreOf()
	return math.Abs(x-mx-cx) < a && math.Abs(y-my-cy) < b
}

func ground(date int) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		mx, _ := centreOf()
		if x < square.West+100 {
			return math.NaN()
		}
		z := 700 + 0.08*(x-mx) + 4*math.Sin(x/61)*math.Cos(y/47) + 0.08*noise(x, y, uint64(date))
		if date == 1 {
			z += 0.11 // the later scan lies higher
			if within(x, y, -60, 40, 10, 8) {
				z += 2
			}
		}
		return z
	}
}

func surface(date int) func(x, y float64) float64 {
	below := ground(date)
	return func(x, y float64) float64 {
		z := below(x, y) + 0.08 + 0.03*noise(x, y, 7+uint64(date))
		switch {
		case date == 1 && within(x, y, 70, -50, 8, 6):
			return below(x, y) - 0.08*noise(x, y, 1) + 6
		case date == 0 && within(x, y, 80, 90, 20, 15):
			return z + 9 + 3*noise(x, y, 9)
		}
		return z
	}
}

func models(dates ...string) (out []fixture.Raster) {
	for i, d := range dates {
		out = append(out, fixture.Raster{Layer: rasters.DTM, Date: d, Box: square, Height: ground(i)},
			fixture.Raster{Layer: rasters.DSM, Date: d, Box: square, Height: surface(i)})
	}
	return out
}

func over(t testing.TB, budget int64, models ...fixture.Raster) http.Handler {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddRasters(s, models...); err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	d := Deps{Library: lib, Now: fixture.Now, Started: fixture.Noon}
	if budget > 0 {
		d.Memory = membudget.New(budget)
	}
	return fixture.Handler(t, New(d))
}

// rect is a polygon in metres from the middle.
func rect(x0, y0, x1, y1 float64) string {
	mx, my := centreOf()
	var b strings.Builder
	b.WriteString(`{"type":"Polygon","coordinates":[[`)
	for i, c := range [][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}} {
		lon, lat := crs.LAEA.Inverse(mx+c[0], my+c[1])
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "[%.7f,%.7f]", lon, lat)
	}
	return b.String() + "]]}"
}

type answer struct {
	Data []struct {
		ID       string   `json:"change_id"`
		Type     string   `json:"type"`
		Area     float64  `json:"area_sqm"`
		Change   float64  `json:"change_m"`
		Volume   float64  `json:"terrain_volume_m3"`
		Error    float64  `json:"terrain_volume_error_m3"`
		Before   float64  `json:"height_before_m"`
		After    float64  `json:"height_after_m"`
		Evidence []string `json:"evidence"`
		CutOff   bool     `json:"cut_off"`
		Share    *float64 `json:"footprint_share"`
		Green    *float64 `json:"ndvi_before"`
		Greener  *float64 `json:"ndvi_after"`
		Geometry struct{ Type string }
	}
	Summary map[string]changeSummary
	Meta    struct {
		changesMeta
		Total int
	}
}

func ask(t testing.TB, h http.Handler, target, body string) (got answer) {
	t.Helper()
	w := fixture.Ask(h, "POST", target, body, "Content-Type", "application/json")
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %v %.600s", target, w.Code, err, w.Body)
	}
	return got
}

// What has happened is told with its volume and heights, and that the later scan lies higher is no change.
func TestWhatHasChanged(t *testing.T) {
	h := over(t, 0, models("2022-09-15", "2024-09-15")...)
	got := ask(t, h, "/api/v1/changes", rect(-200, -200, 200, 200))
	types := map[string]int{}
	for i, e := range got.Data {
		types[e.Type] = i
	}
	if len(got.Data) != 3 || got.Meta.Total != 3 || len(types) != 3 {
		t.Fatalf("%+v", got.Data)
	}
	fill, house, trees := got.Data[types["earthwork_fill"]], got.Data[types["new_building"]], got.Data[types["tree_felling"]]
	if math.Abs(fill.Volume-20*16*2) > fill.Error || fill.Error > 60 || math.Abs(fill.Area-320) > 80 || math.Abs(fill.Change-2) > 0.15 {
		t.Errorf("a mound of 640 m³: %+v", fill)
	}
	if math.Abs(house.Area-192) > 40 || math.Abs(house.After-6) > 0.2 || house.Before > 0.3 || house.Geometry.Type != "MultiPolygon" {
		t.Errorf("a house: %+v", house)
	}
	if math.Abs(trees.Area-1200) > 150 || trees.Before < 10 || trees.After > 0.3 || len(trees.Evidence) == 0 || trees.CutOff {
		t.Errorf("trees: %+v", trees)
	}
	g := got.Meta.Registration
	if g.Offset == nil || math.Abs(*g.Offset-0.11) > 0.01 || g.Shifted || got.Meta.DateA != "20220915" || *got.Meta.Coverage != 1 ||
		len(got.Meta.Missing) != 2 ||
		got.Meta.Mask != "none" || got.Meta.OrthoA != nil || got.Data[0].Share != nil || got.Data[0].Green != nil {
		t.Errorf("%+v", got.Meta)
	}
	if s := got.Summary["new_building"]; s.Count != 1 || *s.Area != house.Area {
		t.Errorf("%+v", got.Summary)
	}
	// The same place by parameters of the body, cut by its border; what changes by less is left out.
	cut := ask(t, h, "/api/v1/changes", `{"geometry":`+rect(-200, -200, 70, 200)+`,"params":{"min_change":3,"date_a":20220915}}`)
	if len(cut.Data) != 2 || cut.Data[1].Type != "new_building" || !cut.Data[1].CutOff ||
		cut.Data[1].Area != house.Area/2 || cut.Meta.MinChange != 3 {
		t.Errorf("%+v", cut.Data)
	}
}

// turning is above 0 where a ring runs against the clock.
func turning(ring [][2]float64) (sum float64) {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		sum += (a[0]-ring[0][0])*(b[1]-ring[0][1]) - (b[0]-ring[0][0])*(a[1]-ring[0][1])
	}
	return sum
}

func TestForms(t *testing.T) {
	h := over(t, 0, models("2022-09-15", "2024-09-15")...)
	body := rect(-200, -200, 200, 200)
	get := func(form string) *bytes.Buffer {
		w := fixture.Ask(h, "POST", "/api/v1/changes?format="+form, body, "Content-Type", "application/json")
		if w.Code != 200 {
			t.Fatalf("%s: %d %.300s", form, w.Code, w.Body)
		}
		return w.Body
	}
	var collection struct {
		Type     string
		Features []struct {
			ID       string
			Geometry struct {
				Type        string
				Coordinates [][][][2]float64
			}
			Properties map[string]any
		}
		Summary map[string]any
	}
	if err := json.Unmarshal(get("geojson").Bytes(), &collection); err != nil || len(collection.Features) != 3 ||
		collection.Summary == nil ||
		collection.Features[0].Geometry.Type != "MultiPolygon" ||
		collection.Features[0].ID != collection.Features[0].Properties["change_id"] {
		t.Errorf("%v %+v", err, collection)
	}
	for _, f := range collection.Features {
		if sum := turning(f.Geometry.Coordinates[0][0]); sum <= 0 {
			t.Errorf("%s: the outer ring runs clockwise", f.ID)
		}
	}
	if csv := get("csv").String(); strings.Count(csv, "\n") != 4 ||
		!strings.HasPrefix(strings.TrimPrefix(csv, "\ufeff"), "change_id,type,area_sqm,") {
		t.Errorf("%s", csv)
	}
	file := get("gpkg").Bytes()
	for _, want := range []string{"SQLite format 3", "layer_styles", "categorizedSymbol", "earthwork_fill"} {
		if !bytes.Contains(file, []byte(want)) {
			t.Errorf("the GeoPackage does not hold %q", want)
		}
	}
	program := oracles.Program(t, "ogrinfo")
	path := filepath.Join(t.TempDir(), "changes.gpkg")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "-so", path, "changes").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Feature Count: 3") || !strings.Contains(string(out), "Multi Polygon") {
		t.Errorf("%v %s", err, out)
	}
}

// What cannot be compared is told, with what can.
func TestWhatCannotBeCompared(t *testing.T) {
	third := fixture.Raster{Layer: rasters.DTM, Date: "2023-09-15", Box: square, Height: ground(0)}
	h := over(t, 0, append(models("2022-09-15", "2024-09-15"), third)...)
	inside, unknown := rect(-200, -200, 200, 200), rect(-495, -100, -405, 100)
	for _, c := range []struct {
		query, body string
		status      int
		want        []string
	}{
		{"?date_a=20240915", inside, 400, []string{"date_b", "after date_a"}},
		{"?date_a=20240915&date_b=20220915", inside, 400, []string{"date_a", "before date_b", "exchanged"}},
		{"?date_a=20210915", inside, 400, []string{"date_a", "20220915, 20240915"}},
		{"?date_b=20230915", inside, 400, []string{"date_b", "both models", "20220915, 20240915"}},
		{"?date_a=lately", inside, 400, []string{"YYYYMMDD"}},
		{"?min_change=0.1", inside, 400, []string{"min_change"}},
		{"", `{"geometry":` + inside + `,"params":{"min_change":"much"}}`, 400, []string{"params.min_change"}},
		{"", `{"geometry":` + inside + `,"params":{"dataset":"20240915"}}`, 400, []string{"dataset", "date_a"}},
		{"", unknown, 404, []string{"both dates"}},
		{"", rect(0, 0, 5000, 5002), 413, []string{"25 km²"}},
	} {
		w := fixture.Ask(h, "POST", "/api/v1/changes"+c.query, c.body, "Content-Type", "application/json")
		for _, want := range c.want {
			if w.Code != c.status || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s %.80s: %d %.400s, expected %d with %q", c.query, c.body, w.Code, w.Body, c.status, want)
			}
		}
	}
	half := ask(t, h, "/api/v1/changes", rect(-495, -200, 0, 200))
	if *half.Meta.Coverage > 0.85 || len(half.Meta.Warnings) != 1 || !strings.Contains(half.Meta.Warnings[0], "2022-09-15 and 2024-09-15") {
		t.Errorf("%+v", half.Meta)
	}
	if w := fixture.Ask(over(t, 0), "POST", "/api/v1/changes", inside, "Content-Type", "application/json"); w.Code != 404 {
		t.Errorf("without rasters: %d %.200s", w.Code, w.Body)
	}
	small := over(t, 8<<20, models("2022-09-15", "2024-09-15")...)
	if w := fixture.Ask(small, "POST", "/api/v1/changes", inside, "Content-Type", "application/json"); w.Code != 413 {
		t.Errorf("without memory: %d %.200s", w.Code, w.Body)
	}
}

// Layers in other cells are not compared.
func TestLayersOfAnotherStep(t *testing.T) {
	x := &rasters.Index{}
	for _, d := range []string{"2022-09-15", "2024-09-15"} {
		x.Layers = append(x.Layers, rasters.Layer{Layer: rasters.DTM, Date: d, Step: 1},
			rasters.Layer{Layer: rasters.DSM, Date: d, Step: 1})
	}
	p := &question{Before: "20220915", After: "20240915", Least: 1}
	if m, err := modelsOf(x, p); err != nil || m[0].Date != "2022-09-15" || m[3].Layer != rasters.DSM {
		t.Errorf("%v %v", m, err)
	}
	x.Layers[3].Step = 2
	if _, err := modelsOf(x, p); err == nil || !strings.Contains(err.Error(), "cells of 1 m") {
		t.Errorf("%v", err)
	}
}

// Rows are read down to where blocks of tiles end.
func TestBelow(t *testing.T) {
	s := &source{}
	for north, want := range map[float64]float64{5000: 4488, 4999: 4488, 4488: 3976, 392: 0, 393: 392, 5001: 5000, 10_000: 9488} {
		if got := s.Below(north); got != want {
			t.Errorf("below %g: %g, expected %g", north, got, want)
		}
	}
}
