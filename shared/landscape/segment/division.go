package segment

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"mappe/shared/geo/raster"
	"mappe/shared/landscape/terrain"
)

// Store keeps objects until they are asked for: what is written stands behind what was written before, and is read at any place.
// It is empty at the beginning. A temporary file is one.
type Store interface {
	io.Writer
	io.ReaderAt
}

// Division is an area divided into objects, which stand in a store and are read one at a time: of a km² it holds some 0.6 MB, the
// labels of its cells. Its store has to last as long. Object and Each may be called at the same time.
type Division struct {
	Figures
	store   io.ReaderAt
	made    []int64          // by label - 1: where in the store the object stands
	squares map[[2]int]*runs // by column and row of their north-western cells
}

// Count is how many objects there are.
func (d *Division) Count() int { return len(d.made) }

// Object reads an object by its label - 1: they are in order from the north, then from the west.
func (d *Division) Object(i int) (o Object, err error) {
	var b [recordBytes]byte
	if n, err := d.store.ReadAt(b[:], d.made[i]); n < len(b) {
		return o, fmt.Errorf("segment: object %d: %w", i, err)
	}
	o.read(b[:])
	o.Label = int32(i + 1)
	return o, nil
}

// Each gives all objects in their order.
func (d *Division) Each(f func(*Object) error) error {
	for i := range d.made {
		o, err := d.Object(i)
		if err != nil {
			return err
		}
		if err := f(&o); err != nil {
			return err
		}
	}
	return nil
}

// labels fills a part of the area with the labels of its cells, from a column and row.
func (d *Division) labels(col0, row0, cols, rows int, to []int32) {
	floor := func(v, at int) int { // the column or row of the square that a cell lies in, of which one begins at another
		return v - ((v-at)%Side+Side)%Side
	}
	at := [2]int{}
	for at = range d.squares {
		break // all stand on one grid
	}
	for r0 := floor(row0, at[1]); r0 < row0+rows; r0 += Side {
		for c0 := floor(col0, at[0]); c0 < col0+cols; c0 += Side {
			if s := d.squares[[2]int{c0, r0}]; s != nil {
				s.fill(col0-c0, row0-r0, cols, rows, to)
			}
		}
	}
}

// land is the same with all of it held.
func (d *Division) land() (*Land, error) {
	l := &Land{Figures: d.Figures, Labels: make([]int32, d.Cols*d.Rows), Objects: make([]Object, 0, d.Count())}
	d.labels(0, 0, d.Cols, d.Rows, l.Labels)
	err := d.Each(func(o *Object) error {
		l.Objects = append(l.Objects, *o)
		return nil
	})
	return l, err
}

// Tracer traces the outlines of objects. It is for one goroutine.
type Tracer struct {
	d *Division
	p raster.Partition
}

// Tracer makes one.
func (d *Division) Tracer() *Tracer { return &Tracer{d: d} }

// Outline is an object in EPSG:3035, its rings clockwise and its holes counterclockwise as they are traced.
func (t *Tracer) Outline(o *Object) []raster.Polygon {
	d := t.d
	// A cell around it decides where lines between more than two objects end.
	west, east := max(int(o.West-d.West)-1, 0), min(int(o.East-d.West)+1, d.Cols)
	north, south := max(int(d.North-o.North)-1, 0), min(int(d.North-o.South)+1, d.Rows)
	cols, rows := east-west, south-north
	labels := slices.Grow(t.p.Labels[:0], cols*rows)[:cols*rows]
	clear(labels)
	d.labels(west, north, cols, rows, labels)
	t.p.Show(labels, cols, rows)
	parts := t.p.Outline(o.Label, int(o.West-d.West)-west, int(o.East-d.West)-west, int(d.North-o.North)-north, int(d.North-o.South)-north)
	moved(parts, d.West+float64(west), d.North-float64(north))
	return parts
}

// moved lays what was traced from a corner out in EPSG:3035.
func moved(parts []raster.Polygon, west, north float64) {
	for _, part := range parts {
		for _, ring := range part {
			for i, v := range ring {
				ring[i] = raster.XY{X: west + v.X, Y: north - v.Y}
			}
		}
	}
}

// Partition is what outlines of the objects are traced in.
func (l *Land) Partition() *raster.Partition {
	return &raster.Partition{Labels: l.Labels, Cols: l.Cols, Rows: l.Rows}
}

// Outline is an object in EPSG:3035, its rings clockwise and its holes counterclockwise as they are traced in p.
func (l *Land) Outline(p *raster.Partition, o *Object) []raster.Polygon {
	parts := p.Outline(o.Label, int(o.West-l.West), int(o.East-l.West), int(l.North-o.North), int(l.North-o.South))
	moved(parts, l.West, l.North)
	return parts
}

// A record of the store, all numbers little-endian; its place says which object it is:
//
//	offset 0    228  Row: 57 float32
//	       228  120  15 float64, in the order of floats
//	       348  4    cover
//	       352  4    use
//	       356  1    flags: 1 elevated
//	       357  1    sector, an index of terrain.Sectors, from 1; 0: unknown
//	       358  1    way, an index of wayKinds
const (
	floatCount  = 15
	recordBytes = 4*FeatureCount + 8*floatCount + 4 + 4 + 3
)

func (o *Object) floats() [floatCount]*float64 {
	return [...]*float64{&o.X, &o.Y, &o.West, &o.South, &o.East, &o.North, &o.ElevationMin, &o.ElevationMax, &o.Aspect, &o.GNDVI, &o.Shadow,
		&o.EdgeContrast, &o.HeightKnown, &o.Footprint, &o.WayShare}
}

// append writes a record.
func (o *Object) append(b []byte) []byte {
	for _, v := range o.Row {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	for _, v := range o.floats() {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*v))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(o.Cover))
	b = binary.LittleEndian.AppendUint32(b, uint32(o.Use))
	flags := byte(0)
	if o.Elevated {
		flags = 1
	}
	return append(b, flags, byte(slices.Index(terrain.Sectors[:], o.Sector)+1), byte(max(slices.Index(wayKinds, o.Way), 0)))
}

func (o *Object) read(b []byte) {
	for i := range o.Row {
		o.Row[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	b = b[4*len(o.Row):]
	for i, v := range o.floats() {
		*v = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	b = b[8*floatCount:]
	o.Cover, o.Use = int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	o.Elevated = b[8]&1 == 1
	if k := b[9]; k > 0 {
		o.Sector = terrain.Sectors[k-1]
	}
	o.Way = wayKinds[b[10]]
}

// writer appends for several goroutines.
type writer struct {
	to   Store
	mu   sync.Mutex
	size int64
}

// put writes bytes and gives where they begin.
func (w *writer) put(b []byte) (at int64, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at = w.size
	n, err := w.to.Write(b)
	w.size += int64(n)
	if err != nil {
		return at, fmt.Errorf("segment: objects cannot be kept: %w", err)
	}
	return at, nil
}

// held is a store in memory.
type held struct{ b []byte }

func (h *held) Write(p []byte) (int, error) {
	h.b = append(h.b, p...)
	return len(p), nil
}

func (h *held) ReadAt(p []byte, offset int64) (int, error) {
	if n := copy(p, h.b[min(offset, int64(len(h.b))):]); n < len(p) {
		return n, io.EOF
	}
	return len(p), nil
}
