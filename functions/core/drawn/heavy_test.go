package drawn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkHeavy is what the heaviest bodies cost that are taken, or refused late.
func BenchmarkHeavy(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	points := func(spread float64) string {
		var w strings.Builder
		for i := range maxBuffered {
			if i > 0 {
				w.WriteByte(',')
			}
			fmt.Fprintf(&w, "%.7f %.7f", 13.28+spread*r.Float64(), 47.32+spread*r.Float64())
		}
		return "MULTIPOINT(" + w.String() + ")"
	}
	star := func(n int) string {
		var w strings.Builder
		for i := range n {
			fmt.Fprintf(&w, "%.7f,%.7f;", 13.28+0.02*r.Float64(), 47.32+0.02*r.Float64()*math.Cos(float64(i)))
		}
		return w.String()
	}
	for name, body := range map[string]string{
		"1,000 points of 3 km": points(0.03), "3,000 points in one place": points(1e-4),
		"a ring of 100,000":             polygon(circleOf(maxVertices)),
		"1,000 lines across each other": star(1000), "20,000 lines across each other": star(20_000),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := Parse(b.Context(), []byte(body))
				if err != nil {
					b.Log(err)
				}
			}
		})
	}
}
