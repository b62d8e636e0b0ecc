package pdf

import (
	"bytes"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mappe/shared/book/layout/page"
)

// gradient fills a picture from black at the left to white at the right.
func gradient(m interface {
	image.Image
	Set(x, y int, c color.Color)
}) {
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			m.Set(x, y, color.NRGBA64{uint16(x * 65535 / b.Dx()), uint16(x * 65535 / b.Dx()), uint16(x * 65535 / b.Dx()), 0xffff})
		}
	}
}

func encoded(t *testing.T, f func(b *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// cmykJPEG is an Adobe JPEG of four channels, inverted as Adobe writes them: 8 × 8 pixels of half black ink. It
// is a baseline JPEG made by hand, since the library writes none.
func cmykJPEG() []byte {
	var b bytes.Buffer
	b.Write([]byte{0xff, 0xd8})
	b.Write([]byte{0xff, 0xee, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0}) // transform 0: CMYK
	b.Write([]byte{0xff, 0xdb, 0, 67, 0})
	b.Write(bytes.Repeat([]byte{8}, 64))
	b.Write([]byte{0xff, 0xc0, 0, 20, 8, 0, 8, 0, 8, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0})
	// One Huffman table for differences: code 0 is "no change", code 10 is seven bits. One for the rest: 0 ends.
	b.Write([]byte{0xff, 0xc4, 0, 21, 0x00, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7})
	b.Write([]byte{0xff, 0xc4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	b.Write([]byte{0xff, 0xda, 0, 14, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0})
	// C, M, Y: +127 (as far from ink as one step of seven bits goes); K: no change, the middle.
	bits := ""
	for range 3 {
		bits += "10" + "1111111" + "0"
	}
	bits += "0" + "0"
	for len(bits)%8 != 0 {
		bits += "1"
	}
	for i := 0; i < len(bits); i += 8 {
		n, _ := strconv.ParseUint(bits[i:i+8], 2, 8)
		b.WriteByte(byte(n))
		if n == 0xff {
			b.WriteByte(0)
		}
	}
	b.Write([]byte{0xff, 0xd9})
	return b.Bytes()
}

func TestPictures(t *testing.T) {
	gray16 := image.NewGray16(image.Rect(0, 0, 64, 40))
	rgba64 := image.NewNRGBA64(image.Rect(0, 0, 64, 40))
	paletted := image.NewPaletted(image.Rect(0, 0, 64, 40), palette.Plan9)
	frame := image.NewPaletted(image.Rect(5, 7, 37, 27), palette.Plan9)
	rgba := image.NewRGBA(image.Rect(0, 0, 64, 40))
	for _, m := range []interface {
		image.Image
		Set(x, y int, c color.Color)
	}{gray16, rgba64, paletted, frame, rgba} {
		gradient(m)
	}
	gray := image.NewGray(image.Rect(0, 0, 64, 40))
	gradient(gray)
	for _, c := range []struct {
		what, kind    string
		b             []byte
		width, height int
	}{
		{"PNG of 16 bits, grey", "image/png", encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, gray16) }), 64, 40},
		{"PNG of 16 bits, colours", "image/png", encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, rgba64) }), 64, 40},
		{"PNG of a palette", "image/png", encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, paletted) }), 64, 40},
		{"GIF", "image/gif", encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, paletted, nil) }), 64, 40},
		{"GIF whose frame is smaller", "image/gif", encoded(t, func(b *bytes.Buffer) error {
			return gif.EncodeAll(b, &gif.GIF{Image: []*image.Paletted{frame}, Delay: []int{0},
				Config: image.Config{Width: 64, Height: 40, ColorModel: color.Palette(palette.Plan9)}})
		}), 32, 20},
		{"JPEG", "image/jpeg", encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, rgba, nil) }), 64, 40},
		{"JPEG, grey", "image/jpeg", encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, gray, nil) }), 64, 40},
		{"JPEG of four inks", "image/jpeg", cmykJPEG(), 8, 8},
	} {
		t.Run(c.what, func(t *testing.T) {
			for name, k := range presets {
				b := sample(t)
				b.Images = []page.Image{{MediaType: c.kind, Bytes: c.b, Width: c.width, Height: c.height}}
				out := write(t, b, k)
				m := regexp.MustCompile(`/Width (\d+)/Height (\d+)/BitsPerComponent 8/ColorSpace/Device(\w+)`).FindSubmatch(out)
				if m == nil || string(m[1]) != strconv.Itoa(c.width) || string(m[2]) != strconv.Itoa(c.height) {
					t.Fatalf("%s: %s, want %d × %d", name, m, c.width, c.height)
				}
				if k != Proof && k != Sheet && string(m[3]) != "Gray" {
					t.Errorf("%s: the colours are %s", name, m[3])
				}
				file := filepath.Join(t.TempDir(), "x.pdf")
				if err := os.WriteFile(file, out, 0o644); err != nil {
					t.Fatal(err)
				}
				if out := tool(t, "qpdf", "--check", file); !strings.Contains(out, "No syntax or stream encoding errors") {
					t.Errorf("%s: %s", name, out)
				}
			}
		})
	}
}

