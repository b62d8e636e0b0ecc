// Package kgtest makes whole, plausible Snapshots of made-up KGs for tests and benchmarks: parcels
// that tile a valley floor with exactly shared vertices, islands, parts, strips; numbers, folios,
// address points, footprints, land use, symbols and labels. The same Options give the same Snapshot,
// on every machine. It is test support: no program imports it.
package kgtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Options choose a KG. Small and Large are the two the project's figures are measured on.
type Options struct {
	Code     austria.KGCode // default 99001
	Parcels  int            // exact number of parcels, at least 8
	Segments int            // line pieces between two corners: about 6 corners a parcel
	AreaKm2  float64
	Seed     uint64
	// East and North move the KG by units of 1e-7 degrees, so that several lie beside each other. The
	// shapes are those of the unmoved place.
	East, North int32
}

// Small is an average KG: 1,295 parcels of about 18 vertices on 10 km².
var Small = Options{Code: "99001", Parcels: 1295, Segments: 3, AreaKm2: 10, Seed: 1}

// Large is a KG like the largest: 19,720 parcels of about 12 vertices on 40 km².
var Large = Options{Code: "99002", Parcels: 19720, Segments: 2, AreaKm2: 40, Seed: 2}

const originX, originY = 151_000_000, 482_000_000

// Origin is the lower left corner of a made-up KG that is not moved, in Lower Austria.
var Origin = geom.Point{X: originX, Y: originY}

type maker struct {
	o      Options
	rng    *rand.Rand
	rows   int
	cols   int // whole bricks a row
	metric crs.Scale
	nodes  [][]geom.Point   // [line][half brick]
	horiz  [][][]geom.Point // inner points right of a node
	vert   [][][]geom.Point // inner points above a node
	w, h   float64          // brick in units
	cells  []geom.MultiPolygon
}

// Snapshot makes the KG. It is already on the stored grid (kgfile.Quantise).
func Snapshot(o Options) *kgfile.Snapshot {
	if o.Code == "" {
		o.Code = "99001"
	}
	if o.Parcels < 8 || o.Segments < 1 || o.AreaKm2 <= 0 {
		panic(fmt.Sprintf("kgtest: options %+v: expected at least 8 parcels, 1 segment and an area", o))
	}
	m := &maker{o: o, rng: rand.New(rand.NewPCG(o.Seed, 7)), metric: crs.ScaleAt(geom.Point{X: originX, Y: originY})}
	m.lattice()
	m.tile()
	s := m.describe()
	kgfile.Quantise(s)
	return s
}

// lattice lays rows of bricks, each row half a brick aside, so that three parcels meet in a corner as
// they do in real maps, and bends every line.
func (m *maker) lattice() {
	m.rows = max(int(math.Sqrt(float64(m.o.Parcels)*0.8)), 2)
	m.cols = m.o.Parcels*106/100/m.rows + 2
	side := math.Sqrt(m.o.AreaKm2) * 1000
	m.w, m.h = side/float64(m.cols)/m.metric.X, side/float64(m.rows)/m.metric.Y
	for r := range m.rows + 1 {
		line := make([]geom.Point, 2*m.cols+1)
		for k := range line {
			line[k] = m.jitter(originX+float64(m.o.East)+float64(k)/2*m.w, originY+float64(m.o.North)+float64(r)*m.h, 0.12)
		}
		m.nodes = append(m.nodes, line)
	}
	for r := range m.rows + 1 {
		var h, v [][]geom.Point
		for k := range m.nodes[r] {
			h, v = append(h, nil), append(v, nil)
			if k+1 < len(m.nodes[r]) {
				h[k] = m.bend(m.nodes[r][k], m.nodes[r][k+1])
			}
			if r < m.rows {
				v[k] = m.bend(m.nodes[r][k], m.nodes[r+1][k])
			}
		}
		m.horiz, m.vert = append(m.horiz, h), append(m.vert, v)
	}
}

func (m *maker) jitter(x, y, share float64) geom.Point {
	return geom.Point{
		X: int32(math.Round(x + (m.rng.Float64()*2-1)*share*m.w)),
		Y: int32(math.Round(y + (m.rng.Float64()*2-1)*share*m.h)),
	}
}

