package segment

import (
	"slices"

	"mappe/shared/geo/raster"
)

// The parts of Divide one by one: for labels that were drawn by hand, and for who measures what each part takes.

// Flood labels the cells of a picture that have none, 0, from those that have, in the order of the levels of a gradient, 0 to
// 4,095 (Meyer 1994). Labels do not leave the part that they lie in; cells of part -1 keep 0.
func Flood(level []uint16, part, labels []int32, cols, rows int) {
	flood(level, part, labels, cols, rows)
}

// Basins floods a gradient from the minima of its smoothed picture; labels count from 1 to n.
func Basins(level []uint16, part []int32, cols, rows int) (labels []int32, n int) {
	return basins(level, part, cols, rows)
}

// Components are those of Felzenszwalb & Huttenlocher (2004) in channels from 0 to 1, which are smoothed first: k is the scale
// of their paper, least the size of the smallest in cells.
func Components(channels [][]float32, cols, rows int, k float64, least int) (labels []int32, n int) {
	return felzenszwalb(append([][]float32{}, channels...), make([]int32, cols*rows), cols, k, int32(least))
}

// Gradient is the fused gradient of a window, 0 to 4,095, and the parts that bound regions, -1 where nothing is known.
func Gradient(l *Layers, window raster.Box) (level []uint16, part []int32) {
	r := reliefOf(l, window)
	return r.level, r.part
}

// Adjacency merges labelled regions of a picture, from 1, while the mean level along a border is below a limit, and gives how many
// borders there were. Labels become those of the regions.
func Adjacency(level []uint16, part, labels []int32, cols int, limit float64) (borders int) {
	g := regionsOf(level, part, labels, int(slices.Max(labels)), cols)
	borders = len(g.borders)
	g.merge(limit)
	g.number(labels)
	return borders
}

// Measured are the objects that labels of a window, from 1, divide its square into: the square whose south-western corner is
// given in kilometres. What its border cuts is measured by the part inside.
func Measured(l *Layers, e, n int, labels []int32) ([]Object, error) {
	box := Window(e, n)
	if err := l.check(box); err != nil {
		return nil, err
	}
	r := reliefOf(l, box)
	s := &square{east: e, north: n + 1, used: r.used}
	s.crop(labels, r)
	in := make([]bool, Side*Side)
	for i := range in {
		in[i] = true
	}
	newMeasuring(s, l, r, box, in).measure()
	w := work{land: &Figures{Squares: map[Method]int{}}, squares: []*square{s}, p: Params{MinSize: 0}, store: writer{to: &held{}}}
	w.land.West, w.land.North, w.land.Cols, w.land.Rows = box.West+Halo, box.North-Halo, Side, Side
	for row := range Side {
		s.kept.add(s.labels[row*Side:][:Side])
	}
	d, err := w.stitch()
	if err != nil {
		return nil, err
	}
	list := make([]Object, 0, d.Count())
	err = d.Each(func(o *Object) error {
		list = append(list, *o)
		return nil
	})
	return list, err
}

// Levels is how many steps a gradient has.
const Levels = levels
