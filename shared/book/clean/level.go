package clean

import (
	"fmt"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// levels sets headings one level below the one before where a level was left out.
func (r *repair) levels(sec *manuscript.Section) {
	r.log.section = sec.Called()
	last := 0
	lifted := map[int]int{} // level as written to level as set, below the heading that was lifted
	for i, b := range sec.Blocks {
		h, ok := b.(*manuscript.Heading)
		if !ok {
			continue
		}
		for l := range lifted {
			if l > h.Level {
				delete(lifted, l)
			}
		}
		level := h.Level
		if to, ok := lifted[level]; ok {
			level = to
		} else if level > last+1 {
			r.log.detail(finding.HeadingLevelSkip, h.Place, trimmed(h.Inlines), fmt.Sprintf("level %d after level %d", h.Level+1, last+1))
			level = last + 1
			lifted[h.Level] = level
		}
		if level != h.Level {
			one := *h
			one.Level = level
			sec.Blocks[i] = &one
		}
		last = level
	}
}

// kinds says what each section is, by its title and where it stands.
func (r *repair) kinds() {
	numbered := -1
	count := 0
	for i := range r.book.Sections {
		if s := &r.book.Sections[i]; s.Number != "" {
			if numbered < 0 {
				numbered = i
			}
			count++
		}
	}
	back := false
	kept := r.book.Sections[:0]
	for i := range r.book.Sections {
		sec := &r.book.Sections[i]
		title := trimmed(sec.Title)
		r.evident(sec, i)
		switch kind, known := kindOf(title); {
		case sec.Kind != manuscript.KindOther && !(known && sec.Kind == manuscript.KindChapter && sec.Number == ""):
		case known && (kind != manuscript.KindTitlePage && kind != manuscript.KindHalfTitle || numbered < 0 || i < numbered):
			sec.Kind = kind
			r.evident(sec, i)
		case title == "" && (i == 0 && len(r.book.Sections) == 1 || i > 0 && words(sec.Blocks) > 300):
			sec.Kind = manuscript.KindChapter
		case title == "":
		case numbered >= 0 && count > 1 && i < numbered, back:
		default:
			sec.Kind = manuscript.KindChapter
		}
		back = back || (sec.Kind.Back() || sec.Kind == manuscript.KindEpilogue) && i >= numbered // a timeline may stand in front
		kept = append(kept, *sec)
	}
	r.book.Sections = kept
}

// evident looks whether a section that says it is made by the book anew repeats what the book makes: only then is it
// left out, and told. Else it is set as it stands.
func (r *repair) evident(sec *manuscript.Section, i int) {
	switch sec.Kind {
	case manuscript.KindHalfTitle:
		if !r.repeatsTitle(sec) {
			sec.Kind = manuscript.KindOther
		}
	case manuscript.KindContents:
		lines := linesOf(sec.Blocks)
		switch {
		case !hasText(sec.Blocks): // its field was left out by the reader, who has told it
		case onlyLines(sec.Blocks) && r.isContents(lines, i, true):
			r.log.section = trimmed(sec.Title)
			r.log.put(finding.Leave(finding.TOCField, sec.Place, strings.Join(lines, "\n")))
		default:
			sec.Kind = manuscript.KindOther
		}
	case manuscript.KindIndex:
		if hasText(sec.Blocks) && onlyLines(sec.Blocks) {
			r.log.section = trimmed(sec.Title)
			r.log.detail(finding.PageReference, sec.Place, textOf(sec.Blocks), "an index with page numbers of the manuscript")
		}
	}
}

// onlyLines says whether a section is a list of short lines, as contents and indexes are, and no text of its own.
func onlyLines(blocks []manuscript.Block) bool {
	const most = 200 // bytes of an entry
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			if len(manuscript.Flow(b.Inlines)) > most {
				return false
			}
		case *manuscript.List, *manuscript.Heading, *manuscript.SceneBreak, *manuscript.PageBreak:
		default:
			return false
		}
	}
	return true
}
