package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// A running head is a short line without a sentence that comes back this often.
const (
	minHeads    = 3
	maxHeadText = 70
)

type headPlace struct{ section, block, number int }

// findHeads gives the section and the block of each line that is repeated like a running head: true where it can
// be taken out.
func (r *repair) findHeads() map[[2]int]bool {
	seen := map[string][]headPlace{}
	for i := range r.book.Sections {
		blocks := r.book.Sections[i].Blocks
		for j, b := range blocks {
			p, ok := b.(*manuscript.Paragraph)
			if !ok || p.Role > manuscript.RoleFirst && p.Role != manuscript.RoleCentered {
				continue
			}
			if key, number := headKey(p.Inlines); key != "" {
				seen[key] = append(seen[key], headPlace{i, j, number})
			}
		}
	}
	heads := map[[2]int]bool{}
	var evident [][]headPlace
	onPages := 0 // lines of evident that stand at the border of a page
	for key, at := range seen {
		if len(at) < minHeads || !r.isHead(key, at) {
			continue
		}
		marked := 0
		for _, h := range at {
			heads[[2]int{h.section, h.block}] = false
			if r.atBorder(h) {
				marked++
			}
		}
		if marked*3 >= len(at)*2 && r.repeats(key, at) {
			evident = append(evident, at)
			onPages += marked
		}
	}
	if r.keep || onPages*2 <= r.pageBreaks() {
		return heads
	}
	for _, at := range evident {
		for _, h := range at {
			heads[[2]int{h.section, h.block}] = true
		}
	}
	return heads
}

// pageBreaks counts the borders of pages that the file marks.
func (r *repair) pageBreaks() (n int) {
	for i := range r.book.Sections {
		for _, b := range r.book.Sections[i].Blocks {
			if isBreak(b) {
				n++
			}
		}
	}
	return n
}

// repeats says whether lines say what the book prints above and below its pages by itself: a title or the author, or
// the number of the page where it cuts sentences.
func (r *repair) repeats(key string, at []headPlace) bool {
	words := strings.Join(tokens(strings.ReplaceAll(key, "\x00", " ")), " ")
	if words == "" || words == "page" || words == "seite" || words == "s" || words == "p" {
		return r.cutting(at)*3 >= len(at)
	}
	title, author := strings.Join(tokens(r.book.Meta.Title), " "), strings.Join(tokens(r.book.Meta.Author), " ")
	for _, known := range []string{title, author, title + " " + author, author + " " + title} {
		if words == known {
			return true
		}
	}
	for i := range r.book.Sections {
		t := manuscript.Line(r.book.Sections[i].Title)
		if line, ok := parseChapterLine(t); ok && line.title < len(t) && words == strings.Join(tokens(t[line.title:]), " ") ||
			words == strings.Join(tokens(t), " ") {
			return true
		}
	}
	return false
}

// cutting counts the lines that stand in the middle of a sentence.
func (r *repair) cutting(at []headPlace) (n int) {
	for _, h := range at {
		if r.cuts(h) {
			n++
		}
	}
	return n
}

// runningHeads tells of lines that are repeated like running heads or page numbers. It takes out those that the
// book prints by itself (repeats) where they stand at the borders of most pages that the file marks, and joins the
// paragraph they have cut. Nobody can tell the others from a refrain, a date or the name of a file: those stay.
func (r *repair) runningHeads() {
	heads := r.findHeads()
	if len(heads) == 0 {
		return
	}
	for i := range r.book.Sections {
		sec := &r.book.Sections[i]
		var kept, border []manuscript.Block
		join := false
		for j, b := range sec.Blocks {
			p, ok := b.(*manuscript.Paragraph)
			if taken, head := heads[[2]int{i, j}]; ok && head {
				r.log.section = manuscript.Flow(sec.Title)
				f := finding.New(finding.RunningHeadInBody, p.Place, trimmed(p.Inlines))
				if taken {
					f.Left, f.Detail = trimmed(p.Inlines), "taken out"
					r.log.put(f)
					join = true
					continue
				}
				r.log.put(f)
				if t, ok := p.Inlines[0].(manuscript.Text); ok && len(p.Inlines) == 1 { // its spaces are told with it
					one := *p
					t.S = oneLine(t.S)
					one.Inlines = []manuscript.Inline{t}
					b, p = &one, &one
				}
			}
			if join && isBreak(b) { // it goes with the head where a sentence runs over it
				border = append(border, b)
				continue
			}
			if ok && join && !empty(p.Inlines) {
				if at := lastText(kept); at >= 0 && continues(kept[at].(*manuscript.Paragraph), p) {
					joined := *kept[at].(*manuscript.Paragraph)
					joined.Inlines = append(append(append([]manuscript.Inline{}, joined.Inlines...), manuscript.Text{S: " "}), p.Inlines...)
					kept, border, join = append(kept[:at], &joined), nil, false
					continue
				}
			}
			kept, border = append(kept, border...), nil
			join = join && ok && empty(p.Inlines)
			kept = append(kept, b)
		}
		sec.Blocks = append(kept, border...)
	}
}

