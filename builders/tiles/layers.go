package tiles

import (
	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// Layer is one of the layers of the tiles.
type Layer uint8

// The layers, in drawing order.
const (
	KG Layer = iota
	LandUse
	Parcels
	Footprints
	Labels
)

// AllLayers lists the layers in drawing order.
func AllLayers() []Layer { return []Layer{KG, LandUse, Parcels, Footprints, Labels} }

// spec is what the metadata says of a layer.
type spec struct {
	name, doc string
	minZoom   uint8
	fields    map[string]string
}

const (
	text   = "String"
	number = "Number"
)

var specs = [...]spec{
	KG:      {"kg", "Outlines of the Katastralgemeinden", MinZoom, map[string]string{"kg_code": text, "kg_name": text}},
	LandUse: {"landuse", "Land-use areas", 13, map[string]string{"ns": number, "abbr": text}},
	Parcels: {"parcels", "Parcels", 13, map[string]string{"parcel_id": text, "gnr": text, "ez": number, "status": text,
		"area_sqm": number}},
	Footprints: {"footprints", "Building footprints", 14, map[string]string{"footprint_id": text}},
	Labels:     {"labels", "Parcel numbers", MaxZoom, map[string]string{"parcel_id": text, "gnr": text, "rotation": number}},
}

func (l Layer) String() string { return specs[l].name }

// sheet is a layer, projected: its features, and the keys and values that they share.
type sheet struct {
	name     string
	minZoom  uint8
	maxZoom  uint8
	fixed    bool // Options.FromZoom does not hold for it
	keys     []string
	values   []mvt.Value
	features []feature
	keyAt    map[string]uint32
	valueAt  map[mvt.Value]uint32
}

// add appends a feature with its attributes; those without a value are left out.
func (s *sheet) add(f feature, attrs ...mvt.Attr) {
	f.tags = make([]uint32, 0, 2*len(attrs))
	for _, a := range attrs {
		if a.Value.Kind == mvt.KindNone {
			continue
		}
		k, ok := s.keyAt[a.Key]
		if !ok {
			k = uint32(len(s.keys))
			s.keyAt[a.Key] = k
			s.keys = append(s.keys, a.Key)
		}
		v, ok := s.valueAt[a.Value]
		if !ok {
			v = uint32(len(s.values))
			s.valueAt[a.Value] = v
			s.values = append(s.values, a.Value)
		}
		f.tags = append(f.tags, k, v)
	}
	s.features = append(s.features, f)
}

// addArea appends polygons; without any there is nothing to draw.
func (s *sheet) addArea(m geom.MultiPolygon, attrs ...mvt.Attr) {
	if f, ok := areaFeature(m); ok {
		s.add(f, attrs...)
	}
}

// sheet projects the rows of a layer.
func (l Layer) sheet(s *kgfile.Snapshot) sheet {
	out := sheet{name: l.String(), minZoom: specs[l].minZoom, maxZoom: MaxZoom, fixed: l == Labels, keyAt: map[string]uint32{},
		valueAt: map[mvt.Value]uint32{}}
	switch l {
	case KG:
		out.addArea(s.Outline, str("kg_code", string(s.KG.Code)), str("kg_name", s.KG.Name))
	case LandUse:
		for i := range s.LandUse {
			u := &s.LandUse[i]
			out.addArea(u.Geometry, mvt.Attr{Key: "ns", Value: mvt.Uint(uint64(u.NS))}, str("abbr", u.NS.Abbr()))
		}
	case Parcels:
		for i := range s.Parcels {
			p := &s.Parcels[i]
			out.addArea(p.Geometry, parcelAttrs(s.KG.Code, p)...)
		}
	case Footprints:
		for i := range s.Footprints {
			f := &s.Footprints[i]
			out.addArea(f.Geometry, str("footprint_id", austria.FootprintID{KG: s.KG.Code, N: f.N}.String()))
		}
	case Labels:
		labels(&out, s)
	}
	out.keyAt, out.valueAt = nil, nil // done
	return out
}

// parcelAttrs are the attributes of a parcel in the tiles; what is not known is left out.
func parcelAttrs(kg austria.KGCode, p *kgfile.Parcel) []mvt.Attr {
	attrs := []mvt.Attr{
		str("parcel_id", austria.ParcelID{KG: kg, GNR: p.GNR}.String()),
		str("gnr", string(p.GNR)),
		{Key: "ez"},
		str("status", p.Status.String()),
		{Key: "area_sqm", Value: mvt.Double(p.AreaSqm)},
	}
	if p.EZ != 0 {
		attrs[2].Value = mvt.Uint(uint64(p.EZ))
	}
	return attrs
}

// labels are the map's own number labels, and for a parcel without one its surface point.
func labels(out *sheet, s *kgfile.Snapshot) {
	have := make(map[austria.GNR]bool, len(s.Labels))
	add := func(f feature, gnr austria.GNR, rotation float64) {
		turn := mvt.Attr{Key: "rotation"}
		if rotation != 0 {
			turn.Value = mvt.Double(rotation)
		}
		out.add(f, str("parcel_id", austria.ParcelID{KG: s.KG.Code, GNR: gnr}.String()), str("gnr", string(gnr)), turn)
	}
	for i := range s.Labels {
		l := &s.Labels[i]
		have[l.GNR] = true
		add(pointFeature(l.At), l.GNR, l.Rotation)
	}
	for i := range s.Parcels {
		if p := &s.Parcels[i]; !have[p.GNR] {
			add(pointFeature(p.Inside), p.GNR, 0)
		}
	}
}

// str is a text attribute, left out when empty.
func str(key, value string) mvt.Attr {
	if value == "" {
		return mvt.Attr{Key: key}
	}
	return mvt.Attr{Key: key, Value: mvt.String(value)}
}

// Metadata is the JSON object of an archive, as TileJSON readers know it.
type Metadata struct {
	Name         string        `json:"name"`
	Description  string        `json:"description"`
	Attribution  string        `json:"attribution"`
	License      string        `json:"license"`
	Stichtag     string        `json:"stichtag,omitempty"`
	KGCode       string        `json:"kg_code,omitempty"`
	Type         string        `json:"type"`
	Format       string        `json:"format"`
	Recipe       string        `json:"recipe,omitempty"` // what the archive was made of, where a later one may take it over
	VectorLayers []VectorLayer `json:"vector_layers"`
}

// VectorLayer describes one layer in the metadata.
type VectorLayer struct {
	ID          string            `json:"id"`
	Description string            `json:"description"`
	MinZoom     uint8             `json:"minzoom"`
	MaxZoom     uint8             `json:"maxzoom"`
	Fields      map[string]string `json:"fields"` // marshalled in the order of the names
}

// newMetadata describes the layers; name, date and code are the caller's.
func newMetadata(source string, layers []Layer) Metadata {
	m := Metadata{
		Description: rowschema.Title, Attribution: source, License: rowschema.LicenseURL,
		Type: "overlay", Format: "pbf",
	}
	for _, l := range layers {
		m.VectorLayers = append(m.VectorLayers, VectorLayer{l.String(), specs[l].doc, specs[l].minZoom, MaxZoom, specs[l].fields})
	}
	return m
}
