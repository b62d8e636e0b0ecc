package endpoint

import (
	"strconv"

	"mappe/shared/geo/crs"
	"mappe/shared/web/format"
)

// ProjectionOf is the output side of a system by its EPSG code, of those that positions are read in (crs.AllSources); false for others.
// 0 is WGS84.
func ProjectionOf(epsg int) (format.Projection, bool) {
	if epsg == 0 {
		return format.Projection{}, true
	}
	s, err := crs.ParseSource("EPSG:" + strconv.Itoa(epsg))
	return projection(s), err == nil
}

// Projection is what crs= asks for.
func (r *Request) Projection() format.Projection {
	if c := r.common.crs; c != nil {
		return projection(c.Of(r))
	}
	return format.Projection{}
}

// Pretty says whether an indented answer is asked for.
func (r *Request) Pretty() bool { return r.common.pretty != nil && r.common.pretty.Of(r) }

// projection is the output side of a coordinate system.
func projection(s crs.System) format.Projection {
	if s == 0 || s == crs.WGS84 {
		return format.Projection{}
	}
	return format.Projection{EPSG: int(s), Forward: s.Forward}
}
