package products

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/artefacts/landscape"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
	"mappe/shared/web/qgis"
)

// plane is the system of outlines.
var plane = format.Projection{EPSG: int(crs.LAEA), Forward: crs.LAEA.Forward}

// outlined is a drawing by outlines alone, all of them MultiPolygons.
func outlined[T any](of func(*T) geom.MultiPolygon) format.Drawing[T] {
	return format.Drawing[T]{Polygons: of, Multi: true}
}

// heightsText are corners as they are written into a column: those of parcels lat,lon,dtm_m, those of buildings with the height of
// the object behind, with a bar between two. What is not known is empty.
func heightsText(list []landscape.Vertex, tall bool) string {
	var b []byte
	number := func(v float32) {
		b = append(b, ',')
		if v == v {
			b = strconv.AppendFloat(b, float64(v), 'f', 2, 32)
		}
	}
	for i, v := range list {
		if i > 0 {
			b = append(b, '|')
		}
		b = strconv.AppendFloat(b, v.At.Lat(), 'f', 7, 64)
		b = append(b, ',')
		b = strconv.AppendFloat(b, v.At.Lon(), 'f', 7, 64)
		number(v.DTM)
		if tall {
			number(v.Height)
		}
	}
	return string(b)
}

// outlinedParcel is a parcel with its outline, which the cadastre has.
type outlinedParcel struct {
	landscape.Parcel
	outline geom.MultiPolygon
}

func without[T any](f format.Fields[T], names ...string) format.Fields[T] {
	return slices.DeleteFunc(slices.Clone(f), func(c format.Field[T]) bool { return slices.Contains(names, c.Name) })
}

// The rows of the layers.
var (
	segmentRows = format.NewSchema("segment", "A part of the land that is one thing.",
		outlined(func(s *landscape.Segment) geom.MultiPolygon { return s.Geometry }), without(landscape.SegmentFields, "id", "lon", "lat"))
	pointRows = format.NewSchema("segment_point", "A place in a segment.",
		format.Drawing[landscape.Segment]{Point: func(s *landscape.Segment) geom.Point { return s.At }},
		without(landscape.SegmentFields, "id", "lon", "lat", "extent"))
	parcelRows = format.NewSchema("parcel", "A parcel with its terrain and vegetation.",
		outlined(func(p *outlinedParcel) geom.MultiPolygon { return p.outline }),
		append(format.Lift(landscape.Flat(landscape.ParcelColumns.Fields(), "centroid", "centroid_lon", "centroid_lat",
			func(p *landscape.Parcel) geom.Point { return p.Centroid }), func(p *outlinedParcel) *landscape.Parcel { return &p.Parcel }),
			format.Field[outlinedParcel]{Column: format.Column{Name: "vertex_heights",
				Doc: "Corners: lat,lon,dtm_m with a bar between two."},
				Get: func(p *outlinedParcel) format.Value { return format.Text(heightsText(p.Vertices, false)) }}))
	buildingRows = format.NewSchema("building", "A building of the cadastre with its heights.",
		outlined(func(b *landscape.Building) geom.MultiPolygon { return b.Geometry }),
		append(landscape.Flat(landscape.BuildingColumns.Fields(), "centroid", "centroid_lon", "centroid_lat",
			func(b *landscape.Building) geom.Point { return b.Centroid }),
			format.Field[landscape.Building]{Column: format.Column{Name: "vertex_heights",
				Doc: "Corners: lat,lon,dtm_m,obj_height_m with a bar between two."},
				Get: func(b *landscape.Building) format.Value { return format.Text(heightsText(b.Vertices, true)) }}))
	newBuildingRows = format.NewSchema("new_building", "A building that the cadastre does not have.",
		outlined(func(b *landscape.NewBuilding) geom.MultiPolygon { return b.Geometry }),
		landscape.Flat(landscape.NewBuildingColumns.Fields(), "at", "lon", "lat",
			func(b *landscape.NewBuilding) geom.Point { return b.At }))
	infrastructureRows = format.NewSchema("infrastructure", "An object that carries traffic or energy.",
		outlined(func(i *landscape.Infrastructure) geom.MultiPolygon { return i.Geometry }),
		landscape.Flat(landscape.InfrastructureColumns.Fields(), "at", "lon", "lat",
			func(i *landscape.Infrastructure) geom.Point { return i.At }))
	changeRows = format.NewSchema("change", "A change of the land between the two newest laser scans.",
		outlined(func(c *landscape.Change) geom.MultiPolygon { return c.Geometry }),
		landscape.Flat(landscape.ChangeColumns.Fields(), "at", "lon", "lat", func(c *landscape.Change) geom.Point { return c.At }))
	treeRows = format.NewSchema("tree", "A single tree.",
		format.Drawing[landscape.Tree]{Point: func(t *landscape.Tree) geom.Point { return t.At }},
		landscape.Flat(landscape.TreeColumns.Fields(), "apex", "apex_lon", "apex_lat", func(t *landscape.Tree) geom.Point { return t.At }))
)

