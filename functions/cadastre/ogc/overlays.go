package ogc

import (
	"context"
	"math"
	"strconv"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/format"
)

// areaRow is a protected area with its number in the source, which its feature is named by: names are not unique.
type areaRow struct {
	rowschema.AreaRow
	number int
}

var (
	siteRows = rowschema.Site.Named("natura2000", "A Natura 2000 site, drawn as its outline.")
	areaRows = format.NewSchema("protected_area", "A protected area, drawn as its outline.", format.Drawing[areaRow]{
		Point:    func(r *areaRow) geom.Point { return rowschema.ProtectedArea.Drawing.Point(&r.AreaRow) },
		Polygons: func(r *areaRow) geom.MultiPolygon { return rowschema.ProtectedArea.Drawing.Polygons(&r.AreaRow) },
	}, append(format.Fields[areaRow]{{
		Column: format.Column{Name: "area_id", Doc: "Number of the area in its source; another edition may number anew."},
		Get:    func(r *areaRow) format.Value { return format.String(strconv.Itoa(r.number + 1)) },
	}}, format.Lift(rowschema.ProtectedArea.Fields.Only(
		"name", "desig", "desig_eng", "desig_type", "iucn_cat", "rep_area", "gis_area", "realm"),
		func(r *areaRow) *rowschema.AreaRow { return &r.AreaRow })...))
)

// ofOverlays are the collections of what lies over the parcels.
var ofOverlays = []*collection{
	layered(collection{id: "natura2000", title: "Natura 2000", doc: "Natura 2000 sites.", example: "AT3299001"}, siteRows,
		overlays.SiteShapes,
		func(ctx context.Context, o *overlayindex.Overlays) ([]rowschema.SiteRow, []geom.Box, error) {
			list, err := o.Sites(ctx)
			items, boxes := make([]rowschema.SiteRow, len(list)), make([]geom.Box, len(list))
			for i := range list {
				items[i].S, boxes[i] = &list[i], list[i].Box
			}
			return items, boxes, err
		}, func(item *rowschema.SiteRow, s *overlays.Shape) { item.Shape = s }),
	layered(collection{id: "protected_areas", title: "Protected areas", doc: "Protected areas of the states.", example: "1"}, areaRows,
		overlays.AreaShapes,
		func(ctx context.Context, o *overlayindex.Overlays) ([]areaRow, []geom.Box, error) {
			list, err := o.Areas(ctx)
			items, boxes := make([]areaRow, len(list)), make([]geom.Box, len(list))
			for i := range list {
				items[i] = areaRow{rowschema.AreaRow{A: &list[i], DistanceM: math.NaN()}, i}
				boxes[i] = list[i].Box
			}
			return items, boxes, err
		}, func(item *areaRow, s *overlays.Shape) { item.Shape = s }),
}

// layered is a described collection of a layer of the overlays; all gives its rows without their shapes, and their boxes.
func layered[T any](described collection, schema *format.Schema[T], layer overlays.Layer,
	all func(context.Context, *overlayindex.Overlays) ([]T, []geom.Box, error), draw func(*T, *overlays.Shape)) *collection {
	c := &described
	c.rowType = schema.RowType
	query := func(ctx context.Context, v *view.View, passes func(format.Row, geom.Box) bool, area *region.Area) (*rows.Query, error) {
		o := overlayindex.Of(v.View)
		items, boxes, err := all(ctx, o)
		if err != nil {
			return nil, err
		}
		s := &shaped[T]{overlays: o, layer: layer, row: schema.Record(), items: items, draw: draw}
		for i := range items {
			s.row.Item = items[i]
			if passes(s.row, boxes[i]) {
				s.found = append(s.found, i)
			}
		}
		if err := s.within(ctx, area); err != nil {
			return nil, err
		}
		q := &rows.Query{View: v, Layers: []rows.Layer{{Source: s, External: true}}}
		if key, ok := v.Artefact(overlays.SourceArtefact); ok {
			q.State = key.String()
		}
		return q, nil
	}
	c.find = func(ctx context.Context, v *view.View, area *region.Area, _ []austria.KGCode, f *filter) (*rows.Query, error) {
		return query(ctx, v, func(r format.Row, b geom.Box) bool {
			return (area == nil || area.Side(b) != region.Outside) && (f == nil || f.passes(r))
		}, area)
	}
	c.one = func(ctx context.Context, v *view.View, id string) (*rows.Query, error) {
		return query(ctx, v, func(r format.Row, _ geom.Box) bool {
			text, ok := r.Value(0).Str()
			return ok && text == id
		}, nil)
	}
	return c
}

// shaped is a source of a layer of the overlays: the shapes of a page are read before it is drawn.
type shaped[T any] struct {
	overlays *overlayindex.Overlays
	layer    overlays.Layer
	row      *format.Record[T]
	items    []T
	found    []int // of items
	draw     func(*T, *overlays.Shape)
	window   []*overlays.Shape
	from     int // of found, the first in the window
}

// shapesAtOnce bounds the shapes that are held while they are tested.
const shapesAtOnce = 64

// within keeps, of the shapes that were found by their boxes, those that reach into the area; nil keeps all.
func (s *shaped[T]) within(ctx context.Context, area *region.Area) error {
	if area == nil {
		return nil
	}
	var kept []int
	for at := 0; at < len(s.found); at += shapesAtOnce {
		part := s.found[at:min(at+shapesAtOnce, len(s.found))]
		list, err := s.overlays.Shapes(ctx, s.layer, part)
		if err != nil {
			return err
		}
		for i, shape := range list {
			if area.Overlaps(shape.Geometry, shape.Box) {
				kept = append(kept, part[i])
			}
		}
	}
	s.found = kept
	return area.Err()
}

func (s *shaped[T]) RowType() *format.RowType       { return s.row.RowType() }
func (s *shaped[T]) Open(*kgfile.File) (int, error) { return len(s.found), nil }

// Window is rows.Windowed.
func (s *shaped[T]) Window(ctx context.Context, lo, hi int) (err error) {
	s.from = lo
	s.window, err = s.overlays.Shapes(ctx, s.layer, s.found[lo:hi])
	return err
}

func (s *shaped[T]) Row(i int) format.Row {
	s.row.Item = s.items[s.found[i]]
	s.draw(&s.row.Item, s.window[i-s.from])
	return s.row
}
