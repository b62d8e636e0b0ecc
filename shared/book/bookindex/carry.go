package bookindex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/manuscript"
)

// Carry brings an edited index over to another upload of its manuscript, so that it can be set with it
// again: what it gives has no places that the book has not. A place stays where its paragraph did not
// change, also when its chapter has another title or number by now. One whose paragraph was edited moves to
// the first paragraph of its chapter that has the term and is not in the entry yet. The others are left out
// and counted. A range whose end is gone becomes the place where it begins. Entries keep their order, their
// words and what the author has decided; one without places stays too, for the author to look at. What is
// given is not written to.
func Carry(entries []Entry, b manuscript.Book) (carried []Entry, lost int) {
	c := newCarrier(entries, b)
	for _, e := range entries {
		one, n := c.entry(e)
		carried = append(carried, one)
		lost += n
	}
	return carried, lost
}

// carrier knows the places of the new manuscript.
type carrier struct {
	order  map[string]int      // of the anchors of the book
	byText map[string][]string // anchors by what they say of a text
	units  map[string][]place  // by what anchors say of a section
	moved  map[string]string   // sections of the old manuscript that have another name in the new one
}

// place is a paragraph that an entry may move to.
type place struct{ anchor, text string }

// split parts an anchor into what it says of its section and what of its text.
func split(anchor string) (section, text string) {
	section, text, _ = strings.Cut(anchor, "-")
	return section, text
}

func newCarrier(entries []Entry, b manuscript.Book) *carrier {
	c := &carrier{order: map[string]int{}, byText: map[string][]string{}, units: map[string][]place{}, moved: map[string]string{}}
	for i, u := range units(Anchor(b)) {
		if _, ok := c.order[u.anchor]; ok {
			continue
		}
		c.order[u.anchor] = i
		section, text := split(u.anchor)
		c.byText[text] = append(c.byText[text], u.anchor)
		c.units[section] = append(c.units[section], place{u.anchor, strings.ToLower(manuscript.Plain(u.inlines))})
	}
	// A section is the one that has most of its paragraphs by now, whatever its name: a chapter put in front
	// gives all others the names of their neighbours.
	votes := map[string]map[string]int{}
	for _, e := range entries {
		for _, l := range e.Locators {
			section, text := split(l.Anchor)
			if now := c.byText[text]; len(now) == 1 {
				to, _ := split(now[0])
				if votes[section] == nil {
					votes[section] = map[string]int{}
				}
				votes[section][to]++
			}
		}
	}
	for from, to := range votes {
		for s, n := range to {
			if best := to[c.moved[from]]; n > best || n == best && s < c.moved[from] {
				c.moved[from] = s
			}
		}
	}
	return c
}

// section is the name that a section of the old manuscript has in the new one.
func (c *carrier) section(old string) string {
	if to, ok := c.moved[old]; ok {
		return to
	}
	return old
}

// same is the anchor of the paragraph that did not change, "" without exactly one such paragraph.
func (c *carrier) same(anchor string) string {
	section, text := split(anchor)
	if now := c.byText[text]; text != "" && len(now) == 1 {
		return now[0]
	}
	for _, now := range []string{c.section(section) + "-" + text, anchor} {
		if _, ok := c.order[now]; ok {
			return now
		}
	}
	return ""
}

// entry brings one entry over.
func (c *carrier) entry(e Entry) (out Entry, lost int) {
	out = e
	out.Locators = []Locator{}
	used, kept := map[string]bool{}, make([]string, len(e.Locators))
	for i, l := range e.Locators {
		kept[i] = c.same(l.Anchor)
		used[kept[i]] = true
	}
	term, _, _ := strings.Cut(strings.ToLower(e.Term), ",")
	looked := map[string]int{} // how far a section was searched
	for i, l := range e.Locators {
		n := Locator{Anchor: kept[i]}
		if n.Anchor == "" {
			section, _ := split(l.Anchor)
			section = c.section(section)
			for list := c.units[section]; looked[section] < len(list) && n.Anchor == ""; looked[section]++ {
				if p := list[looked[section]]; !used[p.anchor] && has(p.text, term) {
					n.Anchor = p.anchor
					used[p.anchor] = true
				}
			}
		}
		if n.Anchor == "" {
			lost++
			continue
		}
		if l.EndAnchor != "" {
			if end := c.same(l.EndAnchor); end != "" && c.order[end] >= c.order[n.Anchor] {
				n.EndAnchor = end
			}
		}
		if !slices.Contains(out.Locators, n) {
			out.Locators = append(out.Locators, n)
		}
	}
	return out, lost
}

// has says whether a text has a term as a word, with an ending of a case or a plural at most. Both are in
// small letters.
func has(text, term string) bool {
	const ending = 2 // letters
	for from := 0; term != ""; {
		i := strings.Index(text[from:], term)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		rest, letters := text[i+len(term):], 0
		for letters <= ending {
			c, n := utf8.DecodeRuneInString(rest)
			if !unicode.IsLetter(c) {
				break
			}
			rest = rest[n:]
			letters++
		}
		if !unicode.IsLetter(before) && letters <= ending {
			return true
		}
		from = i + len(term)
	}
	return false
}
