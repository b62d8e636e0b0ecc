// Package dxf writes drawings as DXF of AutoCAD release 12 (AC1009, ASCII): closed polylines, texts and points on layers. It owns the
// form; what stands on which layer is the caller's. Release 12 is what every program reads, and what the survey office's own
// drawings are in.
//
//	HEADER    release, code page, extent of the drawing
//	TABLES    line type CONTINUOUS, the layers with their colours, text style STANDARD
//	ENTITIES  POLYLINE with VERTEX of each ring (flag 1: closed), TEXT centred at a position, POINT
//	EOF       comments (group 999) stand before all
//
// A group is its code on one line and its value on the next. Coordinates are of the drawing's system, x east and y north, with
// three decimals (degrees: eight). Text is Windows-1252, which the header says, of the characters that it has in common with
// Latin-1; others are written as \U+XXXX, as AutoCAD does. Layer names are A to Z, 0 to 9, $, - and _, at most 31.
//
// The drawing is streamed: nothing of it is held but the current row.
package dxf

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// ContentType is the registered media type.
const ContentType = "image/vnd.dxf"

// Drawing is the content of a file.
type Drawing struct {
	Comments   []string // what it is, licence, whom to name: a long one is folded
	Layers     []Layer
	Projection format.Projection
	// Box is the extent in grid positions, for the view that a program opens the drawing with; geom.EmptyBox says nothing.
	Box   geom.Box
	Parts []Part
}

// Layer is a layer of the drawing; Colour is a number of AutoCAD's table, 1 to 255, 7 is black or white.
type Layer struct {
	Name   string
	Colour int
}

// Part is what is drawn of a sequence of rows: each row as any of the three.
type Part struct {
	Rows    format.Seq
	Outline string // layer of the rings of its polygons; "": none
	Point   string // layer of its point
	Text    string // layer of its text
	// Write says what the text of a row is and where it stands; false: it has none.
	Write func(format.Row) (Text, bool)
}

// Text is a text of the drawing.
type Text struct {
	Text   string
	At     geom.Point
	Height float64 // metres
	Turn   float64 // degrees against the clock
}

// maxLayer bounds the name of a layer in release 12.
const maxLayer = 31

// metre is the length of a metre in degrees, for heights of texts in a drawing of degrees.
const metre = 1 / 111320.0

// writer writes groups.
type writer struct {
	out *bufio.Writer
	b   []byte
	at  format.Projection
}

// Write writes a drawing. It fails when the context is done, when the rows fail and when out fails.
func Write(ctx context.Context, out io.Writer, d Drawing) error {
	for _, l := range d.Layers {
		if !isLayer(l.Name) || l.Colour < 1 || l.Colour > 255 {
			return fmt.Errorf("dxf: layer %q with colour %d", l.Name, l.Colour)
		}
	}
	w := &writer{out: bufio.NewWriterSize(out, 256<<10), at: d.Projection}
	w.head(d)
	for i := range d.Parts {
		if err := w.part(ctx, &d.Parts[i]); err != nil {
			return err
		}
	}
	w.text(0, "ENDSEC")
	w.text(0, "EOF")
	w.out.Write(w.b) // an error stays in the writer
	if err := w.out.Flush(); err != nil {
		return fmt.Errorf("dxf: %w", err)
	}
	return nil
}

// isLayer says whether release 12 takes a name.
func isLayer(name string) bool {
	return name != "" && len(name) <= maxLayer && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$-_") == ""
}

func (w *writer) head(d Drawing) {
	for _, c := range d.Comments {
		for _, line := range folded(c) {
			w.text(999, line)
		}
	}
	w.section("HEADER")
	w.text(9, "$ACADVER")
	w.text(1, "AC1009")
	w.text(9, "$DWGCODEPAGE")
	w.text(3, "ANSI_1252")
	if !d.Box.Empty() {
		low, high := w.corners(d.Box)
		w.text(9, "$EXTMIN")
		w.position(10, low[0], low[1])
		w.text(9, "$EXTMAX")
		w.position(10, high[0], high[1])
	}
	w.text(0, "ENDSEC")
	w.section("TABLES")
	w.table("LTYPE", 1)
	for _, g := range []struct {
		code int
		text string
	}{{0, "LTYPE"}, {2, "CONTINUOUS"}, {70, "0"}, {3, "Solid line"}, {72, "65"}, {73, "0"}, {40, "0.0"}, {0, "ENDTAB"}} {
		w.text(g.code, g.text)
	}
	w.table("LAYER", len(d.Layers)+1)
	for _, l := range append([]Layer{{"0", 7}}, d.Layers...) {
		w.text(0, "LAYER")
		w.text(2, l.Name)
		w.text(70, "0")
		w.text(62, strconv.Itoa(l.Colour))
		w.text(6, "CONTINUOUS")
	}
	w.text(0, "ENDTAB")
	w.table("STYLE", 1)
	for _, g := range []struct {
		code int
		text string
	}{{0, "STYLE"}, {2, "STANDARD"}, {70, "0"}, {40, "0.0"}, {41, "1.0"}, {50, "0.0"}, {71, "0"}, {42, "1.0"}, {3, "txt"}, {4, ""}, {0,
		"ENDTAB"}} {
		w.text(g.code, g.text)
	}
	w.text(0, "ENDSEC")
	w.section("ENTITIES")
}

