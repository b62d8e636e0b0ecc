package ne

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/hexgrid"
)

// Status is how sure a change is.
type Status string

// A change is a candidate when it is seen first, and confirmed when the next pass of the build sees the same.
const (
	Candidate Status = "candidate"
	Confirmed Status = "confirmed"
)

// Stat is an LU row without its cell: bytes 8 to 29.
type Stat [LUBytes - 8]byte

// StatOf is the statistic of a row.
func StatOf(r *LURow) (s Stat) {
	var room [LUBytes]byte
	copy(s[:], r.Append(room[:0])[8:])
	return s
}

// Row is the statistic as a row of a cell.
func (s Stat) Row(c hexgrid.Cell) LURow {
	b := make([]byte, LUBytes)
	copy(b[8:], s[:])
	r := ParseLU(b)
	r.Cell = c
	return r
}

// MarshalText is hexadecimal.
func (s Stat) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

// UnmarshalText reads it.
func (s *Stat) UnmarshalText(b []byte) error {
	if hex.DecodedLen(len(b)) != len(s) {
		return fmt.Errorf("a statistic of %d digits, expected %d", len(b), 2*len(s))
	}
	_, err := hex.Decode(s[:], b)
	return err
}

// Change is what changed in a cell.
type Change struct {
	Cell       hexgrid.Cell `json:"cell"`
	Status     Status       `json:"status"`
	Since      string       `json:"since"`       // Stichtag of the snapshot that showed a change first
	LastChange string       `json:"last_change"` // of the one that showed this statistic first
	Before     Stat         `json:"before"`
	After      Stat         `json:"after"`
}

// Changes are those of a KG, by rising cell, a confirmed one before a candidate of the same cell.
type Changes struct {
	Format int            `json:"format"`
	KG     austria.KGCode `json:"kg_code"`
	Cells  []Change       `json:"cells"`
}

// maxChanges bounds what is read.
const maxChanges = 128 << 20

// Encode writes the changes.
func (c *Changes) Encode() ([]byte, error) {
	c.Format = 1
	if c.Cells == nil {
		c.Cells = []Change{}
	}
	if b, ok := c.appendJSON(nil); ok {
		return b, nil
	}
	return json.Marshal(c)
}

// ParseChanges reads changes.
func ParseChanges(b []byte) (*Changes, error) {
	if len(b) > maxChanges {
		return nil, fmt.Errorf("changes of cells: %d bytes, at most %d", len(b), maxChanges)
	}
	c, ok := readChanges(b)
	if !ok {
		c = &Changes{}
		if err := json.Unmarshal(b, c); err != nil {
			return nil, fmt.Errorf("changes of cells: %w", err)
		}
	}
	if c.Format != 1 {
		return nil, fmt.Errorf("changes of cells: format %d, this program reads 1", c.Format)
	}
	if err := checkChanges(c.Cells); err != nil {
		return nil, fmt.Errorf("changes of cells: %w", err)
	}
	return c, nil
}

// checkChanges says whether changes are of cells of resolution 12, have a status and stand in the order of Changes.
func checkChanges(list []Change) error {
	for i, x := range list {
		if !x.Cell.IsValid() || x.Cell.Resolution() != LURes || x.Status != Candidate && x.Status != Confirmed {
			return fmt.Errorf("%d: cell %s, status %.20q", i, x.Cell, x.Status)
		}
		if i > 0 && (x.Cell < list[i-1].Cell || x.Cell == list[i-1].Cell && (list[i-1].Status != Confirmed || x.Status != Candidate)) {
			return fmt.Errorf("%s out of order", x.Cell)
		}
	}
	return nil
}

// Counts are how many cells have a change of each status.
func (c *Changes) Counts() (candidates, confirmed int) {
	for i := range c.Cells {
		if c.Cells[i].Status == Candidate {
			candidates++
		} else {
			confirmed++
		}
	}
	return candidates, confirmed
}

// What may differ without being a change: rounding of shares, and of boundaries in m per ha.
const (
	shareNoise = 1
	edgeNoise  = 2
	wholeCover = 254
)

