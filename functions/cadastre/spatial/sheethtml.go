package spatial

import (
	_ "embed"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/sheet"
	"mappe/shared/web/htmlpage"
)

//go:embed sheet.css
var sheetCSS string

var (
	sheetStyle  = htmlpage.Style + sheetCSS + inkStyle()
	sheetPolicy = htmlpage.Policy{Styles: []string{sheetStyle}, Images: []string{"data:"}}
)

// sheetWriter writes a sheet as a page; every text is escaped by the method that writes it.
type sheetWriter struct{ strings.Builder }

// tagged writes a text between tags.
func (w *sheetWriter) tagged(open, text, end string) {
	w.WriteString(open + html.EscapeString(text) + end)
}

// sheetHTML is a sheet as a page in a language, with what leads to it as a file.
func sheetHTML(s *sheet.Sheet, l language, pdf string) string {
	w := &sheetWriter{}
	w.WriteString(htmlpage.HeadIn(string(l), s.Info.Title, sheetStyle))
	main := "<main>"
	if crowded(s) {
		main = `<main class="small">`
	}
	w.tagged(main+"\n<header><h1>", s.Title, "</h1>")
	w.tagged("<p>", s.Aside, "</p>")
	if pdf != "" {
		w.tagged(`<p class="screen"><a href="`, pdf, `">PDF</a></p>`)
	}
	w.WriteString("</header>\n")
	w.figure(&s.Plan)
	for _, note := range s.Notes {
		w.tagged(`<p class="soft">`, note, "</p>\n")
	}
	w.WriteString("<div class=\"cols\">\n")
	for i := range s.Sections {
		w.section(&s.Sections[i])
	}
	w.WriteString("</div>\n")
	w.section(&s.Foot)
	w.WriteString("</main>\n</body>\n</html>\n")
	return w.String()
}

// The type of a sheet in a browser, as sheet.css has it: characters of a line over the width of a column, and lines of a column.
const (
	lineCharacters = 54
	columnLines    = 54
)

// crowded says whether the sections of a sheet hold so much that they fit on one page in small type only. It counts lines: which
// faces a browser has is not known here.
func crowded(s *sheet.Sheet) bool {
	total := 0.0
	lines := make([]float64, len(s.Sections))
	for i := range s.Sections {
		lines[i] = linesOf(&s.Sections[i])
		total += lines[i]
	}
	best, left := total, 0.0
	for _, n := range lines {
		left += n
		best = min(best, max(left, total-left))
	}
	return best+linesOf(&s.Foot)/2 > columnLines // the foot has wide lines
}

// linesOf is about how many lines a section takes in a column.
func linesOf(s *sheet.Section) float64 {
	ceil := func(text string, share int) float64 {
		return math.Ceil(float64(utf8.RuneCountInString(text)) * 100 / float64(share) / lineCharacters)
	}
	n := 2.0
	for _, row := range s.Rows {
		most := 1.0
		for k, cell := range row {
			most = max(most, ceil(cell, s.Shares[min(k, len(s.Shares)-1)]))
		}
		n += most
	}
	for _, line := range append(slices.Clone(s.Lines), s.Soft...) {
		n += ceil(line, 100)
	}
	if s.Figure != nil {
		n += s.Figure.Drawing.Height/4 + ceil(s.Figure.Caption, 100)
	}
	return n
}

func (w *sheetWriter) section(s *sheet.Section) {
	w.WriteString("<section>\n")
	if s.Title != "" {
		w.tagged("<h2>", s.Title, "</h2>\n")
	}
	w.table(s)
	for _, line := range s.Lines {
		w.tagged("<p>", line, "</p>\n")
	}
	if s.Figure != nil {
		w.figure(s.Figure)
	}
	for _, line := range s.Soft {
		w.tagged(`<p class="soft">`, line, "</p>\n")
	}
	w.WriteString("</section>\n")
}

func (w *sheetWriter) table(s *sheet.Section) {
	if len(s.Rows) == 0 {
		return
	}
	if s.Head == nil {
		w.WriteString("<table class=\"c" + strconv.Itoa(s.Shares[0]) + "\">\n")
	} else {
		w.WriteString("<table class=\"list\">\n<tr>")
		for _, cell := range s.Head {
			w.tagged(`<th scope="col">`, cell, "</th>")
		}
		w.WriteString("</tr>\n")
	}
	for _, row := range s.Rows {
		w.WriteString("<tr>")
		for i, cell := range row {
			switch {
			case i == 0 && s.Head == nil:
				w.tagged(`<th scope="row">`, cell, "</th>")
			default:
				w.tagged("<td>", cell, "</td>")
			}
		}
		w.WriteString("</tr>\n")
	}
	w.WriteString("</table>\n")
}

func (w *sheetWriter) figure(f *sheet.Figure) {
	w.WriteString("<figure>")
	w.drawing(&f.Drawing)
	w.tagged("<figcaption>", f.Caption, "</figcaption></figure>\n")
}

func (w *sheetWriter) drawing(d *sheet.Drawing) {
	w.WriteString(`<svg class="` + d.Class + `" viewBox="0 0 ` + millimetres(d.Width) + " " + millimetres(d.Height) + `" role="img"`)
	w.tagged(` aria-label="`, d.Label, `">`)
	for i := range d.Shapes {
		s := &d.Shapes[i]
		if s.Text != "" {
			w.tagged(`<text class="`+s.Ink.Name+`" x="`+millimetres(s.At.X)+`" y="`+millimetres(s.At.Y)+`">`, s.Text, "</text>")
			continue
		}
		w.WriteString(`<path class="` + s.Ink.Name + `" fill-rule="evenodd" d="` + pathOf(s) + `"/>`)
	}
	w.WriteString("</svg>")
}

// pathOf is the lines of a shape as SVG writes them.
func pathOf(s *sheet.Shape) string {
	var b strings.Builder
	for _, line := range s.Lines {
		for i, p := range line {
			step := "L"
			if i == 0 {
				step = "M"
			}
			b.WriteString(step + millimetres(p.X) + " " + millimetres(p.Y))
		}
		if s.Closed {
			b.WriteString("Z")
		}
	}
	return b.String()
}

func millimetres(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }
