package kg

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// symbols reads the land-use symbols that lie in the KG's parcels: points of any layer with an attribute
// ns. They are counted on their parcels.
func symbols(ctx context.Context, in *Input, where *places, rep *Report) ([]kgfile.Symbol, error) {
	r := newRegion(in, TilesetSymbols, in.LandUseZoom)
	want, err := r.baseTiles(where.parcels)
	if err != nil {
		return nil, err
	}
	if _, err := r.read(ctx, want); err != nil {
		return nil, err
	}
	rep.Tiles += len(r.tiles)
	out := r.symbols(where, rep)
	slices.SortFunc(out, func(a, b kgfile.Symbol) int {
		return cmp.Or(cmp.Compare(a.Parcel, b.Parcel), cmp.Compare(a.NS, b.NS), a.At.Compare(b.At))
	})
	out = slices.Compact(out)
	counts := map[int32]map[austria.LandUse]int{}
	for _, s := range out {
		if counts[s.Parcel] == nil {
			counts[s.Parcel] = map[austria.LandUse]int{}
		}
		counts[s.Parcel][s.NS]++
	}
	for i, m := range counts {
		where.parcels[i].SymbolCounts = sortedCounts(m)
	}
	return out, nil
}

// symbols are those of the tiles that were read, in the order of the tiles.
func (r *region) symbols(where *places, rep *Report) []kgfile.Symbol {
	var out []kgfile.Symbol
	for _, s := range r.order {
		for i := range r.tiles[s].Layers {
			l := &r.tiles[s].Layers[i]
			r.eachSymbol(s, l, rep, func(code austria.LandUse, at geom.Point) {
				if p := where.at(at); p >= 0 {
					out = append(out, kgfile.Symbol{NS: code, Parcel: p, At: at})
				}
			})
		}
	}
	return out
}

// eachSymbol yields the symbols of a layer that lie in its tile and not in the buffer around it.
func (r *region) eachSymbol(s square, l *mvt.Layer, rep *Report, yield func(austria.LandUse, geom.Point)) {
	key := l.Key("ns")
	if key < 0 {
		return
	}
	grid := mvt.Grid{Z: r.zoom, Extent: l.Extent}
	e := int32(l.Extent)
	for i := range l.Features {
		f := &l.Features[i]
		if f.Type != mvt.Points || len(f.Parts) == 0 {
			continue
		}
		code, ok := codeOf(l, f, key)
		if !ok {
			rep.BadCodes++
			continue
		}
		for _, q := range f.Parts[0] {
			if q.X < 0 || q.Y < 0 || q.X >= e || q.Y >= e {
				continue // in the buffer: another tile's own
			}
			yield(code, grid.Point(int64(s.x)*int64(e)+int64(q.X), int64(s.y)*int64(e)+int64(q.Y)))
		}
	}
}

func sortedCounts(m map[austria.LandUse]int) []kgfile.CodeCount {
	out := make([]kgfile.CodeCount, 0, len(m))
	for _, c := range slices.Sorted(maps.Keys(m)) {
		out = append(out, kgfile.CodeCount{Code: c, N: m[c]})
	}
	return out
}

// buildings joins the address points to the parcels that contain them. A point outside every parcel of
// the KG stays, with parcel -1, when its register names the KG and no parcel of another KG holds it.
func (c *cadastre) buildings(in *Input, where *places, rep *Report) []kgfile.Building {
	var out []kgfile.Building
	for i := range in.Addresses {
		b := in.Addresses[i].Building
		b.Parcel = -1
		if b.At != (geom.Point{}) {
			b.Parcel = where.at(b.At)
		}
		if b.Parcel < 0 {
			if in.Addresses[i].KG != in.Code || c.foreign(in.Code, b.At) {
				continue
			}
			rep.AddressesOutside++
		}
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b kgfile.Building) int {
		return cmp.Or(cmp.Compare(a.ID.ADRCD, b.ID.ADRCD), cmp.Compare(a.ID.SUBCD, b.ID.SUBCD), a.At.Compare(b.At))
	})
	out = slices.CompactFunc(out, func(a, b kgfile.Building) bool { return a.ID == b.ID })
	for _, b := range out {
		if b.Parcel >= 0 {
			where.parcels[b.Parcel].BuildingCount++
		}
	}
	return out
}

// foreign says whether a parcel of another KG holds the point, as far as the tiles read show.
func (c *cadastre) foreign(code austria.KGCode, at geom.Point) bool {
	x, y := c.region.grid.Snap(at)
	p := pt{X: int32(x), Y: int32(y)}
	s := c.region.home(p)
	t := c.region.tiles[s]
	if t == nil {
		return false
	}
	l := t.Layer(layerParcels)
	if l == nil {
		return false
	}
	key, mine := l.Key("kg"), ours(l, code)
	for i := range l.Features {
		f := &l.Features[i]
		if f.Type != mvt.Polygons || key < 0 || belongs(f, key, mine) {
			continue
		}
		rings, _ := c.region.rings(s, l, f)
		in := false
		for _, r := range rings {
			if locate2(2*int64(p.X), 2*int64(p.Y), r) != outside {
				in = !in
			}
		}
		if in {
			return true
		}
	}
	return false
}
