package docx

import (
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/stylename"
	"mappe/shared/book/reader/xmlpart"
)

// style is a style with everything it inherits.
type style struct {
	name    string
	use     stylename.Style
	char    charProps
	outline int // as in paraProps
	numID   string
	level   int
	align   string
	left    int
	right   int
	based   string
	kind    string
	state   uint8 // 0 raw, 1 being resolved, 2 resolved
	used    int   // paragraphs
	known   bool
	page    bool
}

// styles are the styles of a file.
type styles struct {
	byID     map[string]*style
	order    []string
	defaults style // what no style says
	normal   *style
	fonts    map[string]string // of the theme: minor, major
}

func readStyles(k *pack, main *part) (*styles, error) {
	s := &styles{byID: map[string]*style{}, fonts: map[string]string{}}
	if err := s.theme(k, main.byKind("theme")); err != nil {
		return nil, err
	}
	p, err := k.open(main.byKind("styles"))
	if err != nil {
		return nil, err
	}
	s.normal = &s.defaults
	if p == nil {
		return s, nil
	}
	root, err := xmlpart.Parse(p.text, names, k.limits)
	if err != nil {
		return nil, wrap(p.name, err)
	}
	for e := root.First(); e.Ok(); e = e.Next() {
		switch {
		case e.Is(w, "docDefaults"):
			s.defaults.char = readCharProps(e.Path(w, "rPrDefault", "rPr"))
		case e.Is(w, "style"):
			s.add(e)
		}
	}
	for _, id := range s.order {
		s.resolve(s.byID[id])
	}
	return s, nil
}

func (s *styles) add(e xmlpart.El) {
	id := e.Attr(w, "styleId")
	st := &style{kind: e.Attr(w, "type"), based: e.Child(w, "basedOn").Attr(w, "val"),
		name: source.Clean(e.Child(w, "name").Attr(w, "val"))}
	pp := readParaProps(e.Child(w, "pPr"))
	st.char = readCharProps(e.Child(w, "rPr"))
	st.outline, st.level, st.align, st.page = pp.outline, pp.numLevel, pp.align, pp.pageBreak
	st.left, st.right = pp.left, pp.right
	if pp.hasNum {
		st.numID = pp.numID
	}
	if st.name == "" {
		st.name = id
	}
	if st.use, st.known = stylename.Lookup(st.name); !st.known {
		st.use, st.known = stylename.Lookup(id)
	}
	if _, twice := s.byID[id]; twice {
		return
	}
	s.byID[id] = st
	s.order = append(s.order, id)
	if st.kind == "paragraph" && onOffAttr(e, "default") {
		s.normal = st
	}
}

func onOffAttr(e xmlpart.El, name string) bool {
	v := e.Attr(w, name)
	return v == "1" || v == "true" || v == "on"
}

// resolve fills in what a style inherits. A loop ends where it comes round, as if the style there were based on nothing.
func (s *styles) resolve(st *style) {
	// The chain is walked with a list, because a file may chain thousands of styles.
	var chain []*style
	for st != nil && st.state == 0 {
		st.state = 1
		chain = append(chain, st)
		next := s.byID[st.based]
		if next != nil && next.kind != st.kind {
			next = nil
		}
		st = next
	}
	base := st
	if base != nil && base.state == 1 {
		base = nil
	}
	for i := len(chain) - 1; i >= 0; i-- {
		c := chain[i]
		c.state = 2
		if base == nil && c.kind == "paragraph" {
			base = &s.defaults
		}
		if base != nil {
			c.inherit(base)
		}
		base = c
	}
}

func (st *style) inherit(base *style) {
	st.char = base.char.over(st.char)
	if st.outline == 0 {
		st.outline = base.outline
	}
	if st.numID == "" {
		st.numID = base.numID
		if st.level < 0 {
			st.level = base.level
		}
	}
	if st.align == "" {
		st.align = base.align
	}
	if st.left == 0 {
		st.left = base.left
	}
	if st.right == 0 {
		st.right = base.right
	}
	if !st.known && base.known && base.use.Use != stylename.Heading {
		st.use, st.known = base.use, true
	}
	if !st.known && base.known && base.use.Use == stylename.Heading && st.outline == 0 {
		st.outline = base.use.Level
	}
}

// paragraph is the style of a paragraph that names id, the default style where id is "" or unknown.
func (s *styles) paragraph(id string) *style {
	if st := s.byID[id]; st != nil && st.kind == "paragraph" {
		return st
	}
	return s.normal
}

// character is the style of characters that name id; nil if the document has no such style.
func (s *styles) character(id string) *style {
	if st := s.byID[id]; st != nil && st.kind == "character" {
		return st
	}
	return nil
}

// theme reads the two text fonts of the theme, so that a font by name and by theme compare equal.
func (s *styles) theme(k *pack, name string) error {
	p, err := k.open(name)
	if p == nil || err != nil {
		return err
	}
	root, err := xmlpart.Parse(p.text, names, k.limits)
	if err != nil {
		return nil // a theme is decoration; the text does not need it
	}
	fonts := root.Path(a, "themeElements", "fontScheme")
	s.fonts["minor"] = fonts.Path(a, "minorFont", "latin").Attr(none, "typeface")
	s.fonts["major"] = fonts.Path(a, "majorFont", "latin").Attr(none, "typeface")
	return nil
}

// font is the name of the font that properties ask for.
func (s *styles) font(p charProps) string {
	if len(p.themeFont) >= 5 {
		return s.fonts[p.themeFont[:5]]
	}
	return p.font
}
