package sample

import (
	"fmt"
	"strconv"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// Options say what is made up.
type Options struct {
	Language string // en or de
	Words    int    // about so many; 300 make a page
	Seed     uint64
	Title    string
	Author   string
	Rich     bool           // with notes, verse, quotations, lists, tables, figures and headings inside chapters
	Matter   bool           // with copyright page, dedication and motto before the preface
	Sizes    bool           // every other fake heading is in large type, not bold
	Index    bool           // with index entries in the text (in Word files)
	Plant    []finding.Type // faults to plant
	PerType  int            // how many of each; 0 means 4
}

// Plant is a fault that stands in the text.
type Plant struct {
	Type  finding.Type
	Count int    // as findings count it
	Near  string // letters that stand beside it, "" where the fault is no letter of a paragraph
}

// Manuscript is a made-up manuscript as a reader gives it, faults and all, and the truth about it.
type Manuscript struct {
	Book  manuscript.Book
	Truth []Plant
	Kept  map[finding.Type]int // what a report says is preserved

	extra map[*manuscript.Paragraph]finding.Type // faults only a word processor's file can hold
	toc   bool
}

// maker makes one manuscript.
type maker struct {
	prose
	o       Options
	m       Manuscript
	first   map[*manuscript.Paragraph]bool // of a section
	before  map[*manuscript.Paragraph][]manuscript.Block
	numbers []int
	large   bool                        // the last fake heading was
	drawn   map[[3]int]manuscript.Image // a few pictures serve the whole book
}

// Make makes up a manuscript.
func Make(o Options) Manuscript {
	if o.PerType == 0 {
		o.PerType = 4
	}
	if o.Words <= 0 {
		o.Words = 3000
	}
	k := &maker{prose: prose{&dice{state: o.Seed*2654435761 + uint64(len(o.Language))}, o.Language == "de"}, o: o,
		first: map[*manuscript.Paragraph]bool{}, before: map[*manuscript.Paragraph][]manuscript.Block{},
		drawn: map[[3]int]manuscript.Image{}}
	k.m = Manuscript{Kept: map[finding.Type]int{}, extra: map[*manuscript.Paragraph]finding.Type{}}
	if k.o.Title == "" {
		k.o.Title = map[bool]string{true: "Das Haus am Fluss", false: "The House on the River"}[k.german]
	}
	if k.o.Author == "" {
		k.o.Author = map[bool]string{true: "Johanna Reiter", false: "Edith Marlowe"}[k.german]
	}
	k.m.Book.Meta = manuscript.Meta{Title: k.o.Title, Author: k.o.Author, Language: o.Language}
	k.m.Book.Styles = []manuscript.StyleUse{{Name: "Normal", Paragraphs: 1}}
	k.front()
	k.chapters()
	k.back()
	k.plant()
	k.place()
	return k.m
}

func inline(s string) []manuscript.Inline { return []manuscript.Inline{manuscript.Text{S: s}} }

func paragraph(s string) *manuscript.Paragraph { return &manuscript.Paragraph{Inlines: inline(s)} }

// say gives the first text in English books and the second in German ones.
func (k *maker) say(english, german string) string {
	if k.german {
		return german
	}
	return english
}

// front makes the title page and a preface.
func (k *maker) front() {
	k.m.Book.Sections = append(k.m.Book.Sections, manuscript.Section{Blocks: []manuscript.Block{
		&manuscript.Paragraph{Inlines: inline(k.o.Title), Role: manuscript.RoleTitle},
		&manuscript.Paragraph{Inlines: inline(k.o.Author), Role: manuscript.RoleAuthor},
	}})
	if k.o.Matter {
		first := &k.m.Book.Sections[0]
		for _, page := range [][]string{
			{"© 2026 " + k.o.Author, k.say("All rights reserved.", "Alle Rechte vorbehalten.")},
			{k.say("For my sister", "Für meine Schwester")},
			{k.quoted(k.say("A river never hurries, and is always there.", "Ein Fluss hat es nie eilig und ist immer da.")),
				"— " + k.name()},
		} {
			first.Blocks = append(first.Blocks, &manuscript.PageBreak{})
			for _, line := range page {
				first.Blocks = append(first.Blocks, &manuscript.Paragraph{Inlines: inline(line), Align: manuscript.AlignCenter})
			}
		}
	}
	if k.o.Words >= 2000 {
		k.section(k.say("Preface", "Vorwort"), min(k.o.Words/20, 700), false)
	}
}

func (k *maker) back() {
	if k.o.Words >= 4000 {
		k.section(k.say("Afterword", "Nachwort"), min(k.o.Words/30, 600), false)
		k.section(k.say("About the Author", "Über die Autorin"), 60, false)
	}
}

// chapters makes numbered chapters of about equal length.
func (k *maker) chapters() {
	n := max(3, min(40, k.o.Words/2600))
	k.numbers = make([]int, n)
	for i := range k.numbers {
		k.numbers[i] = i + 1
	}
	k.misnumber()
	titles := enTitles
	if k.german {
		titles = deTitles
	}
	shift := k.n(len(titles))
	for i := range n {
		title := titles[(i+shift)%len(titles)]
		head := fmt.Sprintf(k.say("Chapter %d: %s", "%d. Kapitel: %s"), k.numbers[i], title)
		if n := k.o.Seed % 3; n == 1 {
			head = fmt.Sprintf("%d. %s", k.numbers[i], title)
		}
		k.section(head, k.o.Words*85/100/n, true)
	}
}

// misnumber plants faults of numbers.
func (k *maker) misnumber() {
	for _, t := range k.o.Plant {
		at := 2 + k.n(max(1, len(k.numbers)-2))
		if at >= len(k.numbers) {
			continue
		}
		switch t {
		case finding.ChapterNumberGap:
			for i := at; i < len(k.numbers); i++ {
				k.numbers[i]++
			}
			k.m.Truth = append(k.m.Truth, Plant{Type: t, Count: 1})
		case finding.ChapterNumberDuplicate:
			for i := at; i < len(k.numbers); i++ {
				k.numbers[i]--
			}
			k.m.Truth = append(k.m.Truth, Plant{Type: t, Count: 1})
		}
	}
}

// section makes a section of about so many words.
func (k *maker) section(title string, words int, chapter bool) {
	sec := manuscript.Section{Title: inline(title)}
	written, paras := 0, 0
	scene := k.between(9, 16)
	for written < words {
		s := k.paragraph()
		if paras == 0 {
			s = k.telling(k.between(4, 7))
		}
		written += countWords(s)
		p := k.emphasised(s)
		if paras == 0 {
			k.first[p] = true
		}
		sec.Blocks = append(sec.Blocks, p)
		paras++
		if !chapter || written >= words {
			continue
		}
		if paras%scene == 0 && written < words-200 {
			sec.Blocks = append(sec.Blocks, paragraph("* * *"))
			k.m.Kept[finding.KeptSceneBreak]++
			next := paragraph(k.telling(k.between(4, 6)))
			k.first[next] = true
			sec.Blocks = append(sec.Blocks, next)
			continue
		}
		if k.o.Rich && paras%6 == 3 {
			sec.Blocks = append(sec.Blocks, k.thingOfBook(len(k.m.Book.Sections), paras)...)
		}
	}
	k.m.Book.Sections = append(k.m.Book.Sections, sec)
}

func countWords(s string) int { return words(s) }

// emphasised is a paragraph, sometimes with a word in italics and a note.
func (k *maker) emphasised(s string) *manuscript.Paragraph {
	p := paragraph(s)
	if k.chance(8) {
		if a, b, ok := k.middle(s, 2); ok {
			p.Inlines = []manuscript.Inline{manuscript.Text{S: s[:a]}, manuscript.Text{S: s[a:b], Style: manuscript.Italic},
				manuscript.Text{S: s[b:]}}
			k.m.Kept[finding.KeptItalic]++
		}
	} else if k.o.Rich && k.chance(7) && s[len(s)-1] == '.' {
		p.Inlines = append(p.Inlines, manuscript.NoteRef{Note: len(k.m.Book.Notes)})
		k.m.Book.Notes = append(k.m.Book.Notes, manuscript.Note{Blocks: []manuscript.Block{paragraph(k.sentence())}})
		k.m.Kept[finding.KeptFootnote]++
	}
	if k.o.Index && k.chance(9) {
		term := k.name()
		if k.chance(60) {
			term = pick(k.dice, enNouns)
			if k.german {
				term = pick(k.dice, deNouns).word
			}
		}
		p.Inlines = append(p.Inlines, manuscript.IndexMark{Term: term})
		k.m.Kept[finding.KeptIndexEntry]++
	}
	return p
}

// middle finds n whole words of small letters somewhere inside a text.
func (k *maker) middle(s string, n int) (from, to int, ok bool) {
	var starts []int
	for i := 1; i < len(s); i++ {
		if s[i-1] == ' ' {
			starts = append(starts, i)
		}
	}
	if len(starts) < n+6 {
		return 0, 0, false
	}
	for range 20 {
		i := k.between(2, len(starts)-n-3)
		from, to = starts[i], starts[i+n]-1
		plain := true
		for j := from - 2; j <= to; j++ {
			c := s[j]
			plain = plain && (c == ' ' || c >= 'a' && c <= 'z')
		}
		if plain && s[to+1] >= 'a' && s[to+1] <= 'z' {
			return from, to, true
		}
	}
	return 0, 0, false
}

// thingOfBook is one of the things beside running text.
func (k *maker) thingOfBook(section, paras int) []manuscript.Block {
	switch (section + paras/6) % 6 {
	case 0:
		k.m.Kept[finding.KeptQuote]++
		return []manuscript.Block{&manuscript.Quote{Blocks: []manuscript.Block{paragraph(k.telling(3))}}}
	case 1:
		k.m.Kept[finding.KeptVerse]++
		return []manuscript.Block{k.verse()}
	case 2:
		k.m.Kept[finding.KeptList]++
		l := &manuscript.List{Ordered: k.chance(50)}
		if l.Ordered {
			l.Start = 1
		}
		for range k.between(3, 5) {
			l.Items = append(l.Items, []manuscript.Block{paragraph(k.sentence())})
		}
		return []manuscript.Block{l}
	case 3:
		k.m.Kept[finding.KeptTable]++
		k.m.Kept[finding.KeptCaption]++
		return []manuscript.Block{k.table(4, 5, k.say("Table", "Tabelle")+" "+strconv.Itoa(k.m.Kept[finding.KeptTable])+". "+
			capital(k.thing("n")))}
	case 4:
		return []manuscript.Block{k.figure(1300, 860, true, true)}
	}
	return []manuscript.Block{&manuscript.Heading{Level: 1, Inlines: inline(capital(k.thing("n")))}}
}

func (k *maker) verse() *manuscript.Verse {
	v := &manuscript.Verse{}
	for range 2 {
		var stanza []manuscript.VerseLine
		for i := range 4 {
			stanza = append(stanza, manuscript.VerseLine{Inlines: inline(capital(k.thing("n")) + " " + k.intransitive() + ","),
				Indent: i % 2})
		}
		v.Stanzas = append(v.Stanzas, stanza)
	}
	return v
}

func (k *maker) table(columns, rows int, caption string) *manuscript.Table {
	t := &manuscript.Table{HeadRows: 1, Caption: inline(caption)}
	for r := range rows {
		var row manuscript.Row
		for c := range columns {
			s := strconv.Itoa(k.between(1, 900))
			switch {
			case r == 0:
				s = capital(pick(k.dice, list(k.say("year house rent rooms garden yield lamp price total share state note",
					"Jahr Haus Zins Zimmer Garten Ertrag Lampe Preis Summe Anteil Stand Notiz"))))
			case c == 0:
				s = k.name()
			}
			row.Cells = append(row.Cells, manuscript.Cell{Blocks: []manuscript.Block{paragraph(s)}, ColSpan: 1, RowSpan: 1})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// figure adds a picture of so many pixels, to be set 100 mm wide.
func (k *maker) figure(width, height int, gray, alt bool) *manuscript.Figure {
	key := [3]int{width, k.n(3)}
	if gray {
		key[2] = 1
	}
	img, ok := k.drawn[key]
	if !ok {
		img = drawn(k.dice, width, height, gray)
		k.drawn[key] = img
	}
	img.Name = "picture" + strconv.Itoa(len(k.m.Book.Images)+1) + ".png"
	f := &manuscript.Figure{Image: len(k.m.Book.Images), WidthMM: 100}
	k.m.Book.Images = append(k.m.Book.Images, img)
	if alt {
		f.Alt = k.say("A drawing of hills by ", "Eine Zeichnung von Hügeln von ") + k.name()
	}
	f.Caption = inline(k.say("Figure ", "Abbildung ") + strconv.Itoa(len(k.m.Book.Images)) + ". " + k.sentence())
	k.m.Kept[finding.KeptImage]++
	k.m.Kept[finding.KeptCaption]++
	return f
}

// place numbers the paragraphs and puts in what was planted between them.
func (k *maker) place() {
	n := 0
	for i := range k.m.Book.Sections {
		sec := &k.m.Book.Sections[i]
		var blocks []manuscript.Block
		for _, b := range sec.Blocks {
			if p, ok := b.(*manuscript.Paragraph); ok {
				blocks = append(blocks, k.before[p]...)
			}
			blocks = append(blocks, b)
		}
		sec.Blocks = blocks
		n++
		for _, b := range blocks {
			n++
			at := manuscript.Place{Part: "body", Paragraph: n}
			switch b := b.(type) {
			case *manuscript.Paragraph:
				b.Place = at
			case *manuscript.Heading:
				b.Place = at
			case *manuscript.Figure:
				b.Place = at
			case *manuscript.Table:
				b.Place = at
			case *manuscript.PageBreak:
				b.Place = at
			}
		}
	}
}
