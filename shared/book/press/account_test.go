package press

import (
	"fmt"
	"testing"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// TestNoWordVanishes: every word of the sample manuscripts, with and without planted faults and in each format,
// stands in the book or is left out with a finding.
func TestNoWordVanishes(t *testing.T) {
	for name, b := range sampleFiles(t) {
		m, err := Open(name, b, spec.Default())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, f := range m.Found {
			if f.Type == finding.WordsLost {
				t.Errorf("%s: %s of %q", name, f.Detail, f.Excerpt)
			}
		}
	}
}

// TestLostWordsAreTold: a reader or a repair that drops a paragraph without a word is found out, with the passage.
func TestLostWordsAreTold(t *testing.T) {
	p := Standard()
	repair := p.Repair
	p.Repair = func(b manuscript.Book, s spec.Spec) (manuscript.Book, []finding.Finding) {
		out, found := repair(b, s)
		blocks := out.Sections[0].Blocks
		out.Sections[0].Blocks = blocks[:len(blocks)-1]
		return out, found
	}
	m, err := p.Open("a.txt", []byte("Chapter 1\n\nIt rained for three days.\n\nNobody crossed the river that night.\n"), spec.Default())
	if err != nil {
		t.Fatal(err)
	}
	if n := m.Report.Summary.ByType["words_lost"]; n != 1 {
		t.Fatalf("%d findings, want 1", n)
	}
	for _, f := range m.Found {
		if f.Type == finding.WordsLost && (f.Severity != finding.High || f.Excerpt != "Nobody crossed the river that night." ||
			f.Detail != "6 words") {
			t.Errorf("%+v", f)
		}
	}
}

// sampleFiles are made-up manuscripts by the name of their file.
func sampleFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for seed, language := range []string{"en", "de"} {
		for _, plant := range [][]finding.Type{nil, {
			finding.TrackedChange, finding.Comment, finding.HiddenText, finding.TextBox, finding.RunningHeadInBody,
			finding.NoteWithoutReference, finding.NoteWithoutText,
			finding.ManualNumbering, finding.TOCField, finding.SoftReturn, finding.FakeHeading, finding.SoftHyphen, finding.ZeroWidth,
			finding.NestedTable, finding.UnsupportedObject,
		}} {
			o := sample.Options{Language: language, Words: 4000, Seed: uint64(seed + 1), Rich: true, Plant: plant}
			for end, write := range map[string]func(*sample.Manuscript) []byte{
				"docx": (*sample.Manuscript).DOCX, "odt": (*sample.Manuscript).ODT, "epub": (*sample.Manuscript).EPUB,
				"md": (*sample.Manuscript).Markdown, "txt": (*sample.Manuscript).Text,
			} {
				m := sample.Make(o)
				files[fmt.Sprintf("%s-%d.%s", language, len(plant), end)] = write(&m)
			}
		}
	}
	return files
}
