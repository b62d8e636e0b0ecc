package font

import (
	"bytes"
	"slices"
	"testing"
)

func all(t testing.TB) []*Font {
	t.Helper()
	var out []*Font
	for _, face := range Faces() {
		for s := Regular; s <= BoldItalic; s++ {
			f, err := Open(face, s)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, f)
		}
	}
	return out
}

func width(gs []Glyph) (w int32) {
	for _, g := range gs {
		w += g.Advance
	}
	return w
}

func TestLigaturesAndKerning(t *testing.T) {
	for _, f := range all(t) {
		office := f.Shape(nil, "office", Features{})
		plain := f.Shape(nil, "office", Features{Plain: true})
		if len(plain) != 6 {
			t.Errorf("%s: %d glyphs for office without ligatures, want 6", f.Name(), len(plain))
		}
		if f.Face == Libertine && len(office) >= len(plain) { // STIX Two has an f that makes way instead
			t.Errorf("%s: no ligature in office", f.Name())
		}
		var sum int32
		for _, g := range f.Shape(nil, "AV", Features{}) {
			sum += f.Advance(g.ID)
		}
		if w := width(f.Shape(nil, "AV", Features{})); w >= sum {
			t.Errorf("%s: AV is %d wide, its letters %d: no kerning", f.Name(), w, sum)
		}
	}
}

func TestSmallCapsAndFigures(t *testing.T) {
	for _, f := range all(t)[:1] {
		if f.Shape(nil, "abc", Features{SmallCaps: true})[0].ID == f.Shape(nil, "abc", Features{})[0].ID {
			t.Errorf("%s has no small capitals", f.Name())
		}
		if f.Shape(nil, "3", Features{OldStyle: true})[0].ID == f.Shape(nil, "3", Features{})[0].ID {
			t.Errorf("%s has no old-style figures", f.Name())
		}
	}
}

func TestClustersAreBytes(t *testing.T) {
	f := all(t)[0]
	gs := f.Shape(nil, "Äöfix", Features{})
	want := []int{0, 2, 4, 6} // fi is one glyph
	if len(gs) != len(want) {
		t.Fatalf("%d glyphs, want %d", len(gs), len(want))
	}
	for i, g := range gs {
		if g.Cluster != want[i] {
			t.Errorf("glyph %d: cluster %d, want %d", i, g.Cluster, want[i])
		}
	}
}

// Words shaped together are what each is alone.
func TestShapeAll(t *testing.T) {
	words := []string{"fi", "T", "o", "AV", "“Wort”", "—", "1876", "Straße", "ſ", "q̃", "f", "", "’s", "Te", "ff"}
	// at their beginnings too
	marked := []string{"ab", "\u0301b", "x", "\u034f\u0301", "", "\u0323", "a\u0301\u0300\u0323b", "x\u200dy", "\u200d", "cd"}
	for range 5 {
		words = append(words, words...)
	}
	words = append(words, marked...)
	for _, f := range all(t) {
		for _, features := range []Features{{}, {OldStyle: true, Language: "de"}, {SmallCaps: true}} {
			for i, got := range f.ShapeAll(words, features) {
				if want := f.Shape(nil, words[i], features); !slices.Equal(got, want) {
					t.Fatalf("%s: %q: %v, alone %v", f.Name(), words[i], got, want)
				}
			}
		}
	}
}

func TestMissing(t *testing.T) {
	f := all(t)[0]
	if got := string(f.Missing("aä漢\u200b\u034f\u2069字\ufe0f漢")); got != "漢字" {
		t.Errorf("missing: %q", got)
	}
}

func TestSubset(t *testing.T) {
	for _, f := range all(t) {
		var ids []uint16
		for _, g := range f.Shape(nil, "office Straße", Features{}) {
			ids = append(ids, g.ID)
		}
		a, err := f.Subset(ids)
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.Subset(append(ids[1:], ids[0]))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.CFF, b.CFF) {
			t.Errorf("%s: the order of glyphs changes the subset", f.Name())
		}
		if len(a.CFF) == 0 || len(a.CFF) > 20000 || a.Old[0] != 0 || len(a.Old) > len(ids)+1 {
			t.Errorf("%s: %d bytes, %d glyphs for %d", f.Name(), len(a.CFF), len(a.Old), len(ids))
		}
	}
}

func TestUnknownFace(t *testing.T) {
	if _, err := Open("comic", Regular); err == nil {
		t.Error("opened")
	}
}

func BenchmarkShape(b *testing.B) {
	f := all(b)[0]
	var dst []Glyph
	for b.Loop() {
		dst = f.Shape(dst[:0], "typesetting", Features{OldStyle: true, Language: "en"})
	}
}
