package bookindex

import (
	"slices"
	"strings"

	"mappe/shared/book/manuscript"
)

// Carry brings an index over to another upload of its manuscript. Places whose text did not change stay; one
// whose paragraph was edited moves to the first paragraph of the same section that still has the term and
// is not in the entry yet; the others are left out and counted. What is given is not written to.
func Carry(entries []Entry, b manuscript.Book) (carried []Entry, lost int) {
	all := units(Anchor(b))
	order := map[string]int{}
	bySection := map[string][]unit{} // by the part of the anchor that names the section
	for i, u := range all {
		if _, ok := order[u.anchor]; !ok {
			order[u.anchor] = i
			section, _, _ := strings.Cut(u.anchor, "-")
			bySection[section] = append(bySection[section], u)
		}
	}
	for _, e := range entries {
		c := e
		c.Locators = []Locator{}
		used := map[string]bool{}
		for _, l := range e.Locators {
			used[l.Anchor] = true
		}
		find := func(anchor string) string {
			if _, ok := order[anchor]; ok {
				return anchor
			}
			section, _, _ := strings.Cut(anchor, "-")
			term, _, _ := strings.Cut(e.Term, ",")
			for _, u := range bySection[section] {
				if !used[u.anchor] && strings.Contains(strings.ToLower(manuscript.Plain(u.inlines)), strings.ToLower(term)) {
					used[u.anchor] = true
					return u.anchor
				}
			}
			return ""
		}
		for _, l := range e.Locators {
			n := Locator{Anchor: find(l.Anchor)}
			if l.EndAnchor != "" {
				if _, ok := order[l.EndAnchor]; ok {
					n.EndAnchor = l.EndAnchor
				}
			}
			if n.Anchor == "" {
				lost++
				continue
			}
			if n.EndAnchor != "" && order[n.EndAnchor] < order[n.Anchor] {
				n.EndAnchor = ""
			}
			if !slices.Contains(c.Locators, n) {
				c.Locators = append(c.Locators, n)
			}
		}
		carried = append(carried, c)
	}
	return carried, lost
}
