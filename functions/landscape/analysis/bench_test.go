package analysis

import (
	"math"
	"net/http"
	"runtime"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/geo/raster"
)

// BenchmarkTerrain is /terrain of 24.5 km² over four tiles, the largest area but a little: with nothing in memory, then
// with what the library keeps of it (its budget is 256 MB, the area has 98 MB of heights).
func BenchmarkTerrain(b *testing.B) {
	s, err := fixture.World()
	if err != nil {
		b.Fatal(err)
	}
	mx, my := middle()
	box := raster.Box{West: mx - 2600, South: my - 2600, East: mx + 2600, North: my + 2600}
	hills := func(x, y float64) float64 {
		return math.Round(100*(900+200*math.Sin(x/300)*math.Cos(y/400)+math.Sin(x*7.3+y*3.1))) / 100
	}
	if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: hills}); err != nil {
		b.Fatal(err)
	}
	area := rect(-2475, -2475, 2475, 2475)
	ask := func(b *testing.B, h http.Handler) {
		if w := fixture.Ask(h, "POST", "/api/v1/terrain", area); w.Code != 200 {
			b.Fatalf("%d %.300s", w.Code, w.Body)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			ask(b, over(b, s))
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.Sys)/1e6, "MB-of-the-process")
	})
	h := over(b, s)
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			ask(b, h)
		}
	})
}
