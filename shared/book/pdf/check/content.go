package check

import (
	"math"
)

// matrix is a b c d e f of PDF.
type matrix [6]float64

// times applies m first, then o.
func (m matrix) times(o matrix) matrix {
	return matrix{
		m[0]*o[0] + m[1]*o[2], m[0]*o[1] + m[1]*o[3],
		m[2]*o[0] + m[3]*o[2], m[2]*o[1] + m[3]*o[3],
		m[4]*o[0] + m[5]*o[2] + o[4], m[4]*o[1] + m[5]*o[3] + o[5],
	}
}

// painter follows what is drawn.
type painter struct {
	c      *check
	p      *sheet
	fonts  map[name]*face
	images map[name]*picture
	ctm    matrix
	stack  []matrix
	inText bool
	font   *face
	size   float64
	rise   float64
	tm     matrix
	args   []any
	beside bool // text beside the page was found
}

// operands are the operators that package pdf uses, with how many numbers or other objects each takes. Every
// other one is a fault: colours beside grey and CMYK, graphics states, shadings, inline images.
var operands = map[op]int{
	"q": 0, "Q": 0, "cm": 6, "BT": 0, "ET": 0, "Tf": 2, "Tm": 6, "TJ": 1, "Ts": 1, "g": 1, "k": 4, "re": 4, "f": 0, "Do": 1,
}

// content follows the operators of a page.
func (c *check) content(p *sheet, b []byte, fonts map[name]*face, images map[name]*picture) {
	w := painter{c: c, p: p, fonts: fonts, images: images, ctm: matrix{1, 0, 0, 1, 0, 0}}
	l := lexer{b: b}
	for !l.ended() {
		o, err := l.object()
		if err != nil {
			c.fault("page %d: %v", p.number, err)
			return
		}
		word, ok := o.(op)
		if !ok {
			if w.args = append(w.args, o); len(w.args) > 8 {
				c.fault("page %d: objects without an operator", p.number)
				return
			}
			continue
		}
		n, known := operands[word]
		if !known || n != len(w.args) {
			c.fault("page %d: the operator %.20q with %d operands", p.number, string(word), len(w.args))
			return
		}
		w.do(word)
		w.args = w.args[:0]
	}
	if w.inText || len(w.stack) > 0 || len(w.args) > 0 {
		c.fault("page %d: its content ends in the middle", p.number)
	}
}

func (w *painter) number(i int) float64 {
	n, ok := w.args[i].(float64)
	if !ok {
		w.c.fault("page %d: no number where one has to be", w.p.number)
	}
	return n
}

func (w *painter) numbers() (m matrix) {
	for i := range w.args {
		m[i] = w.number(i)
	}
	return m
}

func (w *painter) do(o op) {
	c, n := w.c, w.p.number
	textOnly := o == "ET" || o == "Tf" || o == "Tm" || o == "TJ" || o == "Ts"
	if textOnly != w.inText && o != "g" && o != "k" {
		c.fault("page %d: %s %s a text object", n, string(o), map[bool]string{true: "in", false: "outside of"}[w.inText])
		return
	}
	switch o {
	case "q":
		if w.stack = append(w.stack, w.ctm); len(w.stack) > 28 {
			c.fault("page %d: more than 28 saved states", n)
		}
	case "Q":
		if len(w.stack) == 0 {
			c.fault("page %d: Q without q", n)
			return
		}
		w.ctm, w.stack = w.stack[len(w.stack)-1], w.stack[:len(w.stack)-1]
	case "cm":
		w.ctm = w.numbers().times(w.ctm)
	case "BT":
		w.inText, w.font, w.rise, w.tm = true, nil, 0, matrix{1, 0, 0, 1, 0, 0}
	case "ET":
		w.inText = false
	case "Tf":
		f, _ := w.args[0].(name)
		w.font, w.size = w.fonts[f], w.number(1)
		if w.font == nil || w.size <= 0 {
			c.fault("page %d: the font %s of %g points is not among its resources", n, string(f), w.size)
		}
	case "Tm":
		w.tm = w.numbers()
	case "Ts":
		w.rise = w.number(0)
	case "TJ":
		w.show()
	case "g", "k":
		for i := range w.args {
			if v := w.number(i); v < 0 || v > 1 {
				c.fault("page %d: a colour of %g", n, v)
			}
		}
	case "re":
		r := w.numbers()
		if w.p.marks = true; r[2] <= 0 || r[3] <= 0 || !(box{r[0], r[1], r[0] + r[2], r[1] + r[3]}).within(w.p.media) {
			c.fault("page %d: a rule of %g × %g points at %g, %g", n, r[2], r[3], r[0], r[1])
		}
	case "Do":
		w.picture()
	}
}

// picture draws a picture: upright, and of a size that can be seen.
func (w *painter) picture() {
	f, _ := w.args[0].(name)
	img := w.images[f]
	if img == nil {
		w.c.fault("page %d: the picture %s is not among its resources", w.p.number, string(f))
		return
	}
	w.p.marks = true
	m := w.ctm
	width, height := math.Hypot(m[0], m[1]), math.Hypot(m[2], m[3])
	if m[1] != 0 || m[2] != 0 || width < 0.5 || height < 0.5 {
		w.c.fault("page %d: a picture turned or of no size", w.p.number)
		return
	}
	dpi := min(float64(img.width)*72/width, float64(img.height)*72/height)
	w.p.pics = append(w.p.pics, placed{img, dpi})
}

// shortRun is how many glyphs a run may have and be small: the number of a note is set so.
const shortRun = 3

// show follows a run of glyphs.
func (w *painter) show() {
	c, n := w.c, w.p.number
	list, ok := w.args[0].([]any)
	if !ok || w.font == nil {
		c.fault("page %d: text without a font", n)
		return
	}
	x, count := 0.0, 0
	for _, o := range list {
		switch o := o.(type) {
		case float64:
			x -= o / 1000 * w.size
		case str:
			if len(o)%2 != 0 {
				c.fault("page %d: half a glyph", n)
			}
			for i := 0; i+1 < len(o); i += 2 {
				g := int(o[i])<<8 | int(o[i+1])
				if _, ok := w.font.shown[g]; !ok {
					w.font.shown[g] = n
				}
				if g < len(w.font.widths) {
					x += w.font.widths[g] / 1000 * w.size
				}
				count++
			}
		default:
			c.fault("page %d: text of %T", n, o)
		}
	}
	if count == 0 {
		return
	}
	m := w.tm.times(w.ctm)
	size := w.size * math.Abs(m[3])
	w.p.marks = true
	if count > shortRun && (w.p.small == 0 || size < w.p.small) {
		w.p.small = size
	}
	at := box{m[4], m[5] + w.rise*m[3], m[4] + x*m[0], m[5] + w.rise*m[3]}
	if !at.within(w.p.media) && !w.beside { // once a page is enough
		w.beside = true
		c.fault("page %d: text beside the page, at %.1f, %.1f", n, m[4], m[5])
	}
	if w.p.extent == (box{}) {
		w.p.extent = at
	}
	e := &w.p.extent
	*e = box{min(e[0], at[0]), min(e[1], at[1]), max(e[2], at[2]), max(e[3], at[3])}
}
