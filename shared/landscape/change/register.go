package change

import (
	"context"
	"math"

	"mappe/shared/geo/raster"
)

// Registration is by how much the later date lies off the earlier one; it is taken off before anything is compared.
type Registration struct {
	Offset, OffsetError float64    // metres: later minus earlier, in the middle of the sample
	Tilt, TiltError     [2]float64 // metres a metre to the east and to the north
	Shift, ShiftError   [2]float64 // metres to the east and to the north by which the later date shows a place too far
	Applied             bool       // the shift is larger than its error and was taken off
	Pivot               raster.XY  // where the tilt is nothing
	Sample              int        // cells it was estimated from
	Open, Wooded        float64    // standard deviation of the difference of the two terrain models, metres
	Steep               float64    // metres that it grows by for each unit of the tangent of the slope
}

const (
	patchSide  = 250      // metres of a square of the sample
	maxPatches = 16       // of the sample
	reach      = 6        // cells around a patch: the greatest shift, and what a place is interpolated from
	maxShift   = 2.5      // metres: what goes beyond is no shift
	rounds     = 6        // of the estimate
	sampled    = 2        // of so many rows and columns one is fitted
	lowGrowth  = 1.5      // metres above the ground up to which the ground is taken for seen
	terms      = 5        // of the model: offset, two of the tilt, two of the shift
	least      = 2000     // cells from which on the open ground is enough of a sample
	perSD      = 1.4826   // standard deviations in a median absolute deviation
	perTilt    = 1. / 1e3 // the tilt is fitted a kilometre
)

// patches are the squares of the sample: of those of a lattice anchored at multiples of their side that meet the area, grown to
// a kilometre, at most maxPatches, evenly spread.
func patches(area cells) []cells {
	grow := max(0, (1000-min(area.cols(), area.rows())+1)/2)
	a := cells{floorTo(area.x0-min(grow, 500), patchSide), floorTo(area.y0-min(grow, 500), patchSide), area.x1 + min(grow, 500),
		area.y1 + min(grow, 500)}
	nx, ny := (a.cols()+patchSide-1)/patchSide, (a.rows()+patchSide-1)/patchSide
	// The finest lattice of n x m squares that has room for them.
	n, m := nx, ny
	for n*m > maxPatches {
		if n*ny >= m*nx {
			n--
		} else {
			m--
		}
	}
	var out []cells
	for j := range m {
		for i := range n {
			x, y := a.x0+(2*i+1)*nx/(2*n)*patchSide, a.y0+(2*j+1)*ny/(2*m)*patchSide
			out = append(out, cells{x, y, x + patchSide, y + patchSide})
		}
	}
	return out
}

// patch is a square of the sample with a margin.
type patch struct {
	cells         // without the margin
	before, after *raster.Grid
	low           []bool    // cells of the square, both dates: the ground is seen
	dx, dy        []float32 // slopes of the cells that are fitted
	normal        normal
}

// register estimates how the two dates lie to each other. The model is that of Nuth and Kääb 2011, dz = |s| tan(slope)
// cos(direction - aspect) + offset, as the linear form s·∇z + offset + tilt·place, fitted by least squares over every second cell
// of every second row with what lies beyond 2.5 standard deviations left out, and repeated with the shift taken off.
func register(ctx context.Context, s Source, area cells) (*Registration, error) {
	squares := patches(area)
	ps := make([]patch, len(squares))
	err := each(len(squares), func(i int) error {
		p, err := readPatch(ctx, s, squares[i])
		ps[i] = p
		return err
	})
	if err != nil {
		return nil, err
	}
	r := &Registration{}
	for _, c := range squares {
		r.Pivot.X += float64(c.x0+patchSide/2) / float64(len(squares))
		r.Pivot.Y += float64(c.y0+patchSide/2) / float64(len(squares))
	}
	r.Pivot = raster.XY{X: math.Round(r.Pivot.X), Y: math.Round(r.Pivot.Y)}
	low := 0
	for i := range ps {
		for _, ok := range ps[i].low {
			if ok {
				low++
			}
		}
	}
	all := low < least
	cut := 3.0
	for range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		res := make([][]int32, len(ps))
		if err := each(len(ps), func(i int) error {
			res[i] = ps[i].fit(r, cut, all)
			return nil
		}); err != nil {
			return nil, err
		}
		step, n := solve(ps, -1)
		if n < 4*terms {
			return r, nil
		}
		r.add(step)
		r.Sample = n
		r.uncertain(ps, step)
		cut = max(2.5*spread(res), 0.02)
	}
	r.settle()
	r.noise(ps, all)
	return r, nil
}

