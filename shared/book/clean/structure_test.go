package clean

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

const prose = "The old house stood beside the river and waited for somebody to open its windows, which nobody had done since the spring of that year."

// bookOf makes a book of lines: "# " begins a section, "## " is a heading, "**x**" is bold, "^x" centred, "" an
// empty paragraph, "=" a page break, "|" a line break, "@" stands for a paragraph of prose.
func bookOf(lines ...string) manuscript.Book {
	b := manuscript.Book{Meta: manuscript.Meta{Language: "en"}, Styles: []manuscript.StyleUse{{Name: "Normal", Paragraphs: 1}}}
	n := 0
	for _, l := range lines {
		n++
		at := manuscript.Place{Part: "body", Paragraph: n}
		if t, ok := strings.CutPrefix(l, "# "); ok {
			sec := manuscript.Section{Place: at}
			if t != "" {
				sec.Title = para(t).Inlines
			}
			b.Sections = append(b.Sections, sec)
			continue
		}
		if len(b.Sections) == 0 {
			b.Sections = append(b.Sections, manuscript.Section{})
		}
		sec := &b.Sections[len(b.Sections)-1]
		if t, ok := strings.CutPrefix(l, "## "); ok {
			sec.Blocks = append(sec.Blocks, &manuscript.Heading{Level: 1, Inlines: para(t).Inlines, Place: at})
			continue
		}
		if t, ok := strings.CutPrefix(l, "#### "); ok {
			sec.Blocks = append(sec.Blocks, &manuscript.Heading{Level: 3, Inlines: para(t).Inlines, Place: at})
			continue
		}
		if l == "=" {
			sec.Blocks = append(sec.Blocks, &manuscript.PageBreak{Place: at})
			continue
		}
		p := &manuscript.Paragraph{Place: at}
		centre := strings.HasPrefix(l, "^")
		l = strings.TrimPrefix(l, "^")
		switch bold := strings.HasPrefix(l, "**"); {
		case l == "":
		case l == "@":
			p = para(prose)
		case bold:
			p.Inlines = []manuscript.Inline{manuscript.Text{S: strings.Trim(l, "*"), Style: manuscript.Bold}}
		default:
			p = para(l)
		}
		p.Place = at
		if centre {
			p.Align = manuscript.AlignCenter
		}
		sec.Blocks = append(sec.Blocks, p)
	}
	return b
}

