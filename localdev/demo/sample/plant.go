package sample

import (
	"strings"
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// plant puts the faults into the text, each into a paragraph of its own.
func (k *maker) plant() {
	told, spoken := k.ground()
	take := func(from *[]*manuscript.Paragraph) *manuscript.Paragraph {
		if len(*from) == 0 {
			return nil
		}
		p := (*from)[0]
		*from = (*from)[1:]
		return p
	}
	for _, t := range k.o.Plant {
		for range k.o.PerType {
			ground := &told
			if t == finding.StraightQuotes || t == finding.UnmatchedQuotes {
				ground = &spoken
			}
			for range 12 {
				p := take(ground)
				if p == nil {
					break
				}
				if n, near, ok := k.one(t, p); ok {
					if n > 0 {
						k.m.Truth = append(k.m.Truth, Plant{Type: t, Count: n, Near: near})
					}
					break
				}
			}
		}
		k.whole(t, told)
	}
}

// ground is the paragraphs a fault can be planted in, shuffled: narrative, and those that begin with speech.
func (k *maker) ground() (told, spoken []*manuscript.Paragraph) {
	for i := range k.m.Book.Sections {
		sec := &k.m.Book.Sections[i]
		if len(sec.Title) == 0 {
			continue
		}
		for j, b := range sec.Blocks {
			p, ok := b.(*manuscript.Paragraph)
			if !ok || len(p.Inlines) != 1 || k.first[p] || j+1 == len(sec.Blocks) {
				continue
			}
			if _, ok := sec.Blocks[j-1].(*manuscript.Paragraph); !ok {
				continue
			}
			if next, ok := sec.Blocks[j+1].(*manuscript.Paragraph); !ok || len(text(next)) < 20 {
				continue
			}
			switch s := text(p); {
			case strings.HasPrefix(s, "“") || strings.HasPrefix(s, "„"):
				spoken = append(spoken, p)
			case len(s) > 120:
				told = append(told, p)
			}
		}
	}
	shuffle(k.dice, told)
	shuffle(k.dice, spoken)
	return told, spoken
}

// clip is a byte position at or before i that begins a character, inside s.
func clip(s string, i int) int {
	for i = min(i, len(s)); i < len(s) && !utf8.RuneStart(s[i]); i-- {
	}
	return i
}

func shuffle[T any](d *dice, s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := d.n(i + 1)
		s[i], s[j] = s[j], s[i]
	}
}

func text(p *manuscript.Paragraph) string {
	if len(p.Inlines) == 0 {
		return ""
	}
	t, _ := p.Inlines[0].(manuscript.Text)
	return t.S
}