// settle leaves a shift as it is that is not larger than what it may be wrong by: heights need not be interpolated then.
func (r *Registration) settle() {
	s, e := r.Shift, r.ShiftError
	r.Applied = math.Abs(s[0]) > max(2*e[0], 0.02) || math.Abs(s[1]) > max(2*e[1], 0.02)
	if math.Abs(s[0]) > maxShift || math.Abs(s[1]) > maxShift {
		r.Applied = false
	}
}

func readPatch(ctx context.Context, s Source, c cells) (patch, error) {
	p := patch{cells: c}
	var g [layers]*raster.Grid
	for l := range layers {
		var err error
		if g[l], err = window(ctx, s, l, c.grown(reach)); err != nil {
			return p, err
		}
	}
	p.before, p.after = g[TerrainBefore], g[TerrainAfter]
	n := patchSide * patchSide
	p.low, p.dx, p.dy = make([]bool, n), make([]float32, n), make([]float32, n)
	cols := p.before.Cols
	for row := 0; row < patchSide; row++ {
		for col := 0; col < patchSide; col++ {
			i, k := row*patchSide+col, (row+reach)*cols+col+reach
			a := g[SurfaceBefore].Z[k] - p.before.Z[k]
			b := g[SurfaceAfter].Z[k] - p.after.Z[k]
			p.low[i] = a < lowGrowth && b < lowGrowth
			if row%sampled != 0 || col%sampled != 0 {
				continue
			}
			z := p.before.Z
			e := float64(z[k+1-cols]) + float64(2*float64(z[k+1])) + float64(z[k+1+cols])
			w := float64(z[k-1-cols]) + float64(2*float64(z[k-1])) + float64(z[k-1+cols])
			north := float64(z[k-1-cols]) + float64(2*float64(z[k-cols])) + float64(z[k+1-cols])
			south := float64(z[k-1+cols]) + float64(2*float64(z[k+cols])) + float64(z[k+1+cols])
			p.dx[i], p.dy[i] = float32((e-w)/8), float32((north-south)/8)
		}
	}
	return p, nil
}

// normal are the normal equations of a fit.
type normal struct {
	a [terms][terms]float64
	b [terms]float64
	n int
}

// add adds an equation: the factors of the terms are 1, the place, and the slope to the east and to the north.
func (m *normal) add(x, y, east, north, v float64) {
	m.n++
	r := &m.a[0]
	r[0], r[1], r[2], r[3], r[4] = r[0]+1, r[1]+x, r[2]+y, r[3]+east, r[4]+north
	r = &m.a[1]
	r[1], r[2], r[3], r[4] = r[1]+float64(x*x), r[2]+float64(x*y), r[3]+float64(x*east), r[4]+float64(x*north)
	r = &m.a[2]
	r[2], r[3], r[4] = r[2]+float64(y*y), r[3]+float64(y*east), r[4]+float64(y*north)
	r = &m.a[3]
	r[3], r[4] = r[3]+float64(east*east), r[4]+float64(east*north)
	m.a[4][4] += float64(north * north)
	b := &m.b
	b[0], b[1], b[2], b[3], b[4] = b[0]+v, b[1]+float64(x*v), b[2]+float64(y*v), b[3]+float64(east*v), b[4]+float64(north*v)
}

