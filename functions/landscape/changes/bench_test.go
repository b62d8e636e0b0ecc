package changes

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
)

// spent is the processor time of the process.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkChanges asks for the changes of an area over two tiles: a landscape of 1 km² that repeats itself, with canopies and
// crops, the store in memory. Reading is in it: at the first request of a run the blocks are decoded, then they may be held.
func BenchmarkChanges(b *testing.B) {
	seed, err := scene.Seed("gate", "", 0)
	if err != nil {
		b.Fatal(err)
	}
	s, err := scene.New(scene.Default(seed, 1))
	if err != nil {
		b.Fatal(err)
	}
	repeated := func(g *raster.Grid) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			return float64(g.Z[(int(g.North-y)%g.Rows+g.Rows)%g.Rows*g.Cols+(int(x-g.West)%g.Cols+g.Cols)%g.Cols])
		}
	}
	x, y := centreOf()
	for _, side := range []float64{1000, 4900} {
		box := raster.Box{West: x - 600, South: y + 10, East: x - 600 + side, North: y + 10 + side}
		var all []fixture.Raster
		for date, name := range map[int]string{0: "2022-09-15", 2: "2024-09-15"} {
			all = append(all, fixture.Raster{Layer: rasters.DTM, Date: name, Box: box, Height: repeated(s.DTM(date))},
				fixture.Raster{Layer: rasters.DSM, Date: name, Box: box, Height: repeated(s.DSM(date))})
		}
		h := over(b, 0, all...)
		body := rect(-590, 20, side-610, side)
		b.Run(fmt.Sprintf("%.0fkm2", side*side/1e6), func(b *testing.B) {
			b.ReportAllocs()
			before := spent(b)
			for b.Loop() {
				if w := fixture.Ask(h, "POST", "/api/v1/changes", body, "Content-Type", "application/json"); w.Code != 200 {
					b.Fatalf("%d %.200s", w.Code, w.Body)
				}
			}
			b.ReportMetric((spent(b)-before).Seconds()/float64(b.N), "core-s/op")
		})
	}
}
