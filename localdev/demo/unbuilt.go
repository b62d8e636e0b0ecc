package demo

import (
	"errors"
	"fmt"

	"mappe/localdev/demo/world"
	"mappe/shared/geo/geom"
)

// Unbuilt is the code of a KG beyond the country's eastern ridge: registers and outlines have it, the tiles have nothing of
// it, and source.json says so. It is listed and cold, its cells are not built, and answers about its border are partial.
const Unbuilt = "99206"

const (
	unbuiltName     = "Karwiesen"
	unbuiltGemeinde = 2 // of world.Gemeinden: that of the KGs beside it
	unbuiltReach    = 130_000
)

// unbuiltOutline is its outline: between the north-eastern border of the country, vertex by vertex, and an arc about 1 km
// east of it.
func unbuiltOutline(country []geom.MultiPolygon) (geom.MultiPolygon, error) {
	whole, err := geom.Dissolve(country, 0)
	if err != nil || len(whole) == 0 {
		return nil, errors.Join(err, errors.New("the country has no outline"))
	}
	ring := whole.Largest()[0] // counter-clockwise: in the east it runs to the north
	box := ring.Bounds()
	height := box.MaxY - box.MinY
	from, to := eastmost(ring, box.MinY+height/20*12), eastmost(ring, box.MinY+height/20*17)
	var border geom.Ring
	for i := from; i != to; i = (i + 1) % len(ring) {
		border = append(border, ring[i])
	}
	border = append(border, ring[to])
	a, b, east := border[0], border[len(border)-1], border.Bounds().MaxX
	out := geom.Ring{a, {X: east + unbuiltReach/2, Y: a.Y}, {X: east + unbuiltReach, Y: a.Y/3*2 + b.Y/3}, {X: east + unbuiltReach, Y: a.Y/3 + b.Y/3*2}, {X: east + unbuiltReach/2, Y: b.Y}}
	for i := len(border) - 1; i > 0; i-- {
		out = append(out, border[i])
	}
	m := geom.MultiPolygon{{out}}
	if fault := m.Validate(); fault != nil {
		return nil, fmt.Errorf("outline of KG %s: %v", Unbuilt, fault)
	}
	return m, nil
}

// eastmost is the number of the most eastern vertex within 200 m of a northing.
func eastmost(ring geom.Ring, y int32) int {
	const near = 18_000
	best := -1
	for i, p := range ring {
		if p.Y-y < near && y-p.Y < near && (best < 0 || p.X > ring[best].X) {
			best = i
		}
	}
	return best
}

// withUnbuilt is the outline of a municipality with that of the KG.
func (t *truth) withUnbuilt(gemeinde int, outline geom.MultiPolygon) (geom.MultiPolygon, error) {
	if gemeinde != unbuiltGemeinde {
		return outline, nil
	}
	return geom.Dissolve([]geom.MultiPolygon{outline, t.unbuilt}, 0)
}

// unbuiltRow is its row in registers/kg.csv.
func unbuiltRow(w *world.World) []any {
	g := w.Gemeinden[unbuiltGemeinde]
	return []any{Unbuilt, unbuiltName, g.Code, g.Name, world.DistrictCode, world.DistrictName, world.StateCode, world.StateName}
}
