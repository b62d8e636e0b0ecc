package world

import (
	"errors"
	"math"

	"mappe/localdev/demo/planar"
)

// blockKind is what a block of the country is, before it is divided into parcels.
type blockKind uint8

const (
	outsideBlock blockKind = iota
	waterBlock
	railBlock
	roadBlock
	shapeBlock
	buildBlock
	meadowBlock
	forestBlock
	alpBlock
	wildBlock // the high country of the alpine KG: huge parcels over several covers
)

// class is what a face belongs to: its KG (-1 outside), kind and number within the kind.
type class struct {
	kg   int16
	kind blockKind
	no   int16
}

// blockMap is the country divided by everything drawn in nature and by the KG borders.
type blockMap struct {
	g      *planar.Graph
	face   []planar.Poly
	block  []int32 // by face; -1 outside
	class  []class // by block
	use    []uint8 // by face
	finder *finder
}

const (
	tagBorder uint16 = 1 << iota // KG border
	tagLine                      // anything else
)

var errSeed = errors.New("a KG's seed lies outside the country")

// drawing gathers lines in metres as grid segments.
type drawing struct{ segs []planar.Seg }

func (d *drawing) open(pts []P, tag uint16) {
	for i := 0; i+1 < len(pts); i++ {
		d.segs = append(d.segs, planar.Seg{A: gridPt(pts[i]), B: gridPt(pts[i+1]), Tag: tag})
	}
}

func (d *drawing) closed(pts []P, tag uint16) {
	d.open(pts, tag)
	d.open([]P{pts[len(pts)-1], pts[0]}, tag)
}

// ring draws a ring that is on the grid already.
func (d *drawing) ring(r []planar.Pt, tag uint16) {
	a := r[len(r)-1]
	for _, b := range r {
		d.segs = append(d.segs, planar.Seg{A: a, B: b, Tag: tag})
		a = b
	}
}

// blocks draws all lines of nature and man, finds the faces and says what each is.
func (w *World) blocks() (*blockMap, error) {
	d := &drawing{}
	w.borders(func(l []P) { d.open(l, tagBorder) })
	d.closed(w.river.bank(), tagLine)
	for _, s := range w.streams {
		d.closed(s.bank(), tagLine)
	}
	d.closed(strip(w.rail.line.pts, w.rail.half, false), tagLine)
	for _, r := range w.roads {
		d.closed(strip(r.line.pts, r.half, r.kind == streetRoad || r.kind == track), tagLine)
	}
	for _, s := range w.streets {
		d.closed(strip(s.line.pts, s.half+w.settlements[s.st].depth, true), tagLine)
	}
	for _, s := range w.shapes {
		d.closed(s.ring, tagLine)
	}
	lo, hi := P{west - 100, south - 100}, P{east + 100, north + 100}
	for c := forestLine; c < covers; c++ {
		contour(lo, hi, 46, func(p P) float64 { return w.field(c, p) }, func(a, b P) { d.open([]P{a, b}, tagLine) })
	}
	g, err := planar.Arrange(d.segs, 4)
	if err != nil {
		return nil, err
	}
	b := &blockMap{g: g, face: g.FacePolys()}
	b.finder = newFinder(b.face)
	kg, err := w.kgOfFaces(b)
	if err != nil {
		return nil, err
	}
	w.classify(b, kg)
	return b, nil
}

// kgOfFaces gives each face its KG by its seed; pockets between two runs of a border go to the
// neighbour with the longest common line.
func (w *World) kgOfFaces(b *blockMap) ([]int16, error) {
	comp, n := b.g.Flood(func(h int32) bool { return b.g.H[h].Tag&tagBorder == 0 })
	kgOf := make([]int16, n)
	for i := range kgOf {
		kgOf[i] = -2
	}
	kgOf[comp[0]] = -1
	for k, v := range w.KGs {
		f := b.finder.find(v.seed)
		if f <= 0 || kgOf[comp[f]] != -2 {
			return nil, errSeed
		}
		kgOf[comp[f]] = int16(k)
	}
	for again := true; again; {
		again = false
		for c := range kgOf {
			if kgOf[c] != -2 {
				continue
			}
			shared := make([]float64, kgCount+1)
			b.g.Between(comp, int32(c), func(h int32) {
				if k := kgOf[comp[b.g.H[h^1].Face]]; k != -2 {
					shared[k+1] += b.g.Length(h)
				}
			})
			best := 0
			for k := range shared {
				if shared[k] > shared[best] {
					best = k
				}
			}
			if shared[best] > 0 {
				kgOf[c], again = int16(best-1), true
			}
		}
	}
	out := make([]int16, len(b.face))
	for f := range out {
		out[f] = kgOf[comp[f]]
	}
	return out, nil
}

