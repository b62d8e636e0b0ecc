// Package sheet is what stands on a single page that is no book's: a heading, a drawing to scale over the whole width, sections of
// tables and text that flow in two columns, and one below them. Whoever has the facts makes it; package sheet/print sets it with the
// fonts of the press, and a page of HTML may be written of the same value. It knows no fonts: programs that only describe sheets link
// none.
//
// Lengths are millimetres, x grows to the right and y downwards.
package sheet

import (
	"time"

	"mappe/shared/book/layout/page"
)

// The page: A4 upright with its margins.
const (
	Width, Height       = 210.0, 297.0
	MarginX, MarginY    = 12.0, 10.0
	TextWidth           = Width - 2*MarginX
	Gap                 = 6.0 // between the columns
	ColumnWidth         = (TextWidth - Gap) / 2
	pointsOfMillimetres = 72_000 / 25.4
)

// Units are millimetres in units of a page.
func Units(mm float64) page.Unit {
	if mm < 0 {
		return -Units(-mm)
	}
	return page.Unit(mm*pointsOfMillimetres + 0.5)
}

// Sheet is a page.
type Sheet struct {
	Title, Aside string    // of the heading: at the left, large, and at the right
	Info         page.Info // what the file says of itself
	Created      time.Time // written into the file
	Plan         Figure
	Notes        []string // below the plan
	Sections     []Section
	Foot         Section // below the columns, over the whole width
}

// Section is a part of a column; it is not divided.
type Section struct {
	Title  string   // "" for none
	Shares []int    // of the columns of Rows in percent
	Head   []string // of the columns; nil: the first column says what stands in the others
	Rows   [][]string
	Lines  []string // of text
	Figure *Figure
	Soft   []string // remarks, smaller
}

// Figure is a drawing with its caption.
type Figure struct {
	Drawing Drawing
	Caption string
}

// Drawing is shapes in a rectangle that cuts them off, the later ones over the earlier.
type Drawing struct {
	Class, Label  string // Label is what is read aloud
	Width, Height float64
	Framed        bool
	Shapes        []Shape
}

// XY is a place in a drawing.
type XY struct{ X, Y float64 }

// Shape is lines, areas or a text in one ink.
type Shape struct {
	Ink    *Ink
	Lines  [][]XY
	Closed bool   // Lines are rings; where they overlap evenly there is a hole
	Text   string // stands at At, on its base line; "" for lines
	At     XY
}

// Ink is how shapes are drawn. An unset colour is not drawn.
type Ink struct {
	Name         string
	Fill, Stroke page.Colour
	Width        float64 // of the stroke
	Dash         []float64
	Size         float64 // of text
	Bold         bool
	Align        Align
}

// Align is where a text stands from its place.
type Align uint8

// The alignments of texts.
const (
	Middle Align = iota
	End
)
