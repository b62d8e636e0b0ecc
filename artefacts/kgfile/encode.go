package kgfile

import (
	"fmt"

	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Encode writes the snapshot as a .kgs file. The same snapshot gives the same bytes. Floats are
// stored in the steps Quantise documents; a value that no step can hold is an error that names it.
func Encode(s *Snapshot) ([]byte, error) {
	p := newPool()
	parts := []struct {
		name string
		rows int
		put  func(*writer)
	}{
		{"head", 1, func(w *writer) { putHead(w, s) }},
		{"pgeo", len(s.Parcels), func(w *writer) {
			putShapes(w, p, len(s.Parcels), func(i int) geom.MultiPolygon { return s.Parcels[i].Geometry })
		}},
		{"patt", len(s.Parcels), func(w *writer) { putParcels(w, s.Parcels) }},
		{"puse", len(s.Parcels), func(w *writer) { putParcelUse(w, s.Parcels) }},
		{"bldg", len(s.Buildings), func(w *writer) { putBuildings(w, s) }},
		{"foot", len(s.Footprints), func(w *writer) { putFootprints(w, s) }},
		{"luse", len(s.LandUse), func(w *writer) { putLandUse(w, s.LandUse) }},
		{"symb", len(s.Symbols), func(w *writer) { putSymbols(w, s) }},
		{"labl", len(s.Labels), func(w *writer) { putLabels(w, s) }},
		{"foli", len(s.Folios), func(w *writer) { putFolios(w, s) }},
		{"outl", 1, func(w *writer) {
			putShapes(w, p, 1, func(int) geom.MultiPolygon { return s.Outline })
		}},
	}
	secs := make([]section, 0, len(parts))
	for _, part := range parts {
		w := &writer{}
		if part.rows > maxRows {
			w.fail("%d rows: at most %d are allowed", part.rows, maxRows)
		} else {
			part.put(w)
		}
		if w.err == nil && w.raw > maxRaw {
			w.fail("columns of %d bytes: at most %d are allowed", w.raw, maxRaw)
		}
		if w.err != nil {
			return nil, fmt.Errorf("KG %s section %q: %w", s.KG.Code, part.name, w.err)
		}
		// Padding keeps very uniform sections within what a reader accepts.
		for w.raw > rawBase+rawPerByte*len(w.buf) || part.rows > 64+len(w.buf) {
			w.buf = append(w.buf, 0)
		}
		secs = append(secs, section{part.name, w.buf, w.raw, part.rows})
	}
	return assemble(secs)
}

// column collects one number of every row.
func column[T any](rows []T, f func(*T) uint64) []uint64 {
	out := make([]uint64, len(rows))
	for i := range rows {
		out[i] = f(&rows[i])
	}
	return out
}

// steps writes one float of every row in steps of 1/per, none as 0.
func putSteps[T any](w *writer, name string, rows []T, per int, f func(*T) float64) {
	w.ints(column(rows, func(t *T) uint64 {
		q, err := steps(f(t), per)
		if err != nil {
			w.fail("%s: %w", name, err)
		}
		return q
	}))
}

// putPoints writes positions as differences from an anchor near them.
func putPoints(w *writer, n int, at, anchor func(int) geom.Point) {
	x, y := make([]int64, n), make([]int64, n)
	for i := range n {
		p, a := at(i), anchor(i)
		if !onEarth(p) {
			w.fail("row %d: position %v is not a longitude and latitude", i, p)
		}
		x[i], y[i] = int64(p.X)-int64(a.X), int64(p.Y)-int64(a.Y)
	}
	w.signed(x)
	w.signed(y)
}

func small(w *writer, name string, v int) uint64 {
	if v < 0 || v > 1<<31-1 {
		w.fail("%s %d: expected 0 to %d", name, v, 1<<31-1)
		return 0
	}
	return uint64(v)
}

func putHead(w *writer, s *Snapshot) {
	k := &s.KG
	w.text([]string{string(k.Code), k.Name, string(k.GemeindeCode), k.GemeindeName, k.DistrictName,
		s.Build.Stichtag, s.Build.AssemblyVersion, s.Build.IngestGeneration, s.Build.Source})
	b := k.Box
	w.signed([]int64{int64(b.MinX), int64(b.MinY), int64(b.MaxX), int64(b.MaxY)})
	counts := []int{k.ParcelCount, k.BuildingCount, k.FootprintCount, k.LandUseCount, k.EZCount,
		int(k.Typology), int(k.DominantLandUse), s.Build.SourceTiles, s.Build.SourceParcels, s.Build.SourceLabels}
	w.ints(column(counts, func(v *int) uint64 { return small(w, "KG count", *v) }))
	for _, m := range kgMetrics(k) {
		putSteps(w, "KG "+m.name, []*float64{m.v}, m.per, func(v **float64) float64 { return **v })
	}
	w.count(len(s.Build.Repairs))
	w.ints(column(s.Build.Repairs, func(r *RepairCount) uint64 { return uint64(r.Repair) }))
	w.ints(column(s.Build.Repairs, func(r *RepairCount) uint64 { return small(w, "repair count", r.N) }))
}

type metric struct {
	name string
	per  int
	v    *float64
}

// kgMetrics lists the floats of a KG in file order.
func kgMetrics(k *KG) []metric {
	return []metric{
		{"total area", perSqm, &k.TotalAreaSqm},
		{"building density", perRatio, &k.BuildingDensity},
		{"built-up ratio", perRatio, &k.BuiltUpRatio},
		{"nearest-neighbour distance", perMetre, &k.AvgNNDistanceM},
		{"land-use diversity", perRatio, &k.LandUseDiversity},
		{"FAR", perRatio, &k.AvgFAR},
		{"compactness", perRatio, &k.AvgCompactness},
		{"parcels per EZ", perRatio, &k.AvgParcelsPerEZ},
		{"footprint area", perSqm, &k.TotalFootprintAreaSqm},
		{"median footprint area", perSqm, &k.FootprintMedianAreaSqm},
		{"median parcel area", perSqm, &k.MedianParcelAreaSqm},
	}
}

func putCodeCounts(w *writer, lists func(i int) []CodeCount, n int) {
	per := make([]uint64, n)
	var code, count []uint64
	for i := range n {
		l := lists(i)
		per[i] = uint64(len(l))
		for _, c := range l {
			code = append(code, uint64(c.Code))
			count = append(count, small(w, "symbol count", c.N))
		}
	}
	w.count(len(code))
	w.ints(per)
	w.ints(code)
	w.ints(count)
}

// putCodeAreas writes the areas of a row's codes. The last one is stored as its difference from what
// the others leave of the row's whole area, which is mostly nothing.
func putCodeAreas(w *writer, lists func(i int) []CodeArea, whole func(i int) float64, n int) {
	per := make([]uint64, n)
	var code []uint64
	var sqm []int64
	for i := range n {
		l := lists(i)
		per[i] = uint64(len(l))
		rest, err := steps(whole(i), perSqm)
		if err != nil {
			w.fail("row %d area: %w", i, err)
		}
		left := int64(rest)
		for k, c := range l {
			q, err := steps(c.Sqm, perSqm)
			if err != nil || q == 0 {
				w.fail("row %d land-use %d: area %g is not allowed", i, c.Code, c.Sqm)
			}
			code = append(code, uint64(c.Code))
			v := int64(q) - 1
			if k == len(l)-1 {
				v -= left - 1
			}
			sqm = append(sqm, v)
			left -= v
		}
	}
	w.count(len(code))
	w.ints(per)
	w.ints(code)
	w.signed(sqm)
}

func putParcelUse(w *writer, p []Parcel) {
	w.ints(column(p, func(p *Parcel) uint64 { return uint64(p.DominantLandUse) }))
	putCodeCounts(w, func(i int) []CodeCount { return p[i].SymbolCounts }, len(p))
	putCodeAreas(w, func(i int) []CodeArea { return p[i].UseAreas }, func(i int) float64 { return p[i].AreaSqm }, len(p))
}

func putStatus(w *writer, s austria.Status) uint64 {
	switch s {
	case austria.StatusUnknown:
		return 0
	case austria.StatusE:
		return 1
	case austria.StatusG:
		return 2
	}
	w.fail("status %q: expected E, G or unknown", rune(s))
	return 0
}
