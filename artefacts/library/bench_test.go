package library

import (
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/shared/cloud/store/mem"
)

// BenchmarkKGInMemory is what every answer about a KG pays for its file.
func BenchmarkKGInMemory(b *testing.B) {
	s := mem.New()
	publish(b, s, 1)
	l := must[*Library](b)(Open(b.Context(), s, Options{}))
	v := must[*View](b)(l.View(b.Context()))
	must[*kgfile.File](b)(v.KG(b.Context(), warm))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := v.KG(b.Context(), warm); err != nil {
			b.Fatal(err)
		}
	}
}
