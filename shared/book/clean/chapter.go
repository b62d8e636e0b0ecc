package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// chapters cuts the text into its sections and reads their numbers.
func (r *repair) chapters() {
	none := r.noHeadings()
	var all []manuscript.Section
	for i := range r.book.Sections {
		all = append(all, r.fakes(r.book.Sections[i])...)
	}
	r.book.Sections = all
	if none && (len(r.book.Styles) > 0 || len(all) < 2) {
		r.log.section = ""
		r.log.add(finding.NoHeadings, manuscript.Place{}, "")
	}
	r.promote()
	r.numbers()
	r.subtitles()
}

// noHeadings says whether no heading has a style in a text that is long enough to need some.
func (r *repair) noHeadings() bool {
	words := 0
	for i := range r.book.Sections {
		if len(r.book.Sections[i].Title) > 0 {
			return false
		}
		for _, b := range r.book.Sections[i].Blocks {
			switch b := b.(type) {
			case *manuscript.Heading:
				return false
			case *manuscript.Paragraph:
				words += strings.Count(manuscript.Flow(b.Inlines), " ")
			}
		}
	}
	return words >= 300
}

const (
	maxHeading      = 80 // characters of a line that may be a heading
	maxHeadingWords = 12
)

// candidate is a paragraph that may be a heading without a style.
type candidate struct {
	block  int
	text   string
	line   chapterLine
	reads  bool // like the title of a chapter
	looks  bool // bold, in capitals or large
	large  bool // and neither bold nor in capitals
	weak   bool // a number or a word that needs its surroundings
	cut    bool // a page break stands before it, or nothing
	alone  bool // it is centred or empty paragraphs stand around it
	prose  bool // text follows it
	number int
}

// weighed is a section with its candidates and what they say together.
type weighed struct {
	blocks   []manuscript.Block
	found    []candidate
	texts    map[string]int // how often a line stands there: one that comes back is no heading
	numbers  int            // bare numbers in a row
	untitled bool           // nothing above says which chapter this is
	again    bool           // lines that look like headings come again, each time above a page of text
}

func weigh(sec manuscript.Section, found []candidate) weighed {
	all := weighed{blocks: sec.Blocks, found: found, texts: map[string]int{}, untitled: len(sec.Title) == 0}
	for i, c := range found {
		all.texts[c.text]++
		if i > 0 && c.weak && found[i-1].weak && c.number == found[i-1].number+1 {
			all.numbers++
		}
	}
	if kind, ok := kindOf(manuscript.Flow(sec.Title)); ok && kind.Front() { // chapters without a style follow the preface
		all.untitled = true
	}
	all.again = all.untitled && all.comeAgain()
	return all
}

// verdict is what a candidate is.
type verdict int

const (
	noHeading    verdict = iota
	headingOnly          // it looks like a heading and begins no chapter
	chapterTitle         // a chapter begins with it
)

// verdict says what candidate i is.
func (all weighed) verdict(i int) verdict {
	c := all.found[i]
	reads := c.reads && c.prose
	switch {
	case c.large && !c.reads && all.untitled && wordsUnder(all.blocks, all.found, i) < leastUnder:
		return noHeading // a title page, a dedication
	case c.weak:
		if reads && all.untitled && all.numbers > 0 && (c.looks || c.cut || c.alone || all.numbers > 1 && c.line.title < len(c.text) &&
			far(all.blocks, all.found, i)) {
			return chapterTitle
		}
		return noHeading
	case reads, all.untitled && c.looks && c.cut && c.prose && i > 0:
		return chapterTitle
	case all.untitled && c.looks && c.alone && c.prose && all.again && wordsUnder(all.blocks, all.found, i) >= leastUnder:
		return chapterTitle
	case c.looks && c.prose && !c.reads && all.texts[c.text] == 1 && (!all.untitled || i > 0 || c.block > 0):
		return headingOnly
	}
	return noHeading
}

// comeAgain says whether lines that look like headings come again and stand above a page of text each time: the name of
// who tells the chapter, the place, the day.
func (all weighed) comeAgain() bool {
	short := map[string]bool{}
	for k, c := range all.found {
		if c.looks && c.alone && wordsUnder(all.blocks, all.found, k) < leastUnder {
			short[c.text] = true
		}
	}
	for _, c := range all.found {
		if c.looks && c.alone && all.texts[c.text] > 1 && !short[c.text] {
			return true
		}
	}
	return false
}

