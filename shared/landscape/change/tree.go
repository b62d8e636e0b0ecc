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
		return verdict{TreeGrowth, []string{"canopy on both dates", "canopy higher"}}
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
		return verdict{Construction, []string{"terrain lower", "something stands in the pit"}}
	case g.dMean > 0 && long:
		return verdict{EarthworkDam, []string{"terrain higher", "elongated"}}
	case g.dMean > 0:
		return verdict{EarthworkFill, []string{"terrain higher"}}
	case long:
		return verdict{EarthworkTrench, []string{"terrain lower", "elongated"}}
	case g.level > 0.5:
		return verdict{EarthworkPond, []string{"terrain lower", "level floor"}}
	}
	return verdict{EarthworkCut, []string{"terrain lower"}}
}

func (f *finder) removal(g *region) verdict {
	if -g.rise < f.least() {
		return verdict{}
	}
	if g.trees {
		return f.felling(g)
	}
	switch {
	case g.footprint > 0.5 && g.n >= 25 && g.a95 >= 2:
		return verdict{Demolition, []string{"surface lower", "a building of the cadastre"}}
	case vehicle(g, g.a95):
	case g.n >= 25 && g.a50 >= 1.8 && (g.bendA < planar || g.bendA < gabled && g.a95 >= 3 && g.fill() > 0.9):
		return verdict{Demolition, []string{"even surface before", "surface lower"}}
	case g.hardB > 0.5 && g.a95 < 2 && g.n < 300, g.hardB > 0.25 && g.n < passing, g.wide < 2.5, g.fill() < 0.6 && g.n < 200:
		return verdict{} // cars, bales, wires
	case g.n >= 60 || g.n >= 40 && g.a95 >= 1.5:
		return verdict{VegetationLoss, []string{"growth before", "less after"}}
	}
	return verdict{}
}

// sure is how many of the changes of a type that are found are what they are called, in landscapes with truth other than those
// of the tests, told from heights alone.
var sure = [Unclassified + 1]float64{TreeGrowth: 0.95, TreeFelling: 0.85, NewTree: 0.95, ForestClearcut: 0.97, VegetationGrowth: 0.93,
	VegetationLoss: 0.93, NewBuilding: 0.95, Demolition: 0.95, Construction: 0.95, EarthworkFill: 0.97, EarthworkCut: 0.88,
	EarthworkGrading: 0.9, EarthworkDam: 0.92, EarthworkTrench: 0.97, EarthworkPond: 0.93, RoadNew: 0.8, RoadResurfaced: 0.75,
	RoadWidened: 0.6, SurfaceChange: 0.65, Unclassified: 0.95}

// confidence is that of a verdict: less where the form of a region is not known whole, more where the cadastre agrees.
func (f *finder) confidence(g *region, v *verdict) float64 {
	c := sure[v.kind]
	if g.edge {
		c = float64(c * 0.85)
	}
	if (v.kind == NewBuilding || v.kind == Demolition) && g.footprint > 0.5 {
		c = 1 - float64((1-c)/2)
	}
	return c
}

// passed says whether what was gained are cars, lorries and bales, or crowns and wires beside those that stood there before.
func (f *finder) passed(g *region) bool {
	return vehicle(g, g.b95) || boxed(g.n, g.b50, g.b95) && (g.hardA > 0.1 || g.n < 35) || g.nearA > 0.5 && g.n < passing ||
		g.hardA > 0.5 && g.n < passing || g.hardA > 0.25 && g.n < passing && g.b95 < 4.6 && g.bendB > planar ||
		g.hardA > 0.5 && g.b95 < 2 && g.n < 300
}

// boxed says whether something is as small and flat on top as a lorry, or two.
func boxed(n int, middle, top float64) bool { return n < 100 && top < 4.6 && top-middle < 0.25 }

// vehicle says whether something has the size and form of a lorry.
func vehicle(g *region, top float64) bool { return g.n < 45 && top < 4.6 && g.elongation() > 2.2 }

