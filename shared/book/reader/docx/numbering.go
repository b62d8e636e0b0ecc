package docx

import (
	"strconv"
	"strings"
	"unicode"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/xmlpart"
)

// listItem is what numbering makes of a paragraph.
type listItem struct {
	on, ordered bool
	id          string
	level       int
	number      int
	format      string
	goes        bool   // it goes on with the item before: its mark is blank
	label       string // what stands before a paragraph that is in no list: its number is more than that of an item
}

type level struct {
	format, text string
	start        int
	picture      bool // its bullet is a picture
	legal        bool // the numbers of the levels above are in figures too
	restart      int  // the level from 1 whose numbers it begins anew after, and those above; 0 for none, -1 for all
}

type abstract struct {
	levels [9]level
	link   string // a style whose numbering it borrows
	count  [9]int
	begun  [9]bool
}

type numberedList struct {
	abstract *abstract
	start    [9]int // overrides; -1 for none
	levels   [9]*level
	begun    [9]bool
}

// numbering counts the lists of a file.
type numbering struct {
	lists  map[string]*numberedList
	german bool // numbers in words
}

func readNumbering(k *pack, main *part, s *styles) (*numbering, error) {
	n := &numbering{lists: map[string]*numberedList{}, german: manuscript.Base(s.defaults.char.lang) == "de"}
	p, err := k.open(main.byKind("numbering"))
	if p == nil || err != nil {
		return n, err
	}
	root, err := xmlpart.Parse(p.text, names, k.limits)
	if err != nil {
		return nil, wrap(p.name, err)
	}
	abstracts := map[string]*abstract{}
	for e := root.First(); e.Ok(); e = e.Next() {
		switch {
		case e.Is(w, "abstractNum"):
			abstracts[e.Attr(w, "abstractNumId")] = readAbstract(e)
		case e.Is(w, "num"):
			l := &numberedList{abstract: abstracts[e.Child(w, "abstractNumId").Attr(w, "val")]}
			if l.abstract == nil {
				continue
			}
			l.override(e)
			n.lists[e.Attr(w, "numId")] = l
		}
	}
	for _, l := range n.lists {
		if l.abstract.link == "" {
			continue
		}
		if st := s.byID[l.abstract.link]; st != nil {
			if to := n.lists[st.numID]; to != nil && to.abstract.link == "" {
				l.abstract = to.abstract
			}
		}
	}
	return n, nil
}

func readAbstract(e xmlpart.El) *abstract {
	a := &abstract{link: e.Child(w, "numStyleLink").Attr(w, "val")}
	for i := range a.levels {
		a.levels[i] = level{format: "decimal", start: 1, restart: -1}
	}
	for c := e.First(); c.Ok(); c = c.Next() {
		if i, ok := levelIndex(c); ok && c.Is(w, "lvl") {
			a.levels[i] = readLevel(c)
		}
	}
	return a
}

func levelIndex(e xmlpart.El) (int, bool) {
	i, err := strconv.Atoi(e.Attr(w, "ilvl"))
	return i, err == nil && i >= 0 && i < 9
}

func readLevel(e xmlpart.El) level {
	l := level{format: "decimal", start: 0, restart: -1}
	for c := e.First(); c.Ok(); c = c.Next() {
		switch {
		case c.Is(w, "start"):
			l.start = number(c.Attr(w, "val"), 1)
		case c.Is(w, "numFmt"):
			l.format = c.Attr(w, "val")
		case c.Is(w, "lvlRestart"):
			l.restart = number(c.Attr(w, "val"), -1)
		case c.Is(w, "isLgl"):
			l.legal = c.Attr(w, "val") != "0" && c.Attr(w, "val") != "false"
		case c.Is(w, "lvlPicBulletId"):
			l.picture = true
		case c.Is(w, "lvlText"):
			l.text = c.Attr(w, "val")
		}
	}
	return l
}

// number reads a number a list may count from.
func number(s string, otherwise int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1_000_000 {
		return otherwise
	}
	return n
}

