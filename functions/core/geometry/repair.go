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

// Repairs rebuilds the polygons of one request. A ring of 500 vertices that crosses itself at random has 60,000 when it is rebuilt,
// which takes a second or two: what is rebuilt of all polygons together has at most MaxVertices. The zero value has rebuilt nothing.
type Repairs struct{ vertices int }

// Repair makes polygons valid by the even-odd rule; of names them in warnings. The geometries of a collection, which begin where
// parts says, are repaired each for itself and united. The error is geom.ErrTooComplex.
func (a *Repairs) Repair(m geom.MultiPolygon, parts []int, of string) (Repaired, error) {
	if len(parts) < 2 {
		return a.one(m, of)
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
		one, err := a.one(m[from:to:to], of)
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

// one makes one geometry valid.
func (a *Repairs) one(m geom.MultiPolygon, of string) (out Repaired, err error) {
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
	if len(out.Warnings) > 0 {
		if a.vertices += r.Geometry.Vertices(); a.vertices > MaxVertices {
			return out, geom.ErrTooComplex
		}
	}
	return out, nil
}
