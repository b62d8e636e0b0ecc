package landscape

import (
	"fmt"
	"math"
	"slices"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/sectionfile"
)

// FigureKGs is how many KGs with buildings one section of figures has: those of the ranges, by code.
const FigureKGs = 256

// Figured are the columns of buildings of which the index has the figures apart. A search of the country looks at these alone, and
// reads the buildings of the KGs on its page.
var Figured = pick(BuildingColumns, "max_height_m", "stories_est", "footprint_area_sqm")

// Figures are those columns of the buildings of up to FigureKGs KGs, one KG after the other, each in the order of its section.
type Figures struct {
	steps [][]int32 // by column of Figured: units of its last decimal; noFigure: missing
	roofs []uint8   // 0: missing, else 1 and the place in RoofTypes
}

const noFigure = math.MinInt32

// FigureSection is the name of a section of figures.
func FigureSection(n int) string { return fmt.Sprintf("figures-buildings-%02d", n) }

// Rows is how many buildings there are.
func (f *Figures) Rows() int { return len(f.roofs) }

// Bound is a range of a column of Figured in its steps.
type Bound struct {
	column    int
	low, high int32
}

// NewBound is the bound of a column of Figured, by its place, from low to high, both included; NaN: open on that side. A building
// whose figure is missing passes none.
func NewBound(at int, low, high float64) Bound {
	c, b := &Figured[at], Bound{at, noFigure + 1, math.MaxInt32}
	if low == low {
		b.low = step32(c, low, math.Ceil)
	}
	if high == high {
		b.high = step32(c, high, math.Floor)
	}
	return b
}

// step32 is the first step at or behind a value in the direction of round. What a step is worth is a quotient, which may lie a hair off
// the decimal number that a request wrote: that is the same number.
func step32(c *Column[Building], v float64, round func(float64) float64) int32 {
	q := v * powers[c.Decimals]
	if near := math.Round(q); near/powers[c.Decimals] == v {
		q = near
	}
	return int32(min(max(round(q), noFigure+1), math.MaxInt32))
}

// Count is how many of the rows from one to another pass all bounds and have the roof; roof "": any.
func (f *Figures) Count(from, to int, bounds []Bound, roof string) (n int) {
	if roof != "" || len(bounds) != 1 {
		f.Pass(from, to, bounds, roof, func(int) { n++ })
		return n
	}
	b := bounds[0]
	if b.low > b.high {
		return 0
	}
	span := uint32(b.high) - uint32(b.low)
	for _, v := range f.steps[b.column][from:to] {
		if uint32(v)-uint32(b.low) <= span { // one comparison for both sides
			n++
		}
	}
	return n
}

// Pass calls found with those rows.
func (f *Figures) Pass(from, to int, bounds []Bound, roof string, found func(row int)) {
	want := uint8(slices.Index(RoofTypes, roof) + 1)
next:
	for i := from; i < to; i++ {
		if want != 0 && f.roofs[i] != want {
			continue
		}
		for _, b := range bounds {
			if v := f.steps[b.column][i]; v < b.low || v > b.high {
				continue next
			}
		}
		found(i)
	}
}

// figuresOf makes the sections of figures of the sections of buildings, by KG.
func figuresOf(built []sectionfile.Section) (out []sectionfile.Section, err error) {
	for from := 0; from < len(built); from += FigureKGs {
		var rows []Building
		for _, s := range built[from:min(from+FigureKGs, len(built))] {
			more, _, err := Built.Decode(s.Body)
			if err != nil {
				return nil, fmt.Errorf("landscape: %s: %w", s.Name, err)
			}
			rows = append(rows, more...)
		}
		f, err := FiguresOf(rows)
		if err != nil {
			return nil, err
		}
		b, err := f.encode()
		if err != nil {
			return nil, err
		}
		out = append(out, sectionfile.Section{Name: FigureSection(from / FigureKGs), Body: b})
	}
	return out, nil
}

// FiguresOf takes the figures of buildings; of an index of an earlier program, which has none, a search makes them so.
func FiguresOf(rows []Building) (*Figures, error) {
	f := &Figures{roofs: make([]uint8, len(rows))}
	for k := range Figured {
		c, steps := &Figured[k], make([]int32, len(rows))
		for i := range rows {
			u, err := c.steps(c.get(&rows[i]))
			if err != nil || u > mostFigure {
				return nil, fmt.Errorf("landscape: building %s: %s: %g is out of range", rows[i].ID, c.Name, c.get(&rows[i]))
			}
			steps[i] = figureOf(u)
		}
		f.steps = append(f.steps, steps)
	}
	for i := range rows {
		f.roofs[i] = uint8(slices.Index(RoofTypes, rows[i].RoofType) + 1)
	}
	return f, nil
}

// mostFigure is the greatest stored number of a figure: its steps are 32 bits wide.
const mostFigure = 1<<32 - 2

func figureOf(u uint64) int32 {
	if u == 0 {
		return noFigure
	}
	return int32(column.Unzig(u - 1))
}

func (f *Figures) encode() ([]byte, error) {
	return column.EncodeAlone("landscape", "figures", f.Rows(), func(w *column.Writer) {
		v := make([]uint64, f.Rows())
		for k := range Figured {
			for i, s := range f.steps[k] {
				if v[i] = 0; s != noFigure {
					v[i] = column.Zig(int64(s)) + 1
				}
			}
			w.Ints(v)
		}
		for i, r := range f.roofs {
			v[i] = uint64(r)
		}
		w.Ints(v)
	})
}

// DecodeFigures reads a section of figures of any bytes, and says what it takes in memory.
func DecodeFigures(b []byte) (f *Figures, cost int64, err error) {
	err = column.DecodeAlone("landscape", "figures", b, func(r *column.Reader, n int) {
		f = &Figures{}
		for k := range Figured {
			steps := make([]int32, n)
			for i, u := range column.Ints[uint64](r, n) {
				if u > mostFigure {
					r.Fail("%s of row %d: %d steps", Figured[k].Name, i, u)
					return
				}
				steps[i] = figureOf(u)
			}
			f.steps = append(f.steps, steps)
		}
		if f.roofs = column.Ints[uint8](r, n); r.Err != nil {
			return
		}
		for i, v := range f.roofs {
			if int(v) > len(RoofTypes) {
				r.Fail("roof %d of row %d", v, i)
				return
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return f, int64(f.Rows())*int64(4*len(Figured)+1) + 128, nil
}
