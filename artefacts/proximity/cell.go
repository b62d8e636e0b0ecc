package proximity

import (
	"math"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/internal/outline"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Cell are the features of a cell.
type Cell struct {
	Lines  []Line
	Points []Point
	Areas  []Area
	boxes  []geom.Box // of Lines
}

// encode writes the cell with this box.
func (c *Cell) encode(box geom.Box) ([]byte, error) {
	return encodeSection("cell", len(c.Lines), func(w *column.Writer) {
		putNames(w, c.Lines, func(l *Line) (Class, string) { return l.Class, l.Name })
		column.Texts(w, c.Lines, func(l *Line) string { return l.Ref })
		putLines(w, c.Lines, box)
		w.List(len(c.Points))
		putNames(w, c.Points, func(p *Point) (Class, string) { return p.Class, p.Name })
		var x, y []int64
		var people []uint64
		for _, p := range c.Points {
			x, y = append(x, int64(p.At.X)-int64(box.MinX)), append(y, int64(p.At.Y)-int64(box.MinY))
			people = append(people, uint64(max(p.Population, -1)+1))
		}
		w.Signed(x)
		w.Signed(y)
		w.Ints(people)
		w.List(len(c.Areas))
		putNames(w, c.Areas, func(a *Area) (Class, string) { return a.Class, a.Name })
		var lengths []uint64
		var all []byte
		for _, a := range c.Areas {
			n := len(all)
			all = outline.Append(all, a.Geometry, box)
			lengths = append(lengths, uint64(len(all)-n))
		}
		w.Ints(lengths)
		w.Many(len(all), manyBase, manyPer)
		w.Frame(all)
	})
}

func encodeSection(name string, rows int, put func(*column.Writer)) ([]byte, error) {
	return column.EncodeAlone("proximity", name, rows, put)
}

func decodeSection(name string, b []byte, read func(r *column.Reader, rows int)) error {
	return column.DecodeAlone("proximity", name, b, read)
}

// Vertices and outlines are more than one for each stored byte at most by this.
const (
	manyBase = 1 << 12
	manyPer  = 24
)

func putLines(w *column.Writer, lines []Line, box geom.Box) {
	sizes := make([]uint64, len(lines))
	var dx, dy []int64
	for i := range lines {
		v := lines[i].Vertices
		if len(v) < 2 || len(v) > MaxVertices {
			w.Fail("a line of %d vertices", len(v))
			return
		}
		sizes[i] = uint64(len(v))
		prev := geom.Point{X: box.MinX, Y: box.MinY}
		for _, p := range v {
			dx, dy = append(dx, int64(p.X)-int64(prev.X)), append(dy, int64(p.Y)-int64(prev.Y))
			prev = p
		}
	}
	w.Ints(sizes)
	w.Many(len(dx), manyBase, manyPer)
	w.Signed(dx)
	w.Signed(dy)
}

func putNames[T any](w *column.Writer, rows []T, of func(*T) (Class, string)) {
	codes, names := make([]uint64, len(rows)), make([]string, len(rows))
	for i := range rows {
		c, name := of(&rows[i])
		codes[i], names[i] = uint64(c), name
	}
	w.Ints(codes)
	w.Text(names)
}

// DecodeCell reads the cell of a box of any bytes, and says what it takes in memory.
func DecodeCell(b []byte, box geom.Box) (*Cell, int64, error) {
	c := &Cell{}
	cost := int64(512)
	if err := decodeSection("cell", b, func(r *column.Reader, n int) {
		c.readLines(r, n, box)
		c.readPoints(r, box)
		c.readAreas(r, box, &cost)
	}); err != nil {
		return nil, 0, err
	}
	const perLine, perPoint, perVertex = 96, 64, 8
	for i := range c.Lines {
		cost += perLine + perVertex*int64(len(c.Lines[i].Vertices))
	}
	return c, cost + perPoint*int64(len(c.Points)), nil
}

func readNames(r *column.Reader, n int, set func(i int, c Class), name func(i int, s string)) {
	for i, code := range column.Ints[uint8](r, n) {
		if int(code) >= len(classes) {
			r.Fail("feature of the class %d", code)
			code = 0
		}
		set(i, Class(code))
	}
	r.EachText(n, name)
}

func (c *Cell) readLines(r *column.Reader, n int, box geom.Box) {
	c.Lines, c.boxes = make([]Line, n), make([]geom.Box, n)
	readNames(r, n, func(i int, k Class) { c.Lines[i].Class = k }, func(i int, s string) { c.Lines[i].Name = s })
	r.EachText(n, func(i int, s string) { c.Lines[i].Ref = s })
	sizes := column.Ints[uint8](r, n)
	total := r.Many(manyBase, manyPer)
	dx, dy := column.Ints[uint32](r, total), column.Ints[uint32](r, total)
	if r.Err != nil {
		return
	}
	vertices := make([]geom.Point, total)
	at := 0
	for i := range c.Lines {
		size := int(sizes[i])
		if size < 2 || size > MaxVertices || at+size > total {
			r.Fail("a line of %d vertices, %d are left", size, total-at)
			return
		}
		own := vertices[at : at+size : at+size]
		prev := geom.Point{X: box.MinX, Y: box.MinY}
		b := geom.EmptyBox
		for k := range own {
			prev = geom.Point{X: prev.X + unzig(dx[at+k]), Y: prev.Y + unzig(dy[at+k])}
			own[k], b = prev, b.Extend(prev)
		}
		c.Lines[i].Vertices, c.boxes[i] = own, b
		at += size
	}
	if at != total {
		r.Fail("%d vertices are in no line", total-at)
	}
}

func unzig(v uint32) int32 { return int32(v>>1) ^ -int32(v&1) }

func (c *Cell) readPoints(r *column.Reader, box geom.Box) {
	n := r.List()
	c.Points = make([]Point, n)
	readNames(r, n, func(i int, k Class) { c.Points[i].Class = k }, func(i int, s string) { c.Points[i].Name = s })
	x, y, people := column.Ints[uint32](r, n), column.Ints[uint32](r, n), column.Ints[uint32](r, n)
	for i := range c.Points {
		c.Points[i].At = geom.Point{X: box.MinX + unzig(x[i]), Y: box.MinY + unzig(y[i])}
		c.Points[i].Population = int(people[i]) - 1
	}
}

func (c *Cell) readAreas(r *column.Reader, box geom.Box, cost *int64) {
	n := r.List()
	c.Areas = make([]Area, n)
	readNames(r, n, func(i int, k Class) { c.Areas[i].Class = k }, func(i int, s string) { c.Areas[i].Name = s })
	lengths := column.Ints[uint32](r, n)
	total := r.Many(manyBase, manyPer)
	ends := column.Ends(r, lengths, total)
	all := r.Frame(total)
	if r.Err != nil {
		return
	}
	from := uint32(0)
	for i := range c.Areas {
		c.Areas[i].Geometry = outline.Parse(all[from:ends[i]], box)
		if c.Areas[i].Geometry == nil {
			r.Fail("area %d has no outline", i)
			return
		}
		from = ends[i]
		*cost += 96 + 8*int64(c.Areas[i].Geometry.Vertices())
	}
}

// Hit is the nearest feature that was found.
type Hit struct {
	Metres    float64 // +Inf: none yet
	Class     Class
	Name, Ref string
}

// None is a Hit that found nothing.
func None() Hit { return Hit{Metres: math.Inf(1)} }

// Found says whether there is one.
func (h *Hit) Found() bool { return !math.IsInf(h.Metres, 1) }

// Nearest makes the hit better by the features of the cell that are of the set; distances are those of crs.Ruler.
// Features alike far count in the order of the cell.
func (c *Cell) Nearest(l *crs.Ruler, set Set, best *Hit) {
	p := l.Origin()
	reach := reachOf(p, best.Metres)
	better := func(d float64, k Class, name, ref string) {
		if d < best.Metres {
			*best = Hit{d, k, name, ref}
			reach = reachOf(p, d)
		}
	}
	for i := range c.Areas {
		if a := &c.Areas[i]; set.Has(a.Class) && best.Metres > 0 && a.Geometry.Contains(p) {
			better(0, a.Class, a.Name, "")
		}
	}
	for i := range c.Lines {
		if set.Has(c.Lines[i].Class) && c.boxes[i].Intersects(reach) {
			line := &c.Lines[i]
			better(toLine(l, line.Vertices), line.Class, line.Name, line.Ref)
		}
	}
	for i := range c.Points {
		if q := &c.Points[i]; set.Has(q.Class) && reach.Contains(q.At) {
			better(l.Distance(q.At), q.Class, q.Name, "")
		}
	}
}

// farthest is how far features are looked for at all: beyond it boxes would leave the grid.
const farthest = 1e6

func reachOf(p geom.Point, metres float64) geom.Box {
	return crs.Grow(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, min(metres, farthest))
}

func toLine(l *crs.Ruler, vertices []geom.Point) float64 {
	best := math.Inf(1)
	ax, ay := l.Offset(vertices[0])
	for _, v := range vertices[1:] {
		bx, by := l.Offset(v)
		best = min(best, geom.SegmentDistance2(ax, ay, bx, by))
		ax, ay = bx, by
	}
	return math.Sqrt(best)
}

// Box is the box of a line of the cell.
func (c *Cell) Box(line int) geom.Box { return c.boxes[line] }
