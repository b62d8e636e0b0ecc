package endpoint

import (
	"mappe/shared/geo/crs"
	"mappe/shared/web/format"
)

// projection is the output side of a coordinate system.
func projection(s crs.System) format.Projection {
	if s == 0 || s == crs.WGS84 {
		return format.Projection{}
	}
	return format.Projection{EPSG: int(s), Forward: s.Forward}
}