func apart(a, b uint8) int { return int(max(a, b)) - int(min(a, b)) }

// Same says whether two statistics of a cell show the same land: shares within a unit and, in cells that are covered
// whole, as many buildings and the same boundaries within 2 m per ha. Where another part of the cell is known (a
// neighbour was built meanwhile) nothing can be said, which is no change.
func Same(a, b *LURow) bool {
	whole := min(a.Cov, b.Cov) >= wholeCover
	if !whole && a.Cov != b.Cov {
		return true
	}
	for i := range a.Use {
		if apart(a.Use[i], b.Use[i]) > shareNoise {
			return false
		}
	}
	if apart(a.StrCover, b.StrCover) > shareNoise {
		return false
	}
	edges := int(max(a.EdgeMHa, b.EdgeMHa)) - int(min(a.EdgeMHa, b.EdgeMHa))
	return !whole || a.StrN == b.StrN && edges <= edgeNoise
}

// Pass is what a pass of the build makes of the changes known before: was are the rows of the pass before, now those
// of this one, both by rising cell, date the Stichtag of the snapshot that now is of.
func (c *Changes) Pass(was, now []LURow, date string) *Changes {
	out := &Changes{KG: c.KG}
	known := c.Cells
	i := 0
	for n := range now {
		row := &now[n]
		for i < len(was) && was[i].Cell < row.Cell {
			i++
		}
		var own []Change
		for len(known) > 0 && known[0].Cell <= row.Cell {
			if known[0].Cell == row.Cell {
				own = append(own, known[0])
			}
			known = known[1:]
		}
		if i < len(was) && was[i].Cell == row.Cell {
			own = pass(own, &was[i], row, date)
		}
		out.Cells = append(out.Cells, own...)
	}
	return out
}

// pass is Pass for one cell.
func pass(known []Change, was, now *LURow, date string) []Change {
	var confirmed []Change
	var candidate *Change
	for i := range known {
		if known[i].Status == Confirmed {
			confirmed = known[i : i+1]
		} else {
			candidate = &known[i]
		}
	}
	base := *was
	if candidate != nil {
		base = candidate.Before.Row(now.Cell)
	}
	if Same(&base, now) {
		return confirmed // what a candidate showed is gone again
	}
	next := Change{Cell: now.Cell, Status: Candidate, Since: date, LastChange: date, Before: StatOf(&base), After: StatOf(now)}
	if candidate == nil {
		return append(slices.Clip(confirmed), next)
	}
	next.Since = candidate.Since
	after := candidate.After.Row(now.Cell)
	if !Same(&after, now) {
		return append(slices.Clip(confirmed), next)
	}
	next.Status, next.LastChange = Confirmed, candidate.LastChange
	return []Change{next}
}

// CellArea is the area of a cell in EPSG:3035 in m², of which shares are parts.
func CellArea(c hexgrid.Cell) float64 {
	var room [10]hexgrid.LatLng
	border, err := c.AppendBoundary(room[:0])
	if err != nil {
		return 0
	}
	var a PlaneArea
	for _, p := range border {
		a.Add(crs.LAEA.Forward(p.Lng, p.Lat))
	}
	return a.M2()
}

// PlaneArea adds up the area of a ring in the plane by its vertices. CellArea and the builder, which has the vertices at
// hand, compute the same number.
type PlaneArea struct {
	n              int
	ox, oy, px, py float64 // the first vertex, and the last one beside it
	sum            float64
}

// Add adds a vertex in m.
func (a *PlaneArea) Add(x, y float64) {
	if a.n++; a.n == 1 {
		a.ox, a.oy = x, y
		return
	}
	x, y = x-a.ox, y-a.oy
	a.sum += float64(a.px*y) - float64(x*a.py) // rounded each, so that no processor fuses them
	a.px, a.py = x, y
}

// M2 is the area in m².
func (a *PlaneArea) M2() float64 { return a.sum / 2 }