// table is a layer of a list.
func table[T any](name, credit string, s *format.Schema[T], list []T, style qgis.Style) gpkg.Layer {
	l := format.NewLayout(nil, s.RowType)
	if s.Shape == format.ShapeMultiPolygon {
		l.Projection = plane
	}
	return gpkg.Layer{Name: name, Description: s.Doc + " " + credit, Layout: l, Style: style, Rows: rowsOf(s, list)}
}

// rowsOf are the rows of a list.
func rowsOf[T any](s *format.Schema[T], list []T) format.Seq {
	return func(yield func(format.Row, error) bool) {
		rec := s.Record()
		for i := range list {
			if rec.Item = list[i]; !yield(rec, nil) {
				return
			}
		}
	}
}

// credit says whom to name, and under which licence a file is.
func (s *Source) credit(set landprocess.Set) string {
	who := append([]string{s.Credit + ", modified"}, s.Credits...)
	if set == landprocess.Infrastructure && s.MapCredit != "" {
		who = append(who, s.MapCredit)
	}
	seen := map[string]bool{}
	who = slices.DeleteFunc(who, func(name string) bool {
		had := seen[name] || name == ""
		seen[name] = true
		return had
	})
	return set.License() + ". " + strings.Join(who, "; ") + "."
}

// time is that of the data: a file does not hang on when it is made.
func (w *workshop) time() time.Time {
	t, _ := time.Parse(time.DateOnly, w.Row.Snapshot.Date) // a snapshot has a date
	return t
}

// parcels are the parcels with their outlines.
func (w *workshop) parcels() ([]outlinedParcel, error) {
	list, err := w.File.Parcels()
	if err != nil {
		return nil, err
	}
	of := make(map[string]geom.MultiPolygon, len(list))
	for i := range list {
		of[austria.ParcelID{KG: w.Row.Code, GNR: list[i].GNR}.String()] = list[i].Geometry
	}
	out := make([]outlinedParcel, len(w.KG.Parcels))
	for i := range out {
		out[i] = outlinedParcel{w.KG.Parcels[i], of[w.KG.Parcels[i].ID]}
	}
	return out, nil
}

// light are the layers of the light GeoPackage.
func (w *workshop) light() ([]gpkg.Layer, error) {
	parcels, err := w.parcels()
	if err != nil {
		return nil, err
	}
	c, k := w.credit(landprocess.Analysis), w.KG
	return []gpkg.Layer{
		table("segments", c, segmentRows, k.Segments, landscape.SegmentStyle),
		table("parcels", c, parcelRows, parcels, landscape.ParcelStyle),
		table("buildings", c, buildingRows, k.Buildings, landscape.BuildingStyle),
		table("new_buildings", c, newBuildingRows, k.NewBuildings, landscape.NewBuildingStyle),
	}, nil
}

// vectorFiles are the GeoPackages. A KG without infrastructure has no file of it.
func (w *workshop) vectorFiles() []product {
	out := []product{
		{name: "full.gpkg", title: "All layers: vectors, and rasters as coverages", set: landprocess.Analysis, roles: []string{"data"},
			make: w.fullFile},
		{name: "light.gpkg", title: "Segments, parcels with heights, buildings", set: landprocess.Analysis, roles: []string{"data"},
			make: w.lightFile},
	}
	if len(w.KG.Infrastructure) > 0 {
		out = append(out, product{name: "infrastructure.gpkg", title: "What carries traffic or energy", set: landprocess.Infrastructure,
			roles: []string{"data"}, make: w.infrastructureFile})
	}
	return out
}

func (w *workshop) lightFile(ctx context.Context, path string) error {
	layers, err := w.light()
	if err != nil {
		return err
	}
	return gpkg.WriteFile(ctx, path, gpkg.File{Time: w.time(), Layers: layers})
}

func (w *workshop) infrastructureFile(ctx context.Context, path string) error {
	return gpkg.WriteFile(ctx, path, gpkg.File{Time: w.time(), Layers: []gpkg.Layer{table("infrastructure",
		w.credit(landprocess.Infrastructure), infrastructureRows, w.KG.Infrastructure, landscape.InfrastructureStyle)}})
}

func (w *workshop) fullFile(ctx context.Context, path string) error {
	layers, err := w.light()
	if err != nil {
		return err
	}
	c, k := w.credit(landprocess.Analysis), w.KG
	layers = append(layers, table("changes", c, changeRows, k.Changes, landscape.ChangeStyle),
		table("segment_points", c, pointRows, k.Segments, landscape.SegmentStyle),
		table("trees", c, treeRows, k.Trees, landscape.TreeStyle))
	coverages, closing, err := w.coverages(ctx)
	if err != nil {
		return err
	}
	defer closing()
	pictures, done, err := w.pictures(ctx)
	if err != nil {
		return err
	}
	defer done()
	return gpkg.WriteFile(ctx, path, gpkg.File{Time: w.time(), Layers: layers, Coverages: coverages, Pictures: pictures})
}
