package kgdocs

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

var kinds = [...]*format.Kind{Parcel, Building, Footprint, Label, LandUsePolygon, LandUsePoint}

// Kind declares the layer's columns.
func (l Layer) Kind() *format.Kind { return kinds[l] }

// String is the layer's public name.
func (l Layer) String() string { return kinds[l].Name }

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
		r := &BuildingRow{KG: &s.KG}
		return func(i int) format.Row {
			r.B, r.Parcel = &s.Buildings[i], parcelAt(s, s.Buildings[i].Parcel)
			return r
		}
	case Footprints:
		r := &FootprintRow{KG: &s.KG}
		return func(i int) format.Row {
			r.F, r.Parcel = &s.Footprints[i], parcelAt(s, s.Footprints[i].Parcel)
			return r
		}
	case Labels:
		r := &LabelRow{KG: &s.KG}
		return func(i int) format.Row { r.L = &s.Labels[i]; return r }
	case LandUsePolygons:
		r := &LandUsePolygonRow{KG: &s.KG}
		return func(i int) format.Row { r.U, r.N = &s.LandUse[i], i+1; return r }
	case LandUsePoints:
		r := &LandUsePointRow{KG: &s.KG}
		return func(i int) format.Row {
			r.S, r.Parcel, r.N = &s.Symbols[i], parcelAt(s, s.Symbols[i].Parcel), i+1
			return r
		}
	}
	r := &ParcelRow{KG: &s.KG}
	return func(i int) format.Row { r.P = &s.Parcels[i]; return r }
}

func parcelAt(s *kgfile.Snapshot, i int32) *kgfile.Parcel {
	if i < 0 || int(i) >= len(s.Parcels) {
		return nil
	}
	return &s.Parcels[i]
}