// classify says of each face what it is and gathers faces of one kind into blocks.
func (w *World) classify(b *blockMap, kg []int16) {
	cl := make([]class, len(b.face))
	b.use = make([]uint8, len(b.face))
	cl[0].kg = -1
	for f := 1; f < len(b.face); f++ {
		x, y, _ := b.face[f].Inside()
		p := P{x * Unit, y * Unit}
		cl[f] = class{kg: kg[f]}
		if kg[f] >= 0 {
			cl[f], b.use[f] = w.classAt(p, kg[f])
		}
	}
	comp, n := b.g.Flood(func(h int32) bool { return cl[b.g.H[h].Face] == cl[b.g.H[h^1].Face] })
	b.class = make([]class, n)
	use := make([]uint8, n)
	largest := make([]int64, n)
	for f := range b.face {
		c := comp[f]
		b.class[c] = cl[f]
		if a := b.g.Faces[f].Area2; a > largest[c] {
			largest[c], use[c] = a, b.use[f]
		}
	}
	root := b.g.MergeSmall(comp, n,
		func(c int32) float64 { return smallest(b.class[c].kind) / (Unit * Unit) },
		func(c, o int32) float64 {
			if b.class[c].kg < 0 || b.class[c].kg != b.class[o].kg {
				return 0
			}
			if k := b.class[o].kind; k == roadBlock || k == waterBlock || k == railBlock {
				return 0.2
			}
			return 1
		})
	b.block = make([]int32, len(b.face))
	for f := range b.face {
		r := root[comp[f]]
		if r != comp[f] {
			b.use[f] = use[r]
		}
		if b.block[f] = r; b.class[r].kg < 0 {
			b.block[f] = -1
		}
	}
}

// smallest is the least area in m² of a block that stands for itself.
func smallest(k blockKind) float64 {
	switch k {
	case shapeBlock:
		return 5
	case buildBlock:
		return 110
	case meadowBlock, forestBlock, alpBlock, wildBlock:
		return 260
	}
	return 30
}

// classAt says what lies at a place: waters before rails before roads before plots before nature.
func (w *World) classAt(p P, kg int16) (class, uint8) {
	wild := kg == kgAlp
	nature := class{kg: kg, kind: wildBlock}
	use := w.coverAt(p)
	if !wild {
		switch {
		case w.field(forestLine, p) <= 0:
			nature.kind = meadowBlock
		case w.field(alpLine, p) > 0:
			nature.kind = alpBlock
		default:
			nature.kind = forestBlock
		}
	}
	if w.river.holds(p) {
		return class{kg, waterBlock, 0}, 59
	}
	for i, s := range w.streams {
		if s.holds(p) {
			if wild && i > 0 {
				return nature, 59
			}
			return class{kg, waterBlock, int16(1 + i)}, 59
		}
	}
	for i, s := range w.shapes {
		if s.kind == shapeLake && inRing(s.ring, p) {
			return class{kg, shapeBlock, int16(i)}, s.use
		}
	}
	if d, _, _ := w.rail.line.dist(p, w.rail.half); d < w.rail.half {
		return class{kg, railBlock, 0}, 92
	}
	for i, r := range w.roads {
		if d, _, _ := r.line.dist(p, r.half); d < r.half {
			if r.kind == forestRoad {
				use = 58
				continue
			}
			return class{kg, roadBlock, int16(i)}, 95
		}
	}
	for i, s := range w.shapes {
		if inRing(s.ring, p) {
			return class{kg, shapeBlock, int16(i)}, s.use
		}
	}
	if s, d := w.onStreet(p, 60); s >= 0 && d < w.settlements[w.streets[s].st].depth && use != 58 {
		return class{kg, buildBlock, int16(w.streets[s].st)}, 52
	}
	return nature, use
}

// finder finds the polygon that holds a place.
type finder struct {
	polys []planar.Poly
	cells map[planar.Pt][]int32
	cell  int32
	boxes [][2]planar.Pt
}

func newFinder(polys []planar.Poly) *finder {
	f := &finder{polys: polys, cells: map[planar.Pt][]int32{}, cell: 1024, boxes: make([][2]planar.Pt, len(polys))}
	for i, p := range polys {
		if len(p) == 0 {
			continue
		}
		lo, hi := p.Bounds()
		f.boxes[i] = [2]planar.Pt{lo, hi}
		for x := lo.X >> 10; x <= hi.X>>10; x++ {
			for y := lo.Y >> 10; y <= hi.Y>>10; y++ {
				f.cells[planar.Pt{X: x, Y: y}] = append(f.cells[planar.Pt{X: x, Y: y}], int32(i))
			}
		}
	}
	return f
}

// find is the index of the polygon at p, -1 none.
func (f *finder) find(p P) int32 { return f.at(p.X/Unit, p.Y/Unit) }

func (f *finder) at(x, y float64) int32 {
	for _, i := range f.cells[planar.Pt{X: int32(math.Floor(x)) >> 10, Y: int32(math.Floor(y)) >> 10}] {
		b := f.boxes[i]
		if x >= float64(b[0].X) && x <= float64(b[1].X) && y >= float64(b[0].Y) && y <= float64(b[1].Y) && f.polys[i].Contains(x, y) {
			return i
		}
	}
	return -1
}
