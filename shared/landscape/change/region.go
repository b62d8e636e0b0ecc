package change

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// gaps are how many cells may lie between two parts of a region, by class.
var gaps = [classes]int32{strong: 1, grown: 2, slight: 2, bared: 1}

// span are cells of a row of a region.
type span struct {
	row      int32 // from the north of the area
	from, to int32
	at       int32 // of the first record, in its row
}

// region are cells of one class that hang together.
type region struct {
	class     class
	trees     bool    // trees were lost
	parts     int     // regions it was gathered of
	beside    float64 // share of its cells with an old road beside them
	footprint float64 // share of it in buildings of the cadastre
	spans     []span  // by row, then column
	shape
	stats
}

// shape is the form of a region without its skirt, in metres.
type shape struct {
	n          int     // cells
	x, y       float64 // middle, from the north-western corner of the area, y to the south
	long, wide float64 // sides of the rectangle that has its second moments
	edge       bool    // touches the border of the area or unknown cells
	minX, minY int32
	maxX, maxY int32
}

// elongation is how many times longer than wide it is.
func (s *shape) elongation() float64 { return s.long / max(s.wide, 0.5) }

// fill is the share of the rectangle that has its second moments that is taken: of a rectangle 1, of an ellipse 0.95, of what is
// frayed or bent less.
func (s *shape) fill() float64 { return float64(s.n) / max(float64(s.long*s.wide), 1) }

// stats are what the records of a region say.
type stats struct {
	all                int     // cells with the skirt
	dSum               int64   // mm, with the skirt
	d50, dAbs95        float64 // metres, quantiles of the difference of the terrain
	dMean              float64
	a50, a95, b50, b95 float64 // metres, quantiles of the surface above the terrain
	aMean, bMean       float64
	tMean              float64 // of the later terrain, metres
	level              float64 // by how much the later terrain is level whatever the earlier one was: 1 is a floor, 0 follows it
	b25                float64
	bendA, bendB       float64 // medians of the unevenness, metres
	hardA, hardB       float64 // shares of bare or sealed ground
	standsA, standsB   float64 // shares with something higher than 1.5 m
	rise               float64 // metres by which the 90th percentile of the height has changed
	surface            int64   // mm, sum of the differences of the surface, with the skirt
	uneven             float64 // standard deviation of the difference of the terrain over 25 cells
	lift               float64 // mean of the difference of the terrain over 25 cells, its median
	nearA, nearB       float64 // shares with something half as high beside them at the other date
	wooded             int     // cells with something higher than 2 m at either date
}

// regions joins the runs of all rows: what touches, but for the gap of its class, is one. They come by their first cell.
func (f *finder) regions(ctx context.Context) ([]*region, error) {
	base := make([]int, len(f.lines)+1) // number of the first run of a row
	for i := range f.lines {
		base[i+1] = base[i] + len(f.lines[i].runs)
	}
	parent := make([]int32, base[len(f.lines)])
	for i := range parent {
		parent[i] = int32(i)
	}
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	union := func(i, j int32) {
		if i, j = find(i), find(j); i < j {
			parent[j] = i
		} else {
			parent[i] = j
		}
	}
	for r := range f.lines {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for up := 0; up <= 3 && up <= r; up++ {
			joinRows(f.lines[r].runs, f.lines[r-up].runs, up, func(i, j int) { union(int32(base[r]+i), int32(base[r-up]+j)) })
		}
	}
	var out []*region
	at := map[int32]*region{}
	for r := range f.lines {
		for i, run := range f.lines[r].runs {
			if run.class == collar {
				continue
			}
			root := find(int32(base[r] + i))
			g := at[root]
			if g == nil {
				g = &region{class: run.class}
				at[root] = g
				out = append(out, g)
			}
			g.spans = append(g.spans, span{int32(r), run.from, run.to, run.at})
		}
	}
	return out, ctx.Err()
}

// joinRows calls f with the runs of two rows that belong together: the second row lies up rows above.
func joinRows(runs, above []run, up int, f func(i, j int)) {
	first := 0
	for i, a := range runs {
		for first < len(above) && above[first].to+3 < a.from {
			first++
		}
		for j := first; j < len(above) && above[j].from <= a.to+3; j++ {
			b := above[j]
			gap := gaps[a.class]
			if b.class != a.class || a.class == collar || up == 0 && j >= i || int32(up) > gap+1 {
				continue
			}
			if apart := max(a.from-b.to, b.from-a.to); apart <= gap && (up == 0 || up == 1 && apart < 0 || gap > 0 && apart < gap) {
				f(i, j)
			}
		}
	}
}

