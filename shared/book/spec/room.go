package spec

import (
	"fmt"
	"math"
)

// Page is how the page of a specification is divided, in thousandths of a point. What lies between the
// margins is the text; running heads and folios stand in the margins above and below it.
type Page struct{ Width, Height, Inner, Outer, Top, Bottom int32 }

// Measure is the width of the text.
func (p Page) Measure() int32 { return p.Width - p.Inner - p.Outer }

// Rows is how many lines stand under each other.
func (p Page) Rows(leadingPt float64) int {
	return int((p.Height - p.Top - p.Bottom) / units(leadingPt))
}

// The least text a page is set with: below, lines are all gaps and headings fill the page.
const (
	MinTextWidthMM, MinTextHeightMM = 50, 80
	MinMeasureEms, MinRows          = 10, 8 // ems of the type size, lines
)

// PixelsPerInch is how a picture is set whose width nobody has given: the least that printers take.
const PixelsPerInch = 200

func units(pt float64) int32 { return int32(math.Round(pt * 1000)) }

func fromMM(mm float64) int32 { return units(mm * pointsOfMM) }

const pointsOfMM = 72 / 25.4

// Page divides the page of a book of so many pages. Margins that the specification leaves open follow the
// size of the page, the printer and, at the spine, the number of pages.
func (s Spec) Page(pages int) Page {
	p := Page{Width: fromMM(s.Trim.WidthMM), Height: fromMM(s.Trim.HeightMM)}
	or := func(mm float64, otherwise int32) int32 {
		if mm > 0 {
			return fromMM(mm)
		}
		return otherwise
	}
	p.Inner = or(s.Margins.InnerMM, innerMargin(pages))
	p.Outer = or(s.Margins.OuterMM, max(36_000, p.Width*11/100))
	p.Top = or(s.Margins.TopMM, max(50_000, p.Height*11/100, fromMM(s.leastTop())))
	p.Bottom = or(s.Margins.BottomMM, max(50_000, p.Height*12/100, fromMM(s.leastBottom())))
	return p
}

// innerMargin is the margin at the spine by page count: the printers' least and a quarter inch, never
// below three quarters of an inch.
func innerMargin(pages int) int32 { return fromMM(max(spine(pages)+25.4/4, 25.4*3/4)) }

// leastTop is the margin above the text that holds the running head: its baseline is one line above the
// text's top, its letters keep off the edge as the printer asks.
func (s Spec) leastTop() float64 { return s.margin(s.LeadingPt + 0.75*s.SizePt) }

// leastBottom holds the folio of a chapter's first page: five quarters of a line below the text's end.
func (s Spec) leastBottom() float64 { return s.margin(1.25*s.LeadingPt + 0.25*s.SizePt) }

// margin is so many points and the printer's least, in millimetres, rounded up to a tenth.
func (s Spec) margin(pt float64) float64 {
	return math.Ceil((pt/pointsOfMM+s.Printer.MinOuterMM(s.BleedMM > 0))*10) / 10
}

// TooNarrow says what leaves a text of too little width, as a FieldError of the field to change; nil where
// the text is wide enough.
func (s Spec) TooNarrow(p Page) error {
	text := float64(p.Measure()) / 1000 / pointsOfMM
	most := func(margin int32) string { return atMost(margin, text, MinTextWidthMM, "wide") }
	switch m := s.Margins; {
	case text < MinTextWidthMM && m.InnerMM > 0 && m.InnerMM >= m.OuterMM:
		return bad("inner_mm", m.InnerMM, most(p.Inner))
	case text < MinTextWidthMM && m.OuterMM > 0:
		return bad("outer_mm", m.OuterMM, most(p.Outer))
	case text < MinTextWidthMM:
		return bad("trim", s.trim(), fmt.Sprintf("a page so wide that the text is at least %d mm wide; it is %.1f", MinTextWidthMM, text))
	case p.Measure() < MinMeasureEms*units(s.SizePt):
		return bad("size_pt", s.SizePt, fmt.Sprintf("at most %g, as the text is %.1f mm wide", floorTenth(text*pointsOfMM/MinMeasureEms),
			text))
	}
	return nil
}

// tooLow says what leaves a text of too little height.
func (s Spec) tooLow(p Page) error {
	high := p.Height - p.Top - p.Bottom
	text := float64(high) / 1000 / pointsOfMM
	most := func(margin int32) string { return atMost(margin, text, MinTextHeightMM, "high") }
	switch m := s.Margins; {
	case text < MinTextHeightMM && m.TopMM > 0 && m.TopMM >= m.BottomMM:
		return bad("top_mm", m.TopMM, most(p.Top))
	case text < MinTextHeightMM && m.BottomMM > 0:
		return bad("bottom_mm", m.BottomMM, most(p.Bottom))
	case text < MinTextHeightMM || p.Rows(s.LeadingPt) < MinRows:
		return bad("leading_pt", s.LeadingPt, fmt.Sprintf("lines so close that the page has at least %d; it has %d in %.1f mm", MinRows,
			p.Rows(s.LeadingPt), text))
	}
	return nil
}

// atMost says how much of a margin leaves a text, which has so many millimetres, at least as many as it must.
func atMost(margin int32, text float64, least int, way string) string {
	allowed := "less, and the opposite margin less, so"
	if room := text + float64(margin)/1000/pointsOfMM - float64(least); room > 0 {
		allowed = fmt.Sprintf("at most %g, so", floorTenth(room))
	}
	return fmt.Sprintf("%s that the text is at least %d mm %s; it is %.1f", allowed, least, way, text)
}

func floorTenth(v float64) float64 { return math.Floor(v*10) / 10 }
