package change

import (
	"math"

	"mappe/shared/geo/raster"
)

// class is what has changed at a cell. A cell has the first that fits.
type class uint8

const (
	unchanged class = iota
	strong          // the terrain, clearly
	lost            // what stood there is gone
	gained          // something stands where nothing as high stood
	grown           // a canopy that is there on both dates has risen
	slight          // the terrain, by little over many cells
	bared           // ground with growth before, and without any after
	skirt           // cells around a strong change: its feet, which are below the noise one by one
	collar          // open cells around these, which have not changed: what a volume is measured from
	classes
)

// halo is how far a cell's class looks, metres.
const halo = 28

// Bounds in millimetres unless said otherwise.
const (
	canopyFrom = 1500 // a canopy that may have grown
	growWindow = 7    // cells to either side over which growth is averaged
	growCells  = 60   // of them, those with canopy
	growMost   = 3000 // of one cell
	skirtWidth = 4    // cells
	collarWide = 10   // with the skirt
	woodedFrom = 2000
	slightFrom = 40
	slightLow  = 3000 // growth below which the terrain is well seen
	hardBelow  = 45   // mean of the surface above the terrain of sealed or bare ground: growth, also short grass, has more
	softer     = 35   // by which growth was higher before ground was bared
	strongFrom = 300
	gentleTo   = 300 // a slope in thousandths up to which a wrong shift is not seen
)

// record is what is kept of a changed cell.
type record struct {
	t     int32 // terrain of the later date, mm
	d     int16 // difference of the terrain, mm
	a, b  int16 // surface above the terrain, cm
	bendA uint8 // how uneven the surface is: sum of the two second differences, 2 cm each
	bendB uint8
	flags uint8
	mean  int16 // of d over 25 cells, mm
	softA int16 // mean of the surface above the terrain over 25 cells, mm, at most 32 m
	softB int16
}

// The flags of a record.
const (
	atEdge  = 1 << iota // beside the border of the area, or an unknown cell
	inSkirt             // no part of the outline
	nearA               // within two cells something half as high stood before as stands there now
	nearB               // the other way round
)

// run are cells of a row with one class, from a column up to another, counted from the west of the area.
type run struct {
	class    class
	from, to int32
	at       int32 // of the first record, in its row
}

// line is a row of the area: what has changed in it.
type line struct {
	runs    []run
	records []record
}

// limits are the bounds that hang on the request and the noise.
type limits struct {
	open, wooded, steep int32 // millimetres; steep for a slope of 1
	change              int32 // that is asked for
	lag                 int32 // by which ground of a slope of 1 is wrong where the shift that was taken off is; no mean lessens it
}

func limitsOf(r *Registration, change float64) limits {
	mm := func(v float64) int32 { return int32(math.Floor(float64(v*1000) + 0.5)) }
	e := r.ShiftError
	return limits{open: mm(r.Open), wooded: mm(r.Wooded), steep: mm(math.Sqrt(float64(r.Steep * r.Steep))), change: mm(change),
		lag: mm(2 * math.Sqrt(float64(e[0]*e[0])+float64(e[1]*e[1])))}
}

// bench are the arrays of one core.
type bench struct {
	cells                              // with the halo
	t, d, a, b, ma, mb, wa, wb []int32 // ma and wa are the highest of three by three and five by five of a
	s3, s5, a3, b3, a5, b5     []int32
	g, gn, hd, hn, tmp         []int32
	votes, sum                 []uint32
	class                      []class
	inside                     []bool
	known, rose                []bool
}

func (w *bench) size(c cells) {
	w.cells = c
	n := c.cols() * c.rows()
	for _, v := range []*[]int32{&w.t, &w.d, &w.a, &w.b, &w.ma, &w.mb, &w.wa, &w.wb, &w.s3, &w.s5, &w.a3, &w.b3, &w.a5,
		&w.b5, &w.g, &w.gn, &w.hd, &w.hn, &w.tmp} {
		if cap(*v) < n {
			*v = make([]int32, n)
		}
		*v = (*v)[:n]
	}
	if cap(w.votes) < n {
		w.votes, w.sum, w.class, w.inside, w.known = make([]uint32, n), make([]uint32, n), make([]class, n), make([]bool, n),
			make([]bool, n)
		w.rose = make([]bool, n)
	}
	w.votes, w.sum, w.class, w.inside, w.known = w.votes[:n], w.sum[:n], w.class[:n], w.inside[:n], w.known[:n]
	w.rose = w.rose[:n]
}

