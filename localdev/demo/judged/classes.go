package judged

import (
	"mappe/shared/landscape/segment"
)

// Confusion counts cells by their true type and the one that they were given.
type Confusion map[[2]segment.Type]int

// Score is how well a type was told.
type Score struct {
	Type              segment.Type
	Truth, Given      int
	Recall, Precision float64
	F1                float64
}

// Scores are those of the types that occur in the truth at least so often, by code.
func (c Confusion) Scores(least int) (out []Score) {
	for i := range segment.Types {
		t := segment.Types[i].Type
		var s Score
		right := c[[2]segment.Type{t, t}]
		for k, n := range c {
			if k[0] == t {
				s.Truth += n
			}
			if k[1] == t {
				s.Given += n
			}
		}
		if s.Truth < max(least, 1) || t == segment.Unclassified {
			continue
		}
		s.Type = t
		s.Recall, s.Precision = float64(right)/float64(s.Truth), float64(right)/float64(max(s.Given, 1))
		s.F1 = 2 * float64(right) / float64(s.Truth+s.Given)
		out = append(out, s)
	}
	return out
}

// MacroF1 is the mean of the F1 of types that occur at least so often.
func (c Confusion) MacroF1(least int) float64 {
	all := c.Scores(least)
	sum := 0.0
	for _, s := range all {
		sum += s.F1
	}
	return sum / float64(max(len(all), 1))
}
