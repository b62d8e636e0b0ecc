package kgtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

var uses = []austria.LandUse{48, 48, 48, 52, 56, 58, 83, 95}

// describe gives the cells their attributes and everything that stands on them.
func (m *maker) describe() *kgfile.Snapshot {
	s := &kgfile.Snapshot{}
	box := geom.EmptyBox
	for _, c := range m.cells {
		box = box.Union(c.Bounds())
	}
	for i, c := range m.cells {
		s.Parcels = append(s.Parcels, m.parcel(i, c))
	}
	slices.SortStableFunc(s.Parcels, func(a, b kgfile.Parcel) int {
		return cmp.Or(cmp.Compare(packtree.Hilbert(a.Inside, box), packtree.Hilbert(b.Inside, box)), cmp.Compare(a.GNR, b.GNR))
	})
	for i := range s.Parcels {
		m.furnish(s, int32(i))
	}
	slices.SortStableFunc(s.Labels, func(a, b kgfile.Label) int { return cmp.Compare(a.GNR, b.GNR) })
	slices.SortFunc(s.Buildings, func(a, b kgfile.Building) int { return cmp.Compare(a.ID.ADRCD, b.ID.ADRCD) })
	for i := range s.Footprints {
		s.Footprints[i].N = uint32(i + 1)
	}
	kgfile.Quantise(s)
	s.Folios = kgfile.Folios(s.Parcels)
	s.Outline = geom.MultiPolygon{{m.outline()}}
	m.sum(s, box)
	return s
}

// outline walks around all rows.
func (m *maker) outline() geom.Ring {
	var r geom.Ring
	last := 2 * m.cols
	for k := range last {
		r = append(append(r, m.nodes[0][k]), m.horiz[0][k]...)
	}
	for row := range m.rows {
		r = append(append(r, m.nodes[row][last]), m.vert[row][last]...)
	}
	for k := last; k > 0; k-- {
		r = append(r, m.nodes[m.rows][k])
		r = append(r, reversed(m.horiz[m.rows][k-1])...)
	}
	for row := m.rows; row > 0; row-- {
		r = append(r, m.nodes[row][0])
		r = append(r, reversed(m.vert[row-1][0])...)
	}
	return r
}

func (m *maker) parcel(i int, g geom.MultiPolygon) kgfile.Parcel {
	sh := m.measure(g)
	p := kgfile.Parcel{
		GNR: m.number(i, i%17 == 0), EZ: austria.EZ(1 + m.rng.IntN(max(m.o.Parcels/3, 1))), Status: austria.StatusE,
		Geometry: g, AreaSqm: sh.area, Centroid: sh.centroid, Inside: sh.inside, VertexCount: g.Vertices(),
		Compactness: sh.compactness, Elongation: sh.elongation, Shape: kgfile.ShapeRegular,
	}
	switch {
	case i%9 == 0:
		p.EZ = 0
	case i%4 == 0:
		p.Status = austria.StatusG
	}
	if sh.elongation > 4 {
		p.Shape = kgfile.ShapeStrip
	} else if sh.compactness < 0.5 {
		p.Shape = kgfile.ShapeModerate
	}
	if i%200 == 5 {
		p.Repairs = kgfile.RepairRingOrder
	}
	use := uses[m.rng.IntN(len(uses))]
	p.DominantLandUse = use
	p.UseAreas = []kgfile.CodeArea{{Code: use, Sqm: sh.area}}
	p.SymbolCounts = []kgfile.CodeCount{{Code: use, N: 1}}
	if i%3 == 0 {
		b := math.Round(sh.area*(0.05+0.2*m.rng.Float64())*100) / 100
		p.UseAreas = []kgfile.CodeArea{{Code: 41, Sqm: b}, {Code: use, Sqm: sh.area - b}}
		p.BuildingCount, p.FootprintCount, p.BuildingAreaSqm, p.FAR = 1, 1, b, b/sh.area
	}
	return p
}

// furnish puts address point, footprint, land use, symbols and label on parcel i.
func (m *maker) furnish(s *kgfile.Snapshot, i int32) {
	p := &s.Parcels[i]
	spread := func() geom.Point { return m.jitter(float64(p.Inside.X), float64(p.Inside.Y), 0.1) }
	s.Labels = append(s.Labels, kgfile.Label{GNR: p.GNR, Status: p.Status, At: spread(), Rotation: float64(m.rng.IntN(4) * 10)})
	s.Symbols = append(s.Symbols, kgfile.Symbol{NS: p.DominantLandUse, Parcel: i, At: spread()})
	s.LandUse = append(s.LandUse, kgfile.LandUseArea{NS: p.DominantLandUse, Geometry: p.Geometry, AreaSqm: p.AreaSqm, Inside: p.Inside})
	if p.BuildingCount == 0 {
		return
	}
	n := m.rng.IntN(400)
	s.Buildings = append(s.Buildings, kgfile.Building{
		ID: austria.BuildingID{ADRCD: 5_000_000 + uint64(m.rng.IntN(20*m.o.Parcels)), SUBCD: 1}, Parcel: i,
		HouseNumber: fmt.Sprint(1 + n%90), Street: fmt.Sprintf("Gasse %d", n%40), PLZ: "3999", Ort: "Musterdorf", ObjectType: "Wohngebäude",
		At: spread(),
	})
	// A house: a rectangle turned by some angle.
	w, d, a := 8+8*m.rng.Float64(), 7+4*m.rng.Float64(), m.rng.Float64()*math.Pi
	var r geom.Ring
	for _, c := range [4][2]float64{{-w, -d}, {w, -d}, {w, d}, {-w, d}} {
		x, y := c[0]*math.Cos(a)-c[1]*math.Sin(a), c[0]*math.Sin(a)+c[1]*math.Cos(a)
		r = append(r, geom.Point{X: p.Inside.X + int32(x/2/m.metric.X), Y: p.Inside.Y + int32(y/2/m.metric.Y)})
	}
	g := geom.MultiPolygon{{r}}
	sh := m.measure(g)
	s.Footprints = append(s.Footprints, kgfile.Footprint{
		Parcel: i, Geometry: g, AreaSqm: sh.area, PerimeterM: sh.perimeter, Compactness: sh.compactness, Elongation: sh.elongation,
		VertexCount: 4, Size: kgfile.SizeMedium, Shape: kgfile.ShapeRectangular, NS: 41, Centroid: sh.centroid, Inside: sh.inside,
	})
}

