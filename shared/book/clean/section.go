package clean

import (
	"strings"

	"mappe/shared/book/manuscript"
)

// promote makes sections of the headings below a part, and of those below the only title of a file.
func (r *repair) promote() {
	titled, plainTitle := 0, 0
	for i := range r.book.Sections {
		if t := trimmed(r.book.Sections[i].Title); t != "" {
			_, line := parseChapterLine(t)
			if _, known := kindOf(t); !known {
				titled++
				if !line {
					plainTitle++
				}
			}
		}
	}
	var all []manuscript.Section
	for _, sec := range r.book.Sections {
		t := trimmed(sec.Title)
		line, ok := parseChapterLine(t)
		_, known := kindOf(t)
		whole := titled == 1 && plainTitle == 1 && t != "" && !known
		if !(ok && line.part) && !whole || tops(sec.Blocks) < 1 || whole && tops(sec.Blocks) < 2 {
			all = append(all, sec)
			continue
		}
		if whole && r.book.Meta.Title == "" {
			r.book.Meta.Title = oneLine(t)
		}
		all = append(all, split(sec, whole)...)
	}
	r.book.Sections = all
}

// tops counts the headings directly below a section's title.
func tops(blocks []manuscript.Block) (n int) {
	for _, b := range blocks {
		if h, ok := b.(*manuscript.Heading); ok && h.Level == 1 {
			n++
		}
	}
	return n
}

// split cuts a section at its headings of level 1; title says that its own title is the book's.
func split(sec manuscript.Section, title bool) []manuscript.Section {
	cur := sec
	cur.Blocks = nil
	if title {
		lead := &manuscript.Paragraph{Inlines: sec.Title, Role: manuscript.RoleTitle, Place: sec.Place}
		cur = manuscript.Section{Blocks: []manuscript.Block{lead}, Language: sec.Language, Place: sec.Place}
	}
	var out []manuscript.Section
	for _, b := range sec.Blocks {
		h, ok := b.(*manuscript.Heading)
		if ok && h.Level == 1 {
			out = append(out, cur)
			cur = manuscript.Section{Title: h.Inlines, Language: sec.Language, Place: h.Place}
			continue
		}
		if ok && h.Level > 1 && len(out) > 0 {
			up := *h
			up.Level--
			b = &up
		}
		cur.Blocks = append(cur.Blocks, b)
	}
	return append(out, cur)
}

// numbers reads "Chapter 3: The Storm" into number and title.
func (r *repair) numbers() {
	loose, rising, last := 0, 0, 0
	for i := range r.book.Sections {
		if line, ok := parseChapterLine(trimmed(r.book.Sections[i].Title)); ok && line.loose {
			loose++
			if v := value(line.number); v == last+1 {
				rising++
				last = v
			}
		}
	}
	ordinals := r.ordinals()
	for i := range r.book.Sections {
		sec := &r.book.Sections[i]
		if sec.Number != "" {
			continue
		}
		raw := manuscript.Flow(sec.Title)
		lead := len(raw) - len(strings.TrimLeftFunc(raw, blank))
		t := strings.TrimFunc(raw, blank)
		line, ok := parseChapterLine(t)
		if !ok || line.loose && (rising < 2 || rising*2 < loose) {
			continue
		}
		sec.Number = line.number
		if line.part {
			sec.Kind = manuscript.KindPart
		} else {
			sec.Kind = manuscript.KindChapter
		}
		if line.title < len(t) && !ordinals[strings.ToLower(strings.TrimSpace(t[line.title:]))] {
			sec.Label = manuscript.TrimLabel(oneLine(t[:line.label]))
			_, sec.Title = cut(sec.Title, 0, lead+line.title)
		}
	}
}

// ordinals are the titles that come again behind other numbers: the "Tag" of "1. Tag" and "2. Tag". There the number
// belongs to the word behind it, and the line is set as it is written.
func (r *repair) ordinals() map[string]bool {
	first, again := map[string]int{}, map[string]bool{}
	for i := range r.book.Sections {
		t := trimmed(r.book.Sections[i].Title)
		line, ok := parseChapterLine(t)
		if !ok || line.word || line.title == len(t) {
			continue
		}
		title := strings.ToLower(strings.TrimSpace(t[line.title:]))
		if n, there := first[title]; !there {
			first[title] = value(line.number)
		} else if n != value(line.number) {
			again[title] = true
		}
	}
	return again
}

// bareNumber says whether the heading of a chapter is its number and nothing else.
func bareNumber(sec *manuscript.Section) bool {
	if sec.Number == "" || sec.Label != "" || sec.Kind != manuscript.KindChapter {
		return false
	}
	t := trimmed(sec.Title)
	line, ok := parseChapterLine(t)
	return ok && line.title == len(t)
}

// subtitles takes the heading directly below a bare number as the chapter's title.
func (r *repair) subtitles() {
	bare, with := 0, 0
	only := func(sec *manuscript.Section) (int, *manuscript.Heading) {
		headings, at, first := 0, -1, (*manuscript.Heading)(nil)
		for j, b := range sec.Blocks {
			if h, ok := b.(*manuscript.Heading); ok {
				headings++
				if first == nil && at < 0 && !hasText(sec.Blocks[:j]) {
					at, first = j, h
				}
			}
		}
		if headings != 1 {
			return -1, nil
		}
		return at, first
	}
	for i := range r.book.Sections {
		sec := &r.book.Sections[i]
		if bareNumber(sec) {
			bare++
			if _, h := only(sec); h != nil {
				with++
			}
		}
	}
	if bare == 0 || with*2 < bare {
		return
	}
	for i := range r.book.Sections {
		sec := &r.book.Sections[i]
		if !bareNumber(sec) {
			continue
		}
		if at, h := only(sec); h != nil {
			sec.Label, sec.Title = manuscript.TrimLabel(oneLine(trimmed(sec.Title))), h.Inlines
			sec.Blocks = append(append([]manuscript.Block(nil), sec.Blocks[:at]...), sec.Blocks[at+1:]...)
		}
	}
}
