package trees

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"mappe/shared/cloud/spool"
	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
)

// kept are the rows of an answer in a file, in the order in which their squares were done; what is held of one is its place.
type kept[T any] struct {
	spool *spool.Spool
	list  *spool.List[T]
	place func(*T) place
	at    []place
}

// place is where a row stands in the plane, by which rows are in order, and in the file.
type place struct {
	x, y float64
	kind string // tells rows at one place apart
	n    int
}

func newKept[T any](of func(*T) place) (*kept[T], error) {
	s := spool.New(0)
	l, err := spool.NewList[T](s)
	return &kept[T]{spool: s, list: l, place: of}, err
}

// add keeps the rows of a square. It refuses more than an answer may have.
func (k *kept[T]) add(rows []T) error {
	for i := range rows {
		at := k.place(&rows[i])
		at.n = k.list.Len()
		if err := k.list.Add(&rows[i]); err != nil {
			return err
		}
		k.at = append(k.at, at)
	}
	if len(k.at) > mostTrees {
		return fault.New(fault.TooLarge, "the area has more than %d trees: ask for smaller parts", mostTrees)
	}
	return nil
}

// sort brings the rows in order: from the north, then from the west.
func (k *kept[T]) sort() {
	slices.SortFunc(k.at, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.y, a.y), cmp.Compare(a.x, b.x), cmp.Compare(a.kind, b.kind))
	})
}

func (k *kept[T]) len() int { return len(k.at) }

// each gives the rows in order until f says that it is enough.
func (k *kept[T]) each(f func(i int, row *T) bool) error {
	for i := range k.at {
		row, err := k.list.Get(k.at[i].n)
		if err != nil {
			return err
		}
		if !f(i, &row) {
			return nil
		}
	}
	return nil
}

// close removes the file.
func (k *kept[T]) close() error { return k.spool.Close() }

// outline is that of a crown in degrees; it is kept as numbers.
type outline geom.MultiPolygon

// GobEncode writes how many polygons there are, of each how many rings, of each how many points, and the points.
func (o outline) GobEncode() ([]byte, error) {
	b := binary.AppendUvarint(nil, uint64(len(o)))
	for _, p := range o {
		b = binary.AppendUvarint(b, uint64(len(p)))
		for _, r := range p {
			b = binary.AppendUvarint(b, uint64(len(r)))
			for _, v := range r {
				b = binary.LittleEndian.AppendUint32(b, uint32(v.X))
				b = binary.LittleEndian.AppendUint32(b, uint32(v.Y))
			}
		}
	}
	return b, nil
}

var errOutline = errors.New("trees: an outline that was kept is cut")

// GobDecode reads what GobEncode wrote.
func (o *outline) GobDecode(b []byte) error {
	number := func(size int) (int, bool) {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > uint64(len(b)-n)/uint64(size) {
			return 0, false
		}
		b = b[n:]
		return int(v), true
	}
	n, ok := number(1)
	if !ok {
		return errOutline
	}
	*o = nil
	for range n {
		rings, ok := number(1)
		if !ok {
			return errOutline
		}
		var p geom.Polygon
		for range rings {
			points, ok := number(8)
			if !ok {
				return errOutline
			}
			r := make(geom.Ring, points)
			for i := range r {
				r[i] = geom.Point{X: int32(binary.LittleEndian.Uint32(b[8*i:])), Y: int32(binary.LittleEndian.Uint32(b[8*i+4:]))}
			}
			b = b[8*points:]
			p = append(p, r)
		}
		*o = append(*o, p)
	}
	return nil
}
