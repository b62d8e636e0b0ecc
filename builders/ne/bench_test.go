package ne

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/ne"
	"mappe/builders/forms"
)

// BenchmarkBuild is a KG of average size (10.7 km², 1,300 parcels) from the bytes of its snapshot to the container, and to
// the container and the GeoParquet beside it, in one goroutine. rows/s are LU rows, B/row the stored bytes for each.
func BenchmarkBuild(b *testing.B) {
	snapshot, err := kgfile.Encode(kgtest.Snapshot(kgtest.Options{Parcels: 1300, Segments: 3, AreaKm2: 10.7, Seed: 1}))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		table bool
	}{{"container", false}, {"container and GeoParquet", true}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			n, size := 0, 0
			for b.Loop() {
				n, size = buildOnce(b, snapshot, c.table)
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(size)/float64(n), "B/row")
		})
	}
}

// buildOnce builds a KG: how many LU rows and bytes it gives.
func buildOnce(b *testing.B, snapshot []byte, table bool) (rows, size int) {
	fail := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	f, err := kgfile.Open(snapshot)
	fail(err)
	built, err := compute(b.Context(), []*kgfile.File{f}, nil)
	fail(err)
	layers := built.layers
	p, err := ne.NewPacker(dict)
	fail(err)
	out, err := ne.Encode(ne.Header{KG: "99101", Stichtag: "2026-10-01"}, layers, p)
	fail(err)
	size = len(out)
	head, err := ne.ParseFront(out, int64(len(out)))
	fail(err)
	if table {
		t, err := forms.CellsGeoParquet(*head, "made up", parsed(layers[0].Chunks), built.areas)
		fail(err)
		size += len(t)
	}
	return head.Section(ne.LU).Rows, size
}
