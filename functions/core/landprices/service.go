package landprices

import (
	"context"
	"fmt"
	"strconv"

	"mappe/functions/core"
	"mappe/functions/core/view"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
)

const tag = "Land prices"

// Deps are what the endpoints stand on.
type Deps = core.Deps

// New is the family as a service of its own; its endpoints are in the order of the specification.
func New(d Deps) *endpoint.Service {
	d = d.WithDefaults()
	return d.Service("land prices", "Estimated prices, rents and building values of parcels and areas, with their reasons.",
		[]endpoint.Endpoint{
			stats(), parcel(), gemeinde(), bezirk(), bundesland(), predict(), batch(), batchPost(), validate(),
		})
}

// The years that may be asked for. The published series begin about 2000; a continuation beyond 2050 says
// nothing.
const (
	firstYear   = 1990
	lastYear    = 2050
	defaultYear = 2024 // the last of the statistics office's method before 2025
)

var year = endpoint.Int("year", "Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which.",
	endpoint.Between(firstYear, lastYear), endpoint.Default(strconv.Itoa(defaultYear)))

var explain = endpoint.Bool("explain", "With the explanation: inputs used, baseline, what would change the estimate.",
	endpoint.Default("true"))

// onArtefact says that an answer depends on the prices alone.
func onArtefact(ctx context.Context, _ *endpoint.Request) (string, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return "", err
	}
	return stateOf(v), nil
}

// stateOf names the prices of the generation, and who is named for its data.
func stateOf(v *view.View) string {
	key, ok := artefact(v)
	if !ok {
		return "no prices"
	}
	return key.String() + v.Depends(nil)
}

// assumption is what the description of every estimate of a described parcel says.
const assumption = ` Without land use and buildings nothing decides the class: it is wald by the rule, with class_basis assumed, confidence low, a
warning, the price of every class in alternatives and an interval over them.`

// caution is what the description of every estimate says.
const caution = `

An estimate is no appraisal: it is a published mean of the area, adjusted by size, shape and settlement type. ` +
	"`interval`" + ` says how far true prices lie from it and on what that rests.`

// yearly continues a sentence about a series.
func yearly(v landprice.Value) string {
	switch v.Method {
	case landprice.Observed:
		return fmt.Sprintf("published for %d", v.From)
	case landprice.Interpolated:
		return fmt.Sprintf("interpolated log-linearly between %d and %d", v.From, v.To)
	}
	if v.GrowthOf == landprice.LevelNone {
		return fmt.Sprintf("the value of %d; no growth rate is known", v.From)
	}
	return fmt.Sprintf("the value of %d continued at %+.1f percent a year (growth of the %s series)", v.From, 100*v.Growth, v.GrowthOf)
}
