package paint

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mappe/shared/book/font"
)

var update = flag.Bool("update", false, "write letters.txt anew")

var red = color.NRGBA{R: 255, A: 255}

// shares are how much of each pixel is painted, 0 to 255.
func shares(c *Canvas) [][]int {
	rows := make([][]int, c.h)
	for y := range rows {
		for x := range c.w {
			rows[y] = append(rows[y], int(c.Picture.RGBAAt(x, c.Top+y).A))
		}
	}
	return rows
}

func TestShares(t *testing.T) {
	for name, c := range map[string]struct {
		rings [][]XY
		want  [][]int
	}{
		"whole pixels":  {[][]XY{{{1, 1}, {3, 1}, {3, 2}, {1, 2}}}, [][]int{{0, 0, 0, 0}, {0, 255, 255, 0}, {0, 0, 0, 0}}},
		"the other way": {[][]XY{{{1, 2}, {3, 2}, {3, 1}, {1, 1}}}, [][]int{{0, 0, 0, 0}, {0, 255, 255, 0}, {0, 0, 0, 0}}},
		"half pixels": {[][]XY{{{0.5, 0}, {2.5, 0}, {2.5, 1.5}, {0.5, 1.5}}}, [][]int{{128, 255, 128, 0}, {64, 128, 64, 0}, {0, 0,
			0, 0}}},
		"a triangle": {[][]XY{{{0, 0}, {2, 0}, {0, 2}}}, [][]int{{255, 128, 0, 0}, {128, 0, 0, 0}, {0, 0, 0, 0}}},
		"beyond every side": {[][]XY{{{-9, -9}, {99, -9}, {99, 99}, {-9, 99}}}, [][]int{{255, 255, 255, 255}, {255, 255, 255, 255}, {255,
			255, 255, 255}}},
		"left of the canvas": {[][]XY{{{-5, 0}, {-1, 0}, {-1, 3}, {-5, 3}}}, [][]int{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
		"a hole": {[][]XY{{{0, 0}, {4, 0}, {4, 3}, {0, 3}}, {{1, 1}, {1, 2}, {3, 2}, {3, 1}}}, [][]int{{255, 255, 255, 255},
			{255, 0, 0, 255}, {255, 255, 255, 255}}},
		"twice": {[][]XY{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}}, [][]int{{255, 0, 0, 0}, {0, 0,
			0, 0}, {0, 0, 0, 0}}},
		"neighbours": {[][]XY{{{0, 0}, {1.5, 0}, {1.5, 1}, {0, 1}}, {{1.5, 0}, {3, 0}, {3, 1}, {1.5, 1}}}, [][]int{{255, 255, 255,
			0}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
		"nothing": {[][]XY{{{1, 1}, {2, 2}}, {}, {{float32(math.NaN()), 0}, {1, 1}, {0, 2}}}, nil},
	} {
		canvas := New(4, 3)
		for _, r := range c.rings {
			canvas.Area(r)
		}
		canvas.Paint(red)
		if got := shares(canvas); c.want != nil && fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The sum of the shares is the area of a convex shape within the canvas, wherever it lies.
func TestAreas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := XY{rapid.Float32Range(1, 39).Draw(t, "ax"), rapid.Float32Range(1, 39).Draw(t, "ay")}
		b := XY{rapid.Float32Range(1, 39).Draw(t, "bx"), rapid.Float32Range(1, 39).Draw(t, "by")}
		c := XY{rapid.Float32Range(1, 39).Draw(t, "cx"), rapid.Float32Range(1, 39).Draw(t, "cy")}
		want := math.Abs(float64((b.X-a.X)*(c.Y-a.Y)-(c.X-a.X)*(b.Y-a.Y))) / 2
		canvas := New(40, 40)
		canvas.Area([]XY{a, b, c})
		got := 0.0
		for y := range canvas.h {
			sum := float32(0)
			for x := range canvas.w {
				sum += canvas.share[y*canvas.stride+x]
				got += math.Abs(float64(sum))
			}
		}
		if math.Abs(got-want) > 0.01+want*1e-3 {
			t.Fatalf("%v %v %v: %.4f, want %.4f", a, b, c, got, want)
		}
		// In strips the picture is the same.
		whole := image.NewRGBA(image.Rect(0, 0, 40, 40))
		s := Strip(whole, 0, 16)
		for top := 0; top < 40; top += 16 {
			s.Move(top, min(top+16, 40))
			s.Area([]XY{a, b, c})
			s.Mix(red)
			s.PaintMix(1)
			s.Area([]XY{c, b, {a.Y, a.X}})
			s.Paint(color.NRGBA{G: 255, A: 255})
		}
		canvas.Mix(red)
		canvas.PaintMix(1)
		canvas.Area([]XY{c, b, {a.Y, a.X}})
		canvas.Paint(color.NRGBA{G: 255, A: 255})
		for i := range whole.Pix {
			if d := int(whole.Pix[i]) - int(canvas.Picture.Pix[i]); d > 1 || d < -1 {
				t.Fatalf("byte %d: %d in strips, %d at once", i, whole.Pix[i], canvas.Picture.Pix[i])
			}
		}
	})
}

func TestLines(t *testing.T) {
	c := New(5, 3)
	c.Line(XY{0, 1.5}, XY{5, 1.5}, 0.5)
	c.Paint(red)
	if got := shares(c); fmt.Sprint(got[1]) != "[128 128 128 128 128]" || got[0][2] != 0 {
		t.Errorf("%v", got)
	}
	c.Line(XY{2, 2}, XY{2, 2}, 3) // no length
	c.Paint(red)
}

// A line around a corner is closed on its outer side, whichever way it turns, and loses nothing.
func TestCorners(t *testing.T) {
	for name, points := range map[string][3]XY{"left": {{5, 30}, {20, 30}, {35, 20}}, "right": {{5, 10}, {20, 10}, {35, 20}},
		"back": {{35, 20}, {20, 30}, {5, 30}}, "straight": {{5, 10}, {20, 10}, {35, 10}}} {
		c := New(40, 40)
		c.Line(points[0], points[1], 4)
		c.Line(points[1], points[2], 4)
		c.Join(points[0], points[1], points[2], 4)
		left, right := float32(0), float32(0)
		for y := range c.h {
			sum := float32(0)
			for x := range c.w {
				sum += c.share[y*c.stride+x]
				left, right = min(left, sum), max(right, sum)
			}
		}
		if left < -0.01 && right > 0.01 { // the corner would take away from the lines
			t.Errorf("%s: shares of %.2f and of %.2f", name, left, right)
		}
		c.Paint(red)
		ux, uy := points[1].X-points[0].X, points[1].Y-points[0].Y
		outer := XY{points[1].X, points[1].Y}
		if name != "straight" { // a pixel on the outer side of the corner, which the lines alone leave half open
			side := float32(1)
			if vx, vy := points[2].X-points[1].X, points[2].Y-points[1].Y; ux*vy-uy*vx > 0 {
				side = -1
			}
			l := float32(math.Hypot(float64(ux), float64(uy)))
			outer = XY{outer.X - uy/l*side*1.4, outer.Y + ux/l*side*1.4}
		}
		if a := c.Picture.RGBAAt(int(outer.X), int(outer.Y)).A; a < 200 {
			t.Errorf("%s: %d at the corner %v", name, a, outer)
		}
	}
}

func TestColoursLieOver(t *testing.T) {
	c := New(1, 1)
	pixel := []XY{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	for _, of := range []color.NRGBA{{255, 255, 255, 255}, {R: 255, A: 128}} {
		c.Area(pixel)
		c.Paint(of)
	}
	if got := c.Picture.RGBAAt(0, 0); got != (color.RGBA{255, 127, 127, 255}) {
		t.Errorf("%v", got)
	}
}

// Two colours that share a pixel leave nothing of the ground, and their mean.
func TestMixedColoursLeaveNoSeam(t *testing.T) {
	c := New(3, 1)
	c.Area([]XY{{0, 0}, {1.5, 0}, {1.5, 1}, {0, 1}})
	c.Mix(color.NRGBA{R: 200, A: 255})
	c.Area([]XY{{1.5, 0}, {2.5, 0}, {2.5, 1}, {1.5, 1}})
	c.Mix(color.NRGBA{B: 200, A: 255})
	c.PaintMix(1)
	want := []color.RGBA{{200, 0, 0, 255}, {100, 0, 100, 255}, {0, 0, 100, 128}}
	for x, w := range want {
		if got := c.Picture.RGBAAt(x, 0); got != w {
			t.Errorf("pixel %d: %v, want %v", x, got, w)
		}
	}
}

// written are the letters of pictures: printable ASCII and the letters of German.
const written = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~ÄÖÜäöüß²€–"

// path writes an outline in thousandths of an em.
type path struct {
	b  *bytes.Buffer
	em float32
}

func (p path) put(op string, v ...float32) {
	p.b.WriteString(" " + op)
	for _, x := range v {
		fmt.Fprintf(p.b, " %d", int(math.Round(float64(x*1000/p.em))))
	}
}

func (p path) MoveTo(x, y float32)                 { p.put("M", x, y) }
func (p path) LineTo(x, y float32)                 { p.put("L", x, y) }
func (p path) QuadTo(x1, y1, x, y float32)         { p.put("Q", x1, y1, x, y) }
func (p path) CubeTo(x1, y1, x2, y2, x, y float32) { p.put("C", x1, y1, x2, y2, x, y) }

// The letters are those of the font, and each has its outline.
func TestLettersAreTheFonts(t *testing.T) {
	f, err := font.Open(font.Libertine, font.Regular)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, c := range written {
		glyphs := f.Shape(nil, string(c), font.Features{Plain: true})
		if len(glyphs) != 1 {
			t.Fatalf("%q has %d glyphs", c, len(glyphs))
		}
		fmt.Fprintf(&b, "%x %d", c, int(math.Round(float64(glyphs[0].Advance)*1000/float64(f.UnitsPerEm()))))
		f.Outline(glyphs[0].ID, path{&b, float32(f.UnitsPerEm())})
		b.WriteString("\n")
	}
	if *update {
		if err := os.WriteFile("letters.txt", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		lettersText = b.String()
	}
	if b.String() != lettersText {
		t.Error("letters.txt is not what the font says: go test ./shared/geo/paint -update")
	}
	for _, c := range written {
		if l := letters()[c]; l == nil || l.advance <= 0 || c != ' ' && len(l.rings) == 0 {
			t.Errorf("%q has no outline", c)
		}
	}
}

// A digit is as dark as its strokes, and stands where it was put.
func TestText(t *testing.T) {
	c := New(40, 20)
	c.Text("1", Centred("1", XY{20, 10}, 20), Lettering{Em: 20, Ink: red})
	sum, left, right := 0, 40, 0
	for y, row := range shares(c) {
		for x, a := range row {
			if sum += a; a > 0 {
				left, right = min(left, x), max(right, x)
				if y < 2 || y > 17 {
					t.Fatalf("the digit reaches row %d", y)
				}
			}
		}
	}
	if area := float64(sum) / 255; area < 15 || area > 60 || left < 14 || right > 26 {
		t.Errorf("%.1f pixels from %d to %d", area, left, right)
	}
	if Width("11", 10) != 2*Width("1", 10) || Width("☃", 10) != Width("?", 10) {
		t.Error("widths")
	}
	halo := New(40, 20)
	halo.Text("1", XY{15, 15}, Lettering{Em: 20, Ink: red, Halo: color.NRGBA{255, 255, 255, 255}, HaloWidth: 2})
	if a := strings.Count(fmt.Sprint(shares(halo)), "255"); a < 60 {
		t.Errorf("the halo covers %d pixels", a)
	}
}
