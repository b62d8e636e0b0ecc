package scene

import (
	"math"
)

// layout divides the plane into blocks between ways, and blocks into leaves (fields, stands, plots), in bent coordinates
// u, v in which all of them are rectangles: turned against the north and moved by noise, so that nothing is straight.
type layout struct {
	seed         uint64
	cos, sin     float64
	bendU, bendV [2]octave
	forest       float64
}

// rect is a rectangle of bent coordinates, metres.
type rect struct{ u0, v0, u1, v1 float64 }

func (r rect) has(u, v float64) bool { return u >= r.u0 && u < r.u1 && v >= r.v0 && v < r.v1 }

func (r rect) grown(m float64) rect { return rect{r.u0 - m, r.v0 - m, r.u1 + m, r.v1 + m} }

func (r rect) middle() (u, v float64) { return float64((r.u0 + r.u1) / 2), float64((r.v0 + r.v1) / 2) }

// depth is how far a place lies inside, negative outside.
func (r rect) depth(u, v float64) float64 { return min(u-r.u0, r.u1-u, v-r.v0, r.v1-v) }

// pitch is the mean distance of lines between blocks in metres, and jitter what they are off, at most.
const (
	pitch  = 240
	jitter = 55
)

func newLayout(seed uint64, forest float64, d *dice) layout {
	l := layout{seed: seed, forest: forest}
	l.cos, l.sin = direction(d.f() / 4)
	for i, wave := range [2]float64{1024, 448} {
		l.bendU[i] = octave{seed, forWarpU, wave, wave * 0.105}
		l.bendV[i] = octave{seed, forWarpV, wave, wave * 0.105}
	}
	return l
}

// uv are the bent coordinates of a place.
func (l *layout) uv(x, y float64) (u, v float64) {
	u = l.bendU[0].at(x, y) + l.bendU[1].at(x, y)
	v = l.bendV[0].at(x, y) + l.bendV[1].at(x, y)
	return l.turn(x, y, u, v)
}

// turn adds the turned place to its bends.
func (l *layout) turn(x, y, bu, bv float64) (u, v float64) {
	return float64(l.cos*x) + float64(l.sin*y) + bu, float64(l.cos*y) - float64(l.sin*x) + bv
}

// xy is the place of bent coordinates, good to a tenth of a millimetre: bends change by less than a third of the way.
func (l *layout) xy(u, v float64) (x, y float64) {
	back := func(u, v float64) (float64, float64) {
		return float64(l.cos*u) - float64(l.sin*v), float64(l.sin*u) + float64(l.cos*v)
	}
	x, y = back(u, v)
	for range 14 {
		bu := l.bendU[0].at(x, y) + l.bendU[1].at(x, y)
		bv := l.bendV[0].at(x, y) + l.bendV[1].at(x, y)
		x, y = back(u-bu, v-bv)
	}
	return x, y
}

// axis is the direction in which u rises at a place, of length 1.
func (l *layout) axis(x, y float64) (ax, ay float64) {
	u0, v0 := l.uv(x, y)
	u1, v1 := l.uv(x+1, y)
	// v does not change along the axis: it is the normal of the slope of v.
	u2, v2 := l.uv(x, y+1)
	gx, gy := v1-v0, v2-v0
	n := length(gx, gy)
	ax, ay = gy/n, -gx/n
	if dot(ax, ay, u1-u0, u2-u0) < 0 {
		ax, ay = -ax, -ay
	}
	return ax, ay
}

// line is the place of a line between blocks.
func (l *layout) line(k int, across bool) float64 {
	kind := 0
	if across {
		kind = 1
	}
	return float64(float64(k)*pitch) + float64((unit(key(l.seed, forLine, k, kind))-0.5)*2*jitter)
}

// index is the block's column (or row, across) of a coordinate.
func (l *layout) index(u float64, across bool) int {
	k := int(math.Floor(u / pitch))
	switch {
	case u < l.line(k, across):
		return k - 1
	case u >= l.line(k+1, across):
		return k + 1
	}
	return k
}

// way is a road or track along a line between blocks.
type way uint8

const (
	noWay way = iota
	path
	track
	road
)

// widths of ways in metres.
var widths = [...]float64{noWay: 0, path: 2.4, track: 3.6, road: 6.6}

