package change

import (
	"context"
	"math"
)

// none is a value that is not known.
const none = math.MinInt32

// field are the rows of the two dates that are held, in whole millimetres: sums of them are the same in every order.
type field struct {
	cells                 // all that is read, of which the rows from the northing top down to bottom are held
	top, bottom int       // northings
	t           []int32   // terrain of the later date; d, a and b say whether it is known
	d           []int32   // later minus earlier terrain; none where one of the four heights is unknown
	a, b        []int32   // surface above the terrain, earlier and later
	raw         rawRows   // what they are made of
	medians     [][]int32 // of d on open ground, by squares of blockSide from the north; none: too few cells
	blocks      cells     // the squares' lattice, in sides of a square
}

// rawRows are rows of the four models as they are read.
type rawRows struct {
	cells
	top, bottom int
	z           [layers][]float32
}

// blockSide is the side in metres of the squares over which the two dates are levelled once more: what flight strips differ by
// that a plane does not follow.
const blockSide = 125

func newField(c cells, core int) *field {
	f := &field{cells: c, top: c.y1, bottom: c.y1}
	f.raw = rawRows{cells: c.grown(reach), top: c.y1 + reach, bottom: c.y1 + reach}
	rows := min(core+below+2*halo, c.rows())
	for _, v := range []*[]int32{&f.t, &f.d, &f.a, &f.b} {
		*v = make([]int32, 0, c.cols()*rows)
	}
	rows = min(core+below+2*reach+readAhead, f.raw.rows())
	for l := range f.raw.z {
		f.raw.z[l] = make([]float32, 0, f.raw.cols()*rows)
	}
	f.blocks = cells{floorTo(c.x0, blockSide) / blockSide, floorTo(c.y0, blockSide) / blockSide,
		floorTo(c.x1-1, blockSide)/blockSide + 1, floorTo(c.y1-1, blockSide)/blockSide + 1}
	return f
}

// drop forgets the rows north of a northing.
func (f *field) drop(top int) {
	if top = max(top, f.bottom); top < f.top {
		at := (f.top - top) * f.cols()
		for _, v := range []*[]int32{&f.t, &f.d, &f.a, &f.b} {
			*v = (*v)[:copy(*v, (*v)[at:])]
		}
		f.top = top
	}
}

// extend holds the rows down to a northing.
func (f *field) extend(ctx context.Context, s Source, r *Registration, bottom int) error {
	bottom = max(bottom, f.y0)
	if bottom >= f.bottom {
		return nil
	}
	if err := f.raw.extend(ctx, s, bottom-reach); err != nil {
		return err
	}
	from, n := len(f.t), (f.bottom-bottom)*f.cols()
	for _, v := range []*[]int32{&f.t, &f.d, &f.a, &f.b} {
		*v = grownBy(*v, n)
	}
	k := kernelOf(0, 0)
	if r.Applied {
		k = kernelOf(-r.Shift[0], -r.Shift[1])
	}
	first := f.bottom
	f.bottom = bottom
	err := each((first-bottom+chunk-1)/chunk, func(i int) error {
		line := newLines(f.raw.cols())
		for y := first - i*chunk; y > max(first-(i+1)*chunk, bottom); y-- {
			at := from + (first-y)*f.cols()
			f.derive(r, &k, line, y, at)
		}
		return ctx.Err()
	})
	f.raw.drop(bottom + reach)
	return err
}

// readAhead is how many rows the blocks of a source may reach beyond those that are needed, for which there is room from the
// beginning.
const readAhead = 520

// chunk is how many rows one goroutine takes at a time.
const chunk = 32

// grownBy is a slice that is longer by n.
func grownBy(v []int32, n int) []int32 {
	if cap(v) >= len(v)+n {
		return v[:len(v)+n]
	}
	out := make([]int32, len(v)+n, len(v)+n+len(v)/8)
	copy(out, v)
	return out
}

func (r *rawRows) drop(top int) {
	if top = max(top, r.bottom); top < r.top {
		for l := range r.z {
			r.z[l] = r.z[l][:copy(r.z[l], r.z[l][(r.top-top)*r.cols():])]
		}
		r.top = top
	}
}

func (r *rawRows) extend(ctx context.Context, s Source, bottom int) error {
	for bottom = max(bottom, r.y0); r.bottom > bottom; {
		if err := ctx.Err(); err != nil {
			return err
		}
		south := max(s.Below(float64(r.bottom)), float64(bottom-1024), float64(r.y0))
		part := cells{r.x0, min(int(south), r.bottom-1), r.x1, r.bottom}
		err := each(int(layers), func(l int) error {
			g, err := window(ctx, s, Layer(l), part)
			if err == nil {
				r.z[l] = append(r.z[l], g.Z...)
			}
			return err
		})
		if err != nil {
			return err
		}
		r.bottom = part.y0
	}
	return nil
}

// lines are rows that are interpolated from north to south.
type lines struct{ terrain, height []float64 }

func newLines(n int) *lines { return &lines{make([]float64, n), make([]float64, n)} }

