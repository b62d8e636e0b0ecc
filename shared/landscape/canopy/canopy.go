// Package canopy finds single trees in the height of the canopy above the ground (DSM - DTM) and says what each is.
//
// Steps, for cells of 1 m:
//
//  1. The canopy model is smoothed by a Gaussian of SmoothSigma.
//  2. Apexes are its local maxima of at least MinHeight which no higher cell within the suppression radius rules out:
//     0.6 (a + b h). The crown radius a + b h of the described service, taken whole as a suppression radius, misses trees
//     that stand close (variable windows: Popescu & Wynne 2004; the factor was measured on field plots).
//  3. Crowns grow from the apex outwards, ray by ray, up to CapFactor (a + b h) and MaxCrownArea, while the canopy falls,
//     stays above CrownShare of the apex and above MinCrown, after Dalponte & Coomes 2016; a valley ends a ray. A cell that
//     several trees reach belongs to the one that is nearest in units of its crown radius.
//  4. What the crown is by its surface: Verdict.
//  5. What kind of tree it is: leaf type from the shape of the crown and, where there is an orthophoto, its colours; diameter
//     (Jucker et al. 2017) and volume of the stem (Pollanschütz 1974).
//
// Every step looks at most Halo metres around a cell, so that a tree is the same in whatever window it is found, and
// arithmetic is rounded explicitly, so that it is the same on every processor.
package canopy

import (
	"cmp"
	"math"
	"slices"

	"mappe/shared/geo/raster"
)

// Halo is how many metres around the area that is asked for the layers have to reach.
const Halo = 40

// Params are the parameters of the search; Default has the published ones.
type Params struct {
	MinHeight     float64 // metres of a tree
	RadiusA       float64 // crown radius in metres is RadiusA + RadiusB times the height
	RadiusB       float64
	SmoothSigma   float64 // metres; 0: not smoothed. Half a cell of 1 m already costs every tenth tree of a dense stand
	CapFactor     float64 // the largest crown radius, in crown radii
	MaxCrownArea  float64 // m²
	MinCrownArea  float64 // m²: smaller crowns are no trees; 0: any
	Fused         bool    // whether the orthophoto confirms apexes
	MinProminence float64 // metres that an apex stands above the highest saddle to a higher one within 15 m; 0: any
}

// Default are the usual parameters.
func Default() Params {
	return Params{MinHeight: 3, RadiusA: 1.2, RadiusB: 0.08, SmoothSigma: 0.25, CapFactor: 1.5, MaxCrownArea: 250}
}

// The limits that are no parameters.
const (
	suppression = 0.6  // of the crown radius
	crownShare  = 0.35 // of the apex, that a cell of the crown has at least
	minCrown    = 1.5  // metres that a cell of the crown has at least
	climb       = 0.5  // metres that a ray may rise again before it is at an end
	maxReach    = 20   // metres of a crown radius, whatever the parameters
	maxSigma    = 3    // cells
)

// Layers are what trees are found in: grids of one place and step of 1 m.
type Layers struct {
	DTM, DSM *raster.Grid
	Photo    Photo // nil without one
	// Buildings are the footprints that reach into the grids; Known says that they are known there.
	Buildings      []raster.Polygon
	BuildingsKnown bool
}

// Tree is a tree of a date.
type Tree struct {
	Col, Row      int     // of the apex's cell in the grids
	X, Y          float64 // middle of that cell, EPSG:3035
	Height        float64 // metres above the ground
	MeanHeight    float64 // of the crown
	P90           float64
	CrownArea     float64 // m²
	RadiusMean    float64 // of the circle of that area, metres
	RadiusMax     float64
	Compactness   float64 // 4 pi A / P², P the border of the cells times pi/4
	Elongation    float64 // 1 - minor / major axis of the cells' second moments
	Shape         Shape
	Edge          bool // the crown touches what is not known
	Cells         []int32
	Surface       Surface
	Class         Class
	Likelihood    float64
	Leaf          Leaf
	LeafConf      float64
	Conifer       float64 // probability
	Colours       *Colours
	Species       Species
	SpeciesConf   float64
	Vitality      Vitality
	VitalityConf  float64
	DBH, Volume   float64 // cm, m³
	DetectionConf float64
	Source        Source
	Prominence    float64
	exponent      float64 // of the profile; NaN
	drop, drop2   float64 // mean metres below the apex one and two metres from it
}