func (m *maker) sum(s *kgfile.Snapshot, box geom.Box) {
	k := &s.KG
	*k = kgfile.KG{
		Code: m.o.Code, Name: "Musterdorf", GemeindeCode: "39999", GemeindeName: "Musterau", DistrictName: "Musterbezirk", Box: box,
		ParcelCount: len(s.Parcels), BuildingCount: len(s.Buildings), FootprintCount: len(s.Footprints),
		LandUseCount: len(s.LandUse) + len(s.Symbols), EZCount: len(s.Folios), Typology: kgfile.RuralAgrarian, DominantLandUse: 48,
		AvgNNDistanceM: 31.4, LandUseDiversity: 1.7, AvgFAR: 0.12, AvgCompactness: 0.61, FootprintMedianAreaSqm: 211,
	}
	for i := range s.Parcels {
		k.TotalAreaSqm += s.Parcels[i].AreaSqm
		k.TotalFootprintAreaSqm += s.Parcels[i].BuildingAreaSqm
	}
	k.MedianParcelAreaSqm = s.Parcels[len(s.Parcels)/2].AreaSqm
	k.BuildingDensity = float64(len(s.Footprints)) / (k.TotalAreaSqm / 1e6)
	k.BuiltUpRatio = k.TotalFootprintAreaSqm / k.TotalAreaSqm
	k.AvgParcelsPerEZ = float64(len(s.Parcels)) / float64(len(s.Folios))
	s.Build = kgfile.Build{
		Stichtag: "2026-10-01", AssemblyVersion: "tile_partition_v1", IngestGeneration: "tile_partition_v1", Source: "© BEV, 2026",
		SourceTiles: 12, SourceParcels: len(s.Parcels), SourceLabels: len(s.Labels),
		Repairs: []kgfile.RepairCount{{Repair: kgfile.RepairRingOrder, N: (len(s.Parcels) + 194) / 200}},
	}
}

type shape struct {
	area, perimeter, compactness, elongation float64
	centroid, inside                         geom.Point
}

// measure works in a plane around the KG's corner: plausible, not survey-grade.
func (m *maker) measure(g geom.MultiPolygon) shape {
	var s shape
	var cx, cy float64
	o := g[0][0][0]
	for _, p := range g {
		for _, r := range p {
			a := r[len(r)-1]
			for _, b := range r {
				ax, ay := m.metric.X*float64(a.X-o.X), m.metric.Y*float64(a.Y-o.Y)
				bx, by := m.metric.X*float64(b.X-o.X), m.metric.Y*float64(b.Y-o.Y)
				cross := float64(ax*by) - float64(bx*ay)
				s.area += cross / 2
				cx += float64((ax + bx) * cross)
				cy += float64((ay + by) * cross)
				s.perimeter += math.Sqrt(float64((bx-ax)*(bx-ax)) + float64((by-ay)*(by-ay)))
				a = b
			}
		}
	}
	s.centroid = geom.Point{X: o.X + int32(math.Round(cx/(6*s.area)/m.metric.X)), Y: o.Y + int32(math.Round(cy/(6*s.area)/m.metric.Y))}
	s.inside = s.centroid
	if !g.Contains(s.inside) {
		s.inside = surface(g)
	}
	s.compactness = math.Min(4*math.Pi*s.area/(s.perimeter*s.perimeter), 1)
	b := g[0].Bounds()
	w, h := m.metric.X*float64(b.MaxX-b.MinX), m.metric.Y*float64(b.MaxY-b.MinY)
	s.elongation = math.Max(w, h) / math.Min(w, h)
	return s
}

// surface is a point inside the first part: the middle of the widest run on the line through the middle.
func surface(g geom.MultiPolygon) geom.Point {
	b := g[0].Bounds()
	best, at := -1, geom.Point{}
	const steps = 64
	y := int32((int64(b.MinY) + int64(b.MaxY)) / 2)
	run := 0
	for k := 0; k <= steps; k++ {
		x := int32(int64(b.MinX) + (int64(b.MaxX)-int64(b.MinX))*int64(k)/steps)
		if !g.Contains(geom.Point{X: x, Y: y}) {
			run = 0
			continue
		}
		if run++; run > best {
			best, at = run, geom.Point{X: x - int32((int64(b.MaxX)-int64(b.MinX))*int64(run-1)/(2*steps)), Y: y}
		}
	}
	return at
}
