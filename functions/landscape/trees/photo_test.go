package trees

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// An orthophoto as it is stored has the values that grids of its bands have, and no near infrared where that is 0.
func TestPhotoIsAsItsBandsAre(t *testing.T) {
	k := rasters.LayerTypeOf(rasters.Ortho)
	l := k.New("2024-06-25", k.Credit)
	s, err := raster.SamplesOver[uint8](raster.Box{East: 4, North: 2}, k.Step, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Pix {
		s.Pix[i] = uint8(i * 7)
	}
	p := photoOf(&l, s)
	room := make([]float32, s.Cols)
	for row := range s.Rows {
		for band := range 4 {
			for col, v := range p.Row(band, row, room) {
				if is := s.Row(row)[4*col+band]; is == 0 && v == v || is > 0 && v != float32(is) {
					t.Fatalf("band %d of %d, %d: %v of %d", band, col, row, v, is)
				}
			}
		}
	}
	if g := p.Lattice(); g.Step != k.Step || g.Cols != 10 || g.Rows != 5 || g.North != 2 {
		t.Errorf("%+v", g)
	}
	if three, _ := raster.SamplesOver[uint8](raster.Box{East: 4, North: 2}, k.Step, 3); photoOf(&l, three) != nil {
		t.Error("three bands are an orthophoto with near infrared")
	}
}

// An orthophoto gives the vegetation index, vitality and surer apexes; without its near infrared nothing is said by it.
func TestTreesWithAnOrthophoto(t *testing.T) {
	s := world(t)
	x0, y0 := corner()
	square := raster.Box{West: x0 - 200, South: y0 - 200, East: x0 + 200, North: y0 + 200}
	crown := surface(func(i int) bool { return !isFelled(i) }, 1)
	photo := func(nir bool) func(x, y float64) []uint8 {
		return func(x, y float64) []uint8 {
			h := crown(x, y) - 700
			switch {
			case h < 1:
				return []uint8{120, 110, 90, 130}
			case x < x0 && !nir:
				return []uint8{50, uint8(60 + 3*h), 40, 0}
			case y > y0: // dead
				return []uint8{100, uint8(80 + h), 90, 100}
			}
			return []uint8{40, uint8(60 + 2*h), 40, uint8(100 + 4*h)}
		}
	}
	if err := fixture.AddBytes(s, fixture.Bytes{Layer: rasters.Ortho, Date: "2024-06-25", Box: square,
		Samples: photo(false)}); err != nil {
		t.Fatal(err)
	}
	w := fixture.Ask(over(t, s), "POST", "/api/v2/trees?include_cadastre=false", rect(-80, -80, 80, 80))
	var got struct {
		Data []struct {
			Lon, Lat float64
			ApexLon  float64  `json:"apex_lon"`
			ApexLat  float64  `json:"apex_lat"`
			NDVI     *float64 `json:"ndvi_mean"`
			Vitality string   `json:"vitality"`
			Source   string   `json:"detection_source"`
			Leaf     string   `json:"leaf_type"`
		} `json:"data"`
		Meta struct {
			Ortho *string `json:"ortho"`
		} `json:"meta"`
		Summary struct {
			BySource map[string]int `json:"by_detection_source"`
		} `json:"summary"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || got.Meta.Ortho == nil || *got.Meta.Ortho != "20240625" {
		t.Fatalf("%d %.300s", w.Code, w.Body)
	}
	counts := map[string]int{}
	for _, d := range got.Data {
		x, y := crs.LAEA.Forward(d.ApexLon, d.ApexLat)
		west, north := x < x0-4, y > y0+4
		switch {
		case math.Abs(x-x0) < 4 || math.Abs(y-y0) < 4: // a crown on both sides
		case west:
			counts["west"]++
			if d.NDVI != nil || d.Vitality != "unknown" || d.Source != "ndsm" {
				t.Errorf("without near infrared: %+v", d)
			}
		case north:
			counts["dead"]++
			if d.NDVI == nil || d.Vitality != "dead" || d.Leaf != "dead" {
				t.Errorf("dead: %+v", d)
			}
		default:
			counts["vital"]++
			if d.NDVI == nil || *d.NDVI < 0.3 || d.Vitality != "vital" || d.Source != "fused" {
				t.Errorf("vital: %+v", d)
			}
		}
	}
	if counts["west"] < 10 || counts["dead"] < 10 || counts["vital"] < 10 || got.Summary.BySource["fused"] == 0 {
		t.Errorf("%v, %v", counts, got.Summary.BySource)
	}
	for _, q := range []string{"include_ortho=false", "detection_mode=ndsm_only"} {
		w := fixture.Ask(over(t, s), "POST", "/api/v2/trees?include_cadastre=false&"+q, rect(-80, -80, 80, 80))
		if w.Code != 200 || strings.Contains(w.Body.String(), `"detection_source":"fused"`) ||
			strings.Contains(w.Body.String(), `"vitality":"vital"`) != (q != "include_ortho=false") {
			t.Errorf("%s: %d %.200s", q, w.Code, w.Body)
		}
	}
	if w := fixture.Ask(over(t, s), "POST", "/api/v2/trees?include_cadastre=false&ortho_seed_res_m=0.8",
		rect(-80, -80, 80, 80)); w.Code != 200 || !strings.Contains(w.Body.String(), `"fused"`) {
		t.Errorf("cells of 0.8 m: %d %.300s", w.Code, w.Body)
	}
}
