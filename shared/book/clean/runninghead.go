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

// runningHeads takes lines out of the text that are repeated like running heads or page numbers, and joins
// the paragraph they have cut.
func (r *repair) runningHeads() {
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
	drop := map[[2]int]bool{}
	for key, at := range seen {
		if len(at) >= minHeads && r.isHead(key, at) {
			for _, h := range at {
				drop[[2]int{h.section, h.block}] = true
			}
		}
	}
	if len(drop) == 0 {
		return
	}
	for i := range r.book.Sections {
		sec := &r.book.Sections[i]
		var kept []manuscript.Block
		join := false
		for j, b := range sec.Blocks {
			p, ok := b.(*manuscript.Paragraph)
			if ok && drop[[2]int{i, j}] {
				r.log.section = manuscript.Flow(sec.Title)
				r.log.add(finding.RunningHeadInBody, p.Place, trimmed(p.Inlines))
				join = true
				continue
			}
			if ok && join && len(kept) > 0 && !empty(p.Inlines) {
				if before, ok := kept[len(kept)-1].(*manuscript.Paragraph); ok && continues(before, p) {
					joined := *before
					joined.Inlines = append(append([]manuscript.Inline{}, before.Inlines...), manuscript.Text{S: " "})
					joined.Inlines = append(joined.Inlines, p.Inlines...)
					kept[len(kept)-1] = &joined
					join = false
					continue
				}
			}
			join = join && ok && empty(p.Inlines)
			kept = append(kept, b)
		}
		sec.Blocks = kept
	}
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
	if strings.ContainsRune(".,;:!?…”“\"'’«»‘", last) || strings.ContainsAny(t[:1], "\"'*#~+=_") || strings.HasPrefix(t, "„") || strings.HasPrefix(t, "“") || strings.HasPrefix(t, "»") {
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
	rising, cutting := 0, 0
	for n, h := range at {
		if n > 0 && h.number > at[n-1].number {
			rising++
		}
		if r.cuts(h) {
			cutting++
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
		return rising >= len(at)-1 && (len(at) > 3 || cutting > 0 || low == "page" || low == "seite" || r.named(words))
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
		if !ok {
			return false
		}
		if !empty(p.Inlines) {
			before = p
		}
	}
	for j := h.block + 1; j < len(blocks) && after == nil; j++ {
		p, ok := blocks[j].(*manuscript.Paragraph)
		if !ok {
			return false
		}
		if !empty(p.Inlines) {
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
