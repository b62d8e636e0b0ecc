package canopy

import "math"

// Leaf is the type of leaves.
type Leaf string

// The types.
const (
	Coniferous  Leaf = "coniferous"
	Broadleaf   Leaf = "broadleaf"
	DeadLeaf    Leaf = "dead"
	UnknownLeaf Leaf = "unknown"
)

// Species is a hint, no more: its confidence is at most 0.6.
type Species string

// The hints.
const (
	Spruce         Species = "spruce"
	Larch          Species = "larch"
	Pine           Species = "pine"
	SomeConifer    Species = "conifer_unspecified"
	SomeBroadleaf  Species = "broadleaf_unspecified"
	UnknownSpecies Species = "unknown"
	maxSpeciesConf         = 0.6
)

// Vitality is how alive a tree looks.
type Vitality string

// The states; unknown without an orthophoto.
const (
	Vital           Vitality = "vital"    // NDVI from 0.30
	Stressed        Vitality = "stressed" // from 0.15 to 0.30
	Dead            Vitality = "dead"     // below 0.15
	UnknownVitality Vitality = "unknown"
	vitalNDVI                = 0.30
	deadNDVI                 = 0.15
)

// kind says what kind of tree a crown is of, and estimates its stem.
func (m *model) kind(t *Tree) {
	t.Vitality, t.VitalityConf = vitality(t.Colours)
	t.Conifer = conifer(t)
	switch {
	case t.Vitality == Dead:
		t.Leaf, t.LeafConf = DeadLeaf, t.VitalityConf
	case t.Conifer >= 0.5:
		t.Leaf, t.LeafConf = Coniferous, t.Conifer
	default:
		t.Leaf, t.LeafConf = Broadleaf, 1-t.Conifer
	}
	t.Species, t.SpeciesConf = species(t)
	t.DBH = Diameter(t.Height, 2*t.RadiusMean, t.Conifer)
	t.Volume = Volume(t.DBH, t.Height, t.Species)
	t.DetectionConf = t.Likelihood
	if t.Source == FromBoth {
		t.DetectionConf = (1 + t.Likelihood) / 2
	}
}

func vitality(c *Colours) (Vitality, float64) {
	if c == nil {
		return UnknownVitality, 0
	}
	// The confidence grows with the distance from the nearest limit.
	sure := func(d float64) float64 { return min(0.5+d/0.2, 0.95) }
	switch {
	case c.NDVI < deadNDVI:
		return Dead, sure(deadNDVI - c.NDVI)
	case c.NDVI < vitalNDVI:
		return Stressed, sure(min(c.NDVI-deadNDVI, vitalNDVI-c.NDVI))
	}
	return Vital, sure(c.NDVI - vitalNDVI)
}

// conifer is the probability that a tree is a conifer: logistic in the exponent of its crown's profile, in the width of
// the crown for the height and, where there is an orthophoto, in its colours.
func conifer(t *Tree) float64 {
	if t.Colours != nil {
		return logistic(dot(leafColours[:], LeafInputs(t)))
	}
	return logistic(dot(leafModel[:], LeafInputs(t)))
}

// LeafInputs are what the model of leaf types weighs: 1, the exponent of the profile, the radius of the crown over that of an
// average tree of its height, the drop at one metre from the apex over the height, and, where there is an orthophoto, its
// near infrared, vegetation index and green.
func LeafInputs(t *Tree) []float64 {
	p := t.exponent
	if math.IsNaN(p) {
		p = 1.5
	}
	in := []float64{1, clamp(p, 0.3, 4), clamp(t.RadiusMean/(0.75+float64(0.08*t.Height)), 0, 3), clamp(t.drop, 0, 4), clamp(t.drop2, 0, 8),
		clamp(t.Height/20, 0, 2)}
	if c := t.Colours; c != nil {
		in = append(in, c.NIR/100, c.NDVI, c.Green/100)
	}
	return in
}

// HeightInputs are what the correction of heights weighs: the drop at one metre from the apex. A laser seldom hits the apex
// itself, and the highest return of its cell lies the lower, the steeper the crown falls.
func HeightInputs(t *Tree) []float64 { return []float64{clamp(t.drop, 0, 4)} }

// missedApex is the share of the drop at one metre by which the highest return lies below the apex.
const missedApex = 0.25

func dot(weights, in []float64) float64 {
	sum := 0.0
	for i, v := range in {
		sum += float64(weights[i] * v)
	}
	return sum
}

func clamp(v, low, high float64) float64 { return min(max(v, low), high) }

func logistic(x float64) float64 { return 1 / (1 + exp(-clamp(x, -30, 30))) }

// species is a hint by leaf type and colours; without an orthophoto it goes no further than the leaf type.
func species(t *Tree) (Species, float64) {
	switch {
	case t.Leaf == Broadleaf && t.LeafConf >= 0.6:
		return SomeBroadleaf, min(t.LeafConf, maxSpeciesConf)
	case t.Leaf == Coniferous && t.LeafConf >= 0.6:
		return SomeConifer, min(t.LeafConf, maxSpeciesConf)
	}
	return UnknownSpecies, 0
}

