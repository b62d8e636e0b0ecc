package sample

import (
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// planted is what a fault that stands in the text is counted as; see Plant.
type planted struct {
	count int
	near  string
	ok    bool // it stands there
}

// spot is where a fault is planted: a paragraph and a word in the middle of it.
type spot struct {
	t        finding.Type
	p        *manuscript.Paragraph
	s        string // the paragraph
	from, to int    // of the word in s
}

func (a spot) word() string   { return a.s[a.from:a.to] }
func (a spot) beside() string { return a.s[a.from:clip(a.s, min(a.to+6, a.from+22))] }
func (a spot) begin() string  { return a.s[:clip(a.s, 16)] }

// set gives the paragraph another text.
func (a spot) set(changed string) planted {
	a.p.Inlines = inline(changed)
	return planted{1, a.beside(), true}
}

// inside puts something in front of the word.
func (a spot) inside(between string) planted { return a.set(a.s[:a.from] + between + a.s[a.from:]) }

// one plants a fault in or before a paragraph and says how often a report counts it and what stands beside it.
func (k *maker) one(t finding.Type, p *manuscript.Paragraph) planted {
	s := text(p)
	from, to, found := k.middle(s, 2)
	if !found {
		return planted{}
	}
	a := spot{t, p, s, from, to}
	for _, plant := range []func(spot) planted{k.spaces, k.signs, k.words, k.blocks, k.tables, k.notes} {
		if done := plant(a); done.ok {
			return done
		}
	}
	return planted{}
}

// spaces plants what is wrong with spaces.
func (k *maker) spaces(a spot) planted {
	switch a.t {
	case finding.DoubleSpace:
		return a.inside(" ")
	case finding.EdgeSpace:
		a.p.Inlines = inline(a.s + " ")
		return planted{1, a.s[clip(a.s, len(a.s)-14):], true}
	case finding.TabIndent:
		a.p.Inlines = inline("\t" + a.s)
		return planted{1, a.begin(), true}
	case finding.SpaceIndent:
		a.p.Inlines = inline("    " + a.s)
		return planted{1, a.begin(), true}
	case finding.ZeroWidth:
		return a.inside("\u200b")
	case finding.NonBreakingSpace:
		return a.set(a.s[:a.from-1] + "\u00a0" + a.s[a.from:])
	}
	return planted{}
}

// signs plants what is wrong with dots, dashes, hyphens and quotation marks.
func (k *maker) signs(a spot) planted {
	switch a.t {
	case finding.ThreeDots:
		return a.set(a.s[:a.from-1] + "... " + a.s[a.from:])
	case finding.DoubleHyphen:
		return a.set(a.s[:a.from-1] + k.say("--", " -- ") + a.s[a.from:])
	case finding.SoftHyphen:
		at := a.from + strings.IndexByte(a.word()+" ", ' ')/2
		a.p.Inlines = inline(a.s[:at] + "\u00ad" + a.s[at:])
		return planted{1, a.s[a.to:clip(a.s, a.to+14)], true}
	case finding.StraightQuotes:
		changed := strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "’", "'").Replace(a.s)
		a.p.Inlines = inline(changed)
		return planted{strings.Count(changed, `"`) + strings.Count(changed, "'"), "", true}
	case finding.UnmatchedQuotes:
		shut := k.say("”", "“")
		i := strings.LastIndex(a.s, shut)
		if i < 0 || k.speechFollows(a.p) {
			return planted{}
		}
		a.p.Inlines = inline(a.s[:i] + a.s[i+len(shut):])
		return planted{1, "", true}
	}
	return planted{}
}

// words plants words that do not belong there or look wrong.
func (k *maker) words(a spot) planted {
	switch a.t {
	case finding.PlaceholderText:
		return a.inside(pick(k.dice, []string{"TK ", "XXX ", "TODO ", k.say("[insert name] ", "[Name einsetzen] "), "[???] "}))
	case finding.UnderlineEmphasis:
		a.p.Inlines = []manuscript.Inline{manuscript.Text{S: a.s[:a.from]}, manuscript.Text{S: a.word(), Style: manuscript.Underline},
			manuscript.Text{S: a.s[a.to:]}}
		k.m.Kept[finding.KeptItalic]++
		return planted{1, a.word(), true}
	case finding.SoftReturn:
		a.p.Inlines = []manuscript.Inline{manuscript.Text{S: a.s[:a.from-1]}, manuscript.LineBreak{}, manuscript.Text{S: a.s[a.from:]}}
		return planted{1, a.beside(), true}
	case finding.MissingGlyph:
		return a.inside("漢 ")
	case finding.LongWord:
		a.set(a.s[:a.from] + "B7F3D9C1A5E8B7F3D9C1A5E8B7F3D9C1A5E8B7F3D9C1A5E8X " + a.s[a.from:])
		return planted{1, "", true}
	case finding.MixedLanguages:
		other := prose{k.dice, !k.german}
		changed := other.telling(5)
		a.p.Inlines = inline(changed)
		return planted{1, "", true}
	}
	return planted{}
}

