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
				if done := k.one(t, p); done.ok {
					if done.count > 0 {
						k.m.Truth = append(k.m.Truth, Plant{Type: t, Count: done.count, Near: done.near})
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
