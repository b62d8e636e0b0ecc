package preflight

import (
	"testing"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/clean"
	"mappe/shared/book/finding"
	"mappe/shared/book/spec"
)

// BenchmarkHundredThousandWords is what Repair and Examine cost for a long book with faults (aim: 150 ms).
func BenchmarkHundredThousandWords(b *testing.B) {
	for _, language := range []string{"en", "de"} {
		m := sample.Make(sample.Options{Language: language, Words: 100_000, Seed: 1, Rich: true, PerType: 60,
			Plant: []finding.Type{finding.StraightQuotes, finding.DoubleSpace, finding.ThreeDots, finding.DoubleHyphen, finding.EdgeSpace}})
		b.Run(language+"/repair", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				clean.Repair(m.Book, clean.Options{})
			}
		})
		book, found := clean.Repair(m.Book, clean.Options{})
		b.Run(language+"/examine", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Examine(book, found, spec.Default())
			}
		})
	}
}
