package overlays

import (
	"mappe/artefacts/internal/column"
	"mappe/artefacts/internal/grid"
	"mappe/artefacts/internal/outline"
	"mappe/shared/geo/geom"
)

// Cells is the grid of overlays-grid.
var Cells = grid.Grid{Prefix: 'c', Step: 1_000_000}

// Cell is what may hold a point of a cell of the grid: rows as their own sections have them, with their outlines there.
type Cell struct {
	Areas          []Area
	Municipalities []Municipality
	Sites          []Site
	lies           [len(layers)]lying
}

// layers are those of a cell, in the order of their columns.
var layers = [...]Layer{AreaShapes, MunicipalityShapes, SiteShapes}

// lying are the rows of a layer in a cell.
type lying struct {
	rows     []int    // in the layer's own section, rising
	outlines []*Shape // nil: the row holds every point of the cell
}

func (c *Cell) of(l Layer) *lying {
	for i := range layers {
		if layers[i] == l {
			return &c.lies[i]
		}
	}
	return &lying{}
}

// At are those of the cell's rows of a layer that hold a point of the cell, as places in its list.
func (c *Cell) At(l Layer, p geom.Point) (places []int) {
	for i, s := range c.of(l).outlines {
		if s == nil || s.Contains(p) {
			places = append(places, i)
		}
	}
	return places
}

// Row is the row of a place in its layer's own section.
func (c *Cell) Row(l Layer, place int) int { return c.of(l).rows[place] }

// GridHead is the family's head of overlays-grid.
type GridHead struct {
	Areas, Municipalities, Sites int // of the country
}

// Encode writes a head.
func (h GridHead) Encode() ([]byte, error) {
	return encode("head", 0, func(w *column.Writer) {
		for _, n := range []int{h.Areas, h.Municipalities, h.Sites} {
			w.Count(n)
		}
	})
}

// DecodeGridHead reads a head of any bytes.
func DecodeGridHead(b []byte) (h GridHead, err error) {
	err = decode("head", b, func(r *column.Reader, _ int) {
		for _, n := range []*int{&h.Areas, &h.Municipalities, &h.Sites} {
			*n = r.Count(maxRows)
		}
	})
	return h, err
}

// encode writes the cell with this box.
func (c *Cell) encode(box geom.Box) ([]byte, error) {
	return encode("cell", 0, func(w *column.Writer) {
		w.List(len(c.Areas))
		putAreas(w, c.Areas)
		w.List(len(c.Municipalities))
		putMunicipalities(w, c.Municipalities)
		w.List(len(c.Sites))
		putSites(w, c.Sites)
		var all []byte
		for i := range c.lies {
			var rows, lengths []uint64
			for k, row := range c.lies[i].rows {
				n := len(all)
				if s := c.lies[i].outlines[k]; s != nil {
					all = outline.Append(all, s.Geometry, box)
				}
				rows, lengths = append(rows, uint64(row)), append(lengths, uint64(len(all)-n))
			}
			w.Ints(rows)
			w.Ints(lengths)
		}
		w.Many(len(all), outlineBase, outlinePer)
		w.Frame(all)
	})
}

// Outlines decode to more than one byte for each stored byte at most by this.
const (
	outlineBase = 1 << 12
	outlinePer  = 24
)

// DecodeCell reads the cell of a box of any bytes, and says what it takes in memory.
func DecodeCell(b []byte, box geom.Box) (*Cell, int64, error) {
	c := &Cell{}
	var cost int64
	err := decode("cell", b, func(r *column.Reader, _ int) {
		c.Areas = readAreas(r, r.List())
		c.Municipalities = readMunicipalities(r, r.List())
		c.Sites = readSites(r, r.List())
		var lengths [len(layers)][]uint32
		for i, n := range [...]int{len(c.Areas), len(c.Municipalities), len(c.Sites)} {
			c.lies[i] = lying{make([]int, n), make([]*Shape, n)}
			for k, row := range column.Ints[uint32](r, n) {
				if c.lies[i].rows[k] = int(row); k > 0 && c.lies[i].rows[k-1] >= int(row) {
					r.Fail("row %d of a layer does not stand behind the one before", row)
				}
			}
			lengths[i] = column.Ints[uint32](r, n)
		}
		cost = c.readOutlines(r, lengths, box)
	})
	if err != nil {
		return nil, 0, err
	}
	const perArea, perMunicipality, perSite = 360, 160, 260
	return c, cost + int64(512+perArea*len(c.Areas)+perMunicipality*len(c.Municipalities)+perSite*len(c.Sites)), nil
}

// readOutlines reads the outlines, and says what they take in memory.
func (c *Cell) readOutlines(r *column.Reader, lengths [len(layers)][]uint32, box geom.Box) (cost int64) {
	all := r.Frame(r.Many(outlineBase, outlinePer))
	for i := range c.lies {
		for k, n := range lengths[i] {
			if r.Err != nil {
				return 0
			}
			if uint64(n) > uint64(len(all)) {
				r.Fail("an outline of %d bytes, %d are left", n, len(all))
				return 0
			}
			if n == 0 {
				continue
			}
			m := outline.Parse(all[:n], box)
			all = all[n:]
			if m == nil {
				r.Fail("row %d of a layer has no outline", c.lies[i].rows[k])
				return 0
			}
			c.lies[i].outlines[k] = NewShape(m)
			cost += shapeCost(m)
		}
	}
	if len(all) > 0 {
		r.Fail("%d bytes of outlines belong to no row", len(all))
	}
	return cost
}
