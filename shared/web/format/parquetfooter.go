package format

import (
	"encoding/binary"
	"encoding/json"
	"math"
)

// The converted and logical types of Parquet used here.
const (
	convertedUTF8   = 0
	convertedJSON   = 19
	logicalString   = 1
	logicalJSON     = 12
	logicalGeometry = 17
	optional        = 1
	required        = 0
)

// footer is the FileMetaData of what has been written.
func (w *parquetWriter) footer(l *Layout) []byte {
	var t thrift
	t.open()
	t.i32(1, 2) // version
	w.schema(&t)
	total := int64(0)
	for _, n := range w.groups {
		total += int64(n)
	}
	t.i64(3, total)
	t.list(4, thriftStruct, len(w.groups))
	for g := range w.groups {
		w.group(&t, g)
	}
	if w.geoAt >= 0 {
		t.list(5, thriftStruct, 1)
		t.open()
		t.text(1, "geo")
		t.text(2, w.geo(l))
		t.close()
	}
	t.text(6, "mappe")
	t.list(7, thriftStruct, len(w.columns)) // every column's min and max are in the order of its type
	for range w.columns {
		t.open()
		t.structField(1, func() {})
		t.close()
	}
	t.close()
	return t.b
}

func (w *parquetWriter) schema(t *thrift) {
	n, top := len(w.columns)+1, len(w.columns)
	if w.geoAt >= 0 {
		n, top = n+1, top-3 // the bbox group holds four
	}
	t.list(2, thriftStruct, n)
	t.open()
	t.text(4, "rows")
	t.i32(5, top)
	t.close()
	for i, c := range w.columns {
		if w.geoAt >= 0 && i == w.geoAt+1 {
			t.open()
			t.i32(3, optional)
			t.text(4, w.bbox)
			t.i32(5, len(sides))
			t.close()
		}
		t.open()
		t.i32(1, c.physical)
		if len(c.path) > 1 {
			t.i32(3, required)
		} else {
			t.i32(3, optional)
		}
		t.text(4, c.path[len(c.path)-1])
		switch {
		case c.geometry:
			t.structField(10, func() { t.structField(logicalGeometry, func() {}) })
		case c.physical == parquetByteArray && c.typ == TypeJSON:
			t.i32(6, convertedJSON)
			t.structField(10, func() { t.structField(logicalJSON, func() {}) })
		case c.physical == parquetByteArray:
			t.i32(6, convertedUTF8)
			t.structField(10, func() { t.structField(logicalString, func() {}) })
		}
		t.close()
	}
}

// group describes one row group.
func (w *parquetWriter) group(t *thrift, g int) {
	raw, size := int64(0), int64(0)
	t.open()
	t.list(1, thriftStruct, len(w.columns))
	for _, c := range w.columns {
		k := c.chunks[g]
		raw, size = raw+k.rawSize, size+k.size
		t.open()
		t.i64(2, k.offset)
		t.structField(3, func() {
			t.i32(1, c.physical)
			t.list(2, thriftI32, 2)
			t.b = binary.AppendVarint(t.b, 0) // PLAIN
			t.b = binary.AppendVarint(t.b, 3) // RLE
			t.list(3, thriftBinary, len(c.path))
			for _, p := range c.path {
				t.bytes(p)
			}
			t.i32(4, parquetZstd)
			t.i64(5, int64(k.rows))
			t.i64(6, k.rawSize)
			t.i64(7, k.size)
			t.i64(9, k.offset)
			if c.physical == parquetDouble && k.min <= k.max {
				t.structField(12, func() {
					t.text(5, float64Bytes(k.max, 0))
					t.text(6, float64Bytes(k.min, math.Copysign(0, -1)))
				})
			}
		})
		t.close()
	}
	t.i64(2, raw)
	t.i64(3, int64(w.groups[g]))
	t.i64(5, w.columns[0].chunks[g].offset)
	t.i64(6, size)
	t.close()
}

// float64Bytes is a bound as Parquet stores it; a zero bound takes the sign that holds both zeros.
func float64Bytes(f, zero float64) string {
	if f == 0 {
		f = zero
	}
	return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
}

type geoColumn struct {
	Encoding      string                         `json:"encoding"`
	GeometryTypes []string                       `json:"geometry_types"`
	Orientation   string                         `json:"orientation"`
	BBox          []float64                      `json:"bbox,omitempty"`
	Covering      map[string]map[string][]string `json:"covering"`
}

// geo is the GeoParquet 1.1 metadata.
func (w *parquetWriter) geo(l *Layout) string {
	c := geoColumn{Encoding: "WKB", GeometryTypes: []string{}, Orientation: "counterclockwise",
		Covering: map[string]map[string][]string{"bbox": {}}}
	for i, side := range sides {
		c.Covering["bbox"][side] = []string{w.bbox, side}
		v, found := math.Inf(1), false
		if i >= 2 {
			v = math.Inf(-1)
		}
		for _, k := range w.columns[w.geoAt+1+i].chunks {
			if k.min > k.max {
				continue
			}
			if found = true; i < 2 {
				v = min(v, k.min)
			} else {
				v = max(v, k.max)
			}
		}
		if found {
			c.BBox = append(c.BBox, v)
		}
	}
	for _, s := range []struct {
		shape Shape
		name  string
	}{{ShapePoint, "Point"}, {ShapeMultiPolygon, "MultiPolygon"}} {
		for i := range l.parts {
			if l.parts[i].geometry && l.parts[i].rowType.Shape == s.shape {
				c.GeometryTypes = append(c.GeometryTypes, s.name)
				break
			}
		}
	}
	b, err := json.Marshal(map[string]any{"version": "1.1.0", "primary_column": "geometry", "columns": map[string]geoColumn{"geometry": c}})
	if err != nil { // finite numbers and texts always encode
		return "{}"
	}
	return string(b)
}
