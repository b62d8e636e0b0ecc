package check

import (
	"fmt"
	"math"
	"slices"

	"mappe/shared/book/pdf"
	"mappe/shared/book/spec"
)

const mm = 72 / 25.4 // points

// What printers count. Sources: kdp.amazon.com (paperback submission guidelines, print options),
// ingramspark.com (file creation guide).
const (
	kdpLeastPages, kdpMostPages       = 24, 828
	ingramLeastPages, ingramMostPages = 18, 1200
	mostBytes                         = 650 << 20
	leastType                         = 7   // points
	leastDPI                          = 200 // below, a printer refuses; 300 is what they ask for
	mostBlank, mostBlankAtEnd         = 2, 10
)

// Printer is Check, and says in addition what the printer of a specification would refuse a final for: page
// count and size, blank pages, margins, small type, coarse pictures.
func Printer(b []byte, preset pdf.Preset, s spec.Spec) (wrong, refused []string) {
	c := newCheck(b, preset)
	if c.file == nil {
		return c.faults, nil
	}
	c.all()
	wrong, c.faults = c.faults, nil
	slices.Sort(wrong)
	c.printer(len(b), s)
	return wrong, c.faults
}

func (c *check) printer(size int, s spec.Spec) {
	n := len(c.pages)
	if size > mostBytes {
		c.fault("the file has %d MB, printers take %d", size>>20, mostBytes>>20)
	}
	least, most := 1, math.MaxInt
	switch s.Printer {
	case spec.PrinterKDP:
		least, most = kdpLeastPages, kdpMostPages
	case spec.PrinterIngram:
		least, most = ingramLeastPages, ingramMostPages
	}
	if n < least || n > most {
		c.fault("the book has %d pages, the printer takes %d to %d", n, least, most)
	}
	c.blanks()
	inner, outer := s.Printer.MinInnerMM(n), s.Printer.MinOuterMM(s.BleedMM > 0)
	if s.Printer == spec.PrinterPlain {
		outer = 0
	}
	small, coarse := list{}, list{}
	for _, p := range c.pages {
		if math.Abs(p.trim.width()-s.Trim.WidthMM*mm) > 0.5 || math.Abs(p.trim.height()-s.Trim.HeightMM*mm) > 0.5 {
			c.fault("page %d is cut to %.1f × %.1f mm, the specification says %g × %g", p.number, p.trim.width()/mm, p.trim.height()/mm,
				s.Trim.WidthMM, s.Trim.HeightMM)
		}
		c.bleeds(p, s.BleedMM*mm)
		if p.small > 0 && p.small < leastType-0.005 {
			small.add(p.number, fmt.Sprintf("%.1f pt", p.small))
		}
		for _, i := range p.pics {
			if i.dpi < leastDPI {
				coarse.add(p.number, fmt.Sprintf("%.0f dpi", i.dpi))
			}
		}
		c.margins(p, inner, outer)
	}
	if len(small) > 0 {
		c.fault("type below %d points: %s", leastType, small)
	}
	if len(coarse) > 0 {
		c.fault("pictures below %d dpi: %s", leastDPI, coarse)
	}
}

// list is pages with what is wrong on them; a long one is cut.
type list []string

func (l *list) add(page int, what string) { *l = append(*l, fmt.Sprintf("page %d (%s)", page, what)) }

func (l list) String() string {
	const most = 8
	s := ""
	for i, e := range l {
		if i == most {
			return s + fmt.Sprintf(" and %d more", len(l)-most)
		}
		if i > 0 {
			s += ", "
		}
		s += e
	}
	return s
}

// blanks counts pages without marks that follow each other.
func (c *check) blanks() {
	row := 0
	for i, p := range c.pages {
		if p.marks {
			row = 0
			continue
		}
		row++
		atEnd := true
		for _, q := range c.pages[i:] {
			atEnd = atEnd && !q.marks
		}
		if row > mostBlankAtEnd || row > mostBlank && !atEnd {
			c.fault("page %d is the %d. blank page in a row", p.number, row)
			return
		}
	}
}

// bleeds checks that the page goes beyond its trim on the three outer edges, or nowhere.
func (c *check) bleeds(p *sheet, want float64) {
	left, right := p.trim[0]-p.bleed[0], p.bleed[2]-p.trim[2]
	if p.number%2 == 0 { // the spine of a verso is at its right
		left, right = right, left
	}
	if math.Abs(left) > 0.1 || math.Abs(right-want) > 0.1 || math.Abs(p.trim[1]-p.bleed[1]-want) > 0.1 ||
		math.Abs(p.bleed[3]-p.trim[3]-want) > 0.1 {
		c.fault("page %d: the bleed is not %.1f mm on the three outer edges", p.number, want/mm)
	}
}

// margins checks that text keeps away from the edges. Ends of lines hang a little into the margin.
func (c *check) margins(p *sheet, inner, outer float64) {
	if outer == 0 || p.extent == (box{}) {
		return
	}
	left, right := inner*mm, outer*mm
	if p.number%2 == 0 {
		left, right = right, left
	}
	safe := box{p.trim[0] + left, p.trim[1] + outer*mm, p.trim[2] - right, p.trim[3] - outer*mm}
	if !p.extent.within(safe) {
		c.fault("page %d: text stands within %.1f mm of the spine or %.1f mm of an edge", p.number, inner, outer)
	}
}
