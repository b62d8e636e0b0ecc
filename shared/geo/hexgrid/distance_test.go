//go:build cgo

package hexgrid

import (
	"math/rand/v2"
	"testing"

	h3 "github.com/uber/h3-go/v4"

	"mappe/infra/oracles"
)

// Walking counts the steps: rings of a disk are right around pentagons too.
func TestDistanceIsTheNumberOfTheRing(t *testing.T) {
	for res := range 5 {
		pentagons, err := Pentagons(res)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pentagons {
			disk, _ := p.GridDisk(2)
			for _, c := range disk {
				rings, _ := c.GridDiskDistances(5)
				for want, ring := range rings {
					for _, o := range ring {
						if got, err := c.GridDistance(o); err == nil && got != want || err != nil && res > 1 {
							t.Fatalf("%v to %v: %d steps, walked %d, %v", c, o, got, want, err)
						}
					}
				}
			}
		}
	}
}

func TestDistancesAreH3s(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 1))
	more, less := 0, 0
	for range oracles.Rounds(t, 2000) {
		for res := range MaxResolution + 1 {
			p := anywhere(rnd)
			span := rnd.Float64() * 20
			a, _ := LatLngToCell(p, res)
			b, _ := LatLngToCell(LatLng{p.Lat + span*(rnd.Float64()-0.5), p.Lng + span*(rnd.Float64()-0.5)}, res)
			got, err := a.GridDistance(b)
			want, judge := h3.Cell(a).GridDistance(h3.Cell(b))
			switch {
			case err != nil && judge == nil:
				less++
			case err == nil && judge != nil:
				more++
			case err == nil && got != want:
				t.Errorf("%v to %v: %d steps, H3 %d, %v, %v", a, b, got, want, err, judge)
			}
		}
	}
	if less > 0 || more == 0 {
		t.Errorf("%d distances that H3 knows are missing, %d more than H3's", less, more)
	}
}
