package odt

import (
	"strings"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/stylename"
	"mappe/shared/book/reader/xmlpart"
)

// look is a style of paragraphs or letters, with what it inherits.
type look struct {
	name, parent string
	set, letters manuscript.Style
	language     string
	align        string
	left, right  bool // indented by a third of an inch or more
	hidden       bool
	highlight    bool
	pageBreak    bool
	columns      bool
	font, size   string
	points       float64 // of letters; 0 where nothing says it
	use          stylename.Style
	known        bool
	automatic    bool // made by hand, not by a named style
	outline      int
	used         int
	state        uint8
}

type styles struct {
	paragraph, character map[string]*look
	lists                map[string]map[int]listLevel
	sections             map[string]*look
	pictures             map[string]frame
	landscape            bool
	order                []*look
}

type listLevel struct {
	ordered bool
	unseen  bool // its mark is blank
	format  string
	start   int
}

func newStyles() *styles {
	return &styles{paragraph: map[string]*look{}, character: map[string]*look{}, lists: map[string]map[int]listLevel{},
		sections: map[string]*look{}, pictures: map[string]frame{}}
}

// add reads the styles of an element that holds some.
func (s *styles) add(e xmlpart.El, automatic bool) {
	for c := e.First(); c.Ok(); c = c.Next() {
		switch {
		case c.Is(style, "style"):
			l := readLook(c)
			l.automatic = automatic
			name := c.Attr(style, "name")
			switch c.Attr(style, "family") {
			case "paragraph":
				put(s, s.paragraph, name, l)
			case "text":
				put(s, s.character, name, l)
			case "section":
				put(s, s.sections, name, l)
			case "graphic":
				s.pictures[name] = readFrame(c.Child(style, "graphic-properties"))
			}
		case c.Is(style, "default-style") && c.Attr(style, "family") == "paragraph":
			l := readLook(c)
			l.points, l.state = scaled(l.size, 0), 2
			s.paragraph[""] = l
		case c.Is(text, "list-style"):
			s.lists[c.Attr(style, "name")] = readList(c)
		case c.Is(style, "page-layout"):
			s.landscape = s.landscape || c.Child(style, "page-layout-properties").Attr(style, "print-orientation") == "landscape"
		}
	}
}

func put(s *styles, m map[string]*look, name string, l *look) {
	if _, twice := m[name]; twice || name == "" {
		return
	}
	l.use, l.known = stylename.Lookup(l.name)
	if !l.known {
		l.use, l.known = stylename.Lookup(unescapeName(name))
	}
	m[name] = l
	s.order = append(s.order, l)
}

// unescapeName turns the name of a style as files write it (Text_20_body) into what people see.
func unescapeName(s string) string {
	s = strings.ReplaceAll(s, "_20_", " ")
	return strings.ReplaceAll(strings.ReplaceAll(s, "_5f_", "_"), "_2d_", "-")
}

func readLook(e xmlpart.El) *look {
	l := &look{name: e.Attr(style, "display-name"), parent: e.Attr(style, "parent-style-name"),
		outline: number(e.Attr(style, "default-outline-level"), 0)}
	if l.name == "" {
		l.name = unescapeName(e.Attr(style, "name"))
	}
	l.name = source.Clean(l.name)
	for c := e.First(); c.Ok(); c = c.Next() {
		switch {
		case c.Is(style, "text-properties"):
			l.readLetters(c)
		case c.Is(style, "paragraph-properties"):
			l.align = c.Attr(fo, "text-align")
			l.left, l.right = wide(c.Attr(fo, "margin-left")), wide(c.Attr(fo, "margin-right"))
			l.pageBreak = c.Attr(fo, "break-before") == "page"
		case c.Is(style, "section-properties"):
			l.columns = number(c.Child(style, "columns").Attr(fo, "column-count"), 1) > 1
		}
	}
	return l
}