// wayAt is the way along line k beside block j: every third line is a road over its whole length.
func (l *layout) wayAt(k, j int, across bool) way {
	kind := 0
	if across {
		kind = 1 << 20
	}
	if ((k%3)+3)%3 == int(key(l.seed, forLine, kind, -7)>>33%3) {
		return road
	}
	switch x := key(l.seed, forEdge, k+kind, j) >> 40 % 100; {
	case x < 30:
		return track
	case x < 50:
		return path
	}
	return noWay
}

// use is what a block or leaf is used for.
type use uint8

const (
	woods use = iota
	meadow
	arable
	village
	orchard
	vineyard
	pond
	works
	quarry
	garden
	yard // sealed ground
	glasshouses
)

// block is the land between four lines.
type block struct {
	i, j int
	rect
	use  use
	ways [4]way // west, south, east, north
}

// block makes the block of a column and row.
func (l *layout) block(i, j int) *block {
	b := &block{i: i, j: j, rect: rect{l.line(i, false), l.line(j, true), l.line(i+1, false), l.line(j+1, true)}}
	b.ways = [4]way{l.wayAt(i, j, false), l.wayAt(j, i, true), l.wayAt(i+1, j, false), l.wayAt(j+1, i, true)}
	roads := 0
	for _, w := range b.ways {
		if w == road {
			roads++
		}
	}
	d := dice(key(l.seed, forBlock, i, j))
	wooded := octave{l.seed, forWoods, 3.1, 1}
	// Even numbers of blocks are wooded: noise is made into a rank by its distribution, which is near normal with 0.25.
	rank := smooth(-0.55, 0.55, wooded.at(float64(i)+0.37, float64(j)+0.61)+float64(0.25*(d.f()-0.5)))
	x := d.f()
	switch {
	case rank < l.forest:
		b.use = woods
	case roads >= 2 && x < 0.36, roads == 1 && x < 0.1:
		b.use = village
	case x < 0.52:
		b.use = arable
	case x < 0.84:
		b.use = meadow
	case x < 0.88:
		b.use = orchard
	case x < 0.91:
		b.use = vineyard
	case x < 0.94:
		b.use = pond
	case x < 0.98 && roads > 0:
		b.use = works
	default:
		b.use = quarry
	}
	return b
}

// leaf is a part of a block with one use: a field, a stand, a plot.
type leaf struct {
	id uint64
	rect
	use   use
	block *block
}

// size is the area in m² above which a leaf is divided, by the use of its block.
var size = [...]float64{woods: 9000, meadow: 12000, arable: 9000, village: 1100, orchard: 14000, vineyard: 14000, pond: 1e9,
	works: 9000, quarry: 1e9}

// divide cuts a rectangle once; whole is true where it stays as it is.
func divide(r rect, id, seed uint64, u use) (low, high rect, whole bool) {
	w, h := r.u1-r.u0, r.v1-r.v0
	if float64(w*h) <= size[u] || max(w, h) < 24 {
		return r, r, true
	}
	x := key(seed, forSplit, int(id), 0)
	t := lerp(0.36, 0.64, unit(x))
	tall := h > w
	if u == arable && max(w, h) < 3.2*min(w, h) {
		tall = !tall // strips
	}
	low, high = r, r
	if tall {
		low.v1 = lerp(r.v0, r.v1, t)
		high.v0 = low.v1
	} else {
		low.u1 = lerp(r.u0, r.u1, t)
		high.u0 = low.u1
	}
	return low, high, false
}

// leaves are the parts of a block.
func (l *layout) leaves(b *block) []leaf {
	var out []leaf
	var walk func(r rect, id uint64)
	walk = func(r rect, id uint64) {
		low, high, whole := divide(r, id, l.seed, b.use)
		if whole {
			out = append(out, l.leaf(b, r, id))
			return
		}
		walk(low, mix(id*2))
		walk(high, mix(id*2+1))
	}
	walk(b.rect, key(l.seed, forLeaf, b.i, b.j))
	return out
}

// leafAt is the part of a block at a place.
func (l *layout) leafAt(b *block, u, v float64) leaf {
	r, id := b.rect, key(l.seed, forLeaf, b.i, b.j)
	for {
		low, high, whole := divide(r, id, l.seed, b.use)
		switch {
		case whole:
			return l.leaf(b, r, id)
		case low.has(u, v):
			r, id = low, mix(id*2)
		default:
			r, id = high, mix(id*2+1)
		}
	}
}

