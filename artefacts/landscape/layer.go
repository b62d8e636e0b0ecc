package landscape

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"mappe/artefacts/columns"
	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Layer is a list of things of a KG: its columns, how it is cut into sections, and in which order it stands.
type Layer[T any] struct {
	Name    string
	Columns Columns[T]
	rows    int // of a section at most
	lists   []list[T]
	id      func(*T) string
	box     func(*T) geom.Box // of its outline, or of its place
	compare func(a, b *T) int
}

// step is the side of the cells that rows are sorted by, in 1e-7 degree: some 400 m.
const step = 50_000

// byPlace sorts by cells from the north, then from the west, then by the place in the cell, then by the id.
func byPlace[T any](at func(*T) geom.Point, id func(*T) string) func(a, b *T) int {
	cell := func(v int32) int32 { return (v - mod(v, step)) / step }
	return func(a, b *T) int {
		p, q := at(a), at(b)
		return cmp.Or(cmp.Compare(cell(q.Y), cell(p.Y)), cmp.Compare(cell(p.X), cell(q.X)), cmp.Compare(q.Y, p.Y), cmp.Compare(p.X, q.X),
			cmp.Compare(id(a), id(b)))
	}
}

func mod(v, n int32) int32 { return ((v % n) + n) % n }

func pointBox(p geom.Point) geom.Box { return geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y} }

func drawn(g geom.MultiPolygon, at geom.Point) geom.Box {
	if b := g.Bounds(); !b.Empty() {
		return b
	}
	return pointBox(at)
}

// thing says of a row where it stands, what its id is and what its outline; outline is nil where things have none.
type thing[T any] struct {
	at      func(*T) geom.Point
	id      func(*T) string
	outline func(*T) *geom.MultiPolygon
}

// placed is a layer in the order of places.
func placed[T any](name string, rows int, columns Columns[T], of thing[T], lists ...list[T]) *Layer[T] {
	l := &Layer[T]{Name: name, Columns: columns, rows: rows, lists: lists, id: of.id, box: func(t *T) geom.Box {
		return pointBox(of.at(t))
	},
		compare: byPlace(of.at, of.id)}
	if of.outline != nil {
		l.lists = append(l.lists, outlines(of.outline))
		l.box = func(t *T) geom.Box { return drawn(*of.outline(t), of.at(t)) }
	}
	return l
}

// The layers of a KG.
var (
	Buildings = placed("buildings", 1<<10, BuildingColumns, thing[Building]{func(b *Building) geom.Point { return b.Centroid },
		func(b *Building) string { return b.ID },
		func(b *Building) *geom.MultiPolygon { return &b.Geometry }},
		listOf(func(b *Building) *[]Vertex { return &b.Vertices }, VertexColumns), listOf(func(b *Building) *[]Share { return &b.Types },
			ShareColumns),
		listOf(func(b *Building) *[]Classification { return &b.Classification }, ClassificationColumns))
	Infrastructures = placed("infrastructure", 1<<12, InfrastructureColumns, thing[Infrastructure]{func(i *Infrastructure) geom.Point {
		return i.At
	},
		func(i *Infrastructure) string { return i.ID }, func(i *Infrastructure) *geom.MultiPolygon { return &i.Geometry }})
	NewBuildings = placed("new_buildings", 1<<12, NewBuildingColumns, thing[NewBuilding]{func(b *NewBuilding) geom.Point { return b.At },
		func(b *NewBuilding) string { return b.ID },
		func(b *NewBuilding) *geom.MultiPolygon { return &b.Geometry }})
	Parcels = &Layer[Parcel]{Name: "parcels", Columns: ParcelColumns, rows: 1 << 8, id: func(p *Parcel) string { return p.ID },
		box: func(p *Parcel) geom.Box { return pointBox(p.Centroid) }, compare: func(a, b *Parcel) int {
			return CompareParcels(a.ID, b.ID)
		},
		lists: []list[Parcel]{
			listOf(func(p *Parcel) *[]Share { return &p.Types }, ShareColumns), listOf(func(p *Parcel) *[]Classification {
				return &p.Classification
			}, ClassificationColumns),
			listOf(func(p *Parcel) *[]HansenLoss { return &p.LossByYear }, HansenLossColumns),
			listOf(func(p *Parcel) *[]Vertex { return &p.Vertices }, VertexColumns),
			listOf(func(p *Parcel) *[]TopObject { return &p.TopObjects }, TopObjectColumns),
			listOf(func(p *Parcel) *[]TopTree { return &p.TopTrees }, TopTreeColumns),
			{put: func(w *column.Writer, rows []Parcel) { put(w, rows, heightColumns) }, read: func(r *column.Reader, rows []Parcel) int64 {
				get(r, rows, heightColumns)
				return 0
			}},
		}}
	Samples = placed("samples", 1<<17, SampleColumns, thing[Sample]{at: func(s *Sample) geom.Point { return s.At },
		id: func(*Sample) string { return "" }})
	Segments = placed("segments", 1<<12, SegmentColumns, thing[Segment]{func(s *Segment) geom.Point { return s.At },
		func(s *Segment) string { return s.ID },
		func(s *Segment) *geom.MultiPolygon { return &s.Geometry }})
	Trees = placed("trees", 1<<14, TreeColumns, thing[Tree]{at: func(t *Tree) geom.Point { return t.At }, id: func(t *Tree) string {
		return t.ID
	}})
)

// CompareParcels is the order of parcels: by KG, then by number as text without leading zeros.
func CompareParcels(a, b string) int {
	ka, na, _ := strings.Cut(a, "-")
	kb, nb, _ := strings.Cut(b, "-")
	if c := cmp.Compare(ka, kb); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(columns.CanonicalNumber(austria.GNR(na)), columns.CanonicalNumber(austria.GNR(nb))), cmp.Compare(na, nb))
}

// Encode makes a section of rows.
func (l *Layer[T]) Encode(rows []T) ([]byte, error) {
	return column.Format{Swift: true}.EncodeAlone("landscape", l.Name, len(rows), func(w *column.Writer) {
		put(w, rows, l.Columns)
		for _, x := range l.lists {
			x.put(w, rows)
		}
	})
}

// Decode reads a section of any bytes, and says what its rows take in memory.
func (l *Layer[T]) Decode(b []byte) (rows []T, cost int64, err error) {
	err = column.DecodeAlone("landscape", l.Name, b, func(r *column.Reader, n int) {
		rows = make([]T, n)
		get(r, rows, l.Columns)
		for _, x := range l.lists {
			if r.Err == nil {
				cost += x.read(r, rows)
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return rows, cost + int64(len(rows))*int64(unsafe.Sizeof(*new(T))), nil
}

// sorted are the rows in the order of the file.
func (l *Layer[T]) sorted(rows []T) []T {
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b T) int { return l.compare(&a, &b) })
	return out
}

// Section is the name of a section of the layer.
func (l *Layer[T]) Section(n int) string { return fmt.Sprintf("%s-%05d", l.Name, n) }

// SameParcel says whether two ids are of one parcel, whatever zeros its number was spelled with.
func SameParcel(a, b string) bool {
	if a == b {
		return true
	}
	ka, na, _ := strings.Cut(a, "-")
	kb, nb, _ := strings.Cut(b, "-")
	return ka == kb && columns.CanonicalNumber(austria.GNR(na)) == columns.CanonicalNumber(austria.GNR(nb))
}

// SameOrAfter says whether a parcel is another or stands behind it.
func SameOrAfter(id, first string) bool {
	return SameParcel(id, first) || CompareParcels(id, first) > 0
}
