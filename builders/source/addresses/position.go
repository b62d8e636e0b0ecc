package addresses

import (
	"fmt"

	"mappe/builders/source/table"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// position reads Rechtswert, Hochwert and the row's system. Empty cells are no position and no fault.
func position(t *table.Table, rw, hw, epsg int) (geom.Point, bool) {
	if len(t.Field(rw)) == 0 && len(t.Field(hw)) == 0 {
		return geom.Point{}, false
	}
	x, ok := table.Decimal(t.Field(rw))
	if !ok {
		t.Bad(rw, "metres")
		return geom.Point{}, false
	}
	y, ok := table.Decimal(t.Field(hw))
	if !ok {
		t.Bad(hw, "metres")
		return geom.Point{}, false
	}
	if x == 0 && y == 0 {
		return geom.Point{}, false
	}
	code, _ := table.Uint(t.Field(epsg), 99999)
	s := crs.System(code)
	if s != crs.GaussKruegerWest && s != crs.GaussKruegerMid && s != crs.GaussKruegerEast {
		t.Bad(epsg, "31254, 31255 or 31256")
		return geom.Point{}, false
	}
	p, ok := s.Point(x, y)
	if !ok || !Austria.Contains(p) {
		t.Bad(rw, fmt.Sprintf("a position in Austria (with HW %s in EPSG:%d)", t.Field(hw), code))
		return geom.Point{}, false
	}
	return p, true
}
