package format

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A GeoParquet 1.1 file as written here:
//
//	"PAR1"
//	row groups, each: for every column one data page (version 1), zstd
//	    page = header (Thrift) + zstd(length u32, definition levels as one bit-packed run, values PLAIN)
//	footer: FileMetaData (Thrift), its length u32, "PAR1"
//
// Every column is optional. Geometry is WKB with the logical type GEOMETRY; beside it stands the
// covering group bbox {xmin, ymin, xmax, ymax} with statistics, so that readers can leave out row
// groups. Coordinates are WGS84.

// Bounds of one row group, which is what the writer holds in memory.
const (
	groupRows  = 10000
	groupBytes = 4 << 20
)

// The physical types of Parquet.
const (
	parquetBoolean   = 0
	parquetInt64     = 2
	parquetDouble    = 5
	parquetByteArray = 6
	parquetZstd      = 6 // codec
)

// parquetColumn gathers one leaf column of the open row group.
type parquetColumn struct {
	path     []string
	physical int
	typ      Type
	geometry bool
	values   []byte
	levels   []byte // one bit a row: the value is there
	present  int    // values of a boolean column so far
	min, max float64
	chunks   []parquetChunk
}

type parquetChunk struct {
	offset, size, rawSize int64
	rows                  int
	min, max              float64
}

type parquetWriter struct {
	out     *Buffer
	offset  int64
	columns []*parquetColumn
	geoAt   int // index of the geometry column, -1 without
	bbox    string
	rows    int // of the open row group
	bytes   int
	groups  []int // rows per row group
	wkb     []byte
}

var zstdWriter = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
})

