package scene

import "math"

// Class is what is seen of a cell from above, by the codes of the landscape service.
type Class uint8

// The classes that occur.
const (
	unclassified Class = 0
	TreeClass    Class = 1
	ShrubClass   Class = 2
	Grass        Class = 3
	Hedge        Class = 4
	Water        Class = 5
	RoofClass    Class = 10
	Greenhouse   Class = 11
	Mast         Class = 17
	Road         Class = 20
	Path         Class = 21
	Parking      Class = 22
	Bridge       Class = 23
	Crop         Class = 30
	Orchard      Class = 31
	Vineyard     Class = 32
	Garden       Class = 33
	BareSoil     Class = 40
	Rock         Class = 41
	Excavation   Class = 50
	FillClass    Class = 51
	TreeLoss     Class = 52
	BuildingSite Class = 53
)

// crops are what stands on fields in the middle of September: height in metres, and what is seen.
var crops = [...]struct {
	height float64
	class  Class
}{{0.05, BareSoil}, {0.05, BareSoil}, {0.22, Crop}, {0.5, Crop}, {1.7, Crop}, {2.5, Crop}, {2.5, Crop}}

// crop is what stands on a field on a date.
func (s *Scene) crop(p *leaf, date int) int {
	if s.opt.Events <= 0 {
		date = 0
	}
	return int(key(s.seed, forCrop, int(p.id), date) >> 33 % uint64(len(crops)))
}

// cover is what lies on the ground of a place: its class, and the height of low growth in metres.
func (s *Scene) cover(p *leaf, u, v float64, date int) (c Class, height float64) {
	b := p.block
	w, _, _ := b.onWay(u, v, 0)
	off := math.Abs(s.layout.stream(u, v, streamWidth))
	if off < streamWidth/2+2 {
		switch {
		case w >= track:
			return Bridge, 0
		case off < streamWidth/2:
			return Water, 0
		}
		return Grass, 0.1
	}
	switch w {
	case road:
		return Road, 0
	case track, path:
		return Path, 0
	}
	switch p.use {
	case woods:
		return Grass, 0.15
	case meadow:
		return Grass, 0.08
	case arable:
		k := crops[s.crop(p, date)]
		return k.class, k.height * smooth(0.3, 1, p.depth(u, v))
	case orchard:
		return Orchard, 0.1
	case vineyard:
		const rows = 2.4
		if t := v/rows - math.Floor(v/rows); t < 0.33 && p.depth(u, v) > 3 {
			return Vineyard, 1.8
		}
		return Vineyard, 0.05
	case garden:
		return Garden, 0.06
	case yard:
		return Parking, 0
	case pond:
		if b.round(u, v) < 1 {
			return Water, 0
		}
		return Grass, 0.1
	case quarry:
		switch rho := b.round(u, v); {
		case rho < 0.7, rho > 0.75 && rho < 0.96:
			return BareSoil, 0
		case rho < 1.03:
			return Rock, 0
		}
		return Grass, 0.1
	}
	return BareSoil, 0
}

// cover is what a change makes of the ground inside of it; kept where it leaves it as it is.
func (c *change) cover(depth float64) (now Class, bare, kept bool) {
	switch c.kind {
	case EarthworkFill, EarthworkDam:
		return FillClass, true, false
	case EarthworkCut, EarthworkTrench:
		return Excavation, true, false
	case EarthworkPond:
		if depth > c.run {
			return Water, true, false
		}
		return Excavation, true, false
	case EarthworkGrading:
		return BareSoil, true, false
	case RoadNew, RoadWidened:
		return Road, true, false
	case SurfaceChange:
		return Parking, true, false
	case Construction:
		return BuildingSite, true, false
	case ForestClearcut, TreeFelling:
		return TreeLoss, true, false
	}
	return 0, false, true
}
