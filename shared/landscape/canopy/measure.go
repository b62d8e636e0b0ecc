package canopy

import (
	"math"
	"slices"
)

// measure describes the cells of a crown.
func (m *model) measure(t *Tree, radius float32) {
	if most := int(m.p.MaxCrownArea); len(t.Cells) > most {
		slices.SortStableFunc(t.Cells, func(a, b int32) int {
			switch d := m.score[a] - m.score[b]; {
			case d < 0:
				return -1
			case d > 0:
				return 1
			}
			return int(a - b)
		})
		for _, cell := range t.Cells[max(most, 1):] {
			m.owner[cell] = 0
		}
		t.Cells = t.Cells[:max(most, 1)]
		slices.Sort(t.Cells)
	}
	n := float64(len(t.Cells))
	heights := make([]float32, 0, len(t.Cells))
	var sum, sx, sy, sxx, sxy, syy, far float64
	border := 0
	me := m.owner[t.Cells[0]]
	for _, cell := range t.Cells {
		col, row := int(cell)%m.cols, int(cell)/m.cols
		h := m.raw[cell]
		heights = append(heights, h)
		sum += float64(h)
		dx, dy := float64(col-t.Col), float64(row-t.Row)
		sx, sy = sx+dx, sy+dy
		sxx, sxy, syy = sxx+float64(dx*dx), sxy+float64(dx*dy), syy+float64(dy*dy)
		far = max(far, float64(dx*dx)+float64(dy*dy))
		for _, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			x, y := col+d[0], row+d[1]
			switch {
			case x < 0 || y < 0 || x >= m.cols || y >= m.rows || m.raw[y*m.cols+x] < 0:
				t.Edge = true
				border++
			case m.owner[y*m.cols+x] != me:
				border++
			}
		}
	}
	slices.Sort(heights)
	t.MeanHeight, t.P90 = sum/n, float64(heights[min(int(0.9*n), len(heights)-1)])
	t.CrownArea, t.RadiusMean, t.RadiusMax = n, math.Sqrt(n/math.Pi), math.Sqrt(far)+0.5
	perimeter := float64(border) * math.Pi / 4
	t.Compactness = min(4*math.Pi*n/float64(perimeter*perimeter), 1)
	t.Elongation = elongation(sxx/n-float64(sx/n*(sx/n)), sxy/n-float64(sx/n*(sy/n)), syy/n-float64(sy/n*(sy/n)))
	t.exponent = m.profile(t, radius)
	switch {
	case math.IsNaN(t.exponent):
		t.Shape = Irregular
	case t.exponent < 1.35:
		t.Shape = Conical
	case t.exponent > 3:
		t.Shape = Columnar
	default:
		t.Shape = Rounded
	}
}

// elongation is 1 - minor / major axis of second moments; a cell's own extent counts.
func elongation(xx, xy, yy float64) float64 {
	const cell = 1.0 / 12
	xx, yy = xx+cell, yy+cell
	mean, diff := float64((xx+yy)/2), (xx-yy)/2
	root := math.Sqrt(float64(diff*diff) + float64(xy*xy))
	return 1 - math.Sqrt(max(mean-root, 0)/(mean+root))
}

// profile is the exponent p of the crown's profile h(d) = H - c d^p: by regression of log(H - h) on log d over rings of
// a metre. NaN where there are too few rings or the crown does not fall.
func (m *model) profile(t *Tree, radius float32) float64 {
	var sum, count [maxReach + 2]float64
	for _, cell := range t.Cells {
		col, row := int(cell)%m.cols, int(cell)/m.cols
		d := math.Sqrt(float64((col-t.Col)*(col-t.Col) + (row-t.Row)*(row-t.Row)))
		if ring := int(d + 0.5); ring > 0 && ring < len(sum) {
			sum[ring] += t.Height - float64(m.raw[cell])
			count[ring]++
		}
	}
	t.drop, t.drop2 = sum[1]/max(count[1], 1), sum[2]/max(count[2], 1)
	var n, sx, sy, sxx, sxy float64
	for ring := 1; ring < len(sum); ring++ {
		if count[ring] < 3 {
			continue
		}
		drop := sum[ring] / count[ring]
		if drop < 0.05 {
			continue
		}
		x, y := ln(float64(ring)), ln(drop)
		n, sx, sy = n+1, sx+x, sy+y
		sxx, sxy = sxx+float64(x*x), sxy+float64(x*y)
	}
	spread := sxx - float64(sx*sx)/n
	if n < 2 || spread < 0.05 {
		return math.NaN()
	}
	return (sxy - float64(sx*sy)/n) / spread
}

// saddleReach is how far a higher apex is looked for, in cells.
const saddleReach = 15

// prominence is how far an apex stands above the highest way to a higher cell within saddleReach; its height where there
// is no such cell. The way is found by a flood from the apex downwards.
func (m *model) prominence(t *Tree) float64 {
	if m.p.MinProminence <= 0 {
		return 0
	}
	f := flood{m: m, col: t.Col, row: t.Row}
	low := f.run()
	return float64(m.h[t.Row*m.cols+t.Col] - low)
}

// flood visits cells from the highest on.
type flood struct {
	m        *model
	col, row int
	seen     [(2*saddleReach + 1) * (2*saddleReach + 1)]bool
	heap     []wet
}

type wet struct {
	h    float32
	cell int32
}

func (f *flood) run() float32 {
	start := f.row*f.m.cols + f.col
	top := f.m.h[start]
	f.push(f.col, f.row)
	low := top
	for len(f.heap) > 0 {
		w := f.pop()
		if w.h > top {
			return low
		}
		low = min(low, w.h)
		col, row := int(w.cell)%f.m.cols, int(w.cell)/f.m.cols
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				f.push(col+dx, row+dy)
			}
		}
	}
	return 0
}

func (f *flood) push(col, row int) {
	dx, dy := col-f.col+saddleReach, row-f.row+saddleReach
	const side = 2*saddleReach + 1
	if dx < 0 || dy < 0 || dx >= side || dy >= side || col < 0 || row < 0 || col >= f.m.cols || row >= f.m.rows || f.seen[dy*side+dx] {
		return
	}
	f.seen[dy*side+dx] = true
	cell := row*f.m.cols + col
	f.heap = append(f.heap, wet{f.m.h[cell], int32(cell)})
	for i := len(f.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !f.heap[i].above(f.heap[up]) {
			break
		}
		f.heap[i], f.heap[up] = f.heap[up], f.heap[i]
		i = up
	}
}

func (w wet) above(o wet) bool { return w.h > o.h || w.h == o.h && w.cell < o.cell }

func (f *flood) pop() wet {
	top := f.heap[0]
	last := len(f.heap) - 1
	f.heap[0] = f.heap[last]
	f.heap = f.heap[:last]
	for i := 0; ; {
		best := i
		for _, c := range [2]int{2*i + 1, 2*i + 2} {
			if c < last && f.heap[c].above(f.heap[best]) {
				best = c
			}
		}
		if best == i {
			return top
		}
		f.heap[i], f.heap[best] = f.heap[best], f.heap[i]
		i = best
	}
}
