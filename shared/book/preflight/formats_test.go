package preflight

import (
	"slices"
	"testing"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/finding"
)

// without are the faults of the model that a format cannot hold: it has no page breaks, no notes, or
// spaces and tabs mean nothing in it.
func without(types ...finding.Type) []finding.Type {
	return slices.DeleteFunc(slices.Clone(ofModel), func(t finding.Type) bool { return slices.Contains(types, t) })
}

var (
	spacing = []finding.Type{finding.DoubleSpace, finding.EdgeSpace, finding.TabIndent, finding.SpaceIndent, finding.EmptyParagraphs,
		finding.ManualPageBreak, finding.KeptSceneBreak}
	things = []finding.Type{finding.LowResImage, finding.MissingAltText, finding.ColourImage, finding.WideTable, finding.NestedTable,
		finding.NoteWithoutText, finding.NoteWithoutReference}
)

var formats = []struct {
	name  string
	write func(*sample.Manuscript) []byte
	plant []finding.Type
	plain bool // pictures, notes and tables are not written
}{
	{"book.odt", (*sample.Manuscript).ODT, without(finding.NoteWithoutReference), false},
	{"book.epub", (*sample.Manuscript).EPUB, without(append(spacing, finding.NoteWithoutReference)...), false},
	{"book.md", (*sample.Manuscript).Markdown,
		without(append(append(append([]finding.Type(nil), spacing...), things...), finding.UnderlineEmphasis)...), true},
	{"book.txt", (*sample.Manuscript).Text,
		without(append(append(append([]finding.Type(nil), spacing...), things...), finding.UnderlineEmphasis, finding.FakeHeading,
			finding.HeadingLevelSkip, finding.SoftReturn)...), true},
}

func TestPlantedFaultsInOtherFormats(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			judge(t, scoreOf(t, f.plant, !f.plain, through(t, f.name, f.write)))
		})
	}
}
