package landprice

import (
	"math"
	"strings"

	"mappe/shared/austria"
)

// Input is what is known of a parcel.
type Input struct {
	Place       Place
	AreaSqm     float64
	Buildings   int     // address points
	Footprints  int     // building outlines
	FootprintM2 float64 // their area; 0 none
	Compactness float64 // 0 to 1; NaN unknown
	Use         Use
	Typology    Typology
	Period      Period
	Year        int
}

// Built says whether something stands on the parcel.
func (in *Input) Built() bool { return in.Buildings > 0 || in.Footprints > 0 || in.FootprintM2 > 0 }

// PlaceOf completes a place: district and state follow from the municipality, the state from the district.
func PlaceOf(g austria.GemeindeCode, d austria.DistrictCode, s austria.StateCode) Place {
	if g != "" {
		d, s = g.District(), g.State()
	} else if d != "" {
		s = austria.StateCode(d[:1])
	}
	return Place{string(g), string(d), string(s)}
}

// Confidence is how much an estimate is worth.
type Confidence uint8

// The levels of confidence.
const (
	ConfidenceNone Confidence = iota // no price
	Low
	Medium
	High
)

func (c Confidence) String() string { return [...]string{"none", "low", "medium", "high"}[c&3] }

// Factors are those of rule 2.
type Factors struct{ Size, Shape, Typology float64 }

// Interval is where a price per m² is expected.
type Interval struct{ Low, High float64 }

// Estimate is what a parcel is worth, and from what. Numbers that the class does not have are NaN.
type Estimate struct {
	Class           Class
	Basis           Basis
	BuyPerSqm       float64
	BuyTotal        float64
	RentPerHa       float64 // EUR per hectare and year
	RentPerYear     float64
	Baseline        Baseline // of the purchase price
	RentBaseline    Baseline
	Factors         Factors // 1 each where the class has none
	Calibration     float64 // 1 where the class has none
	Interval        Interval
	Confidence      Confidence
	Building        Building // Value is NaN without one
	Combined        float64  // NaN unless land and building have a value
	AppliesFactors  bool     // the price is baseline × calibration × factors
	forestSpreadLog float64
}

// Estimate values a parcel.
func (b *Book) Estimate(in *Input) Estimate {
	nan := math.NaN()
	e := Estimate{BuyPerSqm: nan, BuyTotal: nan, RentPerHa: nan, RentPerYear: nan, Combined: nan,
		Factors: Factors{1, 1, 1}, Calibration: 1, Interval: Interval{nan, nan}, Building: Building{Value: nan}}
	e.Class, e.Basis = Classify(in.Built(), in.Use)
	switch e.Class {
	case Built, Zoned:
		b.bauland(in, &e)
	case Acker:
		b.farmland(in, &e, Arable, ArableRent)
	case Gruen:
		b.farmland(in, &e, Grassland, GrasslandRent)
	case Wald:
		b.forest(in, &e)
	}
	e.BuyTotal = e.BuyPerSqm * in.AreaSqm
	e.RentPerYear = e.RentPerHa * in.AreaSqm / 10_000
	e.judge(in)
	if in.FootprintM2 > 0 {
		e.Building = b.building(in)
		e.Combined = e.BuyTotal + e.Building.Value
	}
	return e
}

func (b *Book) bauland(in *Input, e *Estimate) {
	e.AppliesFactors = true
	e.Factors = Factors{SizeFactor(in.AreaSqm), ShapeFactor(in.Compactness), in.Typology.Factor()}
	e.Calibration = Calibration
	if e.Baseline = b.Building(in.Place, in.Year); e.Baseline.Known() {
		e.BuyPerSqm = e.Baseline.EUR * e.Calibration * e.Factors.Size * e.Factors.Shape * e.Factors.Typology
	}
}

func (b *Book) farmland(in *Input, e *Estimate, buy, rent Kind) {
	if e.Baseline = b.lookup(buy, states, in.Place, in.Year); e.Baseline.Known() {
		e.BuyPerSqm = e.Baseline.EUR
	}
	if e.RentBaseline = b.lookup(rent, states, in.Place, in.Year); e.RentBaseline.Known() {
		e.RentPerHa = e.RentBaseline.EUR
	}
}

// forest is the geometric mean of the indicative range, which is the interval too.
func (b *Book) forest(in *Input, e *Estimate) {
	low, high := b.lookup(ForestLow, literature, in.Place, in.Year), b.lookup(ForestHigh, literature, in.Place, in.Year)
	var m mean
	m.add(low)
	m.add(high)
	if m.n < 2 {
		return
	}
	e.Baseline = m.baseline(low.Code, KindUnknown)
	e.BuyPerSqm = e.Baseline.EUR
	e.forestSpreadLog = math.Abs(math.Log(high.EUR/low.EUR)) / 2
}

// maxCodes bounds a list of codes.
const maxCodes = 64

// ParseCodes reads a comma list of two-digit land-use codes, also those that no table knows, and abbreviations.
func ParseCodes(s string) (set austria.LandUseSet, err error) {
	if strings.Count(s, ",") >= maxCodes {
		return set, &austria.Error{Kind: "land-use list", Value: s, Expected: "at most 64 codes or abbreviations"}
	}
	for item := range strings.SplitSeq(s, ",") {
		item = strings.TrimSpace(item)
		switch {
		case item == "":
		case len(item) == 2 && item[0] >= '1' && item[0] <= '9' && item[1] >= '0' && item[1] <= '9':
			set.Add(austria.LandUse(item[0]-'0')*10 + austria.LandUse(item[1]-'0'))
		default:
			more, err := austria.ParseLandUseSet(item)
			if err != nil {
				return set, err
			}
			set = set.Union(more)
		}
	}
	return set, nil
}