// maxLine bounds a line of a comment in characters: release 12 reads lines of at most 255 bytes.
const maxLine = 240

// folded cuts a comment into lines between its words; a word that is longer than a line is cut.
func folded(text string) (lines []string) {
	var line []rune
	for _, word := range strings.Fields(text) {
		rest := []rune(word)
		if len(line) > 0 && len(line)+1+len(rest) > maxLine {
			lines, line = append(lines, string(line)), nil
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		for line = append(line, rest...); len(line) > maxLine; line = line[maxLine:] {
			lines = append(lines, string(line[:maxLine]))
		}
	}
	return append(lines, string(line))
}

func (w *writer) section(name string) {
	w.text(0, "SECTION")
	w.text(2, name)
}

func (w *writer) table(name string, n int) {
	w.text(0, "TABLE")
	w.text(2, name)
	w.text(70, strconv.Itoa(n))
}

// corners are the extent of a box in the system of the drawing: that of its four corners, for a view.
func (w *writer) corners(b geom.Box) (low, high [2]float64) {
	low, high = [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, p := range []geom.Point{{X: b.MinX, Y: b.MinY}, {X: b.MaxX, Y: b.MinY}, {X: b.MinX, Y: b.MaxY}, {X: b.MaxX, Y: b.MaxY}} {
		x, y := w.place(p)
		low, high = [2]float64{min(low[0], x), min(low[1], y)}, [2]float64{max(high[0], x), max(high[1], y)}
	}
	return low, high
}

func (w *writer) part(ctx context.Context, p *Part) error {
	n := 0
	for r, err := range p.Rows {
		if err != nil {
			return err
		}
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		g := r.Geometry()
		if p.Outline != "" {
			for _, poly := range g.Polygons {
				for _, ring := range poly {
					w.ring(p.Outline, ring)
				}
			}
		}
		if p.Point != "" && g.Shape == format.ShapePoint {
			w.text(0, "POINT")
			w.text(8, p.Point)
			x, y := w.place(g.Point)
			w.position(10, x, y)
		}
		if p.Text != "" && p.Write != nil {
			if t, ok := p.Write(r); ok {
				w.label(p.Text, t)
			}
		}
		if len(w.b) >= 128<<10 {
			if _, err := w.out.Write(w.b); err != nil {
				return fmt.Errorf("dxf: %w", err)
			}
			w.b = w.b[:0]
		}
	}
	return nil
}

func (w *writer) ring(layer string, ring geom.Ring) {
	w.text(0, "POLYLINE")
	w.text(8, layer)
	w.text(66, "1") // vertices follow
	w.text(70, "1") // closed
	w.position(10, 0, 0)
	for _, q := range ring {
		w.text(0, "VERTEX")
		w.text(8, layer)
		x, y := w.place(q)
		w.position(10, x, y)
	}
	w.text(0, "SEQEND")
	w.text(8, layer)
}

func (w *writer) label(layer string, t Text) {
	if w.at.Forward == nil {
		t.Height *= metre
	}
	x, y := w.place(t.At)
	w.text(0, "TEXT")
	w.text(8, layer)
	w.position(10, x, y)
	w.number(40, t.Height)
	w.text(1, t.Text)
	if t.Turn != 0 {
		w.number(50, t.Turn)
	}
	w.text(72, "1") // centred
	w.position(11, x, y)
	w.text(73, "2") // middle
}

// place is a position in the system of the drawing.
func (w *writer) place(p geom.Point) (x, y float64) {
	if f := w.at.Forward; f != nil {
		return f(p.Lon(), p.Lat())
	}
	return p.Lon(), p.Lat()
}

func (w *writer) position(code int, x, y float64) {
	w.number(code, x)
	w.number(code+10, y)
	w.text(code+20, "0.0")
}

func (w *writer) number(code int, v float64) {
	decimals := 3
	if w.at.Forward == nil {
		decimals = 8
	}
	w.code(code)
	w.b = append(strconv.AppendFloat(w.b, v, 'f', decimals, 64), "\r\n"...)
}

func (w *writer) code(code int) {
	if code < 10 {
		w.b = append(w.b, "  "...)
	} else if code < 100 {
		w.b = append(w.b, ' ')
	}
	w.b = append(strconv.AppendInt(w.b, int64(code), 10), "\r\n"...)
}

// text writes a group of text in the code page of the drawing. A line break ends a group, so the text has none.
func (w *writer) text(code int, s string) {
	w.code(code)
	for _, c := range s {
		if c < ' ' {
			c = ' '
		}
		if c < 0x80 || c >= 0xa0 && c <= 0xff { // where Windows-1252 is Unicode
			w.b = append(w.b, byte(c))
		} else {
			w.b = fmt.Appendf(w.b, `\U+%04X`, c)
		}
	}
	w.b = append(w.b, "\r\n"...)
}
