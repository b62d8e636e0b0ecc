package columns

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
)

// BenchmarkEncode writes the columns of a district of 20 KGs of 1,300 parcels; bytes are those of its sections.
func BenchmarkEncode(b *testing.B) {
	var tables []*Table
	for seed := range uint64(20) {
		body, err := kgfile.Encode(kgtest.Snapshot(kgtest.Options{Parcels: 1300, Segments: 2, AreaKm2: 10.7, Seed: seed + 1}))
		if err != nil {
			b.Fatal(err)
		}
		f, err := kgfile.Open(body)
		if err != nil {
			b.Fatal(err)
		}
		t, err := Of(f)
		if err != nil {
			b.Fatal(err)
		}
		tables = append(tables, t)
	}
	all, bytes := Join(tables), 0
	for b.Loop() {
		bytes = 0
		for _, g := range AllGroups() {
			body, err := all.Encode(g)
			if err != nil {
				b.Fatal(err)
			}
			bytes += len(body)
		}
	}
	b.ReportMetric(float64(bytes), "bytes")
}
