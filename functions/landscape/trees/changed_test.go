package trees

import (
	"encoding/json"
	"math"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/geo/raster"
)

// What is rejected is counted in the area alone, as what is found is.
func TestRejectedChangesLieInTheArea(t *testing.T) {
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	x, y := corner()
	box := raster.Box{West: x - 200, South: y - 200, East: x + 200, North: y + 200}
	flat := func(float64, float64) float64 { return 700 }
	block := func(px, py float64) float64 { // a flat roof of 9 m in the south-west
		if math.Abs(px-x+50) < 8 && math.Abs(py-y+50) < 8 {
			return 709
		}
		return 700
	}
	for _, date := range []string{"2022-09-15", "2024-09-15"} {
		if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: date, Box: box, Height: flat},
			fixture.Raster{Layer: rasters.DSM, Date: date, Box: box, Height: block}); err != nil {
			t.Fatal(err)
		}
	}
	h := over(t, s)
	for body, want := range map[string]bool{rect(-90, -90, 90, 90): true, triangle(-90, 90, 90, 90, 90, -90): false} {
		w := fixture.Ask(h, "POST", "/api/v1/changes/trees?include_cadastre=false", body)
		var got struct {
			Meta struct {
				Rejected int `json:"rejected_by_surface"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || (got.Meta.Rejected > 0) != want {
			t.Errorf("%d, %d rejected of %s", w.Code, got.Meta.Rejected, body)
		}
	}
}

// What became of each tree is told, and nothing else.
func TestChangesOfTrees(t *testing.T) {
	h := over(t, world(t))
	got := ask(t, h, "/api/v1/changes/trees?include_cadastre=false", rect(-80, -80, 80, 80))
	want := map[string]int{"felled": 10, "new": 10, "grown": 80}
	for status, n := range want {
		if f := got.Summary.ByStatus[status]; f.Count != n || (f.Change != nil) != (status == "grown") ||
			f.Change != nil && math.Abs(*f.Change-1) > 0.1 {
			t.Errorf("%s: %+v, expected %d", status, f, n)
		}
	}
	if got.Summary.Total != 100 || len(got.Data) != 100 || got.Summary.ByStatus["stable"].Count != 0 {
		t.Errorf("%+v", got.Summary)
	}
	for _, d := range got.Data {
		if (d.Before == nil) != (d.Status == "new") || (d.After == nil) != (d.Status == "felled") ||
			(d.Change == nil) != (d.Status == "new" || d.Status == "felled") {
			t.Errorf("%+v", d)
		}
	}
}
