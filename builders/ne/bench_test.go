package ne

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/ne"
	"mappe/builders/forms"
	"mappe/shared/geo/hexgrid"
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
		t, err := forms.CellsGeoParquet(*head, "made up", parsed(layers[0].Chunks), built.areas())
		fail(err)
		size += len(t)
	}
	return head.Section(ne.LU).Rows, size
}

// BenchmarkAgain counts the cells of a KG of average size beside which one parcel changed: all chunks, and those near the
// change, where the container before and the snapshot before are at hand.
func BenchmarkAgain(b *testing.B) {
	fail := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	opened := func(s *kgfile.Snapshot) *kgfile.File {
		body, err := kgfile.Encode(s)
		fail(err)
		f, err := kgfile.Open(body)
		fail(err)
		return f
	}
	three := thirds(kgtest.Snapshot(kgtest.Options{Code: "99101", Parcels: 3900, Segments: 3, AreaKm2: 32, Seed: 1}))
	own, was := opened(three[0]), opened(three[1])
	changed := *three[1]
	changed.Parcels = append([]kgfile.Parcel{}, changed.Parcels...)
	changed.Parcels[0].EZ += 1000
	changed.Folios = kgfile.Folios(changed.Parcels)
	is := opened(&changed)
	first, err := compute(b.Context(), []*kgfile.File{own, was}, nil)
	fail(err)
	rows := &kept{lu: map[hexgrid.Cell][]byte{}, bev: map[hexgrid.Cell][]byte{}}
	for i, to := range []map[hexgrid.Cell][]byte{rows.lu, rows.bev} {
		for _, c := range first.layers[i].Chunks {
			to[c.Cell] = c.Rows
		}
	}
	for name, known := range map[string]*before{"all": nil, "near the change": {rows: rows, pairs: []pair{{was, is}}}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := compute(b.Context(), []*kgfile.File{own, is}, known)
				fail(err)
			}
		})
	}
}
