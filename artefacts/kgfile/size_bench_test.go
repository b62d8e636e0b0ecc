package kgfile_test

import (
	"testing"

	"mappe/artefacts/kgfile"
)

// BenchmarkSize reports bytes a parcel: the sections a parcel row is made of, and each other one.
func BenchmarkSize(b *testing.B) {
	eachSize(b, func(b *testing.B, s *kgfile.Snapshot, data []byte) {
		n := float64(len(s.Parcels))
		size := kgfile.SectionSizes(b, data)
		for b.Loop() {
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(len(data))/n, "file/parcel")
		b.ReportMetric(float64(size["head"]+size["table"]+size["pgeo"]+size["patt"]+size["puse"])/n, "parcels/parcel")
		for name, v := range size {
			b.ReportMetric(float64(v)/n, name+"/parcel")
		}
	})
}
