package landprice

import (
	"fmt"
	"math"
	"slices"
)

// The years that a series may have and that may be asked for.
const (
	FirstYear = 1950
	LastYear  = 2100
)

// The bounds of the annual growth with which a series is continued (rule 3).
const (
	MinGrowth = -0.04
	MaxGrowth = 0.18
)

// Observation is a published value.
type Observation struct {
	Year int
	EUR  float64
}

// Series are the observations of one kind in one area. The zero value is empty.
type Series struct {
	points []Observation // rising years
	logs   []float64     // ln of the values
	growth float64       // clipped; NaN where fewer than two years are observed
}

// NewSeries makes a series. Years that stand twice, values that are not positive and years out of bounds are
// errors. It keeps points.
func NewSeries(points []Observation) (Series, error) {
	slices.SortFunc(points, func(a, b Observation) int { return a.Year - b.Year })
	s := Series{points: points, logs: make([]float64, len(points))}
	for i, p := range points {
		if p.Year < FirstYear || p.Year > LastYear {
			return Series{}, fmt.Errorf("year %d: expected %d to %d", p.Year, FirstYear, LastYear)
		}
		if i > 0 && points[i-1].Year == p.Year {
			return Series{}, fmt.Errorf("year %d stands twice", p.Year)
		}
		if !(p.EUR > 0) || math.IsInf(p.EUR, 0) {
			return Series{}, fmt.Errorf("year %d: %v EUR: expected a positive number", p.Year, p.EUR)
		}
		s.logs[i] = math.Log(p.EUR)
	}
	s.growth = s.trend()
	return s, nil
}

// Points are the observations by rising year; they are shared.
func (s Series) Points() []Observation { return s.points }

// Empty says whether nothing is observed.
func (s Series) Empty() bool { return len(s.points) == 0 }

// Growth is the annual growth with which the series is continued: e to the slope of the least-squares line
// through the logarithms, less 1, within MinGrowth and MaxGrowth. false where fewer than two years are
// observed.
func (s Series) Growth() (float64, bool) {
	if len(s.points) < 2 {
		return 0, false
	}
	return s.growth, true
}

func (s Series) trend() float64 {
	n := float64(len(s.points))
	if n < 2 {
		return math.NaN()
	}
	var year, value float64
	for i, p := range s.points {
		year += float64(p.Year) / n
		value += s.logs[i] / n
	}
	var above, below float64
	for i, p := range s.points {
		d := float64(p.Year) - year
		above += d * (s.logs[i] - value)
		below += d * d
	}
	return min(max(math.Expm1(above/below), MinGrowth), MaxGrowth)
}

// Method says how the value of a year came from a series.
type Method uint8

// The methods of the year axis.
const (
	MethodNone Method = iota
	Observed
	Interpolated
	Extrapolated
)

func (m Method) String() string {
	return [...]string{"", "observed", "interpolated", "extrapolated"}[m&3]
}

// Value is a series at a year.
type Value struct {
	EUR    float64
	Method Method
	// From and To are the observed years it rests on: the year itself, those around a gap, or twice the end
	// that was continued.
	From, To int
	// Growth is the annual rate of a continued series, and GrowthOf the level of the series it is of;
	// LevelNone says that no rate is known and the end value stands.
	Growth   float64
	GrowthOf Level
}

// Years is how many years the value lies outside what is observed.
func (v Value) Years(year int) int {
	if v.Method != Extrapolated {
		return 0
	}
	return max(v.From-year, year-v.From)
}

// Rate is an annual growth and the level it is of.
type Rate struct {
	Annual float64
	Of     Level
}

// At is the value of a year. own is the level of the series; other continues a series that has no growth of
// its own. The series must not be empty.
func (s Series) At(year int, own Level, other Rate) Value {
	last := len(s.points) - 1
	i, found := slices.BinarySearchFunc(s.points, year, func(p Observation, y int) int { return p.Year - y })
	switch {
	case found:
		return Value{EUR: s.points[i].EUR, Method: Observed, From: year, To: year}
	case i > 0 && i <= last:
		a, b := s.points[i-1], s.points[i]
		share := float64(year-a.Year) / float64(b.Year-a.Year)
		return Value{EUR: math.Exp(s.logs[i-1] + share*(s.logs[i]-s.logs[i-1])), Method: Interpolated, From: a.Year, To: b.Year}
	}
	end := s.points[min(i, last)]
	if g, ok := s.Growth(); ok {
		other = Rate{g, own}
	}
	return Value{EUR: end.EUR * math.Pow(1+other.Annual, float64(year-end.Year)), Method: Extrapolated,
		From: end.Year, To: end.Year, Growth: other.Annual, GrowthOf: other.Of}
}
