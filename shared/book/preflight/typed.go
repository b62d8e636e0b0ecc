package preflight

import (
	"regexp"
	"strings"

	"mappe/shared/book/clean"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// pageTyped is a reference to a page of the book whose number was typed: "see page 37", "siehe S. 12", "page 37
// above". "On page 37" alone may be a page of any book.
var pageTyped = regexp.MustCompile(
	`(?i)\b(?:see|cf\.|siehe|vgl\.|vergleiche)\s+(?:also\s+|auch\s+|on\s+|auf\s+)?(?:pages?|pp?\.|seiten?|s\.)\s*\d{1,4}\b|\b(?:page|seite)\s+\d{1,4},?\s+(?:above|below|oben|unten)\b`)

// lineEnd is a word that a line's end has divided: "wirk- lich".
var lineEnd = regexp.MustCompile(`(\p{L}{2,})[-\x{2010}] (\p{Ll}{2,})`)

// joins are the words that follow a hyphen which is meant: "Vor- und Nachteile", "two- or three-fold".
var joins = map[string]bool{
	"und": true, "oder": true, "bzw": true, "sowie": true, "als": true, "wie": true, "noch": true, "bis": true, "statt": true, "aber": true,
	"auch": true, "beziehungsweise": true, "respektive": true, "nicht": true, "gegen": true, "zu": true, "vor": true, "nach": true,
	"mit": true, "ohne": true, "in": true, "auf": true,
	"and": true, "or": true, "to": true, "nor": true, "but": true, "as": true, "through": true, "versus": true, "et": true, "ou": true,
	"rather": true, "not": true, "then": true, "than": true,
}

// typed looks for what a typewriter or another setting has left: numbers of pages and divided words.
func (x *exam) typed(text string, place manuscript.Place) {
	if strings.ContainsAny(text, "0123456789") && x.section != nil && x.section.Kind != manuscript.KindBibliography &&
		x.section.Kind != manuscript.KindNotes && !strings.HasPrefix(place.Part, "footnote") && !strings.HasPrefix(place.Part, "endnote") {
		if at := pageTyped.FindStringIndex(text); at != nil && !strings.HasPrefix(strings.TrimLeft(text[at[1]:], " "), "of ") {
			x.add(finding.PageReference, place, clean.Around(text, at[0]), "typed by hand")
		}
	}
	if !strings.Contains(text, "- ") && !strings.Contains(text, "\u2010 ") {
		return
	}
	for _, at := range lineEnd.FindAllStringSubmatchIndex(text, 20) {
		if !joins[text[at[4]:at[5]]] {
			x.add(finding.LineEndHyphen, place, clean.Around(text, at[0]), text[at[2]:at[3]]+text[at[4]:at[5]])
		}
	}
}
