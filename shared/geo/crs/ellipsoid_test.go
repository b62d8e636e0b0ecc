package crs

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A latitude is what all twelve rounds give, to the last bit.
func TestLatitudeIsThatOfAllRounds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, e := range []ellipsoid{bessel, grs80} {
		k := math.Sqrt(e.e2())
		for range 20_000 {
			q := e.isometric((rnd.Float64()*178 - 89) * degree)
			s := math.Tanh(q)
			for range 12 {
				before := s
				if s = math.Tanh(q + k*math.Atanh(k*s)); math.Abs(s-before) < 1e-16 {
					break
				}
			}
			if got := e.latitude(q); got != math.Asin(s) {
				t.Fatalf("%v: want %v, got %v", q, math.Asin(s), got)
			}
		}
	}
}
