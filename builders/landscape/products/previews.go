package products

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"strconv"

	"mappe/artefacts/cog"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
)

// ramp is how values become colours: stops by rising value, between which colours change evenly. A relative ramp runs from the
// least to the greatest value of the KG.
type ramp struct {
	relative bool
	stops    []stop
	decimals int
}

type stop struct {
	at     float64 // of a relative ramp 0 to 1
	colour color.RGBA
}

func rgb(v uint32) color.RGBA { return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255} }

// The ramps.
var (
	heights = ramp{relative: true, stops: []stop{{0, rgb(0x1d6b4f)}, {0.25, rgb(0x8fbf6a)}, {0.5, rgb(0xe9dc9a)}, {0.75, rgb(0xb5835a)},
		{1, rgb(0xf7f4f2)}}}
	canopy = ramp{stops: []stop{{0, rgb(0xfbfbf4)}, {2, rgb(0xd9e6a8)}, {5, rgb(0x9ccb6b)}, {10, rgb(0x4d9f4a)}, {20, rgb(0x1b6b3a)},
		{35, rgb(0x0b2f3a)}}}
	steepness = ramp{stops: []stop{{0, rgb(0xffffff)}, {10, rgb(0xffeda0)}, {20, rgb(0xfeb24c)}, {35, rgb(0xf03b20)}, {60, rgb(0x5a0a2a)}}}
	greenness = ramp{decimals: 1, stops: []stop{{-0.2, rgb(0x8c6d46)}, {0.1, rgb(0xd8c9a3)}, {0.3, rgb(0xd9e6a8)}, {0.6, rgb(0x4d9f4a)},
		{0.9, rgb(0x0b4f2a)}}}
)

// of is the colour of a value that lies between the least and the greatest of a relative ramp.
func (r *ramp) of(v, least, most float64) color.RGBA {
	if r.relative {
		v = (v - least) / math.Max(most-least, 1e-9)
	}
	s := r.stops
	if v <= s[0].at {
		return s[0].colour
	}
	for i := 1; i < len(s); i++ {
		if v <= s[i].at {
			t := (v - s[i-1].at) / (s[i].at - s[i-1].at)
			mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(float64(a)*(1-t)) + float64(float64(b)*t))) }
			a, b := s[i-1].colour, s[i].colour
			return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
		}
	}
	return s[len(s)-1].colour
}

// labels are the entries of a legend.
func (r *ramp) labels(unit string, least, most float64) (out []entry) {
	for _, s := range r.stops {
		v := s.at
		if r.relative {
			v = least + float64(s.at*(most-least))
		}
		text := strconv.FormatFloat(v, 'f', r.decimals, 64)
		if unit != "" {
			text += " " + unit
		}
		out = append(out, entry{s.colour, text})
	}
	return out
}

// previewSide is how many pixels a preview has at most in a direction, without its legend.
const previewSide = 1024

// previews are pictures of the rasters that have a ramp, and of the segments by their type.
func (w *workshop) previews() (out []product) {
	for _, l := range w.rasters {
		if l.ramp == nil {
			continue
		}
		out = append(out, product{name: l.name + ".png", title: l.title + ": preview", set: landprocess.Analysis,
			roles: []string{"overview"},
			make:  func(ctx context.Context, path string) error { return w.picture(ctx, l, path) }})
	}
	return append(out, product{name: "segments.png", title: "Segments by their type: preview", set: landprocess.Analysis,
		roles: []string{"thumbnail", "overview"}, make: func(_ context.Context, path string) error { return w.mapOfSegments(path) }})
}

