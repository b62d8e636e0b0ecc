package clean

import (
	"fmt"
	"strings"
	"testing"

	"mappe/shared/book/manuscript"
)

// shapesOf are the blocks of a text after the repair, with what a shape holds.
func shapesOf(blocks ...manuscript.Block) string {
	b, _ := Repair(manuscript.Book{Meta: manuscript.Meta{Language: "en"}, Styles: []manuscript.StyleUse{{Name: "Normal", Paragraphs: 1}},
		Sections: []manuscript.Section{{Title: para("One Day").Inlines, Blocks: blocks}}}, Options{Language: "en"})
	var all []string
	for _, x := range b.Sections[0].Blocks {
		switch x := x.(type) {
		case *manuscript.Paragraph:
			all = append(all, "p "+manuscript.Flow(x.Inlines))
		case *manuscript.Figure:
			all = append(all, fmt.Sprintf("figure %d (%s)", x.Image, manuscript.Flow(x.Caption)))
		case *manuscript.Table:
			all = append(all, "table ("+manuscript.Flow(x.Caption)+")")
		case *manuscript.Quote:
			var said []string
			for in := range manuscript.Passages(x.Blocks) {
				said = append(said, manuscript.Flow(in))
			}
			all = append(all, "quote "+strings.Join(said, "|")+" ("+manuscript.Flow(x.Attribution)+")")
		case *manuscript.Verse:
			var lines []string
			for _, s := range x.Stanzas {
				for _, l := range s {
					lines = append(lines, fmt.Sprintf("%d%s", l.Indent, manuscript.Flow(l.Inlines)))
				}
				lines = append(lines, "")
			}
			all = append(all, "verse "+strings.Join(lines, "|"))
		case *manuscript.SceneBreak:
			all = append(all, "break"+x.Mark)
		}
	}
	return strings.Join(all, "\n")
}

