package kgfile

import (
	"fmt"
	"sync"
	"sync/atomic"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// File is an open .kgs file. Geometry, boxes and the containment index of the parcels are decoded at
// Open; every other table on its first use, once. All methods are safe for concurrent use. Slices and
// geometries are handed out without a copy and belong to the file: callers never change them.
type File struct {
	kg    KG
	build Build
	secs  []column.Section
	n     int // parcels
	size  int
	bytes int64

	geo  *shapeSet
	grid *grid
	tree *packtree.Tree

	parcels    lazy[[]Parcel]
	numbers    lazy[map[austria.GNR]int32]
	sought     atomic.Int32 // parcels that were looked for by number
	buildings  lazy[buildingTable]
	footprints lazy[footprintTable]
	landUse    lazy[[]LandUseArea]
	symbols    lazy[[]Symbol]
	labels     lazy[[]Label]
	folios     lazy[[]Folio]
	outline    lazy[geom.MultiPolygon]
}

// lazy is a value made once, with its error.
type lazy[T any] struct {
	once sync.Once
	v    T
	err  error
}

func (l *lazy[T]) get(f func() (T, error)) (T, error) {
	l.once.Do(func() { l.v, l.err = f() })
	return l.v, l.err
}

// footprintTable is the footprints with their index.
type footprintTable struct {
	rows []Footprint
	tree *packtree.Tree
}

// buildingTable is the address points with their index.
type buildingTable struct {
	rows []Building
	tree *packtree.Tree
}

// Open reads a file. Foreign bytes give an error, never a panic or an unbounded allocation; the
// checksums of all sections are proven here. data is kept and must not change.
func Open(data []byte) (*File, error) {
	secs, err := format.Disassemble(data)
	if err != nil {
		return nil, fmt.Errorf("kgs: %w", err)
	}
	f := &File{secs: secs, n: secs[secPgeo].Rows, size: len(data)}
	if err := f.read(secHead, func(r *column.Reader, _ int) { f.readHead(r) }); err != nil {
		return nil, err
	}
	if f.secs[secPatt].Rows != f.NumParcels() || f.secs[secPuse].Rows != f.NumParcels() {
		return nil, fmt.Errorf("kgs %s: the parcel sections have different numbers of rows", f.kg.Code)
	}
	err = f.read(secPgeo, func(r *column.Reader, n int) {
		if f.geo = readShapes(r, n, nil); f.geo != nil && !f.geo.onEarth() {
			r.Fail("a vertex is not a longitude and latitude")
		}
	})
	if err != nil {
		return nil, err
	}
	f.grid = buildGrid(f.geo)
	f.tree = packtree.Ordered(f.geo.boxes)
	f.bytes = f.memory()
	return f, nil
}

func (f *File) read(sec int, decode func(r *column.Reader, rows int)) error {
	if err := f.secs[sec].Read(decode); err != nil {
		return fmt.Errorf("kgs %s: %w", f.kg.Code, err)
	}
	return nil
}

func (f *File) readHead(r *column.Reader) {
	t := r.Text(9)
	k, b := &f.kg, &f.build
	k.Code, k.Name, k.GemeindeCode, k.GemeindeName, k.DistrictName = austria.KGCode(t[0]), t[1], austria.GemeindeCode(t[2]), t[3], t[4]
	b.Stichtag, b.AssemblyVersion, b.IngestGeneration, b.Source = t[5], t[6], t[7], t[8]
	box := column.Ints[uint64](r, 4)
	k.Box = geom.Box{MinX: int32(column.Unzig(box[0])), MinY: int32(column.Unzig(box[1])), MaxX: int32(column.Unzig(box[2])),
		MaxY: int32(column.Unzig(box[3]))}
	c := column.Ints[uint32](r, 10)
	k.ParcelCount, k.BuildingCount, k.FootprintCount, k.LandUseCount, k.EZCount = int(c[0]), int(c[1]), int(c[2]), int(c[3]), int(c[4])
	k.Typology, k.DominantLandUse = Typology(c[5]), austria.LandUse(c[6])
	b.SourceTiles, b.SourceParcels, b.SourceLabels = int(c[7]), int(c[8]), int(c[9])
	for _, m := range AllMetrics() {
		readSteps(r, 1, m.Per, func(_ int, v float64) { *m.Of(k) = v })
	}
	n := r.Count(16)
	kind, count := column.Ints[uint32](r, n), column.Ints[uint32](r, n)
	for i := range n {
		b.Repairs = append(b.Repairs, RepairCount{Repair(kind[i]), int(count[i])})
	}
}

// KG is the row of the KG.
func (f *File) KG() KG { return f.kg }

// Build says where the snapshot comes from; Repairs belongs to the file.
func (f *File) Build() Build { return f.build }

// NumParcels is the number of parcels.
func (f *File) NumParcels() int { return f.n }

// Size is the length of the file in bytes.
func (f *File) Size() int { return f.size }

// Bytes is the memory the file takes once every table was used; a cache counts with it from the start.
func (f *File) Bytes() int64 { return f.bytes }

// ParcelGeometry is the geometry of parcel i, nil for a degenerate one.
func (f *File) ParcelGeometry(i int) geom.MultiPolygon { return f.geo.geometry(i) }

// ParcelBox is the box of parcel i, empty for a degenerate one.
func (f *File) ParcelBox(i int) geom.Box { return f.geo.boxes[i] }

// Bounds is the box of all parcels.
func (f *File) Bounds() geom.Box { return f.tree.Bounds() }

// Locate gives the parcel that contains the point: exact, half-open, so that a point on a shared
// border lies in exactly one of the two. Where parcels overlap it is the first in order.
func (f *File) Locate(p geom.Point) (int, bool) {
	s := f.geo
	for _, i := range f.grid.cell(p) {
		if !s.boxes[i].Contains(p) {
			continue
		}
		a, b := span(s.shape, int(i))
		for _, poly := range s.polys[a:b] {
			in := false
			for _, r := range poly {
				if r.Contains(p) {
					in = !in
				}
			}
			if in {
				return int(i), true
			}
		}
	}
	return 0, false
}

// AtPoint calls visit for the parcels that may hold the point or touch it: all whose geometry does, in
// rising order, among few others. It costs a tenth of InBox with a point.
func (f *File) AtPoint(p geom.Point, visit func(parcel int)) {
	for _, i := range f.grid.cell(p) {
		if f.geo.boxes[i].Contains(p) {
			visit(int(i))
		}
	}
}

// InBox calls visit for the parcels whose box shares a point with q, in rising order, until visit says false.
func (f *File) InBox(q geom.Box, visit func(parcel int) bool) { f.tree.Search(q, visit) }