// each calls do with the cells of a region: columns and rows from the north-western corner of the area.
func (f *finder) each(g *region, do func(x, y int32, r *record)) {
	for _, s := range g.spans {
		records := f.lines[s.row].records[s.at : s.at+s.to-s.from]
		for i := range records {
			do(s.from+int32(i), s.row, &records[i])
		}
	}
}

// measure fills shape and stats.
func (f *finder) measure(g *region) {
	f.form(g)
	f.sum(g)
	g.footprint = f.built(g)
}

// built is the share of a region that lies in buildings of the cadastre; 0 where they are not known.
func (f *finder) built(g *region) float64 {
	if f.footprints == nil || g.n == 0 || g.class != lost && g.class != gained {
		return 0
	}
	n := 0
	for _, s := range g.spans {
		f.footprints.Each(int(s.row), func(from, to int) {
			n += max(min(to, int(s.to))-max(from, int(s.from)), 0)
		})
	}
	return float64(n) / float64(g.n)
}

func (f *finder) form(g *region) {
	var sx, sy, sxx, sxy, syy int64
	x0, y0 := int64(g.spans[0].from), int64(g.spans[0].row)
	s := &g.shape
	*s = shape{minX: math.MaxInt32, minY: math.MaxInt32}
	f.each(g, func(px, py int32, r *record) {
		s.edge = s.edge || r.flags&atEdge != 0
		if r.flags&inSkirt != 0 {
			return
		}
		x, y := int64(px)-x0, int64(py)-y0
		s.n++
		sx, sy, sxx, sxy, syy = sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
		s.minX, s.minY, s.maxX, s.maxY = min(s.minX, px), min(s.minY, py), max(s.maxX, px), max(s.maxY, py)
	})
	if s.n == 0 {
		return
	}
	n := float64(s.n)
	mx, my := float64(sx)/n, float64(sy)/n
	s.x, s.y = float64(x0)+mx+0.5, float64(y0)+my+0.5
	// A cell of 1 m has a second moment of its own of 1/12.
	xx := float64(sxx)/n - float64(mx*mx) + 1./12
	yy := float64(syy)/n - float64(my*my) + 1./12
	xy := float64(sxy)/n - float64(mx*my)
	off, mid := float64((xx-yy)/2), float64((xx+yy)/2)
	half := math.Sqrt(float64(off*off) + float64(xy*xy))
	s.long, s.wide = math.Sqrt(float64(12*(mid+half))), math.Sqrt(float64(12*max(mid-half, 1./12)))
}

// sorted sorts values: many of them by counting.
func sorted(v []int16) {
	if len(v) < 200 {
		slices.Sort(v)
		return
	}
	low, high := slices.Min(v), slices.Max(v)
	counts := make([]int32, int(high)-int(low)+1)
	for _, x := range v {
		counts[int(x)-int(low)]++
	}
	i := 0
	for x, n := range counts {
		for range n {
			v[i] = int16(x + int(low))
			i++
		}
	}
}

// quantiles are of values in some unit.
func quantiles(v []int16, unit float64, at ...int) (out []float64) {
	sorted(v)
	for _, q := range at {
		if len(v) == 0 {
			out = append(out, 0)
			continue
		}
		out = append(out, float64(float64(v[(len(v)-1)*q/100])*unit))
	}
	return out
}

// tally are the records of a region without its skirt: values of each and their sums.
type tally struct {
	d, abs, a, b, means, bendA, bendB []int16
	floor                             []int32

	hardA, hardB, standsA, standsB, besideA, besideB int
	t0, t, ds, as, bs, ms, mm                        int64
}

func newTally(n int) *tally {
	y := &tally{floor: make([]int32, 0, n)}
	for _, v := range []*[]int16{&y.d, &y.abs, &y.a, &y.b, &y.means, &y.bendA, &y.bendB} {
		*v = make([]int16, 0, n)
	}
	return y
}

func (y *tally) add(r *record) {
	y.d, y.abs, y.a, y.b = append(y.d, r.d), append(y.abs, max(r.d, -max(r.d, -math.MaxInt16))), append(y.a, r.a), append(y.b, r.b)
	y.means, y.bendA, y.bendB = append(y.means, r.mean), append(y.bendA, int16(r.bendA)), append(y.bendB, int16(r.bendB))
	y.floor = append(y.floor, r.t)
	if len(y.d) == 1 {
		y.t0 = int64(r.t)
	}
	y.t, y.ds, y.as, y.bs = y.t+int64(r.t)-y.t0, y.ds+int64(r.d), y.as+int64(r.a), y.bs+int64(r.b)
	y.ms, y.mm = y.ms+int64(r.mean), y.mm+int64(r.mean)*int64(r.mean)
	count(&y.hardA, r.softA < hardBelow)
	count(&y.hardB, r.softB < hardBelow)
	count(&y.standsA, r.a >= 150)
	count(&y.standsB, r.b >= 150)
	count(&y.besideA, r.flags&nearA != 0)
	count(&y.besideB, r.flags&nearB != 0)
}

