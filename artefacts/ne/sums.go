package ne

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"

	"mappe/shared/geo/hexgrid"
)

// Sums are what changed in the cells of an area, each cell once. Areas are in m², to a tenth.
type Sums struct {
	Since     *string    `json:"since"` // the earliest of the changes; null without one
	Confirmed StatusSums `json:"confirmed"`
	Candidate StatusSums `json:"candidate"`
	ByDay     []DaySums  `json:"by_day"` // by rising day
}

// StatusSums are the sums of the changes of one status.
type StatusSums struct {
	Cells       int                `json:"cells"`
	LU          [9]float64         `json:"d_lu_m2"` // in the order of Uses
	StrCover    float64            `json:"d_str_cover_m2"`
	StrN        int                `json:"d_str_n"`
	Transitions map[string]float64 `json:"transitions_m2"` // "acker>bau": m²
}

// DaySums are the changes whose present state was first seen in snapshots of one date.
type DaySums struct {
	Day       string  `json:"day"`
	Confirmed int     `json:"confirmed"` // cells
	Candidate int     `json:"candidate"`
	ChangedM2 float64 `json:"changed_m2"` // area that has another class
}

// Unclassed is land without a declared use, beside the nine classes.
const Unclassed = "none"

// ClassName is the name of a class by its number in Deltas.
func ClassName(i int) string {
	if i < len(Uses) {
		return Uses[i]
	}
	return Unclassed
}

// Deltas are the changes of the nine shares and of what has no declared use, in 255ths: they sum to 0.
func Deltas(before, after *LURow) (d [10]int) {
	for i := range before.Use {
		d[i] = int(after.Use[i]) - int(before.Use[i])
		d[9] -= d[i]
	}
	return d
}

// CellChange is what changed in a cell: the newest change and, beside a candidate, the confirmed one before it.
type CellChange struct {
	Newest, Earlier *Change
}

// Share is the kg_share of the cell in the KG whose changes these are.
func (x CellChange) Share() uint8 { return x.Newest.After[0] }

// ByCell gives the changes of each cell, by rising cell.
func (c *Changes) ByCell() iter.Seq[CellChange] {
	return func(yield func(CellChange) bool) {
		for i := 0; i < len(c.Cells); i++ {
			x := CellChange{Newest: &c.Cells[i]}
			if i+1 < len(c.Cells) && c.Cells[i+1].Cell == x.Newest.Cell {
				i++
				x.Earlier, x.Newest = x.Newest, &c.Cells[i]
			}
			if !yield(x) {
				return
			}
		}
	}
}

// Adder adds changes up. It counts in whole numbers, 255ths of cm², so that the order of adding changes nothing. The
// country has 84e9 m², which are 2e17 of them.
type Adder struct {
	since                string
	confirmed, candidate statusAdder
	days                 map[string]*dayAdder
}

type statusAdder struct {
	cells, strN int
	strCover    int64
	use         [10]int64
	transitions [10][10]int64 // from, to
}

type dayAdder struct {
	confirmed, candidate int
	changed              int64
}

// areaUnit is how many units of CellArea are a cm².
const areaUnit = 1e4

// wholeArea is the area of a cell in cm².
func wholeArea(c hexgrid.Cell) int64 { return int64(math.Floor(CellArea(c)*areaUnit + 0.5)) }

// Add adds what changed in a cell.
func (a *Adder) Add(x CellChange) { a.add(x, wholeArea(x.Newest.Cell)) }

func (a *Adder) add(x CellChange, area int64) {
	for _, c := range []*Change{x.Earlier, x.Newest} {
		if c == nil {
			continue
		}
		if a.since == "" || c.Since < a.since {
			a.since = c.Since
		}
		day := a.day(c.LastChange)
		if c.Status == Candidate {
			day.candidate++
			day.changed += a.candidate.add(c, area)
		} else {
			day.confirmed++
			day.changed += a.confirmed.add(c, area)
		}
	}
}

// day is what is added up of a day.
func (a *Adder) day(name string) *dayAdder {
	if a.days == nil {
		a.days = map[string]*dayAdder{}
	}
	d := a.days[name]
	if d == nil {
		d = &dayAdder{}
		a.days[name] = d
	}
	return d
}

// add adds a change of a cell of an area in cm², and gives what has another class.
func (s *statusAdder) add(c *Change, area int64) int64 {
	before, after := c.Before.Row(c.Cell), c.After.Row(c.Cell)
	s.cells++
	s.strCover += (int64(after.StrCover) - int64(before.StrCover)) * area
	s.strN += int(after.StrN) - int(before.StrN)
	d := Deltas(&before, &after)
	gained := int64(0)
	for i, v := range d {
		s.use[i] += int64(v) * area
		gained += int64(max(v, 0))
	}
	for i, lost := range d {
		for j, won := range d {
			if lost < 0 && won > 0 {
				s.transitions[i][j] += (2*int64(-lost)*int64(won)*area + gained) / (2 * gained)
			}
		}
	}
	return gained * area
}

// metres are 255ths of cm² in m², to a tenth.
func metres(v int64) float64 {
	const tenth = 255 * areaUnit / 10
	half := int64(tenth / 2)
	if v < 0 {
		half = -half
	}
	return float64((v+half)/tenth) / 10
}

// Sums are what was added up.
func (a *Adder) Sums() *Sums {
	out := &Sums{Confirmed: a.confirmed.sums(), Candidate: a.candidate.sums(), ByDay: []DaySums{}}
	if a.since != "" {
		out.Since = &a.since
	}
	for day, d := range a.days {
		out.ByDay = append(out.ByDay, DaySums{day, d.confirmed, d.candidate, metres(d.changed)})
	}
	slices.SortFunc(out.ByDay, func(a, b DaySums) int { return cmp.Compare(a.Day, b.Day) })
	return out
}

func (s *statusAdder) sums() StatusSums {
	out := StatusSums{Cells: s.cells, StrCover: metres(s.strCover), StrN: s.strN, Transitions: map[string]float64{}}
	for i := range out.LU {
		out.LU[i] = metres(s.use[i])
	}
	for i := range s.transitions {
		for j, v := range s.transitions[i] {
			if v != 0 {
				out.Transitions[ClassName(i)+">"+ClassName(j)] = metres(v)
			}
		}
	}
	return out
}

// maxSums bounds the sums of one area: 90 transitions of each status, and days.
const maxSums = 4 << 20

// ParseSums reads the sums of an area, and tells about what they take in memory.
func ParseSums(b []byte) (*Sums, int64, error) {
	if len(b) > maxSums {
		return nil, 0, fmt.Errorf("sums of cells: %d bytes, at most %d", len(b), maxSums)
	}
	s := &Sums{}
	if err := json.Unmarshal(b, s); err != nil {
		return nil, 0, fmt.Errorf("sums of cells: %w", err)
	}
	if s.Confirmed.Transitions == nil || s.Candidate.Transitions == nil || s.ByDay == nil {
		return nil, 0, fmt.Errorf("sums of cells: transitions_m2 or by_day is missing")
	}
	return s, 2*int64(len(b)) + 1024, nil
}