// Diameter is that of the stem at breast height in cm, from height and crown diameter in metres: D = a (H CD)^b exp(s²/2)
// of Jucker et al. 2017, for gymnosperms of the Palearctic temperate conifer forest (a 0.974, b 0.748) and angiosperms of the
// Palearctic temperate mixed forest (0.694, 0.730), weighted by the probability of a conifer. s² = 0.056 of the whole data.
func Diameter(height, crown, conifer float64) float64 {
	size := ln(max(height*crown, 0.1))
	g := 0.974 * exp(float64(0.748*size)+0.056/2)
	a := 0.694 * exp(float64(0.730*size)+0.056/2)
	return float64(conifer*g) + float64((1-conifer)*a)
}

// stem are the coefficients of Pollanschütz 1974 for the form factor.
type stem [7]float64

// The coefficients; diameters and heights in dm, volume in dm³.
var (
	spruceStem      = stem{0.46818, -0.013919, -28.213, 0.37474, -0.28875, 28.279, 0}
	thinSpruceStem  = stem{0.563443, -0.12731, -8.55022, 0, 0, 7.6331, 0}
	larchStem       = stem{0.609443, -0.0455748, -18.6631, -0.248736, 0.126594, 36.9783, -14.204}
	thinLarchStem   = stem{0.48727, 0, -2.04291, 0, 0, 5.9995, 0}
	pineStem        = stem{0.435949, -0.0149083, 5.21091, 0, 0.028702, 0, 0}
	beechStem       = stem{0.686253, -0.0371508, -31.0674, -0.386321, 0.219462, 49.6163, -22.3719}
	thinBeechStem   = stem{0.5173, 0, -13.62144, 0, 0, 9.9888, 0}
	thinBelow       = 1.05 // dm
	leastStem       = 5.0  // cm: thinner stems have no volume
	greatestFormFor = 0.8
)

// Volume is that of the stem in m³ from its diameter at breast height in cm and its height in metres, by the form factor of
// Pollanschütz 1974, V = f pi/4 d² h: beech for broadleaves, spruce for conifers that are not told apart; 0 below 5 cm.
func Volume(dbh, height float64, s Species) float64 {
	if dbh < leastStem || height < 1.5 {
		return 0
	}
	d, h := dbh/10, height*10
	thin := d <= thinBelow
	b := spruceStem
	switch {
	case s == Larch && thin:
		b = thinLarchStem
	case s == Larch:
		b = larchStem
	case s == Pine:
		b = pineStem
	case s == SomeBroadleaf && thin:
		b = thinBeechStem
	case s == SomeBroadleaf:
		b = beechStem
	case thin:
		b = thinSpruceStem
	}
	log := ln(d)
	f := b[0] + float64(b[1]*log*log) + b[2]/h + b[3]/d + b[4]/float64(d*d) + b[5]/float64(d*h) + b[6]/float64(d*d*h)
	return clamp(f, 0.2, greatestFormFor) * math.Pi / 4 * d * d * h / 1000
}

// likelihood is the probability that a crown is a tree, logistic in its surface and, where there is an orthophoto, in its
// vegetation index. The weights were fitted to made-up scenes that no test uses.
func likelihood(t *Tree) float64 {
	x := dot(likelyModel[:], LikelihoodInputs(t))
	if c := t.Colours; c != nil {
		x += float64(likelyNDVI[0]*c.NDVI) + likelyNDVI[1]
	}
	return logistic(x)
}

// LikelihoodInputs are what the likelihood weighs: 1, roughness, distance from the plane, size of the crown, height, and
// compactness.
func LikelihoodInputs(t *Tree) []float64 {
	s := &t.Surface
	return []float64{1, clamp(s.Roughness, 0, 3), clamp(s.Planarity, 0, 3), ln(max(t.CrownArea, 1)), clamp(t.Height/20, 0, 2),
		t.Compactness,
		clamp(t.Elongation, 0, 1), clamp(s.Relief/max(t.Height, 1), 0, 1)}
}

// The weights of the logistic models.
var (
	leafModel   = [6]float64{10.880, -0.667, -8.736, 3.380, 0.075, -7.026}
	leafColours = [9]float64{5.782, -0.737, -6.468, 2.905, -0.040, -6.125, -18.494, 30.848, 19.929}
	likelyModel = [8]float64{0.547, 0.388, 0.455, -0.766, -0.644, 0.031, -1.094, 6.016}
	likelyNDVI  = [2]float64{4, -1}
)

// exp and ln are by series, the same on every processor.
func exp(x float64) float64 {
	n := math.Round(x / math.Ln2)
	r := x - float64(n*math.Ln2)
	sum, term := 1.0, 1.0
	for i := 1; i < 20; i++ {
		term = float64(term*r) / float64(i)
		sum += term
	}
	return math.Ldexp(sum, int(n))
}

func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	q := (m - 1) / (m + 1) // ln m = 2 atanh q
	square, term, sum := float64(q*q), q, 0.0
	for i := 1; i < 40; i += 2 {
		sum += term / float64(i)
		term = float64(term * square)
	}
	return 2*sum + float64(float64(e)*math.Ln2)
}