// fit makes the normal equations of a patch and gives the residuals in tenths of millimetres.
func (p *patch) fit(r *Registration, cut float64, all bool) (residuals []int32) {
	var m normal
	residuals = make([]int32, 0, patchSide*patchSide/4)
	k := kernelOf(-r.Shift[0], -r.Shift[1])
	for row := 0; row < patchSide; row += sampled {
		for col := 0; col < patchSide; col += sampled {
			i := row*patchSide + col
			if !p.low[i] && !all {
				continue
			}
			z := float64(p.before.Z[(row+reach)*p.before.Cols+col+reach])
			after := k.cubic(p.after.Z, p.after.Cols, col+reach, row+reach)
			x, y := float64(p.x0+col)+0.5-r.Pivot.X, float64(p.y1-row)-0.5-r.Pivot.Y
			d := after - z - r.at(x, y)
			if d != d || p.dx[i] != p.dx[i] || p.dy[i] != p.dy[i] {
				continue
			}
			if math.Abs(d) < 10 {
				residuals = append(residuals, int32(math.Floor(float64(d*10000)+0.5)))
			}
			if math.Abs(d) < cut {
				m.add(x*perTilt, y*perTilt, float64(p.dx[i]), float64(p.dy[i]), d)
			}
		}
	}
	p.normal = m
	return residuals
}

// at is what the later date is too high, x and y metres from the pivot.
func (r *Registration) at(x, y float64) float64 {
	return r.Offset + float64(r.Tilt[0]*x) + float64(r.Tilt[1]*y)
}

func (r *Registration) add(v [terms]float64) {
	r.Offset += v[0]
	r.Tilt[0] += float64(v[1] * perTilt)
	r.Tilt[1] += float64(v[2] * perTilt)
	for i := range 2 {
		r.Shift[i] = min(max(r.Shift[i]+v[3+i], -maxShift-0.5), maxShift+0.5)
	}
}

// solve joins the patches but one (-1: none) and solves for the terms. The shift comes first, of what is left of each patch
// without its mean: flight strips differ by more than slopes tell. Offset and tilt are fitted to what then is left.
func solve(ps []patch, without int) (x [terms]float64, n int) {
	var shift, level linear
	for i := range ps {
		m := &ps[i].normal
		if i == without || m.n == 0 {
			continue
		}
		n += m.n
		for j := range 2 {
			for k := range 2 {
				shift.a[j][k] += m.a[min(3+j, 3+k)][max(3+j, 3+k)] - float64(m.a[0][3+j]*m.a[0][3+k])/m.a[0][0]
			}
			shift.b[j] += m.b[3+j] - float64(m.a[0][3+j]*m.b[0])/m.a[0][0]
		}
	}
	s := shift.solve(2)
	x[3], x[4] = s[0], s[1]
	for i := range ps {
		m := &ps[i].normal
		if i == without || m.n == 0 {
			continue
		}
		for j := range 3 {
			for k := range 3 {
				level.a[j][k] += m.a[min(j, k)][max(j, k)]
			}
			level.b[j] += m.b[j] - float64(m.a[j][3]*x[3]) - float64(m.a[j][4]*x[4])
		}
	}
	l := level.solve(3)
	x[0], x[1], x[2] = l[0], l[1], l[2]
	return x, n
}

// linear are up to three equations.
type linear struct {
	a [3][3]float64
	b [3]float64
}

// solve is Gauss' method: the matrix is positive definite.
func (m *linear) solve(n int) (x [3]float64) {
	for j := range n {
		// Flat ground, or a sample of one square, leaves a term open: it stays what it is.
		m.a[j][j] += float64(1e-9*m.a[0][0]) + 1e-9
	}
	for j := range n {
		for i := j + 1; i < n; i++ {
			f := m.a[i][j] / m.a[j][j]
			for k := j; k < n; k++ {
				m.a[i][k] -= float64(f * m.a[j][k])
			}
			m.b[i] -= float64(f * m.b[j])
		}
	}
	for j := n - 1; j >= 0; j-- {
		v := m.b[j]
		for k := j + 1; k < n; k++ {
			v -= float64(m.a[j][k] * x[k])
		}
		x[j] = v / m.a[j][j]
	}
	return x
}

