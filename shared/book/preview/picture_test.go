package preview_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
)

// noise is a picture that no encoder makes small.
func noise(t *testing.T, w, h int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = byte(i * i >> 3)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A picture goes in as it is, or smaller where it is large; what cannot be shown is a grey field.
func TestPictures(t *testing.T) {
	large := noise(t, 1400, 1050)
	if len(large) < 1<<20 {
		t.Fatalf("the large picture has %d bytes only", len(large))
	}
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewNRGBA(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	broken := append(bytes.Clone(large[:2000]), make([]byte, 600<<10)...)
	b := &page.Book{Width: 100_000, Height: 100_000, Images: []page.Image{
		{MediaType: "image/jpeg", Bytes: large}, {MediaType: "image/png", Bytes: small.Bytes()}, {MediaType: "image/jpeg", Bytes: broken},
		{MediaType: "image/svg+xml", Bytes: []byte("<svg/>")},
	}}
	for i := range b.Images {
		b.Pages = append(b.Pages, page.Page{Marks: []page.Mark{page.Picture{Image: i, Width: 5000, Height: 4000, Alt: `a "view"`}}})
	}
	shrunk := ""
	for i, want := range []string{"data:image/jpeg;base64,", "data:image/png;base64,", `fill="#dddddd"`, `fill="#dddddd"`} {
		svg := drawn(t, b, i)
		read(t, svg)
		if !strings.Contains(string(svg), want) {
			t.Errorf("page %d: no %s", i+1, want)
		}
		if i == 0 {
			shrunk = string(svg)
		}
	}
	_, rest, _ := strings.Cut(shrunk, "base64,")
	text, _, _ := strings.Cut(rest, `"`)
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := jpeg.DecodeConfig(bytes.NewReader(raw))
	if err != nil || c.Width != 1000 || c.Height != 750 {
		t.Errorf("the large picture became %d × %d, %v", c.Width, c.Height, err)
	}
}

// What is seen through is white, whichever way a picture keeps its colours.
func TestTransparentIsWhite(t *testing.T) {
	large := image.NewNRGBA(image.Rect(0, 0, 500, 500))
	rand.NewChaCha8([32]byte{}).Read(large.Pix) // so that its file is large; nothing of it can be seen
	for i := 3; i < len(large.Pix); i += 4 {
		large.Pix[i] = 0
	}
	var file bytes.Buffer
	if err := png.Encode(&file, large); err != nil {
		t.Fatal(err)
	}
	b := &page.Book{Width: 1000, Height: 1000, Images: []page.Image{{MediaType: "image/png", Bytes: file.Bytes()}},
		Pages: []page.Page{{Marks: []page.Mark{page.Picture{Width: 1000, Height: 1000}}}}}
	_, rest, _ := strings.Cut(string(drawn(t, b, 0)), "image/jpeg;base64,")
	text, _, ok := strings.Cut(rest, `"`)
	raw, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil {
		t.Fatalf("a file of %d bytes was not made smaller: %v", file.Len(), err)
	}
	m, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, bl, _ := m.At(250, 250).RGBA(); min(r, g, bl) < 0xf000 {
		t.Errorf("the middle is %x %x %x", r, g, bl)
	}
}
