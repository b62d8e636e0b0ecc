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
	Described   bool    // by its user, not a parcel of the cadastre: what is not given is not known
	Ground      *Ground // of the cell around the point, where the site's own land use is not given; nil: not known
}

// Ground are the shares of the nine classes of land use around a point, in the order of austria.AllLandUseClasses and in
// any one unit.
type Ground [9]uint8

// class is the price class with the largest share, equal shares in the order of the rule; ClassNone where no class has a share.
func (g *Ground) class() Class {
	var sums [classEnd]int
	for i, c := range austria.AllLandUseClasses() {
		sums[byTable[c]] += int(g[i])
	}
	best := ClassNone
	for c := Zoned; c < classEnd; c++ {
		if sums[c] > sums[best] {
			best = c
		}
	}
	return best
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
	Building        Building      // Value is NaN without one
	Combined        float64       // NaN unless land and building have a value
	AppliesFactors  bool          // the price is baseline × calibration × factors
	Alternatives    []Alternative // the price of every class, where the class rests on no statement about the site itself
	forestSpreadLog float64
}

// Alternative is what a site would be worth in another class. Numbers that the class does not have are NaN.
type Alternative struct {
	Class               Class
	BuyPerSqm, BuyTotal float64
	RentPerYear         float64
}

// Estimate values a parcel.
func (b *Book) Estimate(in *Input) Estimate {
	class, basis := Classify(in.Built(), in.Use)
	if in.Described && basis == BasisNone && class != Built {
		basis = Assumed
		if in.Ground != nil && in.Ground.class() != ClassNone {
			class, basis = in.Ground.class(), Cell
		}
	}
	e := b.inClass(in, class)
	e.Basis = basis
	e.judge(in)
	if basis == Cell || basis == Assumed {
		e.weigh(b.alternatives(in))
	}
	if in.FootprintM2 > 0 {
		e.Building = b.building(in)
		e.Combined = e.BuyTotal + e.Building.Value
	}
	return e
}

// alternatives are the prices of all classes that have one.
func (b *Book) alternatives(in *Input) []Alternative {
	var out []Alternative
	for _, c := range AllClasses() {
		if e := b.inClass(in, c); c != Other {
			out = append(out, Alternative{c, e.BuyPerSqm, e.BuyTotal, e.RentPerYear})
		}
	}
	return out
}

// weigh lets an estimate say how little its class is known. An assumed class tells nothing: the price lies between the
// cheapest and the dearest class. The shares of a cell are those of the ground around the site.
func (e *Estimate) weigh(all []Alternative) {
	e.Alternatives = all
	e.Confidence = min(e.Confidence, Low)
	if e.Basis != Assumed {
		return
	}
	e.Interval = Interval{math.NaN(), math.NaN()}
	for _, a := range all {
		if math.IsNaN(a.BuyPerSqm) {
			continue
		}
		if math.IsNaN(e.Interval.Low) {
			e.Interval = Interval{a.BuyPerSqm, a.BuyPerSqm}
		}
		e.Interval = Interval{min(e.Interval.Low, a.BuyPerSqm), max(e.Interval.High, a.BuyPerSqm)}
	}
}

// inClass prices the land of a parcel in a class.
func (b *Book) inClass(in *Input, c Class) Estimate {
	nan := math.NaN()
	e := Estimate{Class: c, BuyPerSqm: nan, BuyTotal: nan, RentPerHa: nan, RentPerYear: nan, Combined: nan,
		Factors: Factors{1, 1, 1}, Calibration: 1, Interval: Interval{nan, nan}, Building: Building{Value: nan}}
	switch c {
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

func (b *Book) farmland(in *Input, e *Estimate, buy, rent SeriesKind) {
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

// ParseCodes reads a comma list of land-use codes, current or deleted ones, and abbreviations.
func ParseCodes(s string) (set austria.LandUseSet, err error) {
	if strings.Count(s, ",") >= maxCodes {
		return set, &austria.Error{Kind: "land-use list", Value: s, Expected: "at most 64 codes or abbreviations"}
	}
	for item := range strings.SplitSeq(s, ",") {
		item = strings.TrimSpace(item)
		switch {
		case item == "":
		case item == "43": // of rule 1 only: no table knows it
			set.Add(43)
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
