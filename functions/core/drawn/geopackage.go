package drawn

import (
	"encoding/json"
	"fmt"
	"math"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/wkb"
	"mappe/shared/web/fault"
	"mappe/shared/web/gpkgin"
)

// geopackage reads the features of all layers with geometries.
func (in *reading) geopackage(b []byte) error {
	passed, err := gpkgin.Read(in.ctx, b, gpkgin.Limits{Rows: maxFeatures, Bytes: maxUnpacked}, in.row)
	for _, name := range passed[:min(len(passed), maxWarnings)] {
		in.warnings = append(in.warnings, fmt.Sprintf("the layer %.60q of the GeoPackage is a view, which is not read", name))
	}
	return err
}

// row takes up a row of a GeoPackage; one without a geometry is passed over.
func (in *reading) row(r gpkgin.Row) error {
	if r.Geometry == nil {
		return nil
	}
	system, err := crs.ParseSource(r.System)
	if err != nil {
		return fault.New(fault.BadBody, "the layer %.60q of the GeoPackage: %v", r.Table, err)
	}
	s, err := wkb.DecodeLines(r.Geometry)
	if err != nil {
		return fault.New(fault.BadBody, "a geometry of the layer %.60q of the GeoPackage cannot be read: %v", r.Table, err)
	}
	f := Feature{parts: s.Parts}
	if err := f.describe(&r); err != nil {
		return err
	}
	return in.shape(f, &s, &placing{system: system, of: fmt.Sprintf("the layer %.60q", r.Table)})
}

// describe takes up the values of a row as properties, and its key.
func (f *Feature) describe(r *gpkgin.Row) (err error) {
	for name, v := range r.Values {
		if x, ok := v.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
			r.Values[name] = nil
		}
	}
	if len(r.Values) > 0 {
		if f.Properties, err = json.Marshal(r.Values); err != nil {
			return err
		}
	}
	if r.ID != nil {
		f.ID, err = json.Marshal(r.ID)
	}
	return err
}

// shape takes up a feature of a GeoPackage.
func (in *reading) shape(f Feature, s *wkb.Shape, to *placing) error {
	var err error
	if f.Points, err = place(to, s.Points); err != nil {
		return err
	}
	for _, l := range s.Lines {
		line, err := place(to, l)
		if err != nil {
			return err
		}
		f.Lines = append(f.Lines, line)
	}
	for _, p := range s.Polygons {
		var rings geom.Polygon
		for _, r := range p {
			ring, err := place(to, r)
			if err != nil {
				return err
			}
			if len(ring) > 0 {
				rings = append(rings, ring)
			}
		}
		f.Polygons = append(f.Polygons, rings) // an empty one too: parts count them
	}
	if f.Polygons.Vertices()+len(f.Lines)+len(f.Points) == 0 {
		return nil // an empty geometry
	}
	return in.add(f)
}
