package kgfile

import (
	"fmt"

	"mappe/artefacts/internal/column"
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
		put  func(*column.Writer)
	}{
		{"head", 1, func(w *column.Writer) { putHead(w, s) }},
		{"pgeo", len(s.Parcels), func(w *column.Writer) {
			putShapes(w, p, len(s.Parcels), func(i int) geom.MultiPolygon { return s.Parcels[i].Geometry })
		}},
		{"patt", len(s.Parcels), func(w *column.Writer) { putParcels(w, s.Parcels) }},
		{"puse", len(s.Parcels), func(w *column.Writer) { putParcelUse(w, s.Parcels) }},
		{"bldg", len(s.Buildings), func(w *column.Writer) { putBuildings(w, s) }},
		{"foot", len(s.Footprints), func(w *column.Writer) { putFootprints(w, s) }},
		{"luse", len(s.LandUse), func(w *column.Writer) { putLandUse(w, s.LandUse) }},
		{"symb", len(s.Symbols), func(w *column.Writer) { putSymbols(w, s) }},
		{"labl", len(s.Labels), func(w *column.Writer) { putLabels(w, s) }},
		{"foli", len(s.Folios), func(w *column.Writer) { putFolios(w, s) }},
		{"outl", 1, func(w *column.Writer) {
			putShapes(w, p, 1, func(int) geom.MultiPolygon { return s.Outline })
		}},
	}
	secs := make([]column.Section, 0, len(parts))
	for _, part := range parts {
		sec, err := format.Section(part.name, part.rows, part.put)
		if err != nil {
			return nil, fmt.Errorf("KG %s: %w", s.KG.Code, err)
		}
		secs = append(secs, sec)
	}
	return format.Assemble(secs)
}

// each collects one number of every row.
func each[T any](rows []T, f func(*T) uint64) []uint64 {
	out := make([]uint64, len(rows))
	for i := range rows {
		out[i] = f(&rows[i])
	}
	return out
}

// putSteps writes one float of every row in steps of 1/per, none as 0.
func putSteps[T any](w *column.Writer, name string, rows []T, per int, f func(*T) float64) {
	w.Ints(each(rows, func(t *T) uint64 {
		q, err := column.Steps(f(t), per)
		if err != nil {
			w.Fail("%s: %w", name, err)
		}
		return q
	}))
}

// putPoints writes positions as differences from an anchor near them.
func putPoints(w *column.Writer, n int, at, anchor func(int) geom.Point) {
	if w.Err != nil {
		return // anchors may hang on an index that was refused
	}
	x, y := make([]int64, n), make([]int64, n)
	for i := range n {
		p, a := at(i), anchor(i)
		if !onEarth(p) {
			w.Fail("row %d: position %v is not a longitude and latitude", i, p)
		}
		x[i], y[i] = int64(p.X)-int64(a.X), int64(p.Y)-int64(a.Y)
	}
	w.Signed(x)
	w.Signed(y)
}

func small(w *column.Writer, name string, v int) uint64 {
	if v < 0 || v > 1<<31-1 {
		w.Fail("%s %d: expected 0 to %d", name, v, 1<<31-1)
		return 0
	}
	return uint64(v)
}

func putHead(w *column.Writer, s *Snapshot) {
	k := &s.KG
	w.Text([]string{string(k.Code), k.Name, string(k.GemeindeCode), k.GemeindeName, k.DistrictName,
		s.Build.Stichtag, s.Build.AssemblyVersion, s.Build.IngestGeneration, s.Build.Source})
	b := k.Box
	w.Signed([]int64{int64(b.MinX), int64(b.MinY), int64(b.MaxX), int64(b.MaxY)})
	counts := []int{k.ParcelCount, k.BuildingCount, k.FootprintCount, k.LandUseCount, k.EZCount,
		int(k.Typology), int(k.DominantLandUse), s.Build.SourceTiles, s.Build.SourceParcels, s.Build.SourceLabels}
	w.Ints(each(counts, func(v *int) uint64 { return small(w, "KG count", *v) }))
	for _, m := range AllMetrics() {
		putSteps(w, "KG "+m.Name, []*KG{k}, m.Per, func(k **KG) float64 { return *m.Of(*k) })
	}
	w.Count(len(s.Build.Repairs))
	w.Ints(each(s.Build.Repairs, func(r *RepairCount) uint64 { return uint64(r.Repair) }))
	w.Ints(each(s.Build.Repairs, func(r *RepairCount) uint64 { return small(w, "repair count", r.N) }))
}

