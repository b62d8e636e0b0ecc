package pdf_test

import (
	"io"
	"testing"
	"time"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/layout"
	"mappe/shared/book/pdf"
	"mappe/shared/book/spec"
)

// BenchmarkWrite writes a book of about 110 pages.
func BenchmarkWrite(b *testing.B) {
	m := sample.Make(sample.Options{Language: "en", Words: 32_000, Seed: 1, Title: "All Valleys", Author: "A. Huber"}).Book
	set, _, err := layout.Set(b.Context(), m, spec.Default(), layout.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := pdf.Write(io.Discard, set, pdf.Options{Preset: pdf.X1a, Created: time.Unix(0, 0)}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(set.Pages)), "pages")
}
