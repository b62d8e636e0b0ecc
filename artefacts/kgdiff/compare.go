package kgdiff

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Of compares two snapshots of a KG, the older first.
func Of(before, after *kgfile.File) (*Diff, error) {
	if a, b := before.KG().Code, after.KG().Code; a != b {
		return nil, fmt.Errorf("snapshots of two KGs, %s and %s, are not compared", a, b)
	}
	c := &comparison{diff: &Diff{}, attributes: compared(before.KG(), after.KG())}
	var err error
	if c.old, err = newSide(before); err != nil {
		return nil, err
	}
	if c.new, err = newSide(after); err != nil {
		return nil, err
	}
	if err := c.match(after); err != nil {
		return nil, err
	}
	c.link()
	c.judge()
	slices.SortFunc(c.diff.Rows, func(a, b Row) int { return cmp.Or(Compare(a.GNR, b.GNR), cmp.Compare(a.Change, b.Change)) })
	return c.diff, nil
}

// side is a snapshot with what is found out of its parcels.
type side struct {
	file    *kgfile.File
	parcels []kgfile.Parcel
	twin    []int32 // parcel of the same number on the other side, -1
	row     []int32 // row of the parcel, -1
	covers  []*geom.Cover
	areas   []float64 // of covers; NaN until it is known
	links   [][]link
	common  []float64 // with the twin, where both shapes differ
}

// link is a parcel of the other side with the common area.
type link struct {
	other  int32
	common float64
}

func newSide(f *kgfile.File) (*side, error) {
	parcels, err := f.Parcels()
	if err != nil {
		return nil, err
	}
	n := len(parcels)
	return &side{f, parcels, make([]int32, n), make([]int32, n), make([]*geom.Cover, n), make([]float64, n), make([][]link, n),
		make([]float64, n)}, nil
}

// cover is a parcel's shape in the equal-area plane, made once.
func (s *side) cover(i int32) *geom.Cover {
	if s.covers[i] == nil {
		s.covers[i] = geom.NewCover(s.parcels[i].Geometry, crs.EqualArea)
		s.areas[i] = s.covers[i].Area()
	}
	return s.covers[i]
}

type comparison struct {
	old, new   *side
	diff       *Diff
	attributes []bool // that are compared
}

// match finds the parcel of the same number for each, and the rows.
func (c *comparison) match(after *kgfile.File) error {
	for i := range c.new.twin {
		c.new.twin[i], c.new.row[i] = -1, -1
	}
	for i := range c.old.parcels {
		p := &c.old.parcels[i]
		c.old.row[i] = -1
		j, ok, err := after.ParcelByGNR(p.GNR)
		if err != nil {
			return err
		}
		if !ok {
			c.old.twin[i] = -1
			c.old.cover(int32(i))
			c.old.row[i] = c.add(Row{GNR: p.GNR, Change: Removed, Before: p, SymmetricSqm: c.old.areas[i]})
			continue
		}
		c.old.twin[i], c.new.twin[j] = int32(j), int32(i)
		c.pair(int32(i), int32(j))
	}
	for j := range c.new.parcels {
		if c.new.twin[j] >= 0 {
			continue
		}
		p := &c.new.parcels[j]
		c.new.cover(int32(j))
		c.new.row[j] = c.add(Row{GNR: p.GNR, Change: Added, After: p, SymmetricSqm: c.new.areas[j]})
	}
	return nil
}

func (c *comparison) add(r Row) int32 {
	c.diff.Rows = append(c.diff.Rows, r)
	return int32(len(c.diff.Rows) - 1)
}

// pair compares a parcel of both snapshots.
func (c *comparison) pair(i, j int32) {
	a, b := &c.old.parcels[i], &c.new.parcels[j]
	row := Row{GNR: b.GNR, Change: Changed, Before: a, After: b, Attributes: compareAttributes(a, b, c.attributes)}
	if !a.Geometry.Equal(b.Geometry) {
		common := c.old.cover(i).Common(c.new.cover(j))
		c.old.common[i] = common
		row.SymmetricSqm = max(0, c.old.areas[i]+c.new.areas[j]-2*common)
		if row.Reshaped = row.SymmetricSqm >= SameSqm; !row.Reshaped {
			row.SymmetricSqm = 0
			c.diff.Redrawn++
		}
	}
	if !row.Reshaped && len(row.Attributes) == 0 {
		c.diff.Unchanged++
		return
	}
	n := c.add(row)
	c.old.row[i], c.new.row[j] = n, n
}

// moved says whether the ground of a parcel may be another's: it came, went or covers another area.
func (c *comparison) moved(row int32) bool {
	return row >= 0 && (c.diff.Rows[row].Change != Changed || c.diff.Rows[row].Reshaped)
}

