// Package shapefile reads polygons and their attributes from the two streams of a shapefile (.shp and .dbf),
// record by record, in constant memory. It owns the two forms, their limits and the code pages of the text; it
// knows no attribute's meaning and no coordinate system. The kept libraries were tried with lying headers: one
// made gigabytes of room for what a header announced, the other ended the process (docs/dependencies.md).
//
//	.shp  100 bytes: 9994 int32 BE · ... · 28 version 1000 LE · 32 shape type LE
//	      then records: number, length in 16-bit words (int32 BE) · type (LE) · box 4 float64 · parts, points int32
//	      · start of each part int32 · positions 2 float64; height and measure follow and are passed over
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

// Record is a row: the rings of its polygon without the repeated closing vertex, none for an empty shape, and
// its cells. The rings of all its parts are side by side; exteriors run clockwise, holes the other way. It is
// valid until the next one.
type Record struct {
	Number int // from 1
	Rings  [][]XY
	cells  []string
	table  *dbf
}

// Text is the cell of a column, found by name without regard to case, without surrounding blanks; "" when the
// file has no such column.
func (r *Record) Text(column string) string {
	if i, ok := r.table.index[fold(column)]; ok {
		return r.cells[i]
	}
	return ""
}

// Reader reads the records of a file in their order.
type Reader struct {
	shp   *bufio.Reader
	table *dbf
	body  bytes.Buffer
	n     int
	err   error
	row   Record
}

// New reads the heads of both streams. page names the code page of the text as a .cpg file does, "" when there
// is none: then the head of the .dbf tells, and else text that is UTF-8 is taken for it, other for Windows-1252.
func New(shp, table io.Reader, page string) (*Reader, error) {
	r := &Reader{shp: bufio.NewReaderSize(shp, 64<<10)}
	var head [100]byte
	if _, err := io.ReadFull(r.shp, head[:]); err != nil {
		return nil, fmt.Errorf("shp: %w", short(err))
	}
	if binary.BigEndian.Uint32(head[:]) != 9994 || binary.LittleEndian.Uint32(head[28:]) != 1000 {
		return nil, errors.New("shp: no shapefile: it begins with 9994 and has version 1000")
	}
	if t := binary.LittleEndian.Uint32(head[32:]); !isPolygon(t) {
		return nil, fmt.Errorf("shp: shapes of type %d: expected polygons (5, 15 or 25)", t)
	}
	var err error
	if r.table, err = newDBF(table, page); err != nil {
		return nil, fmt.Errorf("dbf: %w", err)
	}
	return r, nil
}

// Columns lists the columns as the file spells them.
func (r *Reader) Columns() []string { return r.table.names }

// Next reads the next record that is not deleted; false at the end of either stream or after a fault.
func (r *Reader) Next() (*Record, bool) {
	for r.err == nil {
		cells, deleted, err := r.table.next()
		if err != nil {
			r.fail("dbf", err)
			break
		}
		r.n++
		rings, err := r.shape()
		if err != nil {
			r.fail("shp", err)
			break
		}
		if deleted {
			continue
		}
		r.row = Record{Number: r.n, Rings: rings, cells: cells, table: r.table}
		return &r.row, true
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

func isPolygon(t uint32) bool { return t == 5 || t == 15 || t == 25 }

// shape reads one shape; a null shape has no rings.
func (r *Reader) shape() ([][]XY, error) {
	var head [8]byte
	if _, err := io.ReadFull(r.shp, head[:]); err != nil {
		return nil, err
	}
	length := 2 * int64(binary.BigEndian.Uint32(head[4:]))
	if length > maxRecord {
		return nil, fmt.Errorf("a shape of %d bytes: at most %d are read", length, maxRecord)
	}
	r.body.Reset()
	if n, err := io.CopyN(&r.body, r.shp, length); err != nil || n < length { // grows as bytes arrive
		return nil, short(err)
	}
	b := r.body.Bytes()
	if len(b) < 4 {
		return nil, errors.New("a shape without a type")
	}
	t := binary.LittleEndian.Uint32(b)
	if t == 0 {
		return nil, nil
	}
	if !isPolygon(t) {
		return nil, fmt.Errorf("shape type %d among polygons", t)
	}
	return r.polygon(b)
}

func (r *Reader) polygon(b []byte) ([][]XY, error) {
	if len(b) < 44 {
		return nil, errors.New("a polygon shorter than its head")
	}
	parts, points := int64(binary.LittleEndian.Uint32(b[36:])), int64(binary.LittleEndian.Uint32(b[40:]))
	if 44+4*parts+16*points > int64(len(b)) {
		return nil, fmt.Errorf("%d parts and %d positions announced in %d bytes", parts, points, len(b))
	}
	at := b[44+4*parts:]
	rings := make([][]XY, 0, parts)
	for i := range parts {
		from, to := int64(binary.LittleEndian.Uint32(b[44+4*i:])), points
		if i+1 < parts {
			to = int64(binary.LittleEndian.Uint32(b[48+4*i:]))
		}
		if from > to || to > points {
			return nil, fmt.Errorf("part %d runs from position %d to %d of %d", i+1, from, to, points)
		}
		ring := make([]XY, to-from)
		for k := range ring {
			p := at[16*(from+int64(k)):]
			ring[k] = XY{math.Float64frombits(binary.LittleEndian.Uint64(p)), math.Float64frombits(binary.LittleEndian.Uint64(p[8:]))}
		}
		if n := len(ring); n > 1 && ring[0] == ring[n-1] {
			ring = ring[:n-1]
		}
		rings = append(rings, ring)
	}
	return rings, nil
}