// uncertain estimates the errors of the terms by leaving out one patch after the other (Tukey's jackknife): neighbouring cells
// share their errors, patches hardly do.
func (r *Registration) uncertain(ps []patch, all [terms]float64) {
	var sum [terms]float64
	n := 0
	for i := range ps {
		if ps[i].normal.n == 0 {
			continue
		}
		n++
		x, _ := solve(ps, i)
		for j := range terms {
			d := x[j] - all[j]
			sum[j] += float64(d * d)
		}
	}
	var e [terms]float64
	for j := range terms {
		if e[j] = math.Sqrt(float64(sum[j] * float64(n-1) / float64(max(n, 1)))); n < 3 {
			e[j] = 0.05 // too few squares to tell
		}
	}
	r.OffsetError, r.TiltError = e[0], [2]float64{e[1] * perTilt, e[2] * perTilt}
	r.ShiftError = [2]float64{e[3], e[4]}
}

// spread is the standard deviation in metres that belongs to the median of absolute residuals in tenths of millimetres.
func spread(parts [][]int32) float64 {
	counts, n := make([]int, 100_001), 0
	for _, part := range parts {
		for _, v := range part {
			counts[min(max(v, -v), 100_000)]++
			n++
		}
	}
	return float64(perSD * float64(rank(counts, n/2)) / 10000)
}

// rank is the index that the k-th of all counted lies at.
func rank(counts []int, k int) int {
	for i, c := range counts {
		if k -= c; k < 0 {
			return i
		}
	}
	return len(counts) - 1
}

// noise measures how much the terrain models differ where nothing has changed: on gentle open ground, on steep one, and below
// trees.
func (r *Registration) noise(ps []patch, all bool) {
	var gentle, steep, wooded [][]int32
	tangents, n := 0.0, 0
	for i := range ps {
		p := &ps[i]
		k := kernelOf(0, 0)
		if r.Applied {
			k = kernelOf(-r.Shift[0], -r.Shift[1])
		}
		var parts [3][]int32
		for row := 0; row < patchSide; row += sampled {
			for col := 0; col < patchSide; col += sampled {
				i := row*patchSide + col
				z := float64(p.before.Z[(row+reach)*p.before.Cols+col+reach])
				x, y := float64(p.x0+col)+0.5-r.Pivot.X, float64(p.y1-row)-0.5-r.Pivot.Y
				d := k.cubic(p.after.Z, p.after.Cols, col+reach, row+reach) - z - r.at(x, y)
				g := math.Sqrt(float64(float64(p.dx[i])*float64(p.dx[i])) + float64(float64(p.dy[i])*float64(p.dy[i])))
				if d != d || g != g || math.Abs(d) > 5 {
					continue
				}
				v := int32(math.Floor(float64(d*10000) + 0.5))
				switch {
				case !p.low[i]:
					parts[2] = append(parts[2], v)
				case g < 0.1:
					parts[0] = append(parts[0], v)
				case g > 0.3:
					parts[1] = append(parts[1], v)
					tangents += g
					n++
				}
			}
		}
		gentle, steep, wooded = append(gentle, parts[0]), append(steep, parts[1]), append(wooded, parts[2])
	}
	count := func(parts [][]int32) (n int) {
		for _, p := range parts {
			n += len(p)
		}
		return n
	}
	// What cannot be measured is taken from the literature: 0.07 m of two scans of 0.05 m, 0.25 m below trees, 0.1 tan(slope)
	// (Wheaton et al. 2010; Hodgson and Bresnahan 2004).
	r.Open, r.Wooded, r.Steep = 0.07, 0.25, 0.1
	if count(gentle) >= 500 {
		r.Open = max(spread(gentle), 0.01)
	} else if count(steep) >= 500 {
		r.Open = max(spread(steep), 0.01)
	}
	if count(wooded) >= 500 {
		r.Wooded = max(spread(wooded), r.Open)
	}
	if s := spread(steep); count(steep) >= 500 && count(gentle) >= 500 {
		r.Steep = math.Sqrt(max(float64(s*s)-float64(r.Open*r.Open), 0)) / (tangents / float64(n))
	}
}
