package geom

import "cmp"

// Mid is a position in half units, so that the middle of two grid points is exact.
type Mid struct{ X, Y int64 }

// Middle is the middle of two points.
func Middle(a, b Point) Mid { return Mid{int64(a.X) + int64(b.X), int64(a.Y) + int64(b.Y)} }

// Place is where a position lies against a border.
type Place uint8

// The places.
const (
	Outside Place = iota
	Inside
	OnBorder
)

// orientMid is Orient for a third point in half units. Exact.
func orientMid(a, b Point, c Mid) int {
	ux, uy := int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
	vx, vy := c.X-2*int64(a.X), c.Y-2*int64(a.Y)
	if small(ux) && small(uy) && small(vx) && small(vy) {
		return cmp.Compare(ux*vy, uy*vx)
	}
	return turn(ux, uy, vx, vy)
}

// evenOdd folds one edge into an even-odd test: it turns odd when the edge counts, and says whether the
// position lies on the edge.
func (p Mid) evenOdd(a, b Point, odd *bool) (onEdge bool) {
	ay, by := 2*int64(a.Y), 2*int64(b.Y)
	ax, bx := 2*int64(a.X), 2*int64(b.X)
	if p.Y < min(ay, by) || p.Y > max(ay, by) || p.X > max(ax, bx) {
		return false
	}
	o := orientMid(a, b, p)
	if o == 0 && p.X >= min(ax, bx) {
		return true
	}
	if (ay > p.Y) != (by > p.Y) && (o > 0) == (by > ay) {
		*odd = !*odd
	}
	return false
}

func placed(odd bool) Place {
	if odd {
		return Inside
	}
	return Outside
}

// Place says where a position lies by the even-odd rule. Exact.
func (m MultiPolygon) Place(p Mid) Place {
	odd := false
	for _, poly := range m {
		for _, r := range poly {
			if len(r) == 0 {
				continue
			}
			a := r[len(r)-1]
			for _, b := range r {
				if p.evenOdd(a, b, &odd) {
					return OnBorder
				}
				a = b
			}
		}
	}
	return placed(odd)
}

// Place is MultiPolygon.Place, and says how many boxes it looked at.
func (x *Index) Place(p Mid) (at Place, looked int) {
	var buf [64]int32
	found, looked := x.Search(buf[:0], Box{int32(p.X >> 1), int32(p.Y >> 1), 1<<31 - 1, int32((p.Y + 1) >> 1)})
	odd := false
	for _, i := range found {
		if p.evenOdd(x.edges[i].A, x.edges[i].B, &odd) {
			return OnBorder, looked
		}
	}
	return placed(odd), looked
}
