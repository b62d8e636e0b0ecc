package examples

import (
	"mappe/localdev/demo/sample"
	"mappe/shared/book/finding"
)

// manuscript is a made-up book.
type manuscript struct {
	file          string // its name
	title, author string
	make          sample.Options // but for title and author
}

// docx is the manuscript's file.
func (m manuscript) docx() []byte {
	o := m.make
	o.Title, o.Author = m.title, m.author
	made := sample.Make(o)
	return made.DOCX()
}

// manuscripts are two made-up books, a German one with everything that a page can hold and an English
// novel, with faults for the report to find.
var manuscripts = []manuscript{
	{"das-haus-am-fluss.docx", "Das Haus am Fluss", "Johanna Reiter", sample.Options{
		Language: "de", Words: 18_000, Seed: 7, Rich: true, PerType: 2,
		Plant: []finding.Type{finding.TrackedChange, finding.Comment, finding.DoubleSpace, finding.StraightQuotes, finding.ThreeDots,
			finding.TabIndent},
	}},
	{"the-house-on-the-river.docx", "The House on the River", "Edith Marlowe", sample.Options{
		Language: "en", Words: 30_000, Seed: 11, PerType: 2,
		Plant: []finding.Type{finding.PlaceholderText, finding.DoubleHyphen, finding.DoubleSpace, finding.EmptyParagraphs,
			finding.UnmatchedQuotes},
	}},
}
