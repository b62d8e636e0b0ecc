package kg

import (
	"cmp"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// geometry turns grid polygons into the stored form: longitude and latitude, exteriors counter-clockwise,
// canonical order. The grid's rows run south, so the sense of a positive ring turns by itself.
func (r *region) geometry(polys []polygon) geom.MultiPolygon {
	if len(polys) == 0 {
		return nil
	}
	n := 0
	for _, p := range polys {
		for _, q := range p {
			n += len(q)
		}
	}
	arena := make([]geom.Point, 0, n)
	out := make(geom.MultiPolygon, len(polys))
	for i, p := range polys {
		out[i] = make(geom.Polygon, len(p))
		for j, q := range p {
			at := len(arena)
			for k := range q {
				arena = append(arena, r.point(q[len(q)-1-k]))
			}
			out[i][j] = geom.Ring(arena[at:len(arena):len(arena)])
		}
	}
	return canonical(out)
}

// canonical orders rings and parts as geom.MultiPolygon.Normalise does, in place; nothing has to be
// cleaned or turned, because grid vertices stay apart in 1e-7 degrees.
func canonical(m geom.MultiPolygon) geom.MultiPolygon {
	byVertex := func(a, b geom.Ring) int { return slices.CompareFunc(a, b, geom.Point.Compare) }
	for _, p := range m {
		for _, r := range p {
			r.Rotate()
		}
		if len(p) > 2 {
			slices.SortFunc(p[1:], byVertex)
		}
	}
	if len(m) > 1 {
		slices.SortFunc(m, func(a, b geom.Polygon) int { return slices.CompareFunc(a, b, byVertex) })
	}
	return m
}

// parcelRows makes the rows of the parcels in their final order, with what follows from their own shape.
// The box of the KG is that of its rows.
func (c *cadastre) parcelRows(in *Input, rep *Report) ([]kgfile.Parcel, geom.Box) {
	plane := crs.Around(in.Box.Center())
	rows := make([]kgfile.Parcel, 0, len(c.parcels))
	all := geom.EmptyBox
	for _, p := range c.parcels {
		if p.gnr == "" {
			continue
		}
		m, did := c.soundParcel(p, rep)
		row := kgfile.Parcel{GNR: p.gnr, EZ: p.ez, Status: p.status, Repairs: p.repairs | did, Geometry: m}
		row.AreaSqm = m.Area(crs.EqualArea)
		row.Centroid, _ = m.Centroid()
		row.Inside, _ = m.Inside()
		all = all.Union(m.Bounds())
		row.VertexCount = m.Vertices()
		row.Compactness, row.Elongation = formOf(m, plane.Project)
		row.Shape = parcelShape(row.Compactness, row.Elongation, row.VertexCount)
		rows = append(rows, row)
	}
	keys := make(map[austria.GNR]uint32, len(rows))
	for i := range rows {
		keys[rows[i].GNR] = packtree.Hilbert(rows[i].Inside, all)
	}
	slices.SortFunc(rows, func(a, b kgfile.Parcel) int {
		return cmp.Or(cmp.Compare(keys[a.GNR], keys[b.GNR]), cmp.Compare(a.GNR, b.GNR))
	})
	return rows, all
}

// formOf is the compactness of the largest part and the elongation of the smallest rotated box; 0 and 1
// without an area.
func formOf(m geom.MultiPolygon, to geom.Projection) (compactness, elongation float64) {
	if len(m) == 0 {
		return 0, 1
	}
	part := m.Largest()
	e := geom.MultiPolygon{part}.SmallestBox(to).Elongation()
	if math.IsInf(e, 0) || math.IsNaN(e) {
		e = maxElongation
	}
	return part.Compactness(to), min(e, maxElongation)
}

// maxElongation stands for every longer shape.
const maxElongation = 10_000

// parcelShape is the shape class of a parcel:
//
//	strip      elongation above 4
//	regular    compactness from 0.60, at most 8 vertices
//	moderate   compactness from 0.45, at most 20 vertices
//	irregular  compactness from 0.20, at most 60 vertices
//	complex    everything else
func parcelShape(compactness, elongation float64, vertices int) kgfile.ShapeClass {
	switch {
	case vertices == 0:
		return kgfile.ShapeUnknown
	case elongation > 4:
		return kgfile.ShapeStrip
	case compactness >= 0.60 && vertices <= 8:
		return kgfile.ShapeRegular
	case compactness >= 0.45 && vertices <= 20:
		return kgfile.ShapeModerate
	case compactness >= 0.20 && vertices <= 60:
		return kgfile.ShapeIrregular
	}
	return kgfile.ShapeComplex
}

// footprintShape is the shape class of a footprint, from its corners (vertices where the outline turns by
// more than 15 degrees) and the part of its smallest rotated box that it fills:
//
//	rectangular  4 corners, fills 0.90
//	lshaped      6 corners of which one is re-entrant
//	regular      at most 8 corners, fills 0.80
//	complex      everything else, and every footprint with a courtyard or several parts
func footprintShape(m geom.MultiPolygon, sqm float64, to geom.Projection) kgfile.ShapeClass {
	if len(m) == 0 {
		return kgfile.ShapeUnknown
	}
	if len(m) > 1 || len(m[0]) > 1 {
		return kgfile.ShapeComplex
	}
	corners, inward := cornersOf(m[0][0], to)
	box := m.SmallestBox(to)
	fill := sqm / (box.Long * box.Short)
	switch {
	case corners == 4 && fill >= 0.90:
		return kgfile.ShapeRectangular
	case corners == 6 && inward == 1:
		return kgfile.ShapeL
	case corners <= 8 && fill >= 0.80:
		return kgfile.ShapeRegular
	}
	return kgfile.ShapeComplex
}

func cornersOf(r geom.Ring, to geom.Projection) (corners, inward int) {
	type vec struct{ x, y float64 }
	ps := make([]vec, len(r))
	for i, p := range r {
		ps[i].x, ps[i].y = to(p)
	}
	for i, b := range ps {
		a, c := ps[(i+len(ps)-1)%len(ps)], ps[(i+1)%len(ps)]
		cross := float64((b.x-a.x)*(c.y-b.y)) - float64((b.y-a.y)*(c.x-b.x))
		dot := float64((b.x-a.x)*(c.x-b.x)) + float64((b.y-a.y)*(c.y-b.y))
		if turn := math.Atan2(cross, dot); math.Abs(turn) > 15*math.Pi/180 {
			corners++
			if turn < 0 {
				inward++
			}
		}
	}
	return corners, inward
}

// footprintSize is the size class of a footprint.
func footprintSize(sqm float64) kgfile.SizeClass {
	switch {
	case !(sqm > 0):
		return kgfile.SizeUnknown
	case sqm < 30:
		return kgfile.SizeTiny
	case sqm < 100:
		return kgfile.SizeSmall
	case sqm < 300:
		return kgfile.SizeMedium
	case sqm < 1000:
		return kgfile.SizeLarge
	}
	return kgfile.SizeXLarge
}