// outline is a book in lines: "kind number|title: blocks".
func outline(b manuscript.Book) string {
	var lines []string
	for _, s := range b.Sections {
		line := fmt.Sprintf("%s %s|%s:", s.Kind, s.Number, manuscript.Flow(s.Title))
		for _, x := range s.Blocks {
			name := strings.ToLower(strings.TrimPrefix(reflect.TypeOf(x).String(), "*manuscript."))
			if p, ok := x.(*manuscript.Paragraph); ok {
				name = "p"
				if p.Role == manuscript.RoleFirst {
					name = "first"
				}
			}
			line += " " + name
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func counted(found []finding.Finding) string {
	n := map[finding.Type]int{}
	for _, f := range found {
		n[f.Type] += f.Count
	}
	var all []string
	for _, t := range finding.AllTypes() {
		if n[t] > 0 {
			all = append(all, fmt.Sprintf("%s %d", t, n[t]))
		}
	}
	return strings.Join(all, ", ")
}

func TestStructure(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
		found string
	}{
		{"numbers and titles", []string{"# Chapter 1: The Storm", "@", "# CHAPTER II", "@", "# Chapter Three — Home", "@", "# 4. Kapitel",
			"@", "# Fünftes Kapitel: Schluss", "@", "# 6. The End", "@"},
			"chapter 1|The Storm: first\nchapter II|CHAPTER II: first\nchapter Three|Home: first\nchapter 4|4. Kapitel: first\nchapter Fünftes|Schluss: first\nchapter 6|The End: first", ""},
		{"titles that are no numbers", []string{"# I Am Legend", "@", "# 1984", "@", "# Ten Little Men", "@", "# 12 Angry Men", "@",
			"# Part of the Family", "@"},
			"chapter |I Am Legend: first\nchapter |1984: first\nchapter |Ten Little Men: first\nchapter |12 Angry Men: first\nchapter |Part of the Family: first", ""},
		{"numbers without a stop", []string{"# 1 Introduction to Bees", "@", "# 2 The Hive", "@", "# 3 Honey", "@"},
			"chapter 1|Introduction to Bees: first\nchapter 2|The Hive: first\nchapter 3|Honey: first", ""},
		{"kinds", []string{"# Foreword", "@", "# Preface to the Second Edition", "@", "# Prologue", "@", "# Chapter 1", "@", "# Chapter 2",
			"@", "# Epilogue", "@", "# Acknowledgments", "@", "# Appendix B: Tables", "@", "# About the Author", "@"},
			"foreword |Foreword: first\npreface |Preface to the Second Edition: first\nprologue |Prologue: first\nchapter 1|Chapter 1: first\nchapter 2|Chapter 2: first\nepilogue |Epilogue: first\nacknowledgements |Acknowledgments: first\nappendix |Appendix B: Tables: first\nabout_author |About the Author: first", ""},
		{"parts with chapters below", []string{"# Part One: Spring", "## Chapter 1", "@", "#### Deep", "@", "## Chapter 2", "@",
			"# Part Two", "## Chapter 3", "@"},
			"part One|Spring:\nchapter 1|Chapter 1: first heading first\nchapter 2|Chapter 2: first\npart Two|Part Two:\nchapter 3|Chapter 3: first", "heading_level_skip 1"},
		{"a title above all", []string{"# The River", "## The Source", "@", "## The Mouth", "@"},
			"title_page |: p\nchapter |The Source: first\nchapter |The Mouth: first", ""},
		{"no headings at all", []string{"**Chapter 1**", "@", "@", "**Chapter 2**", "@", "@"},
			"chapter 1|Chapter 1: first p\nchapter 2|Chapter 2: first p", "fake_heading 2"},
		{"number and title on two lines", []string{"**CHAPTER ONE**", "**The Storm**", "@", "@", "**CHAPTER TWO**", "**Home**", "@"},
			"chapter ONE|The Storm: first p\nchapter TWO|Home: first", "fake_heading 2"},
		{"bare numbers after page breaks", []string{"^1", "@", "=", "^2", "@", "=", "^3", "@"},
			"chapter 1|1: first\nchapter 2|2: first\nchapter 3|3: first", "fake_heading 3, manual_page_break 2"},
		{"names that come again above chapters", []string{"^**Anna**", "@", "@", "@", "@", "@", "^**Tom**", "@", "@", "@", "@", "@",
			"^**Anna**", "@", "@", "@", "@", "@"},
			"chapter |Anna: first p p p p\nchapter |Tom: first p p p p\nchapter |Anna: first p p p p", "fake_heading 3, no_headings 1"},
		{"a bold line", []string{"# One Day", "@", "**The Heron**", "@"}, "chapter |One Day: first p p", "fake_heading 1"},
		{"a cry in capitals", []string{"# One Day", "@", "STOP THAT NOISE!", "@"}, "chapter |One Day: first p p", ""},
		{"typed contents", []string{"# Contents", "Chapter 1\t5", "Chapter 2\t19", "# Chapter 1", "@", "# Chapter 2", "@"},
			"contents |Contents: first p\nchapter 1|Chapter 1: first\nchapter 2|Chapter 2: first", "toc_field 1"},
		{"an empty heading", []string{"# Chapter 1", "@", "# ", "@", "# Chapter 2", "@"},
			"chapter 1|Chapter 1: first p\nchapter 2|Chapter 2: first", "empty_heading 1"},
		{"a chapter called contents", []string{"# Chapter 1", "@", "# Chapter 2", "@", "# Contents", prose + prose},
			"chapter 1|Chapter 1: first\nchapter 2|Chapter 2: first\nother |Contents: first", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, found := Repair(bookOf(c.lines...), Options{Language: "en"})
			if got := outline(b); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if got := counted(found); got != c.found {
				t.Errorf("found %q, want %q", got, c.found)
			}
		})
	}
}

func TestGaps(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
		found string
	}{
		{"one empty paragraph is a scene break", []string{"@", "@", "", "@", "@"}, "first p scenebreak first p", ""},
		{"three in a book without marks are one as well", []string{"@", "@", "", "", "", "@"}, "first p scenebreak first",
			"empty_paragraphs 1"},
		{"three in a book with marks make space", []string{"@", "* * *", "@", "", "", "", "@", "@"}, "first scenebreak first p p",
			"empty_paragraphs 1"},
		{"four make space", []string{"@", "@", "", "", "", "", "@"}, "first p p", "empty_paragraphs 1"},
		{"paragraphs parted as a rule", []string{"@", "", "@", "", "@", "", "", "@", "", "@"}, "first p p scenebreak first p",
			"empty_paragraphs 3"},
		{"at the edges", []string{"", "@", "@", "", ""}, "first p", "empty_paragraphs 2"},
		{"around a mark", []string{"@", "", "* * *", "", "@"}, "first scenebreak first", "empty_paragraphs 2"},
		{"before a heading", []string{"@", "@", "", "## Two", "", "@"}, "first p heading first", "empty_paragraphs 2"},
		{"marks", []string{"@", "#", "@", "~ ~ ~", "@", "⁂", "@", "---", "@"},
			"first scenebreak first scenebreak first scenebreak first scenebreak first", ""},
		{"a page break inside", []string{"@", "=", "@"}, "first p", "manual_page_break 1"},
		{"prose with a line break", []string{"@", "He went down to|the river. And there|He stopped."}, "first p", "soft_return 2"},
		{"a sentence ends before it", []string{"@", "He went down to the river.|There he stopped."}, "first p p", "soft_return 1"},
		{"verse", []string{"@", "The river runs by night|And carries off the moon|And what it leaves behind|Will follow very soon", "@"},
			"first verse p", ""},
		{"stanzas", []string{"@", "The river runs by night|And carries off the moon|And what it leaves|Will follow", "",
			"The morning comes again|And nobody will say|What it was we waited for|Or why it went away"}, "first verse",
			"empty_paragraphs 1"},
		{"numbered by hand", []string{"@", "1. Bread", "2. Butter", "3. Salt", "@"}, "first list p", "manual_numbering 1"},
		{"years are no list", []string{"@", "1914. It began.", "1915. It went on.", "@"}, "first p p p", ""},
		{"bullets", []string{"@", "•\tBread", "•\tSalt", "@"}, "first list p", "manual_numbering 1"},
		{"one alone is no list", []string{"@", "1. Bread", "@"}, "first p p", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, found := Repair(bookOf(append([]string{"# One Day"}, c.lines...)...), Options{Language: "en"})
			got := strings.TrimPrefix(outline(b), "chapter |One Day: ")
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := counted(found); got != c.found {
				t.Errorf("found %q, want %q", got, c.found)
			}
		})
	}
}

