package source

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"testing"
)

// tight are limits that a fuzzer reaches with small files.
func tight() Limits {
	return Limits{File: 1 << 20, Entries: 20, Part: 1 << 16, Total: 1 << 17, Pixels: 10_000, Side: 500}.WithDefaults()
}

// packed is an archive of parts of these sizes, of zeros, which pack to a thousandth.
func packed(t testing.TB, names []string, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, n := range names {
		w, err := z.Create(n)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// lying is an archive whose directory says that its part has size bytes.
func lying(t testing.TB, b []byte, size uint32) []byte {
	t.Helper()
	b = bytes.Clone(b)
	for _, at := range []struct{ head, offset int }{{bytes.Index(b, []byte("PK\x01\x02")), 24},
		{bytes.Index(b, []byte("PK\x03\x04")), 22}} {
		binary.LittleEndian.PutUint32(b[at.head+at.offset:], size)
	}
	return b
}

// TestBombsAreRefused: a part that unpacks to more than it may is refused whatever the directory says of it, and
// so are parts that are small each and large together.
func TestBombsAreRefused(t *testing.T) {
	bomb := packed(t, []string{"a.xml"}, 20<<20)
	many := make([]string, 20)
	for i := range many {
		many[i] = string(rune('a'+i)) + ".xml"
	}
	for name, b := range map[string][]byte{
		"too large": bomb, "said to be small": lying(t, bomb, 10), "said to be huge": lying(t, bomb, 1<<31),
		"large together": packed(t, many, 1<<15),
	} {
		a, err := OpenArchive(b, tight())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := 0
		for _, n := range a.Names() {
			part, err2 := a.Part(n)
			got += len(part)
			err = errors.Join(err, err2)
		}
		var refused Refused
		if !errors.As(err, &refused) || got > 1<<17 {
			t.Errorf("%s: %d bytes, %v", name, got, err)
		}
	}
	if _, err := OpenArchive(packed(t, append(many, "one.xml"), 1), tight()); err == nil {
		t.Error("more parts than an archive may have")
	}
}

func FuzzArchive(f *testing.F) {
	good := packed(f, []string{"a.xml", "A.XML", "../b", "c\\d", "word/document.xml"}, 100)
	f.Add(good)
	f.Add(lying(f, good, 1<<31))
	f.Add(packed(f, []string{"a"}, 1<<17))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l := tight()
		a, err := OpenArchive(b, l)
		if err != nil {
			var refused Refused
			if !errors.As(err, &refused) {
				t.Fatalf("no refusal: %v", err)
			}
			return
		}
		total := 0
		for _, n := range a.Names() {
			part, err := a.Part(n)
			var refused Refused
			if err != nil && !errors.As(err, &refused) {
				t.Fatalf("%q: no refusal: %v", n, err)
			}
			if total += len(part); len(part) > l.Part || total > l.Total {
				t.Fatalf("%q: %d bytes, %d together", n, len(part), total)
			}
		}
	})
}

// pictures are one of each kind that is decoded.
func pictures(t testing.TB) [][]byte {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, 9, 7), color.Palette{color.Black, color.White, color.RGBA{R: 200, A: 255}})
	for i := range m.Pix {
		m.Pix[i] = uint8(i % 3)
	}
	var out [][]byte
	for _, encode := range []func(io.Writer) error{
		func(w io.Writer) error { return png.Encode(w, m) },
		func(w io.Writer) error { return jpeg.Encode(w, m, nil) },
		func(w io.Writer) error { return gif.Encode(w, m, nil) },
	} {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		out = append(out, b.Bytes())
	}
	return out
}

func FuzzPicture(f *testing.F) {
	for _, b := range pictures(f) {
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l := tight()
		m, fault := Picture(b, l)
		if fault != "" {
			return
		}
		if m.Width < 1 || m.Height < 1 || m.Width > l.Side || m.Height > l.Side || m.Width*m.Height > l.Pixels {
			t.Fatalf("%d by %d pixels", m.Width, m.Height)
		}
		c, _, err := image.Decode(bytes.NewReader(m.Bytes))
		if err != nil || c.Bounds().Dx() != m.Width || c.Bounds().Dy() != m.Height {
			t.Fatalf("taken as %d by %d, decoded as %v (%v)", m.Width, m.Height, c, err)
		}
	})
}
