package kg

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	"mappe/shared/geo/packtree"
)

// use is one land-use shape put together: a polygon of one code. It belongs to the KG, and is listed among
// its rows, when its inside point lies in one of the KG's parcels; shapes of neighbours that reach into
// parcels of the KG count for the areas of those parcels only.
type use struct {
	listed    bool
	code      austria.LandUse
	geometry  geom.MultiPolygon
	inside    geom.Point
	sqm       float64
	perimeter float64
	shares    []share
}

// baseTiles lists the tiles of a zoom that the parcels touch.
func (r *region) baseTiles(parcels []kgfile.Parcel) ([]square, error) {
	seen := map[square]bool{}
	for i := range parcels {
		b := parcels[i].Geometry.Bounds()
		if b.Empty() {
			p := parcels[i].Inside
			b = geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}
		}
		tiles, err := r.cover(b, 10) // a tenth of a metre: borders on a tile edge round either way
		if err != nil {
			return nil, err
		}
		for _, s := range tiles {
			seen[s] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), compareSquares), nil
}

// pools holds the land-use pieces per code, in rising code, each with its views in tile order.
type pools struct {
	codes []austria.LandUse
	views map[austria.LandUse][]view
}

// landUse reads the land-use tiles and puts the shapes together that belong to the KG. Shapes have no
// identity in the source: pieces of one code continue each other where an edge of one runs on in another.
// Tiles beyond the parcels' own are read when a shape runs out into them, up to as many again (and 64);
// what runs out further ends at the last tile read.
func landUse(ctx context.Context, in *Input, where *places, rep *Report) ([]use, error) {
	r := newRegion(in, tilesetCadastre, in.LandUseZoom)
	want, err := r.baseTiles(where.parcels)
	if err != nil {
		return nil, err
	}
	base := make(map[square]bool, len(want))
	for _, s := range want {
		base[s] = true
	}
	budget := len(base) + 64
	extra, openParcels := 0, rep.OpenShapes
	for {
		n, err := r.read(ctx, want)
		if err != nil {
			return nil, err
		}
		if len(r.tiles) > len(base) {
			extra += n
		}
		if err := r.fix(layerLandUse); err != nil {
			return nil, err
		}
		uses, needs := r.uses(where, base, openParcels, rep)
		want = want[:0]
		for _, s := range needs {
			if !r.has(s) {
				want = append(want, s)
			}
		}
		slices.SortFunc(want, compareSquares)
		want = slices.Compact(want)
		if extra+len(want) > budget || len(want) == 0 || n == 0 {
			rep.Tiles += len(r.tiles)
			rep.ExtraTiles += extra
			kept := uses[:0]
			for _, u := range uses {
				u.shares = where.shares(u.geometry, u.sqm, u.perimeter)
				if u.listed || len(u.shares) > 0 {
					kept = append(kept, u)
				} else {
					rep.LandUseOutside++
				}
			}
			return kept, nil
		}
	}
}

// uses assembles all codes from the tiles read so far. needs lists tiles that shapes of the KG run into.
func (r *region) uses(where *places, base map[square]bool, openParcels int, rep *Report) (out []use, needs []square) {
	all := r.pools(rep)
	box := where.tree.Bounds()
	plane := crs.Around(box.Center())
	d := newDissolver(int32(r.grid.Extent))
	rep.LandUseOutside, rep.OpenShapes = 0, openParcels
	for _, code := range all.codes {
		rings, open, more := r.dissolve(d, all.views[code], base)
		needs = append(needs, more...)
		if open {
			rep.OpenShapes++
			rings = append(rings, d.unite(func(s square) bool { return d.missing[s] })...)
		}
		polys, _ := shape(rings)
		for _, p := range polys {
			if !box.Intersects(r.boxOf(p)) {
				rep.LandUseOutside++
				continue
			}
			u := use{code: code, geometry: r.geometry([]polygon{p})}
			u.inside, _ = u.geometry.Inside()
			u.listed = where.at(u.inside) >= 0
			u.sqm = u.geometry.Area(crs.EqualArea)
			u.perimeter = u.geometry.Perimeter(plane.Project)
			out = append(out, u)
			if u.listed {
				needs = append(needs, r.unreadUnder(p)...)
			}
		}
	}
	return out, needs
}

