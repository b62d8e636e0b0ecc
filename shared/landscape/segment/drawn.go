package segment

import (
	"math"
	"slices"

	"mappe/shared/geo/raster"
)

// wayKinds are the kinds of ways by their key in tallies: those of lanes.
var wayKinds = []string{"", "road", "path", "rail"}

// uses draws the parcels.
func (m *measuring) uses() {
	if len(m.l.Uses) == 0 {
		return
	}
	m.use = make([]uint8, span*span)
	g := raster.Grid{West: m.box.West, North: m.box.North, Step: 1, Cols: span, Rows: span}
	for _, u := range m.l.Uses {
		k := slices.Index(m.codes, u.Code)
		if k < 0 {
			if len(m.codes) == 255 {
				continue
			}
			k, m.codes = len(m.codes), append(m.codes, u.Code)
		}
		inside(&g, u.Polygon, func(i int) { m.use[i] = uint8(k + 1) })
	}
}

// ways draws roads, paths and railways: cells within half the width of a line.
func (m *measuring) ways() {
	if len(m.l.Ways) == 0 {
		return
	}
	m.way = make([]uint8, span*span)
	for _, w := range m.l.Ways {
		k := slices.Index(wayKinds, w.Kind)
		if k < 1 {
			continue
		}
		for i := range w.Points {
			a, b := w.Points[i], w.Points[min(i+1, len(w.Points)-1)]
			m.line(a, b, w.Width/2, uint8(k))
		}
	}
}

func (m *measuring) line(a, b raster.XY, half float64, kind uint8) {
	col0, col1 := int(math.Floor(min(a.X, b.X)-half-m.box.West)), int(math.Ceil(max(a.X, b.X)+half-m.box.West))
	row0, row1 := int(math.Floor(m.box.North-max(a.Y, b.Y)-half)), int(math.Ceil(m.box.North-min(a.Y, b.Y)+half))
	dx, dy := b.X-a.X, b.Y-a.Y
	long := float64(dx*dx) + float64(dy*dy)
	for row := max(row0, 0); row < min(row1, span); row++ {
		for col := max(col0, 0); col < min(col1, span); col++ {
			px, py := m.box.West+float64(col)+0.5-a.X, m.box.North-float64(row)-0.5-a.Y
			t := 0.0
			if long > 0 {
				t = min(max((float64(px*dx)+float64(py*dy))/long, 0), 1)
			}
			ex, ey := px-float64(t*dx), py-float64(t*dy)
			if float64(ex*ex)+float64(ey*ey) <= half*half {
				m.way[row*span+col] = kind
			}
		}
	}
}
