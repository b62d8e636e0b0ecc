package docx

import (
	"strings"
	"unicode"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// finish settles what only the whole file tells: its language, and which bookmarks anything leads to.
func (r *reader) finish(b *manuscript.Book) {
	source.Scale(b)
	source.Typed(b)
	lang := source.Languages{}
	source.Walk(b, func(in []manuscript.Inline) []manuscript.Inline {
		for _, i := range in {
			if t, ok := i.(manuscript.Text); ok {
				lang.Count(t.Language, t.S)
			}
		}
		return in
	})
	b.Meta.Language = lang.Main()
	if b.Meta.Language == "" {
		b.Meta.Language = source.Tag(r.styles.defaults.char.lang)
	}
	s := settler{r: r, main: b.Meta.Language, tags: map[string]string{"": ""}}
	source.Walk(b, s.settle)
}

type settler struct {
	r    *reader
	main string
	tags map[string]string // languages as runs name them → as the model does
}

// settle drops targets nobody leads to and languages that are the book's own, and joins what then looks the same.
func (s *settler) settle(in []manuscript.Inline) []manuscript.Inline {
	if len(in) == 1 {
		if t, ok := in[0].(manuscript.Text); ok {
			t.Language = s.language(t)
			in[0] = t
			return in
		}
	}
	var b source.Inlines
	for _, i := range in {
		switch x := i.(type) {
		case manuscript.Target:
			if !s.r.wanted[x.Name] {
				continue
			}
			for _, m := range s.r.ranges[x.Name] {
				b.Add(m)
			}
		case manuscript.IndexMark:
			if x.EndOf != "" && s.r.known[x.EndOf] {
				continue // it stands where its range begins
			}
			x.EndOf = ""
			i = x
		case manuscript.Text:
			b.Text(x.S, x.Style, s.language(x))
			continue
		}
		b.Add(i)
	}
	return b.Take()
}

// language is the language of a text where it differs from the book's and the text has letters at all.
func (s *settler) language(t manuscript.Text) string {
	to, known := s.tags[t.Language]
	if !known {
		to = source.Differs(t.Language, s.main)
		s.tags[t.Language] = to
	}
	if to != "" && strings.IndexFunc(t.S, unicode.IsLetter) < 0 {
		return ""
	}
	return to
}