// load copies the cells of the field, levelled.
func (w *bench) load(f *field) {
	cols := w.cols()
	off := make([]int32, cols)
	for y := w.y1; y > w.y0; y-- {
		at, from := (w.y1-y)*cols, (f.top-y)*f.cols()+w.x0-f.x0
		f.ground(off, w.x0, y)
		copy(w.t[at:at+cols], f.t[from:from+cols])
		copy(w.a[at:at+cols], f.a[from:from+cols])
		copy(w.b[at:at+cols], f.b[from:from+cols])
		for c, d := range f.d[from : from+cols] {
			if w.known[at+c] = d != none; d == none {
				w.d[at+c] = 0
			} else {
				w.d[at+c] = d - off[c]
				w.t[at+c] -= off[c]
			}
		}
	}
}

// box sums the cells up to r beside each; sums at the border of the array are of no use.
func (w *bench) box(out, in []int32, r int) {
	tmp, cols, rows := w.tmp, w.cols(), w.rows()
	for row := range rows {
		at, sum := row*cols, int32(0)
		for c := range min(2*r, cols) {
			sum += in[at+c]
		}
		for c := r; c < cols-r; c++ {
			sum += in[at+c+r]
			tmp[at+c] = sum
			sum -= in[at+c-r]
		}
	}
	sums := make([]int32, cols)
	for row := range min(2*r, rows) {
		for c, v := range tmp[row*cols : (row+1)*cols] {
			sums[c] += v
		}
	}
	for row := r; row < rows-r; row++ {
		add, sub, to := tmp[(row+r)*cols:(row+r+1)*cols], tmp[(row-r)*cols:(row-r+1)*cols], out[row*cols:(row+1)*cols]
		for c, v := range add {
			s := sums[c] + v
			to[c] = s
			sums[c] = s - sub[c]
		}
	}
}

// top3 is the highest of three by three cells.
func (w *bench) top3(out, in []int32) {
	tmp, cols, rows := w.tmp, w.cols(), w.rows()
	for row := range rows {
		at := row * cols
		l, o := in[at:at+cols], tmp[at:at+cols]
		for c := 1; c < cols-1; c++ {
			o[c] = max(l[c-1], l[c], l[c+1])
		}
		o[0], o[cols-1] = l[0], l[cols-1]
	}
	for row := 1; row < rows-1; row++ {
		p, q, r, o := tmp[(row-1)*cols:row*cols], tmp[row*cols:(row+1)*cols], tmp[(row+1)*cols:(row+2)*cols], out[row*cols:(row+1)*cols]
		for c := range o {
			o[c] = max(p[c], q[c], r[c])
		}
	}
	copy(out[:cols], in[:cols])
	copy(out[(rows-1)*cols:], in[(rows-1)*cols:])
}

// classify says what has changed at the cells of a core.
func (w *bench) classify(m *limits) {
	cols, rows := w.cols(), w.rows()
	w.top3(w.ma, w.a)
	w.top3(w.mb, w.b)
	w.top3(w.wa, w.ma)
	w.top3(w.wb, w.mb)
	w.growth(m)
	w.box(w.a3, w.a, 1)
	w.box(w.b3, w.b, 1)
	w.box(w.a5, w.a, 2)
	w.box(w.b5, w.b, 2)
	w.beside()
	w.box(w.s3, w.d, 1)
	w.box(w.s5, w.d, 2)
	clear(w.votes)
	const margin = 8
	for row := margin; row < rows-margin; row++ {
		for c := margin; c < cols-margin; c++ {
			if i := row*cols + c; w.known[i] {
				if k := w.fits(i, cols, m); k != unchanged {
					w.votes[i] = 1 << (4 * uint32(k))
				}
			}
		}
	}
	w.vote(m)
	w.hem()
}

// growth sums how canopies have risen.
func (w *bench) growth(m *limits) {
	for i, a := range w.wa {
		if b := w.wb[i]; a >= canopyFrom && b >= canopyFrom && 2*b > a && w.known[i] {
			w.s5[i] = min(max(b-a, -growMost), growMost)
			w.s3[i] = 1
		} else {
			w.s5[i], w.s3[i] = 0, 0
		}
	}
	w.box(w.g, w.s5, growWindow)
	w.box(w.gn, w.s3, growWindow)
	for i, n := range w.gn {
		w.rose[i] = n >= growCells && w.wa[i] >= canopyFrom && w.wb[i] >= canopyFrom && w.g[i] >= n*(m.change*98/100)
	}
}

