package forms

import (
	"fmt"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/tiles"
)

// BenchmarkForms measures each form of the two reference KGs on one goroutine.
func BenchmarkForms(b *testing.B) {
	for _, o := range []kgtest.Options{kgtest.Small, kgtest.Large} {
		s, n := kgtest.Snapshot(o), o.Parcels
		for _, form := range []struct {
			name string
			make func() ([]byte, error)
		}{
			{"kgs", func() ([]byte, error) { return kgfile.Encode(s) }},
			{"parquet", func() ([]byte, error) { return GeoParquet(s) }},
			{"geojson", func() ([]byte, error) { return GeoJSON(s) }},
			{"gpkg", func() ([]byte, error) { return GeoPackage(s) }},
			{"pmtiles", func() ([]byte, error) { return tiles.Build(s, tiles.Options{}) }},
			{"all", func() ([]byte, error) { f, err := Write(s, 1); return f.GeoPackage, err }},
		} {
			b.Run(fmt.Sprintf("%s/%d", form.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					out, err := form.make()
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(out)), "bytes")
				}
			})
		}
		f, err := Write(s, 1)
		if err != nil {
			b.Fatal(err)
		}
		for name, check := range map[string]func() error{
			"all": func() error { return Parity(s, f) }, "kgs": func() error { return sameKGS(s, f.KGS) }, "parquet": func() error {
				return sameGeoParquet(s, f.GeoParquet)
			},
			"geojson": func() error { return sameGeoJSON(s, f.GeoJSON) }, "gpkg": func() error { return sameGeoPackage(s, f.GeoPackage) },
			"pmtiles": func() error { return samePMTiles(s, f.PMTiles) },
		} {
			b.Run(fmt.Sprintf("parity-%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if err := check(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
