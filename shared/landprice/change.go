package landprice

import (
	"math"
	"strconv"
)

// Change is something that would change an estimate: an input that is missing or a better baseline. Low and
// High are the factors by which the price per m² would be multiplied, NaN where that is not known.
type Change struct {
	Input     string // name of the parameter, or "baseline"
	Low, High float64
	Why       string
}

// Changes are what would change the estimate, the inputs first.
func (e *Estimate) Changes(in *Input) []Change {
	var out []Change
	nan := math.NaN()
	add := func(input string, low, high float64, why string) { out = append(out, Change{input, low, high, why}) }
	if e.AppliesFactors {
		if in.Typology == TypologyUnknown {
			add("typology", RuralAgrarian.Factor(), Urban.Factor(), "the settlement type is not known: 0.78 (rural_agrarian) to 1.30 (urban) in place of 1")
		}
		if math.IsNaN(in.Compactness) {
			add("compactness", 1, 1+maxShape, "the shape is not known: a compact parcel is worth up to 15 percent more")
		}
	}
	if e.Class != Built {
		add("building_count", nan, nan, "with a building or a footprint the parcel is bauland_built")
	}
	switch {
	case e.Class == Built:
	case e.Basis == BasisNone:
		add("landuse_codes", nan, nan, "no land use is known: the class is the one that the rule leaves over")
	case e.Basis == Symbols:
		add("landuse_areas", nan, nan, "the class is taken from symbols; areas of land use could give another")
	}
	e.baselineChange(in, add)
	if in.FootprintM2 > 0 && in.Period == PeriodUnknown {
		add("building_period", nan, nan, "the building is priced with the mean over construction periods")
	}
	return out
}

func (e *Estimate) baselineChange(in *Input, add func(input string, low, high float64, why string)) {
	nan := math.NaN()
	years := e.Baseline.Years(in.Year)
	switch {
	case e.Class == Other:
	case !e.Baseline.Known():
		add("baseline", nan, nan, "no series supports a price of this class here")
	case e.AppliesFactors && e.Baseline.Source != Gemeinde:
		w := widths[e.Baseline.Source].width
		add("baseline", 1/w, w, "a series of the municipality itself would replace the value of the "+e.Baseline.Source.String()+" level")
	}
	if e.Baseline.Known() && years > 0 {
		w := math.Pow(yearWidth, float64(years))
		add("year", 1/w, w, "the newest or oldest published value is of "+strconv.Itoa(e.Baseline.From)+"; one of "+strconv.Itoa(in.Year)+" would replace the continued series")
	}
}

// unusual are the codes that rule 1 puts into another class than their meaning in the survey office's table of
// 2012: the rule is older than the table.
var unusual = map[uint8]string{
	52: "52 is called garden in the table of 2012; the rule prices it as ackerland",
	54: "54 is called alpine pasture in the table of 2012; the rule prices it as ackerland",
	55: "55 is called dwarf mountain pine in the table of 2012; the rule prices it as ackerland",
	56: "56 is called forest in the table of 2012; the rule prices it as gruenland",
	58: "58 is called forest road in the table of 2012; the rule prices it as ackerland",
	61: "61 is called wetland in the table of 2012; the rule prices it as ackerland",
	62: "62 is called barren land in the table of 2012; the rule prices it as bauland_zoned",
}

// Notes are remarks on the class, where the rule and the table of codes differ in the meaning of a code that
// decided it.
func (e *Estimate) Notes(in *Input) []string {
	if e.Class == Built {
		return nil
	}
	var out []string
	note := func(code uint8) {
		if s, ok := unusual[code]; ok && classOf[code] == e.Class {
			out = append(out, s)
		}
	}
	if e.Basis == Areas {
		for _, a := range in.Use.Areas {
			note(uint8(a.Code))
		}
		return out
	}
	for _, c := range in.Use.Codes.Codes() {
		note(uint8(c))
	}
	return out
}
