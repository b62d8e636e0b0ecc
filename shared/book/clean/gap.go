package clean

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// habit is how the author parts paragraphs and scenes.
type habit struct {
	known bool
	usual int // empty paragraphs between two paragraphs as a rule
	marks int // scene breaks that are written
}

// habits counts the gaps of the whole book once.
func (r *repair) habits() habit {
	h := habit{known: true}
	var gaps [3]int
	for i := range r.book.Sections {
		blank, text := 0, false
		for _, b := range r.book.Sections[i].Blocks {
			p, ok := b.(*manuscript.Paragraph)
			switch {
			case !ok:
				if s, ok := b.(*manuscript.SceneBreak); ok && s.Mark != "" {
					h.marks++
				}
				blank, text = 0, false
			case empty(p.Inlines):
				blank++
			case sceneMark(p) != "":
				h.marks++
				blank, text = 0, false
			default:
				if text {
					gaps[min(blank, 2)]++
				}
				blank, text = 0, true
			}
		}
	}
	switch {
	case gaps[2] > gaps[0] && gaps[2] > gaps[1]:
		h.usual = 2
	case gaps[1] > gaps[0]:
		h.usual = 1
	}
	return h
}

// gaps takes empty paragraphs and page breaks out of a section and leaves scene breaks where they part
// scenes.
//
// One empty paragraph between two paragraphs of a book whose paragraphs stand without a gap is a scene break.
// Where paragraphs are parted by empty ones as a rule, only a larger gap is one. Two or three in a book
// without written marks are taken for a break as well, and told; more only make space.
func (r *repair) gaps(sec *manuscript.Section) {
	if !r.habit.known {
		r.habit = r.habits()
	}
	r.log.section = sec.Called()
	front := sec.Kind.Front()
	out := make([]manuscript.Block, 0, len(sec.Blocks))
	for i := 0; i < len(sec.Blocks); {
		b := sec.Blocks[i]
		switch b := b.(type) {
		case *manuscript.PageBreak:
			// Between the pages before the first chapter a break says where one ends.
			leading := len(out) == 0 && len(sec.Title) == 0 && sec.Number == ""
			if !front && !leading {
				if len(out) == 0 || !hasText(sec.Blocks[i+1:]) {
					r.log.add(finding.ManualPageBreak, b.Place, r.beside(sec.Blocks, i))
				} else {
					r.log.detail(finding.ManualPageBreak, b.Place, r.beside(sec.Blocks, i), "inside a chapter")
				}
			}
			i++
			continue
		case *manuscript.SceneBreak:
			out = addBreak(out, b)
			i++
			continue
		case *manuscript.Paragraph:
			if mark := sceneMark(b); mark != "" {
				out = addBreak(out, &manuscript.SceneBreak{Mark: mark, Place: b.Place})
				i++
				continue
			}
			if empty(b.Inlines) {
				j := i + 1
				for j < len(sec.Blocks) && isEmpty(sec.Blocks[j]) {
					j++
				}
				if j > i+1 || i == 0 || !isBreak(sec.Blocks[i-1]) { // a paragraph that carries a page break is no gap
					r.gap(sec, &out, i, j, b.Place)
				}
				i = j
				continue
			}
		}
		out = append(out, b)
		i++
	}
	for n := len(out); n > 0; n = len(out) { // a gap at the end parts nothing
		s, ok := out[n-1].(*manuscript.SceneBreak)
		if !ok || s.Mark != "" {
			break
		}
		out = out[:n-1]
	}
	sec.Blocks = out
}

func isBreak(b manuscript.Block) bool {
	_, ok := b.(*manuscript.PageBreak)
	return ok
}

// gap handles the empty paragraphs of blocks i to j.
func (r *repair) gap(sec *manuscript.Section, out *[]manuscript.Block, i, j int, place manuscript.Place) {
	n := j - i
	var before, after *manuscript.Paragraph
	if k := len(*out); k > 0 {
		before, _ = (*out)[k-1].(*manuscript.Paragraph)
	}
	if j < len(sec.Blocks) {
		after, _ = sec.Blocks[j].(*manuscript.Paragraph)
	}
	between := before != nil && after != nil && sceneMark(after) == "" && !sec.Kind.Front() && running(before) && running(after)
	if between && verseLines(before) > 0 && verseLines(after) > 0 {
		between = false
	}
	extra := n - r.habit.usual
	switch {
	case between && n == 1 && extra == 1, between && r.habit.usual > 0 && extra >= 1 && extra <= 3:
		*out = addBreak(*out, &manuscript.SceneBreak{Place: place})
		return
	case between && extra >= 1 && n <= 3 && r.habit.marks == 0 && ends(before):
		*out = addBreak(*out, &manuscript.SceneBreak{Place: place})
		r.log.detail(finding.EmptyParagraphs, place, r.beside(sec.Blocks, i), fmt.Sprintf("%d empty paragraphs, set as a scene break", n))
		return
	}
	detail := ""
	if n > 1 {
		detail = fmt.Sprintf("%d empty paragraphs", n)
	}
	r.log.detail(finding.EmptyParagraphs, place, r.beside(sec.Blocks, i), detail)
}

// running says whether a paragraph is text of the story rather than a line of a title page or a letter head.
func running(p *manuscript.Paragraph) bool {
	return (p.Role == manuscript.RoleBody || p.Role == manuscript.RoleFirst) && p.Align != manuscript.AlignCenter &&
		p.Align != manuscript.AlignRight
}

// ends says whether a paragraph ends as a sentence does.
func ends(p *manuscript.Paragraph) bool {
	c, _ := utf8.DecodeLastRuneInString(trimmed(p.Inlines))
	return !unicode.IsLetter(c) && c != ',' && c != ';'
}

// beside is the text after a block, or before it where nothing follows, for an excerpt.
func (r *repair) beside(blocks []manuscript.Block, i int) string {
	if p, _ := nextText(blocks, i+1); p != nil {
		return "… " + oneLine(manuscript.Flow(p.Inlines))
	}
	for k := i - 1; k >= 0; k-- {
		if p, ok := blocks[k].(*manuscript.Paragraph); ok && !empty(p.Inlines) {
			return oneLine(manuscript.Flow(p.Inlines)) + " …"
		}
	}
	return ""
}

// addBreak adds a scene break; two in a row are one, and what the author has written wins.
func addBreak(out []manuscript.Block, b *manuscript.SceneBreak) []manuscript.Block {
	if len(out) == 0 && b.Mark == "" {
		return out
	}
	if n := len(out); n > 0 {
		if last, ok := out[n-1].(*manuscript.SceneBreak); ok {
			if last.Mark == "" {
				out[n-1] = b
			}
			return out
		}
	}
	return append(out, b)
}

// sceneMark is the mark a paragraph consists of, "" for another paragraph: asterisks, hashes, ornaments, rules.
func sceneMark(p *manuscript.Paragraph) string {
	if len(p.Inlines) == 0 || len(p.Inlines) > 9 {
		return ""
	}
	t := trimmed(p.Inlines)
	if t == "" || utf8.RuneCountInString(t) > 24 {
		return ""
	}
	marks, dashes := 0, 0
	for _, c := range t {
		switch {
		case blank(c):
		case strings.ContainsRune("*#~⁂•◆◇◊○●✻✽✿✳✦★☆❦❧☙†‡·+=∗⁎§", c):
			marks++
		case strings.ContainsRune("-–—_", c):
			dashes++
		default:
			return ""
		}
	}
	if marks == 0 && dashes < 3 || marks == 1 && strings.ContainsAny(t, "+=§†‡") {
		return ""
	}
	return oneLine(t)
}
