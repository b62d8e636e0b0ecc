package exif

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"testing"
)

// steps does one after the other what a pose says, pixel by pixel.
func steps(p Pose, m image.Image) image.Image {
	r := m.Bounds()
	cut := image.Rect(r.Dx()*p.Left/Whole, r.Dy()*p.Top/Whole, r.Dx()*(Whole-p.Right)/Whole, r.Dy()*(Whole-p.Bottom)/Whole)
	out := image.NewNRGBA64(image.Rect(0, 0, cut.Dx(), cut.Dy()))
	draw.Draw(out, out.Rect, m, r.Min.Add(cut.Min), draw.Src)
	if p.Mirror {
		out = moved(out, out.Rect, func(x, y int) (int, int) { return out.Rect.Dx() - 1 - x, y })
	}
	if p.Flip {
		out = moved(out, out.Rect, func(x, y int) (int, int) { return x, out.Rect.Dy() - 1 - y })
	}
	for range p.Quarters {
		// What was at the left is at the top.
		out = moved(out, image.Rect(0, 0, out.Rect.Dy(), out.Rect.Dx()), func(x, y int) (int, int) { return y, out.Rect.Dy() - 1 - x })
	}
	return out
}

func moved(m image.Image, r image.Rectangle, from func(x, y int) (int, int)) *image.NRGBA64 {
	out := image.NewNRGBA64(r)
	for y := range r.Dy() {
		for x := range r.Dx() {
			u, v := from(x, y)
			out.Set(x, y, m.At(u, v))
		}
	}
	return out
}

// samples fills a picture so that every pixel differs from its neighbours.
func samples[M draw.Image](m M) M {
	r := m.Bounds()
	for y := range r.Dy() {
		for x := range r.Dx() {
			m.Set(x, y, color.NRGBA64{uint16(x * 5000), uint16(y * 4000), uint16(x*y*900 + 77), 0xffff})
		}
	}
	return m
}

// TestPoses compares what is shown with the steps of a pose, for every pose and every way a picture keeps its samples.
func TestPoses(t *testing.T) {
	r := image.Rect(0, 0, 12, 8)
	var palette color.Palette
	for i := range 100 {
		palette = append(palette, color.NRGBA{uint8(i * 2), uint8(255 - i), uint8(i * 7), 255})
	}
	encoded := func(m image.Image) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var moving bytes.Buffer
	if err := gif.Encode(&moving, samples(image.NewPaletted(r, palette)), nil); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		b    []byte
		most int // difference of a sample
	}{
		"greys":        {encoded(samples(image.NewGray(r))), 0},
		"many greys":   {encoded(samples(image.NewGray16(r))), 0},
		"palette":      {encoded(samples(image.NewPaletted(r, palette))), 0},
		"colours":      {encoded(samples(image.NewRGBA(r))), 0},
		"transparent":  {encoded(half(samples(image.NewNRGBA(r)))), 0},
		"many colours": {encoded(samples(image.NewNRGBA64(r))), 1},
		"GIF":          {moving.Bytes(), 0},
		"photograph":   {photo(t, 96, 64, 1, binary.BigEndian, false), 60},
		"grey photo":   {photo(t, 96, 64, 1, binary.BigEndian, true), 12},
	} {
		stored, _, err := image.Decode(bytes.NewReader(c.b))
		if err != nil {
			t.Fatal(err)
		}
		for n := range 32 {
			p := Pose{Mirror: n&1 != 0, Flip: n&2 != 0, Quarters: n >> 2 & 3}
			if n&16 != 0 {
				p.Left, p.Top, p.Right, p.Bottom = 25_000, 50_000, 0, 25_000
			}
			t.Run(fmt.Sprint(name, p), func(t *testing.T) {
				b, err := Show(c.b, p)
				if err != nil {
					t.Fatal(err)
				}
				got, _, err := image.Decode(bytes.NewReader(b))
				if err != nil {
					t.Fatal(err)
				}
				want := steps(p, stored)
				if got.Bounds() != want.Bounds() {
					t.Fatalf("%v, want %v", got.Bounds(), want.Bounds())
				}
				if d := difference(got, want); d > c.most {
					t.Errorf("samples differ by %d", d)
				}
				if g, w := got.ColorModel(), stored.ColorModel(); (w == color.GrayModel || w == color.Gray16Model) && g != w {
					t.Errorf("%s: greys became something else", name)
				}
			})
		}
	}
}

func half(m *image.NRGBA) *image.NRGBA {
	for i := 3; i < len(m.Pix); i += 8 {
		m.Pix[i] = 128
	}
	return m
}

// TestTurnedOnce: a photograph that Word has turned by its EXIF data keeps the data; one that Word has only cut is
// turned by them.
func TestTurnedOnce(t *testing.T) {
	lying := photo(t, 64, 32, 6, binary.BigEndian, false)
	for p, want := range map[Pose]image.Point{
		{}:              {32, 64},
		{Quarters: 1}:   {32, 64},
		{Quarters: 2}:   {64, 32},
		{Mirror: true}:  {64, 32},
		{Left: 50_000}:  {32, 32},
		{Top: 50_000}:   {16, 64},
		{Left: Whole}:   {32, 64}, // nothing would be left
		{Right: 98_000}: {32, 1},
	} {
		b, err := Show(lying, p)
		if err != nil {
			t.Fatal(err)
		}
		got := decoded(t, b)
		if got.Bounds().Size() != want {
			t.Errorf("%+v: %v, want %v", p, got.Bounds().Size(), want)
		}
	}
	byData, _ := Show(lying, Pose{})
	byWord, _ := Show(lying, Pose{Quarters: 1})
	if !bytes.Equal(byData, byWord) {
		t.Error("what the data and Word say alike is shown in two ways")
	}
	if _, err := Show(lying[:200], Pose{Quarters: 1}); err == nil {
		t.Error("a broken picture was shown")
	}
}