func TestFrontMatter(t *testing.T) {
	b, found := Repair(bookOf("^**The River**", "^by Anna Huber", "=", "© 2026 Anna Huber", "All rights reserved. ISBN 978-3-16-148410-0",
		"=", "For my mother", "=", "“All is water.”", "— Thales", "=",
		"# Chapter 1", "@", "# Chapter 2", "@"), Options{})
	want := "title_page |: p p\ncopyright |: first p\ndedication |: first\nepigraph |: first p\nchapter 1|Chapter 1: first\nchapter 2|Chapter 2: first"
	if got := outline(b); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := counted(found); got != "" {
		t.Errorf("found %s", got)
	}
	if b.Meta.Title != "The River" || b.Meta.Author != "Anna Huber" {
		t.Errorf("title %q, author %q", b.Meta.Title, b.Meta.Author)
	}
}

func TestOldSpelling(t *testing.T) {
	b := bookOf("# Eins", "Er wußte, daß er gehen mußte, und er ging mit dem Hund in die Stadt, wo niemand auf ihn wartete und das Haus nicht mehr war.")
	b.Meta.Language = "de"
	if got, _ := Repair(b, Options{}); got.Meta.Language != "de-1901" {
		t.Errorf("language %s, want de-1901", got.Meta.Language)
	}
}

func TestRepairLeavesItsInputAlone(t *testing.T) {
	make := func() manuscript.Book {
		return bookOf("^**The River**", "=", "# Chapter 1: “Storm”", ` "Come," she  said...`, "", "1. Bread", "2. Salt", "Line|and line",
			"## x", "#### y", "@", "**Chapter 2**", "@")
	}
	b := make()
	first, _ := Repair(b, Options{})
	if !reflect.DeepEqual(b, make()) {
		t.Error("Repair has written to its input")
	}
	second, _ := Repair(b, Options{})
	if !reflect.DeepEqual(first, second) {
		t.Error("Repair gives different books for the same input")
	}
}

