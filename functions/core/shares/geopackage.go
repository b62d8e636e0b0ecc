package shares

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
)

// Filter chooses features of a result.
type Filter struct {
	Types     []string // "": none
	HeightMin *float64 // metres; nil: none
}

// feature is one of a result: its geometry by shape, and its properties in their order.
type feature struct {
	id         string // JSON; "" for none
	points     []geom.Point
	lines      [][]geom.Point
	polygons   geom.MultiPolygon
	properties []property
}

type property struct {
	name string
	json string
}

func (f *feature) text(name string) (string, bool) {
	for _, p := range f.properties {
		if p.name == name {
			return p.json, true
		}
	}
	return "", false
}

// GeoPackage makes a file of the features of a result, one layer for each shape that they have; a result without features
// is its area with the figures as columns.
func (s *Shares) GeoPackage(ctx context.Context, h Share, f Filter) ([]byte, error) {
	object, err := s.Object(ctx, h)
	if err != nil {
		return nil, err
	}
	features, about, err := featuresOf(object)
	if err != nil {
		return nil, fmt.Errorf("share %s: %w", h.Name, err)
	}
	features = slices.DeleteFunc(features, func(x feature) bool { return !h.Layer.has(&x, f) })
	file := gpkg.File{Time: h.Created, Layers: h.layers(features, about)}
	var out bytes.Buffer
	if err := gpkg.Write(ctx, &out, file); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// has says whether a feature passes a filter.
func (l Layer) has(x *feature, f Filter) bool {
	if len(f.Types) > 0 {
		text, _ := x.text(l.Type)
		var typ string
		if json.Unmarshal([]byte(text), &typ) != nil || !slices.Contains(f.Types, typ) {
			return false
		}
	}
	if f.HeightMin == nil {
		return true
	}
	for _, name := range l.Height {
		if text, ok := x.text(name); ok && text != "null" {
			v, err := strconv.ParseFloat(text, 64)
			return err == nil && v >= *f.HeightMin
		}
	}
	return false
}

// layers are the features by their shape. Where there are none, an empty layer of areas stays.
func (h *Share) layers(features []feature, about string) []gpkg.Layer {
	word := gpkg.Word(h.Kind)
	var out []gpkg.Layer
	for _, c := range []struct {
		suffix string
		shape  format.Shape
		of     func(*feature) []format.Geometry
	}{
		{"areas", format.ShapeMultiPolygon, func(f *feature) []format.Geometry {
			if len(f.polygons) == 0 {
				return nil
			}
			return []format.Geometry{format.PolygonGeometry(f.polygons)}
		}},
		{"lines", format.ShapeMultiLine, func(f *feature) []format.Geometry {
			if len(f.lines) == 0 {
				return nil
			}
			return []format.Geometry{format.LineGeometry(f.lines)}
		}},
		{"points", format.ShapePoint, func(f *feature) (all []format.Geometry) {
			for _, p := range f.points {
				all = append(all, format.PointGeometry(p))
			}
			return all
		}},
		{"without_place", format.ShapeNone, func(f *feature) []format.Geometry {
			if len(f.polygons)+len(f.lines)+len(f.points) > 0 {
				return nil
			}
			return []format.Geometry{{}}
		}},
	} {
		t := table{kind: h.Kind}
		for i := range features {
			for _, g := range c.of(&features[i]) {
				t.rows = append(t.rows, row{of: &features[i], geometry: g})
			}
		}
		if len(t.rows) == 0 && (c.shape != format.ShapeMultiPolygon || len(features) > 0) {
			continue
		}
		layer := gpkg.Layer{Name: word + "_" + c.suffix, Description: about, Layout: format.NewLayout(nil, t.columns(c.shape)), Rows: t.all(),
			Style: h.Layer.Style}
		if h.Layer.Style.Column != "" && t.kindOf.Index(h.Layer.Style.Column) < 0 {
			layer.Style.Column, layer.Style.Classes = "", nil
		}
		out = append(out, layer)
	}
	return out
}
