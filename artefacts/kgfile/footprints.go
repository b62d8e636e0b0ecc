package kgfile

import (
	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

func putFootprints(w *column.Writer, s *Snapshot) {
	f := s.Footprints
	putShapes(w, newPool(), len(f), func(i int) geom.MultiPolygon { return f[i].Geometry })
	prev := uint64(0)
	w.Ints(each(f, func(f *Footprint) uint64 {
		d := column.Zig(int64(f.N) - int64(prev))
		prev = uint64(f.N)
		return d
	}))
	putParcelIndex(w, len(f), len(s.Parcels), func(i int) int32 { return f[i].Parcel })
	putSteps(w, "footprint area", f, perSqm, func(f *Footprint) float64 { return f.AreaSqm })
	putSteps(w, "perimeter", f, perMetre, func(f *Footprint) float64 { return f.PerimeterM })
	putSteps(w, "compactness", f, perRatio, func(f *Footprint) float64 { return f.Compactness })
	putSteps(w, "elongation", f, perRatio, func(f *Footprint) float64 { return f.Elongation })
	w.Ints(each(f, func(f *Footprint) uint64 {
		return column.Zig(int64(small(w, "vertex count", f.VertexCount)) - int64(f.Geometry.Vertices()))
	}))
	w.Ints(each(f, func(f *Footprint) uint64 { return uint64(f.Size) }))
	w.Ints(each(f, func(f *Footprint) uint64 { return uint64(f.Shape) }))
	w.Ints(each(f, func(f *Footprint) uint64 { return uint64(f.NS) }))
	putPoints(w, len(f), func(i int) geom.Point { return f[i].Centroid }, func(i int) geom.Point { return centre(boxOf(f[i].Geometry)) })
	putPoints(w, len(f), func(i int) geom.Point { return f[i].Inside }, func(i int) geom.Point { return f[i].Centroid })
}

func readFootprints(r *column.Reader, n, parcels int) ([]Footprint, *shapeSet) {
	geo := readShapes(r, n, nil)
	if r.Err != nil {
		return nil, nil
	}
	f := make([]Footprint, n)
	no := int64(0)
	for i, v := range column.Ints[uint64](r, n) {
		no += column.Unzig(v)
		if no < 0 || no > 1<<32-1 {
			r.Fail("footprint %d: number %d is outside 32 bits", i, no)
			break
		}
		f[i].N = uint32(no)
	}
	readParcelIndex(r, n, parcels, func(i int, p int32) { f[i].Parcel = p })
	readSteps(r, n, perSqm, func(i int, v float64) { f[i].AreaSqm = v })
	readSteps(r, n, perMetre, func(i int, v float64) { f[i].PerimeterM = v })
	readSteps(r, n, perRatio, func(i int, v float64) { f[i].Compactness = v })
	readSteps(r, n, perRatio, func(i int, v float64) { f[i].Elongation = v })
	for i, v := range column.Ints[uint64](r, n) {
		f[i].Geometry = geo.geometry(i)
		f[i].VertexCount = f[i].Geometry.Vertices() + int(column.Unzig(v))
	}
	for i, v := range column.Ints[uint8](r, n) {
		f[i].Size = SizeClass(v)
	}
	for i, v := range column.Ints[uint8](r, n) {
		f[i].Shape = ShapeClass(v)
	}
	for i, v := range column.Ints[uint8](r, n) {
		f[i].NS = austria.LandUse(v)
	}
	readPoints(r, n, func(i int) geom.Point { return centre(geo.boxes[i]) }, func(i int, p geom.Point) { f[i].Centroid = p })
	readPoints(r, n, func(i int) geom.Point { return f[i].Centroid }, func(i int, p geom.Point) { f[i].Inside = p })
	return f, geo
}

func putLandUse(w *column.Writer, l []LandUseArea) {
	putShapes(w, newPool(), len(l), func(i int) geom.MultiPolygon { return l[i].Geometry })
	w.Ints(each(l, func(l *LandUseArea) uint64 { return uint64(l.NS) }))
	putSteps(w, "land-use area", l, perSqm, func(l *LandUseArea) float64 { return l.AreaSqm })
	putPoints(w, len(l), func(i int) geom.Point { return l[i].Inside }, func(i int) geom.Point { return centre(boxOf(l[i].Geometry)) })
}

func readLandUse(r *column.Reader, n int) []LandUseArea {
	geo := readShapes(r, n, nil)
	if r.Err != nil {
		return nil
	}
	l := make([]LandUseArea, n)
	for i, v := range column.Ints[uint8](r, n) {
		l[i].NS = austria.LandUse(v)
		l[i].Geometry = geo.geometry(i)
	}
	readSteps(r, n, perSqm, func(i int, v float64) { l[i].AreaSqm = v })
	readPoints(r, n, func(i int) geom.Point { return centre(geo.boxes[i]) }, func(i int, p geom.Point) { l[i].Inside = p })
	return l
}