// Shape is the form of a crown.
type Shape string

// The forms, told by the exponent of the profile h(d) = H - c d^p.
const (
	Conical   Shape = "conical"   // p below 1.35
	Rounded   Shape = "rounded"   // p from 1.35 to 3
	Columnar  Shape = "columnar"  // p above 3: a steep flank
	Irregular Shape = "irregular" // no profile fits
)

// model is the canopy in work.
type model struct {
	Layers
	p          Params
	cols, rows int
	raw        []float32 // metres above the ground, at least 0; unknown is -1
	h          []float32 // smoothed
	owner      []int32   // number of the tree + 1; 0: none
	score      []float32 // distance to the owner in its crown radii
	buildings  []bool    // footprints and 1 m around them; nil: they are not known
	bands      [4][]float32
	offsets    []offset
}

// offset is a cell of a disc: its place from the middle and the cell before it on the way there.
type offset struct {
	dx, dy, parent int32
	d              float32
}

// Finder looks at one window after another in the same memory. The zero value is ready for On. It is not safe for concurrent use.
type Finder struct {
	m model
	// What windows are looked at in: their cells.
	masked []bool
	counts []float32
	pixels []float32
	sums   []int32
	photo  [4][]float32
}

// sized is the room of a list for n values, which are 0 where fresh says so; a larger one is made where it is too small.
func sized[T any](list []T, n int, fresh bool) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	if list = list[:n]; fresh {
		clear(list)
	}
	return list
}

// On lays the layers of a window.
func (f *Finder) On(l Layers) {
	m := &f.m
	m.Layers, m.cols, m.rows = l, l.DSM.Cols, l.DSM.Rows
	m.raw = sized(m.raw, m.cols*m.rows, false)
	m.canopy()
	m.buildings = nil
	if l.BuildingsKnown {
		f.masked = sized(f.masked, len(m.raw), true)
		m.buildings = f.masked
		m.mask()
	}
}

// Off lets go of the layers.
func (f *Finder) Off() { f.m.Layers = Layers{} }

// Find lists the trees whose apexes lie in a box, by row from the north, then column. The layers reach Halo around the box,
// or as far as there is data.
func Find(l Layers, within raster.Box, p Params) []Tree {
	var f Finder
	f.On(l)
	return f.Find(within, p)
}

// Find is Find of the layers that are laid.
func (f *Finder) Find(within raster.Box, p Params) []Tree {
	m := &f.m
	m.p = p
	m.smooth()
	f.photograph()
	apexes := m.apexes()
	if p.Fused {
		f.fuse(apexes)
	}
	m.offsets = disc(min(maxReach, p.CapFactor*(p.RadiusA+float64(p.RadiusB*m.highest(apexes)))))
	trees := m.crowns(apexes)
	out := make([]Tree, 0, len(trees))
	for i := range trees {
		t := &trees[i]
		if t.X < within.West || t.X >= within.East || t.Y < within.South || t.Y >= within.North || t.CrownArea < p.MinCrownArea {
			continue
		}
		if t.Prominence = m.prominence(t); t.Prominence < p.MinProminence {
			continue
		}
		m.describe(t)
		out = append(out, *t)
	}
	return out
}

// canopy is the height above the ground.
func (m *model) canopy() {
	for i, z := range m.DSM.Z {
		h := z - m.DTM.Z[i]
		switch {
		case h != h:
			h = -1
		case h < 0:
			h = 0
		}
		m.raw[i] = h
	}
}

// smooth writes the canopy after a Gaussian. What is not known counts as ground.
func (m *model) smooth() {
	m.h = sized(m.h, len(m.raw), false)
	for i, h := range m.raw {
		m.h[i] = max(h, 0)
	}
	sigma := min(m.p.SmoothSigma, maxSigma)
	if sigma <= 0 {
		return
	}
	blur(m.h, m.cols, m.rows, gaussian(int(math.Ceil(3*sigma)), func(i int) float64 { return float64(i) / sigma }))
}

// gaussian is the half of a kernel from its middle to n cells beside it; at is how many standard deviations a cell lies away.
func gaussian(n int, at func(i int) float64) []float32 {
	kernel := make([]float32, n+1)
	sum := 0.0
	for i := range kernel {
		w := gauss(at(i))
		kernel[i] = float32(w)
		if sum += w; i > 0 {
			sum += w
		}
	}
	for i := range kernel {
		kernel[i] = float32(float64(kernel[i]) / sum)
	}
	return kernel
}

