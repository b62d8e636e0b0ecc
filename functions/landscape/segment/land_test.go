package segment

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// corner is where four tiles of rasters, and four squares of the work, meet in the made-up world.
func corner() (x, y float64) {
	x, y = fixture.Plane(4, 2)
	return math.Round(x/5000) * 5000, math.Round(y/5000) * 5000
}

// thing is a rectangle of the made-up land in metres from the corner, with its height above the ground and its colours.
type thing struct {
	west, south, east, north float64
	height                   float64
	colour                   [4]uint8
	name                     string
}

// things lie around the corner: the hall and the wood on all of the four squares.
var things = []thing{
	{-30, -20, 30, 20, 7, [4]uint8{150, 145, 140, 140}, "roof"},
	{40, -60, 80, 60, 2.2, [4]uint8{110, 132, 66, 178}, "crop"},
	{-100, -120, 120, -80, 0, [4]uint8{42, 58, 66, 26}, "water"},
	{-120, 60, 120, 90, 18, [4]uint8{60, 90, 50, 160}, "tree"},
}

var meadow = [4]uint8{98, 124, 72, 165}

func at(x, y float64) *thing {
	x0, y0 := corner()
	for i := range things {
		if t := &things[i]; x-x0 > t.west && x-x0 < t.east && y-y0 > t.south && y-y0 < t.north {
			return t
		}
	}
	return nil
}

func ground(x, y float64) float64 { return 700 + 0.02*(x-y-1_700_000) }

func top(x, y float64) float64 {
	z := ground(x, y)
	if t := at(x, y); t != nil {
		if z += t.height; t.name == "tree" {
			z += 3 * math.Sin(x/2.1) * math.Sin(y/1.9)
		}
	}
	return z
}

// world has the land; the photograph may be left out, and the heights.
func world(t testing.TB, heights, photo bool) store.Store {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	x, y := corner()
	square := raster.Box{West: x - 300, South: y - 300, East: x + 300, North: y + 300}
	if heights {
		for _, m := range []fixture.Raster{{Layer: rasters.DTM, Date: "2022-09-15", Box: square, Height: ground},
			{Layer: rasters.DSM, Date: "2022-09-15", Box: square, Height: top},
			{Layer: rasters.DTM, Date: "2024-09-15", Box: square, Height: ground}, {Layer: rasters.DSM, Date: "2024-09-15",
				Box: square, Height: top}} {
			if err := fixture.AddRasters(s, m); err != nil {
				t.Fatal(err)
			}
		}
	}
	if photo {
		if err := fixture.AddBytes(s, fixture.Bytes{Layer: rasters.Ortho, Date: "2024-06-25", Box: square, Samples: func(x,
			y float64) []uint8 {
			if !square.Overlaps(raster.Box{West: x, South: y, East: x + 0.1, North: y + 0.1}) {
				return []uint8{0, 0, 0, 0}
			}
			if f := at(x, y); f != nil {
				return f.colour[:]
			}
			return meadow[:]
		}}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func over(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, New(Deps{Library: lib}))
}

// rect is a rectangle in metres from the corner as GeoJSON.
func rect(west, south, east, north float64) string {
	x, y := corner()
	at := func(dx, dy float64) string {
		lon, lat := crs.LAEA.Inverse(x+dx, y+dy)
		return fmt.Sprintf("[%.9f,%.9f]", lon, lat)
	}
	return `{"type":"Polygon","coordinates":[[` + strings.Join([]string{at(west, south), at(east, south), at(east, north), at(west,
		north), at(west, south)}, ",") + `]]}`
}

// answer is a collection of segments.
type answer struct {
	Type     string `json:"type"`
	Features []struct {
		ID         any            `json:"id"`
		Properties map[string]any `json:"properties"`
		Geometry   struct {
			Type        string          `json:"type"`
			Coordinates [][][][]float64 `json:"coordinates"`
		} `json:"geometry"`
	} `json:"features"`
	Summary map[string]struct {
		Count int     `json:"count"`
		Area  float64 `json:"area_sqm"`
	} `json:"summary"`
	Meta struct {
		Dataset        *string        `json:"dataset"`
		Earlier        *string        `json:"earlier_dataset"`
		Ortho          *string        `json:"ortho"`
		Coverage       float64        `json:"coverage"`
		Found          float64        `json:"segmented"`
		Methods        map[string]int `json:"methods"`
		Gradient       []string       `json:"gradient_layers"`
		Missing        []string       `json:"layers_missing"`
		Model          *string        `json:"model"`
		Mask           string         `json:"building_mask"`
		Infrastructure *string        `json:"infrastructure"`
		Warnings       []string       `json:"warnings"`
	} `json:"meta"`
}

func ask(t *testing.T, h http.Handler, target, body string) answer {
	t.Helper()
	w := fixture.Ask(h, "POST", target, body)
	var got answer
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %.600s", target, w.Code, w.Body)
	}
	return got
}

// areaOf is the area of a geometry in EPSG:3035.
func areaOf(rings [][][][]float64) (sum float64) {
	for _, polygon := range rings {
		for _, ring := range polygon {
			for i := range ring[:len(ring)-1] {
				ax, ay := crs.LAEA.Forward(ring[i][0], ring[i][1])
				bx, by := crs.LAEA.Forward(ring[i+1][0], ring[i+1][1])
				sum += (ax*by - bx*ay) / 2
			}
		}
	}
	return sum
}
