package geometry

import (
	"fmt"
	"slices"

	"mappe/shared/geo/geom"
)

// Repaired are valid polygons.
type Repaired struct {
	Polygons geom.MultiPolygon
	Warnings []string // what was not valid, and where
}

// Repair makes polygons valid by the even-odd rule; of names them in warnings. The geometries of a collection, which begin where
// parts says, are repaired each for itself and united. The error is geom.ErrTooComplex.
func Repair(m geom.MultiPolygon, parts []int, of string) (Repaired, error) {
	if len(parts) < 2 {
		return repaired(m, of)
	}
	var all Repaired
	var valid []geom.MultiPolygon
	for i, from := range parts {
		to := len(m)
		if i+1 < len(parts) {
			to = parts[i+1]
		}
		if from == to {
			continue
		}
		one, err := repaired(m[from:to:to], of)
		if err != nil {
			return one, err
		}
		valid = append(valid, one.Polygons)
		all.Warnings = append(all.Warnings, one.Warnings...)
	}
	var err error
	all.Polygons, err = geom.Dissolve(valid, 0)
	return all, err
}

// repaired makes one geometry valid.
func repaired(m geom.MultiPolygon, of string) (out Repaired, err error) {
	m = slices.DeleteFunc(m, func(p geom.Polygon) bool { return len(p) == 0 })
	if len(m) == 0 {
		return out, nil
	}
	r, err := m.Repair()
	if err != nil {
		return out, err
	}
	out.Polygons = r.Geometry
	for _, f := range r.Faults {
		switch f.Kind {
		case geom.FaultHoleOutside, geom.FaultHoleInHole, geom.FaultDisconnected, geom.FaultCrossing, geom.FaultPinch,
			geom.FaultPartsOverlap, geom.FaultDuplicateRing:
			out.Warnings = append(out.Warnings, fmt.Sprintf("%s: %v at lon %.7f, lat %.7f; rebuilt by the even-odd rule", of, f.Kind,
				f.At.Lon(), f.At.Lat()))
		}
	}
	return out, nil
}
