package scene

import (
	"math"

	"mappe/shared/geo/raster"
)

// satelliteStep is the cell of the satellite layers in metres, of forest loss lossStep.
const (
	satelliteStep = 10
	lossStep      = 30
)

// Satellite are the layers of 10 m of a tile in the year of a laser date.
type Satellite struct {
	NDVI   [12]*raster.Grid // monthly means, -1 to 1; NaN: clouds, some 40 %
	VV, VH *raster.Grid     // radar backscatter of the year in dB
	Prior  *Bytes           // land cover: 10 trees, 20 shrubs, 30 grass, 40 crops, 50 built, 60 bare, 80 water; 8 % are wrong
}

// season is the course of the vegetation index of a class over the year, and its radar backscatter in dB.
type season struct {
	mean, amplitude float64
	peak            float64 // day of the year
	vv, vh          float64
	prior           uint8
}

var (
	conifers    = season{0.76, 0.05, 200, -8.6, -14.2, 10}
	broadleaves = season{0.6, 0.25, 196, -8.9, -14.8, 10}
	seasons     = [256]season{
		unclassified: {0.15, 0.03, 180, -6, -14, 50}, ShrubClass: {0.58, 0.2, 190, -10, -16, 20}, Grass: {0.6, 0.18, 165, -12, -18.5, 30},
		Hedge: {0.6, 0.2, 190, -10, -16, 20},
		Water: {-0.2, 0.03, 180, -21, -29, 80}, RoofClass: {0.08, 0.02, 180, -4, -12, 50}, Greenhouse: {0.15, 0.05, 180, -6, -15, 50},
		Mast: {0.3, 0.1, 180, -3, -13, 50},
		Road: {0.08, 0.02, 180, -15, -23, 50}, Path: {0.25, 0.08, 170, -13.5, -21, 60}, Parking: {0.08, 0.02, 180, -14.5, -22.5, 50},
		Bridge: {0.08, 0.02, 180, -12, -20, 50},
		Crop:   {0.45, 0.34, 200, -11, -17, 40}, Orchard: {0.58, 0.2, 180, -10.8, -16.8, 40}, Vineyard: {0.42, 0.22, 205, -11.2, -18, 40},
		Garden:   {0.52, 0.16, 175, -10, -16.5, 30},
		BareSoil: {0.3, 0.22, 130, -12.8, -20.5, 40}, Rock: {0.1, 0.02, 190, -10.5, -18, 60}, Excavation: {0.12, 0.03, 180, -12, -20, 60},
		FillClass: {0.15, 0.05, 190, -12, -20, 60},
		TreeLoss:  {0.42, 0.15, 190, -11, -17.5, 30}, BuildingSite: {0.12, 0.03, 180, -7, -15, 60},
	}
)

// cell10 gathers what lies in a cell.
type cell10 struct {
	n, mean, c, s, vv, vh float64
	prior                 [9]float64 // by tens
}

func (k *cell10) add(x *season, vv, vh float64) {
	k.n++
	k.mean += x.mean
	k.c += float64(x.amplitude * cosine(x.peak/365))
	k.s += float64(x.amplitude * cosine(x.peak/365-0.25))
	k.vv += vv
	k.vh += vh
	k.prior[x.prior/10]++
}

// linear is the power of decibels, decibels its inverse.
func linear(db float64) float64 { return exponential(float64(db * (math.Ln10 / 10))) }

func decibels(v float64) float64 { return float64(logarithm(v) * (10 / math.Ln10)) }