// derive makes the row whose northern border is y.
func (f *field) derive(r *Registration, k *kernel, l *lines, y, at int) {
	w := f.raw.cols()
	row := f.raw.top - y // of the raw rows
	f.raw.across(k, l, row)
	ta, sa := f.raw.z[TerrainBefore][row*w:(row+1)*w], f.raw.z[SurfaceBefore][row*w:(row+1)*w]
	py := float64(y) - 0.5 - r.Pivot.Y
	off := r.Offset + float64(r.Tilt[1]*py)
	x0 := float64(f.x0) + 0.5 - r.Pivot.X
	n := f.cols()
	t, d, a, b := f.t[at:at+n], f.d[at:at+n], f.a[at:at+n], f.b[at:at+n]
	for c := range n {
		i := c + reach
		var after, height float64
		if k.none {
			after, height = l.terrain[i], l.height[i]
		} else {
			q := l.terrain[i+k.col-1 : i+k.col+3 : i+k.col+3]
			after = float64(k.x[0]*q[0]) + float64(k.x[1]*q[1]) + float64(k.x[2]*q[2]) + float64(k.x[3]*q[3])
			height = l.height[i+k.nearX]
		}
		before := float64(ta[i])
		after -= off + float64(r.Tilt[0]*(x0+float64(c)))
		low := float64(sa[i]) - before
		if sum := after + height + before + low; sum != sum || sum > 1e5 || sum < -1e5 {
			t[c], d[c], a[c], b[c] = 0, none, 0, 0
			continue
		}
		z := millimetres(after)
		t[c], d[c], a[c], b[c] = z, z-millimetres(before), millimetres(low), millimetres(height)
	}
}

// across interpolates terrain and height of the later date between rows.
func (r *rawRows) across(k *kernel, l *lines, row int) {
	w := r.cols()
	t, s := r.z[TerrainAfter], r.z[SurfaceAfter]
	if k.none {
		for i := range w {
			z := float64(t[row*w+i])
			l.terrain[i], l.height[i] = z, float64(s[row*w+i])-z
		}
		return
	}
	at := (row + k.row - 1) * w
	p, q, u, v := t[at:at+w], t[at+w:at+2*w], t[at+2*w:at+3*w], t[at+3*w:at+4*w]
	// Heights above the terrain are those of the nearest cell: between two cells a treetop would be lower than it was measured.
	near := (row + k.nearY) * w
	g, h := s[near:near+w], t[near:near+w]
	for i := range w {
		l.terrain[i] = float64(k.y[0]*float64(p[i])) + float64(k.y[1]*float64(q[i])) +
			float64(k.y[2]*float64(u[i])) + float64(k.y[3]*float64(v[i]))
		l.height[i] = float64(g[i]) - float64(h[i])
	}
}

func millimetres(z float64) int32 { return int32(math.Floor(float64(z*1000) + 0.5)) }

// level notes the medians of the squares whose rows are held down to bottom.
func (f *field) level() error {
	var from []int // northings of rows of squares
	for j := len(f.medians); j < f.blocks.rows(); j++ {
		south := max((f.blocks.y1-1-j)*blockSide, f.y0)
		if south < f.bottom {
			break
		}
		from = append(from, (f.blocks.y1-j)*blockSide)
		f.medians = append(f.medians, make([]int32, f.blocks.cols()))
	}
	first := len(f.medians) - len(from)
	return each(len(from)*f.blocks.cols(), func(i int) error {
		j, k := i/f.blocks.cols(), i%f.blocks.cols()
		x := (f.blocks.x0 + k) * blockSide
		f.medians[first+j][k] = f.median(cells{max(x, f.x0), max(from[j]-blockSide, f.y0), min(x+blockSide, f.x1), min(from[j], f.y1)})
		return nil
	})
}

// Ground that levels: open on both dates, and not dug.
const (
	openBelow  = 500 // millimetres
	notDug     = 250
	enoughOpen = 500 // cells
)

func (f *field) median(c cells) int32 {
	var counts [2*notDug + 1]int
	n := 0
	for y := c.y1; y > c.y0; y-- {
		at := (f.top-y)*f.cols() - f.x0
		for i := at + c.x0; i < at+c.x1; i++ {
			if d := f.d[i]; d >= -notDug && d <= notDug && f.a[i] < openBelow && f.b[i] < openBelow {
				counts[d+notDug]++
				n++
			}
		}
	}
	if n < enoughOpen {
		return none
	}
	return int32(rank(counts[:], n/2) - notDug)
}

// ground writes what the later date is too high, in a row of cells from x0 on: between the medians of the four squares around.
func (f *field) ground(out []int32, x0, y int) {
	const side = 2 * blockSide
	v := 2*y - 1 - blockSide - 2*f.y0Block()
	j, fy := floorTo(v, side)/side, int64(v-floorTo(v, side))
	north, south := f.medianRow(j+1), f.medianRow(j)
	value := func(k int) (sum, weight int64) {
		for _, m := range [2]struct {
			row []int32
			w   int64
		}{{south, side - fy}, {north, fy}} {
			if k >= 0 && k < len(m.row) && m.row[k] != none {
				sum += m.w * int64(m.row[k])
				weight += m.w
			}
		}
		return sum, weight
	}
	last := math.MinInt
	var s0, w0, s1, w1 int64
	for i := range out {
		u := 2*(x0+i) + 1 - blockSide - 2*f.blocks.x0*blockSide
		base := floorTo(u, side)
		if k := base / side; k != last {
			s0, w0 = value(k)
			s1, w1 = value(k + 1)
			last = k
		}
		fx := int64(u - base)
		if w := (side-fx)*w0 + fx*w1; w > 0 {
			out[i] = int32(divide((side-fx)*s0+fx*s1, w))
		} else {
			out[i] = 0
		}
	}
}

// divide rounds down.
func divide(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (f *field) y0Block() int { return f.blocks.y0 * blockSide }

// medianRow are the medians of a row of squares, counted from the south; nil where it is not known.
func (f *field) medianRow(j int) []int32 {
	if i := f.blocks.rows() - 1 - j; i >= 0 && i < len(f.medians) {
		return f.medians[i]
	}
	return nil
}