func (f *finder) sum(g *region) {
	g.stats = stats{}
	s, y := &g.stats, newTally(g.n)
	f.each(g, func(_, _ int32, r *record) {
		s.all++
		s.dSum += int64(r.d)
		s.surface += int64(r.d) + 10*int64(r.b-r.a)
		if max(r.a, r.b) > 200 {
			s.wooded++
		}
		if r.flags&inSkirt == 0 {
			y.add(r)
		}
	})
	if g.n == 0 {
		return
	}
	n, unsorted := float64(g.n), slices.Clone(y.d)
	q := quantiles(y.d, 1e-3, 5, 50)
	s.level = levelled(unsorted, y.floor, float64(1000*q[0]), float64(f.limits.open)*float64(f.limits.open)/2)
	s.d50 = q[1]
	s.dAbs95 = quantiles(y.abs, 1e-3, 95)[0]
	s.lift = quantiles(y.means, 1e-3, 50)[0]
	s.uneven = sd(y.ms, y.mm, int64(g.n)) / 1000
	s.dMean = float64(y.ds) / n / 1000
	s.tMean = (float64(y.t0) + float64(y.t)/n) / 1000
	s.aMean, s.bMean = float64(y.as)/n/100, float64(y.bs)/n/100
	qa, qb := quantiles(y.a, 1e-2, 50, 90, 95), quantiles(y.b, 1e-2, 50, 90, 95, 25)
	s.b25 = qb[3]
	s.a50, s.a95, s.b50, s.b95, s.rise = qa[0], qa[2], qb[0], qb[2], qb[1]-qa[1]
	s.bendA, s.bendB = quantiles(y.bendA, 0.02, 50)[0], quantiles(y.bendB, 0.02, 50)[0]
	s.hardA, s.hardB = float64(y.hardA)/n, float64(y.hardB)/n
	s.nearA, s.nearB = float64(y.besideA)/n, float64(y.besideB)/n
	if g.class == strong {
		s.dSum -= int64(f.beside(g)) * int64(s.all)
	}
	s.standsA, s.standsB = float64(y.standsA)/n, float64(y.standsB)/n
}

// levelled is the negative slope of a line through the differences of the terrain over its earlier heights, where more than
// 0.6 of the greatest depth was dug: a floor that was made level differs by as much more as the ground was higher. The noise
// of the earlier heights, variance in mm², is taken out of both.
func levelled(d []int16, t []int32, deepest, noise float64) float64 {
	var n, sd, st, sdt, stt int64
	var t0 int64
	for i, v := range d {
		if float64(v) > float64(0.6*deepest) {
			continue
		}
		z := int64(t[i]) - int64(v)
		if n == 0 {
			t0 = z
		}
		z -= t0
		n, sd, st, sdt, stt = n+1, sd+int64(v), st+z, sdt+int64(v)*z, stt+z*z
	}
	if n < 9 {
		return 0
	}
	m := float64(n)
	cov := float64(sdt)/m - float64(float64(sd)/m*(float64(st)/m)) + noise
	v := float64(stt)/m - float64(float64(st)/m*(float64(st)/m)) - noise
	if v < noise/2 {
		return 0 // the ground was level before
	}
	return -cov / v
}

// beside is the median of the difference of the terrain, in millimetres, on the open ground around a region: what is left there
// of flight strips is no part of its volume.
func (f *finder) beside(g *region) int16 {
	var d []int16
	for row := max(g.minY-collarWide, 0); row <= g.maxY+collarWide && int(row) < len(f.lines); row++ {
		l := &f.lines[row]
		for _, run := range l.runs {
			if run.class != collar || run.to <= g.minX-collarWide || run.from > g.maxX+collarWide {
				continue
			}
			for _, r := range l.records[run.at : run.at+run.to-run.from] {
				d = append(d, r.d)
			}
		}
	}
	if len(d) < enoughBeside {
		return 0
	}
	slices.Sort(d)
	return d[len(d)/2]
}

// enoughBeside are the cells from which on the ground around a region tells where it lies.
const enoughBeside = 60

func count(n *int, if_ bool) {
	if if_ {
		*n++
	}
}

// sd is the standard deviation of whole numbers by their sum, sum of squares and count.
func sd(sum, squares, n int64) float64 {
	mean := float64(sum) / float64(n)
	return math.Sqrt(max(float64(squares)/float64(n)-float64(mean*mean), 0))
}

// byPlace orders events.
func byPlace(a, b *Event) int {
	return cmp.Or(cmp.Compare(b.Y, a.Y), cmp.Compare(a.X, b.X), cmp.Compare(a.Kind, b.Kind))
}