func TestAnchorsOutliveChangesElsewhere(t *testing.T) {
	a, _ := Repair(bookOf("# Chapter 1", "@", "# Chapter 2", "Some other words."), Options{})
	b, _ := Repair(bookOf("# Chapter 1", "New words in front.", "@", "# Chapter 2", "Some other words."), Options{})
	pa, pb := a.Sections[0].Blocks[0].(*manuscript.Paragraph), b.Sections[0].Blocks[1].(*manuscript.Paragraph)
	if pa.Anchor == "" || pa.Anchor != pb.Anchor {
		t.Errorf("anchors %q and %q", pa.Anchor, pb.Anchor)
	}
}

func FuzzRepair(f *testing.F) {
	f.Add(`"It's" -- he said...`, "Chapter III: 'x'", "1. a|b\tc")
	f.Add("\u00ad\u200b \u00a0", "XXX", "* * *")
	f.Fuzz(func(t *testing.T, a, title, c string) {
		b := bookOf("# "+strings.ToValidUTF8(title, ""), strings.ToValidUTF8(a, ""), strings.ToValidUTF8(c, ""), "",
			strings.ToValidUTF8(a+c, ""))
		for _, l := range []string{"en", "de", "fr"} {
			Repair(b, Options{Language: l})
		}
	})
}

// TestTablesInTables: nothing that stands in an inner table is lost, and it keeps its order.
func TestTablesInTables(t *testing.T) {
	cell := func(blocks ...manuscript.Block) manuscript.Cell {
		return manuscript.Cell{Blocks: blocks, ColSpan: 1, RowSpan: 1}
	}
	rows := func(rows ...[]manuscript.Cell) *manuscript.Table {
		t := &manuscript.Table{}
		for _, r := range rows {
			t.Rows = append(t.Rows, manuscript.Row{Cells: r})
		}
		return t
	}
	inner := rows([]manuscript.Cell{cell(para("c")), cell(para("d"))}, []manuscript.Cell{cell(rows([]manuscript.Cell{cell(para("e"))})),
		cell(para("f"))})
	inner.Caption = para("caption").Inlines
	list := &manuscript.List{Items: [][]manuscript.Block{{para("g"), rows([]manuscript.Cell{cell(para("h"))})}}}
	quote := func() manuscript.Block {
		return &manuscript.Quote{Blocks: []manuscript.Block{rows([]manuscript.Cell{cell(para("x"),
			rows([]manuscript.Cell{cell(para("y"))}))})}}
	}
	outer := rows([]manuscript.Cell{cell(para("a")), cell(para("b"), inner, list)}, []manuscript.Cell{cell(para("i"))})
	frame := rows([]manuscript.Cell{cell(para("j"), rows([]manuscript.Cell{cell(para("k")), cell(para("l"))}))})
	b := manuscript.Book{
		Meta:     manuscript.Meta{Language: "en"},
		Sections: []manuscript.Section{{Blocks: []manuscript.Block{para("before"), outer, frame, quote(), para("after")}}},
		Notes:    []manuscript.Note{{Blocks: []manuscript.Block{quote()}}},
	}
	said := func(b manuscript.Book) (out []string) {
		for in := range manuscript.Passages(b.Sections[0].Blocks) {
			out = append(out, manuscript.Plain(in))
		}
		for in := range manuscript.Passages(b.Notes[0].Blocks) {
			out = append(out, manuscript.Plain(in))
		}
		return out
	}
	want := said(b)
	got, found := Repair(b, Options{Language: "en"})
	if now := said(got); !reflect.DeepEqual(now, want) || !reflect.DeepEqual(said(b), want) {
		t.Errorf("says %q, want %q", now, want)
	}
	told := 0
	for _, f := range found {
		if f.Type == finding.NestedTable {
			told += f.Count
		}
	}
	if told != 4 {
		t.Errorf("%d tables told, want 4", told)
	}
	for _, x := range got.Sections[0].Blocks {
		if x, ok := x.(*manuscript.Table); ok && holdsTable(x) {
			t.Error("a table is left in a table")
		}
	}
	if x, ok := got.Sections[0].Blocks[3].(*manuscript.Table); !ok || len(x.Rows[0].Cells) != 2 {
		t.Errorf("the framed table is %T", got.Sections[0].Blocks[3])
	}
}
