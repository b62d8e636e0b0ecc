package line

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/font"
	"mappe/shared/book/hyphen"
)

// Style is how text is set. Pieces of one style share a pointer.
type Style struct {
	Font     *font.Font
	Features font.Features
	Size     Unit
	Rise     Unit             // of the baseline, upwards: superscripts
	Hyphens  *hyphen.Language // nil: words are not divided
	Solid    bool             // nor behind a dash
	Ref      int              // the caller's number of the font
	Link     int              // the caller's number of a link, 0 for none
	Gray     uint8
}

// scale turns a width in the font's units into 1/1000 point, rounded half up.
func (s *Style) scale(w int32) Unit {
	em := int64(s.Font.UnitsPerEm())
	v := int64(w) * int64(s.Size)
	if v >= 0 {
		return Unit((v + em/2) / em)
	}
	return -Unit((-v + em/2) / em)
}

// Shaper remembers the shapes of words; it serves one book and one goroutine.
type Shaper struct {
	words   map[wordKey]*word
	planned map[planKey][]string
	breaker breaker
	pieces  []piece // of the line that is set, used again for the next
}

// NewShaper makes an empty one.
func NewShaper() *Shaper { return &Shaper{words: map[wordKey]*word{}, planned: map[planKey][]string{}} }

type planKey struct {
	font     *font.Font
	features font.Features
}

type wordKey struct {
	planKey
	text string
}

// word is the shape of a run of characters without spaces, in the font's units.
type word struct {
	text   string
	glyphs []font.Glyph
	width  int32
	cuts   []cut // by hyphen points and explicit hyphens, in order of at
	hyph   *hyphen.Language
	solid  bool
}

// cut is a place where a word may be divided.
type cut struct {
	at     int   // byte offset
	glyph  int32 // first glyph behind it; -1 where a ligature spans it
	pos    int32 // where it is in the whole word
	before int32 // width of what stands before it, with the hyphen where one is set
	after  int32 // width of what stands behind it, set on its own
	hyphen bool  // a hyphen is set; false where the text has one already
}

// want notes that a word will be needed, so that many can be shaped at once.
func (s *Shaper) want(st *Style, text string) {
	k := wordKey{planKey{st.Font, st.Features}, text}
	if _, ok := s.words[k]; !ok {
		s.words[k] = nil
		s.planned[k.planKey] = append(s.planned[k.planKey], text)
	}
}

// shapeWanted shapes what was wanted.
func (s *Shaper) shapeWanted() {
	for k, texts := range s.planned { // in any order: the words do not depend on each other
		for i, glyphs := range k.font.ShapeAll(texts, k.features) {
			if at := joints(k.features.Language, texts[i]); at != nil {
				glyphs = shapeParts(k.font, texts[i], k.features, at)
			}
			s.words[wordKey{k, texts[i]}] = newWord(texts[i], glyphs)
		}
		delete(s.planned, k)
	}
}

func newWord(text string, glyphs []font.Glyph) *word {
	w := &word{text: text, glyphs: glyphs}
	for _, g := range glyphs {
		w.width += g.Advance
	}
	return w
}

// get gives the shape of a word.
func (s *Shaper) get(st *Style, text string) *word {
	k := wordKey{planKey{st.Font, st.Features}, text}
	w := s.words[k]
	if w == nil {
		w = newWord(text, shapeParts(st.Font, text, st.Features, joints(st.Features.Language, text)))
		s.words[k] = w
	}
	return w
}

// MaxWordText is the longest run of characters without a space that is kept whole; the rest of a longer
// one is a run of its own, so that no single word can make a paragraph endless.
const MaxWordText = 240

