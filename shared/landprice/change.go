package landprice

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mappe/shared/austria"
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
			add("typology", RuralAgrarian.Factor(), Urban.Factor(),
				"the settlement type is not known: 0.78 (rural_agrarian) to 1.30 (urban) in place of 1")
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
	case e.Basis == BasisNone, e.Basis == Assumed:
		add("landuse_codes", nan, nan, "no land use is known: the class is the one that the rule has left over")
	case e.Basis == Cell:
		add("landuse_codes", nan, nan, "the class is that of the cell around the point; the site's own land use could give another")
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
		add("year", 1/w, w, "the newest or oldest published value is of "+strconv.Itoa(e.Baseline.From)+"; one of "+strconv.Itoa(in.Year)+
			" would replace the continued series")
	}
}

// noteOf says that rule 1 puts a code into another class than the survey office's table of land uses suggests: the rule is
// older than the table. "" where both agree.
func noteOf(code austria.LandUse) string {
	row, ok := code.Row()
	if !ok || byTable[row.Class] == classOf[code] {
		return ""
	}
	state := ""
	if row.State == austria.LandUseDeleted {
		state = ", a code given up in 2012"
	}
	return fmt.Sprintf("%d is called %s in the table of land uses%s; the rule prices it as %s where nothing is built", code,
		strings.ToLower(row.English), state, classOf[code])
}

const (
	assumedNote = "No land use, building or parcel is given: wald is the class that rule 1 has left over and no finding; alternatives has the price of every class."
	cellNote    = "The class is that of the land uses of the cell of about 307 m² around the point, not of the site; alternatives has the price of every class."
)

// Notes are remarks on the class: that it is assumed, where the rule and the table of codes differ in the meaning of a code
// that decided it, and what of the description does not fit together.
func (e *Estimate) Notes(in *Input) []string {
	var out []string
	switch e.Basis {
	case Assumed:
		out = append(out, assumedNote)
	case Cell:
		out = append(out, cellNote)
	}
	if in.Described {
		out = append(out, in.doubts()...)
	}
	if e.Class == Built || e.Basis == Cell {
		return out
	}
	note := func(code austria.LandUse) {
		if s := noteOf(code); s != "" && classOf[code] == e.Class {
			out = append(out, s)
		}
	}
	if e.Basis == Areas {
		for _, a := range in.Use.Areas {
			note(a.Code)
		}
		return out
	}
	for _, c := range in.Use.Codes.Codes() {
		note(c)
	}
	return out
}

// slack is by how much areas may exceed the parcel's: drawn and registered areas differ.
const slack = 1.01

// doubts are what of a description does not fit together.
func (in *Input) doubts() []string {
	var out []string
	sum := 0.0
	for _, a := range in.Use.Areas {
		sum += a.Sqm
	}
	if sum > slack*in.AreaSqm {
		out = append(out, fmt.Sprintf("the areas of land use come to %.0f m², the parcel has %.0f m²", sum, in.AreaSqm))
	}
	if in.Period != PeriodUnknown && in.FootprintM2 == 0 {
		out = append(out, "building_period is not used: no footprint area is given, so no building is valued")
	}
	return out
}
