package landprice

import "math"

// Sums are the parcels of one class in an area, without any price: prices of a year are products with them.
type Sums struct {
	Parcels     int
	AreaSqm     float64
	WeightedSqm float64 // each parcel's area times its factors, without the calibration
	LogFactors  float64 // sum of the logarithms of the factors
}

// Tally is what the prices of an area need to know of its parcels: small, of no year, and summed over areas.
type Tally struct {
	Classes      [classEnd]Sums
	FootprintSqm float64
	LivingSqm    float64 // footprints times storeys
}

// Of is the sums of a class.
func (t *Tally) Of(c Class) *Sums { return &t.Classes[c] }

// Add counts a parcel.
func (t *Tally) Add(in *Input) {
	class, _ := Classify(in.Built(), in.Use)
	factor := 1.0
	if class.Bauland() {
		factor = SizeFactor(in.AreaSqm) * ShapeFactor(in.Compactness) * in.Typology.Factor()
	}
	s := &t.Classes[class]
	s.Parcels++
	s.AreaSqm += in.AreaSqm
	s.WeightedSqm += in.AreaSqm * factor
	s.LogFactors += math.Log(factor)
	t.FootprintSqm += in.FootprintM2
	t.LivingSqm += in.FootprintM2 * in.Typology.Storeys()
}

// Merge adds another tally.
func (t *Tally) Merge(o *Tally) {
	for c := range t.Classes {
		s, p := &t.Classes[c], &o.Classes[c]
		s.Parcels += p.Parcels
		s.AreaSqm += p.AreaSqm
		s.WeightedSqm += p.WeightedSqm
		s.LogFactors += p.LogFactors
	}
	t.FootprintSqm += o.FootprintSqm
	t.LivingSqm += o.LivingSqm
}

// ClassValue is what the parcels of one class are worth together.
type ClassValue struct {
	Parcels int
	AreaSqm float64
	// Priced are the parcels of which a price is known; the prices are of these.
	Priced    int
	PricedSqm float64
	Value     float64 // EUR
	RentedSqm float64
	RentTotal float64 // EUR per year
	logPrices float64
}

// Mean is the value by the area, EUR/m²; NaN where no price is known.
func (v *ClassValue) Mean() float64 {
	if v.Priced == 0 || v.PricedSqm == 0 {
		return math.NaN()
	}
	return v.Value / v.PricedSqm
}

// Geomean is the geometric mean of the parcels' prices, EUR/m²; NaN where no price is known.
func (v *ClassValue) Geomean() float64 {
	if v.Priced == 0 {
		return math.NaN()
	}
	return math.Exp(v.logPrices / float64(v.Priced))
}

// AreaValue is what the land and the buildings of areas are worth in a year.
type AreaValue struct {
	Classes       [classEnd]ClassValue
	FootprintSqm  float64
	BuildingValue float64 // EUR; of BuiltSqm
	BuiltSqm      float64 // footprints of which a house price is known
}

// Of is the value of a class.
func (a *AreaValue) Of(c Class) *ClassValue { return &a.Classes[c] }

// Bauland is that of built and zoned land together.
func (a *AreaValue) Bauland() ClassValue {
	v, z := a.Classes[Built], a.Classes[Zoned]
	v.Parcels += z.Parcels
	v.AreaSqm += z.AreaSqm
	v.Priced += z.Priced
	v.PricedSqm += z.PricedSqm
	v.Value += z.Value
	v.logPrices += z.logPrices
	return v
}

// AddValue adds the value of a tally, all of whose parcels lie in one place, in a year.
func (b *Book) AddValue(a *AreaValue, t *Tally, p Place, year int) {
	in := Input{Place: p, Year: year}
	for _, c := range AllClasses() {
		s := &t.Classes[c]
		if s.Parcels == 0 {
			continue
		}
		e := Estimate{BuyPerSqm: math.NaN(), RentPerHa: math.NaN()}
		switch c {
		case Built, Zoned:
			if e.Baseline = b.Building(p, year); e.Baseline.Known() {
				e.BuyPerSqm = e.Baseline.EUR * Calibration
			}
		case Acker:
			b.farmland(&in, &e, Arable, ArableRent)
		case Gruen:
			b.farmland(&in, &e, Grassland, GrasslandRent)
		case Wald:
			b.forest(&in, &e)
		}
		a.Classes[c].add(s, &e)
	}
	a.FootprintSqm += t.FootprintSqm
	if h := b.house(p, PeriodUnknown, year); h.Known() {
		a.BuildingValue += t.LivingSqm * h.EUR
		a.BuiltSqm += t.FootprintSqm
	}
}

// add adds parcels at the price of the estimate, which their factors multiply.
func (v *ClassValue) add(s *Sums, e *Estimate) {
	v.Parcels += s.Parcels
	v.AreaSqm += s.AreaSqm
	if e.Baseline.Known() {
		v.Priced += s.Parcels
		v.PricedSqm += s.AreaSqm
		v.Value += e.BuyPerSqm * s.WeightedSqm
		v.logPrices += float64(s.Parcels)*math.Log(e.BuyPerSqm) + s.LogFactors
	}
	if !math.IsNaN(e.RentPerHa) {
		v.RentedSqm += s.AreaSqm
		v.RentTotal += e.RentPerHa * s.AreaSqm / 10_000
	}
}
