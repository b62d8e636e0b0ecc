package change

// Bounds of the rules, metres and m² unless said otherwise.
const (
	elongated  = 5.0  // times longer than wide
	roadWide   = 10.0 // the widest strip that is a road
	planar     = 0.24 // unevenness of roofs
	piled      = 0.75 // of stacks and heaps of goods
	treeHeight = 2.9  // growth that is higher are trees
	clearcutM2 = 3000
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
	case g.floorSD < 0.1:
		return verdict{EarthworkPond, 0.7, []string{"terrain lower", "level floor"}}
	}
	return verdict{EarthworkCut, 0.8, []string{"terrain lower"}}
}

func (f *finder) removal(g *region) verdict {
	switch {
	case -g.rise < f.least():
	case g.bendA < planar && g.n >= 25 && g.a50 >= 1.8:
		return verdict{Demolition, 0.8, []string{"even surface before", "surface lower"}}
	case g.a95 >= treeHeight && g.n > clearcutM2:
		return verdict{ForestClearcut, 0.8, []string{"trees before", "none after"}}
	case g.a95 >= treeHeight && g.n >= 15:
		return verdict{TreeFelling, 0.8, []string{"trees before", "none after"}}
	case g.n >= 25:
		return verdict{VegetationLoss, 0.7, []string{"growth before", "less after"}}
	}
	return verdict{}
}

func (f *finder) addition(g *region) verdict {
	switch {
	case g.rise < f.least():
	case g.bendB < planar && g.n >= 25 && g.b50 >= 1.8:
		return verdict{NewBuilding, 0.8, []string{"even surface after", "surface higher"}}
	case g.bendB < piled && g.n >= 25 && g.n < 500 && g.b50 >= 1.7:
		return verdict{Unclassified, 0.6, []string{"surface higher"}}
	case g.b95 >= treeHeight-0.4 && g.n < 35 && g.n >= 6 && g.hardA < 0.5:
		return verdict{NewTree, 0.6, []string{"surface higher"}}
	case g.n >= 25:
		return verdict{VegetationGrowth, 0.7, []string{"growth after"}}
	}
	return verdict{}
}

func (f *finder) surface(g *region) verdict {
	long := g.elongation() >= elongated && g.wide < roadWide
	switch {
	case long && g.hardA > 0.6 && g.hardB > 0.6:
		return verdict{RoadResurfaced, 0.6, nil}
	case long && g.hardB > 0.6:
		return verdict{RoadNew, 0.6, nil}
	case g.hardB > 0.6 && g.hardA < 0.4 && g.n < 3000 && g.dSD < 0.09:
		return verdict{SurfaceChange, 0.5, nil}
	case g.hardB > 0.6:
		return verdict{EarthworkGrading, 0.5, nil}
	}
	return verdict{}
}
