package paint

import (
	_ "embed"
	"fmt"
	"image/color"
	"strconv"
	"strings"
	"sync"
)

// letters.txt are the outlines of the letters that parcel numbers and legends are written with: of Linux Libertine
// (shared/book/font, SIL Open Font License), whose program is larger than all that draws pictures. A line is a letter:
//
//	code point in hexadecimal, advance, and its path: M x y, L x y, Q x1 y1 x y, C x1 y1 x2 y2 x y
//
// in units of which 1000 make an em, y upwards. A test makes it anew from the font.
//
//go:embed letters.txt
var lettersText string

// letter is the outline of one letter, its curves cut into lines, in ems, y down.
type letter struct {
	advance float32
	rings   [][]XY
}

var letters = sync.OnceValue(func() map[rune]*letter {
	all := map[rune]*letter{}
	for line := range strings.Lines(lettersText) {
		code, l, err := parseLetter(strings.Fields(line))
		if err != nil {
			panic(err) // the file is the program's own; a test reads it
		}
		all[code] = l
	}
	return all
})

func parseLetter(words []string) (rune, *letter, error) {
	code, err := strconv.ParseInt(words[0], 16, 32)
	if err != nil {
		return 0, nil, fmt.Errorf("letters: %w", err)
	}
	numbers := func(n int) ([]float32, error) {
		if len(words) < n+1 {
			return nil, fmt.Errorf("letters: %x ends early", code)
		}
		list := make([]float32, n)
		for i := range list {
			v, err := strconv.ParseFloat(words[i+1], 32)
			if err != nil {
				return nil, fmt.Errorf("letters: %x: %w", code, err)
			}
			list[i] = float32(v) / 1000
		}
		words = words[n+1:]
		return list, nil
	}
	advance, err := numbers(1)
	if err != nil {
		return 0, nil, err
	}
	l := &letter{advance: advance[0]}
	for len(words) > 0 {
		n := map[string]int{"M": 2, "L": 2, "Q": 4, "C": 6}[words[0]]
		if n == 0 {
			return 0, nil, fmt.Errorf("letters: %x: %q", code, words[0])
		}
		op := words[0]
		v, err := numbers(n)
		if err != nil {
			return 0, nil, err
		}
		l.step(op, v)
	}
	return rune(code), l, nil
}

// curveSteps is into how many lines a curve is cut: texts are small.
const curveSteps = 6

// step adds a step of a path.
func (l *letter) step(op string, v []float32) {
	if op == "M" {
		l.rings = append(l.rings, []XY{{v[0], -v[1]}})
		return
	}
	ring := &l.rings[len(l.rings)-1]
	from := (*ring)[len(*ring)-1]
	switch op {
	case "L":
		*ring = append(*ring, XY{v[0], -v[1]})
	case "Q":
		for i := 1; i <= curveSteps; i++ {
			t := float32(i) / curveSteps
			a, b, c := (1-t)*(1-t), 2*t*(1-t), t*t
			*ring = append(*ring, XY{a*from.X + b*v[0] + c*v[2], a*from.Y - b*v[1] - c*v[3]})
		}
	case "C":
		for i := 1; i <= curveSteps; i++ {
			t := float32(i) / curveSteps
			a, b, c, d := (1-t)*(1-t)*(1-t), 3*t*(1-t)*(1-t), 3*t*t*(1-t), t*t*t
			*ring = append(*ring, XY{a*from.X + b*v[0] + c*v[2] + d*v[4], a*from.Y - b*v[1] - c*v[3] - d*v[5]})
		}
	}
}

// capHeight is the height of digits and capitals in ems.
const capHeight = 0.65

// missing stands for a letter that the font does not have.
const missing = '?'

func letterOf(c rune) *letter {
	if l := letters()[c]; l != nil {
		return l
	}
	return letters()[missing]
}

// Width is the width of a text whose em is a number of pixels.
func Width(text string, em float32) float32 {
	w := float32(0)
	for _, c := range text {
		w += letterOf(c).advance * em
	}
	return w
}

// Lettering is how a text is written.
type Lettering struct {
	Em        float32 // pixels
	Ink       color.NRGBA
	Halo      color.NRGBA
	HaloWidth float32 // pixels around the letters; 0: no halo
}

// Text writes a text with its left end and its baseline at a position.
func (c *Canvas) Text(text string, at XY, as Lettering) {
	rings := placed(text, at, as.Em)
	if as.HaloWidth > 0 {
		for _, ring := range rings {
			last := ring[len(ring)-1]
			for _, p := range ring {
				c.Line(last, p, 2*as.HaloWidth)
				last = p
			}
		}
		c.Paint(as.Halo)
	}
	for _, ring := range rings {
		c.Area(ring)
	}
	c.Paint(as.Ink)
}

// Centred is where a text begins that stands with its middle at a position.
func Centred(text string, middle XY, em float32) XY {
	return XY{middle.X - Width(text, em)/2, middle.Y + capHeight*em/2}
}

// placed are the outlines of a text.
func placed(text string, at XY, em float32) (rings [][]XY) {
	for _, r := range text {
		l := letterOf(r)
		for _, ring := range l.rings {
			moved := make([]XY, len(ring))
			for i, p := range ring {
				moved[i] = XY{at.X + p.X*em, at.Y + p.Y*em}
			}
			rings = append(rings, moved)
		}
		at.X += l.advance * em
	}
	return rings
}
