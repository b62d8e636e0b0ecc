package forest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Case is a decision with the share of votes it was taken with, and whether it was right.
type Case struct {
	Share float64
	Right bool
}

// Curve gives the probability that a decision is right for its share of the votes: it rises from knot to knot on straight
// lines and is constant beyond the first and the last.
type Curve []Knot

// Knot is a point of a curve: a share of the votes and the probability that goes with it.
type Knot struct {
	Share float64 `json:"share"`
	Right float64 `json:"right"`
	Cases int     `json:"cases"`
}

// Isotonic is the rising curve next to the cases: they are put in the order of their shares, and neighbours that do not rise are
// pooled (pool adjacent violators, Ayer et al. 1955; Zadrozny & Elkan 2002). Before that, cases are gathered in groups of at
// least some, so that a lone case at an end is no certainty. Cases of equal shares stay together. No cases: an error.
func Isotonic(cases []Case, least int) (Curve, error) {
	if len(cases) == 0 {
		return nil, fmt.Errorf("forest: no cases to calibrate by")
	}
	sorted := slices.Clone(cases)
	slices.SortFunc(sorted, func(a, b Case) int { return cmp.Compare(a.Share, b.Share) })
	type pool struct {
		n, right int
		sum      float64
	}
	var pools []pool
	for i, c := range sorted {
		if !(c.Share >= 0 && c.Share <= 1) {
			return nil, fmt.Errorf("forest: a case with the share %g", c.Share)
		}
		if n := len(pools); n == 0 || pools[n-1].n >= least && sorted[i-1].Share < c.Share {
			pools = append(pools, pool{})
		}
		p := &pools[len(pools)-1]
		p.n++
		p.sum += c.Share
		if c.Right {
			p.right++
		}
	}
	if n := len(pools); n > 1 && pools[n-1].n < least {
		pools = append(pools[:n-2], pool{pools[n-2].n + pools[n-1].n, pools[n-2].right + pools[n-1].right, pools[n-2].sum + pools[n-1].sum})
	}
	var rising []pool
	for _, p := range pools {
		for len(rising) > 0 {
			q := rising[len(rising)-1]
			if q.right*p.n < p.right*q.n {
				break
			}
			p = pool{p.n + q.n, p.right + q.right, p.sum + q.sum}
			rising = rising[:len(rising)-1]
		}
		rising = append(rising, p)
	}
	curve := make(Curve, len(rising))
	for i, p := range rising {
		curve[i] = Knot{p.sum / float64(p.n), float64(p.right) / float64(p.n), p.n}
	}
	return curve, nil
}

// Check proves that a curve that was read rises from 0 at least to 1 at most.
func (c Curve) Check() error {
	for i, k := range c {
		if !(k.Share >= 0 && k.Share <= 1 && k.Right >= 0 && k.Right <= 1) ||
			i > 0 && !(c[i-1].Share < k.Share && c[i-1].Right <= k.Right) {
			return fmt.Errorf("forest: knot %d of the calibration is %g at %g", i, k.Right, k.Share)
		}
	}
	if len(c) == 0 {
		return fmt.Errorf("forest: a calibration without a knot")
	}
	return nil
}

// At is the probability at a share of the votes; NaN of NaN.
func (c Curve) At(share float64) float64 {
	if math.IsNaN(share) || len(c) == 0 {
		return math.NaN()
	}
	i, _ := slices.BinarySearchFunc(c, share, func(k Knot, s float64) int { return cmp.Compare(k.Share, s) })
	switch {
	case i == 0:
		return c[0].Right
	case i == len(c):
		return c[i-1].Right
	}
	a, b := c[i-1], c[i]
	t := (share - a.Share) / (b.Share - a.Share)
	return float64(a.Right) + float64(t*(b.Right-a.Right))
}

// Point is a bar of a reliability curve: the cases whose confidence lies between two bounds.
type Point struct {
	From       float64 `json:"from"`
	To         float64 `json:"to"`
	Cases      int     `json:"cases"`
	Confidence float64 `json:"confidence"` // mean
	Right      float64 `json:"right"`      // share of the cases that were right
}

// Reliability holds confidences (the shares of the cases) against how often they were right, in so many bars of equal width, and
// gives the expected calibration error: the mean distance of the two, bars weighted by their cases (Guo et al. 2017).
func Reliability(cases []Case, bars int) (points []Point, expected float64) {
	points = make([]Point, bars)
	sums := make([]float64, bars)
	right := make([]int, bars)
	total := 0
	for _, c := range cases {
		if !(c.Share >= 0 && c.Share <= 1) {
			continue
		}
		k := min(int(c.Share*float64(bars)), bars-1)
		points[k].Cases++
		sums[k] += c.Share
		if c.Right {
			right[k]++
		}
		total++
	}
	for k := range points {
		p := &points[k]
		p.From, p.To = float64(k)/float64(bars), float64(k+1)/float64(bars)
		if p.Cases > 0 {
			p.Confidence, p.Right = sums[k]/float64(p.Cases), float64(right[k])/float64(p.Cases)
			expected += math.Abs(sums[k]-float64(right[k])) / float64(total)
		}
	}
	return points, expected
}