func (l *look) readLetters(c xmlpart.El) {
	put := func(t manuscript.Style, ok, on bool) {
		if !ok {
			return
		}
		l.set |= t
		if l.letters &^= t; on {
			l.letters |= t
		}
	}
	v, ok := c.Lookup(fo, "font-style")
	put(manuscript.Italic, ok, v == "italic" || v == "oblique")
	v, ok = c.Lookup(fo, "font-weight")
	put(manuscript.Bold, ok, v == "bold" || v >= "600" && v <= "900")
	v, ok = c.Lookup(fo, "font-variant")
	put(manuscript.SmallCaps, ok, v == "small-caps")
	v, ok = c.Lookup(fo, "text-transform")
	put(manuscript.AllCaps, ok, v == "uppercase")
	v, ok = c.Lookup(style, "font-name")
	put(manuscript.Monospace, ok, source.Typewriter(v))
	v, ok = c.Lookup(style, "text-underline-style")
	put(manuscript.Underline, ok, v != "none")
	v, ok = c.Lookup(style, "text-line-through-style")
	put(manuscript.Strike, ok, v != "none")
	if v, ok = c.Lookup(style, "text-position"); ok {
		put(manuscript.Superscript, ok, strings.HasPrefix(v, "super") || len(v) > 1 && v[0] > '0' && v[0] <= '9')
		put(manuscript.Subscript, ok, strings.HasPrefix(v, "sub") || strings.HasPrefix(v, "-"))
	}
	if lang := c.Attr(fo, "language"); lang != "" && lang != "none" && lang != "zxx" {
		l.language = lang
		if country := c.Attr(fo, "country"); country != "" && country != "none" {
			l.language += "-" + country
		}
	}
	l.hidden = c.Attr(text, "display") == "none"
	if bg := c.Attr(fo, "background-color"); bg != "" && bg != "transparent" {
		l.highlight = true
	}
	l.font, l.size = c.Attr(style, "font-name"), c.Attr(fo, "font-size")
}

// scaled is a size of letters in points: a length, or per cent of the size around it; 0 for what is neither.
func scaled(size string, around float64) float64 {
	if s, ok := strings.CutSuffix(size, "%"); ok {
		if around == 0 {
			around = defaultPoints
		}
		return around * float64(min(number(s, 0), 1000)) / 100
	}
	return millimetres(size) * 72 / 25.4
}

// defaultPoints is the size of letters where no style says any.
const defaultPoints = 12

// wide says whether a length is a third of an inch or more.
func wide(s string) bool { return millimetres(s) >= 8 }

func readList(e xmlpart.El) map[int]listLevel {
	m := map[int]listLevel{}
	for c := e.First(); c.Ok(); c = c.Next() {
		n := number(c.Attr(text, "level"), 0)
		if n < 1 || n > 10 {
			continue
		}
		if c.Is(text, "list-level-style-number") {
			f := map[string]string{"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman",
				"I": "upper-roman"}[c.Attr(style, "num-format")]
			m[n] = listLevel{ordered: f != "", format: f, start: number(c.Attr(text, "start-value"), 1)}
		} else {
			mark, ok := c.Lookup(text, "bullet-char")
			m[n] = listLevel{unseen: ok && strings.TrimSpace(mark) == ""}
		}
	}
	return m
}

// resolve fills in what styles inherit; a loop ends where it comes round.
func (s *styles) resolve() {
	for _, m := range []map[string]*look{s.paragraph, s.character} {
		for _, l := range s.order {
			chain(m, l)
		}
	}
}

func chain(m map[string]*look, l *look) {
	var list []*look
	for l != nil && l.state == 0 {
		l.state = 1
		list = append(list, l)
		l = m[l.parent]
	}
	base := l
	if base != nil && base.state == 1 {
		base = nil
	}
	for i := len(list) - 1; i >= 0; i-- {
		c := list[i]
		c.state = 2
		if base != nil {
			c.inherit(base)
		} else {
			c.points = scaled(c.size, 0)
		}
		base = c
	}
}

func (l *look) inherit(b *look) {
	l.letters = b.letters&^l.set | l.letters
	l.set |= b.set
	if l.language == "" {
		l.language = b.language
	}
	if l.align == "" {
		l.align = b.align
	}
	if l.points = scaled(l.size, b.points); l.points == 0 {
		l.points = b.points
	}
	if l.outline == 0 {
		l.outline = b.outline
	}
	l.left, l.right, l.hidden = l.left || b.left, l.right || b.right, l.hidden || b.hidden
	if !l.known && b.known {
		l.use, l.known = b.use, true
	}
	if l.automatic && !b.automatic {
		l.name = b.name
	}
}
