package landprice

import "math"

// Model names the rules and constants by which parcels are tallied. Tallies that were stored under another name
// are made anew; it changes with classes, factors and storeys.
const Model = "landprice-1"

// Calibration is the global constant of rule 2: the published municipal values are means over plots that are
// larger and less regular than the reference.
const Calibration = 1.10

// The size factor: a power of the area around the reference lot of rule 2. The exponent means that a plot of
// twice the size costs 10 % less a square metre; the bounds keep very small and very large parcels, for which
// plots that were sold say nothing, near the baseline.
const (
	referenceLot = 600.0 // m²
	sizeExponent = 0.15
	minSize      = 0.70
	maxSize      = 1.20
)

// SizeFactor rewards smaller plots: 1 at 600 m², falling with the area.
func SizeFactor(sqm float64) float64 {
	if !(sqm > 0) {
		return 1
	}
	return min(max(math.Pow(sqm/referenceLot, -sizeExponent), minSize), maxSize)
}

// maxShape is what compactness adds at most (rule 2).
const maxShape = 0.15

// ShapeFactor adds up to 15 percent for compactness, 0 to 1; an unknown one (NaN) adds nothing.
func ShapeFactor(compactness float64) float64 {
	if math.IsNaN(compactness) {
		return 1
	}
	return 1 + maxShape*min(max(compactness, 0), 1)
}

// Typology is the settlement type around a parcel.
type Typology uint8

// The typologies in rising rurality.
const (
	TypologyUnknown Typology = iota
	Urban
	Suburban
	RuralSettled
	RuralAgrarian
	typologyEnd
)

// typologies have the factors of rules 2 and 5. The unknown typology is neutral for land; its stories are the
// geometric mean of the four.
var typologies = [typologyEnd]struct {
	name          string
	price, storey float64
}{
	{"", 1, 1.62}, {"urban", 1.30, 2.4}, {"suburban", 1.08, 1.7}, {"rural_settled", 0.92, 1.4}, {"rural_agrarian", 0.78, 1.2},
}

// AllTypologies lists the typologies.
func AllTypologies() []Typology { return []Typology{Urban, Suburban, RuralSettled, RuralAgrarian} }

func (t Typology) String() string {
	if t < typologyEnd {
		return typologies[t].name
	}
	return ""
}

// Factor is f_typology.
func (t Typology) Factor() float64 { return typologies[min(t, typologyEnd-1)].price }

// Storeys is the living area by footprint area.
func (t Typology) Storeys() float64 { return typologies[min(t, typologyEnd-1)].storey }

// ParseTypology reads a typology; false for another text.
func ParseTypology(s string) (Typology, bool) {
	for _, t := range AllTypologies() {
		if t.String() == s {
			return t, true
		}
	}
	return TypologyUnknown, false
}

// Period is the construction period of a building.
type Period uint8

// The periods of the published house prices.
const (
	PeriodUnknown Period = iota
	Pre1960
	From1960To1990
	Post1991
	periodEnd
)

var periods = [periodEnd]struct {
	name string
	kind SeriesKind
}{{"", House}, {"pre1960", HousePre1960}, {"y1960_1990", House1960To1990}, {"post1991", HousePost1991}}

// AllPeriods lists the periods.
func AllPeriods() []Period { return []Period{Pre1960, From1960To1990, Post1991} }

func (p Period) String() string {
	if p < periodEnd {
		return periods[p].name
	}
	return ""
}

// ParsePeriod reads a period; false for another text.
func ParsePeriod(s string) (Period, bool) {
	for _, p := range AllPeriods() {
		if p.String() == s {
			return p, true
		}
	}
	return PeriodUnknown, false
}
