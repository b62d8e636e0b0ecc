package kgfile_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// Points on corners and edges belong to every parcel they touch; the tree over the boxes knows them all.
func TestAtPointMissesNoParcelThatIsTouched(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	crooked := &kgfile.Snapshot{}
	for i := range 400 { // large ones, entered by rows, over small ones
		size := []int32{1_000_000, 4000}[min(i/40, 1)]
		x, y := rng.Int32N(1_000_000), rng.Int32N(1_000_000)
		var r geom.Ring
		for range 3 + rng.IntN(6) {
			r = append(r, geom.Point{X: x + rng.Int32N(size)&^1, Y: y + rng.Int32N(size)&^1})
		}
		crooked.Parcels = append(crooked.Parcels, kgfile.Parcel{Geometry: geom.MultiPolygon{{r}}})
	}
	for _, s := range []*kgfile.Snapshot{kgtest.Snapshot(kgtest.Small), crooked} {
		f, _ := open(t, s)
		b := f.Bounds()
		touched := 0
		check := func(p geom.Point) {
			l := crs.RulerAt(p)
			var want, got []int
			f.InBox(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, func(i int) bool {
				if l.ToFeature(f.ParcelGeometry(i)) == 0 {
					want = append(want, i)
				}
				return true
			})
			f.AtPoint(p, func(i int) {
				if l.At(f.ParcelGeometry(i)) {
					got = append(got, i)
				}
			})
			if !slices.Equal(got, want) {
				t.Fatalf("%v: want parcels %v, got %v", p, want, got)
			}
			if len(want) > 1 {
				touched++
			}
		}
		for range 5000 {
			check(geom.Point{X: b.MinX - 10 + rng.Int32N(b.MaxX-b.MinX+20), Y: b.MinY - 10 + rng.Int32N(b.MaxY-b.MinY+20)})
		}
		for i := range s.Parcels {
			for _, poly := range f.ParcelGeometry(i) {
				for _, r := range poly {
					for k, v := range r {
						w := r[(k+1)%len(r)]
						check(v)
						check(geom.Point{X: v.X + (w.X-v.X)/2, Y: v.Y + (w.Y-v.Y)/2})
					}
				}
			}
		}
		if touched < 300 {
			t.Errorf("%d points touched several parcels: expected many", touched)
		}
	}
}
