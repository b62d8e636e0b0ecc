package canopy

import (
	"math"

	"mappe/shared/geo/raster"
)

// Class is what a crown is by its surface.
type Class string

// The classes, in the order in which they are looked for.
const (
	Building      Class = "building"            // the apex, or half of the crown, lies in a footprint grown by 1 m
	HardSurface   Class = "hard_surface"        // mean NDVI of the crown at most 0.10
	DeadCandidate Class = "dead_tree_candidate" // as hard_surface, but with the rough surface of a crown: kept
	Crop          Class = "crop"                // even and smooth, at most 6 m high
	FlatStructure Class = "flat_structure"      // even and smooth, higher
	Uncertain     Class = "uncertain"           // neither that nor clearly a crown
	TreeSurface   Class = "tree"
	hardNDVI            = 0.10
	cropHeight          = 6.0
	evenResidual        = 0.35 // metres from the plane, as root mean square
	smoothRough         = 0.12 // metres, as root mean square of the second differences
	leastCertain        = 0.35 // likelihood
	buildingShare       = 0.5
	fewCells            = 5   // of which no plane can be told
	flatRelief          = 0.2 // metres, of fewer cells than that: a mast, or noise on a roof
)

// Surface is what the surface of a crown is like.
type Surface struct {
	BuildingShare float64 // of its cells in footprints grown by 1 m; NaN where footprints are not known
	Roughness     float64 // root mean square of second differences of the surface in the crown, metres
	Planarity     float64 // root mean square distance from the plane through the crown's cells, metres
	Relief        float64 // highest minus lowest of its cells, metres
}

// Colours are means of an orthophoto over the crown, 0 to 255, and the vegetation index.
type Colours struct {
	Red, Green, Blue, NIR, NDVI, Brightness float64
}

// Rejected says whether a crown of the class is no tree.
func (c Class) Rejected() bool {
	return c == Building || c == HardSurface || c == Crop || c == FlatStructure
}

// mask rasters the footprints, grown by a cell.
func (m *model) mask() {
	in := raster.MaskOf(m.DSM, m.Buildings)
	for row := range m.rows {
		in.Each(row, func(from, to int) {
			for y := max(row-1, 0); y <= min(row+1, m.rows-1); y++ {
				for x := max(from-1, 0); x < min(to+1, m.cols); x++ {
					m.buildings[y*m.cols+x] = true
				}
			}
		})
	}
}

// describe says what a crown is.
func (m *model) describe(t *Tree) {
	t.Surface = m.surface(t)
	t.Colours = m.colours(t)
	t.Likelihood = likelihood(t)
	t.Class = m.class(t)
	t.Height += float64(missedApex * HeightInputs(t)[0])
	m.kind(t)
}

// surface measures the roughness of a crown, its plane and its relief.
func (m *model) surface(t *Tree) Surface {
	var s Surface
	var n float64
	var p moments
	low, high := float32(math.Inf(1)), float32(math.Inf(-1))
	var rough, pairs float64
	inside, me := 0, m.owner[t.Cells[0]]
	for _, cell := range t.Cells {
		col, row := int(cell)%m.cols, int(cell)/m.cols
		h := m.raw[cell]
		low, high = min(low, h), max(high, h)
		x, y, z := float64(col-t.Col), float64(row-t.Row), float64(h)-t.Height
		n++
		p.add(x, y, z)
		if m.buildings != nil && m.buildings[cell] {
			inside++
		}
		for _, d := range [2]int{1, m.cols} {
			before, after := int(cell)-d, int(cell)+d
			if before >= 0 && after < len(m.owner) && m.owner[before] == me && m.owner[after] == me {
				second := float64(m.raw[before]) + float64(m.raw[after]) - float64(2*h)
				rough, pairs = rough+float64(second*second), pairs+1
			}
		}
	}
	s.Relief = float64(high - low)
	if pairs > 0 {
		s.Roughness = math.Sqrt(rough / pairs)
	}
	a, b, c, ok := p.plane(n)
	if ok {
		sum := 0.0
		for _, cell := range t.Cells {
			col, row := int(cell)%m.cols, int(cell)/m.cols
			r := float64(m.raw[cell]) - t.Height - float64(a*float64(col-t.Col)) - float64(b*float64(row-t.Row)) - c
			sum += float64(r * r)
		}
		s.Planarity = math.Sqrt(sum / n)
	}
	s.BuildingShare = math.NaN()
	if m.buildings != nil {
		s.BuildingShare = float64(inside) / n
	}
	return s
}

// moments are sums over points.
type moments struct{ x, y, z, xx, xy, yy, xz, yz float64 }

func (m *moments) add(x, y, z float64) {
	m.x, m.y, m.z = m.x+x, m.y+y, m.z+z
	m.xx, m.xy, m.yy = m.xx+float64(x*x), m.xy+float64(x*y), m.yy+float64(y*y)
	m.xz, m.yz = m.xz+float64(x*z), m.yz+float64(y*z)
}

// plane is the least squares plane z = a x + b y + c of n points; false where they lie on a line.
func (m *moments) plane(n float64) (a, b, c float64, ok bool) {
	xx, xy, yy := m.xx-float64(m.x*m.x)/n, m.xy-float64(m.x*m.y)/n, m.yy-float64(m.y*m.y)/n
	xz, yz := m.xz-float64(m.x*m.z)/n, m.yz-float64(m.y*m.z)/n
	det := float64(xx*yy) - float64(xy*xy)
	if det < 1e-9 {
		return 0, 0, 0, false
	}
	a = (float64(xz*yy) - float64(yz*xy)) / det
	b = (float64(yz*xx) - float64(xz*xy)) / det
	return a, b, (m.z - float64(a*m.x) - float64(b*m.y)) / n, true
}

// colours are the means of the orthophoto over the crown; nil where less than half of it is known.
func (m *model) colours(t *Tree) *Colours {
	if m.bands[0] == nil {
		return nil
	}
	var sum [4]float64
	n := 0.0
	for _, cell := range t.Cells {
		var v [4]float64
		known := true
		for band := range m.bands {
			v[band] = float64(m.bands[band][cell])
			known = known && v[band] == v[band]
		}
		if known {
			for band := range sum {
				sum[band] += v[band]
			}
			n++
		}
	}
	if n < 0.5*float64(len(t.Cells)) { // its border alone says nothing
		return nil
	}
	c := &Colours{Red: sum[0] / n, Green: sum[1] / n, Blue: sum[2] / n, NIR: sum[3] / n}
	c.Brightness = (c.Red + c.Green + c.Blue) / 3
	if both := c.NIR + c.Red; both > 0 {
		c.NDVI = (c.NIR - c.Red) / both
	}
	return c
}

// class goes through the verdicts in their order.
func (m *model) class(t *Tree) Class {
	s := &t.Surface
	even := s.Planarity <= evenResidual && s.Roughness <= smoothRough
	if len(t.Cells) < fewCells {
		even = s.Relief <= flatRelief
	}
	switch {
	case m.buildings != nil && (m.buildings[t.Row*m.cols+t.Col] || s.BuildingShare >= buildingShare):
		return Building
	case t.Colours != nil && t.Colours.NDVI <= hardNDVI && (even || s.Roughness <= 2*smoothRough):
		return HardSurface
	case t.Colours != nil && t.Colours.NDVI <= hardNDVI:
		return DeadCandidate
	case even && t.Height <= cropHeight:
		return Crop
	case even:
		return FlatStructure
	case t.Likelihood < leastCertain:
		return Uncertain
	}
	return TreeSurface
}
