package segment

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"mappe/shared/geo/raster"
)

// Figures are what is known of an area that is divided, beside its objects.
type Figures struct {
	West, North float64 // of the north-western cell's corner, EPSG:3035
	Cols, Rows  int
	Cells       int // of the area
	Known       int // of them, those with a height above ground
	Found       int // of them, those in objects
	Squares     map[Method]int
	Used        [gradients]bool // layers that the gradient was made of somewhere
}

// Land is an area divided into objects, all of which are held.
type Land struct {
	Figures
	Labels  []int32  // of the cells from the north, rows from the west: the object's; 0: outside of the area, or nothing is known
	Objects []Object // by label - 1, from the north, then from the west
}

// Source gives the layers of a window; it is called for several at a time.
type Source func(ctx context.Context, window raster.Box) (*Layers, error)

// Workers is how many squares are in work at a time, at most: a square takes some 200 MB.
const Workers = 4

// Divide is Survey of an area that is small enough to be held: what it takes grows by some 8 MB a km².
func Divide(ctx context.Context, area []raster.Polygon, p Params, source Source, done func(ctx context.Context) error) (*Land, error) {
	d, err := Survey(ctx, area, p, source, &held{}, done)
	if err != nil {
		return nil, err
	}
	return d.land()
}

// Survey divides an area, polygons in EPSG:3035, into objects, which are put into a store. done is called when a square is; an error
// of it, of the source, of the store or of the context ends the work. A cell belongs to the area where its centre does.
func Survey(ctx context.Context, area []raster.Polygon, p Params, source Source, store Store, done func(ctx context.Context) error) (
	*Division, error) {
	box := raster.BoxOf(area).Aligned(1)
	grid := raster.Grid{West: box.West, North: box.North, Step: 1, Cols: int(box.East - box.West), Rows: int(box.North - box.South)}
	meant := raster.MaskOf(&grid, area)
	w := work{p: p, land: &Figures{West: box.West, North: box.North, Cols: grid.Cols, Rows: grid.Rows, Cells: meant.Count(),
		Squares: map[Method]int{}}, meant: meant, store: writer{to: store}}
	at := Squares(box, meant)
	w.squares = make([]*square, len(at))
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(min(runtime.GOMAXPROCS(0), Workers))
	for i, en := range at {
		g.Go(func() error {
			if inner.Err() != nil {
				return context.Cause(inner)
			}
			l, err := source(inner, Window(en[0], en[1]))
			if err != nil {
				return err
			}
			if inner.Err() != nil {
				return context.Cause(inner)
			}
			if w.squares[i], err = w.square(l, en); err != nil {
				return err
			}
			return done(inner)
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	d, err := w.stitch()
	if err != nil {
		return nil, err
	}
	return d, ctx.Err()
}

// Squares are the squares, by the kilometres of their south-western corners, with cells of an area: from the north, then the
// west.
func Squares(box raster.Box, meant *raster.Mask) (out [][2]int) {
	for n := int(math.Ceil(box.North/Side)) - 1; float64(n+1)*Side > box.South; n-- {
		for e := int(math.Floor(box.West / Side)); float64(e)*Side < box.East; e++ {
			if touches(meant, int(float64(float64(e)*Side)-box.West), int(box.North-float64(float64(n+1)*Side))) {
				out = append(out, [2]int{e, n})
			}
		}
	}
	return out
}

// touches says whether a cell of the square that begins at a column and row is meant.
func touches(meant *raster.Mask, c0, q0 int) (any bool) {
	for q := max(q0, 0); q < min(q0+Side, meant.Rows) && !any; q++ {
		meant.Each(q, func(from, to int) { any = any || from < c0+Side && to > c0 })
	}
	return any
}

// work is the division of an area.
type work struct {
	p       Params
	land    *Figures
	meant   *raster.Mask
	store   writer
	squares []*square
	first   []int32 // number before the pieces of each square
	parent  []int32 // of pieces
	size    []int64 // of roots, in cells, meant or not
}

// square divides a square and keeps its labels where they are meant, by the numbers of its own pieces.
func (w *work) square(l *Layers, en [2]int) (*square, error) {
	c0, q0 := int(float64(float64(en[0])*Side)-w.land.West), int(w.land.North-float64(float64(en[1]+1)*Side))
	s, err := squareOf(l, en[0], en[1], w.p, w.meant, c0, q0)
	if err != nil {
		return nil, err
	}
	row := make([]int32, Side)
	for i := range Side {
		clear(row)
		if q := q0 + i; q >= 0 && q < w.land.Rows {
			w.meant.Each(q, func(from, to int) {
				if from, to = max(from-c0, 0), min(to-c0, Side); from < to {
					copy(row[from:to], s.labels[i*Side+from:i*Side+to])
				}
			})
		}
		s.kept.add(row)
	}
	s.labels = nil
	s.kept.clip()
	return s, w.lay(s)
}

// lay puts into the store what is not needed before all squares are done: the objects that are made, and of pieces that others
// may join the heights, of which there is one for each cell.
func (w *work) lay(s *square) error {
	b := make([]byte, 0, len(s.made)*recordBytes)
	for i := range s.made {
		b = s.made[i].append(b)
	}
	for i := range s.pieces {
		if p := &s.pieces[i]; p.body != nil {
			p.heightsAt, p.heightsN = int64(len(b)), len(p.heights)
			for _, h := range p.heights {
				b = binary.LittleEndian.AppendUint16(b, h)
			}
			p.heights = nil
		}
	}
	at, err := w.store.put(b)
	if err != nil {
		return err
	}
	for i := range s.pieces {
		switch p := &s.pieces[i]; {
		case p.made > 0:
			p.made = at + (p.made-1)*recordBytes + 1
		case p.body != nil:
			p.heightsAt += at
		}
	}
	s.made = nil
	return nil
}

// fetch reads the heights of a piece.
func (w *work) fetch(p *piece) error {
	if p.heightsN == 0 {
		return nil
	}
	b := make([]byte, 2*p.heightsN)
	if n, err := w.store.to.ReadAt(b, p.heightsAt); n < len(b) {
		return fmt.Errorf("segment: heights of a piece: %w", err)
	}
	p.heights = make([]uint16, p.heightsN)
	for i := range p.heights {
		p.heights[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return nil
}

func (w *work) root(i int32) int32 {
	for w.parent[i] != i {
		w.parent[i] = w.parent[w.parent[i]]
		i = w.parent[i]
	}
	return i
}

// unite makes one object of two; the lesser number stands for it.
func (w *work) unite(a, b int32) {
	a, b = w.root(a), w.root(b)
	if a == b {
		return
	}
	if b < a {
		a, b = b, a
	}
	w.parent[b] = a
	w.size[a] += w.size[b]
}

// of is the number of the square of a piece.
func (w *work) of(i int32) int {
	at, _ := slices.BinarySearch(w.first, i+1)
	return at - 1
}

func (w *work) piece(i int32) *piece {
	at := w.of(i)
	return &w.squares[at].pieces[i-w.first[at]]
}

// seam is what two pieces of neighbouring squares have in common.
type seam struct {
	a, b         int32
	agree, sides int64
	sum          int64
	common                // between cells that are meant
	only         [2]int64 // sides of a and of b beyond which the other's cell is not meant
}

// stitch makes objects of the pieces of all squares.
func (w *work) stitch() (*Division, error) {
	total := int32(0)
	at := map[[2]int]int{}
	for i, s := range w.squares {
		w.first = append(w.first, total)
		total += int32(len(s.pieces))
		at[[2]int{s.east, s.north}] = i
		if s.cells > 0 {
			w.land.Squares[s.method]++
		}
		w.land.Known += s.known
		for k, used := range s.used {
			w.land.Used[k] = w.land.Used[k] || used
		}
	}
	w.parent, w.size = make([]int32, total), make([]int64, total)
	for i, s := range w.squares {
		for k := range s.pieces {
			n := w.first[i] + int32(k)
			w.parent[n], w.size[n] = n, s.pieces[k].all
		}
	}
	var seams []seam
	for i, s := range w.squares {
		if j, ok := at[[2]int{s.east + 1, s.north}]; ok {
			seams = append(seams, w.meet(i, j, eastSide, westSide)...)
		} else {
			w.alone(i, eastSide)
		}
		if j, ok := at[[2]int{s.east, s.north - 1}]; ok {
			seams = append(seams, w.meet(i, j, southSide, northSide)...)
		} else {
			w.alone(i, southSide)
		}
		if _, ok := at[[2]int{s.east - 1, s.north}]; !ok {
			w.alone(i, westSide)
		}
		if _, ok := at[[2]int{s.east, s.north + 1}]; !ok {
			w.alone(i, northSide)
		}
	}
	for i := range seams {
		if m := &seams[i]; 2*m.agree > m.sides {
			w.unite(m.a, m.b)
		}
	}
	w.slivers(seams)
	w.settle(seams)
	return w.gather()
}

// alone closes the border of a square that has no neighbour.
func (w *work) alone(i, side int) {
	s := w.squares[i]
	for k, label := range s.inner[side] {
		if label > 0 && s.meant[side][k] {
			p := &s.pieces[label-1]
			p.border++
		}
	}
}

// meet compares two squares along the border between them.
func (w *work) meet(i, j, sideI, sideJ int) []seam {
	a, b := w.squares[i], w.squares[j]
	found := map[[2]int32]int{}
	var out []seam
	for k := range Side {
		la, lb := a.inner[sideI][k], b.inner[sideJ][k]
		if la == 0 || lb == 0 {
			if la > 0 && a.meant[sideI][k] {
				a.pieces[la-1].border++
			}
			if lb > 0 && b.meant[sideJ][k] {
				b.pieces[lb-1].border++
			}
			continue
		}
		key := [2]int32{w.first[i] + la - 1, w.first[j] + lb - 1}
		n, ok := found[key]
		if !ok {
			n = len(out)
			found[key] = n
			out = append(out, seam{a: key[0], b: key[1]})
		}
		m := &out[n]
		m.sides++
		m.sum += int64(a.levels[sideI][k]) + int64(b.levels[sideJ][k])
		// Each of the two squares takes the cell beyond for its own: then both are parts of one object.
		if a.outer[sideI][k] == la && b.outer[sideJ][k] == lb {
			m.agree++
		}
		edge, contrast := float64((a.top[sideI][k]+b.top[sideJ][k])/2), math.Abs(float64(a.light[sideI][k]-b.light[sideJ][k]))
		m.add(a.meant[sideI][k], b.meant[sideJ][k], edge, contrast)
	}
	return out
}

// add notes a side between two cells.
func (m *seam) add(inA, inB bool, edge, contrast float64) {
	switch {
	case inA && inB:
		m.border++
		if edge == edge {
			m.edge, m.edgeN = m.edge+edge, m.edgeN+1
		}
		if contrast == contrast {
			m.contrast, m.contrastN = m.contrast+contrast, m.contrastN+1
		}
	case inA:
		m.only[0]++
	case inB:
		m.only[1]++
	}
}

// slivers joins what the border of squares has cut off, and is smaller than the least size, to the neighbour with the
// weakest border, the smallest first.
func (w *work) slivers(seams []seam) {
	beside := map[int32][]int{}
	for i := range seams {
		beside[seams[i].a] = append(beside[seams[i].a], i)
		beside[seams[i].b] = append(beside[seams[i].b], i)
	}
	members := map[int32][]int32{}
	var small []int32
	for n := range w.parent {
		if r := w.root(int32(n)); float64(w.size[r]) < w.p.MinSize && len(beside[int32(n)]) > 0 {
			small = append(small, r)
		}
	}
	slices.Sort(small)
	small = slices.Compact(small)
	for n := range w.parent {
		if r := w.root(int32(n)); float64(w.size[r]) < w.p.MinSize {
			members[r] = append(members[r], int32(n))
		}
	}
	slices.SortStableFunc(small, func(a, b int32) int { return cmp.Compare(w.size[a], w.size[b]) })
	for _, r := range small {
		if w.root(r) != r || float64(w.size[r]) >= w.p.MinSize {
			continue // others have joined it
		}
		if to := w.weakest(r, members[r], beside, seams); to >= 0 {
			both := append(members[r], members[to]...)
			w.unite(r, to)
			members[w.root(r)] = both
		}
	}
}

// weakest is the piece to which a sliver is given; -1: none may have it.
func (w *work) weakest(r int32, members []int32, beside map[int32][]int, seams []seam) int32 {
	type shared struct{ sides, sum int64 }
	all := map[int32]shared{}
	mine := w.piece(r).part>>1 > 0
	add := func(with int32, sides, sum int64) {
		if k := w.root(with); k != r && (w.piece(with).part>>1 > 0) == mine {
			all[k] = shared{all[k].sides + sides, all[k].sum + sum}
		}
	}
	for _, n := range members {
		first := w.first[w.of(n)]
		for _, c := range w.piece(n).neighbours {
			add(first+c.with-1, c.sides, c.sum)
		}
		for _, i := range beside[n] {
			m := &seams[i]
			add(m.a+m.b-n, m.sides, m.sum)
		}
	}
	best := int32(-1)
	for with, c := range all { // the order does not matter: ties are broken by the number
		if best < 0 {
			best = with
			continue
		}
		b := all[best]
		if l, r := c.sum*b.sides, b.sum*c.sides; l < r || l == r && with < best {
			best = with
		}
	}
	return best
}

// settle adds to pieces what lies between objects on the border of squares, and takes away what lies within one object.
func (w *work) settle(seams []seam) {
	for i := range seams {
		m := &seams[i]
		a, b := w.piece(m.a), w.piece(m.b)
		a.border += m.only[0]
		b.border += m.only[1]
		if w.root(m.a) != w.root(m.b) {
			a.common.add(&m.common)
			b.common.add(&m.common)
		}
	}
	for i, s := range w.squares {
		for k := range s.pieces {
			p := &s.pieces[k]
			if p.body == nil {
				continue
			}
			for _, c := range p.neighbours {
				n := w.first[i] + c.with - 1
				if w.root(n) != w.root(w.first[i]+int32(k)) {
					continue
				}
				p.common.remove(&c.common)
				if o := w.piece(n); !o.seam && o.body != nil { // it keeps no list of its own
					o.common.remove(&c.common)
				}
			}
		}
	}
}

// entry is an object that stands in the store: where, and the place of its first cell, by which objects are in order.
type entry struct {
	x, y float64
	made int64 // in bytes from 1
	root int32
}

// gather makes objects of the pieces and numbers them by their first cells. What it has taken of the squares is let go of, so that
// an area is not held twice.
func (w *work) gather() (*Division, error) {
	list, err := w.joined()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(cmp.Compare(b.y, a.y), cmp.Compare(a.x, b.x)) })
	names := make([]int32, len(w.parent))
	d := &Division{Figures: *w.land, store: w.store.to, made: make([]int64, len(list)), squares: make(map[[2]int]*runs, len(w.squares))}
	for i := range list {
		names[list[i].root] = int32(i + 1)
		d.made[i] = list[i].made - 1
	}
	for i, s := range w.squares {
		for k, label := range s.kept.labels {
			if label > 0 {
				s.kept.labels[k] = names[w.root(w.first[i]+label-1)]
			}
		}
		s.kept.rows()
		d.squares[[2]int{int(float64(float64(s.east)*Side) - w.land.West), int(w.land.North - float64(float64(s.north)*Side))}] = &s.kept
		w.squares[i] = nil
	}
	return d, nil
}

// joined puts the objects of several pieces, and of one that others might have joined, into the store, each when its last piece has
// joined it, and gives all objects.
func (w *work) joined() ([]entry, error) {
	left := map[int32]int{}                               // pieces with bodies that have not joined their object
	_ = w.each(func(r int32, _ *square, p *piece) error { // it never fails
		if p.made == 0 {
			left[r]++
		}
		return nil
	})
	type open struct {
		*piece
		west, north float64
	}
	whole := map[int32]open{}
	var list []entry
	err := w.each(func(r int32, s *square, p *piece) error {
		w.land.Found += int(p.cells)
		west, north := float64(float64(s.east)*Side), float64(float64(s.north)*Side)
		if p.made > 0 { // it is its own
			list = append(list, entry{west + float64(p.col) + 0.5, north - float64(p.row) - 0.5, p.made, r})
			return nil
		}
		if err := w.fetch(p); err != nil {
			return err
		}
		o, there := whole[r]
		if there {
			p.moved(int64(west-o.west), int64(o.north-north))
			o.join(p)
			p.body = nil
		} else {
			o = open{p, west, north}
			whole[r] = o
		}
		if left[r]--; left[r] > 0 {
			return nil
		}
		made := o.object(o.west, o.north)
		o.body = nil
		delete(whole, r)
		at, err := w.store.put(made.append(nil))
		list = append(list, entry{made.X, made.Y, at + 1, r})
		return err
	})
	return list, err
}

// each gives the pieces with cells that are meant, square by square, each with its root.
func (w *work) each(f func(root int32, s *square, p *piece) error) error {
	for i, s := range w.squares {
		for k := range s.pieces {
			if p := &s.pieces[k]; p.cells > 0 {
				if err := f(w.root(w.first[i]+int32(k)), s, p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