// felling is what trees were lost for.
func (f *finder) felling(g *region) verdict {
	closed := f.bitmap(g, closing[ForestClearcut], false).count()
	width := float64(closed) / max(g.long, 1)
	switch {
	case g.nearB > 0.5 && g.n < 30, g.n < 12, g.n < passing && g.fill() < 0.35, boxed(g.n, g.a50, g.a95):
		return verdict{}
	case g.hardB > 0.25 && g.n < passing && g.a95 < 4.6 && g.fill() > 0.8:
		return verdict{} // a lorry
	case g.elongation() >= 4 && width < 16 && g.beside > besideTrees:
		return verdict{RoadWidened, []string{"trees along a road lost"}}
	case g.elongation() >= 4 && width < 16 && g.long > 30:
		return verdict{RoadNew, []string{"a strip of trees lost", "bare ground after"}}
	case closed > clearcutM2:
		return verdict{ForestClearcut, []string{"trees before", "none after"}}
	}
	return verdict{TreeFelling, []string{"trees before", "none after"}}
}

// roofed says whether what was gained is even, or as full and high as a building with a steep roof.
func (g *region) roofed() bool {
	return g.bendB < planar || g.bendB < gabled && g.b95 >= 3 && g.fill() > 0.93 && (g.b95-g.b25 > 0.6 || g.bendB > piled)
}

// crowned says whether what was gained is one crown.
func (g *region) crowned() bool {
	return g.b95 >= treeHeight-0.4 && g.b95 < 6.5 && g.n < 35 && g.n >= 6 && g.hardA < 0.5 && g.nearA < 0.3 && g.elongation() < 2 &&
		g.fill() > 0.8
}

func (f *finder) addition(g *region) verdict {
	switch {
	case g.rise >= f.least() && g.footprint > 0.5 && g.n >= 25 && g.b95 >= 2:
		return verdict{NewBuilding, []string{"surface higher", "a building of the cadastre"}}
	case g.rise < f.least(), f.passed(g):
	case g.n >= 25 && g.b50 >= 1.8 && g.roofed():
		return verdict{NewBuilding, []string{"even surface after", "surface higher"}}
	case g.bendB < piled && g.n >= 25 && g.n < 500 && g.b50 >= 1.7:
		return verdict{Unclassified, []string{"surface higher"}}
	case g.crowned():
		return verdict{NewTree, []string{"surface higher"}}
	case g.wide < 2.5, g.fill() < 0.6 && g.n < 200:
	case g.n >= 60 || g.n >= 40 && g.b95 >= 1.5:
		return verdict{VegetationGrowth, []string{"growth after"}}
	}
	return verdict{}
}

func (f *finder) surface(g *region) verdict {
	mean := float64(g.n) / max(g.long, 1)
	long := g.elongation() >= elongated && mean < roadWide
	switch {
	case g.n < 40:
	case g.class == slight && g.hardA > 0.3 && g.elongation() >= 3 && mean < roadWide && g.n >= 80 &&
		min(math.Abs(g.lift), math.Abs(g.d50)) >= 0.03:
		return verdict{RoadResurfaced, []string{"sealed or bare on both dates", "higher or lower than the ground beside it"}}
	case g.class == slight && g.hardA > 0.3:
	case long && g.beside > besideRoad && g.long > 30 && (g.class == bared || g.hardB > 0.5 && g.hardA < 0.3):
		return verdict{RoadWidened, []string{"bare ground along a road"}}
	case long && g.hardB > 0.6 && g.long > 20:
		return verdict{RoadNew, []string{"a strip of bare ground"}}
	case g.n < 100 || g.fill() < 0.7:
	case g.hardB > 0.6 && g.hardA < 0.4 && g.n < 3000 && g.uneven < 0.03:
		return verdict{SurfaceChange, []string{"bare or sealed after"}}
	case g.hardB > 0.6:
		return verdict{EarthworkGrading, []string{"bare after", "terrain differs"}}
	}
	return verdict{}
}
