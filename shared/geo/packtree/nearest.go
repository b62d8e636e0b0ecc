package packtree

import (
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// boxDistance2 is the squared distance in m² from p to the nearest point of b, 0 inside.
func boxDistance2(m crs.Scale, p geom.Point, b geom.Box) float64 {
	var dx, dy float64
	switch {
	case p.X < b.MinX:
		dx = m.X * float64(int64(b.MinX)-int64(p.X))
	case p.X > b.MaxX:
		dx = m.X * float64(int64(p.X)-int64(b.MaxX))
	}
	switch {
	case p.Y < b.MinY:
		dy = m.Y * float64(int64(b.MinY)-int64(p.Y))
	case p.Y > b.MaxY:
		dy = m.Y * float64(int64(p.Y)-int64(b.MaxY))
	}
	return float64(dx*dx) + float64(dy*dy)
}

// Queue is the working space of Nearest; reuse it to search without allocation.
type Queue struct{ h []queued }

type queued struct {
	d     float64
	level int8
	place uint32
}

func (a queued) before(b queued) bool {
	if a.d != b.d {
		return a.d < b.d
	}
	// Nodes before items of the same distance, so that equal items come out in order of place.
	if a.level != b.level {
		return a.level > b.level
	}
	return a.place < b.place
}

func (q *Queue) push(e queued) {
	q.h = append(q.h, e)
	for i := len(q.h) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.h[i].before(q.h[up]) {
			return
		}
		q.h[i], q.h[up] = q.h[up], q.h[i]
		i = up
	}
}

func (q *Queue) pop() queued {
	top, n := q.h[0], len(q.h)-1
	q.h[0] = q.h[n]
	q.h = q.h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			return top
		}
		if c+1 < n && q.h[c+1].before(q.h[c]) {
			c++
		}
		if !q.h[c].before(q.h[i]) {
			return top
		}
		q.h[i], q.h[c] = q.h[c], q.h[i]
		i = c
	}
}

// Nearest calls visit for items by rising squared distance from p to their box (0 when p is inside;
// equal ones in tree order), until visit says false. A caller that measures true distances may stop
// when the best one found is at most d2.
func (t *Tree) Nearest(p geom.Point, m crs.Scale, q *Queue, visit func(item int, d2 float64) bool) {
	if len(t.levels) == 0 {
		return
	}
	q.h = q.h[:0]
	top := len(t.levels) - 1
	q.add(t, p, m, top, 0, 1)
	for len(q.h) > 0 {
		e := q.pop()
		if e.level == 0 {
			if !visit(t.item(int(e.place)), e.d) {
				return
			}
			continue
		}
		k := int(e.level) - 1
		q.add(t, p, m, k, int(e.place)*fan, min(int(e.place+1)*fan, len(t.levels[k])))
	}
}

func (q *Queue) add(t *Tree, p geom.Point, m crs.Scale, level, from, to int) {
	for i := from; i < to; i++ {
		if b := t.levels[level][i]; !b.Empty() {
			q.push(queued{boxDistance2(m, p, b), int8(level), uint32(i)})
		}
	}
}
