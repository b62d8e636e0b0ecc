package forms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/parquet-go/parquet-go"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// rowGroup is the number of rows that are compressed, indexed and skipped together. Rows are in Hilbert
// order, so a row group is a compact piece of the KG and its box prunes well.
const rowGroup = 5000

// GeoParquet writes the parcels as GeoParquet 1.1: the columns of rowschema.Parcel, then the covering bbox
// (32-bit, rounded outward) and the geometry, which carries Parquet's own GEOMETRY type as well.
func GeoParquet(s *kgfile.Snapshot) ([]byte, error) {
	var out bytes.Buffer
	w := parquet.NewGenericWriter[any](&out, parcelSchema(), parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("mappe", rowschema.ProcessingVersion, ""), parquet.PageBufferSize(1<<20))
	for _, kv := range parquetMetadata(s) {
		w.SetKeyValueMetadata(kv[0], kv[1])
	}
	c := columns{s: s, row: rowschema.ParcelRow{KG: &s.KG}}
	for at := 0; at < len(s.Parcels); at += rowGroup {
		if err := c.write(w, at, min(at+rowGroup, len(s.Parcels))); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// columns writes one column after another of a range of rows.
type columns struct {
	s      *kgfile.Snapshot
	row    rowschema.ParcelRow
	values []parquet.Value
	bytes  []byte
}

func (c *columns) write(w *parquet.GenericWriter[any], from, to int) error {
	writers := w.ColumnWriters()
	put := func(leaf int) error {
		_, err := writers[leaf].WriteRowValues(c.values)
		return err
	}
	for leaf, field := range rowschema.Parcel.Fields {
		c.values = c.values[:0]
		for i := from; i < to; i++ {
			c.row.P = &c.s.Parcels[i]
			c.values = append(c.values, parquetValue(field.Get(&c.row), field.Type).Level(0, 1, leaf))
		}
		for i := range c.values {
			if c.values[i].IsNull() {
				c.values[i] = c.values[i].Level(0, 0, leaf)
			}
		}
		if err := put(leaf); err != nil {
			return fmt.Errorf("column %s: %w", field.Name, err)
		}
	}
	leaf := len(rowschema.Parcel.Columns)
	for side := range 4 {
		c.values = c.values[:0]
		for i := from; i < to; i++ {
			if b := c.s.Parcels[i].Geometry.Bounds(); b.Empty() {
				c.values = append(c.values, parquet.NullValue().Level(0, 0, leaf+side))
			} else {
				c.values = append(c.values, parquet.FloatValue(outward(b)[side]).Level(0, 1, leaf+side))
			}
		}
		if err := put(leaf + side); err != nil {
			return fmt.Errorf("column bbox: %w", err)
		}
	}
	leaf += 4
	c.values, c.bytes = c.values[:0], c.bytes[:0]
	for i := from; i < to; i++ {
		g := c.s.Parcels[i].Geometry
		if len(g) == 0 {
			c.values = append(c.values, parquet.NullValue().Level(0, 0, leaf))
			continue
		}
		at := len(c.bytes)
		c.bytes = format.AppendWKB(c.bytes, format.PolygonGeometry(g), format.Projection{})
		c.values = append(c.values, parquet.ByteArrayValue(c.bytes[at:len(c.bytes):len(c.bytes)]).Level(0, 1, leaf))
	}
	if err := put(leaf); err != nil {
		return fmt.Errorf("column geometry: %w", err)
	}
	return w.Flush()
}

func parquetValue(v format.Value, t format.Type) parquet.Value {
	if v.IsNull() {
		return parquet.NullValue()
	}
	switch t {
	case format.TypeInt:
		n, _ := v.Int64()
		return parquet.Int64Value(n)
	case format.TypeFloat, format.TypeDegrees:
		f, _ := v.Float64()
		return parquet.DoubleValue(f)
	case format.TypeBool:
		n, _ := v.Int64()
		return parquet.BooleanValue(n != 0)
	}
	s, _ := v.Str()
	return parquet.ByteArrayValue([]byte(s))
}

// outward is the box in 32-bit degrees that holds the exact one: min lon, min lat, max lon, max lat.
func outward(b geom.Box) [4]float32 {
	down := func(e7 int32) float32 {
		d := float64(e7) / geom.Scale
		if f := float32(d); float64(f) <= d {
			return f
		}
		return math.Nextafter32(float32(d), float32(math.Inf(-1)))
	}
	up := func(e7 int32) float32 { return -down(-e7) }
	return [4]float32{down(b.MinX), down(b.MinY), up(b.MaxX), up(b.MaxY)}
}

// ordered is a group whose fields keep their order; parquet.Group sorts them by name.
type ordered struct {
	parquet.Group
	names []string
}

func (o ordered) Fields() []parquet.Field {
	sorted := o.Group.Fields()
	out := make([]parquet.Field, 0, len(sorted))
	for _, name := range o.names {
		for _, f := range sorted {
			if f.Name() == name {
				out = append(out, f)
			}
		}
	}
	return out
}

func (o *ordered) add(name string, n parquet.Node) {
	if o.Group == nil {
		o.Group = parquet.Group{}
	}
	o.Group[name] = n
	o.names = append(o.names, name)
}

// repeats are the columns with few different values: stored as a dictionary.
var repeats = map[string]bool{
	"kg_code": true, "gemeinde_code": true, "status": true, "landuse_codes": true, "landuse_summary": true,
	"shape_class": true, "dominant_landuse": true, "repairs": true, "building_count": true, "footprint_count": true,
}

// parcelSchema is the file's schema. Every column is optional: null is "not known".
func parcelSchema() *parquet.Schema {
	var root, box ordered
	for _, c := range rowschema.Parcel.Columns {
		var n parquet.Node
		switch c.Type {
		case format.TypeInt:
			n = parquet.Int(64)
		case format.TypeFloat, format.TypeDegrees:
			n = parquet.Leaf(parquet.DoubleType)
		case format.TypeBool:
			n = parquet.Leaf(parquet.BooleanType)
		case format.TypeJSON:
			n = parquet.JSON()
		default:
			n = parquet.String()
		}
		if repeats[c.Name] {
			n = parquet.Encoded(n, &parquet.RLEDictionary)
		}
		root.add(c.Name, parquet.Optional(n))
	}
	for _, name := range []string{"xmin", "ymin", "xmax", "ymax"} {
		box.add(name, parquet.Leaf(parquet.FloatType))
	}
	root.add("bbox", parquet.Optional(box))
	root.add("geometry", parquet.Optional(parquet.Geometry("OGC:CRS84")))
	return parquet.NewSchema("parcels", root)
}

// geoMetadata is the "geo" entry of GeoParquet 1.1. Without crs it is OGC:CRS84, WGS84 with longitude first.
type geoMetadata struct {
	Version       string `json:"version"`
	PrimaryColumn string `json:"primary_column"`
	Columns       struct {
		Geometry geoColumn `json:"geometry"`
	} `json:"columns"`
}

type geoColumn struct {
	Encoding      string      `json:"encoding"`
	GeometryTypes []string    `json:"geometry_types"`
	Orientation   string      `json:"orientation"`
	Edges         string      `json:"edges"`
	BBox          *[4]float64 `json:"bbox,omitempty"`
	Covering      covering    `json:"covering"`
}

type covering struct {
	BBox struct {
		XMin [2]string `json:"xmin"`
		YMin [2]string `json:"ymin"`
		XMax [2]string `json:"xmax"`
		YMax [2]string `json:"ymax"`
	} `json:"bbox"`
}

// columnDoc describes one column in the file's "columns" entry.
type columnDoc struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Doc  string `json:"description"`
}

func parquetMetadata(s *kgfile.Snapshot) [][2]string {
	var g geoMetadata
	g.Version, g.PrimaryColumn = "1.1.0", "geometry"
	box := geom.EmptyBox
	for i := range s.Parcels {
		box = box.Union(s.Parcels[i].Geometry.Bounds())
	}
	c := geoColumn{Encoding: "WKB", GeometryTypes: []string{"MultiPolygon"}, Orientation: "counterclockwise", Edges: "planar"}
	if !box.Empty() {
		c.BBox = &[4]float64{float64(box.MinX) / geom.Scale, float64(box.MinY) / geom.Scale, float64(box.MaxX) / geom.Scale,
			float64(box.MaxY) / geom.Scale}
	}
	b := &c.Covering.BBox
	b.XMin, b.YMin, b.XMax, b.YMax = [2]string{"bbox", "xmin"}, [2]string{"bbox", "ymin"}, [2]string{"bbox", "xmax"},
		[2]string{"bbox", "ymax"}
	g.Columns.Geometry = c
	docs := []columnDoc{}
	for _, c := range rowschema.Parcel.Columns {
		docs = append(docs, columnDoc{c.Name, c.Unit, c.Doc})
	}
	return append([][2]string{{"geo", plainJSON(g)}, {"columns", plainJSON(docs)}}, rowschema.MetaOf(s).Pairs()...)
}

// plainJSON is the value as JSON with < and > as they are. It holds strings and finite numbers only.
func plainJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(v)
	return strings.TrimSpace(b.String())
}
