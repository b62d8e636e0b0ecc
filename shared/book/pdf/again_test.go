package pdf

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
)

// A picture that comes again is written once.
func TestPictureAgain(t *testing.T) {
	draw := func(gray uint8) []byte {
		m := image.NewGray(image.Rect(0, 0, 9, 7))
		m.Pix[3] = gray
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	b := &page.Book{Width: 300_000, Height: 400_000}
	for i, gray := range []uint8{10, 20, 10, 10} {
		b.Images = append(b.Images, page.Image{MediaType: "image/png", Bytes: draw(gray), Width: 9, Height: 7})
		b.Pages = append(b.Pages, page.Page{Marks: []page.Mark{page.Picture{Image: i, X: 50_000, Y: 50_000, Width: 90_000,
			Height: 70_000}}})
	}
	var out bytes.Buffer
	if err := Write(&out, b, Options{Preset: X1a}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "/Subtype/Image"); n != 2 {
		t.Errorf("%d pictures are written, there are 2", n)
	}
	if n := strings.Count(out.String(), "/XObject<<"); n != 4 {
		t.Errorf("%d pages have a picture, want 4", n)
	}
}
