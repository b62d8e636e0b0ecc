// Package shapefile reads points, lines and polygons and their attributes from the two streams of a shapefile (.shp
// and .dbf), record by record: no more than one record is held. It owns the two forms, their limits and the code pages of the text; it
// knows no attribute's meaning and no coordinate system. The kept libraries were tried with lying headers: one
// made gigabytes of room for what a header announced, the other ended the process (docs/dependencies.md).
//
//	.shp  100 bytes: 9994 int32 BE · ... · 28 version 1000 LE · 32 shape type LE
//	      then records: number, length in 16-bit words (int32 BE) · type (LE), and by its last digit
//	      0 nothing
//	      1 point        position
//	      8 points       box 4 float64 · points int32 · positions
//	      3 lines, 5 polygon  box 4 float64 · parts, points int32 · start of each part int32 · positions
//	      positions are 2 float64; height (types 11 to 18) and measure (21 to 28) follow and are passed over
//	.dbf  32 bytes: 4 rows uint32 · 8 header uint16 · 10 row uint16 · 29 code page, all LE
//	      then 32 bytes a column: name 11 · type · 16 length; 0x0D ends them; then rows: ' ' or '*' (deleted), cells
//
// Nothing is allocated by a length or count that bytes do not back.
package shapefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Limits of a file.
const (
	maxRecord  = 64 << 20 // bytes of a shape
	maxColumns = 255
	maxRows    = 10_000_000
)

// XY is a position in the file's system.
type XY [2]float64

// ShapeType is what the shapes of a file are; all are of one kind.
type ShapeType uint32

// The kinds, by the type that has neither height nor measure.
const (
	Point      ShapeType = 1
	Lines      ShapeType = 3
	Polygons   ShapeType = 5
	MultiPoint ShapeType = 8
)

// kindOf is the kind of a type, 0 for a type that is not read (31, a surface of triangles).
func kindOf(t uint32) ShapeType {
	switch t {
	case 1, 11, 21, 3, 13, 23, 5, 15, 25, 8, 18, 28:
		return ShapeType(t % 10)
	}
	return 0
}

// Record is a row: its shape, of which one member is set and none for an empty one, and its cells. It is valid
// until the next one.
type Record struct {
	Number int // from 1
	// of a polygon, without the repeated closing vertex, those of all parts side by side: exteriors run clockwise, holes the other way
	Rings  [][]XY
	Lines  [][]XY
	Points []XY
	cells  []string
	table  *dbf
}

// Text is the cell of a column, found by name without regard to case, without surrounding blanks; "" when the
// file has no such column.
func (r *Record) Text(column string) string {
	if r.table == nil {
		return ""
	}
	if i, ok := r.table.index[fold(column)]; ok {
		return r.cells[i]
	}
	return ""
}

// Cells calls f with the column, the type (C text, N or F number, L yes or no, D date) and the text of each cell.
func (r *Record) Cells(f func(column string, kind byte, text string)) {
	for i, text := range r.cells {
		f(r.table.names[i], r.table.types[i], text)
	}
}

// Reader reads the records of a file in their order.
type Reader struct {
	shp   *bufio.Reader
	table *dbf // nil: the shapes alone
	kind  ShapeType
	left  int64 // bytes of shapes that the head announces
	limit int64 // bytes of a shape
	body  bytes.Buffer
	n     int
	err   error
	row   Record
}

// New reads the heads of both streams. page names the code page of the text as a .cpg file does, "" when there
// is no such file: then the head of the .dbf tells, and else text that is UTF-8 is taken for it, other for Windows-1252.
// Without a table (nil) the shapes are read alone.
func New(shp, table io.Reader, page string) (*Reader, error) {
	r := &Reader{shp: bufio.NewReaderSize(shp, 64<<10), limit: maxRecord}
	var head [100]byte
	if _, err := io.ReadFull(r.shp, head[:]); err != nil {
		return nil, fmt.Errorf("shp: %w", short(err))
	}
	if binary.BigEndian.Uint32(head[:]) != 9994 || binary.LittleEndian.Uint32(head[28:]) != 1000 {
		return nil, errors.New("shp: no shapefile: it begins with 9994 and has version 1000")
	}
	t := binary.LittleEndian.Uint32(head[32:])
	if r.kind = kindOf(t); r.kind == 0 && t != 0 {
		return nil, fmt.Errorf("shp: shapes of type %d: expected points (1, 8), lines (3) or polygons (5), also with height or measure", t)
	}
	r.left = 2*int64(binary.BigEndian.Uint32(head[24:])) - int64(len(head))
	if table == nil {
		return r, nil
	}
	var err error
	if r.table, err = newDBF(table, page); err != nil {
		return nil, fmt.Errorf("dbf: %w", err)
	}
	return r, nil
}