// link finds for each old parcel whose ground moved the new ones on it.
func (c *comparison) link() {
	for i := range c.old.parcels {
		if !c.moved(c.old.row[i]) {
			continue
		}
		gone := c.old.twin[i] < 0
		box := c.old.file.ParcelBox(i)
		c.new.file.InBox(box, func(j int) bool {
			// what did not change itself can lie on the ground of a parcel that went: snapshots may overlap
			if gone || c.moved(c.new.row[j]) {
				c.consider(int32(i), int32(j), box)
			}
			return true
		})
	}
}

// consider links two parcels where they share enough ground.
func (c *comparison) consider(i, j int32, box geom.Box) {
	a, b := c.old.cover(i), c.new.cover(j)
	least := LinkShare * min(c.old.areas[i], c.new.areas[j])
	if least <= 0 || atMost(box, c.new.file.ParcelBox(int(j))) < least {
		return
	}
	common := c.old.common[i]
	if c.old.twin[i] != j {
		common = a.Common(b)
	}
	if common >= least {
		c.old.links[i] = append(c.old.links[i], link{j, common})
		c.new.links[j] = append(c.new.links[j], link{i, common})
	}
}

// metresE7 is the length of 1e-7 degrees on the equator with a margin: boxes are a bound and no measure. No line of
// longitude in Austria is closer to the next than it is at 46 degrees north.
const metresE7 = 0.0112

var eastShrinks = math.Cos(46 * math.Pi / 180)

// atMost bounds the common area of two shapes by that of their boxes, in m².
func atMost(a, b geom.Box) float64 {
	w := float64(min(a.MaxX, b.MaxX)) - float64(max(a.MinX, b.MinX))
	h := float64(min(a.MaxY, b.MaxY)) - float64(max(a.MinY, b.MinY))
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * metresE7 * eastShrinks * h * metresE7
}

// judge gives the rows their links and events, and counts.
func (c *comparison) judge() {
	d := c.diff
	splits, merges := events(c.old, c.new), events(c.new, c.old)
	for i, r := range c.old.row {
		if r < 0 {
			continue
		}
		d.Rows[r].To = list(c.old, c.new, int32(i))
		if splits[i] {
			d.Splits++
		}
		for _, l := range c.old.links[i] {
			part := l.common >= PartShare*c.new.areas[l.other]
			if splits[i] && part {
				d.mark(r, Split)
				d.mark(c.new.row[l.other], Split)
			}
			whole := l.common >= SameShare*c.old.areas[i] && l.common >= SameShare*c.new.areas[l.other]
			if whole && c.old.twin[i] < 0 && c.new.twin[l.other] < 0 {
				d.mark(r, Renumbered)
				d.mark(c.new.row[l.other], Renumbered)
				d.Renumbered++
			}
		}
	}
	for j, r := range c.new.row {
		if r >= 0 {
			d.Rows[r].From = list(c.new, c.old, int32(j))
		}
		if !merges[j] {
			continue
		}
		d.Merges++
		for _, l := range c.new.links[j] {
			if l.common >= PartShare*c.old.areas[l.other] {
				d.mark(r, Merge)
				d.mark(c.old.row[l.other], Merge)
			}
		}
	}
	d.count()
}

// mark gives a row an event; parcels that did not change have no row.
func (d *Diff) mark(row int32, e Event) {
	if row >= 0 {
		d.Rows[row].Events |= e
	}
}

// events says of each parcel of a side that has a row whether at least two of the other side are parts of it.
func events(s, other *side) []bool {
	out := make([]bool, len(s.links))
	for i, links := range s.links {
		n := 0
		for _, l := range links {
			if l.common >= PartShare*other.areas[l.other] {
				n++
			}
		}
		out[i] = n >= 2 && s.row[i] >= 0
	}
	return out
}

// list are the links of a parcel, the largest common area first.
func list(s, other *side, i int32) []Link {
	out := make([]Link, 0, len(s.links[i]))
	for _, l := range s.links[i] {
		out = append(out, Link{other.parcels[l.other].GNR, l.common, share(l.common, s.areas[i]), share(l.common, other.areas[l.other])})
	}
	// by areas as they are written: their last digits are the rounding's
	slices.SortFunc(out, func(a, b Link) int {
		return cmp.Or(cmp.Compare(math.Round(100*b.CommonSqm), math.Round(100*a.CommonSqm)), Compare(a.GNR, b.GNR))
	})
	return out
}

func share(common, whole float64) float64 { return min(1, common/whole) }

func (d *Diff) count() {
	for i := range d.Rows {
		switch r := &d.Rows[i]; r.Change {
		case Added:
			d.Added++
		case Removed:
			d.Removed++
		default:
			d.Changed++
			d.SymmetricSqm += r.SymmetricSqm
			if r.Reshaped {
				d.Reshaped++
			}
			if len(r.Attributes) > 0 {
				d.Attributed++
			}
		}
	}
}