// blur makes of a picture what a kernel makes of its rows, then of its columns; its borders go on as they are. A row is written when
// the last that it hangs on was read.
func blur(z []float32, cols, rows int, kernel []float32) {
	n := len(kernel) - 1
	ring := make([]float32, (2*n+1)*cols) // of rows after the kernel along them
	across := func(row int) []float32 {
		at := min(max(row, 0), rows-1) % (2*n + 1) * cols
		return ring[at : at+cols]
	}
	read := 0
	for row := range rows {
		for ; read <= min(row+n, rows-1); read++ {
			convolve(across(read), z[read*cols:(read+1)*cols], kernel)
		}
		to := z[row*cols : (row+1)*cols]
		for col, v := range across(row) {
			to[col] = float32(kernel[0] * v)
		}
		for k := 1; k <= n; k++ {
			up, down := across(row-k), across(row+k)
			w := kernel[k]
			for col := range to {
				to[col] += float32(w * float32(up[col]+down[col]))
			}
		}
	}
}

// gauss is e to the power -x²/2 by its series, the same on every processor.
func gauss(x float64) float64 {
	t := float64(x*x) / 2
	// e^-t = 1 / e^t; t is at most 4.5, so that thirty terms are exact.
	sum, term := 1.0, 1.0
	for n := 1; n <= 40; n++ {
		term = float64(term*t) / float64(n)
		sum += term
	}
	return 1 / sum
}

// convolve smooths a row; its ends go on as they are.
func convolve(to, from, kernel []float32) {
	last := len(from) - 1
	for i := range to {
		sum := float32(kernel[0] * from[i])
		for k := 1; k < len(kernel); k++ {
			sum += float32(kernel[k] * float32(from[max(i-k, 0)]+from[min(i+k, last)]))
		}
		to[i] = sum
	}
}

// apex is a local maximum.
type apex struct {
	cell   int32
	height float32 // of the model as measured, the highest of the cells around
	radius float32 // of the crown
	source Source
}

// apexes are the local maxima that no higher cell rules out, by cell.
func (m *model) apexes() []apex {
	var out []apex
	least := float32(m.p.MinHeight)
	var around []offset
	for row := 1; row < m.rows-1; row++ {
		for col := 1; col < m.cols-1; col++ {
			at := row*m.cols + col
			h := m.h[at]
			if float32(h*1.6) < least || !m.peak(at, h) { // smoothing lowers an apex
				continue
			}
			top := m.top(at)
			if top < least {
				continue
			}
			radius := float32(m.p.RadiusA + float64(m.p.RadiusB*float64(top)))
			if reach := float64(suppression * radius); len(around) == 0 || float64(around[len(around)-1].d) < reach {
				around = disc(math.Ceil(reach) + 4)
			}
			if m.dominates(col, row, h, float32(suppression*radius), around) {
				out = append(out, apex{int32(at), top, radius, FromHeights})
			}
		}
	}
	return out
}

// peak says whether a cell is higher than its eight neighbours; of equal ones the first is.
func (m *model) peak(at int, h float32) bool {
	c := m.cols
	return h > m.h[at-c-1] && h > m.h[at-c] && h > m.h[at-c+1] && h > m.h[at-1] &&
		h >= m.h[at+1] && h >= m.h[at+c-1] && h >= m.h[at+c] && h >= m.h[at+c+1]
}

// top is the highest cell of the model as measured in and around a cell.
func (m *model) top(at int) float32 {
	best := m.raw[at]
	for _, d := range [8]int{-m.cols - 1, -m.cols, -m.cols + 1, -1, 1, m.cols - 1, m.cols, m.cols + 1} {
		best = max(best, m.raw[at+d])
	}
	return best
}

// dominates says whether no cell within a radius is higher; of equal ones the first is.
func (m *model) dominates(col, row int, h, radius float32, around []offset) bool {
	for _, o := range around[1:] {
		if o.d > radius {
			return true
		}
		x, y := col+int(o.dx), row+int(o.dy)
		if x < 0 || y < 0 || x >= m.cols || y >= m.rows {
			continue
		}
		if other := m.h[y*m.cols+x]; other > h || other == h && (y < row || y == row && x < col) {
			return false
		}
	}
	return true
}

