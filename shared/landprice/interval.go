package landprice

import (
	"fmt"
	"math"
)

// widths are the factors up and down between which a price is expected, by the level of its baseline. That of
// the municipality is the validation of the specification (rule 4: 89 percent of the municipalities within
// 25 percent); the coarser levels are wider as the municipalities of one district, state and the country lie
// apart. bases say so in words.
var widths = [levelEnd]struct {
	width float64
	basis string
}{
	Gemeinde:        {1.25, "validation: 89 percent of the municipalities lie within 25 percent of the published value"},
	Bezirk:          {1.40, "district value in place of the municipality's: municipalities of a district lie apart by about 40 percent"},
	State:           {1.60, "state value: districts of a state lie apart by about 60 percent"},
	National:        {2.00, "national value: states lie apart by a factor of about 2"},
	LiteratureState: {2.00, "indicative figure for the state"},
}

const (
	agriWidth   = 1.35
	agriBasis   = "state value: farmland of one state lies apart by about 35 percent; no validation is published"
	forestBasis = "the indicative range of the state"
	// assumedBasis is that of a site of which nothing but its place and its size is known.
	assumedBasis = "no land use is given: from the cheapest to the dearest class"
	// yearWidth widens the interval with each year that the series is continued.
	yearWidth = 1.03
	// openWidth widens it where the typology is not known.
	openWidth = 1.15
)

// judge gives the interval and the confidence.
func (e *Estimate) judge(in *Input) {
	if math.IsNaN(e.BuyPerSqm) {
		return
	}
	years := e.Baseline.Years(in.Year)
	width := widths[e.Baseline.Source].width
	switch {
	case e.Class == Wald:
		width = math.Exp(e.forestSpreadLog)
	case !e.AppliesFactors:
		width = agriWidth
	case in.Typology == TypologyUnknown:
		width *= openWidth
	}
	width *= math.Pow(yearWidth, float64(years))
	e.Interval = Interval{e.BuyPerSqm / width, e.BuyPerSqm * width}
	e.Confidence = e.trust(in, years)
}

// trust: high needs the municipality's own series near its years and a known typology; what rests on the
// country, on literature or on more than five years of continuation is low.
func (e *Estimate) trust(in *Input, years int) Confidence {
	switch {
	case e.Baseline.Source >= National, years > 5, years > 0 && e.Baseline.GrowthOf == LevelNone:
		return Low
	case e.AppliesFactors && e.Baseline.Source == Gemeinde && years <= 2 && in.Typology != TypologyUnknown:
		return High
	}
	return Medium
}

// IntervalBasis says in words what the interval of a price at a year rests on, and that nothing validates it where the series
// is continued; "" if the price has no interval.
func (e *Estimate) IntervalBasis(year int) string {
	switch {
	case math.IsNaN(e.Interval.Low):
		return ""
	case e.Basis == Assumed:
		return assumedBasis
	case e.Class == Wald:
		return forestBasis
	case !e.AppliesFactors:
		return agriBasis
	}
	if e.Baseline.Years(year) > 0 {
		return fmt.Sprintf("not validated for %d: the %s value of %d is continued, 3 percent wider a year; its own year: %s", year,
			e.Baseline.Source, e.Baseline.From, widths[e.Baseline.Source].basis)
	}
	return widths[e.Baseline.Source].basis
}
