package tiles

import (
	"fmt"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
)

// BenchmarkBuild draws the two reference KGs: the parcels alone at zooms 12 to 16 on two workers (what
// tippecanoe was measured with), and all layers on one.
func BenchmarkBuild(b *testing.B) {
	for _, o := range []kgtest.Options{kgtest.Small, kgtest.Large} {
		s := kgtest.Snapshot(o)
		for _, c := range []struct {
			name string
			o    Options
		}{
			{"parcels-z12-2workers", Options{Layers: []Layer{Parcels}, FromZoom: 12, Workers: 2}},
			{"all-1worker", Options{}},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, o.Parcels), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					out := build(b, s, c.o)
					b.ReportMetric(float64(len(out)), "bytes")
				}
			})
		}
	}
}