func (l *numberedList) override(e xmlpart.El) {
	for i := range l.start {
		l.start[i] = -1
	}
	for c := e.First(); c.Ok(); c = c.Next() {
		i, ok := levelIndex(c)
		if !ok || !c.Is(w, "lvlOverride") {
			continue
		}
		if s := c.Child(w, "startOverride"); s.Ok() {
			l.start[i] = number(s.Attr(w, "val"), 1)
		}
		if lv := c.Child(w, "lvl"); lv.Ok() {
			x := readLevel(lv)
			l.levels[i] = &x
		}
	}
}

func (l *numberedList) level(i int) level {
	if l.levels[i] != nil {
		return *l.levels[i]
	}
	return l.abstract.levels[i]
}

// next counts a paragraph of a level. Lists of one definition count on, unless a list says where it starts.
func (l *numberedList) next(i int) int {
	a := l.abstract
	switch {
	case !l.begun[i] && l.start[i] >= 0:
		a.count[i] = l.start[i]
	case !a.begun[i]:
		a.count[i] = l.level(i).start
	default:
		a.count[i]++
	}
	l.begun[i], a.begun[i] = true, true
	for up := 0; up < i; up++ {
		if !a.begun[up] {
			a.begun[up], a.count[up] = true, l.level(up).start
		}
	}
	for down := i + 1; down < 9; down++ {
		if r := l.level(down).restart; r < 0 || i < r {
			a.begun[down] = false
		}
	}
	return a.count[i]
}

var listFormats = map[string]string{
	"lowerLetter": "lower-alpha", "upperLetter": "upper-alpha", "lowerRoman": "lower-roman", "upperRoman": "upper-roman",
	"decimal": "decimal",
}

func (n *numbering) item(id string, i int) listItem {
	l := n.lists[id]
	if l == nil {
		return listItem{}
	}
	lv := l.level(i)
	it := listItem{on: true, id: id, level: i}
	if lv.format == "none" || lv.format != "bullet" && lv.text == "" {
		return listItem{}
	}
	if !lv.plain(i) {
		_, label := n.heading(id, i)
		return listItem{label: label}
	}
	if lv.format == "bullet" && strings.TrimSpace(lv.text) == "" && !lv.picture {
		return listItem{goes: true, level: i}
	}
	it.number = l.next(i)
	if lv.format != "bullet" {
		it.ordered, it.format = true, listFormats[lv.format]
		if it.format == "" {
			it.format = "decimal"
		}
	}
	return it
}

// plain says whether an item of a list says all that a label does: its own number, and no word or number of the
// level above beside it, as Article 3 or 2.1.
func (lv level) plain(i int) bool {
	beside := strings.Replace(lv.text, "%"+strconv.Itoa(i+1), "", 1)
	return lv.format == "bullet" || !strings.ContainsFunc(beside, func(c rune) bool {
		return c == '%' || c == '§' || unicode.IsLetter(c) || unicode.IsDigit(c)
	})
}

// heading counts a numbered heading: its number alone and the label as Word prints it, both "" where it
// prints none.
func (n *numbering) heading(id string, i int) (num, label string) {
	l := n.lists[id]
	if l == nil {
		return "", ""
	}
	lv := l.level(i)
	if lv.format == "none" || lv.format == "bullet" || lv.text == "" {
		return "", ""
	}
	l.next(i)
	label = lv.text
	first, last := len(label), 0
	for up := 0; up <= i; up++ {
		mark := "%" + strconv.Itoa(up+1)
		if at := strings.Index(label, mark); at >= 0 {
			first, last = min(first, at), max(last, at+len(mark))
		}
	}
	if first >= last {
		return "", ""
	}
	num = label[first:last]
	for up := 0; up <= i; up++ {
		mark := "%" + strconv.Itoa(up+1)
		v := n.format(l.abstract.count[up], l.level(up).format, lv.legal)
		num, label = strings.ReplaceAll(num, mark, v), strings.ReplaceAll(label, mark, v)
	}
	return num, strings.TrimSpace(label)
}
