package maps

import (
	"image"
	"testing"

	"mappe/functions/core/view"
	"mappe/functions/worldtest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
)

// TestUnbuiltKGsAreHatched: lines a step apart where the KG without a snapshot lies (the southern half of the picture), none
// elsewhere, and the same in strips as at once.
func TestUnbuiltKGsAreHatched(t *testing.T) {
	s := mem.New()
	if err := worldtest.Publish(s, worldtest.Snapshots(), "88803"); err != nil {
		t.Fatal(err)
	}
	w := view.Dated(worldtest.View(t, s), "")
	lower, upper := worldtest.At(1, -2), worldtest.At(3, 2)
	v := picture{w: 240, h: 480, system: crs.WGS84, box: [4]float64{lower.Lon(), lower.Lat(), upper.Lon(), upper.Lat()}}
	out := image.NewRGBA(image.Rect(0, 0, v.w, v.h))
	if err := v.hatch(t.Context(), w, out); err != nil {
		t.Fatal(err)
	}
	drawn := func(y int) (n int) {
		for x := range v.w {
			if out.RGBAAt(x, y).A > 60 {
				n++
			}
		}
		return n
	}
	for _, y := range []int{2, 120, 236} {
		if n := drawn(y); n != 0 {
			t.Errorf("row %d, of a KG with data: %d pixels", y, n)
		}
	}
	for _, y := range []int{244, 300, 470} {
		if n := drawn(y); n < v.w/hatchStep || n > 3*v.w/hatchStep {
			t.Errorf("row %d: %d pixels, want about %d", y, n, 2*v.w/hatchStep)
		}
	}
	// Far out the country is a map of borders: nothing is hatched.
	v.box = [4]float64{9, 46, 18, 49}
	far := image.NewRGBA(image.Rect(0, 0, v.w, v.h))
	if err := v.hatch(t.Context(), w, far); err != nil {
		t.Fatal(err)
	}
	for i := 3; i < len(far.Pix); i += 4 {
		if far.Pix[i] != 0 {
			t.Fatal("hatched far out")
		}
	}
}