// dissolve runs one code. A shape may cover base tiles without a vertex there; then the tiles around are
// looked at, and the tiles around those, until its border is found: grown are the tiles that matter because
// of that. open says that something of the KG could not be closed with the tiles read so far.
func (r *region) dissolve(d *dissolver, views []view, base map[square]bool) (rings [][]pt, open bool, needs []square) {
	d.base = func(s square) bool { return base[s] }
	rings = d.run(views)
	bare := map[square][]square{} // tile -> the tiles its bare rings run on into
	var queue []square
	for _, k := range d.bare() {
		s := d.views[d.rings[k].view].tile
		if bare[s] == nil && base[s] {
			queue = append(queue, s)
		}
		own := d.own(s)
		b := boxOf(clipRing(d.rings[k].pts, own))
		for _, n := range [...]struct {
			runs bool
			to   square
		}{{b.y0 == own.y0, square{s.x, s.y - 1}}, {b.x0 == own.x0, square{s.x - 1, s.y}}, {b.x1 == own.x1, square{s.x + 1, s.y}}, {b.y1 == own.y1, square{s.x, s.y + 1}}} {
			if n.runs {
				bare[s] = append(bare[s], n.to)
			}
		}
	}
	if len(queue) == 0 {
		return rings, len(d.failed) > 0, d.needs
	}
	grown := map[square]bool{}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, n := range bare[s] {
			switch {
			case !r.has(n):
				needs = append(needs, n)
			case !base[n] && !grown[n]:
				grown[n] = true
				if bare[n] != nil {
					queue = append(queue, n)
				}
			}
		}
	}
	d.base = func(s square) bool { return base[s] || grown[s] }
	rings = d.run(views)
	return rings, true, append(needs, d.needs...)
}

func (r *region) boxOf(p polygon) geom.Box {
	b := boxOf(p[0])
	nw, se := r.point(pt{b.x0, b.y0}), r.point(pt{b.x1, b.y1})
	return geom.Box{MinX: nw.X, MinY: se.Y, MaxX: se.X, MaxY: nw.Y}
}

