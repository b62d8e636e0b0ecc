package legal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/austria"
)

// Parcel is one parcel that a text names.
type Parcel struct {
	GNR     austria.GNR
	Partial bool // "(Teil)", "Teile der Grundstücke"
}

// maxRange bounds the parcels of one range.
const maxRange = 2000

// list is a row of parcel numbers as texts write it: 1989/3, 1990, 1993 bis 1998, 605 (Teil) und 606.
type list struct {
	parcels  []Parcel
	problems []string
}

func (l *list) add(s string, partial bool) {
	g, err := austria.ParseGNR(s)
	if err != nil {
		l.problems = append(l.problems, fmt.Sprintf("%.40q is no parcel number", s))
		return
	}
	if i := slices.IndexFunc(l.parcels, func(p Parcel) bool { return p.GNR == g }); i >= 0 {
		l.parcels[i].Partial = l.parcels[i].Partial && partial
		return
	}
	l.parcels = append(l.parcels, Parcel{g, partial})
}

// upTo adds the parcels of a range whose first number is in the list already: over main numbers (1993 bis 1998), or
// over the sub-numbers of one (1708/1 bis 1708/4). Another range is its two ends.
func (l *list) upTo(from, to string, partial bool) {
	head, first, last, ok := ends(from, to)
	if !ok {
		l.problems = append(l.problems, fmt.Sprintf("the range %.40q to %.40q is no row of numbers: its ends are taken", from, to))
		l.add(to, partial)
		return
	}
	for n := first + 1; n <= last; n++ {
		l.add(head+strconv.Itoa(n), partial)
	}
}

func ends(from, to string) (head string, first, last int, ok bool) {
	a, aSub, aHas := strings.Cut(from, "/")
	b, bSub, bHas := strings.Cut(to, "/")
	switch {
	case aHas && bHas && a == b:
		head, a, b = a+"/", aSub, bSub
	case aHas && !bHas && len(b) <= len(aSub): // 1708/1 bis 4
		head, a = a+"/", aSub
	case aHas || bHas:
		return "", 0, 0, false
	case strings.HasPrefix(a, "."):
		head, a, b = ".", a[1:], strings.TrimPrefix(b, ".")
	}
	first, errA := strconv.Atoi(a)
	last, errB := strconv.Atoi(b)
	return head, first, last, errA == nil && errB == nil && last > first && last-first <= maxRange
}

// partMark says how many tokens at the front mark the number before as a part: (Teil), (Teilfläche), tlw., teilweise.
func partMark(t []token) int {
	i, closed := 0, false
	if i < len(t) && t[i].text == "(" {
		i, closed = 1, true
	}
	if i >= len(t) || t[i].kind != word {
		return 0
	}
	w := strings.ToLower(t[i].text)
	if !strings.HasPrefix(w, "teil") && w != "tlw" && w != "tw" || w == "teile" {
		return 0
	}
	i++
	if i < len(t) && t[i].text == "." {
		i++
	}
	if closed {
		if i >= len(t) || t[i].text != ")" {
			return 0
		}
		i++
	}
	return i
}

// between are the marks and words that separate numbers of a row.
func between(t token) bool {
	switch strings.ToLower(t.text) {
	case ",", ";", "und", "sowie", "bzw", "beziehungsweise", "u", "nr", "nrn", "nummer", "nummern":
		return true
	}
	return false
}

// read reads a row of numbers at the front of the tokens and says how many tokens it takes, 0 where none begins there.
// all says that only a part of each is meant.
func (l *list) read(t []token, all bool) int {
	i, end, last := 0, 0, ""
	for i < len(t) {
		switch {
		case t[i].kind == number:
			i, last = i+1, t[i].text
			n := partMark(t[i:])
			i += n
			l.add(last, all || n > 0)
			end = i
		case last != "" && to(t[i]) && i+1 < len(t) && t[i+1].kind == number:
			n := partMark(t[i+2:])
			l.upTo(last, t[i+1].text, all || n > 0)
			last = t[i+1].text
			i += 2 + n
			end = i
		case between(t[i]) || t[i].text == "." && i > 0 && between(t[i-1]) || t[i].text == ":" && end == 0:
			i++
		default:
			return end
		}
	}
	return end
}

// to is the word or mark of a range.
func to(t token) bool { return t.text == "bis" || t.text == "–" || t.text == "-" }