// WriteParquet writes the rows as GeoParquet, holding one row group (at most about 4 MB) at a time.
func WriteParquet(b *Buffer, l *Layout, rows Seq) error {
	if l.Projection.Forward != nil {
		return fmt.Errorf("parquet: EPSG:%d: only WGS84 is written", l.Projection.code())
	}
	w := newParquet(b, l)
	w.emit([]byte("PAR1"))
	for r, err := range rows {
		if err == nil {
			err = b.err
		}
		if err != nil {
			return err
		}
		w.add(r, l)
		if w.rows >= groupRows || w.bytes >= groupBytes {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	if err := w.flush(); err != nil {
		return err
	}
	footer := w.footer(l)
	w.emit(footer)
	w.emit(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
	w.emit([]byte("PAR1"))
	return b.err
}

// physicalOf is how values of a type are stored.
func physicalOf(t Type) int {
	switch t {
	case TypeInt:
		return parquetInt64
	case TypeFloat, TypeDegrees:
		return parquetDouble
	case TypeBool:
		return parquetBoolean
	}
	return parquetByteArray
}

// ParquetField is a top-level column of a file that WriteParquet writes.
type ParquetField struct {
	Name string
	Type string // as Hive, Athena and Spark name it: bigint, double, boolean, string, binary (WKB), struct<xmin:double,...>
}

// ParquetFields are the columns of the files of a layout, in order.
func ParquetFields(l *Layout) (out []ParquetField) {
	types := map[int]string{parquetInt64: "bigint", parquetDouble: "double", parquetBoolean: "boolean", parquetByteArray: "string"}
	for _, c := range newParquet(nil, l).columns {
		switch {
		case c.geometry:
			out = append(out, ParquetField{c.path[0], "binary"})
		case len(c.path) == 1:
			out = append(out, ParquetField{c.path[0], types[c.physical]})
		case c.path[1] == sides[0]:
			out = append(out, ParquetField{c.path[0], "struct<" + strings.Join(sides[:], ":double,") + ":double>"})
		}
	}
	return out
}

func newParquet(b *Buffer, l *Layout) *parquetWriter {
	w := &parquetWriter{out: b, geoAt: -1, bbox: "bbox"}
	for i, name := range l.Names() {
		t := l.Column(i).Type
		w.columns = append(w.columns, &parquetColumn{path: []string{name}, typ: t, physical: physicalOf(t)})
	}
	if slices.ContainsFunc(l.parts, func(p part) bool { return p.geometry }) {
		w.geoAt = len(w.columns)
		w.columns = append(w.columns, &parquetColumn{path: []string{"geometry"}, physical: parquetByteArray, geometry: true})
		if slices.Contains(l.names, w.bbox) {
			w.bbox = "geometry_bbox"
		}
		for _, side := range sides {
			w.columns = append(w.columns, &parquetColumn{path: []string{w.bbox, side}, physical: parquetDouble, typ: TypeFloat})
		}
	}
	for _, c := range w.columns {
		c.reset()
	}
	return w
}

var sides = [4]string{"xmin", "ymin", "xmax", "ymax"}

func (w *parquetWriter) emit(p []byte) {
	w.out.Write(p)
	w.offset += int64(len(p))
}

func (w *parquetWriter) add(r Row, l *Layout) {
	p := l.part(r.RowType())
	for i, c := range p.slots {
		v := Null
		if c >= 0 {
			v = r.Value(c)
		}
		w.columns[i].add(w.rows, v)
	}
	if w.geoAt >= 0 {
		var g Geometry
		if p.geometry {
			g = r.Geometry()
		}
		e, ok := l.Projection.Envelope(g)
		geo := w.columns[w.geoAt]
		geo.level(w.rows, ok)
		if ok {
			w.wkb = AppendWKB(w.wkb[:0], g, l.Projection)
			geo.values = binary.LittleEndian.AppendUint32(geo.values, uint32(len(w.wkb)))
			geo.values = append(geo.values, w.wkb...)
			w.bytes += len(w.wkb)
		}
		for i := range sides {
			c := w.columns[w.geoAt+1+i]
			c.level(w.rows, ok)
			if ok {
				c.double(e[i])
			}
		}
	}
	w.rows++
	w.bytes += 8 * len(w.columns)
}

func (c *parquetColumn) reset() {
	c.values, c.levels, c.present = c.values[:0], c.levels[:0], 0
	c.min, c.max = math.Inf(1), math.Inf(-1)
}

// level notes whether the row has a value.
func (c *parquetColumn) level(row int, present bool) {
	if row%8 == 0 {
		c.levels = append(c.levels, 0)
	}
	if present {
		c.levels[row/8] |= 1 << (row % 8)
	}
}

func (c *parquetColumn) double(f float64) {
	c.min, c.max = min(c.min, f), max(c.max, f)
	c.values = binary.LittleEndian.AppendUint64(c.values, math.Float64bits(f))
}

// add appends a value; one that is not of the column's type counts as null.
func (c *parquetColumn) add(row int, v Value) {
	switch c.physical {
	case parquetBoolean:
		n, ok := v.Int64()
		c.level(row, ok)
		if ok {
			if c.present%8 == 0 {
				c.values = append(c.values, 0)
			}
			if n != 0 {
				c.values[c.present/8] |= 1 << (c.present % 8)
			}
			c.present++
		}
	case parquetInt64:
		n, ok := v.Int64()
		c.level(row, ok)
		if ok {
			c.values = binary.LittleEndian.AppendUint64(c.values, uint64(n))
		}
	case parquetDouble:
		f, ok := v.Float64()
		c.level(row, ok)
		if ok {
			c.double(f)
		}
	default:
		s, ok := v.Str()
		c.level(row, ok)
		if ok {
			c.values = binary.LittleEndian.AppendUint32(c.values, uint32(len(s)))
			c.values = append(c.values, strings.ToValidUTF8(s, "\uFFFD")...)
			if n := len(strings.ToValidUTF8(s, "\uFFFD")); n != len(s) {
				binary.LittleEndian.PutUint32(c.values[len(c.values)-n-4:], uint32(n))
			}
		}
	}
}

// flush writes the open row group.
func (w *parquetWriter) flush() error {
	if w.rows == 0 {
		return nil
	}
	z, err := zstdWriter()
	if err != nil {
		return err
	}
	for _, c := range w.columns {
		page := binary.LittleEndian.AppendUint32(nil, 0)
		page = binary.AppendUvarint(page, uint64(len(c.levels))<<1|1) // one bit-packed run of groups of 8
		page = append(page, c.levels...)
		binary.LittleEndian.PutUint32(page, uint32(len(page)-4))
		page = append(page, c.values...)
		packed := z.EncodeAll(page, nil)
		var t thrift
		t.open()
		t.i32(1, 0) // DATA_PAGE
		t.i32(2, len(page))
		t.i32(3, len(packed))
		t.structField(5, func() {
			t.i32(1, w.rows)
			t.i32(2, 0) // values PLAIN
			t.i32(3, 3) // definition levels RLE
			t.i32(4, 3) // repetition levels RLE
		})
		t.close()
		chunk := parquetChunk{offset: w.offset, rows: w.rows, min: c.min, max: c.max,
			size: int64(len(t.b) + len(packed)), rawSize: int64(len(t.b) + len(page))}
		w.emit(t.b)
		w.emit(packed)
		c.chunks = append(c.chunks, chunk)
		c.reset()
	}
	w.groups = append(w.groups, w.rows)
	w.rows, w.bytes = 0, 0
	return nil
}
