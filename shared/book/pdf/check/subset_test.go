package check

import (
	"math/rand/v2"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/book/font"
)

// TestSubsetOffsets: the program of every subset leads to its glyphs, as this package's own reader finds them.
// Around a hundred glyphs an offset of the program stands where its number changes its length. MAPPE_SOAK goes on
// with other faces and sizes.
func TestSubsetOffsets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	try := func(face string, style font.Style, n int) {
		t.Helper()
		f, err := font.Open(face, style)
		if err != nil {
			t.Fatal(err)
		}
		ids := make([]uint16, n)
		for i := range ids {
			ids[i] = uint16(1 + r.IntN(900))
		}
		s, err := f.Subset(ids)
		if err != nil {
			t.Fatalf("%s %v, %d glyphs: %v", face, style, n, err)
		}
		if got := charStrings(s.CFF); got != len(s.Old) {
			t.Fatalf("%s %v: the program has %d glyphs, want %d of %v", face, style, got, len(s.Old), ids)
		}
	}
	for range 40 {
		try(font.Libertine, font.Regular, 95+r.IntN(20))
	}
	for range oracles.Rounds(t, 0) {
		try([]string{font.Libertine, font.STIXTwo}[r.IntN(2)], []font.Style{font.Regular, font.Italic, font.Bold,
			font.BoldItalic}[r.IntN(4)], 1+r.IntN(400))
	}
}
