package shares

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"mappe/shared/cloud/spool"
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

// source gives the features of a result that pass its filter, as often as it is called, and what stands beside them.
type source func(each func(*feature) error) (parts, error)

// sourceOf reads an object.
func sourceOf(ctx context.Context, object spool.Body, keep func(*feature) bool) source {
	return func(each func(*feature) error) (parts, error) {
		return scanned(io.NewSectionReader(object, 0, object.Size()), func(f *feature) error {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			if !keep(f) {
				return nil
			}
			return each(f)
		})
	}
}

// GeoPackage makes a file of the features of a result, one layer for each shape that they have; a result without features
// is its area with the figures as columns. One feature is held at a time. The caller closes it.
func (s *Shares) GeoPackage(ctx context.Context, h Share, f Filter) (*spool.Written, error) {
	object, err := s.spooled(ctx, h, s.Object)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	whole := spool.Joined{bytes.NewReader([]byte("{")), object}
	layers, err := h.layers(sourceOf(ctx, whole, func(x *feature) bool { return h.Layer.has(x, f) }))
	if err != nil {
		return nil, fmt.Errorf("share %s: %w", h.Name, err)
	}
	return spool.Write("share.gpkg", func(path string) error {
		return gpkg.WriteFile(ctx, path, gpkg.File{Time: h.Created, Layers: layers})
	})
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

// shape is one of those that features have, and becomes a layer.
type shape struct {
	suffix string
	shape  format.Shape
	of     func(*feature) []format.Geometry
}

var shapes = [...]shape{
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
}

// layers are the features by their shape. Where there are none, an empty layer of areas stays. A first pass over the features
// finds the columns; their rows are read again when they are written.
func (h *Share) layers(features source) (out []gpkg.Layer, err error) {
	var tables [len(shapes)]table
	n := 0
	note := func(f *feature) error {
		n++
		for i := range shapes {
			if len(shapes[i].of(f)) > 0 {
				tables[i].note(f)
			}
		}
		return nil
	}
	p, err := features(note)
	if err != nil {
		return nil, err
	}
	if !p.collection {
		only, err := p.alone()
		if err != nil {
			return nil, err
		}
		features = func(each func(*feature) error) (parts, error) { return p, each(&only) }
		_ = note(&only) // it never fails
	}
	for i := range shapes {
		t := &tables[i]
		t.shape, t.features = &shapes[i], features
		if t.rows == 0 && (t.shape.shape != format.ShapeMultiPolygon || n > 0) {
			continue
		}
		layer := gpkg.Layer{Name: gpkg.Word(h.Kind) + "_" + t.shape.suffix, Description: p.about,
			Layout: format.NewLayout(nil, t.columns(h.Kind)), Rows: t.all(), Style: h.Layer.Style}
		if h.Layer.Style.Column != "" && t.rowType.Index(h.Layer.Style.Column) < 0 {
			layer.Style.Column, layer.Style.Classes = "", nil
		}
		out = append(out, layer)
	}
	return out, nil
}
