package segment

import (
	"encoding/json"
	"slices"
	"strconv"

	"mappe/artefacts/classifier"
)

// mostReasons is how many features an explanation names.
const mostReasons = 5

// reasons are the features that spoke most for what the model takes a segment for, as JSON; "" without a model.
func reasons(r *row) string {
	if r.teller == nil || r.ModelConfidence == 0 {
		return ""
	}
	why := r.teller.Why(r.Row[:], slices.Index(r.teller.Classes(), r.Model), mostReasons)
	for i := range why {
		why[i] = rounded(why[i])
	}
	b, err := json.Marshal(why)
	if err != nil {
		return ""
	}
	return string(b)
}

// rounded has as many digits as can be read.
func rounded(r classifier.Reason) classifier.Reason {
	if r.Value != nil {
		v := digits(*r.Value)
		r.Value = &v
	}
	r.Gain = digits(r.Gain)
	return r
}

// digits are the first four of a number.
func digits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64) // what was written is read
	return v
}
