package search

import (
	"context"
	"slices"
	"strings"

	"mappe/artefacts/directory"
	"mappe/shared/spelling"
)

// nearAddresses are spellings of a text that is one typing error away from something that is found: the text
// with one word as a street or a place writes it. Never nil.
func (n *searchIndex) nearAddresses(ctx context.Context, x *directory.Index, f *addressFilter) ([]string, error) {
	out := []string{}
	text := &f.text
	switch {
	case f.text == "" && f.street != "":
		text = &f.street
	case f.text == "" && f.ort != "":
		text = &f.ort
	}
	fields := strings.FieldsFunc(*text, func(r rune) bool { return r <= ' ' || r == ',' || r == ';' })
	for i, field := range fields[:min(len(fields), maxWords)] {
		words := foldedWords(field)
		if len(words) != 1 || len(words[0]) < 3 { // of two letters everything is near
			continue
		}
		near, err := x.Near(words[0])
		if err != nil {
			return nil, err
		}
		for _, word := range near {
			written := x.Written(word, spelling.Fold)
			if written == "" || len(out) == maxSuggestions {
				continue
			}
			mended := *f
			corrected := slices.Clone(fields)
			corrected[i] = written
			g := &mended.text
			switch text {
			case &f.street:
				g = &mended.street
			case &f.ort:
				g = &mended.ort
			}
			*g = strings.Join(corrected, " ")
			found, err := n.find(ctx, x, &mended)
			if err != nil {
				return nil, err
			}
			if found.total > 0 && !slices.Contains(out, *g) {
				out = append(out, *g)
			}
		}
	}
	return out, nil
}

// foldedWords are the words of a text as names have them.
func foldedWords(text string) []string {
	words := strings.Fields(spelling.Fold(text))
	return words[:min(len(words), maxWords)]
}
