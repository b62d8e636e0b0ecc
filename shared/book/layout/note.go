package layout

import (
	"strconv"

	"mappe/shared/book/layout/line"
	"mappe/shared/book/manuscript"
)

// note sets a note: its number, then its blocks, in small type on a grid of its own.
func (s *setter) note(n *manuscript.Note, number int) (setNote, error) {
	var out setNote
	st, err := s.d.style(styleKey{size: s.d.noteSize, lang: s.lang, style: manuscript.Superscript})
	if err != nil {
		return out, err
	}
	s.inNote = true
	defer func() { s.inNote = false }()
	lead := []line.Piece{{Text: strconv.Itoa(number) + "\u2009", Style: st}}
	inner := galley{s: s, inner: true, lead: lead}
	c := s.whole()
	c.size = s.d.noteSize
	if err := inner.all(n.Blocks, c); err != nil {
		return out, err
	}
	for i := range inner.blocks {
		b := &inner.blocks[i]
		if i > 0 {
			out.lines = append(out.lines, make([]shown, b.Before)...)
		}
		for k, sh := range b.shown[0] {
			out.lines = append(out.lines, sh)
			out.lines = append(out.lines, make([]shown, max(b.Variants[0].Lines[k].Rows-1, 0))...)
		}
	}
	if len(inner.lead) > 0 { // no paragraph has taken the number
		set := s.shaper.Paragraph(inner.lead, line.Shape{Measure: c.measure, Align: line.Left})
		first := shown{runs: set.Lines(set.Break(0)[0])[0].Runs}
		out.lines = append([]shown{first}, out.lines...)
	}
	return out, nil
}