// one plants a fault in or before a paragraph and says how often a report counts it and what stands beside it.
func (k *maker) one(t finding.Type, p *manuscript.Paragraph) (count int, near string, ok bool) {
	s := text(p)
	from, to, found := k.middle(s, 2)
	if !found {
		return 0, "", false
	}
	word := s[from:to]
	beside := s[from:clip(s, min(to+6, from+22))]
	set := func(changed string) (int, string, bool) {
		p.Inlines = inline(changed)
		return 1, beside, true
	}
	inside := func(between string) (int, string, bool) { return set(s[:from] + between + s[from:]) }
	insert := func(blocks ...manuscript.Block) { k.before[p] = append(k.before[p], blocks...) }
	begin := s[:clip(s, 16)]
	switch t {
	case finding.DoubleSpace:
		return inside(" ")
	case finding.EdgeSpace:
		p.Inlines = inline(s + " ")
		return 1, s[clip(s, len(s)-14):], true
	case finding.TabIndent:
		p.Inlines = inline("\t" + s)
		return 1, begin, true
	case finding.SpaceIndent:
		p.Inlines = inline("    " + s)
		return 1, begin, true
	case finding.ThreeDots:
		return set(s[:from-1] + "... " + s[from:])
	case finding.DoubleHyphen:
		return set(s[:from-1] + k.say("--", " -- ") + s[from:])
	case finding.SoftHyphen:
		at := from + strings.IndexByte(word+" ", ' ')/2
		p.Inlines = inline(s[:at] + "\u00ad" + s[at:])
		return 1, s[to:clip(s, to+14)], true
	case finding.ZeroWidth:
		return inside("\u200b")
	case finding.NonBreakingSpace:
		return set(s[:from-1] + "\u00a0" + s[from:])
	case finding.StraightQuotes:
		changed := strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "’", "'").Replace(s)
		p.Inlines = inline(changed)
		return strings.Count(changed, `"`) + strings.Count(changed, "'"), "", true
	case finding.UnmatchedQuotes:
		shut := k.say("”", "“")
		i := strings.LastIndex(s, shut)
		if i < 0 || k.speechFollows(p) {
			return 0, "", false
		}
		p.Inlines = inline(s[:i] + s[i+len(shut):])
		return 1, "", true
	case finding.PlaceholderText:
		return inside(pick(k.dice, []string{"TK ", "XXX ", "TODO ", k.say("[insert name] ", "[Name einsetzen] "), "[???] "}))
	case finding.UnderlineEmphasis:
		p.Inlines = []manuscript.Inline{manuscript.Text{S: s[:from]}, manuscript.Text{S: word, Style: manuscript.Underline}, manuscript.Text{S: s[to:]}}
		k.m.Kept[finding.KeptItalic]++
		return 1, word, true
	case finding.SoftReturn:
		p.Inlines = []manuscript.Inline{manuscript.Text{S: s[:from-1]}, manuscript.LineBreak{}, manuscript.Text{S: s[from:]}}
		return 1, beside, true
	case finding.MissingGlyph:
		return inside("漢 ")
	case finding.LongWord:
		set(s[:from] + "B7F3D9C1A5E8B7F3D9C1A5E8B7F3D9C1A5E8B7F3D9C1A5E8X " + s[from:])
		return 1, "", true
	case finding.MixedLanguages:
		other := prose{k.dice, !k.german}
		changed := other.telling(5)
		p.Inlines = inline(changed)
		return 1, "", true
	case finding.EmptyParagraphs:
		insert(&manuscript.Paragraph{}, &manuscript.Paragraph{}, &manuscript.Paragraph{}, &manuscript.Paragraph{})
		return 1, begin, true
	case finding.FakeHeading:
		title := capital(k.thing("n"))
		if k.large = k.o.Sizes && !k.large; k.large {
			insert(&manuscript.Paragraph{Inlines: inline(title), Scale: largeScale})
			return 1, title, true
		}
		insert(&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: title, Style: manuscript.Bold}}})
		k.m.Kept[finding.KeptBold]++
		return 1, title, true
	case finding.HeadingLevelSkip:
		insert(&manuscript.Heading{Level: 1, Inlines: inline(capital(k.thing("n")))}, paragraph(k.telling(2)))
		title := capital(k.thing("n"))
		insert(&manuscript.Heading{Level: 3, Inlines: inline(title)})
		return 1, title, true
	case finding.ManualNumbering:
		for i := range 3 {
			insert(paragraph(string(rune('1'+i)) + ". " + k.sentence()))
		}
		k.m.Kept[finding.KeptList]++
		return 1, "", true
	case finding.LowResImage:
		insert(k.figure(400, 260, true, true))
		return 1, "", true
	case finding.MissingAltText:
		insert(k.figure(1300, 860, true, false))
		return 1, "", true
	case finding.ColourImage:
		insert(k.figure(1300, 860, false, true))
		return 1, "", true
	case finding.WideTable:
		insert(k.table(14, 3, k.say("Table 99. Everything", "Tabelle 99. Alles")))
		k.m.Kept[finding.KeptTable]++
		k.m.Kept[finding.KeptCaption]++
		return 1, "", true
	case finding.NestedTable:
		outer, inner := k.table(3, 3, k.say("Table 98. Framed", "Tabelle 98. Gerahmt")), k.table(2, 3, "")
		inner.Caption, inner.HeadRows = nil, 0
		cell := &outer.Rows[1].Cells[1]
		cell.Blocks = append(cell.Blocks, inner, paragraph(k.say("below", "darunter")))
		insert(outer)
		k.m.Kept[finding.KeptTable]++
		k.m.Kept[finding.KeptCaption]++
		return 1, "", true
	case finding.NoteWithoutText:
		p.Inlines = append(p.Inlines, manuscript.NoteRef{Note: len(k.m.Book.Notes)})
		k.m.Book.Notes = append(k.m.Book.Notes, manuscript.Note{})
		return 1, "", true
	case finding.NoteWithoutReference:
		k.m.Book.Notes = append(k.m.Book.Notes, manuscript.Note{Blocks: []manuscript.Block{paragraph(k.sentence())}})
		return 1, "", true
	case finding.TrackedChange, finding.Comment, finding.HiddenText, finding.TextBox, finding.Highlight, finding.DirectFormatting, finding.UnsupportedObject, finding.MissingImage, finding.PageReference:
		p.Inlines = []manuscript.Inline{manuscript.Text{S: s[:from]}, manuscript.Text{S: word}, manuscript.Text{S: s[to:]}}
		k.m.extra[p] = t
		if t == finding.PageReference {
			k.m.Kept[finding.KeptLink]++
		}
		return 1, "", true
	case finding.KeptSceneBreak: // a gap between scenes, no fault
		insert(&manuscript.Paragraph{})
		k.m.Kept[finding.KeptSceneBreak]++
		return 0, "", true
	}
	return 0, "", false
}

