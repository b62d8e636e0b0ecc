package shapefile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strconv"

	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// shapeType is the type of the shapes of a file.
type shapeType uint32

// The types that are written. A row without a geometry has the null type, in a file of any.
const (
	none    shapeType = 0
	point   shapeType = 1
	lines   shapeType = 3
	polygon shapeType = 5
)

// set gathers the rows of one set: shapes, index and cells in files beside the archive.
type set struct {
	name    string
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
	parts  []part    // of the shape
	xy     []float64 // of a part
}

func (w *archive) begin(l Layer, columns []*column, shape shapeType) (*set, error) {
	s := &set{name: l.Name, layout: l.Layout, columns: make([]*column, len(columns)), shape: shape}
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
	p.shape = binary.LittleEndian.AppendUint32(p.shape[:0], uint32(none))
	switch g := r.Geometry(); {
	case g.Shape == format.ShapeNone || s.shape == none:
	case s.shape == point && g.Shape == format.ShapePoint:
		x, y := s.project(g.Point)
		binary.LittleEndian.PutUint32(p.shape, uint32(point))
		p.shape = appendFloat(appendFloat(p.shape, x), y)
	case s.shape == polygon && g.Shape == format.ShapeMultiPolygon:
		s.several(ringsOf(p.parts[:0], g.Polygons))
	case s.shape == lines && g.Shape == format.ShapeMultiLine:
		p.parts = p.parts[:0]
		for _, line := range g.Lines {
			p.parts = append(p.parts, part{line, asDrawn})
		}
		s.several(p.parts)
	default:
		return fmt.Errorf("shapefile: a row of %s has another type of shape than its file", s.name)
	}
	p.cells, p.widths = p.cells[:0], p.widths[:0]
	for _, c := range s.columns {
		at := len(p.cells)
		p.cells = append(p.cells, 0)
		if c.cell < 0 {
			p.cells = strconv.AppendInt(p.cells, int64(s.rows)+1, 10)
		} else {
			p.cells = c.appendCell(p.cells, s.layout.Cell(r, c.cell))
		}
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

// part is a ring or a line of a shape.
type part struct {
	at  []geom.Point
	way way
}

// way is how a part runs in the file.
type way uint8

const (
	asDrawn way = iota
	clockwise
	against
)

// ringsOf are the parts of polygons: exteriors clockwise, holes against it.
func ringsOf(parts []part, m geom.MultiPolygon) []part {
	for _, poly := range m {
		for i, ring := range poly {
			w := against
			if i == 0 {
				w = clockwise
			}
			parts = append(parts, part{ring, w})
		}
	}
	return parts
}

// several encodes the shape of the pending row from its parts; a ring ends with its first position. Without parts it stays the null shape.
func (s *set) several(parts []part) {
	p := &s.pending
	p.parts = parts
	if len(parts) == 0 {
		return
	}
	binary.LittleEndian.PutUint32(p.shape, uint32(s.shape))
	b, at := append(p.shape, make([]byte, 40)...), 0
	for _, q := range parts {
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		if at += len(q.at); q.way != asDrawn {
			at++
		}
	}
	binary.LittleEndian.PutUint32(b[36:], uint32(len(parts)))
	binary.LittleEndian.PutUint32(b[40:], uint32(at))
	for _, q := range parts {
		p.xy = p.xy[:0]
		for _, v := range q.at {
			x, y := s.project(v)
			p.xy = append(p.xy, x, y)
		}
		b = appendPart(b, p.xy, q.way)
	}
	for i, v := range p.box {
		putFloat(b[4+8*i:], v)
	}
	p.shape = b
}

// appendPart writes the positions of a part, of a ring in its way and its first once more.
func appendPart(b []byte, xy []float64, w way) []byte {
	n := len(xy) / 2
	if w == asDrawn || n == 0 {
		for _, v := range xy {
			b = appendFloat(b, v)
		}
		return b
	}
	area := 0.0
	for i := 0; i+3 < len(xy); i += 2 {
		area += (xy[i]-xy[0])*(xy[i+3]-xy[1]) - (xy[i+2]-xy[0])*(xy[i+1]-xy[1])
	}
	turned := (area > 0) == (w == clockwise)
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
func (s *set) full(most int64) bool { return s.shp(1) > most || s.dbf(1) > most }

// shp is the size of the .shp, with the pending row where more is 1.
func (s *set) shp(more int) int64 {
	return 100 + s.shapeBytes + int64(more)*(8+int64(len(s.pending.shape)))
}

// dbf is the size of the .dbf, with the pending row where more is 1.
func (s *set) dbf(more int) int64 {
	row := int64(1)
	for i, c := range s.columns {
		width := max(c.width, 1)
		if more > 0 {
			width = max(width, s.pending.widths[i])
		}
		row += int64(width)
	}
	return int64(33+32*len(s.columns)) + int64(s.rows+more)*row + 1
}

// size is that of the files of the set, grown that with the pending row.
func (s *set) size() int64  { return s.shp(0) + s.dbf(0) + 100 + 8*int64(s.rows) }
func (s *set) grown() int64 { return s.shp(1) + s.dbf(1) + 100 + 8*int64(s.rows+1) }

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
	// An error stays in the writer: the last one of each has it.
	s.shapes.Write(head[:])
	_, a := s.shapes.Write(p.shape)
	_, b := s.index.Write(at[:])
	_, c := s.cells.Write(p.cells)
	if a != nil || b != nil || c != nil {
		return fmt.Errorf("shapefile: %w", errors.Join(a, b, c))
	}
	return nil
}

func putFloat(b []byte, v float64) { binary.LittleEndian.PutUint64(b, math.Float64bits(v)) }

func appendFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}
