package landprice

import "math"

// Building is the value of what stands on a parcel (rule 5).
type Building struct {
	FootprintM2 float64
	Storeys     float64
	LivingM2    float64
	Price       Baseline // EUR per m² of living area
	Value       float64  // NaN: no house price is known
	Period      Period
	Confidence  Confidence
	Interval    Interval // of the value
}

// Widths of the interval of a building's value, as factors up and down. Without the period it is as wide as
// the periods usually lie apart.
const (
	periodWidth   = 1.30
	noPeriodWidth = 1.50
)

func (b *Book) building(in *Input) Building {
	out := Building{FootprintM2: in.FootprintM2, Storeys: in.Typology.Storeys(), Period: in.Period, Value: math.NaN(),
		Interval: Interval{math.NaN(), math.NaN()}}
	out.LivingM2 = out.FootprintM2 * out.Storeys
	out.Price = b.house(in.Place, in.Period, in.Year)
	if !out.Price.Known() {
		return out
	}
	out.Value = out.LivingM2 * out.Price.EUR
	width := noPeriodWidth
	out.Confidence = Medium
	if in.Period != PeriodUnknown && out.Price.Kind == periods[in.Period].kind {
		width, out.Confidence = periodWidth, High
	}
	out.Interval = Interval{out.Value / width, out.Value * width}
	return out
}

// house is the price of houses: of the period, else the geometric mean over the periods, else that of all
// houses; first of the district, then of the state and the country.
func (b *Book) house(p Place, period Period, year int) Baseline {
	for _, l := range districts {
		if period != PeriodUnknown {
			if v := b.at(periods[period].kind, l, p, year); v.Known() {
				return v
			}
		}
		var m mean
		for _, q := range AllPeriods() {
			m.add(b.at(periods[q].kind, l, p, year))
		}
		if m.n > 0 {
			return m.baseline(p.code(l), KindUnknown)
		}
		if v := b.at(House, l, p, year); v.Known() {
			return v
		}
	}
	return Baseline{}
}
