package demo

import (
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// The picture of the town shows the river, houses, streets and plots.
func TestPreviewShowsTheTown(t *testing.T) {
	name := filepath.Join(t.TempDir(), "town.png")
	if err := PreviewFile(name, View{Lon: 13.28, Lat: 47.3235, Metres: 1200, Width: 400, Height: 320}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	var blue, red, light int
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			r, g, b := int(c.R), int(c.G), int(c.B)
			switch {
			case b > r+60 && b > g+30:
				blue++
			case r > g+50:
				red++
			case r > 220 && b > 215:
				light++
			}
		}
	}
	total := b.Dx() * b.Dy()
	for _, p := range []struct {
		what string
		n    int
	}{{"water", blue}, {"houses", red}, {"streets", light}} {
		if p.n < total/100 {
			t.Errorf("%s: want at least one pixel in a hundred, got %d of %d", p.what, p.n, total)
		}
	}
}
