package preflight

import (
	"slices"
	"testing"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader"
)

// through reads a manuscript back from the bytes of a file.
func through(t *testing.T, name string, write func(*sample.Manuscript) []byte) func(sample.Manuscript) (manuscript.Book,
	[]finding.Finding) {
	return func(m sample.Manuscript) (manuscript.Book, []finding.Finding) {
		t.Helper()
		b, found, err := reader.Read(name, write(&m), reader.Default())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return b, found
	}
}

// ofWord are the faults a Word file can hold beside those of the model.
var ofWord = []finding.Type{
	finding.TrackedChange, finding.Comment, finding.HiddenText, finding.TextBox, finding.Highlight, finding.DirectFormatting,
	finding.UnsupportedObject, finding.PageReference, finding.TOCField,
}

func TestNothingIsFoundInGoodWordFiles(t *testing.T) {
	for ty, c := range score(t, nil, through(t, "book.docx", (*sample.Manuscript).DOCX)) {
		if c.reported > 0 {
			t.Errorf("%s: %d told, nothing was planted", ty, c.reported)
		}
	}
}

func TestPlantedFaultsInWordFiles(t *testing.T) {
	judge(t, score(t, slices.Concat(ofModel, ofWord), through(t, "book.docx", (*sample.Manuscript).DOCX)))
}
