package tiles

import (
	"errors"
	"maps"
	"slices"

	"mappe/artefacts/pmt"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// Base is a map of the country under the cadastre: layers of lines, areas and points, drawn into one archive.
type Base struct {
	Name, Description    string
	Attribution, License string // license is its URL
	Stichtag             string
	Recipe               string // what the tiles are made of, for who takes them over; "" says nothing
	sheets               []*BaseLayer
	box                  geom.Box
}

// BaseMaxZoom is the highest zoom of a base map; clients enlarge its tiles beyond.
const BaseMaxZoom = 14

// BaseLayer is a layer of a base map.
type BaseLayer struct {
	base   *Base
	doc    string
	fields map[string]string
	sheet
}

// Layer begins a layer; layers are drawn in the order in which they began. minZoom is the lowest zoom that shows
// anything of it.
func (b *Base) Layer(name, doc string, minZoom uint8) *BaseLayer {
	l := &BaseLayer{base: b, doc: doc, fields: map[string]string{}, sheet: sheet{name: name, minZoom: minZoom,
		maxZoom: BaseMaxZoom,
		keyAt:   map[string]uint32{}, valueAt: map[mvt.Value]uint32{}}}
	if len(b.sheets) == 0 {
		b.box = geom.EmptyBox
	}
	b.sheets = append(b.sheets, l)
	return l
}

// UpTo has the layer end at a zoom below the highest; clients enlarge its tiles beyond.
func (l *BaseLayer) UpTo(zoom uint8) *BaseLayer {
	l.maxZoom = min(l.maxZoom, zoom)
	return l
}

// put adds a feature that is shown from a zoom on.
func (l *BaseLayer) put(f feature, box geom.Box, from uint8, attrs []mvt.Attr) {
	for _, a := range attrs {
		switch a.Value.Kind {
		case mvt.KindNone:
		case mvt.KindString:
			l.fields[a.Key] = text
		default:
			l.fields[a.Key] = number
		}
	}
	f.from = from
	l.base.box = l.base.box.Union(box)
	l.add(f, attrs...)
}

// Line adds a line.
func (l *BaseLayer) Line(from uint8, line []geom.Point, attrs ...mvt.Attr) {
	if f, ok := lineFeature(line); ok {
		l.put(f, geom.Ring(line).Bounds(), from, attrs)
	}
}

// Area adds polygons.
func (l *BaseLayer) Area(from uint8, m geom.MultiPolygon, attrs ...mvt.Attr) {
	if f, ok := areaFeature(m); ok {
		l.put(f, m.Bounds(), from, attrs)
	}
}

// AreaBetween adds polygons that are shown between two zooms, both included.
func (l *BaseLayer) AreaBetween(from, to uint8, m geom.MultiPolygon, attrs ...mvt.Attr) {
	if f, ok := areaFeature(m); ok {
		f.to = to
		l.put(f, m.Bounds(), from, attrs)
	}
}

// Point adds a point.
func (l *BaseLayer) Point(from uint8, p geom.Point, attrs ...mvt.Attr) {
	l.put(pointFeature(p), geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, from, attrs)
}

// Text is an attribute that is left out when it is empty.
func Text(key, value string) mvt.Attr { return str(key, value) }

// Encode draws the archive on some workers; the bytes do not depend on their number. nil: there is nothing to draw.
func (b *Base) Encode(workers int) ([]byte, error) {
	meta := Metadata{Name: b.Name, Description: b.Description, Attribution: b.Attribution, License: b.License, Stichtag: b.Stichtag,
		Type: "baselayer", Format: "pbf", Recipe: b.Recipe}
	var d drawing
	for _, l := range b.sheets {
		if len(l.features) == 0 {
			continue
		}
		meta.VectorLayers = append(meta.VectorLayers, VectorLayer{l.name, l.doc, l.minZoom, l.maxZoom, maps.Clone(l.fields)})
		d = append(d, l.sheet)
	}
	if len(d) == 0 {
		return nil, nil
	}
	jobs := d.plan(0)
	if len(jobs) == 0 {
		return nil, errors.New("base map: features, and no tile shows one")
	}
	done, err := d.draw(jobs, max(1, workers))
	if err != nil {
		return nil, err
	}
	return pmt.Encode(pmt.Options{Type: pmt.MVT, TileCompression: pmt.Gzip, MinLon: b.box.MinX, MinLat: b.box.MinY, MaxLon: b.box.MaxX,
		MaxLat:     b.box.MaxY,
		CenterZoom: 12, Metadata: meta}, slices.Clip(done))
}
