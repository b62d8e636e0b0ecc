package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/manuscript"
)

// figureColumn is a column whose cells below the head are numbers: they stand right, units under units.
type figureColumn struct {
	on   bool
	mark string // between units and fractions
	tail Unit   // the widest of what stands behind the units
}

// figures finds the columns of numbers: at least two, and all that is no number is a dash or nothing. A column
// the author has aligned to the left or the middle is left alone.
func (t *tableSet) figures(grid [][]manuscript.Placed, head, n int) error {
	t.numbers = make([]figureColumn, n)
	texts := make([][]string, n)
	other := make([]bool, n)
	for _, row := range grid[head:] {
		for _, cell := range row {
			s, ok := figureText(cell.Cell)
			if cell.Columns > 1 || !ok {
				for i := range cell.Columns {
					other[cell.Column+i] = true
				}
				continue
			}
			texts[cell.Column] = append(texts[cell.Column], s)
		}
	}
	for i, list := range texts {
		count := 0
		mark := decimalMark(list, t.g.s.lang)
		for _, s := range list {
			if _, _, ok := figure(s, mark); ok {
				count++
			} else if strings.Trim(s, "-–—") != "" {
				other[i] = true
			}
		}
		if other[i] || count < 2 {
			continue
		}
		t.numbers[i] = figureColumn{on: true, mark: mark}
		for _, s := range list {
			tail, err := t.tail(s, mark)
			if err != nil {
				return err
			}
			t.numbers[i].tail = max(t.numbers[i].tail, tail)
		}
	}
	return nil
}

// figureText is what a cell says; false where it cannot be a number for its form.
func figureText(c *manuscript.Cell) (string, bool) {
	if len(c.Blocks) == 0 {
		return "", true
	}
	p, ok := c.Blocks[0].(*manuscript.Paragraph)
	if !ok || len(c.Blocks) > 1 {
		return "", false
	}
	for _, a := range []manuscript.Align{p.Align, c.Align} {
		if a != manuscript.AlignNone && a != manuscript.AlignRight {
			return "", false
		}
	}
	var b strings.Builder
	for _, x := range p.Inlines {
		t, ok := x.(manuscript.Text)
		if !ok {
			return "", false
		}
		b.WriteString(t.S)
	}
	return strings.TrimSpace(b.String()), true
}

// figure cuts a number behind its units: a sign or a currency, digits in groups, a fraction, a percent sign.
func figure(s, mark string) (units, rest string, ok bool) {
	at := len(s) - len(strings.TrimLeft(s, "+-−–±€$£~< \u00a0"))
	end := at
	for end < len(s) {
		c, n := utf8.DecodeRuneInString(s[end:])
		next, _ := utf8.DecodeRuneInString(s[end+n:])
		group := end > at && strings.ContainsRune(".,'’ \u00a0\u2009\u202f", c) && unicode.IsDigit(next)
		if string(c) == mark || !unicode.IsDigit(c) && !group {
			break
		}
		end += n
	}
	if end == at {
		return "", "", false
	}
	for _, c := range s[end:] {
		if !unicode.IsDigit(c) && !strings.ContainsRune(".,%‰°€$£* \u00a0\u2009\u202f–-", c) {
			return "", "", false
		}
	}
	return s[:end], s[end:], true
}

// decimalMark is the sign in front of fractions: that of the language, or the other where the numbers have only
// that, and not in front of three digits, which are thousands.
func decimalMark(list []string, language string) string {
	mark, other := ".", ","
	if strings.HasPrefix(language, "de") {
		mark, other = other, mark
	}
	fractions := false
	for _, s := range list {
		if strings.Contains(s, mark) {
			return mark
		}
		if at := strings.LastIndex(s, other); at >= 0 &&
			len(strings.TrimRightFunc(s[at+1:], func(c rune) bool { return !unicode.IsDigit(c) })) != 3 {
			fractions = true
		}
	}
	if fractions {
		return other
	}
	return mark
}

// tail is how wide what stands behind the units of a number is.
func (t *tableSet) tail(s, mark string) (Unit, error) {
	units, rest, ok := figure(s, mark)
	if !ok || rest == "" {
		return 0, nil
	}
	whole, err := t.natural(s)
	if err != nil {
		return 0, err
	}
	before, err := t.natural(units)
	return whole - before, err
}

// natural is how wide a text of a cell is in one line.
func (t *tableSet) natural(s string) (w Unit, err error) {
	pieces, err := t.g.s.pieces([]manuscript.Inline{manuscript.Text{S: s}}, styleKey{size: t.size, lang: t.g.s.lang, lining: true})
	if err != nil || !visible(pieces) {
		return 0, err
	}
	p := t.g.s.shaper.Paragraph(pieces, line.Shape{Measure: func(int) Unit { return 1 << 29 }, Align: line.Left, NoHang: true})
	l := p.Lines(p.Break(0)[0])[0]
	return l.Width, nil
}

// placed says how a cell of a column of numbers stands: to the right, so far from the edge as its fraction is
// shorter than the longest.
func (t *tableSet) placed(cell manuscript.Placed) (in Unit, right bool, err error) {
	c := t.numbers[cell.Column]
	if cell.Columns > 1 || !c.on {
		return 0, false, nil
	}
	s, ok := figureText(cell.Cell)
	if _, _, number := figure(s, c.mark); !ok || !number && strings.Trim(s, "-–—") != "" {
		return 0, ok, nil // the head
	}
	tail, err := t.tail(s, c.mark)
	return c.tail - tail, true, err
}
