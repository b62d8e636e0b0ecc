package rowschema

import (
	"fmt"

	"mappe/artefacts/kgfile"
	"mappe/shared/web/format"
)

// Layer is one of the public layers of a KG.
type Layer uint8

// The layers, in the order they stand in a GeoPackage.
const (
	Parcels Layer = iota
	Buildings
	Footprints
	Labels
	LandUsePolygons
	LandUsePoints
)

// AllLayers lists the layers.
func AllLayers() []Layer {
	return []Layer{Parcels, Buildings, Footprints, Labels, LandUsePolygons, LandUsePoints}
}

var rowTypes = [...]*format.RowType{Parcel.RowType, Building.RowType, Footprint.RowType, Label.RowType,
	LandUsePolygon.RowType, LandUsePoint.RowType}

// RowType declares the layer's columns.
func (l Layer) RowType() *format.RowType { return rowTypes[l] }

// String is the layer's public name.
func (l Layer) String() string { return rowTypes[l].Name }

// ParseLayer reads a public name.
func ParseLayer(name string) (Layer, error) {
	for _, l := range AllLayers() {
		if l.String() == name {
			return l, nil
		}
	}
	return 0, fmt.Errorf("layer %q is not known: expected one of %v", name, AllLayers())
}

// Len is the number of the layer's rows.
func (l Layer) Len(s *kgfile.Snapshot) int {
	return [...]int{len(s.Parcels), len(s.Buildings), len(s.Footprints), len(s.Labels), len(s.LandUse), len(s.Symbols)}[l]
}

// Rows gives the layer's rows in the snapshot's order; one row value is reused.
func (l Layer) Rows(s *kgfile.Snapshot) format.Seq {
	return func(yield func(format.Row, error) bool) {
		next := l.cursor(s)
		for i := range l.Len(s) {
			if !yield(next(i), nil) {
				return
			}
		}
	}
}

// cursor points the layer's one row value at the row with an index.
func (l Layer) cursor(s *kgfile.Snapshot) func(i int) format.Row {
	switch l {
	case Buildings:
		r := Building.Record()
		return func(i int) format.Row {
			r.Item.KG, r.Item.B, r.Item.Parcel = &s.KG, &s.Buildings[i], ParcelAt(s.Parcels, s.Buildings[i].Parcel)
			return r
		}
	case Footprints:
		r := Footprint.Record()
		return func(i int) format.Row {
			r.Item.KG, r.Item.F, r.Item.Parcel = &s.KG, &s.Footprints[i], ParcelAt(s.Parcels, s.Footprints[i].Parcel)
			return r
		}
	case Labels:
		r := Label.Record()
		return func(i int) format.Row { r.Item.KG, r.Item.L = &s.KG, &s.Labels[i]; return r }
	case LandUsePolygons:
		r := LandUsePolygon.Record()
		return func(i int) format.Row { r.Item.KG, r.Item.U, r.Item.N = &s.KG, &s.LandUse[i], i+1; return r }
	case LandUsePoints:
		r := LandUsePoint.Record()
		return func(i int) format.Row {
			r.Item.KG, r.Item.S, r.Item.N = &s.KG, &s.Symbols[i], i+1
			r.Item.Parcel = ParcelAt(s.Parcels, s.Symbols[i].Parcel)
			return r
		}
	}
	r := Parcel.Record()
	return func(i int) format.Row { r.Item.KG, r.Item.P = &s.KG, &s.Parcels[i]; return r }
}

// Layered are rows that say which layer they are of, for answers with several.
func Layered[T any](s *format.Schema[T], name, doc string) *format.Schema[T] {
	return s.Named(name, doc).With(format.Constant[T](
		format.Column{Name: "_layer", Doc: "Layer of the row.", Enum: []string{name}}, format.String(name)))
}
