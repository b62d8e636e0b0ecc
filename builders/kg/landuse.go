package kg

import (
	"context"
	"maps"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
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

// landUse reads the land-use tiles and puts the shapes together that lie on the KG's parcels. Shapes have
// no identity in the source: pieces of one code continue each other where an edge of one runs on in
// another. Tiles beyond the parcels' own are read when a shape on the parcels runs out into them, up to as
// many again (and 64); what runs out further ends at the last tile read.
func landUse(ctx context.Context, in *Input, where *places, rep *Report) ([]use, error) {
	u := &useReader{region: newRegion(in, TilesetCadastre, in.LandUseZoom), where: where, base: map[square]bool{}}
	want, err := u.region.baseTiles(where.parcels)
	if err != nil {
		return nil, err
	}
	for _, s := range want {
		u.base[s] = true
	}
	budget, openParcels, apart := 2*len(u.base)+64, rep.OpenShapes, rep.Apart
	for {
		n, err := u.region.read(ctx, want)
		if err != nil {
			return nil, err
		}
		if err := u.region.fix(layerLandUse); err != nil {
			return nil, err
		}
		rep.OpenShapes, rep.Apart, rep.BadCodes, rep.LandUseCut = openParcels, apart, 0, 0
		shapes := u.shapes(rep)
		want = want[:0]
		for _, s := range u.needs {
			if !u.region.has(s) {
				want = append(want, s)
			}
		}
		slices.SortFunc(want, compareSquares)
		want = slices.Compact(want)
		if n == 0 || len(want) == 0 || len(u.region.tiles)+len(want) > budget {
			rep.Tiles += len(u.region.tiles)
			rep.ExtraTiles += len(u.region.tiles) - len(u.base)
			return u.onParcels(shapes, rep), nil
		}
	}
}

// useReader puts land use together from the tiles read so far.
type useReader struct {
	region *region
	where  *places
	base   map[square]bool // tiles that the parcels touch
	needs  []square        // tiles that shapes on the parcels run into
}

// codeShape is a polygon of one code on the grid.
type codeShape struct {
	code austria.LandUse
	poly polygon
}

// shapes assembles all codes from the tiles read so far.
func (u *useReader) shapes(rep *Report) (out []codeShape) {
	u.needs = u.needs[:0]
	all := u.region.pools(rep)
	box := u.where.tree.Bounds()
	d := newDissolver(int32(u.region.grid.Extent))
	for _, code := range all.codes {
		rings, open := u.dissolve(d, all.views[code])
		if open {
			rep.OpenShapes++
			for s := range d.missing {
				if t, read := u.region.tiles[s]; read && u.base[s] && len(t.Layers) == 0 {
					rep.LandUseCut++
					break
				}
			}
			rings = append(rings, d.unite(func(s square) bool { return d.missing[s] })...)
		}
		polys, _, _ := shape(rings)
		for _, p := range polys {
			if !box.Intersects(u.region.boxOf(p)) {
				continue
			}
			out = append(out, codeShape{code, p})
			if under := u.region.unreadUnder(p); len(under) > 0 && u.where.on(u.region.geometry([]polygon{p})) {
				u.needs = append(u.needs, under...)
			}
		}
	}
	rep.Apart += d.apart
	return out
}

// onParcels measures the shapes and keeps those that the KG has something to do with.
func (u *useReader) onParcels(shapes []codeShape, rep *Report) []use {
	plane := crs.Around(u.where.tree.Bounds().Center())
	var out []use
	for _, c := range shapes {
		v := use{code: c.code}
		if v.geometry, _ = sound(u.region.geometry([]polygon{c.poly})); len(v.geometry) == 0 {
			rep.Unrepaired++
			continue
		}
		v.inside, _ = v.geometry.Inside()
		v.listed = u.where.at(v.inside) >= 0
		v.sqm = v.geometry.Area(crs.EqualArea)
		v.perimeter = v.geometry.Perimeter(plane.Project)
		v.shares = u.where.shares(v.geometry, v.sqm, v.perimeter)
		if v.listed || len(v.shares) > 0 {
			out = append(out, v)
		} else {
			rep.LandUseOutside++
		}
	}
	return out
}

// dissolve runs one code. A shape may cover base tiles without a vertex there; then the tiles it runs on
// into are looked at, and those they run on into, until its border is found: grown are the tiles that
// matter because of that. open says that a shape on the parcels could not be closed with the tiles read.
func (u *useReader) dissolve(d *dissolver, views []view) (rings [][]pt, open bool) {
	known := map[int32]bool{}
	ringMatters := func(k int32) bool {
		c := &d.rings[k]
		if !u.base[d.views[c.view].tile] {
			return false
		}
		on, ok := known[k]
		if !ok {
			on = u.pieceOnParcels(d, c)
			known[k] = on
		}
		return on
	}
	d.matters = ringMatters
	rings = d.run(views)
	bare := map[square][]square{} // tile -> the tiles its bare rings run on into
	var queue []square
	for _, k := range d.bare() {
		s := d.views[d.rings[k].view].tile
		if bare[s] == nil && ringMatters(k) {
			queue = append(queue, s)
		}
		bare[s] = append(bare[s], d.runsInto(k)...)
	}
	if len(queue) == 0 {
		u.needs = append(u.needs, d.needs...)
		return rings, len(d.failed) > 0
	}
	grown := map[square]bool{}
	for _, s := range queue {
		grown[s] = true
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, n := range bare[s] {
			switch {
			case !u.region.has(n):
				u.needs = append(u.needs, n)
			case !grown[n]:
				grown[n] = true
				if bare[n] != nil {
					queue = append(queue, n)
				}
			}
		}
	}
	d.matters = func(k int32) bool { return grown[d.views[d.rings[k].view].tile] || ringMatters(k) }
	rings = d.run(views)
	u.needs = append(u.needs, d.needs...)
	return rings, true
}

// pieceOnParcels says whether what a ring shows of a shape in its tile's own square lies on parcels of
// the KG, by more than the slivers that rounding makes along borders.
func (u *useReader) pieceOnParcels(d *dissolver, c *crossing) bool {
	r := clipRing(c.pts, d.own(d.views[c.view].tile))
	switch a := area2(r); {
	case a == 0:
		return false
	case a < 0:
		reverse(r)
	}
	return u.where.on(u.region.geometry([]polygon{{r}}))
}

// runsInto lists the neighbours that a bare ring runs on into.
func (d *dissolver) runsInto(k int32) (out []square) {
	s := d.views[d.rings[k].view].tile
	own := d.own(s)
	b := geom.Ring(clipRing(d.rings[k].pts, own)).Bounds()
	for _, n := range [...]struct {
		runs bool
		to   square
	}{{b.MinY == own.MinY, square{s.x, s.y - 1}}, {b.MinX == own.MinX, square{s.x - 1, s.y}}, {b.MaxX == own.MaxX,
		square{s.x + 1, s.y}}, {b.MaxY == own.MaxY, square{s.x, s.y + 1}}} {
		if n.runs {
			out = append(out, n.to)
		}
	}
	return out
}

func (r *region) boxOf(p polygon) geom.Box {
	b := geom.Ring(p[0]).Bounds()
	nw, se := r.point(pt{X: b.MinX, Y: b.MinY}), r.point(pt{X: b.MaxX, Y: b.MaxY})
	return geom.Box{MinX: nw.X, MinY: se.Y, MaxX: se.X, MaxY: nw.Y}
}

// unreadUnder lists the tiles under a polygon that were not read: holes may lie there.
func (r *region) unreadUnder(p polygon) (out []square) {
	b := geom.Ring(p[0]).Bounds()
	lo, hi := r.home(pt{X: b.MinX, Y: b.MinY}), r.home(pt{X: b.MaxX, Y: b.MaxY})
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
