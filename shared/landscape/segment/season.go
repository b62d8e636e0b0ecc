package segment

import "math"

// The classes of the course of the vegetation index over a year.
const (
	Evergreen    = "evergreen"     // mean from 0.55, amplitude below 0.12
	Deciduous    = "deciduous"     // mean from 0.5, amplitude from 0.12, highest between May and August
	Cultivated   = "cultivated"    // amplitude from 0.25, mean below 0.5
	Grassland    = "grassland"     // mean from 0.35, none of the above
	Sparse       = "sparse"        // mean 0.15 to 0.35
	Unvegetated  = "non_vegetated" // mean below 0.15
	UnknownYears = "unknown"       // satellites saw too little
)

// Phenologies are the classes.
var Phenologies = []string{Evergreen, Deciduous, Cultivated, Grassland, Sparse, Unvegetated, UnknownYears}

// PeakDay is the day of the year, 0 to 365, on which the vegetation index is highest by its first harmonic; NaN where the
// amplitude is below 0.02 or nothing is known.
func (o *Object) PeakDay() float64 {
	if !(o.at(HarmonicAmplitude) >= 0.02) {
		return math.NaN()
	}
	return direction(o.at(PhaseSin), o.at(PhaseCos)) / 360 * 365.25
}

// Phenology is the class of the course of the vegetation index over the year.
func (o *Object) Phenology() string {
	mean, amplitude, day := o.at(HarmonicMean), o.at(HarmonicAmplitude), o.PeakDay()
	switch {
	case mean != mean:
		return UnknownYears
	case mean < 0.15:
		return Unvegetated
	case amplitude >= 0.25 && mean < 0.5:
		return Cultivated
	case mean >= 0.5 && amplitude >= 0.12 && day > 120 && day < 245:
		return Deciduous
	case mean >= 0.55 && amplitude < 0.12:
		return Evergreen
	case mean >= 0.35:
		return Grassland
	}
	return Sparse
}
