package layout

import (
	"strings"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
)

// pageNumber is what a link shows: a reference to a page that page's number, as far as it is known, and any
// other its own text.
func (s *setter) pageNumber(x manuscript.Link) []manuscript.Inline {
	target, inside := strings.CutPrefix(x.Href, "#")
	if !x.Page || !inside {
		return x.Inlines
	}
	if now := s.folios[target]; now != "" {
		s.shown[target] = now
		number := manuscript.Text{S: now}
		for _, in := range x.Inlines {
			if t, ok := in.(manuscript.Text); ok {
				number.Style = t.Style
				break
			}
		}
		return []manuscript.Inline{number}
	}
	text := manuscript.Plain(x.Inlines)
	if other, ok := s.shown[target]; ok && other != text {
		text = "" // one of the two is wrong
	}
	s.shown[target] = text
	return x.Inlines
}

// referred are the numbers of the pages that the text refers to, by target. A target that stands nowhere keeps
// what the author's text says.
func (s *setter) referred(out *page.Book) map[string]string {
	next := make(map[string]string, len(s.shown))
	for target, text := range s.shown {
		next[target] = text
		if at, ok := s.report.Anchors[target]; ok && out.Pages[at].Folio != "" {
			next[target] = out.Pages[at].Folio
		}
	}
	return next
}
