package kg

import (
	"context"
	"slices"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// source is one parcel as the tiles show it, and then as it is put together.
type source struct {
	gnr     austria.GNR // "" while unnumbered
	ez      austria.EZ
	status  austria.Status
	first   pt // a vertex, the position of last resort
	views   []view
	repairs kgfile.Repair

	drawn2   int64     // twice the area that the rings enclose as they are drawn, in pixels
	polys    []polygon // put together, on the grid
	hopeless bool      // they still cross themselves: kept, but no border to join or to build an outline from
}

// label is a parcel-number label of the KG on the grid.
type label struct {
	gnr      austria.GNR
	status   austria.Status
	rotation float64
	at       pt
}

// cadastre is what the tiles of the parcel zoom hold of one KG.
type cadastre struct {
	code    austria.KGCode
	region  *region
	parcels []*source // in order of their number's first appearance
	labels  []label
	loose   []label // of features that name no KG: whose they are follows from where they lie
}

// readCadastre reads the tiles of the box, then those that parcels of the KG run into, until none is missing.
func readCadastre(ctx context.Context, in *Input, rep *Report) (*cadastre, error) {
	c := &cadastre{code: in.Code, region: newRegion(in, TilesetCadastre, in.ParcelZoom)}
	// 2e-4 degrees are some 15 to 22 m: outlines of KGs are drawn more coarsely than parcels.
	want, err := c.region.cover(in.Box, 2000)
	if err != nil {
		return nil, err
	}
	for round := 0; ; round++ {
		n, err := c.region.read(ctx, want)
		if err != nil {
			return nil, err
		}
		if round > 0 {
			rep.ExtraTiles += n
			if n == 0 {
				break
			}
		}
		if err := c.region.fix(layerParcels, layerLabels); err != nil {
			return nil, err
		}
		c.collect(in.Code, rep)
		want = c.reached()
		if len(want) == 0 {
			break
		}
	}
	rep.Tiles += len(c.region.tiles)
	if rep.Pieces == 0 {
		rep.Instead = c.instead()
	}
	return c, nil
}

// reached lists the tiles not yet read that the pieces touch.
func (c *cadastre) reached() []square {
	var out []square
	e := int32(c.region.grid.Extent)
	for _, p := range c.parcels {
		for _, v := range p.views {
			for _, r := range v.rings {
				b := geom.Ring(r).Bounds()
				for y := b.MinY / e; y <= b.MaxY/e; y++ {
					for x := b.MinX / e; x <= b.MaxX/e; x++ {
						if s := (square{x, y}); !c.region.has(s) {
							out = append(out, s)
						}
					}
				}
			}
		}
	}
	return out
}

// collect takes the KG's parcels and labels from all tiles read.
func (c *cadastre) collect(code austria.KGCode, rep *Report) {
	c.parcels, c.labels, c.loose = nil, nil, nil
	rep.Pieces, rep.BadNumbers = 0, 0
	known := map[austria.GNR]*source{}
	for _, s := range c.region.order {
		if l := c.region.tiles[s].Layer(layerParcels); l != nil {
			c.collectParcels(s, l, code, known, rep)
		}
		if l := c.region.tiles[s].Layer(layerLabels); l != nil {
			c.collectLabels(s, l, code)
		}
	}
}

// ours tells for each value of the layer's dictionary whether it names the KG, so that the code is read
// once per value and not once per feature.
func ours(l *mvt.Layer, code austria.KGCode) []bool {
	out := make([]bool, len(l.Values))
	for i, v := range l.Values {
		if k, err := austria.ParseKGCode(v.Text()); err == nil && k == code {
			out[i] = true
		}
	}
	return out
}

func belongs(f *mvt.Feature, key int, ours []bool) bool {
	for i := 0; i+1 < len(f.Tags); i += 2 {
		if int(f.Tags[i]) == key {
			return ours[f.Tags[i+1]]
		}
	}
	return false
}

// names says whether the feature has the attribute.
func names(f *mvt.Feature, key int) bool {
	for i := 0; i+1 < len(f.Tags); i += 2 {
		if int(f.Tags[i]) == key {
			return true
		}
	}
	return false
}

func (c *cadastre) collectParcels(s square, l *mvt.Layer, code austria.KGCode, known map[austria.GNR]*source, rep *Report) {
	kgKey, gnrKey, ezKey, statusKey := l.Key("kg"), l.Key("gnr"), l.Key("ez"), l.Key("rstatus")
	if kgKey < 0 {
		return
	}
	mine := ours(l, code)
	for i := range l.Features {
		f := &l.Features[i]
		if f.Type != mvt.Polygons || !belongs(f, kgKey, mine) {
			continue
		}
		rep.Pieces++
		gnr := c.number(l, f, gnrKey, rep)
		p := known[gnr]
		rings, first := c.region.rings(s, l, f)
		if p == nil {
			p = &source{gnr: gnr, first: first}
			known[gnr] = p
			c.parcels = append(c.parcels, p)
		}
		if p.ez == 0 {
			if v, ok := l.Value(f, ezKey); ok {
				if n, ok := v.Int64(); ok && n > 0 && n <= 1<<32-1 {
					p.ez = austria.EZ(n)
				}
			}
		}
		if p.status == austria.StatusUnknown {
			if v, ok := l.Value(f, statusKey); ok {
				p.status, _ = austria.ParseStatus(strings.TrimSpace(v.Text()))
			}
		}
		turned, inverted := orient(rings)
		if turned {
			p.repairs |= kgfile.RepairRingOrder
		}
		if inverted {
			p.repairs |= kgfile.RepairInvertedRings
		}
		if n := len(p.views); n > 0 && p.views[n-1].tile == s {
			if addRings(&p.views[n-1], rings) {
				p.repairs |= kgfile.RepairDuplicate
			}
		} else {
			p.views = append(p.views, view{tile: s, rings: rings})
		}
	}
}

// number reads the parcel number of a feature, "" when it has none that a parcel can have.
func (c *cadastre) number(l *mvt.Layer, f *mvt.Feature, key int, rep *Report) austria.GNR {
	v, ok := l.Value(f, key)
	if !ok {
		return ""
	}
	g, err := austria.ParseGNR(strings.TrimSpace(v.Text()))
	if err != nil {
		rep.BadNumbers++
		return ""
	}
	return g
}

// addRings adds the rings of a further feature of the same pool and tile, those that stand there already
// left out.
func addRings(v *view, rings [][]pt) (duplicate bool) {
	old := len(v.rings)
next:
	for _, r := range rings {
		for _, o := range v.rings[:old] {
			if len(o) == len(r) && slices.Equal(startLow(o), startLow(r)) {
				duplicate = true
				continue next
			}
		}
		v.rings = append(v.rings, r)
	}
	return duplicate
}

func (c *cadastre) collectLabels(s square, l *mvt.Layer, code austria.KGCode) {
	kgKey, gnrKey, rotKey, statusKey := l.Key("kg"), l.Key("gnr"), l.Key("rot"), l.Key("rstatus")
	if gnrKey < 0 {
		return
	}
	mine := ours(l, code)
	scale := int32(c.region.grid.Extent / l.Extent)
	for i := range l.Features {
		f := &l.Features[i]
		if f.Type != mvt.Points || len(f.Parts) == 0 {
			continue
		}
		to := &c.labels
		if kgKey < 0 || !names(f, kgKey) {
			to = &c.loose
		} else if !belongs(f, kgKey, mine) {
			continue
		}
		v, _ := l.Value(f, gnrKey)
		gnr, err := austria.ParseGNR(strings.TrimSpace(v.Text()))
		if err != nil {
			continue
		}
		out := label{gnr: gnr}
		if v, ok := l.Value(f, statusKey); ok {
			out.status, _ = austria.ParseStatus(strings.TrimSpace(v.Text()))
		}
		if v, ok := l.Value(f, rotKey); ok {
			out.rotation, _ = v.Float64()
		}
		for _, q := range f.Parts[0] {
			out.at = pt{X: s.x*int32(c.region.grid.Extent) + q.X*scale, Y: s.y*int32(c.region.grid.Extent) + q.Y*scale}
			if c.region.home(out.at) == s { // the buffers of other tiles show it again
				*to = append(*to, out)
			}
		}
	}
}
