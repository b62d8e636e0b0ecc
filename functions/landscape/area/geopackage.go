package area

import (
	"context"
	"fmt"
	"time"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/wkb"
	"mappe/shared/web/fault"
	"mappe/shared/web/gpkgin"
)

// maxReading bounds how long a GeoPackage is read: one of 4 MB takes some 20 ms.
const maxReading = 5 * time.Second

// geopackage reads the features of all layers with geometries.
func (in *reading) geopackage(b []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), maxReading)
	defer cancel()
	return gpkgin.Read(ctx, b, gpkgin.Limits{Rows: maxFeatures, Bytes: maxUnpacked}, func(r gpkgin.Row) error {
		if r.Geometry == nil {
			return nil
		}
		system, err := crs.Parse(r.System)
		if err != nil {
			return fault.New(fault.BadBody, "the layer %.60q of the GeoPackage: %v", r.Table, err)
		}
		s, err := wkb.DecodeLines(r.Geometry)
		if err != nil {
			return fault.New(fault.BadBody, "a geometry of the layer %.60q of the GeoPackage cannot be read: %v", r.Table, err)
		}
		return in.shape(&s, &placing{system: system, of: fmt.Sprintf("the layer %.60q", r.Table)})
	})
}

// shape takes up a feature of a GeoPackage.
func (in *reading) shape(s *wkb.Shape, to *placing) error {
	var f Feature
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
		if len(rings) > 0 {
			f.Polygons = append(f.Polygons, rings)
		}
	}
	if len(f.Polygons)+len(f.Lines)+len(f.Points) == 0 {
		return nil // an empty geometry
	}
	return in.add(f)
}