// TestShades holds the ways to a grey against each other: black at the left, white at the right, the middle
// between, and white where a picture is see-through.
func TestShades(t *testing.T) {
	shades := func(m image.Image) []byte {
		var b bytes.Buffer
		grays(&b, m)
		return b.Bytes()
	}
	nrgba, rgba, gray16, cmyk := image.NewNRGBA(image.Rect(0, 0, 65, 2)), image.NewRGBA(image.Rect(0, 0, 65, 2)),
		image.NewGray16(image.Rect(0, 0, 65, 2)), image.NewCMYK(image.Rect(0, 0, 65, 2))
	for _, m := range []interface {
		image.Image
		Set(x, y int, c color.Color)
	}{nrgba, rgba, gray16, cmyk} {
		gradient(m)
		got := shades(m)
		if len(got) != 130 || got[0] > 1 || got[32] < 120 || got[32] > 134 || got[64] < 248 {
			t.Errorf("%T: %d pixels, %v", m, len(got), got)
		}
	}
	clear := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	clear.Set(0, 0, color.NRGBA{0, 0, 0, 0})
	clear.Set(1, 0, color.NRGBA{0, 0, 0, 128})
	if got := shades(clear); got[0] != 255 || got[1] < 126 || got[1] > 128 {
		t.Errorf("see-through: %v, want 255 and about 127", got)
	}
	var b bytes.Buffer
	colours(&b, clear)
	if got := b.Bytes(); got[0] != 255 || got[3] < 126 || got[3] > 128 {
		t.Errorf("see-through in colours: %v", got)
	}
	m, err := jpeg.Decode(bytes.NewReader(cmykJPEG()))
	if err != nil {
		t.Fatal(err)
	}
	if got := shades(m)[0]; got < 100 || got > 156 {
		t.Errorf("half black ink is %d, want about 128", got)
	}
}

func TestBrokenPictures(t *testing.T) {
	whole := encoded(t, func(b *bytes.Buffer) error {
		m := image.NewGray(image.Rect(0, 0, 64, 64))
		gradient(m)
		return jpeg.Encode(b, m, nil)
	})
	for what, broken := range map[string][]byte{"no picture": []byte("hello"), "cut": whole[:len(whole)/2], "nothing": nil} {
		b := sample(t)
		b.Images[0] = page.Image{MediaType: "image/jpeg", Bytes: broken}
		if err := Write(&bytes.Buffer{}, b, Options{Preset: X1a}); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	huge := bytes.Clone(encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 2, 2))) }))
	copy(huge[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65,536 pixels a side
	b := sample(t)
	b.Images[0] = page.Image{MediaType: "image/png", Bytes: huge}
	if err := Write(&bytes.Buffer{}, b, Options{Preset: X1a}); err == nil {
		t.Error("4,294,967,296 pixels: no error")
	}
}

// TestProfile lets Ghostscript's colour library read the profile, and refuse a broken one.
func TestProfile(t *testing.T) {
	dir := t.TempDir()
	good, bad, doc := filepath.Join(dir, "good.icc"), filepath.Join(dir, "bad.icc"), filepath.Join(dir, "x.pdf")
	for name, b := range map[string][]byte{good: grayProfile(), bad: grayProfile()[:300], doc: write(t, sample(t), X4)} {
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := func(profile string) []string {
		return []string{"-q", "-dNOSAFER", "-r20", "-sDEVICE=ppmraw", "-o", filepath.Join(dir, "x.ppm"), "-sDefaultGrayProfile=" + profile,
			doc}
	}
	if out := tool(t, "gs", args(good)...); strings.TrimSpace(out) != "" {
		t.Errorf("gs: %s", out)
	}
	if _, err := exec.Command("gs", args(bad)...).CombinedOutput(); err == nil {
		t.Error("gs takes half a profile: it does not look")
	}
}

func TestCopiedText(t *testing.T) {
	u := &usedFont{}
	for _, s := range []string{" ", "\u00a0", "\u00a0", " ", " "} {
		u.says(3, s)
	}
	u.says(4, "")
	u.says(4, "ffi")
	if got := u.text[3].most(); got != " " {
		t.Errorf("a space mostly: %q", got)
	}
	if got := u.text[4].most(); got != "ffi" {
		t.Errorf("a ligature: %q", got)
	}
}

func TestNoBleedAtTheSpine(t *testing.T) {
	out := string(write(t, sample(t), X1a))
	for _, want := range []string{"/MediaBox[0 0 405 630]/BleedBox[0 0 405 630]/TrimBox[0 9 396 621]",
		"/MediaBox[0 0 405 630]/BleedBox[0 0 405 630]/TrimBox[9 9 405 621]"} {
		if strings.Count(out, want) != 1 {
			t.Errorf("%d pages have %s, want 1", strings.Count(out, want), want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 1: "0.001", -1: "-0.001", 10: "0.01", 100: "0.1", 999: "0.999", 1000: "1",
		-12340: "-12.34", 396001: "396.001", 5005: "5.005"} {
		if got := number(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
