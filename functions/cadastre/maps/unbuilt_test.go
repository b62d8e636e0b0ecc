package maps

import (
	"image"
	"math"
	"testing"

	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
)

// TestUnbuiltKGsAreHatched: lines a step apart where the KG without a snapshot lies (the southern half of the picture), none
// elsewhere, and the same in strips as at once.
func TestUnbuiltKGsAreHatched(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots(), "88803"); err != nil {
		t.Fatal(err)
	}
	w := view.Dated(fixture.View(t, s), "")
	lower, upper := fixture.At(1, -2), fixture.At(3, 2)
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
	// The tiles of a place are hatched as one picture of it is: lines go on from tile to tile.
	web, z := sets()[0], 16
	side := web.unit * tileSize / math.Exp2(float64(z))
	x, y := crs.WebMercator.Project(fixture.At(2, -0.5))
	col, row := int((x-web.left)/side), int((web.top-y)/side)
	one, _ := web.at(z, col, row)
	one.w, one.h = 2*tileSize, 2*tileSize
	one.box[1], one.box[2] = one.box[1]-side, one.box[2]+side
	whole := image.NewRGBA(image.Rect(0, 0, one.w, one.h))
	if err := one.hatch(t.Context(), w, whole); err != nil {
		t.Fatal(err)
	}
	hatched, differ := 0, 0
	for k := range 4 {
		part, ok := web.at(z, col+k%2, row+k/2)
		if !ok {
			t.Fatalf("no tile %d", k)
		}
		tile := image.NewRGBA(image.Rect(0, 0, tileSize, tileSize))
		if err := part.hatch(t.Context(), w, tile); err != nil {
			t.Fatal(err)
		}
		for at := range tileSize * tileSize {
			i, j := at%tileSize, at/tileSize
			a, b := tile.RGBAAt(i, j).A > 60, whole.RGBAAt(k%2*tileSize+i, k/2*tileSize+j).A > 60
			if b {
				hatched++
			}
			if a != b {
				differ++
			}
		}
	}
	if hatched < 500 || differ > hatched/50 {
		t.Errorf("%d pixels are hatched, %d of the tiles differ", hatched, differ)
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