// Satellite are the layers of 10 m of a tile in the year of a date.
func (s *Scene) Satellite(col, row, date int) *Satellite {
	const n = Side / satelliteStep
	t := s.Tile(col, row, date)
	leaf := map[uint64]bool{}
	trees, _ := s.Owned(col, row)
	for i := range trees {
		leaf[trees[i].ID] = !trees[i].Species.Conifer()
	}
	power := map[*season][2]float64{}
	cells := make([]cell10, n*n)
	for r := range Side {
		for c := range Side {
			x := &seasons[t.Classes[r*Side+c]]
			if t.Classes[r*Side+c] == TreeClass {
				if x = &conifers; leaf[t.Trees[r*Side+c]] {
					x = &broadleaves
				}
			}
			p, ok := power[x]
			if !ok {
				p = [2]float64{linear(x.vv), linear(x.vh)}
				power[x] = p
			}
			cells[r/satelliteStep*n+c/satelliteStep].add(x, p[0], p[1])
		}
	}
	west, north := t.DTM.West, t.DTM.North
	o := &Satellite{VV: raster.New(west, north, satelliteStep, n, n), VH: raster.New(west, north, satelliteStep, n, n),
		Prior: &Bytes{West: west, North: north, Step: satelliteStep, Cols: n, Rows: n, Bands: 1, Pix: make([]uint8, n*n), EPSG: 3035,
			NoData: 0}}
	for month := range o.NDVI {
		o.NDVI[month] = raster.New(west, north, satelliteStep, n, n)
	}
	for i := range cells {
		s.sense(o, &cells[i], i, date)
	}
	return o
}

// sense makes the values of a cell.
func (s *Scene) sense(o *Satellite, k *cell10, i, date int) {
	x, y := o.VV.West+float64(i%o.VV.Cols*satelliteStep+satelliteStep/2), o.VV.North-float64(i/o.VV.Cols*satelliteStep+satelliteStep/2)
	d := dice(key(s.seed+uint64(date), forSpeckle, int(x), int(y)))
	// What is left of speckle when the passes of a year are averaged.
	o.VV.Z[i] = float32(decibels(k.vv/k.n) + float64(0.5*d.normal()))
	o.VH.Z[i] = float32(decibels(k.vh/k.n) + float64(0.5*d.normal()))
	best := 1
	for p := range k.prior {
		if k.prior[p] > k.prior[best] {
			best = p
		}
	}
	if d.is(0.08) {
		best = []int{1, 2, 3, 4, 5, 6, 8}[d.n(7)]
	}
	o.Prior.Pix[i] = uint8(best * 10)
	for month := range o.NDVI {
		clouds := octave{s.seed + uint64(date*12+month), forCloud, 900, 1}
		noise := float64(0.02 * d.normal())
		if clouds.at(x, y)+float64(0.25*(unit(key(s.seed, forCloud, date*12+month, 1))-0.5)) > 0.05 {
			continue
		}
		turn := (float64(month) + 0.5) / 12
		v := k.mean + float64(k.c*cosine(turn)) + float64(k.s*cosine(turn-0.25))
		o.NDVI[month].Z[i] = float32(min(max(v/k.n+noise, -1), 1))
	}
}

// ForestLoss is the year of the loss of forest less 2000 in cells of 30 m that are aligned to multiples of 30 m; 0: none. Young
// stands stand where an older one was lost before the first date.
func (s *Scene) ForestLoss() *Bytes {
	b := s.Bounds().Aligned(lossStep)
	g := &Bytes{West: b.West, North: b.North, Step: lossStep, Cols: int((b.East - b.West) / lossStep),
		Rows: int((b.North - b.South) / lossStep), Bands: 1, EPSG: 3035, NoData: -1}
	g.Pix = make([]uint8, g.Cols*g.Rows)
	f := finder{l: &s.layout}
	changes := map[[2]int][]*change{}
	for i := range g.Pix {
		votes := map[uint8]int{}
		for p := range 9 {
			x := b.West + float64(i%g.Cols*lossStep+5+p%3*10)
			y := b.North - float64(i/g.Cols*lossStep+5+p/3*10)
			u, v := s.layout.uv(x, y)
			leaf := f.at(u, v)
			if leaf.use != woods {
				continue
			}
			at := [2]int{leaf.block.i, leaf.block.j}
			if _, ok := changes[at]; !ok {
				changes[at] = s.changesOf(leaf.block)
			}
			if t := s.standOf(leaf); t.height < 6 {
				votes[uint8(8+mix(leaf.id)%10)]++
			}
			for _, c := range changes[at] {
				if c.kind == ForestClearcut && c.shape.depth(x, y, u, v) > 0 {
					votes[uint8(22+c.when)] += 9
				}
			}
		}
		for year, n := range votes {
			if n >= 5 && year > g.Pix[i] { // the latest counts, whatever the order
				g.Pix[i] = year
			}
		}
	}
	return g
}