// insert puts blocks in front of a paragraph.
func (k *maker) insert(a spot, blocks ...manuscript.Block) {
	k.before[a.p] = append(k.before[a.p], blocks...)
}

// blocks plants paragraphs and headings; a gap between scenes is no fault.
func (k *maker) blocks(a spot) planted {
	switch a.t {
	case finding.EmptyParagraphs:
		k.insert(a, &manuscript.Paragraph{}, &manuscript.Paragraph{}, &manuscript.Paragraph{}, &manuscript.Paragraph{})
		return planted{1, a.begin(), true}
	case finding.FakeHeading:
		title := capital(k.thing("n"))
		if k.large = k.o.Sizes && !k.large; k.large {
			k.insert(a, &manuscript.Paragraph{Inlines: inline(title), Scale: largeScale})
			return planted{1, title, true}
		}
		k.insert(a, &manuscript.Paragraph{Inlines: []manuscript.Inline{manuscript.Text{S: title, Style: manuscript.Bold}}})
		k.m.Kept[finding.KeptBold]++
		return planted{1, title, true}
	case finding.HeadingLevelSkip:
		k.insert(a, &manuscript.Heading{Level: 1, Inlines: inline(capital(k.thing("n")))}, paragraph(k.telling(2)))
		title := capital(k.thing("n"))
		k.insert(a, &manuscript.Heading{Level: 3, Inlines: inline(title)})
		return planted{1, title, true}
	case finding.ManualNumbering:
		for i := range 3 {
			k.insert(a, paragraph(string(rune('1'+i))+". "+k.sentence()))
		}
		k.m.Kept[finding.KeptList]++
		return planted{1, "", true}
	case finding.KeptSceneBreak: // a gap between scenes, no fault
		k.insert(a, &manuscript.Paragraph{})
		k.m.Kept[finding.KeptSceneBreak]++
		return planted{0, "", true}
	}
	return planted{}
}

// tables plants pictures and tables.
func (k *maker) tables(a spot) planted {
	switch a.t {
	case finding.LowResImage:
		k.insert(a, k.figure(400, 260, true, true))
		return planted{1, "", true}
	case finding.MissingAltText:
		k.insert(a, k.figure(1300, 860, true, false))
		return planted{1, "", true}
	case finding.ColourImage:
		k.insert(a, k.figure(1300, 860, false, true))
		return planted{1, "", true}
	case finding.WideTable:
		k.insert(a, k.table(14, 3, k.say("Table 99. Everything", "Tabelle 99. Alles")))
		k.m.Kept[finding.KeptTable]++
		k.m.Kept[finding.KeptCaption]++
		return planted{1, "", true}
	case finding.NestedTable:
		outer, inner := k.table(3, 3, k.say("Table 98. Framed", "Tabelle 98. Gerahmt")), k.table(2, 3, "")
		inner.Caption, inner.HeadRows = nil, 0
		cell := &outer.Rows[1].Cells[1]
		cell.Blocks = append(cell.Blocks, inner, paragraph(k.say("below", "darunter")))
		k.insert(a, outer)
		k.m.Kept[finding.KeptTable]++
		k.m.Kept[finding.KeptCaption]++
		return planted{1, "", true}
	}
	return planted{}
}

// notes plants notes without their other half, and what only a word processor's file can hold.
func (k *maker) notes(a spot) planted {
	switch a.t {
	case finding.NoteWithoutText:
		a.p.Inlines = append(a.p.Inlines, manuscript.NoteRef{Note: len(k.m.Book.Notes)})
		k.m.Book.Notes = append(k.m.Book.Notes, manuscript.Note{})
		return planted{1, "", true}
	case finding.NoteWithoutReference:
		k.m.Book.Notes = append(k.m.Book.Notes, manuscript.Note{Blocks: []manuscript.Block{paragraph(k.sentence())}})
		return planted{1, "", true}
	case finding.TrackedChange, finding.Comment, finding.HiddenText, finding.TextBox, finding.Highlight, finding.DirectFormatting,
		finding.UnsupportedObject, finding.MissingImage, finding.PageReference:
		a.p.Inlines = []manuscript.Inline{manuscript.Text{S: a.s[:a.from]}, manuscript.Text{S: a.word()}, manuscript.Text{S: a.s[a.to:]}}
		k.m.extra[a.p] = a.t
		if a.t == finding.PageReference {
			k.m.Kept[finding.KeptLink]++
		}
		return planted{1, "", true}
	}
	return planted{}
}