// fakes cuts a section at lines that read like chapter titles and tells of those that only look so.
func (r *repair) fakes(sec manuscript.Section) []manuscript.Section {
	found := r.candidates(sec)
	if len(found) == 0 {
		return []manuscript.Section{sec}
	}
	r.log.section = trimmed(sec.Title)
	all := weigh(sec, found)
	var out []manuscript.Section
	cur := sec
	cur.Blocks = nil
	from := 0
	for i, c := range found {
		if c.block < from { // it was the title below a number
			continue
		}
		p := sec.Blocks[c.block].(*manuscript.Paragraph)
		verdict := all.verdict(i)
		// A plain text has no styles to give: a chapter title in it is told only where it looks like one.
		if verdict == headingOnly || verdict == chapterTitle && (len(r.book.Styles) > 0 || c.looks) {
			r.log.add(finding.FakeHeading, p.Place, c.text)
		}
		if verdict != chapterTitle {
			continue
		}
		cur.Blocks = append(cur.Blocks, sec.Blocks[from:c.block]...)
		if len(out) > 0 || len(cur.Title) > 0 || hasText(cur.Blocks) {
			out = append(out, cur)
		}
		cur = manuscript.Section{Title: unstyled(p.Inlines), Place: p.Place}
		from = c.block + 1
		if next, at := nextText(sec.Blocks, from); next != nil && c.line.word && c.line.title == len(c.text) && titleLike(next) {
			if after, _ := nextText(sec.Blocks, at+1); after != nil && isProse(after) { // the title stands below
				cur.Title = append(append(cur.Title, manuscript.LineBreak{}), unstyled(next.Inlines)...)
				from = at + 1
			}
		}
	}
	cur.Blocks = append(cur.Blocks, sec.Blocks[from:]...)
	return append(out, cur)
}

// leastUnder is how many words stand on the page of a chapter's title, and more than on a title page.
const leastUnder = 100

// wordsUnder counts the words below a candidate up to the next one or a page break.
func wordsUnder(blocks []manuscript.Block, found []candidate, i int) int {
	to := len(blocks)
	if i+1 < len(found) {
		to = found[i+1].block
	}
	from := found[i].block + 1
	for k := from; k < to; k++ {
		if isBreak(blocks[k]) && hasText(blocks[from:k]) {
			to = k
		}
	}
	return words(blocks[from:to])
}

// far says whether at least a page of text parts a candidate from the next.
func far(blocks []manuscript.Block, found []candidate, i int) bool {
	to := len(blocks)
	if i+1 < len(found) {
		to = found[i+1].block
	}
	return words(blocks[found[i].block:to]) > 150
}

func (r *repair) candidates(sec manuscript.Section) []candidate {
	var found []candidate
	for j, b := range sec.Blocks {
		p, ok := b.(*manuscript.Paragraph)
		if !ok || len(p.Inlines) == 0 || len(p.Inlines) > 6 || p.Role != manuscript.RoleBody && p.Role != manuscript.RoleCentered &&
			p.Role != manuscript.RoleFirst {
			continue
		}
		t := trimmed(p.Inlines)
		if t == "" || all(p.Inlines, manuscript.Monospace) || len(t) > 2*maxHeading || utf8.RuneCountInString(t) > maxHeading ||
			strings.Count(t, " ") >= maxHeadingWords || !startsBig(t) {
			continue
		}
		c := candidate{block: j, text: t}
		end, _ := utf8.DecodeLastRuneInString(t)
		sentence := strings.ContainsRune(".,;:!?…”“\"'’«»‘", end)
		line, reads := parseChapterLine(t)
		if reads && !line.loose && (!sentence || line.word && end != ',' || line.title == len(t)) {
			c.line, c.reads, c.number = line, true, value(line.number)
			c.weak = !line.word
		}
		if _, ok := kindOf(t); ok && !sentence {
			c.reads = true
		}
		c.looks = looksHeading(p) && !sentence
		c.large = c.looks && !looksLoud(p)
		if !c.looks && !c.reads {
			continue
		}
		for k := j - 1; k >= 0 && !c.cut; k-- {
			if _, ok := sec.Blocks[k].(*manuscript.PageBreak); ok {
				c.cut = true
			}
			if q, ok := sec.Blocks[k].(*manuscript.Paragraph); !ok || !empty(q.Inlines) {
				break
			}
		}
		c.cut = c.cut || !hasText(sec.Blocks[:j])
		c.alone = p.Align == manuscript.AlignCenter || p.Role == manuscript.RoleCentered || j > 0 && isEmpty(sec.Blocks[j-1]) &&
			j+1 < len(sec.Blocks) && isEmpty(sec.Blocks[j+1])
		if next, at := nextText(sec.Blocks, j+1); next != nil {
			c.prose = isProse(next)
			if !c.prose && titleLike(next) && c.line.word {
				if after, _ := nextText(sec.Blocks, at+1); after != nil {
					c.prose = isProse(after)
				}
			}
		}
		if c.reads && !c.line.word && c.line.number == "" && !c.looks && !c.cut && !c.alone { // "Thanks" may be said by somebody
			continue
		}
		found = append(found, c)
	}
	return found
}

