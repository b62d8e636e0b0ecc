package tiles

import (
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// thin is how many pixels lie between the vertices of a line at least, its ends apart: a quarter of what a screen shows.
const thin = 4

// lines are the stretches of lines that a tile shows.
func (p *pen) lines(all polygon, at corner, inside bool) [][]mvt.Point {
	var parts [][]mvt.Point
	for _, line := range all {
		r := p.thinned(line, at)
		switch {
		case len(r) < 2:
		case inside:
			parts = append(parts, p.keep(r))
		default:
			parts = p.clipLine(parts, r)
		}
	}
	return parts
}

// thinned is a line on the tile's pixels without vertices that crowd.
func (p *pen) thinned(line []mvt.Point, at corner) []mvt.Point {
	p.ring = p.ring[:0]
	for i, v := range line {
		v = shift(v, at.by)
		v.X -= at.x
		v.Y -= at.y
		n := len(p.ring)
		if n > 0 && (p.ring[n-1] == v || i < len(line)-1 && near(p.ring[n-1], v)) {
			continue
		}
		p.ring = append(p.ring, v)
	}
	return p.ring
}

func near(a, b mvt.Point) bool {
	dx, dy := int64(a.X)-int64(b.X), int64(a.Y)-int64(b.Y)
	return dx*dx+dy*dy < thin*thin
}

// clipLine appends the stretches of a line within what a tile shows.
func (p *pen) clipLine(parts [][]mvt.Point, line []mvt.Point) [][]mvt.Point {
	var run []mvt.Point
	flush := func() {
		if len(run) > 1 {
			parts = append(parts, p.keep(run))
		}
		run = run[:0]
	}
	for i := 1; i < len(line); i++ {
		a, b, ok := clipSegment(line[i-1], line[i], shown)
		if !ok {
			flush()
			continue
		}
		if len(run) == 0 || run[len(run)-1] != a {
			flush()
			run = append(run, a)
		}
		run = appendNew(run, b)
		if b != line[i] {
			flush()
		}
	}
	flush()
	return parts
}

// clipSegment is the part of a segment in a box, ends on the border rounded (Liang and Barsky).
func clipSegment(a, b mvt.Point, box geom.Box) (mvt.Point, mvt.Point, bool) {
	from, to := 0.0, 1.0
	dx, dy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	for _, side := range [4][2]float64{
		{-dx, float64(a.X) - float64(box.MinX)}, {dx, float64(box.MaxX) - float64(a.X)},
		{-dy, float64(a.Y) - float64(box.MinY)}, {dy, float64(box.MaxY) - float64(a.Y)},
	} {
		d, room := side[0], side[1]
		switch {
		case d == 0 && room < 0:
			return a, b, false
		case d < 0:
			from = max(from, room/d)
		case d > 0:
			to = min(to, room/d)
		}
	}
	if from > to {
		return a, b, false
	}
	at := func(t float64) mvt.Point {
		switch t {
		case 0:
			return a
		case 1:
			return b
		}
		return mvt.Point{X: a.X + round(t*dx), Y: a.Y + round(t*dy)}
	}
	return at(from), at(to), true
}

func round(v float64) int32 {
	if v < 0 {
		return int32(v - 0.5)
	}
	return int32(v + 0.5)
}
