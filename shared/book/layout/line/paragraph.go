package line

import (
	"strings"
	"unicode/utf8"
)

// Piece is text of one style, a forced line end, or a mark of the caller that has no width and goes with
// the text behind it.
type Piece struct {
	Text  string
	Style *Style
	Break bool // ends the line after Text
	Mark  int  // reported with the line it stands in; 0 without a mark
	Width Unit // of a box without text, which is reported in Line.Boxes with its Mark; 0 without one
}

// Align is how lines are fitted.
type Align uint8

// Justified lines fill the measure; the others keep the width of a word space.
const (
	Justify Align = iota
	Left
	Center
	Right
)

// Shape is where the lines of a paragraph stand. Line counts from 0.
type Shape struct {
	Measure func(line int) Unit
	Offset  func(line int) Unit // of the line's left edge; nil is 0
	Indent  Unit                // of the first line
	Align   Align
	NoHang  bool // no character hangs over an edge
}

// Paragraph is text ready to be broken.
type Paragraph struct {
	shape  Shape
	items  []Item
	refs   []ref // of each item
	marks  []markAt
	shaper *Shaper
	size   Unit   // of the largest style
	before string // the word added last
}

// ref says what an item shows: bytes from to to of a word.
type ref struct {
	style    *Style
	word     *word
	from, to int32
	glyphs   [2]int32 // of the word's glyphs; first is -1 where the part has to be shaped on its own
	box      int      // the caller's mark of a box without text
}

type markAt struct{ item, mark int }

// Room that letters give before the spaces have to, in 1/1000 of their width.
const (
	letterStretch = 20
	letterShrink  = 20
)

// Want notes the words of pieces, so that those of many paragraphs are shaped together.
func (s *Shaper) Want(pieces []Piece) {
	for i := range pieces {
		p := &pieces[i]
		if p.Text == "" {
			continue
		}
		s.want(p.Style, " ")
		s.want(p.Style, "-")
		for t := range tokens(p.Text) {
			if t.kind == tokenWord {
				text, _ := unsoften(t.text)
				s.want(p.Style, text)
			}
		}
	}
}

// Paragraph makes a paragraph of pieces.
func (s *Shaper) Paragraph(pieces []Piece, shape Shape) *Paragraph {
	return s.paragraph(pieces, shape, false)
}

func (s *Shaper) paragraph(pieces []Piece, shape Shape, anywhere bool) *Paragraph {
	s.Want(pieces)
	s.shapeWanted()
	p := &Paragraph{shape: shape, shaper: s}
	letters := 0
	for i := range pieces {
		letters += len(pieces[i].Text)
	}
	room := letters*3/5 + 8 // words, spaces and places to divide at
	p.items, p.refs = make([]Item, 0, room), make([]ref, 0, room)
	if shape.Indent != 0 {
		p.add(Item{Kind: Box, Width: shape.Indent}, ref{})
	}
	var last *Style
	for i := range pieces {
		piece := &pieces[i]
		if piece.Width > 0 {
			p.add(Item{Kind: Box, Width: piece.Width}, ref{box: piece.Mark})
		} else if piece.Mark != 0 {
			p.marks = append(p.marks, markAt{len(p.items), piece.Mark})
		}
		if piece.Text != "" {
			last = piece.Style
			p.size = max(p.size, last.Size)
			p.text(piece, anywhere)
		}
		if piece.Break {
			p.end()
		}
	}
	p.end()
	return p
}

func (p *Paragraph) add(it Item, r ref) {
	p.items, p.refs = append(p.items, it), append(p.refs, r)
}

// end fills the rest of the line.
func (p *Paragraph) end() {
	p.before = ""
	if n := len(p.items); n > 0 && p.items[n-1].Kind == Glue { // no space before the end
		p.items, p.refs = p.items[:n-1], p.refs[:n-1]
	}
	p.add(Item{Kind: Penalty, Cost: Never}, ref{})
	p.add(Item{Kind: Glue, Stretch: 1 << 29}, ref{})
	p.add(Item{Kind: Penalty, Cost: Forced}, ref{})
}