func (m *model) highest(apexes []apex) float64 {
	best := float32(0)
	for i := range apexes {
		best = max(best, apexes[i].height)
	}
	return float64(best)
}

// disc lists the cells around a middle up to a radius, by distance, then place; the first is the middle.
func disc(radius float64) []offset {
	n := int32(math.Ceil(radius))
	var list []offset
	for dy := -n; dy <= n; dy++ {
		for dx := -n; dx <= n; dx++ {
			if d := math.Sqrt(float64(dx*dx + dy*dy)); d <= radius {
				list = append(list, offset{dx, dy, 0, float32(d)})
			}
		}
	}
	slices.SortFunc(list, func(a, b offset) int {
		return cmp.Or(cmp.Compare(a.dx*a.dx+a.dy*a.dy, b.dx*b.dx+b.dy*b.dy), cmp.Compare(a.dy, b.dy), cmp.Compare(a.dx, b.dx))
	})
	at := map[[2]int32]int32{}
	for i, o := range list {
		at[[2]int32{o.dx, o.dy}] = int32(i)
	}
	for i := range list {
		o := &list[i]
		// The cell before it: one step back along the longer axis, on the line to the middle.
		k := max(abs(o.dx), abs(o.dy))
		if k == 0 {
			continue
		}
		step := func(v int32) int32 { return v - int32(math.Round(float64(v)/float64(k))) }
		o.parent = at[[2]int32{step(o.dx), step(o.dy)}]
	}
	return list
}

func abs(v int32) int32 {
	if v < 0 {
		return -v
	}
	return v
}

// crowns grow the crowns of all apexes and gather their cells.
func (m *model) crowns(apexes []apex) []Tree {
	m.owner, m.score = sized(m.owner, len(m.raw), true), sized(m.score, len(m.raw), true)
	lowest := make([]float32, len(m.offsets)) // on the way to a cell; -1: it is not reached
	for i := range apexes {
		m.grow(i, &apexes[i], lowest)
	}
	trees := make([]Tree, len(apexes))
	counts := make([]int32, len(apexes))
	owned := 0
	for _, o := range m.owner {
		if o > 0 {
			counts[o-1]++
			owned++
		}
	}
	cells := make([]int32, owned) // of all, tree by tree
	for i := range apexes {
		a := &apexes[i]
		t := &trees[i]
		t.Col, t.Row = int(a.cell)%m.cols, int(a.cell)/m.cols
		t.X, t.Y = m.DSM.Centre(t.Col, t.Row)
		t.Height, t.Source = float64(a.height), a.source
		t.Cells, cells = cells[0:0:counts[i]], cells[counts[i]:]
	}
	for cell, o := range m.owner {
		if o > 0 {
			trees[o-1].Cells = append(trees[o-1].Cells, int32(cell))
		}
	}
	for i := range trees {
		m.measure(&trees[i], apexes[i].radius)
	}
	return trees
}

// grow offers the cells that an apex reaches to it.
func (m *model) grow(number int, a *apex, lowest []float32) {
	col, row := int(a.cell)%m.cols, int(a.cell)/m.cols
	floor := max(float32(crownShare*a.height), minCrown)
	reach := float32(min(m.p.CapFactor*float64(a.radius), maxReach, math.Sqrt(m.p.MaxCrownArea/math.Pi)+0.5))
	m.owner[a.cell], m.score[a.cell] = int32(number+1), -1
	lowest[0] = m.h[a.cell]
	for i := 1; i < len(m.offsets); i++ {
		o := &m.offsets[i]
		if o.d > reach {
			return
		}
		lowest[i] = -1
		x, y := col+int(o.dx), row+int(o.dy)
		low := lowest[o.parent]
		if low < 0 || x < 0 || y < 0 || x >= m.cols || y >= m.rows {
			continue
		}
		cell := y*m.cols + x
		h := m.h[cell]
		if h < floor || h > low+climb || m.raw[cell] < 0 {
			continue
		}
		lowest[i] = min(low, h)
		if s := o.d / a.radius; m.owner[cell] == 0 || s < m.score[cell] {
			m.owner[cell], m.score[cell] = int32(number+1), s
		}
	}
}
