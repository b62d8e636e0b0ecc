package raster

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The outlines of all regions of a picture cover it without gaps and overlaps: each piece of a line that bounds one region
// bounds another one in the other direction, or the picture.
func TestPartitionsFit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		w, h, n := 2+r.IntN(16), 2+r.IntN(16), 1+r.IntN(5)
		p := Partition{Labels: make([]int32, w*h), Cols: w, Rows: h}
		for i := range p.Labels {
			p.Labels[i] = int32(1 + r.IntN(n))
			if i > 0 && r.IntN(3) > 0 {
				p.Labels[i] = p.Labels[i-1]
			}
		}
		pieces := map[[4]float64]int{}
		total := 0.0
		for label := range int32(n) {
			parts := p.Outline(label+1, 0, w, 0, h)
			if again := p.Outline(label+1, 0, w, 0, h); len(again) != len(parts) {
				t.Fatalf("asked again %d parts of %d", len(again), len(parts))
			}
			for _, part := range parts {
				for _, ring := range part {
					if len(ring) < 3 {
						t.Fatalf("%d x %d, %v: a ring of %v", w, h, p.Labels, ring)
					}
					for i, a := range ring {
						b := ring[(i+1)%len(ring)]
						total += (a.X*b.Y - b.X*a.Y) / 2
						pieces[[4]float64{a.X, a.Y, b.X, b.Y}]++
					}
				}
			}
		}
		border := 0.0
		for k, count := range pieces {
			if count != 1 {
				t.Fatalf("%d x %d, %v: the line %v stands %d times", w, h, p.Labels, k, count)
			}
			if pieces[[4]float64{k[2], k[3], k[0], k[1]}] == 0 {
				border += (k[0]*k[3] - k[2]*k[1]) / 2
			}
		}
		if math.Abs(border-total) > 1e-9 || border < float64(w*h)-0.5 || border > float64(w*h) {
			t.Fatalf("%d x %d, %v: the regions have %g, what is around them %g", w, h, p.Labels, total, border)
		}
	}
}

func TestPartitionDrawsStairsStraight(t *testing.T) {
	const n = 12
	p := Partition{Labels: make([]int32, n*n), Cols: n, Rows: n}
	for i := range p.Labels {
		if p.Labels[i] = 1; i%n > i/n {
			p.Labels[i] = 2
		}
	}
	got := p.Outline(2, 0, n, 0, n)
	if len(got) != 1 || len(got[0]) != 1 || len(got[0][0]) > 9 {
		t.Errorf("a triangle is drawn as %v", got)
	}
	// A hole is one of the region around it.
	p.Labels = slices.Repeat([]int32{3}, n*n)
	p.Labels[5*n+5] = 4
	if got := p.Outline(3, 0, n, 0, n); len(got) != 1 || len(got[0]) != 2 {
		t.Errorf("a region with a hole is drawn as %v", got)
	}
	if got := p.Outline(4, 5, 6, 5, 6); len(got) != 1 || len(got[0][0]) != 4 {
		t.Errorf("a cell is drawn as %v", got)
	}
}