// TestPicturesAndCaptions: a paragraph of one picture is a figure; the line beside a figure or a table that reads as
// captions do is its caption.
func TestPicturesAndCaptions(t *testing.T) {
	picture := func(n int) *manuscript.Paragraph {
		return &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: " "}, manuscript.InlineImage{Image: n}}}
	}
	table := func() *manuscript.Table {
		return &manuscript.Table{Rows: []manuscript.Row{{Cells: []manuscript.Cell{{Blocks: []manuscript.Block{para("x")}, ColSpan: 1,
			RowSpan: 1}}}}}
	}
	italic := &manuscript.Paragraph{Align: manuscript.AlignCenter,
		Inlines: []manuscript.Inline{manuscript.Text{S: "The mill in spring", Style: manuscript.Italic}}}
	for _, c := range []struct {
		name   string
		blocks []manuscript.Block
		want   string
	}{
		{"a picture alone", []manuscript.Block{picture(2)}, "figure 2 ()"},
		{"two pictures in a line stay in it",
			[]manuscript.Block{&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.InlineImage{},
				manuscript.InlineImage{Image: 1}}}}, "p \ufffc\ufffc"},
		{"a picture in a sentence stays in it",
			[]manuscript.Block{&manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: "a "}, manuscript.InlineImage{}}}},
			"p a \ufffc"},
		{"a numbered caption below a picture", []manuscript.Block{picture(0), para("Figure 3: The mill")}, "figure 0 (Figure 3: The mill)"},
		{"a German one", []manuscript.Block{picture(0), para("Abb. 3 Die Mühle")}, "figure 0 (Abb. 3 Die Mühle)"},
		{"a Roman one", []manuscript.Block{picture(0), para("Plate IV. The mill")}, "figure 0 (Plate IV. The mill)"},
		{"an italic line in the middle", []manuscript.Block{picture(0), italic}, "figure 0 (The mill in spring)"},
		{"a sentence that begins with the word", []manuscript.Block{picture(0), para("Figure this out")}, "figure 0 ()\np Figure this out"},
		{"the caption of a table is not that of a picture", []manuscript.Block{picture(0), para("Table 1: Grain")},
			"figure 0 ()\np Table 1: Grain"},
		{"above a table", []manuscript.Block{para("Tabelle 2: Korn"), table()}, "table (Tabelle 2: Korn)"},
		{"below a table", []manuscript.Block{table(), para("Table: Grain")}, "table (Table: Grain)"},
		{"between two tables it belongs to the one above", []manuscript.Block{table(), para("Table 1: Grain"), table()},
			"table (Table 1: Grain)\ntable ()"},
		{"a picture's caption is not that of a table", []manuscript.Block{table(), para("Figure 1: The mill")},
			"table ()\np Figure 1: The mill"},
	} {
		if got := shapesOf(c.blocks...); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestVerse: lines that end early, begin with capitals and are no speech are verse; its indents count in steps.
func TestVerse(t *testing.T) {
	long := strings.Repeat("And so it went on and on ", 3)
	for _, c := range []struct{ name, in, want string }{
		{"three short lines", "The river runs|And carries off|The moon", "verse 0The river runs|0And carries off|0The moon|"},
		{"two lines are prose", "The river runs|And carries off", "p The river runs And carries off"},
		{"lines moved in", "The river runs|\tAnd carries off|        The moon", "verse 0The river runs|1And carries off|2The moon|"},
		{"a line break at the end", "The river runs|And carries off|The moon|", "verse 0The river runs|0And carries off|0The moon|"},
		{"small letters are prose", "the river runs|and carries off|the moon", "p the river runs and carries off the moon"},
		{"a long line is prose", "The river runs|" + long + "|The moon", "p The river runs " + strings.TrimSpace(long) + " The moon"},
		{"speech is prose", "“Come!”|“No.”|“Come!”", "p “Come!”\np “No.”\np “Come!”"},
	} {
		if got := shapesOf(para(c.in)); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.name, got, c.want)
		}
	}
	if got, want := shapesOf(para("The river runs|And carries off|The moon"),
		para("The morning comes|And nobody|Will say")),
		"verse 0The river runs|0And carries off|0The moon||0The morning comes|0And nobody|0Will say|"; got != want {
		t.Errorf("two stanzas\n got %q\nwant %q", got, want)
	}
}

// TestAuthorsBelowQuotations: a short line with a dash below a quotation says who wrote it.
func TestAuthorsBelowQuotations(t *testing.T) {
	quote := func(lines ...string) *manuscript.Quote {
		q := &manuscript.Quote{}
		for _, l := range lines {
			q.Blocks = append(q.Blocks, para(l))
		}
		return q
	}
	said := quote("All is water.", "Thales")
	said.Blocks[1].(*manuscript.Paragraph).Role = manuscript.RoleAttribution
	for _, c := range []struct {
		name string
		q    *manuscript.Quote
		want string
	}{
		{"an em dash", quote("All is water.", "— Thales"), "quote All is water. (— Thales)"},
		{"an en dash", quote("Alles ist Wasser.", "– Thales"), "quote Alles ist Wasser. (– Thales)"},
		{"the style of a source", said, "quote All is water. (Thales)"},
		{"no dash", quote("All is water.", "Thales"), "quote All is water.|Thales ()"},
		{"nothing but the line", quote("— Thales"), "quote — Thales ()"},
		{"a long speech with a dash", quote("All is water.", "— "+prose), "quote All is water.|— " + prose + " ()"},
	} {
		if got := shapesOf(c.q); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestSceneMarks: which lines are nothing but a mark between two scenes.
func TestSceneMarks(t *testing.T) {
	for in, want := range map[string]string{
		"***": "***", "* * *": "* * *", "#": "#", "~": "~", "⁂": "⁂", "❦": "❦", "---": "---", "– – –": "– – –", "___": "___", "•": "•",
		"++": "++",
		"--": "", "–": "", "+": "", "§": "", "†": "", "* one *": "", "12": "", "": "", "?": "",
		strings.Repeat("*", 25): "",
	} {
		if got := sceneMark(para(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
