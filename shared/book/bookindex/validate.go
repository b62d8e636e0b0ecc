package bookindex

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/manuscript"
)

// EntryError names an entry by its number (from 0) and term, the field, and what is wrong with it.
type EntryError struct {
	Entry int
	Term  string
	Field string
	Wrong string
}

// Error is the sentence for the author.
func (e *EntryError) Error() string {
	return fmt.Sprintf("entries[%d] (%s): %s: %s", e.Entry, quoted(e.Term), e.Field, e.Wrong)
}

func quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

// maxErrors are reported at once.
const maxErrors = 20

// Validate says whether an edited index can be set for a book: nil, or up to twenty EntryErrors joined.
// References are to kept terms ("Newton") or subjects ("Newton: optics") and lead in no circle.
func Validate(entries []Entry, b manuscript.Book) error {
	if len(entries) > MaxEntries {
		return fmt.Errorf("entries: %d entries, allowed are %d", len(entries), MaxEntries)
	}
	v := validator{entries: entries, ids: map[string]int{}, names: map[string]int{}, terms: map[string]bool{}, order: map[string]int{}}
	for i, u := range units(Anchor(b)) {
		if _, ok := v.order[u.anchor]; !ok {
			v.order[u.anchor] = i
		}
	}
	for i := range entries {
		v.own(i)
	}
	for i := range entries {
		v.references(i)
	}
	v.circles()
	return errors.Join(v.errs...)
}

type validator struct {
	entries []Entry
	ids     map[string]int
	names   map[string]int  // entry by name, kept ones only
	terms   map[string]bool // that any kept entry stands under
	order   map[string]int  // of anchors in the book
	errs    []error
}

func (v *validator) fault(i int, field, format string, args ...any) {
	if len(v.errs) < maxErrors {
		v.errs = append(v.errs, &EntryError{Entry: i, Term: v.entries[i].Term, Field: field, Wrong: fmt.Sprintf(format, args...)})
	}
}

// name is how other entries refer to an entry.
func (e *Entry) name() string {
	if e.Sub == "" {
		return e.Term
	}
	return e.Term + ": " + e.Sub
}

// own checks what an entry says by itself.
func (v *validator) own(i int) {
	e := &v.entries[i]
	switch at, twice := v.ids[e.ID]; {
	case e.ID == "" || len(e.ID) > 64 || strings.ContainsFunc(e.ID, func(c rune) bool { return c <= ' ' || c > '~' }):
		v.fault(i, "id", "1 to 64 characters without spaces, of ASCII")
	case twice:
		v.fault(i, "id", "%s is the id of entries[%d] too", quoted(e.ID), at)
	default:
		v.ids[e.ID] = i
	}
	v.text(i, "term", e.Term, 1)
	v.text(i, "sub", e.Sub, 0)
	if e.Keep {
		if at, twice := v.names[e.name()]; twice {
			v.fault(i, "term", "entries[%d] has the same term and sub; put their locators together", at)
		} else {
			v.names[e.name()] = i
		}
		v.terms[e.Term] = true
	}
	if len(e.Locators) > MaxLocators {
		v.fault(i, "locators", "%d, allowed are %d", len(e.Locators), MaxLocators)
		return
	}
	if len(e.See) > 0 && len(e.Locators) > 0 {
		v.fault(i, "see", "an entry with locators has see_also, not see")
	}
	for k, l := range e.Locators {
		from, ok := v.order[l.Anchor]
		if !ok {
			v.fault(i, fmt.Sprintf("locators[%d].anchor", k), "%s is no place of this manuscript", quoted(l.Anchor))
			continue
		}
		if l.EndAnchor == "" {
			continue
		}
		if to, ok := v.order[l.EndAnchor]; !ok {
			v.fault(i, fmt.Sprintf("locators[%d].end_anchor", k), "%s is no place of this manuscript", quoted(l.EndAnchor))
		} else if to < from {
			v.fault(i, fmt.Sprintf("locators[%d].end_anchor", k), "stands before the anchor")
		}
	}
}

func (v *validator) text(i int, field, s string, least int) {
	n := utf8.RuneCountInString(s)
	switch {
	case s != "" && !manuscript.OneLine(s):
		v.fault(i, field, "text in one line, none of which is hidden or turns the others round")
	case n < least || n > MaxText:
		v.fault(i, field, "%d characters, allowed are %d to %d", n, least, MaxText)
	case strings.TrimSpace(s) != s:
		v.fault(i, field, "no space at its ends")
	}
}

// references checks that what an entry refers to is there.
func (v *validator) references(i int) {
	e := &v.entries[i]
	if !e.Keep {
		return
	}
	for _, x := range []struct {
		field   string
		targets []string
	}{{"see", e.See}, {"see_also", e.SeeAlso}} {
		field, targets := x.field, x.targets
		if len(targets) > MaxTargets {
			v.fault(i, field, "%d targets, allowed are %d", len(targets), MaxTargets)
			continue
		}
		for k, t := range targets {
			name := fmt.Sprintf("%s[%d]", field, k)
			_, known := v.names[t]
			switch {
			case t == e.name():
				v.fault(i, name, "refers to itself")
			case !known && !v.terms[t]:
				v.fault(i, name, "%s is no kept term of the index", quoted(t))
			}
		}
	}
}

// circles finds chains of see that never come to a place. Every entry is looked at once.
func (v *validator) circles() {
	const open, closed = 1, 2
	state := make([]uint8, len(v.entries))
	for i := range v.entries {
		if state[i] != 0 {
			continue
		}
		type step struct{ entry, next int }
		path := []step{{entry: i}}
		state[i] = open
		for len(path) > 0 {
			at := &path[len(path)-1]
			e := &v.entries[at.entry]
			if !e.Keep || at.next >= len(e.See) {
				state[at.entry] = closed
				path = path[:len(path)-1]
				continue
			}
			to, ok := v.names[e.See[at.next]]
			at.next++
			switch {
			case !ok || to == at.entry:
			case state[to] == open:
				v.fault(at.entry, "see", "leads in a circle over %s", quoted(v.entries[to].Term))
			case state[to] == 0:
				state[to] = open
				path = append(path, step{entry: to})
			}
		}
	}
}
