package change

import "math"

// Bounds of the rules, metres and m² unless said otherwise.
const (
	elongated  = 5.0  // times longer than wide
	roadWide   = 10.0 // the widest strip that is a road
	planar     = 0.24 // unevenness of roofs
	gabled     = 1.6  // of steep roofs, of which a cell shows the highest place
	piled      = 0.75 // of stacks and heaps of goods
	treeHeight = 2.9  // growth that is higher are trees
	clearcutM2 = 2400 // 0.3 ha of a stand, of whose rim no crown is lost
	passing    = 60   // m²: cars and lorries are smaller
)

// judge is the rule tree.
func (f *finder) judge(g *region) verdict {
	switch g.class {
	case strong:
		return f.earthwork(g)
	case lost:
		return f.removal(g)
	case gained:
		return f.addition(g)
	case grown:
		return verdict{TreeGrowth, 0.8, []string{"canopy on both dates", "canopy higher"}}
	}
	return f.surface(g)
}

func (f *finder) least() float64 { return float64(f.limits.change) / 1000 }

func (f *finder) earthwork(g *region) verdict {
	long := g.elongation() >= elongated
	switch {
	case g.dAbs95 < f.least():
		return f.surface(g)
	case g.d50 < 0 && g.standsB > 0.12 && g.standsA < 0.1:
		return verdict{Construction, 0.8, []string{"terrain lower", "something stands in the pit"}}
	case g.dMean > 0 && long:
		return verdict{EarthworkDam, 0.8, []string{"terrain higher", "elongated"}}
	case g.dMean > 0:
		return verdict{EarthworkFill, 0.8, []string{"terrain higher"}}
	case long:
		return verdict{EarthworkTrench, 0.8, []string{"terrain lower", "elongated"}}
	case g.level > 0.5:
		return verdict{EarthworkPond, 0.7, []string{"terrain lower", "level floor"}}
	}
	return verdict{EarthworkCut, 0.8, []string{"terrain lower"}}
}

func (f *finder) removal(g *region) verdict {
	if -g.rise < f.least() {
		return verdict{}
	}
	if g.trees {
		return f.felling(g)
	}
	switch {
	case vehicle(g, g.a95):
	case g.n >= 25 && g.a50 >= 1.8 && (g.bendA < planar || g.bendA < gabled && g.a95 >= 3 && g.fill() > 0.9):
		return verdict{Demolition, 0.8, []string{"even surface before", "surface lower"}}
	case g.hardB > 0.5 && g.a95 < 2 && g.n < 300, g.hardB > 0.25 && g.n < passing, g.wide < 2.5, g.fill() < 0.6 && g.n < 200:
		return verdict{} // cars, bales, wires
	case g.n >= 60 || g.n >= 40 && g.a95 >= 1.5:
		return verdict{VegetationLoss, 0.7, []string{"growth before", "less after"}}
	}
	return verdict{}
}

// boxed says whether something is as small and flat on top as a lorry, or two.
func boxed(n int, middle, top float64) bool { return n < 100 && top < 4.6 && top-middle < 0.25 }

// vehicle says whether something has the size and form of a lorry.
func vehicle(g *region, top float64) bool { return g.n < 45 && top < 4.6 && g.elongation() > 2.2 }

// felling is what trees were lost for.
func (f *finder) felling(g *region) verdict {
	closed := f.bitmap(g, closing[ForestClearcut]).count()
	width := float64(closed) / max(g.long, 1)
	switch {
	case g.nearB > 0.5 && g.n < 30, g.n < 12, g.n < passing && g.fill() < 0.35, boxed(g.n, g.a50, g.a95):
		return verdict{}
	case g.hardB > 0.25 && g.n < passing && g.a95 < 4.6 && g.fill() > 0.8:
		return verdict{} // a lorry
	case g.elongation() >= 4 && width < 16 && g.beside > besideTrees:
		return verdict{RoadWidened, 0.6, []string{"trees along a road lost"}}
	case g.elongation() >= 4 && width < 16 && g.long > 30:
		return verdict{RoadNew, 0.6, []string{"a strip of trees lost", "bare ground after"}}
	case closed > clearcutM2:
		return verdict{ForestClearcut, 0.8, []string{"trees before", "none after"}}
	}
	return verdict{TreeFelling, 0.8, []string{"trees before", "none after"}}
}

// roofed says whether what was gained is even, or as full and high as a building with a steep roof.
func (g *region) roofed() bool {
	return g.bendB < planar || g.bendB < gabled && g.b95 >= 3 && g.fill() > 0.93 && (g.b95-g.b25 > 0.6 || g.bendB > piled)
}

func (f *finder) addition(g *region) verdict {
	switch {
	case g.rise < f.least(), vehicle(g, g.b95), g.hardA > 0.5 && g.n < passing, boxed(g.n, g.b50, g.b95) && (g.hardA > 0.1 || g.n < 35), g.hardA > 0.25 && g.n < passing && g.b95 < 4.6 && g.bendB > planar, g.hardA > 0.5 && g.b95 < 2 && g.n < 300, g.nearA > 0.5 && g.n < 60:
	case g.n >= 25 && g.b50 >= 1.8 && g.roofed():
		return verdict{NewBuilding, 0.8, []string{"even surface after", "surface higher"}}
	case g.bendB < piled && g.n >= 25 && g.n < 500 && g.b50 >= 1.7:
		return verdict{Unclassified, 0.6, []string{"surface higher"}}
	case g.b95 >= treeHeight-0.4 && g.b95 < 6.5 && g.n < 35 && g.n >= 6 && g.hardA < 0.5 && g.nearA < 0.3 && g.elongation() < 2 && g.fill() > 0.8:
		return verdict{NewTree, 0.6, []string{"surface higher"}}
	case g.wide < 2.5, g.fill() < 0.6 && g.n < 200:
	case g.n >= 60 || g.n >= 40 && g.b95 >= 1.5:
		return verdict{VegetationGrowth, 0.7, []string{"growth after"}}
	}
	return verdict{}
}

func (f *finder) surface(g *region) verdict {
	mean := float64(g.n) / max(g.long, 1)
	long := g.elongation() >= elongated && mean < roadWide
	switch {
	case g.n < 40:
	case g.class == slight && g.hardA > 0.3 && g.elongation() >= 3 && mean < roadWide && g.n >= 80 && min(math.Abs(g.lift), math.Abs(g.d50)) >= 0.03:
		return verdict{RoadResurfaced, 0.6, []string{"sealed or bare on both dates", "higher or lower than the ground beside it"}}
	case g.class == slight && g.hardA > 0.3:
	case long && g.beside > besideRoad && g.long > 30 && (g.class == bared || g.hardB > 0.5 && g.hardA < 0.3):
		return verdict{RoadWidened, 0.5, []string{"bare ground along a road"}}
	case long && g.hardB > 0.6 && g.long > 20:
		return verdict{RoadNew, 0.6, []string{"a strip of bare ground"}}
	case g.n < 100 || g.fill() < 0.7:
	case g.hardB > 0.6 && g.hardA < 0.4 && g.n < 3000 && g.uneven < 0.035:
		return verdict{SurfaceChange, 0.5, []string{"bare or sealed after"}}
	case g.hardB > 0.6:
		return verdict{EarthworkGrading, 0.5, []string{"bare after", "terrain differs"}}
	}
	return verdict{}
}
