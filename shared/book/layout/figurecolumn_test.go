package layout

import (
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

func TestFigure(t *testing.T) {
	for _, c := range []struct{ in, mark, units, rest string }{
		{"12", ".", "12", ""}, {"1,204.5", ".", "1,204", ".5"}, {"1.204,5", ",", "1.204", ",5"}, {"–12.75 %", ".", "–12", ".75 %"},
		{"€ 3,–", ",", "€ 3", ",–"}, {"1 204", ",", "1 204", ""}, {"0.125", ".", "0", ".125"}, {"+7°", ".", "+7", "°"},
		{"12 km", ".", "", ""}, {"a12", ".", "", ""}, {"", ".", "", ""}, {"–", ".", "", ""}, {"3. Mai", ",", "", ""},
	} {
		units, rest, ok := figure(c.in, c.mark)
		if units != c.units || rest != c.rest || ok != (c.units != "") {
			t.Errorf("%q: %q and %q, %v", c.in, units, rest, ok)
		}
	}
	for _, c := range []struct{ list, language, want string }{
		{"1.5 2.25", "en", "."}, {"1,5 2,25", "en", ","}, {"1,500 2,250", "en", "."}, {"1.5 2.25", "de", "."}, {"1.500 2.250", "de", ","},
		{"1.500 2,5", "de", ","},
	} {
		if got := decimalMark(strings.Fields(c.list), c.language); got != c.want {
			t.Errorf("%s in %s: %q", c.list, c.language, got)
		}
	}
}

// Numbers of a column stand with their units under each other, at the column's right edge with its head; other
// columns, and numbers the author has put in the middle, stay as they are.
func TestNumbersStandUnderEachOther(t *testing.T) {
	row := func(cells ...string) (r manuscript.Row) {
		for _, c := range cells {
			r.Cells = append(r.Cells, spanned(c, 1, 1))
		}
		return r
	}
	table := &manuscript.Table{HeadRows: 1, Widths: []float64{0.25, 0.25, 0.25, 0.25}, Rows: []manuscript.Row{
		row("Place", "Height", "Centred", "Mixed"),
		row("Hill", "1,204.5", "8", "81"), row("Bridge", "88.25", "88", "n/a"), row("Mill", "–", "888", "82"),
		row("Weir", "7", "8888", "83"),
	}}
	for i := range table.Rows {
		table.Rows[i].Cells[2].Align = manuscript.AlignCenter
	}
	for _, face := range []string{"libertine", "stix-two"} {
		s := spec.Default()
		s.Face = face
		out, r := set(t, tableBook(table), s, Options{})
		sound(t, out, r)
		at := map[string]page.Glyphs{}
		for _, w := range []string{"Place", "Height", "Mixed", "Hill", "1,204", "88.25", "–", "7", "81", "82"} {
			_, at[w] = where(t, out, w)
		}
		point := func(g page.Glyphs) Unit { // where the units end
			x := g.X
			for _, l := range g.Glyphs {
				if l.Text == "." {
					break
				}
				x += l.Advance
			}
			return x
		}
		edge := func(g page.Glyphs) (x Unit) {
			x = g.X
			for _, l := range g.Glyphs {
				x += l.Advance
			}
			return x
		}
		near := func(a, b Unit) bool { return a-b < 400 && b-a < 400 }
		want := point(at["88.25"])
		for _, w := range []string{"1,204", "7", "–"} {
			if !near(point(at[w]), want) {
				t.Errorf("%s: %s ends at %d, want %d", face, w, point(at[w]), want)
			}
		}
		if !near(edge(at["Height"]), edge(at["88.25"])) {
			t.Errorf("%s: the head ends at %d, the longest number at %d", face, edge(at["Height"]), edge(at["88.25"]))
		}
		if !near(at["Hill"].X, at["Place"].X) || !near(at["81"].X, at["Mixed"].X) || !near(at["82"].X, at["Mixed"].X) {
			t.Errorf("%s: other columns: %+v", face, at)
		}
	}
}