// picture draws a raster from the finest resolution that is small enough.
func (w *workshop) picture(ctx context.Context, l *layer, path string) error {
	o, err := w.open(ctx, l)
	if err != nil {
		return err
	}
	defer o.in.Close() // read only
	im := o.small()
	g, err := o.Read(o.in, im, 0, cog.Window{Cols: im.Width, Rows: im.Height})
	if err != nil {
		return err
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range g.Z {
		if v := float64(v); v == v {
			least, most = math.Min(least, v), math.Max(most, v)
		}
	}
	img, legend := w.canvas(g), []entry{nothing}
	if least <= most {
		for i, v := range g.Z {
			if v == v {
				img.SetRGBA(i%g.Cols, i/g.Cols, l.ramp.of(float64(v), least, most))
			}
		}
		legend = append(l.ramp.labels(l.unit, least, most), nothing)
	}
	return save(path, framed(img, w.heading(l.title, l.date), legend, g.Step))
}

// mapOfSegments draws the segments in the colours of their types; the legend has the types that there are, by their area.
func (w *workshop) mapOfSegments(path string) error {
	box := raster.BoxOf(w.Outline)
	step := math.Max(1, math.Ceil(math.Max(box.East-box.West, box.North-box.South)/previewSide))
	box = box.Aligned(step)
	at := &raster.Grid{West: box.West, North: box.North, Step: step, Cols: int((box.East - box.West) / step),
		Rows: int((box.North - box.South) / step)}
	img := w.canvas(at)
	for i := range w.KG.Segments {
		s := &w.KG.Segments[i]
		polygons := onplane.Polygons(s.Geometry)
		part := raster.BoxOf(polygons).Aligned(step)
		part = raster.Box{West: math.Max(part.West, box.West), South: math.Max(part.South, box.South), East: math.Min(part.East, box.East),
			North: math.Min(part.North, box.North)}
		if !(part.West < part.East && part.South < part.North) {
			continue
		}
		own := &raster.Grid{West: part.West, North: part.North, Step: step, Cols: int((part.East - part.West) / step),
			Rows: int((part.North - part.South) / step)}
		m := raster.MaskOf(own, polygons)
		c0, r0 := int((part.West-at.West)/step), int((at.North-part.North)/step)
		c := rgb(uint32(s.Type.Info().Colour))
		for row := range own.Rows {
			m.Each(row, func(from, to int) {
				for col := from; col < to; col++ {
					img.SetRGBA(c0+col, r0+row, c)
				}
			})
		}
	}
	var legend []entry
	for _, l := range w.KG.Landcover {
		legend = append(legend, entry{rgb(uint32(l.Type.Info().Colour)),
			l.Type.String() + " " + strconv.FormatFloat(100*l.Fraction, 'f', 1, 64) + " %"})
	}
	return save(path, framed(img, w.heading("segments by type", w.date()), append(legend, nothing), step))
}

// date is that of the laser scan, else of the snapshot.
func (w *workshop) date() string {
	if w.Ground != nil {
		return w.Ground.Date
	}
	return w.Row.Snapshot.Date
}

// heading stands above a preview. The name of a KG may have letters that the font lacks.
func (w *workshop) heading(title, date string) string {
	return "KG " + string(w.Row.Code) + ": " + title + ", " + date
}

// nothing is the entry of places in the KG where nothing is known.
var nothing = entry{rgb(0xe4e4e4), "not known"}

// canvas is a picture of a grid with the KG on it, of which nothing is known yet.
func (w *workshop) canvas(at *raster.Grid) *image.RGBA {
	img, m := blank(at.Cols, at.Rows), raster.MaskOf(at, w.Outline)
	for row := range at.Rows {
		m.Each(row, func(from, to int) {
			for col := from; col < to; col++ {
				img.SetRGBA(col, row, nothing.colour)
			}
		})
	}
	return img
}

func blank(cols, rows int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, cols, rows))
	for i := range img.Pix {
		img.Pix[i] = 0xff
	}
	return img
}

func save(path string, img image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}

// entry is a line of a legend.
type entry struct {
	colour color.RGBA
	text   string
}

// The measures of a frame in pixels.
const (
	margin    = 12
	lineHigh  = 18
	swatch    = 12
	glyphWide = 6 // of the letters, which are 7 high
	scale     = 2 // of the letters of the title
)

// framed puts a picture into a frame: title above, legend to the right, scale bar below.
func framed(pic *image.RGBA, title string, legend []entry, step float64) *image.RGBA {
	wide := 0
	for _, e := range legend {
		wide = max(wide, len([]rune(e.text))*glyphWide)
	}
	side := margin + swatch + 6 + wide + margin
	top := margin + 7*scale + margin
	size := pic.Bounds().Size()
	width := max(2*margin+size.X+side, 2*margin+len([]rune(title))*glyphWide*scale)
	height := max(top+size.Y+margin+20, top+len(legend)*lineHigh+margin)
	out := blank(width, height)
	write(out, margin, margin, title, scale)
	for y := range size.Y {
		copy(out.Pix[out.PixOffset(margin, top+y):], pic.Pix[pic.PixOffset(0, y):pic.PixOffset(0, y)+4*size.X])
	}
	for i, e := range legend {
		x, y := margin+size.X+margin, top+i*lineHigh
		for dy := range swatch {
			for dx := range swatch {
				c := e.colour
				if dx == 0 || dy == 0 || dx == swatch-1 || dy == swatch-1 {
					c = color.RGBA{90, 90, 90, 255}
				}
				out.SetRGBA(x+dx, y+dy, c)
			}
		}
		write(out, x+swatch+6, y+3, e.text, 1)
	}
	bar(out, margin, top+size.Y+6, size.X, step)
	return out
}

// bar draws a scale bar of a round length, at most a third of the picture.
func bar(out *image.RGBA, x, y, wide int, step float64) {
	metres := 1.0
	for _, m := range []float64{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000} {
		if m/step <= float64(wide)/3 {
			metres = m
		}
	}
	n := int(metres / step)
	for i := range n {
		for d := range 3 {
			out.SetRGBA(x+i, y+d, color.RGBA{40, 40, 40, 255})
		}
	}
	text := strconv.Itoa(int(metres)) + " m"
	if metres >= 1000 {
		text = strconv.Itoa(int(metres/1000)) + " km"
	}
	write(out, x+n+6, y-2, text, 1)
}