// lastText is the last block, but for breaks of the page and empty paragraphs, where it is a paragraph; else -1.
func lastText(blocks []manuscript.Block) int {
	for at := len(blocks) - 1; at >= 0; at-- {
		if isBreak(blocks[at]) || isEmpty(blocks[at]) {
			continue
		}
		if _, ok := blocks[at].(*manuscript.Paragraph); ok {
			return at
		}
		break
	}
	return -1
}

// atBorder says whether a break of the page stands before or behind a line, with nothing but empty paragraphs
// between.
func (r *repair) atBorder(h headPlace) bool {
	blocks := r.book.Sections[h.section].Blocks
	for _, step := range []int{-1, 1} {
		for j := h.block + step; j >= 0 && j < len(blocks); j += step {
			if _, ok := blocks[j].(*manuscript.PageBreak); ok {
				return true
			}
			if !isEmpty(blocks[j]) {
				break
			}
		}
	}
	return false
}

// headKey is a line with its page number left out; "" where it cannot be a running head.
func headKey(in []manuscript.Inline) (key string, number int) {
	if len(in) > 4 {
		return "", 0
	}
	t := trimmed(in)
	if t == "" || len(t) > maxHeadText {
		return "", 0
	}
	last, _ := utf8.DecodeLastRuneInString(t)
	if strings.ContainsRune(".,;:!?…”“\"'’«»‘", last) || strings.ContainsAny(t[:1], "\"'*#~+=_") || strings.HasPrefix(t, "„") ||
		strings.HasPrefix(t, "“") || strings.HasPrefix(t, "»") {
		return "", 0
	}
	digits := strings.IndexFunc(t, unicode.IsDigit)
	if digits < 0 {
		return t, 0
	}
	end := digits
	for end < len(t) && t[end] >= '0' && t[end] <= '9' {
		number = number*10 + int(t[end]-'0')
		if end++; end-digits > 4 {
			return "", 0
		}
	}
	if digits != 0 && end != len(t) && strings.Trim(t, "0123456789 –—-[]()|·•") != "" { // in the middle of words
		return "", 0
	}
	if strings.IndexFunc(t[end:], unicode.IsDigit) >= 0 {
		return "", 0
	}
	return t[:digits] + "\x00" + t[end:], number
}

// isHead says whether repeated lines are running heads: they stand far apart, and carry rising page numbers
// or are a title, a name or capitals that cut sentences.
func (r *repair) isHead(key string, at []headPlace) bool {
	rising, cutting := 0, r.cutting(at)
	for n, h := range at {
		if n > 0 && h.number > at[n-1].number {
			rising++
		}
	}
	words := strings.Trim(strings.ReplaceAll(key, "\x00", ""), " –—-[]()|·•\t")
	numbered := strings.Contains(key, "\x00")
	switch low := strings.ToLower(words); {
	case numbered && (chapterWords[low] || low == "chapter" || low == "kapitel" || low == "chapitre"):
		return false
	case numbered && words == "": // bare numbers may be chapters: page numbers cut paragraphs
		return rising >= len(at)-1 && cutting*3 >= len(at)
	case numbered:
		days := at[0].number == 1 && at[len(at)-1].number == len(at) // and letters, poems: counted from the first to the last
		return rising >= len(at)-1 && (len(at) > 3 && !days || cutting > 0 || low == "page" || low == "seite" || r.named(words))
	}
	if _, ok := kindOf(words); ok {
		return false
	}
	if cutting*3 >= len(at) {
		return true
	}
	return r.named(words) && strings.Contains(words, " ")
}

// named says whether a line is the book's title or its author, or both, or a section's title.
func (r *repair) named(s string) bool {
	for _, name := range []string{r.book.Meta.Title, r.book.Meta.Author} {
		if name != "" && strings.Contains(strings.ToLower(s), strings.ToLower(name)) {
			return true
		}
	}
	for i := range r.book.Sections {
		if t := trimmed(r.book.Sections[i].Title); t != "" && strings.EqualFold(s, t) {
			return true
		}
	}
	return false
}

// cuts says whether a line stands in the middle of a sentence.
func (r *repair) cuts(h headPlace) bool {
	blocks := r.book.Sections[h.section].Blocks
	var before, after *manuscript.Paragraph
	for j := h.block - 1; j >= 0 && before == nil; j-- {
		p, ok := blocks[j].(*manuscript.Paragraph)
		if !ok && !isBreak(blocks[j]) {
			return false
		}
		if ok && !empty(p.Inlines) {
			before = p
		}
	}
	for j := h.block + 1; j < len(blocks) && after == nil; j++ {
		p, ok := blocks[j].(*manuscript.Paragraph)
		if !ok && !isBreak(blocks[j]) {
			return false
		}
		if ok && !empty(p.Inlines) {
			after = p
		}
	}
	return before != nil && after != nil && continues(before, after)
}

// continues says whether a sentence that ends no paragraph goes on in the next.
func continues(before, after *manuscript.Paragraph) bool {
	a, b := trimmed(before.Inlines), trimmed(after.Inlines)
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return (unicode.IsLetter(last) || last == ',' || last == ';') && unicode.IsLower(first)
}