func (l *layout) leaf(b *block, r rect, id uint64) leaf {
	f := leaf{id: id, rect: r, use: b.use, block: b}
	x := mix(id ^ 0x757365)
	switch b.use {
	case village:
		if f.use = garden; x%9 == 0 {
			f.use = meadow
		} else if x%23 == 1 {
			f.use = yard
		}
	case works:
		if f.use = yard; x%5 == 0 {
			f.use = glasshouses
		} else if x%5 == 1 {
			f.use = meadow
		}
	case meadow:
		if x%12 == 0 {
			f.use = woods // a copse
		}
	case woods:
		if x%19 == 0 {
			f.use = meadow // a glade
		}
	}
	return f
}

// finder finds the leaf of places that lie near one another.
type finder struct {
	l    *layout
	last leaf
}

func (f *finder) at(u, v float64) *leaf {
	if f.last.block == nil || !f.last.has(u, v) {
		b := f.last.block
		if b == nil || !b.has(u, v) {
			b = f.l.block(f.l.index(u, false), f.l.index(v, true))
		}
		f.last = f.l.leafAt(b, u, v)
	}
	return &f.last
}

// onWay says which way a place of a block lies on, and how far from its middle: east or north of it is positive. A way is
// as wide as its class.
func (b *block) onWay(u, v, wider float64) (w way, off float64, side int) {
	for i, d := range [4]float64{u - b.u0, v - b.v0, u - b.u1, v - b.v1} {
		if k := b.ways[i]; k > w && math.Abs(d) < float64(widths[k]/2)+wider {
			w, off, side = k, d, i
		}
	}
	return w, off, side
}

// blocks are those that a rectangle of the plane may touch.
func (l *layout) blocks(area box) []*block {
	u0, v0, u1, v1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	const steps = 8
	for i := range steps + 1 {
		for _, t := range [2]float64{0, 1} {
			s := float64(i) / steps
			for _, p := range [2][2]float64{{s, t}, {t, s}} {
				u, v := l.uv(lerp(area.west, area.east, p[0]), lerp(area.south, area.north, p[1]))
				u0, v0, u1, v1 = min(u0, u), min(v0, v), max(u1, u), max(v1, v)
			}
		}
	}
	const margin = 15 // what a bend does between two steps
	var out []*block
	for j := l.index(v0-margin, true); j <= l.index(v1+margin, true); j++ {
		for i := l.index(u0-margin, false); i <= l.index(u1+margin, false); i++ {
			out = append(out, l.block(i, j))
		}
	}
	return out
}

// outline is a rectangle of bent coordinates as a ring in the plane, with a vertex every few metres.
func (l *layout) outline(r rect) []Place {
	corners := [5][2]float64{{r.u0, r.v0}, {r.u1, r.v0}, {r.u1, r.v1}, {r.u0, r.v1}, {r.u0, r.v0}}
	var ring []Place
	for i := range 4 {
		a, b := corners[i], corners[i+1]
		n := int(math.Ceil(max(math.Abs(b[0]-a[0]), math.Abs(b[1]-a[1])) / 20))
		for k := range max(n, 1) {
			t := float64(k) / float64(max(n, 1))
			x, y := l.xy(lerp(a[0], b[0], t), lerp(a[1], b[1], t))
			ring = append(ring, Place{x, y})
		}
	}
	return ring
}

// streamPitch is the mean distance of streams in metres, streamWidth the width of their water.
const (
	streamPitch = 1500
	streamWidth = 4.5
)

// stream is how far a place lies from the middle of the nearest stream: beyond it is positive. Farther than near it is only
// known to be so.
func (l *layout) stream(u, v, near float64) float64 {
	const bends = 30
	k := int(math.Floor(v/streamPitch + 0.5))
	off := v - float64(float64(k)*streamPitch) - float64(240*(unit(key(l.seed, forMeander, k, 0))-0.5))
	if math.Abs(off) > near+bends {
		return off
	}
	bend := octave{l.seed + uint64(k), forMeander, 170, bends}
	return off - bend.at(u, 0.5)
}
