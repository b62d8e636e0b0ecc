package exif

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

// photo is a JPEG whose every corner differs, with EXIF that states an orientation.
func photo(t testing.TB, width, height, orientation int, order binary.AppendByteOrder, gray bool) []byte {
	t.Helper()
	var m image.Image
	at := func(x, y int) (uint8, uint8, uint8) {
		return uint8(x * 255 / width), uint8(y * 255 / height), uint8((x*x + 3*y*y) / 97)
	}
	if gray {
		g := image.NewGray(image.Rect(0, 0, width, height))
		for y := range height {
			for x := range width {
				r, v, _ := at(x, y)
				g.SetGray(x, y, color.Gray{Y: r/2 + v/3})
			}
		}
		m = g
	} else {
		c := image.NewRGBA(image.Rect(0, 0, width, height))
		for y := range height {
			for x := range width {
				r, g, b := at(x, y)
				c.SetRGBA(x, y, color.RGBA{r, g, b, 255})
			}
		}
		m = c
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	return withOrientation(b.Bytes(), orientation, order)
}

// withOrientation puts an EXIF segment behind the beginning of a JPEG.
func withOrientation(b []byte, orientation int, order binary.AppendByteOrder) []byte {
	tiff := []byte("II*\x00")
	if order.String() == "BigEndian" {
		tiff = []byte("MM\x00*")
	}
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2)
	for _, e := range [][2]uint16{{0x010f, 7}, {0x0112, uint16(orientation)}} {
		tiff = order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, e[0]), 3), 1)
		tiff = order.AppendUint16(order.AppendUint16(tiff, e[1]), 0)
	}
	tiff = order.AppendUint32(tiff, 0)
	body := append([]byte("Exif\x00\x00"), tiff...)
	out := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(body)+2))
	return append(append(out, body...), b[2:]...)
}

// stand is the picture as it is shown; the same bytes where it does not lie or cannot be read.
func stand(b []byte) []byte {
	if !Lies(b) {
		return b
	}
	out, err := Show(b, Pose{})
	if err != nil {
		return b
	}
	return out
}

func decoded(t testing.TB, b []byte) image.Image {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTurned compares with pixels turned one by one.
func TestTurned(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		gray          bool
		order         binary.AppendByteOrder
		most          int // difference of a sample
	}{
		{"whole units", 64, 48, false, binary.LittleEndian, 3},
		{"whole blocks of greys", 40, 24, true, binary.BigEndian, 2},
		{"parts of units", 61, 43, false, binary.BigEndian, 40},
		{"parts of blocks", 41, 23, true, binary.LittleEndian, 8},
	} {
		for o := 1; o <= 8; o++ {
			t.Run(fmt.Sprint(c.name, o), func(t *testing.T) {
				b := photo(t, c.width, c.height, o, c.order, c.gray)
				got := stand(b)
				if o == 1 {
					if !bytes.Equal(got, b) {
						t.Error("an upright picture is changed")
					}
					return
				}
				if v := orientation(got); v > 1 {
					t.Errorf("orientation %d", v)
				}
				want := turnedPixels(turns[o], decoded(t, b))
				have := decoded(t, got)
				if have.Bounds() != want.Bounds() {
					t.Fatalf("%v, want %v", have.Bounds(), want.Bounds())
				}
				if d := difference(have, want); d > c.most {
					t.Errorf("samples differ by %d", d)
				}
				if again := stand(got); !bytes.Equal(again, got) {
					t.Error("turned twice")
				}
			})
		}
	}
}

// turnedPixels turns by what EXIF says of its values.
func turnedPixels(t turn, m image.Image) image.Image {
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	out := image.NewRGBA(t.rect(w, h))
	for y := range h {
		for x := range w {
			u, v := x, y
			if t.mirror {
				u = w - 1 - u
			}
			if t.flip {
				v = h - 1 - v
			}
			if t.transpose {
				u, v = v, u
			}
			out.Set(u, v, m.At(x, y))
		}
	}
	return out
}

func difference(a, b image.Image) int {
	most := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, u, _ := a.At(x, y).RGBA()
			s, h, v, _ := b.At(x, y).RGBA()
			for _, d := range []int{int(r) - int(s), int(g) - int(h), int(u) - int(v)} {
				most = max(most, max(d, -d)>>8)
			}
		}
	}
	return most
}

// TestBroken: what cannot be read stays as it is, whatever its first bytes say.
func TestBroken(t *testing.T) {
	whole := photo(t, 64, 48, 6, binary.LittleEndian, false)
	for n := range len(whole) {
		b := append([]byte(nil), whole[:n]...)
		stand(b)
		if !bytes.Equal(b, whole[:n]) {
			t.Fatalf("the first %d bytes were written to", n)
		}
	}
	for _, b := range [][]byte{nil, []byte("no picture"), withOrientation([]byte{0xff, 0xd8}, 6, binary.BigEndian),
		withOrientation(whole, 9, binary.BigEndian)[:80]} {
		if got := stand(b); !bytes.Equal(got, b) {
			t.Errorf("%d bytes became %d", len(b), len(got))
		}
	}
}

func FuzzShow(f *testing.F) {
	f.Add(photo(f, 16, 16, 6, binary.LittleEndian, false))
	f.Add(photo(f, 24, 8, 3, binary.BigEndian, true))
	f.Add(photo(f, 17, 9, 8, binary.BigEndian, false))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := jpeg.DecodeConfig(bytes.NewReader(b)); err != nil || c.Width*c.Height > 1<<18 {
			return
		}
		if got := stand(b); !bytes.Equal(got, b) {
			if v := orientation(got); v > 1 {
				t.Errorf("orientation %d", v)
			}
			if _, err := jpeg.DecodeConfig(bytes.NewReader(got)); err != nil {
				t.Errorf("what was written cannot be read: %v", err)
			}
		}
	})
}

func BenchmarkShow(b *testing.B) {
	p := photo(b, 4000, 3008, 6, binary.LittleEndian, false)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		stand(p)
	}
}
