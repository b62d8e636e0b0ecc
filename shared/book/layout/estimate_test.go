package layout

import (
	"testing"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/clean"
	"mappe/shared/book/spec"
)

// The estimate is close enough that a book is rarely set twice: within an eighth.
func TestEstimate(t *testing.T) {
	for _, o := range []sample.Options{
		{Language: "en", Words: 12_000, Seed: 1},
		{Language: "de", Words: 20_000, Seed: 2, Rich: true},
		{Language: "en", Words: 30_000, Seed: 3, Rich: true, Matter: true},
	} {
		b, _ := clean.Repair(sample.Make(o).Book, clean.Options{Language: o.Language})
		for _, openers := range []spec.Openers{spec.Recto, spec.NextPage} {
			s := spec.Default()
			s.Language, s.Openers = o.Language, openers
			got, err := estimate(&b, s)
			if err != nil {
				t.Fatal(err)
			}
			out, _ := set(t, b, s, Options{})
			if want := len(out.Pages); got < want*7/8 || got > want*9/8 {
				t.Errorf("%s of %d words, openers %v: estimated %d pages, set %d", o.Language, o.Words, openers, got, want)
			}
		}
	}
}
