package export

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/dir"
)

// country publishes n KGs of an average size side by side, of one state, in a folder.
func country(b *testing.B, n int) string {
	b.Helper()
	var list []*kgfile.Snapshot
	for i := range n {
		s := kgtest.Snapshot(kgtest.Options{Code: austria.KGCode(fmt.Sprint(30001 + i)), Parcels: 1274, Segments: 8, AreaKm2: 6,
			Seed: uint64(i), East: int32(i) * 300_000})
		s.KG.GemeindeCode, s.KG.GemeindeName = "30101", "Gemeinde"
		list = append(list, s)
	}
	folder := b.TempDir()
	s, err := dir.Open(folder)
	if err != nil {
		b.Fatal(err)
	}
	if err := fixture.Publish(s, list); err != nil {
		b.Fatal(err)
	}
	return folder
}

// BenchmarkJob is a job from its request to its file in the store: 50 KGs with 64,000 parcels, a small district, and
// 400 with half a million. ogr2ogr copies the six layers from the file that the job wrote.
func BenchmarkJob(b *testing.B) {
	for _, n := range []int{50, 400} {
		folder := country(b, n)
		s, err := dir.Open(folder)
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		file := ""
		for _, target := range []string{"gpkg?state=3&job=1", "geojson?state=3&job=1",
			"geojson?state=3&job=1&layers=parcels,buildings,building_footprints,labels,landuse_polygons,landuse_points"} {
			name := fmt.Sprintf("%d-KGs/%s", n, strings.NewReplacer("?state=3&job=1", "", "&layers=", "-", ",", "-").Replace(target))
			b.Run(name, func(b *testing.B) {
				var size, kgs int64
				var peak uint64
				for b.Loop() {
					r := newHarness(b, s, s, library.Options{BudgetBytes: 64 << 20})
					stop := watch(&peak)
					id := r.ordered(b, target)
					if err := r.queue.RunOne(b.Context(), id); err != nil {
						b.Fatal(err)
					}
					stop()
					st := r.status(b, id)
					if st.FileURL == nil {
						b.Fatalf("%+v", st)
					}
					size, kgs = st.Bytes, int64(st.KGs)
					if strings.HasPrefix(target, "gpkg") {
						file = filepath.Join(folder, filepath.FromSlash(strings.TrimPrefix(*st.FileURL, "/artefacts/")))
					}
				}
				b.SetBytes(size)
				b.ReportMetric(float64(peak)/1e6, "peak-heap-MB")
				b.ReportMetric(float64(size)/1e6, "file-MB")
				b.ReportMetric(float64(kgs), "KGs")
			})
		}
		b.Run(fmt.Sprintf("%d-KGs/ogr2ogr", n), func(b *testing.B) {
			tool := oracles.Program(b, "ogr2ogr")
			out := filepath.Join(b.TempDir(), "out.gpkg")
			for b.Loop() {
				os.Remove(out)
				if text, err := exec.Command(tool, "-f", "GPKG", out, file).CombinedOutput(); err != nil {
					b.Fatalf("%v %s", err, text)
				}
			}
		})
	}
}

// watch notes the largest heap until stop is called.
func watch(peak *uint64) (stop func()) {
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !over.Load() {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			*peak = max(*peak, m.HeapInuse)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return func() { over.Store(true); <-done }
}