// largeScale is by how much type is larger than the running text where it looks like a heading: 14 points
// against 12.
const largeScale = 1.15

// looksHeading says whether a whole paragraph is bold, in capitals or in large type.
func looksHeading(p *manuscript.Paragraph) bool { return p.Scale >= largeScale || looksLoud(p) }

// looksLoud says whether a whole paragraph is bold or in capitals.
func looksLoud(p *manuscript.Paragraph) bool {
	if all(p.Inlines, manuscript.Bold|manuscript.AllCaps) {
		return true
	}
	letters := 0
	for _, c := range manuscript.Flow(p.Inlines) {
		if unicode.IsLower(c) {
			return false
		}
		if unicode.IsUpper(c) {
			letters++
		}
	}
	return letters >= 5
}

// titleLike says whether a paragraph may be the title below a chapter's number.
func titleLike(p *manuscript.Paragraph) bool {
	t := trimmed(p.Inlines)
	end, _ := utf8.DecodeLastRuneInString(t)
	return utf8.RuneCountInString(t) <= maxHeading && !strings.ContainsRune(".,;:”“\"«»", end) &&
		(looksHeading(p) || p.Align == manuscript.AlignCenter || p.Role == manuscript.RoleCentered)
}

// isProse says whether a paragraph is running text rather than a line.
func isProse(p *manuscript.Paragraph) bool {
	t := trimmed(p.Inlines)
	if looksHeading(p) && len(t) < 2*maxHeading {
		return false
	}
	end, _ := utf8.DecodeLastRuneInString(t)
	return len(t) > maxHeading || strings.ContainsRune(".,;:!?…”“\"'’«»‘—–", end)
}

func isEmpty(b manuscript.Block) bool {
	p, ok := b.(*manuscript.Paragraph)
	return ok && empty(p.Inlines)
}

// nextText is the next paragraph with text at or after block i, over empty ones; nil where another thing
// comes first.
func nextText(blocks []manuscript.Block, i int) (*manuscript.Paragraph, int) {
	for ; i < len(blocks); i++ {
		p, ok := blocks[i].(*manuscript.Paragraph)
		if !ok {
			if _, ok := blocks[i].(*manuscript.PageBreak); ok {
				continue
			}
			return nil, i
		}
		if !empty(p.Inlines) {
			return p, i
		}
	}
	return nil, i
}

func hasText(blocks []manuscript.Block) bool {
	for _, b := range blocks {
		if _, ok := b.(*manuscript.PageBreak); !ok && !isEmpty(b) {
			return true
		}
	}
	return false
}

// unstyled takes bold and capitals by format from a line that becomes a title.
func unstyled(in []manuscript.Inline) []manuscript.Inline {
	out := make([]manuscript.Inline, 0, len(in))
	for _, i := range in {
		if t, ok := i.(manuscript.Text); ok {
			t.Style &^= manuscript.Bold | manuscript.Underline | manuscript.AllCaps
			i = t
		}
		out = append(out, i)
	}
	return out
}
