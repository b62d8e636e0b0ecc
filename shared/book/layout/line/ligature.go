package line

import (
	"slices"
	"strings"

	"mappe/shared/book/font"
	"mappe/shared/book/hyphen"
)

// joints are the places of a German word where two parts of it meet and no ligature may bind them: Auf|lage,
// Schilf|insel, auf|fallen. Where the patterns divide behind an f that is followed by another letter than f, a
// part ends there; two f in a row belong together but behind auf.
func joints(language, text string) []int {
	if !strings.HasPrefix(language, "de") || !strings.Contains(text, "f") {
		return nil
	}
	var out []int
	var at []int
	for i := 0; i+1 < len(text); i++ {
		if text[i] != 'f' {
			continue
		}
		if text[i+1] == 'f' {
			if i == 2 && strings.EqualFold(text[:2], "au") {
				out = append(out, i+1)
			}
			continue
		}
		if strings.IndexByte("ijltkbh", text[i+1]) < 0 {
			continue
		}
		if at == nil {
			h, ok := hyphen.For(language)
			if !ok {
				return nil
			}
			at = h.Points(make([]int, 0, 8), text)
		}
		if slices.Contains(at, i+1) {
			out = append(out, i+1)
		}
	}
	return out
}

// shapeParts shapes a word part by part.
func shapeParts(f *font.Font, text string, features font.Features, at []int) []font.Glyph {
	var out []font.Glyph
	from := 0
	for _, to := range append(at, len(text)) {
		n := len(out)
		out = f.Shape(out, text[from:to], features)
		for i := range out[n:] {
			out[n+i].Cluster += from
		}
		from = to
	}
	return out
}