// bend gives the inner points of a line of Segments pieces.
func (m *maker) bend(a, b geom.Point) []geom.Point {
	var out []geom.Point
	for k := 1; k < m.o.Segments; k++ {
		t := float64(k) / float64(m.o.Segments)
		x := float64(a.X) + t*float64(b.X-a.X)
		y := float64(a.Y) + t*float64(b.Y-a.Y)
		out = append(out, m.jitter(x, y, 0.05))
	}
	return out
}

// run is the ring of the bricks between two half-brick columns of a row, counter-clockwise.
func (m *maker) run(row, from, to int) geom.Ring {
	var r geom.Ring
	for k := from; k < to; k++ {
		r = append(append(r, m.nodes[row][k]), m.horiz[row][k]...)
	}
	r = append(append(r, m.nodes[row][to]), m.vert[row][to]...)
	for k := to; k > from; k-- {
		r = append(r, m.nodes[row+1][k])
		r = append(r, reversed(m.horiz[row+1][k-1])...)
	}
	r = append(r, m.nodes[row+1][from])
	return append(r, reversed(m.vert[row][from])...)
}

func reversed(p []geom.Point) []geom.Point {
	q := slices.Clone(p)
	slices.Reverse(q)
	return q
}

// tile cuts the rows into parcels: single bricks, strips where rows are long, islands, two-part parcels.
func (m *maker) tile() {
	var bricks [][3]int
	for row := range m.rows {
		cuts := []int{0}
		for k := row%2 + 2 - 2*(row%2); k < 2*m.cols; k += 2 {
			cuts = append(cuts, k)
		}
		cuts = append(cuts, 2*m.cols)
		for i := 1; i < len(cuts); i++ {
			bricks = append(bricks, [3]int{row, cuts[i-1], cuts[i]})
		}
	}
	islands, pairs := m.o.Parcels*12/1000, m.o.Parcels*6/1000
	// Join neighbours until what is left, with islands and pairs, is the number asked for.
	for surplus := len(bricks) + islands - pairs - m.o.Parcels; surplus > 0; {
		i := m.rng.IntN(len(bricks) - 1)
		if bricks[i][0] == bricks[i+1][0] && bricks[i+1][2]-bricks[i][1] <= 24 {
			bricks[i][2] = bricks[i+1][2]
			bricks = slices.Delete(bricks, i+1, i+2)
			surplus--
		}
	}
	for _, b := range bricks {
		m.cells = append(m.cells, geom.MultiPolygon{{m.run(b[0], b[1], b[2])}})
	}
	for k := range islands {
		m.island((k*len(bricks)/max(islands, 1) + 1) % len(bricks))
	}
	for k := range pairs {
		// Two parts far from each other; the second is taken from its place near the end.
		last := len(bricks) - 1 - k
		host := (k*97 + 3) % (len(bricks) / 2)
		m.cells[host] = append(m.cells[host], m.cells[last][0])
		m.cells[last] = nil
	}
	m.cells = slices.DeleteFunc(m.cells, func(c geom.MultiPolygon) bool { return c == nil })
}

// island puts a small parcel into the middle of a brick and the hole for it.
func (m *maker) island(host int) {
	b := m.cells[host][0].Bounds()
	x, y := (float64(b.MinX)+float64(b.MaxX))/2, (float64(b.MinY)+float64(b.MaxY))/2
	var r geom.Ring
	for k := range 7 {
		a := 2 * math.Pi * float64(k) / 7
		r = append(r, geom.Point{X: int32(math.Round(x + 0.15*m.w*math.Cos(a))), Y: int32(math.Round(y + 0.15*m.h*math.Sin(a)))})
	}
	m.cells[host][0] = append(m.cells[host][0], geom.Ring(reversed(r)))
	m.cells = append(m.cells, geom.MultiPolygon{{r}})
}

// number spells the n-th parcel number: mostly plain, some shared out, some building plots.
func (m *maker) number(n int, dot bool) austria.GNR {
	var b strings.Builder
	if dot {
		b.WriteByte('.')
	}
	fmt.Fprintf(&b, "%d", n/3+1)
	if n%3 > 0 {
		fmt.Fprintf(&b, "/%d", n%3)
	}
	return austria.GNR(b.String())
}