// divide fills in where the word may be divided.
func (s *Shaper) divide(st *Style, w *word) []cut {
	if w.cuts != nil && w.hyph == st.Hyphens && w.solid == st.Solid {
		return w.cuts
	}
	w.hyph, w.solid, w.cuts = st.Hyphens, st.Solid, []cut{} // not nil: divided, if into one part
	var at []int
	if st.Hyphens != nil {
		at = st.Hyphens.Points(make([]int, 0, 16), w.text)
	}
	for i, c := range w.text {
		n := i + utf8.RuneLen(c)
		if i == 0 || n >= len(w.text) || !dash(c) || st.Solid || clings(w.text[n:]) {
			continue
		}
		w.cuts = append(w.cuts, cut{at: n})
	}
	if len(at) > 0 {
		w.cuts = merge(w.cuts, at)
	}
	s.measureCuts(st, w, w.cuts)
	return w.cuts
}

// softened are the cuts at soft hyphens the author has set: no others are thought of.
func (s *Shaper) softened(st *Style, w *word, at []int) []cut {
	cuts := make([]cut, len(at))
	for i, a := range at {
		cuts[i] = cut{at: a, hyphen: true}
	}
	s.measureCuts(st, w, cuts)
	return cuts
}

// measureCuts fills in the widths on both sides of every cut.
func (s *Shaper) measureCuts(st *Style, w *word, cuts []cut) {
	hyphen := s.get(st, "-").width
	glyph, width := 0, int32(0)
	for k := range cuts {
		c := &cuts[k]
		for glyph < len(w.glyphs) && w.glyphs[glyph].Cluster < c.at {
			width += w.glyphs[glyph].Advance
			glyph++
		}
		if glyph == len(w.glyphs) || glyph == 0 || w.glyphs[glyph].Cluster != c.at {
			c.glyph = -1
			c.before = s.get(st, w.text[:c.at]).width
			c.pos = c.before
			c.after = s.get(st, w.text[c.at:]).width
		} else {
			// The advance of the last glyph holds its kerning with the next one, which it loses.
			last := &w.glyphs[glyph-1]
			c.glyph, c.pos = int32(glyph), width
			c.before = width - last.Advance + st.Font.Advance(last.ID)
			c.after = w.width - width
		}
		if c.hyphen {
			c.before += hyphen
		}
	}
}

// merge puts the hyphen points between the cuts at dashes; where both are, the dash is enough.
func merge(cuts []cut, at []int) []cut {
	out := make([]cut, 0, len(cuts)+len(at))
	for _, c := range cuts {
		for len(at) > 0 && at[0] < c.at {
			out = append(out, cut{at: at[0], hyphen: true})
			at = at[1:]
		}
		if len(at) > 0 && at[0] == c.at {
			at = at[1:]
		}
		out = append(out, c)
	}
	for _, a := range at {
		out = append(out, cut{at: a, hyphen: true})
	}
	return out
}

// clings says whether the text begins with a mark that may not begin a line.
func clings(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("”’“‘»«›‹\"').,;:!?…]}", c) && !opens(s)
}

// opens says whether a quotation mark is followed by a letter: then it opens, in whichever language.
func opens(s string) bool {
	c, n := utf8.DecodeRuneInString(s)
	d, _ := utf8.DecodeRuneInString(s[n:])
	return strings.ContainsRune("“‘»«›‹\"'", c) && unicode.IsLetter(d)
}

const softHyphen = "\u00ad"

// unsoften takes the soft hyphens out of a text and says where they stood.
func unsoften(s string) (string, []int) {
	if !strings.Contains(s, softHyphen) {
		return s, nil
	}
	var b strings.Builder
	var at []int
	for i, part := range strings.Split(s, softHyphen) {
		if n := b.Len(); i > 0 && n > 0 && part != "" && (len(at) == 0 || at[len(at)-1] < n) {
			at = append(at, n)
		}
		b.WriteString(part)
	}
	return b.String(), at
}

// dash says whether a line may end behind the character inside a word.
func dash(c rune) bool { return c == '-' || c == '‐' || c == '–' || c == '—' || c == '/' }
