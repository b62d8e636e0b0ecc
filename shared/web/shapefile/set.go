package shapefile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"

	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// shapeType is the type of the shapes of a file.
type shapeType uint32

// The types that are written. A row without a geometry has the null type, in a file of either.
const (
	none    shapeType = 0
	point   shapeType = 1
	polygon shapeType = 5
)

// set gathers the rows of one set: shapes, index and cells in files beside the archive.
type set struct {
	layout  *format.Layout
	columns []*column
	shape   shapeType
	files   [3]*os.File // shapes, index, cells
	shapes  *bufio.Writer
	index   *bufio.Writer
	cells   *bufio.Writer

	rows       int
	shapeBytes int64 // without the header
	box        [4]float64
	some       bool // the box holds something
	pending    row  // encoded and not taken
}

// row is an encoded row.
type row struct {
	shape  []byte // content of its record
	cells  []byte // of each column: length in one byte, text
	widths []int
	box    [4]float64
	some   bool
}

func (w *archive) begin(l Layer, columns []*column, shape shapeType) (*set, error) {
	s := &set{layout: l.Layout, columns: make([]*column, len(columns)), shape: shape}
	for i, c := range columns {
		own := *c
		s.columns[i] = &own
	}
	for i := range s.files {
		f, err := os.CreateTemp(w.dir, "shapes")
		if err != nil {
			return nil, errors.Join(fmt.Errorf("shapefile: %w", err), s.close())
		}
		_ = os.Remove(f.Name()) // a process that is killed leaves nothing behind; Windows keeps the name of an open file until close
		s.files[i] = f
	}
	s.shapes, s.index, s.cells = bufio.NewWriterSize(s.files[0], 128<<10), bufio.NewWriterSize(s.files[1], 16<<10),
		bufio.NewWriterSize(s.files[2], 64<<10)
	return s, nil
}

// close removes the files beside. A set that was closed stays as it is.
func (s *set) close() (err error) {
	if s == nil {
		return nil
	}
	for i, f := range s.files {
		if f != nil {
			err = errors.Join(err, f.Close())
			if gone := os.Remove(f.Name()); !errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, gone)
			}
			s.files[i] = nil
		}
	}
	return err
}

// encode makes the next row pending.
func (s *set) encode(r format.Row) error {
	p := &s.pending
	p.box, p.some = [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}, false
	g := r.Geometry()
	switch {
	case s.shape == point && g.Shape == format.ShapePoint:
		x, y := s.project(g.Point)
		p.shape = binary.LittleEndian.AppendUint32(p.shape[:0], uint32(point))
		p.shape = appendFloat(appendFloat(p.shape, x), y)
	case s.shape == polygon && g.Shape == format.ShapeMultiPolygon && len(g.Polygons) > 0:
		s.polygons(g.Polygons)
	default:
		p.shape = binary.LittleEndian.AppendUint32(p.shape[:0], uint32(none))
	}
	p.cells, p.widths = p.cells[:0], p.widths[:0]
	for _, c := range s.columns {
		at := len(p.cells)
		p.cells = c.appendCell(append(p.cells, 0), s.layout.Cell(r, c.cell))
		p.cells[at] = byte(len(p.cells) - at - 1)
		p.widths = append(p.widths, len(p.cells)-at-1)
	}
	return nil
}

// project gives a position in the system of the layer and grows the box of the pending row.
func (s *set) project(q geom.Point) (x, y float64) {
	x, y = q.Lon(), q.Lat()
	if f := s.layout.Projection.Forward; f != nil {
		x, y = f(x, y)
		x, y = math.Round(x*1000)/1000, math.Round(y*1000)/1000 // millimetres, as other forms have them
	}
	b := &s.pending.box
	b[0], b[1], b[2], b[3] = min(b[0], x), min(b[1], y), max(b[2], x), max(b[3], y)
	s.pending.some = true
	return x, y
}

// polygons encodes the shape of the pending row: every ring is a part, which ends with its first position.
func (s *set) polygons(m geom.MultiPolygon) {
	p := &s.pending
	parts, points := 0, 0
	for _, poly := range m {
		for _, ring := range poly {
			parts, points = parts+1, points+len(ring)+1
		}
	}
	b := binary.LittleEndian.AppendUint32(p.shape[:0], uint32(polygon))
	b = append(b, make([]byte, 32)...)
	b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, uint32(parts)), uint32(points))
	at := 0
	for _, poly := range m {
		for _, ring := range poly {
			b = binary.LittleEndian.AppendUint32(b, uint32(at))
			at += len(ring) + 1
		}
	}
	var xy []float64
	for _, poly := range m {
		for i, ring := range poly {
			xy = xy[:0]
			for _, q := range ring {
				x, y := s.project(q)
				xy = append(xy, x, y)
			}
			b = appendRing(b, xy, i == 0)
		}
	}
	for i, v := range p.box {
		putFloat(b[4+8*i:], v)
	}
	p.shape = b
}

// appendRing writes the positions of a ring, clockwise or against it, and its first once more.
func appendRing(b []byte, xy []float64, clockwise bool) []byte {
	area := 0.0
	for i := 0; i+3 < len(xy); i += 2 {
		area += (xy[i]-xy[0])*(xy[i+3]-xy[1]) - (xy[i+2]-xy[0])*(xy[i+1]-xy[1])
	}
	n := len(xy) / 2
	turned := (area > 0) == clockwise
	for k := range n + 1 {
		i := k % n
		if turned {
			i = (n - k) % n
		}
		b = appendFloat(appendFloat(b, xy[2*i]), xy[2*i+1])
	}
	return b
}

// full says whether a file of the set would be too large with the pending row.
func (s *set) full(most int64) bool {
	row := int64(1)
	for i, c := range s.columns {
		row += int64(max(c.width, s.pending.widths[i], 1))
	}
	dbf := int64(33+32*len(s.columns)) + int64(s.rows+1)*row + 1
	return 100+s.shapeBytes+8+int64(len(s.pending.shape)) > most || dbf > most
}

// take writes the pending row beside.
func (s *set) take() error {
	p := &s.pending
	s.rows++
	var head [8]byte
	binary.BigEndian.PutUint32(head[:], uint32(s.rows))
	binary.BigEndian.PutUint32(head[4:], uint32(len(p.shape)/2))
	var at [8]byte
	binary.BigEndian.PutUint32(at[:], uint32((100+s.shapeBytes)/2))
	copy(at[4:], head[4:])
	s.shapeBytes += 8 + int64(len(p.shape))
	for i, c := range s.columns {
		c.width = max(c.width, p.widths[i])
	}
	if p.some {
		if !s.some {
			s.box, s.some = p.box, true
		}
		s.box = [4]float64{min(s.box[0], p.box[0]), min(s.box[1], p.box[1]), max(s.box[2], p.box[2]), max(s.box[3], p.box[3])}
	}
	write := func(w *bufio.Writer, parts ...[]byte) error {
		_, err := w.Write(slices.Concat(parts...))
		return err
	}
	if err := errors.Join(write(s.shapes, head[:], p.shape), write(s.index, at[:]), write(s.cells, p.cells)); err != nil {
		return fmt.Errorf("shapefile: %w", err)
	}
	return nil
}

func putFloat(b []byte, v float64) { binary.LittleEndian.PutUint64(b, math.Float64bits(v)) }

func appendFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}