// Limit bounds the bytes of one shape, where less is expected than maxRecord.
func (r *Reader) Limit(bytes int64) { r.limit = min(bytes, maxRecord) }

// More says whether the head announces shapes after the last one that was read.
func (r *Reader) More() bool { return r.left > 0 }

// ShapeType is what the shapes are; 0 for a file of empty shapes.
func (r *Reader) Shape() ShapeType { return r.kind }

// Columns lists the columns as the file spells them.
func (r *Reader) Columns() []string {
	if r.table == nil {
		return nil
	}
	return r.table.names
}

// Next reads the next record that is not deleted; false at the end of either stream or after a fault.
func (r *Reader) Next() (*Record, bool) {
	for r.err == nil {
		var cells []string
		var deleted bool
		if r.table != nil {
			var err error
			if cells, deleted, err = r.table.next(); err != nil {
				r.fail("dbf", err)
				break
			}
		} else if _, err := r.shp.Peek(1); err == io.EOF && r.left <= 0 {
			r.err = io.EOF
			break
		}
		r.n++
		r.row = Record{Number: r.n, cells: cells, table: r.table}
		if err := r.shape(&r.row); err != nil {
			r.fail("shp", err)
			break
		}
		if !deleted {
			return &r.row, true
		}
	}
	return nil, false
}

// Err is the fault that ended the reading, nil at the end of the file.
func (r *Reader) Err() error {
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

func (r *Reader) fail(file string, err error) {
	if err != io.EOF || file == "shp" {
		err = fmt.Errorf("%s: record %d: %w", file, r.n, short(err))
	}
	r.err = err
}

func short(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the file ends too early")
	}
	return err
}

// shape reads one shape; a null shape has nothing.
func (r *Reader) shape(to *Record) error {
	var head [8]byte
	if _, err := io.ReadFull(r.shp, head[:]); err != nil {
		return err
	}
	length := 2 * int64(binary.BigEndian.Uint32(head[4:]))
	if length > r.limit {
		return fmt.Errorf("a shape of %d bytes: at most %d are read", length, r.limit)
	}
	r.left -= int64(len(head)) + length
	r.body.Reset()
	if n, err := io.CopyN(&r.body, r.shp, length); err != nil || n < length { // grows as bytes arrive
		return short(err)
	}
	b := r.body.Bytes()
	if len(b) < 4 {
		return errors.New("a shape without a type")
	}
	t := binary.LittleEndian.Uint32(b)
	if t == 0 {
		return nil
	}
	if kindOf(t) != r.kind || r.kind == 0 {
		return fmt.Errorf("shape type %d among shapes of type %d", t, r.kind)
	}
	var err error
	switch r.kind {
	case Point:
		to.Points, err = positions(b, 4, 1)
	case MultiPoint:
		if len(b) < 40 {
			return errors.New("points shorter than their head")
		}
		to.Points, err = positions(b, 40, int64(binary.LittleEndian.Uint32(b[36:])))
	case Lines:
		to.Lines, err = parts(b)
	case Polygons:
		to.Rings, err = parts(b)
		for i, ring := range to.Rings {
			if n := len(ring); n > 1 && ring[0] == ring[n-1] {
				to.Rings[i] = ring[:n-1]
			}
		}
	}
	return err
}

// positions are n positions from byte at on.
func positions(b []byte, at, n int64) ([]XY, error) {
	if at+16*n > int64(len(b)) {
		return nil, fmt.Errorf("%d positions announced in %d bytes", n, len(b))
	}
	out := make([]XY, n)
	for i := range out {
		p := b[at+16*int64(i):]
		out[i] = XY{math.Float64frombits(binary.LittleEndian.Uint64(p)), math.Float64frombits(binary.LittleEndian.Uint64(p[8:]))}
	}
	return out, nil
}

// parts are the lines or rings of a shape.
func parts(b []byte) ([][]XY, error) {
	if len(b) < 44 {
		return nil, errors.New("a shape shorter than its head")
	}
	parts, points := int64(binary.LittleEndian.Uint32(b[36:])), int64(binary.LittleEndian.Uint32(b[40:]))
	if 44+4*parts+16*points > int64(len(b)) {
		return nil, fmt.Errorf("%d parts and %d positions announced in %d bytes", parts, points, len(b))
	}
	out := make([][]XY, 0, parts)
	for i := range parts {
		from, to := int64(binary.LittleEndian.Uint32(b[44+4*i:])), points
		if i+1 < parts {
			to = int64(binary.LittleEndian.Uint32(b[48+4*i:]))
		}
		if from > to || to > points {
			return nil, fmt.Errorf("part %d runs from position %d to %d of %d", i+1, from, to, points)
		}
		part, err := positions(b, 44+4*parts+16*from, to-from)
		if err != nil {
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}