// Metric is one float of a KG with the number of steps in one unit it is stored in.
type Metric struct {
	Name string
	Per  int
	Of   func(*KG) *float64
}

// AllMetrics lists the floats of a KG in file order.
func AllMetrics() []Metric {
	return []Metric{
		{"total area", perSqm, func(k *KG) *float64 { return &k.TotalAreaSqm }},
		{"building density", perRatio, func(k *KG) *float64 { return &k.BuildingDensity }},
		{"built-up ratio", perRatio, func(k *KG) *float64 { return &k.BuiltUpRatio }},
		{"nearest-neighbour distance", perMetre, func(k *KG) *float64 { return &k.AvgNNDistanceM }},
		{"land-use diversity", perRatio, func(k *KG) *float64 { return &k.LandUseDiversity }},
		{"FAR", perRatio, func(k *KG) *float64 { return &k.AvgFAR }},
		{"compactness", perRatio, func(k *KG) *float64 { return &k.AvgCompactness }},
		{"parcels per EZ", perRatio, func(k *KG) *float64 { return &k.AvgParcelsPerEZ }},
		{"footprint area", perSqm, func(k *KG) *float64 { return &k.TotalFootprintAreaSqm }},
		{"median footprint area", perSqm, func(k *KG) *float64 { return &k.FootprintMedianAreaSqm }},
		{"median parcel area", perSqm, func(k *KG) *float64 { return &k.MedianParcelAreaSqm }},
	}
}

func putCodeCounts(w *column.Writer, lists func(i int) []CodeCount, n int) {
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
	w.List(len(code))
	w.Ints(per)
	w.Ints(code)
	w.Ints(count)
}

// putCodeAreas writes the areas of a row's codes. The last one is stored as its difference from what
// the others leave of the row's whole area, which is mostly nothing.
func putCodeAreas(w *column.Writer, lists func(i int) []CodeArea, whole func(i int) float64, n int) {
	per := make([]uint64, n)
	var code []uint64
	var sqm []int64
	for i := range n {
		l := lists(i)
		per[i] = uint64(len(l))
		rest, err := column.Steps(whole(i), perSqm)
		if err != nil {
			w.Fail("row %d area: %w", i, err)
		}
		left := int64(rest)
		for k, c := range l {
			q, err := column.Steps(c.Sqm, perSqm)
			if err != nil || q == 0 {
				w.Fail("row %d land-use %d: area %g is not allowed", i, c.Code, c.Sqm)
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
	w.List(len(code))
	w.Ints(per)
	w.Ints(code)
	w.Signed(sqm)
}

func putParcelUse(w *column.Writer, p []Parcel) {
	w.Ints(each(p, func(p *Parcel) uint64 { return uint64(p.DominantLandUse) }))
	putCodeCounts(w, func(i int) []CodeCount { return p[i].SymbolCounts }, len(p))
	putCodeAreas(w, func(i int) []CodeArea { return p[i].UseAreas }, func(i int) float64 { return p[i].AreaSqm }, len(p))
}

func putStatus(w *column.Writer, s austria.Status) uint64 {
	switch s {
	case austria.StatusUnknown:
		return 0
	case austria.StatusE:
		return 1
	case austria.StatusG:
		return 2
	}
	w.Fail("status %q: expected E, G or unknown", rune(s))
	return 0
}