// unreadUnder lists the tiles under a polygon that were not read: holes may lie there.
func (r *region) unreadUnder(p polygon) (out []square) {
	b := boxOf(p[0])
	lo, hi := r.home(pt{b.x0, b.y0}), r.home(pt{b.x1, b.y1})
	for y := lo.y; y <= hi.y; y++ {
		for x := lo.x; x <= hi.x; x++ {
			if s := (square{x, y}); !r.has(s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// ringKey finds equal rings quickly; what has the same key is compared.
type ringKey struct {
	low  pt
	n    int
	area int64
}

func (r *region) pools(rep *Report) pools {
	out := pools{views: map[austria.LandUse][]view{}}
	rep.BadCodes = 0
	for _, s := range r.order {
		l := r.tiles[s].Layer(layerLandUse)
		if l == nil {
			continue
		}
		key := l.Key("ns")
		seen := map[ringKey][][]pt{}
		for i := range l.Features {
			f := &l.Features[i]
			if f.Type != mvt.Polygons {
				continue
			}
			code, ok := codeOf(l, f, key)
			if !ok {
				rep.BadCodes++
				continue
			}
			rings, _ := r.rings(s, l, f)
			orient(rings)
			vs := out.views[code]
			if n := len(vs); n == 0 || vs[n-1].tile != s {
				vs = append(vs, view{tile: s})
			}
			v := &vs[len(vs)-1]
			for _, ring := range rings {
				ring = startLow(ring)
				k := ringKey{ring[0], len(ring), area2(ring)<<8 | int64(code)}
				if !slices.ContainsFunc(seen[k], func(o []pt) bool { return slices.Equal(o, ring) }) {
					seen[k] = append(seen[k], ring)
					v.rings = append(v.rings, ring)
				}
			}
			out.views[code] = vs
		}
	}
	out.codes = slices.Sorted(maps.Keys(out.views))
	return out
}

// codeOf reads the land-use code of a feature: a number from 1 to 255.
func codeOf(l *mvt.Layer, f *mvt.Feature, key int) (austria.LandUse, bool) {
	v, ok := l.Value(f, key)
	if !ok {
		return 0, false
	}
	n, ok := v.Int64()
	return austria.LandUse(n), ok && n > 0 && n < 256
}

// useRows splits the shapes into footprints (code 41) and land-use areas, each in Hilbert order, and
// books their areas on the parcels.
func useRows(uses []use, parcels []kgfile.Parcel, box geom.Box) ([]kgfile.Footprint, []kgfile.LandUseArea) {
	keys := make([]uint32, len(uses))
	order := make([]int, len(uses))
	for i := range uses {
		keys[i], order[i] = packtree.Hilbert(uses[i].inside, box), i
	}
	slices.SortFunc(order, func(a, b int) int {
		u, v := &uses[a], &uses[b]
		return cmp.Or(cmp.Compare(keys[a], keys[b]), u.inside.Compare(v.inside), cmp.Compare(u.code, v.code), cmp.Compare(u.sqm, v.sqm), cmp.Compare(a, b))
	})
	plane := crs.Around(box.Center())
	var feet []kgfile.Footprint
	var areas []kgfile.LandUseArea
	booked := make([]map[austria.LandUse]float64, len(parcels))
	for _, i := range order {
		u := &uses[i]
		for _, s := range u.shares {
			if booked[s.parcel] == nil {
				booked[s.parcel] = map[austria.LandUse]float64{}
			}
			booked[s.parcel][u.code] += s.sqm
		}
		if u.code == austria.LandUseBuilding {
			for _, s := range u.shares {
				parcels[s.parcel].BuildingAreaSqm += s.sqm
			}
		}
		if !u.listed {
			continue
		}
		if u.code != austria.LandUseBuilding {
			areas = append(areas, kgfile.LandUseArea{NS: u.code, Geometry: u.geometry, AreaSqm: u.sqm, Inside: u.inside})
			continue
		}
		f := footprint(u, plane.Project)
		f.N = uint32(len(feet) + 1)
		if f.Parcel >= 0 {
			parcels[f.Parcel].FootprintCount++
		}
		feet = append(feet, f)
	}
	for i, m := range booked {
		p := &parcels[i]
		for _, code := range slices.Sorted(maps.Keys(m)) {
			// Land-use shapes that lie over each other must not make a code larger than its parcel.
			p.UseAreas = append(p.UseAreas, kgfile.CodeArea{Code: code, Sqm: min(m[code], p.AreaSqm)})
		}
		p.BuildingAreaSqm = min(p.BuildingAreaSqm, p.AreaSqm)
		if p.AreaSqm > 0 {
			p.FAR = p.BuildingAreaSqm / p.AreaSqm
		}
	}
	return feet, areas
}

func footprint(u *use, to geom.Projection) kgfile.Footprint {
	f := kgfile.Footprint{
		Parcel: -1, Geometry: u.geometry, AreaSqm: u.sqm, PerimeterM: u.perimeter, VertexCount: u.geometry.Vertices(),
		Size: footprintSize(u.sqm), Shape: footprintShape(u.geometry, u.sqm, to), NS: u.code, Inside: u.inside,
	}
	f.Centroid, _ = u.geometry.Centroid()
	f.Compactness, f.Elongation = formOf(u.geometry, to)
	most := 0.0
	for _, s := range u.shares {
		if s.sqm > most {
			f.Parcel, most = s.parcel, s.sqm
		}
	}
	return f
}
