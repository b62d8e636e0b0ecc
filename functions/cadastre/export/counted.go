package export

import (
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// countedKGs bounds the KGs of which an estimate counts rows and vertices; of more it counts so many, spread over the list, and takes
// the others to be as they are.
const countedKGs = 12

// content is what of a layer is written: features, and vertices of their areas with each ring closed.
type content struct{ rows, vertices int }

func (c content) and(o content) content { return content{c.rows + o.rows, c.vertices + o.vertices} }

// weight is what a layer takes in a file, in bytes: once, for each feature and for each vertex.
type weight struct{ once, row, vertex float64 }

func (w weight) of(c content, scale float64) float64 {
	return w.once + scale*(w.row*float64(c.rows)+w.vertex*float64(c.vertices))
}

// outlineWeight is that of an outline in a drawing, which has them with any layer.
var outlineWeight = weight{1500, 300, 70}

// zippedTables is a CSV of several layers among weights.
const zippedTables keys.Form = "csv.zip"

// wholeFile is what a file has beside its layers, among weights.
const wholeFile layer = ""

// weights are those of the forms, fitted to the files of the demo country: TestSizesOfTheDemo says how near they come. Those of a
// GeoPackage are the same for all layers.
var weights = map[keys.Form]map[layer]weight{
	keys.GeoJSON: {parcels: {6400, 852, 16.5}, buildings: {490, 432, 0}, footprints: {520, 306, 35}, labels: {300, 234, 0},
		landUsePolygons: {390, 259, 23.7}, landUsePoints: {0, 276, 0}},
	keys.GeoPackage: {parcels: {36600, 198, 13.2}, buildings: {36600, 198, 0}, footprints: {36600, 198, 13.2}, labels: {36600, 198, 0},
		landUsePolygons: {36600, 198, 13.2}, landUsePoints: {36600, 198, 0}},
	flatGeobuf: {parcels: {2900, 365, 16.4}, buildings: {1900, 333, 0}, footprints: {2060, 281, 20.7}, labels: {1250, 202, 0},
		landUsePolygons: {1730, 272, 15.2}, landUsePoints: {910, 232, 0}},
	"zip": {parcels: {2550, 6.5, 10.7}, buildings: {1850, 41, 0}, footprints: {2060, 95, 0}, labels: {1650, 31, 0},
		landUsePolygons: {1370, 28, 7.7}, landUsePoints: {1880, 32, 0}},
	"dxf": {parcels: {0, 97, 72.8}, buildings: {0, 208, 0}, footprints: {0, 23, 72}, landUsePolygons: {0, 163, 68},
		landUsePoints: {0, 148, 0}, kgOutlines: outlineWeight},
	"kml": {parcels: {1160, 1200, 23}, buildings: {440, 846, 0}, footprints: {460, 790, 33.6}, labels: {250, 471, 0},
		landUsePolygons: {3200, 677, 19.7}, landUsePoints: {1330, 569, 0}, kgOutlines: {500, 2000, 23}, boroughs: {500, 900, 23}},
	commaForm: {parcels: {490, 124, 0}, buildings: {110, 153, 0}, footprints: {126, 60, 7.6}, labels: {0, 49, 0},
		landUsePolygons: {0, 72, 0}, landUsePoints: {0, 73, 0}},
	zippedTables: {parcels: {2100, 32, 0}, buildings: {360, 22, 0}, footprints: {320, 26, 0}, labels: {250, 12.7, 0},
		landUsePolygons: {390, 15, 0}, landUsePoints: {350, 13.4, 0}},
	"xlsx": {wholeFile: {2600, 0, 0}, parcels: {1710, 108, 0}, buildings: {1000, 73, 0}, footprints: {1000, 79, 0}, labels: {1000, 39, 0},
		landUsePolygons: {1000, 47, 0}, landUsePoints: {1000, 45, 0}},
}

// counted is the size of a file by what of the KGs there is to write; false where none of them can be read, and for a form without
// weights. KGs that turn out to be unreadable go to the gaps.
func (p *plan) counted(ctx context.Context, w want, absent []austria.KGCode) (int64, bool, error) {
	of := weights[w.form]
	if w.form == commaForm && len(w.layers) > 1 {
		of = weights[zippedTables]
	}
	sample, scale := p.sample(absent)
	if len(of) == 0 || len(sample) == 0 {
		return 0, false, nil
	}
	counts := map[layer]content{}
	ahead := p.view.Ahead(sample)
	for _, code := range sample {
		ahead.Next(ctx)
		f, err := p.view.Read(ctx, code, &p.gaps)
		if err != nil {
			return 0, false, err
		}
		if f == nil { // damage shows when a file is read; another KG is counted in its place
			return p.counted(ctx, w, append(slices.Clip(absent), code))
		}
		for _, l := range w.counts() {
			c, err := countOf(f, l)
			if err != nil {
				return 0, false, generation.Fault(ctx, err)
			}
			counts[l] = counts[l].and(c)
		}
	}
	sum := of[wholeFile].once
	for _, l := range w.counts() {
		if l != kgOutlines && l != boroughs {
			sum += of[l].of(counts[l], scale)
		} else {
			sum += of[l].of(p.outlined(l), 1)
		}
	}
	return int64(sum), true, nil
}

// counts are the layers that are counted: those of the file, land use as its two, and the outlines that a drawing always has.
func (w want) counts() (list []layer) {
	for _, l := range w.layers {
		if l == landUse {
			list = append(list, landUsePolygons, landUsePoints)
		} else {
			list = append(list, l)
		}
	}
	if w.form == drawings.form {
		list = append(list, kgOutlines)
	}
	return list
}

// sample are KGs that can be read, at most countedKGs of them, and how much more all are, by the bytes of the snapshots.
func (p *plan) sample(absent []austria.KGCode) (list []austria.KGCode, scale float64) {
	reg := p.view.Register()
	var there []austria.KGCode
	all, read := int64(0), int64(0)
	for _, code := range p.named {
		all += reg.KG(code).Snapshot.Bytes
		if !slices.Contains(absent, code) {
			there = append(there, code)
		}
	}
	n := min(len(there), countedKGs)
	for i := range n {
		code := there[i*len(there)/n]
		list, read = append(list, code), read+reg.KG(code).Snapshot.Bytes
	}
	return list, float64(max(all, 1)) / float64(cmp.Or(read, max(all, 1)))
}

// countOf counts what a KG has of a layer; of outlines nothing.
func countOf(f *kgfile.File, l layer) (c content, err error) {
	switch l {
	case parcels:
		c.rows = f.NumParcels()
		for i := range c.rows {
			c.vertices += vertices(f.ParcelGeometry(i))
		}
	case buildings:
		list, err := f.Buildings()
		return content{rows: len(list)}, err
	case labels:
		list, err := f.Labels()
		return content{rows: len(list)}, err
	case landUsePoints:
		list, err := f.Symbols()
		return content{rows: len(list)}, err
	case footprints:
		list, err := f.Footprints()
		for i := range list {
			c.vertices += vertices(list[i].Geometry)
		}
		return content{len(list), c.vertices}, err
	case landUsePolygons:
		list, err := f.LandUse()
		for i := range list {
			c.vertices += vertices(list[i].Geometry)
		}
		return content{len(list), c.vertices}, err
	}
	return c, nil
}

// outlined counts the outlines of the KGs, or of their municipalities.
func (p *plan) outlined(l layer) (c content) {
	reg := p.view.Register()
	seen := map[austria.GemeindeCode]bool{}
	for _, code := range p.named {
		outline, k := reg.Outline(code), reg.KG(code)
		if l == boroughs {
			if seen[k.GemeindeCode] {
				continue
			}
			seen[k.GemeindeCode] = true
			outline = reg.MunicipalityOutline(k.GemeindeCode)
		}
		c = c.and(content{1, vertices(outline)})
	}
	return c
}

func vertices(m geom.MultiPolygon) (n int) {
	for _, poly := range m {
		for _, ring := range poly {
			n += len(ring) + 1
		}
	}
	return n
}

// unpacked is the length of what a gzip of one member holds, which ends with it (RFC 1952: ISIZE, below 4 GB).
func (p *plan) unpacked(ctx context.Context, o manifest.Object) (n int64, err error) {
	const size = 4
	body, err := p.view.OpenRange(ctx, o, max(0, o.Bytes-size), min(size, o.Bytes))
	if err != nil {
		return 0, generation.Fault(ctx, err)
	}
	defer body.Close() // read only
	var b [size]byte
	if _, err := io.ReadFull(body, b[:]); err != nil {
		return 0, generation.Fault(ctx, err)
	}
	return int64(binary.LittleEndian.Uint32(b[:])), nil
}
