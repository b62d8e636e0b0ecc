package trees

import (
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/rasters"
	"mappe/functions/worldtest"
	"mappe/shared/geo/raster"
)

// nowhere takes an answer and counts it.
type nowhere struct {
	header http.Header
	status int
	n      int64
}

func (w *nowhere) Header() http.Header         { return w.header }
func (w *nowhere) WriteHeader(s int)           { w.status = s }
func (w *nowhere) Write(b []byte) (int, error) { w.n += int64(len(b)); return len(b), nil }

// BenchmarkInventory is /v2/trees of 24.5 km² with as many trees as an answer may have, drawn with their crowns: its time, and
// the most that the process held meanwhile beyond what it held before.
func BenchmarkInventory(b *testing.B) {
	s, err := worldtest.World()
	if err != nil {
		b.Fatal(err)
	}
	x0, y0 := corner()
	box := raster.Box{West: x0 - 2600, South: y0 - 2600, East: x0 + 2600, North: y0 + 2600}
	flat := func(float64, float64) float64 { return 700 }
	const apart = 15.8
	wood := func(x, y float64) float64 {
		dx, dy := math.Mod(x-box.West, apart)-apart/2, math.Mod(y-box.South, apart)-apart/2
		return 700 + max(0, 24*(1-0.11*math.Hypot(dx, dy)))
	}
	if err := worldtest.AddRasters(s, worldtest.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: flat},
		worldtest.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: box, Height: wood}); err != nil {
		b.Fatal(err)
	}
	h, area := over(b, s), rect(-2475, -2475, 2475, 2475)
	most := uint64(0)
	for b.Loop() {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		before, ended, watched := m.HeapInuse, make(chan struct{}), make(chan struct{})
		go func() {
			defer close(watched)
			for t := time.NewTicker(20 * time.Millisecond); ; {
				select {
				case <-ended:
					return
				case <-t.C:
					runtime.ReadMemStats(&m)
					most = max(most, m.HeapInuse-min(before, m.HeapInuse))
				}
			}
		}()
		w := &nowhere{header: http.Header{}, status: 200}
		h.ServeHTTP(w, httptest.NewRequest("POST", "/api/v2/trees", io.NopCloser(strings.NewReader(area))))
		close(ended)
		<-watched
		if w.status != 200 || w.n < 10<<20 {
			b.Fatalf("%d, %d bytes", w.status, w.n)
		}
		b.ReportMetric(float64(w.n)/1e6, "MB-of-answer")
	}
	b.ReportMetric(float64(most)/1e6, "MB-held")
}
