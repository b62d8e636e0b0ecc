package clean

import (
	"testing"

	"mappe/shared/book/manuscript"
)

// TestFlowIsTheTextOfInlines: cut and the repairs of letters count bytes in one text.
func TestFlowIsTheTextOfInlines(t *testing.T) {
	in := []manuscript.Inline{
		manuscript.Text{S: "Ä "}, manuscript.LineBreak{}, manuscript.NoteRef{}, manuscript.Target{Name: "x"},
		manuscript.Link{Href: "#x", Inlines: []manuscript.Inline{manuscript.Text{S: "b"}, manuscript.InlineImage{},
			manuscript.LineBreak{}}},
		manuscript.InlineImage{}, manuscript.IndexMark{Term: "t"}, manuscript.Text{S: "c", Style: manuscript.Monospace},
	}
	for n := range in {
		var f flow
		f.read(in[:n+1])
		if want := manuscript.Flow(in[:n+1]); f.text != want || f.pieces[len(f.pieces)-1].end != len(want) {
			t.Errorf("flow %q with pieces %v, want %q", f.text, f.pieces, want)
		}
	}
}
