package endpoint

import (
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// projection is the output coordinate system of an EPSG code.
func projection(epsg int) (format.Projection, error) {
	if epsg == 4326 {
		return format.Projection{}, nil
	}
	return format.Projection{}, fault.BadValue("crs", number(float64(epsg)), "EPSG:4326")
}