// fits is the class of a cell by itself.
func (w *bench) fits(i, cols int, m *limits) class {
	a, b := w.a[i], w.b[i]
	gx, gy := w.t[i+1]-w.t[i-1], w.t[i+cols]-w.t[i-cols]
	slope := (max(gx, -gx) + max(gy, -gy)) / 2 // mm a metre, at most 1.4 times too much
	noise := m.open
	if max(a, b) >= woodedFrom && a+b > 0 {
		noise = m.wooded
	}
	noise += m.steep * slope / 1000
	lag := m.lag * max(slope-gentleTo, 0) / 1000
	mean := w.s3[i] / 9
	if d := max(w.d[i], -w.d[i]); max(mean, -mean) >= max(strongFrom, noise*33/10) && d >= strongFrom/2 {
		return strong
	}
	least := m.change * 7 / 10
	if a-w.mb[i] >= least && 2*w.mb[i] <= a {
		if w.even(i) && b < hardBelow {
			return bared // a field that was sealed or levelled: what is only mown stays rougher
		}
		return lost
	}
	if b-w.ma[i] >= least && (2*w.ma[i] <= b || b-w.ma[i] >= m.change && w.even(i)) {
		return gained
	}
	if w.rose[i] {
		return grown
	}
	if a < slightLow && b < slightLow {
		if mean := w.s5[i] / 25; w.a5[i] < hardBelow*25 && w.b5[i] < hardBelow*25 {
			if w.resurfaced(i, noise, lag) {
				return slight
			}
		} else if mean = max(mean, -mean); mean >= max(slightFrom, noise*2/3)+lag {
			return slight
		}
		if w.b3[i] < hardBelow*9 && w.a3[i]-w.b3[i] >= softer*9 && (w.wa[i] < 1000 || w.even(i)) {
			return bared
		}
	}
	return unchanged
}

// even says whether what grew before was low and even, as crops are.
func (w *bench) even(i int) bool { return w.wa[i] < slightLow && w.wa[i]-w.a5[i]/25 < 600 }

// resurfaced says whether ground that is sealed or bare on both dates lies higher or lower than the ground beside it.
func (w *bench) resurfaced(i int, noise, lag int32) bool {
	n, m := w.hn[i], w.gn[i]
	if n < 15 || m < 60 {
		return false
	}
	d := w.hd[i]/n - w.g[i]/m
	return max(d, -d) >= max(slightFrom*7/8, noise/2)+lag
}

// beside sums the difference of the terrain apart on hard ground, over seven by seven cells, and on open soft ground, over 21
// by 21.
func (w *bench) beside() {
	for i, d := range w.d {
		w.s3[i], w.s5[i], w.hd[i], w.hn[i] = 0, 0, 0, 0
		switch hard := w.a5[i] < hardBelow*25 && w.b5[i] < hardBelow*25; {
		case !w.known[i] || d > notDug || d < -notDug:
		case hard:
			w.hd[i], w.hn[i] = d, 1
		case w.a[i] < openBelow && w.b[i] < openBelow:
			w.s3[i], w.s5[i] = d, 1
		}
	}
	w.box(w.g, w.s3, 10)
	w.box(w.gn, w.s5, 10)
	w.box(w.s3, w.hd, 3)
	w.box(w.s5, w.hn, 3)
	w.hd, w.s3, w.hn, w.s5 = w.s3, w.hd, w.s5, w.hn
}

// vote takes a class away from cells that are alone in it, fills gaps, and gives what was lost or gained the cells beside it
// that are so too, but for the crown or roof beside them.
func (w *bench) vote(m *limits) {
	cols, rows := w.cols(), w.rows()
	for row := 1; row < rows-1; row++ {
		at := row * cols
		for c := at + 1; c < at+cols-1; c++ {
			w.sum[c] = w.votes[c-1] + w.votes[c] + w.votes[c+1]
		}
	}
	least := m.change * 7 / 10
	for row := 2; row < rows-2; row++ {
		for c := 2; c < cols-2; c++ {
			i := row*cols + c
			n := w.sum[i-cols] + w.sum[i] + w.sum[i+cols]
			w.class[i] = unchanged
			if n == 0 || !w.known[i] {
				continue
			}
			count := func(k class) uint32 { return n >> (4 * uint32(k)) & 15 }
			a, b := w.a[i], w.b[i]
			for k := strong; k <= bared; k++ {
				own := w.votes[i] == 1<<(4*uint32(k))
				if own && count(k) >= 4 || count(k) >= 6 && k != lost && k != gained ||
					k == lost && count(k) >= 2 && a-b >= least && 2*b <= a || k == gained && count(k) >= 2 && b-a >= least && 2*a <= b {
					w.class[i] = k
					break
				}
			}
		}
	}
}