// largeScale is the type of a large line: 15 points where the running text has 12.
const largeScale = 1.25

// whole plants faults of the whole book.
func (k *maker) whole(t finding.Type, told []*manuscript.Paragraph) {
	sections := k.m.Book.Sections
	switch t {
	case finding.ManualPageBreak:
		for i := 1; i+1 < len(sections) && i <= k.o.PerType; i++ {
			sections[i].Blocks = append(sections[i].Blocks, &manuscript.PageBreak{})
			k.m.Truth = append(k.m.Truth, Plant{Type: t, Count: 1})
		}
	case finding.RunningHeadInBody:
		pageNo, since := 0, 0
		ok := map[*manuscript.Paragraph]bool{}
		for _, p := range told {
			ok[p] = true
		}
		for i := range sections {
			for _, b := range sections[i].Blocks {
				p, isText := b.(*manuscript.Paragraph)
				if since++; isText && since > 8 && ok[p] && len(k.before[p]) == 0 {
					pageNo, since = pageNo+3, 0
					line := k.o.Title + "   " + string(appendInt(nil, pageNo))
					k.before[p] = append(k.before[p], paragraph(line))
					k.m.Truth = append(k.m.Truth, Plant{Type: t, Count: 1, Near: k.o.Title})
				}
			}
		}
	case finding.FrontMatterUnclear:
		sec := &sections[0]
		sec.Blocks = append(sec.Blocks, &manuscript.PageBreak{}, paragraph(k.telling(9)), paragraph(k.telling(9)))
		k.m.Truth = append(k.m.Truth, Plant{Type: t, Count: 1})
	case finding.LongChapter:
		if i := len(sections) / 2; len(sections) > 6 {
			for written := 0; written < 9000; {
				s := k.paragraph()
				written += words(s)
				sections[i].Blocks = append(sections[i].Blocks, paragraph(s))
			}
			k.m.Truth = append(k.m.Truth, Plant{Type: t, Count: 1})
		}
	case finding.TOCField:
		k.m.toc = true
		k.m.Truth = append(k.m.Truth, Plant{Type: t, Count: 1})
	}
}

// speechFollows says whether the paragraph behind one begins with speech: a quotation left open before it is no
// fault, it goes on there.
func (k *maker) speechFollows(p *manuscript.Paragraph) bool {
	for _, sec := range k.m.Book.Sections {
		for i, b := range sec.Blocks[:max(len(sec.Blocks)-1, 0)] {
			if b != manuscript.Block(p) {
				continue
			}
			next, ok := sec.Blocks[i+1].(*manuscript.Paragraph)
			return ok && strings.HasPrefix(manuscript.Plain(next.Inlines), k.say("“", "„"))
		}
	}
	return false
}

func appendInt(b []byte, n int) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}
