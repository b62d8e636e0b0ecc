package sample

import "mappe/shared/book/finding"

// DemoBook is a manuscript of the demonstration project, as its author sends it.
type DemoBook struct {
	File, Title, Author, Language string
	Bytes                         []byte
}

// faults are what an ordinary manuscript brings with it.
var faults = []finding.Type{
	finding.StraightQuotes, finding.DoubleSpace, finding.EdgeSpace, finding.TabIndent, finding.DoubleHyphen, finding.ThreeDots,
	finding.UnmatchedQuotes, finding.PlaceholderText, finding.EmptyParagraphs, finding.ManualPageBreak, finding.UnderlineEmphasis,
	finding.TrackedChange, finding.Comment, finding.TOCField, finding.KeptSceneBreak,
}

// Demo are the two books of the demonstration project: a German one with notes, verse, quotations, lists,
// tables, figures and index entries, and an English novel.
func Demo() []DemoBook {
	german := Options{Language: "de", Words: 32_000, Seed: 3, Title: "Das Grundbuch", Author: "Johanna Reiter", Rich: true, Matter: true,
		Index: true, PerType: 2,
		Plant: append([]finding.Type{finding.LowResImage, finding.MissingAltText, finding.ColourImage, finding.FakeHeading}, faults...)}
	english := Options{Language: "en", Words: 60_000, Seed: 5, Title: "The Last Ferry", Author: "Edith Marlowe", Matter: true, PerType: 3,
		Plant: faults}
	var all []DemoBook
	for _, d := range []struct {
		file string
		o    Options
	}{{"das-grundbuch.docx", german}, {"the-last-ferry.docx", english}} {
		m := Make(d.o)
		all = append(all, DemoBook{File: d.file, Title: d.o.Title, Author: d.o.Author, Language: d.o.Language, Bytes: m.DOCX()})
	}
	return all
}
