package source

import (
	"strings"

	"mappe/shared/book/manuscript"
)

// typewriters are the beginnings of the names of faces in which all letters are equally wide, in lower case.
var typewriters = []string{
	"courier", "consolas", "menlo", "monaco", "lucida console", "andale mono", "dejavu sans mono", "liberation mono", "source code",
	"fira code", "fira mono",
	"ubuntu mono", "roboto mono", "noto sans mono", "noto mono", "jetbrains mono", "inconsolata", "cascadia", "sf mono", "ocr a",
	"letter gothic", "monospace", "nimbus mono", "freemono", "cousine", "prestige elite", "ibm plex mono",
}

// Typewriter says whether a face is one of program text.
func Typewriter(face string) bool {
	face = strings.ToLower(strings.Trim(face, " '\""))
	for _, t := range typewriters {
		if strings.HasPrefix(face, t) {
			return true
		}
	}
	return false
}

// leastTyped is how many letters a manuscript has whose usual face can be told.
const leastTyped = 500

// Typed takes the typewriter face from a manuscript that is written in it as a whole, as many are: there it tells
// nothing apart.
func Typed(b *manuscript.Book) {
	typed, all := 0, 0
	eachParagraph(b, func(p *manuscript.Paragraph) {
		for _, x := range p.Inlines {
			if t, ok := x.(manuscript.Text); ok {
				all += len(t.S)
				if t.Style.Has(manuscript.Monospace) {
					typed += len(t.S)
				}
			}
		}
	})
	if typed*2 <= all || all < leastTyped {
		return
	}
	eachParagraph(b, func(p *manuscript.Paragraph) { p.Inlines = untyped(p.Inlines) })
	for i := range b.Sections {
		b.Sections[i].Title, b.Sections[i].Subtitle = untyped(b.Sections[i].Title), untyped(b.Sections[i].Subtitle)
	}
}

func untyped(in []manuscript.Inline) []manuscript.Inline {
	for i, x := range in {
		switch x := x.(type) {
		case manuscript.Text:
			x.Style &^= manuscript.Monospace
			in[i] = x
		case manuscript.Link:
			x.Inlines = untyped(x.Inlines)
			in[i] = x
		}
	}
	return in
}
