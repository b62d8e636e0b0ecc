package docx

import (
	"strconv"
	"strings"

	"mappe/shared/book/reader/xmlpart"
)

// toggle is a set of character properties that are on or off.
type toggle uint8

const (
	tBold toggle = 1 << iota
	tItalic
	tCaps
	tSmallCaps
	tStrike
	tHidden
)

// charProps are character properties as one element w:rPr gives them.
type charProps struct {
	style       string // of the characters
	set, on     toggle
	vert        string // superscript, subscript, baseline
	underline   string // a kind of line, or none
	font        string
	themeFont   string // minorHAnsi ...: the font is the theme's
	size        int    // half points
	colour      string // six hex digits or auto
	lang        string
	highlight   string
	deletedMark bool   // of a paragraph: its end is deleted or moved away
	insertedBy  string // of a paragraph: its end is inserted, by whom
	inserted    bool
	deletedBy   string
	changed     bool // a change of formatting is tracked
	changedBy   string
}

// onOff reads a property that is on where it stands without a value.
func onOff(e xmlpart.El) bool {
	switch v, ok := e.Lookup(w, "val"); {
	case !ok:
		return true
	default:
		return v != "0" && v != "false" && v != "off"
	}
}

func (p *charProps) toggle(t toggle, e xmlpart.El) {
	p.set |= t
	if onOff(e) {
		p.on |= t
	} else {
		p.on &^= t
	}
}

func readCharProps(e xmlpart.El) charProps {
	var p charProps
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.NS() != w {
			continue
		}
		switch c.Name() {
		case "rStyle":
			p.style = c.Attr(w, "val")
		case "b":
			p.toggle(tBold, c)
		case "i":
			p.toggle(tItalic, c)
		case "caps":
			p.toggle(tCaps, c)
		case "smallCaps":
			p.toggle(tSmallCaps, c)
		case "strike", "dstrike":
			p.toggle(tStrike, c)
		case "vanish":
			p.toggle(tHidden, c)
		case "vertAlign":
			p.vert = c.Attr(w, "val")
		case "u":
			p.underline = c.Attr(w, "val")
		case "rFonts":
			p.font, p.themeFont = c.Attr(w, "ascii"), c.Attr(w, "asciiTheme")
			if p.font == "" {
				p.font = c.Attr(w, "hAnsi")
			}
			if p.themeFont == "" {
				p.themeFont = c.Attr(w, "hAnsiTheme")
			}
		case "sz":
			p.size, _ = strconv.Atoi(c.Attr(w, "val"))
		case "color":
			p.colour = strings.ToUpper(c.Attr(w, "val"))
		case "lang":
			p.lang = c.Attr(w, "val")
		case "highlight":
			p.highlight = c.Attr(w, "val")
		case "del", "moveFrom":
			p.deletedMark, p.deletedBy = true, c.Attr(w, "author")
		case "ins", "moveTo":
			p.inserted, p.insertedBy = true, c.Attr(w, "author")
		case "rPrChange":
			p.changed, p.changedBy = true, c.Attr(w, "author")
		}
	}
	return p
}

// over is p with what q sets.
func (p charProps) over(q charProps) charProps {
	p.on = p.on&^q.set | q.on
	p.set |= q.set
	for _, f := range []struct{ have, want *string }{
		{&p.vert, &q.vert}, {&p.underline, &q.underline}, {&p.colour, &q.colour}, {&p.lang, &q.lang}, {&p.highlight, &q.highlight},
	} {
		if *f.want != "" {
			*f.have = *f.want
		}
	}
	if q.font != "" || q.themeFont != "" {
		p.font, p.themeFont = q.font, q.themeFont
	}
	if q.size != 0 {
		p.size = q.size
	}
	return p
}

// paraProps are paragraph properties as one element w:pPr gives them.
type paraProps struct {
	style           string
	outline         int // 1 to 9; 10 is body text; 0 where nothing says it
	numID           string
	numLevel        int // -1 where nothing says it
	align           string
	left, right     int // twentieths of a point
	hanging         bool
	hasLeft, hasNum bool
	pageBreak       bool
	dropCap         bool
	frame           bool
	mark            charProps
	section         xmlpart.El
	changed         bool
	changedBy       string
}

func readParaProps(e xmlpart.El) paraProps {
	p := paraProps{numLevel: -1}
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.NS() != w {
			continue
		}
		switch c.Name() {
		case "pStyle":
			p.style = c.Attr(w, "val")
		case "outlineLvl":
			if n, err := strconv.Atoi(c.Attr(w, "val")); err == nil && n >= 0 && n <= 9 {
				p.outline = n + 1
			}
		case "numPr":
			for n := c.First(); n.Ok(); n = n.Next() {
				switch {
				case n.Is(w, "ilvl"):
					if l, err := strconv.Atoi(n.Attr(w, "val")); err == nil && l >= 0 && l <= 8 {
						p.numLevel = l
					}
				case n.Is(w, "numId"):
					p.numID, p.hasNum = n.Attr(w, "val"), true
				}
			}
		case "jc":
			p.align = c.Attr(w, "val")
		case "ind":
			p.left, p.hasLeft = twips(c, "left", "start")
			p.right, _ = twips(c, "right", "end")
			h, _ := twips(c, "hanging", "hanging")
			p.hanging = h > 0
		case "pageBreakBefore":
			p.pageBreak = onOff(c)
		case "framePr":
			d := c.Attr(w, "dropCap")
			p.dropCap = d == "drop" || d == "margin"
			p.frame = !p.dropCap
		case "rPr":
			p.mark = readCharProps(c)
		case "sectPr":
			p.section = c
		case "pPrChange":
			p.changed, p.changedBy = true, c.Attr(w, "author")
		}
	}
	return p
}

func twips(e xmlpart.El, names ...string) (int, bool) {
	for _, n := range names {
		if s, ok := e.Lookup(w, n); ok {
			x, err := strconv.Atoi(strings.TrimSuffix(s, ".0"))
			return x, err == nil
		}
	}
	return 0, false
}