// hem marks skirts and collars.
func (w *bench) hem() {
	cols, rows := w.cols(), w.rows()
	for i, k := range w.class {
		if w.s3[i] = 0; k == strong {
			w.s3[i] = 1
		}
	}
	for c := range cols { // the border of the array was not classified
		w.s3[c], w.s3[cols+c], w.s3[(rows-2)*cols+c], w.s3[(rows-1)*cols+c] = 0, 0, 0, 0
	}
	for r := range rows {
		w.s3[r*cols], w.s3[r*cols+1], w.s3[r*cols+cols-2], w.s3[r*cols+cols-1] = 0, 0, 0, 0
	}
	w.box(w.g, w.s3, skirtWidth)
	w.box(w.gn, w.s3, collarWide)
	for row := collarWide; row < rows-collarWide; row++ {
		for c := collarWide; c < cols-collarWide; c++ {
			i := row*cols + c
			if w.gn[i] == 0 || !w.known[i] {
				continue
			}
			low := max(w.a[i], w.b[i]) < slightLow // what grew on the foot of an earthwork went with it
			switch k := w.class[i]; {
			case w.g[i] > 0 && (k == unchanged || k == slight || k == bared || low && (k == lost || k == gained)):
				w.class[i] = skirt
			case w.g[i] == 0 && k == unchanged && max(w.a[i], w.b[i]) < openBelow:
				w.class[i] = collar
			}
		}
	}
}

// emit gives the rows of the core, the array without its halo, and tells which of its ground was bare or sealed before.
func (w *bench) emit(out []line, x0 int, hard func(row, col int)) (known int) {
	cols := w.cols()
	for row := halo; row < w.rows()-halo; row++ {
		l := &out[row-halo]
		for c := halo; c < cols-halo; c++ {
			i := row*cols + c
			if !w.inside[i] {
				continue
			}
			if w.known[i] {
				known++
			}
			if w.a5[i] < hardBelow*25 {
				hard(row-halo, w.x0+c-x0)
			}
			k := w.class[i]
			if k == unchanged {
				continue
			}
			flags := uint8(0)
			if k == skirt {
				k, flags = strong, inSkirt
			}
			for _, j := range [4]int{i - 1, i + 1, i - cols, i + cols} {
				if !w.inside[j] || !w.known[j] {
					flags |= atEdge
				}
			}
			if 2*w.wa[i] > w.b[i] {
				flags |= nearA
			}
			if 2*w.wb[i] > w.a[i] {
				flags |= nearB
			}
			x := int32(w.x0 + c - x0)
			if n := len(l.runs); n > 0 && l.runs[n-1].class == k && l.runs[n-1].to == x {
				l.runs[n-1].to++
			} else {
				l.runs = append(l.runs, run{k, x, x + 1, int32(len(l.records))})
			}
			l.records = append(l.records, record{t: w.t[i], d: short(w.d[i]), a: short(w.a[i] / 10), b: short(w.b[i] / 10),
				bendA: w.bend(i, cols, true), bendB: w.bend(i, cols, false), flags: flags, mean: short(w.s5[i] / 25),
				softA: short(w.a5[i] / 25),
				softB: short(w.b5[i] / 25)})
		}
	}
	return known
}

func short(v int32) int16 { return int16(min(max(v, math.MinInt16), math.MaxInt16)) }

// bend is the sum of the second differences of a surface to the east and to the north, in steps of 2 cm.
func (w *bench) bend(i, cols int, before bool) uint8 {
	at := func(j int) int32 {
		if before {
			return w.t[j] - w.d[j] + w.a[j]
		}
		return w.t[j] + w.b[j]
	}
	mid := 2 * at(i)
	p, q := at(i-1)+at(i+1)-mid, at(i-cols)+at(i+cols)-mid
	return uint8(min((max(p, -p)+max(q, -q))/20, 255))
}

// mark notes which cells of the array lie in the area, and whether any does.
func (w *bench) mark(m *raster.Mask, area cells) (any bool) {
	clear(w.inside)
	cols := w.cols()
	for y := min(w.y1, area.y1); y > max(w.y0, area.y0); y-- {
		m.Each(area.y1-y, func(from, to int) {
			from, to = max(from+area.x0-w.x0, 0), min(to+area.x0-w.x0, cols)
			for c := from; c < to; c++ {
				w.inside[(w.y1-y)*cols+c] = true
			}
			any = any || from < to
		})
	}
	return any
}
