package scene

import (
	"bytes"
	"fmt"
)

// useCodes are those of the land register (Nutzungssegment) by use.
var useCodes = [...]int{woods: 56, meadow: 48, arable: 48, village: 83, orchard: 48, vineyard: 53, pond: 60, works: 63, quarry: 84,
	garden: 52, yard: 63, glasshouses: 63}

// Parcel is a parcel of the cadastre: a leaf up to the middle of the ways around it.
type Parcel struct {
	ID   uint64
	Ring []Place // not closed
	Use  int     // code of the land register
}

// Footprint is a building of the cadastre, which lies 0.3 to 1 m beside the true one.
type Footprint struct {
	ID   uint64 // of the building
	Ring []Place
	Gone bool // it was demolished
}

// Line is a line of the community map: power line, road, track, path or stream.
type Line struct {
	Kind   string
	Points []Place
}

// Vectors are the vector layers of a tile: what has its middle in it.
type Vectors struct {
	Parcels    []Parcel
	Footprints []Footprint
	Lines      []Line
	Masts      []Place
}

// Vectors are the vector layers of a tile, at the last date. One in ten buildings is missing, and some that were
// demolished are still there.
func (s *Scene) Vectors(col, row int) *Vectors {
	w := s.window(col, row)
	b := w.box()
	inside := box{b.west - 0.5, b.south - 0.5, b.east + 0.5, b.north + 0.5}
	t := s.tile(col, row)
	v := &Vectors{}
	for _, k := range s.layout.blocks(b) {
		for _, p := range s.layout.leaves(k) {
			if x, y := s.layout.xy(p.middle()); inside.has(x, y) {
				v.Parcels = append(v.Parcels, Parcel{p.id, s.layout.outline(p.rect), useCodes[p.use]})
			}
		}
		if x, y := s.layout.xy(k.middle()); inside.has(x, y) {
			v.Lines = append(v.Lines, s.waysOf(k)...)
		}
	}
	for i := range t.buildings {
		x := &t.buildings[i]
		d := dice(key(s.seed, forCadastre, int(x.ID), 0))
		last := len(Dates) - 1
		if !inside.has(x.At.X, x.At.Y) || !x.Registered || x.Use == "shell" || x.From > last || x.Until <= last && x.Until > 0 &&
			d.is(0.5) {
			continue
		}
		ax, ay := direction(d.f())
		off := d.between(0.3, 1)
		ring := x.Ring()
		for k := range ring {
			ring[k].X += float64(off * ax)
			ring[k].Y += float64(off * ay)
		}
		v.Footprints = append(v.Footprints, Footprint{x.ID, ring, !x.Stands(last)})
	}
	for i := range t.wires {
		if x := &t.wires[i]; i%3 == 1 && inside.has((x.a.X+x.b.X)/2, (x.a.Y+x.b.Y)/2) { // the middle one of three
			v.Lines = append(v.Lines, Line{"power_line", []Place{x.a, x.b}})
		}
	}
	for i := range t.pieces {
		if p := &t.pieces[i]; p.name == "mast" && inside.has(p.c.X, p.c.Y) {
			v.Masts = append(v.Masts, p.c)
		}
	}
	return v
}

// waysOf are the ways at the west and south of a block, and the stream in it.
func (s *Scene) waysOf(b *block) []Line {
	var out []Line
	for side, name := range [2]string{} {
		switch b.ways[side] {
		case noWay:
			continue
		case path:
			name = "path"
		case track:
			name = "track"
		case road:
			name = "road"
		}
		l := Line{Kind: name}
		for i := range 9 {
			u, v := b.u0, lerp(b.v0, b.v1, float64(i)/8)
			if side == 1 {
				u, v = lerp(b.u0, b.u1, float64(i)/8), b.v0
			}
			x, y := s.layout.xy(u, v)
			l.Points = append(l.Points, Place{x, y})
		}
		out = append(out, l)
	}
	l := Line{Kind: "stream"}
	mu, mv := b.middle()
	middle := mv - s.layout.stream(mu, mv, streamPitch)
	for i := 0; i < 13 && middle >= b.v0 && middle < b.v1; i++ {
		u := lerp(b.u0, b.u1, float64(i)/12)
		x, y := s.layout.xy(u, mv-s.layout.stream(u, mv, streamPitch))
		l.Points = append(l.Points, Place{x, y})
	}
	if len(l.Points) > 0 {
		out = append(out, l)
	}
	return out
}

// vectors writes the vector layers.
func (w *Writer) vectors(s *Scene) error {
	var parcels, footprints, infrastructure collection
	for row := range s.opt.Rows {
		for col := range s.opt.Cols {
			v := s.Vectors(col, row)
			for _, p := range v.Parcels {
				parcels.polygon(p.Ring, fmt.Sprintf(`"id":"%016x","ns":%d`, p.ID, p.Use))
			}
			for _, p := range v.Footprints {
				footprints.polygon(p.Ring, fmt.Sprintf(`"id":"%016x","ns":41`, p.ID))
			}
			for _, l := range v.Lines {
				infrastructure.feature("LineString", "["+places(l.Points)+"]", fmt.Sprintf(`"kind":%q`, l.Kind))
			}
			for _, p := range v.Masts {
				infrastructure.feature("Point", places([]Place{p}), `"kind":"power_tower"`)
			}
		}
	}
	for name, c := range map[string]*collection{"parcels": &parcels, "buildings": &footprints, "infrastructure": &infrastructure} {
		if err := w.file("vectors/"+name+".geojson", c.bytes()); err != nil {
			return err
		}
	}
	return nil
}

// collection is a GeoJSON file in metres of EPSG:3035, which GeoJSON of 2008 names by a member that GDAL and QGIS still read.
type collection struct{ b bytes.Buffer }

// feature adds a geometry.
func (c *collection) feature(kind, coordinates, properties string) {
	if c.b.Len() > 0 {
		c.b.WriteString(",\n")
	}
	fmt.Fprintf(&c.b, `{"type":"Feature","properties":{%s},"geometry":{"type":%q,"coordinates":%s}}`, properties, kind, coordinates)
}

// polygon adds a ring that is not closed.
func (c *collection) polygon(ring []Place, properties string) {
	c.feature("Polygon", "[["+places(append(ring, ring[0]))+"]]", properties)
}

func (c *collection) bytes() []byte {
	const head = `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3035"}},"features":[` + "\n"
	return append(append([]byte(head), c.b.Bytes()...), "\n]}\n"...)
}

// places are coordinates in centimetres.
func places(list []Place) string {
	var b []byte
	for i, p := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "[%.2f,%.2f]", p.X, p.Y)
	}
	return string(b)
}
