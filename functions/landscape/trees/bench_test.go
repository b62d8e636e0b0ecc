package trees

import (
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/rasters"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/raster"
)

// nowhere takes an answer and counts it.
type nowhere struct {
	header http.Header
	status int
	n      int64
	sum    hash.Hash
}

func (w *nowhere) Header() http.Header         { return w.header }
func (w *nowhere) WriteHeader(s int)           { w.status = s }
func (w *nowhere) Write(b []byte) (int, error) { w.n += int64(len(b)); return w.sum.Write(b) }

// BenchmarkInventory is /v2/trees of 4 to 24.5 km² with 4,000 trees a km², at most as many as an answer may have, drawn with their
// crowns, with and without an orthophoto: its time, the most that the process held meanwhile beyond what it held before, and how much of
// that the cache of rasters is.
func BenchmarkInventory(b *testing.B) {
	s, err := fixture.World()
	if err != nil {
		b.Fatal(err)
	}
	x0, y0 := corner()
	box := raster.Box{West: x0 - 2600, South: y0 - 2600, East: x0 + 2600, North: y0 + 2600}
	flat := func(float64, float64) float64 { return 700 }
	const apart = 15.8
	fall := func(x, y float64) float64 {
		dx, dy := math.Mod(x-box.West, apart)-apart/2, math.Mod(y-box.South, apart)-apart/2
		return max(0, 24*(1-0.11*math.Hypot(dx, dy)))
	}
	if err := fixture.AddRasters(s, fixture.Raster{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: flat},
		fixture.Raster{Layer: rasters.DSM, Date: "2024-09-15", Box: box,
			Height: func(x, y float64) float64 { return 700 + fall(x, y) }}); err != nil {
		b.Fatal(err)
	}
	if err := fixture.AddBytes(s, fixture.Bytes{Layer: rasters.Ortho, Date: "2024-06-25", Box: box,
		Samples: func(x, y float64) []uint8 { h := uint8(4 * fall(x, y)); return []uint8{40, 50 + h, 30, 90 + h} }}); err != nil {
		b.Fatal(err)
	}
	for _, half := range []float64{1000, 1500, 2000, 2475} {
		for _, ortho := range []string{"false", "true"} {
			b.Run(fmt.Sprintf("km2=%.1f/ortho=%s", 4*half*half/1e6, ortho), func(b *testing.B) {
				benchTrees(b, s, "/api/v2/trees?include_ortho="+ortho, rect(-half, -half, half, half))
			})
		}
	}
}

// benchTrees asks for the trees of an area.
func benchTrees(b *testing.B, s store.Store, target, area string) {
	lib, err := fixture.Open(s)
	if err != nil {
		b.Fatal(err)
	}
	h := fixture.Handler(b, New(Deps{Library: lib}))
	most := uint64(0)
	sum := fnv.New64a()
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
		sum.Reset()
		w := &nowhere{header: http.Header{}, status: 200, sum: sum}
		h.ServeHTTP(w, httptest.NewRequest("POST", target, io.NopCloser(strings.NewReader(area))))
		close(ended)
		<-watched
		if w.status != 200 || w.n < 10<<20 {
			b.Fatalf("%d, %d bytes", w.status, w.n)
		}
		b.ReportMetric(float64(w.n)/1e6, "MB-of-answer")
	}
	b.ReportMetric(float64(most)/1e6, "MB-held")
	b.ReportMetric(float64(lib.Stats().Bytes)/1e6, "MB-of-cache")
	b.Logf("answer %x", sum.Sum(nil))
}
