package areas

import (
	"context"
	"encoding/binary"
	"io"
	"math"

	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// level is what a border parts: the highest of the levels at which the areas beside it differ.
type level uint8

const (
	municipality level = iota
	district
	state
)

func (l level) String() string { return [...]string{"municipality", "district", "state"}[l] }

// levelOf is that of the border between two municipalities.
func levelOf(a, b austria.GemeindeCode) level {
	switch {
	case a.State() != b.State():
		return state
	case a.District() != b.District():
		return district
	}
	return municipality
}

// border is a line whose parts have one level.
type border struct {
	level level
	line  []geom.Point
}

// Outlines of neighbours were simplified each for itself, so that they do not share their vertices: what lies beyond a border is
// asked at places outside of it. Where the nearer is still inside, or in no municipality, there is a gap or an overlap; the farther counts.
const (
	stepM  = 250 // a longer edge is asked for in parts
	beyond = 30  // metres outside, and
	far    = 120
)

// bordersOf are the borders of areas, each seen from both sides, in the order of the areas whatever the number of workers.
func bordersOf(ctx context.Context, workers int, list []area) (out []border, err error) {
	boxes, within := make([]geom.Box, len(list)), make([]*geom.Index, len(list))
	for i := range list {
		boxes[i], within[i] = list[i].Bounds(), geom.NewIndex(list[i].MultiPolygon)
	}
	s := seer{list, within, packtree.Pack(boxes)}
	return out, stage.InOrder(ctx, len(list), workers, func(_ context.Context, i int) (seen []border, _ error) {
		for _, part := range list[i].MultiPolygon {
			for _, ring := range part {
				seen = append(seen, s.along(i, ring)...)
			}
		}
		return seen, nil
	}, func(_ int, seen []border) error {
		out = append(out, seen...)
		return nil
	})
}

// seer answers what lies where.
type seer struct {
	list   []area
	within []*geom.Index // of each area
	tree   *packtree.Tree
}

// level is that of the border between an area and what lies at a place, false where that is the area itself.
func (s seer) level(i int, p geom.Point) (l level, other, ok bool) {
	l, ok = state, true
	s.tree.Search(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, func(k int) bool {
		if !s.within[k].Contains(p) {
			return true
		}
		ok = k != i
		if ok { // areas may lie over each other, as a city and its districts
			l, other = min(l, levelOf(s.list[i].code, s.list[k].code)), true
		}
		return ok
	})
	return l, other, ok
}

// along are the borders of a ring of an area: what is beyond its edges, edges of one level as one line. A hole's edges, and those that
// only part two pieces of the area, are borders where another area lies beyond.
func (s seer) along(i int, ring geom.Ring) []border {
	var out []border
	for k := range ring {
		a, b := ring[k], ring[(k+1)%len(ring)]
		if a == b {
			continue
		}
		plane := crs.Around(a)
		bx, by := plane.Project(b)
		n := max(1, int(math.Ceil(math.Hypot(bx, by)/stepM)))
		from := a
		for j := 1; j <= n; j++ {
			to := b
			if j < n {
				to, _ = plane.Point(bx*float64(j)/float64(n), by*float64(j)/float64(n))
			}
			if l, ok := s.across(i, from, to); ok {
				if last := len(out) - 1; last >= 0 && out[last].level == l && out[last].line[len(out[last].line)-1] == from {
					out[last].line = append(out[last].line, to)
				} else {
					out = append(out, border{l, []geom.Point{from, to}})
				}
			}
			from = to
		}
	}
	return out
}

// across is the level of an edge of an area, false where the area itself lies on both sides.
func (s seer) across(i int, a, b geom.Point) (level, bool) {
	plane := crs.Around(a)
	x, y := plane.Project(b)
	length := math.Hypot(x, y)
	if length == 0 {
		return 0, false
	}
	abroad := false
	for _, metres := range []float64{beyond, far} {
		ox, oy := -y/length*metres, x/length*metres
		left, ok1 := plane.Point(x/2+ox, y/2+oy)
		right, ok2 := plane.Point(x/2-ox, y/2-oy)
		if !ok1 || !ok2 {
			continue
		}
		l, otherL, outL := s.level(i, left)
		r, otherR, outR := s.level(i, right)
		switch {
		case !outL && !outR: // an overlap with another piece of it, or a thin neighbour
		case outL && otherL && !outR:
			return l, true
		case outR && otherR && !outL:
			return r, true
		case outL != outR:
			abroad = true
		}
	}
	return state, abroad
}

// writeTo writes the vertices for a fingerprint.
func (a *area) writeTo(w io.Writer) {
	var b []byte
	for _, part := range a.MultiPolygon {
		b = binary.AppendUvarint(b, uint64(len(part)))
		for _, ring := range part {
			b = binary.AppendUvarint(b, uint64(len(ring)))
			for _, p := range ring {
				b = binary.AppendVarint(binary.AppendVarint(b, int64(p.X)), int64(p.Y))
			}
		}
	}
	_, _ = w.Write(b) // a hash takes all
}
