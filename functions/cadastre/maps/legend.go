package maps

import (
	"image"
	"image/color"
	"image/draw"

	"mappe/shared/austria"
	"mappe/shared/geo/paint"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// Measures of a legend in pixels.
const (
	entryHeight = 20
	swatch      = 24
	legendText  = 13
	legendPad   = 6
)

// entry is a line of a legend.
type entry struct {
	title string
	fill  color.NRGBA
	line  color.NRGBA
	width float32
	text  string // in the place of a swatch
	hatch bool   // the swatch is hatched
	lines spread // its hatching by uncertainty
	head  bool   // a line of text over the next ones
}

// legend are the lines of a layer, the uppermost layer first.
func (l layer) legend(in locale) (list []entry) {
	switch l {
	case labels:
		return []entry{{title: in.of("Parcel number"), text: "12/3"}}
	case kgs:
		return []entry{{title: in.of("Katastralgemeinde"), line: inkKG, width: 2}, {title: in.of("KG without data here"), hatch: true}}
	case parcels:
		return []entry{{title: in.of("Parcel"), line: inkParcel, width: 1}}
	case footprints:
		return []entry{{title: in.of("Building"), fill: house, line: inkHouse, width: 1}}
	case natura, protected:
		fill := overInk[l]
		fill.A = overAlpha
		return []entry{{title: in.of(l.describedAs().title), fill: fill, line: overInk[l], width: overWidth}}
	case relief:
		steep := func(s shade) color.NRGBA {
			return color.NRGBA{R: uint8(s.r), G: uint8(s.g), B: uint8(s.b), A: uint8(255*s.a + 0.5)}
		}
		return []entry{{title: in.of("Slope away from the light"), fill: steep(shadow)},
			{title: in.of("Slope towards the light (north-west)"), fill: steep(highlight), line: inkUnbuilt, width: 1}}
	case prices:
		return legendOfPrices(in)
	case landUse:
		for _, c := range austria.AllLandUseClasses() {
			list = append(list, entry{title: in.of(classes[c].title), fill: classes[c].colour})
		}
		return list
	}
	if l.cells() {
		return l.choice().legend(in)
	}
	for i := len(all) - 1; i >= 0; i-- {
		list = append(list, all[i].layer.legend(in)...)
	}
	return list
}

// sizeOf is the width and height of a legend.
func sizeOf(list []entry) (w, h int) {
	for _, e := range list {
		w = max(w, int(paint.Width(e.title, legendText))+1)
	}
	return swatch + w + 3*legendPad, len(list)*entryHeight + 2*legendPad
}

func (s *service) getLegend(r *endpoint.Request) (reply.Answer, error) {
	if err := need(r, getLegend, pLegend); err != nil {
		return nil, err
	}
	as := pFormat.Of(r)
	if as == "text/xml" {
		return nil, pFormat.Bad(r, "image/png or image/jpeg")
	}
	in, err := localeOf(r)
	if err != nil {
		return nil, err
	}
	body, err := encoded(drawLegend(pLegend.Of(r).legend(in), pClear.Of(r) && as == asPNG), as)
	return &reply.Bytes{ContentType: as, Body: body, Header: in.header()}, err
}

// drawLegend draws the lines of a legend.
func drawLegend(list []entry, clear bool) *image.RGBA {
	w, h := sizeOf(list)
	c := paint.New(w, h)
	if !clear {
		draw.Draw(c.Picture, c.Picture.Rect, image.White, image.Point{}, draw.Src)
	}
	for i, e := range list {
		top := float32(legendPad + i*entryHeight)
		left, right, low := float32(legendPad), float32(legendPad+swatch), top+entryHeight-4
		corners := []paint.XY{{X: left, Y: top + 2}, {X: right, Y: top + 2}, {X: right, Y: low}, {X: left, Y: low}}
		if e.fill.A > 0 {
			c.Area(corners)
			c.Paint(e.fill)
		}
		if e.lines.step > 0 {
			c.Area(corners)
			c.PaintAs(e.lines.line)
		}
		for k, p := range corners {
			if e.width > 0 {
				c.Line(p, corners[(k+1)%4], e.width)
			}
		}
		c.Paint(e.line)
		for x := float32(0); e.hatch && x < swatch; x += hatchStep / 2 {
			d := min(low-top-2, right-left-x)
			c.Line(paint.XY{X: left + x, Y: low}, paint.XY{X: left + x + d, Y: low - d}, hatchWidth)
		}
		c.Paint(inkUnbuilt)
		base := top + entryHeight - 6
		if e.text != "" {
			c.Text(e.text, paint.XY{X: left, Y: base}, numbersOf(legendText))
		}
		if e.head {
			right = left - legendPad
		}
		c.Text(e.title, paint.XY{X: right + legendPad, Y: base}, paint.Lettering{Em: legendText, Ink: inkNumber})
	}
	return c.Picture
}