// text adds the words and spaces of a piece.
func (p *Paragraph) text(piece *Piece, anywhere bool) {
	st := piece.Style
	for t := range tokens(piece.Text) {
		switch t.kind {
		case tokenSpace:
			if n := len(p.items); n == 0 || p.items[n-1].Kind == Glue || n > 0 && p.items[n-1].Kind == Penalty &&
				p.items[n-1].Cost <= Forced {
				continue // no space at the start of a line, never two
			}
			p.add(p.space(st), ref{style: st})
		case tokenHardSpace:
			p.add(Item{Kind: Penalty, Cost: Never}, ref{})
			p.add(p.space(st), ref{style: st})
		case tokenThinSpace:
			p.add(Item{Kind: Box, Width: st.Size / 6}, ref{style: st})
		case tokenWord:
			if n := len(p.items); t.joined && n > 0 && p.items[n-1].Kind == Box {
				p.add(Item{Kind: Penalty, Cost: 2000}, ref{style: st}) // inside a run too long to be a word
			}
			text, soft := unsoften(t.text)
			if text == "" {
				continue
			}
			if n := len(p.items); n > 1 && p.items[n-1].Kind == Glue && p.items[n-2].Kind == Box {
				if cost := together(p.before, text, st.Features.Language); cost > 0 {
					glue, at := p.items[n-1], p.refs[n-1]
					p.items, p.refs = p.items[:n-1], p.refs[:n-1]
					p.add(Item{Kind: Penalty, Cost: cost}, ref{})
					p.add(glue, at)
				}
			}
			p.before = text
			w := p.shaper.get(st, text)
			if soft != nil && !st.Solid {
				p.word(st, w, p.shaper.softened(st, w, soft), anywhere)
			} else {
				p.word(st, w, p.shaper.divide(st, w), anywhere)
			}
		}
	}
}

func (p *Paragraph) space(st *Style) Item {
	w := st.scale(p.shaper.get(st, " ").width)
	it := Item{Kind: Glue, Width: w}
	if p.shape.Align == Justify {
		it.Stretch, it.Shrink = w/2, w/3
	}
	return it
}

// word adds a word with the places it may be divided at.
func (p *Paragraph) word(st *Style, w *word, cuts []cut, anywhere bool) {
	if anywhere && st.scale(w.width) > p.shape.Measure(0)/2 {
		cuts = everywhere(w)
	}
	hyphen := p.shaper.get(st, "-").width
	pos, from, glyph := int32(0), 0, int32(0)
	part := func(to int, end, behind int32) {
		width := st.scale(end - pos)
		it := Item{Kind: Box, Width: width}
		if p.shape.Align == Justify {
			it.Stretch, it.Shrink = width*letterStretch/1000, width*letterShrink/1000
		}
		if from == 0 && !p.shape.NoHang {
			it.Left = leftHang(st, w)
		}
		if to == len(w.text) && !p.shape.NoHang {
			it.Right = rightHang(st, w)
		}
		r := ref{style: st, word: w, from: int32(from), to: int32(to), glyphs: [2]int32{glyph, behind}}
		if glyph < 0 || behind < 0 {
			r.glyphs[0] = -1
		}
		p.add(it, r)
		pos, from, glyph = end, to, behind
	}
	for _, c := range cuts {
		part(c.at, c.pos, c.glyph)
		it := Item{Kind: Penalty, Flagged: true, Width: st.scale(c.before - c.pos), After: st.scale(c.after - (w.width - c.pos))}
		if !p.shape.NoHang {
			it.Right = hyphenHang(st, hyphen)
		}
		if !c.hyphen {
			it.Cost = 20 // a dash that is there anyway
			if inRange(w.text, c.at) {
				it.Cost = rangeCost
			}
			it.Flagged = strings.HasSuffix(w.text[:c.at], "-")
		}
		if anywhere {
			it.Cost, it.Right = 500, 0
		}
		p.add(it, ref{style: st, word: w, from: int32(c.at)})
	}
	part(len(w.text), w.width, int32(len(w.glyphs)))
}

// everywhere cuts a word behind each of its characters, for words that no line can hold.
func everywhere(w *word) []cut {
	var out []cut
	at := int32(0)
	for i, g := range w.glyphs {
		if i > 0 && g.Cluster > w.glyphs[i-1].Cluster {
			out = append(out, cut{at: g.Cluster, glyph: int32(i), pos: at, before: at, after: w.width - at})
		}
		at += g.Advance
	}
	return out
}

type tokenKind uint8

const (
	tokenWord tokenKind = iota
	tokenSpace
	tokenHardSpace
	tokenThinSpace
)

type token struct {
	kind   tokenKind
	text   string
	joined bool // goes on a run that was too long
}

// tokens cuts text into words and spaces.
func tokens(s string) func(yield func(token) bool) {
	return func(yield func(token) bool) {
		start, joined := 0, false
		flush := func(end int) bool {
			if start == end {
				return true
			}
			ok := yield(token{tokenWord, s[start:end], joined})
			joined = false
			return ok
		}
		for i, c := range s {
			kind := tokenWord
			switch c {
			case ' ', '\t', '\n', '\r':
				kind = tokenSpace
			case '\u00a0':
				kind = tokenHardSpace
			case '\u202f', '\u2009', '\u200a':
				kind = tokenThinSpace
			}
			if kind == tokenWord {
				if i-start >= MaxWordText {
					if !flush(i) {
						return
					}
					start, joined = i, true
				}
				continue
			}
			if !flush(i) || !yield(token{kind: kind}) {
				return
			}
			start, joined = i+utf8.RuneLen(c), false
		}
		flush(len(s))
	}
}
