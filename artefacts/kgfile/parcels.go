package kgfile

import (
	"strconv"
	"strings"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// The bits of the kind column of a parcel number; gnrText stands alone and means a spelling the
// number columns cannot hold.
const (
	gnrDot  = 1
	gnrSub  = 2
	gnrText = 4
)

func putParcels(w *column.Writer, p []Parcel) {
	putNumbers(w, p)
	w.Ints(each(p, func(p *Parcel) uint64 { return uint64(p.EZ) }))
	w.Ints(each(p, func(p *Parcel) uint64 { return putStatus(w, p.Status) }))
	putSteps(w, "parcel area", p, perSqm, func(p *Parcel) float64 { return p.AreaSqm })
	putPoints(w, len(p), func(i int) geom.Point { return p[i].Centroid }, func(i int) geom.Point { return centre(boxOf(p[i].Geometry)) })
	putPoints(w, len(p), func(i int) geom.Point { return p[i].Inside }, func(i int) geom.Point { return p[i].Centroid })
	w.Ints(each(p, func(p *Parcel) uint64 { return uint64(p.Repairs) }))
	w.Ints(each(p, func(p *Parcel) uint64 { return small(w, "building count", p.BuildingCount) }))
	w.Ints(each(p, func(p *Parcel) uint64 { return small(w, "footprint count", p.FootprintCount) }))
	putSteps(w, "building area", p, perSqm, func(p *Parcel) float64 { return p.BuildingAreaSqm })
	putSteps(w, "compactness", p, perRatio, func(p *Parcel) float64 { return p.Compactness })
	putSteps(w, "elongation", p, perRatio, func(p *Parcel) float64 { return p.Elongation })
	w.Ints(each(p, func(p *Parcel) uint64 {
		return column.Zig(int64(small(w, "vertex count", p.VertexCount)) - int64(p.Geometry.Vertices()))
	}))
	w.Ints(each(p, func(p *Parcel) uint64 {
		q, err := column.Steps(p.FAR, perRatio)
		if err != nil {
			w.Fail("FAR: %w", err)
		}
		return column.Zig(int64(q) - farGuess(p))
	}))
	w.Ints(each(p, func(p *Parcel) uint64 { return uint64(p.Shape) }))
}

// farGuess is the step count FAR has by its definition, from the two areas as they are stored.
func farGuess(p *Parcel) int64 {
	b, _ := column.Steps(p.BuildingAreaSqm, perSqm)
	a, _ := column.Steps(p.AreaSqm, perSqm)
	if a < 2 || b < 1 {
		return 1
	}
	return int64((2*perRatio*(b-1)+(a-1))/(2*(a-1))) + 1
}

// centre is the middle of the box, the zero point when it is empty.
func centre(b geom.Box) geom.Point {
	if b.Empty() {
		return geom.Point{}
	}
	return geom.Point{X: int32((int64(b.MinX) + int64(b.MaxX)) / 2), Y: int32((int64(b.MinY) + int64(b.MaxY)) / 2)}
}

// number takes a parcel number apart; kind is gnrText when its spelling would not come back.
func number(g austria.GNR) (kind, main, sub uint64) {
	s, dot := strings.CutPrefix(string(g), ".")
	m, n, slash := strings.Cut(s, "/")
	main, err := strconv.ParseUint(m, 10, 32)
	if err == nil && slash {
		sub, err = strconv.ParseUint(n, 10, 32)
	}
	if dot {
		kind |= gnrDot
	}
	if slash {
		kind |= gnrSub
	}
	if err != nil || spell(kind, main, sub) != string(g) {
		return gnrText, 0, 0
	}
	return kind, main, sub
}

func spell(kind, main, sub uint64) string { return string(appendNumber(nil, kind, main, sub)) }

func appendNumber(b []byte, kind, main, sub uint64) []byte {
	if kind&gnrDot != 0 {
		b = append(b, '.')
	}
	b = strconv.AppendUint(b, main, 10)
	if kind&gnrSub != 0 {
		b = strconv.AppendUint(append(b, '/'), sub, 10)
	}
	return b
}

func putNumbers(w *column.Writer, p []Parcel) {
	kinds, subs := make([]uint64, len(p)), make([]uint64, len(p))
	mains := make([]int64, len(p))
	var texts []string
	prev := int64(0)
	for i := range p {
		kind, m, sub := number(p[i].GNR)
		if kind == gnrText {
			texts = append(texts, string(p[i].GNR))
			kinds[i] = kind
			continue
		}
		kinds[i], subs[i], mains[i] = kind, sub, int64(m)-prev
		prev = int64(m)
	}
	w.Ints(kinds)
	w.Signed(mains)
	w.Ints(subs)
	w.Count(len(texts))
	w.Text(texts)
}

// readNumbers gives the parcel numbers; all share one string.
func readNumbers(r *column.Reader, p []Parcel) {
	kinds := column.Ints[uint8](r, len(p))
	mains, subs := column.Ints[uint64](r, len(p)), column.Ints[uint32](r, len(p))
	nText := r.Count(len(p))
	texts := r.Text(nText)
	if r.Err != nil {
		return
	}
	blob := make([]byte, 0, 8*len(p))
	ends := make([]uint32, len(p))
	prev := int64(0)
	for i, k := range kinds {
		switch {
		case k == gnrText:
			if len(texts) == 0 {
				r.Fail("parcel number %d: text %w", i, column.ErrShort)
				return
			}
			blob = append(blob, texts[0]...)
			texts = texts[1:]
		case k < gnrText:
			prev += column.Unzig(mains[i])
			if prev < 0 || prev > 1<<32-1 {
				r.Fail("parcel number %d: %d is outside 32 bits", i, prev)
				return
			}
			blob = appendNumber(blob, uint64(k), uint64(prev), uint64(subs[i]))
		default:
			r.Fail("parcel number %d: kind %d is unknown", i, k)
			return
		}
		ends[i] = uint32(len(blob))
	}
	all := string(blob)
	for i := range p {
		a, b := span(ends, i)
		p[i].GNR = austria.GNR(all[a:b])
	}
}

// readSteps gives the steps column as values.
func readSteps(r *column.Reader, n, per int, set func(i int, v float64)) {
	for i, q := range column.Ints[uint64](r, n) {
		set(i, column.Value(q, per))
	}
}

// readPoints gives positions stored against anchors.
func readPoints(r *column.Reader, n int, anchor func(int) geom.Point, set func(int, geom.Point)) {
	x, y := column.Ints[uint64](r, n), column.Ints[uint64](r, n)
	if r.Err != nil {
		return // anchors may hang on columns that could not be read
	}
	for i := range n {
		a := anchor(i)
		p := geom.Point{X: a.X + int32(column.Unzig(x[i])), Y: a.Y + int32(column.Unzig(y[i]))}
		if !onEarth(p) {
			r.Fail("row %d: position %v is not a longitude and latitude", i, p)
			return
		}
		set(i, p)
	}
}

var statusOf = [3]austria.Status{austria.StatusUnknown, austria.StatusE, austria.StatusG}

func readParcels(r *column.Reader, geo *shapeSet, n int) []Parcel {
	p := make([]Parcel, n)
	readNumbers(r, p)
	for i, v := range column.Ints[uint32](r, n) {
		p[i].EZ = austria.EZ(v)
	}
	readStatus(r, n, func(i int, s austria.Status) { p[i].Status = s })
	readSteps(r, n, perSqm, func(i int, v float64) { p[i].AreaSqm = v })
	readPoints(r, n, func(i int) geom.Point { return centre(geo.boxes[i]) }, func(i int, v geom.Point) { p[i].Centroid = v })
	readPoints(r, n, func(i int) geom.Point { return p[i].Centroid }, func(i int, v geom.Point) { p[i].Inside = v })
	for i, v := range column.Ints[uint32](r, n) {
		p[i].Repairs = Repair(v)
	}
	for i, v := range column.Ints[uint32](r, n) {
		p[i].BuildingCount = int(v)
	}
	for i, v := range column.Ints[uint32](r, n) {
		p[i].FootprintCount = int(v)
	}
	readSteps(r, n, perSqm, func(i int, v float64) { p[i].BuildingAreaSqm = v })
	readSteps(r, n, perRatio, func(i int, v float64) { p[i].Compactness = v })
	readSteps(r, n, perRatio, func(i int, v float64) { p[i].Elongation = v })
	for i, v := range column.Ints[uint64](r, n) {
		p[i].Geometry = geo.geometry(i)
		p[i].VertexCount = p[i].Geometry.Vertices() + int(column.Unzig(v))
	}
	for i, v := range column.Ints[uint64](r, n) {
		q := farGuess(&p[i]) + column.Unzig(v)
		if q < 0 {
			r.Fail("parcel %d: FAR of %d steps", i, q)
			break
		}
		p[i].FAR = column.Value(uint64(q), perRatio)
	}
	for i, v := range column.Ints[uint8](r, n) {
		p[i].Shape = ShapeClass(v)
	}
	return p
}

func readStatus(r *column.Reader, n int, set func(int, austria.Status)) {
	for i, v := range column.Ints[uint8](r, n) {
		if int(v) >= len(statusOf) {
			r.Fail("row %d: status %d is unknown", i, v)
			return
		}
		set(i, statusOf[v])
	}
}

func readParcelUse(r *column.Reader, p []Parcel) {
	for i, v := range column.Ints[uint8](r, len(p)) {
		p[i].DominantLandUse = austria.LandUse(v)
	}
	readCodeCounts(r, len(p), func(i int, c []CodeCount) { p[i].SymbolCounts = c })
	readCodeAreas(r, len(p), func(i int) float64 { return p[i].AreaSqm }, func(i int, c []CodeArea) { p[i].UseAreas = c })
}

func readCodeCounts(r *column.Reader, n int, set func(int, []CodeCount)) {
	total := r.List()
	end := column.Ends(r, column.Ints[uint32](r, n), total)
	code, count := column.Ints[uint8](r, total), column.Ints[uint32](r, total)
	if r.Err != nil {
		return
	}
	all := make([]CodeCount, total)
	for i := range all {
		all[i] = CodeCount{austria.LandUse(code[i]), int(count[i])}
	}
	for i := range n {
		if a, b := span(end, i); a < b {
			set(i, all[a:b:b])
		}
	}
}

func readCodeAreas(r *column.Reader, n int, whole func(int) float64, set func(int, []CodeArea)) {
	total := r.List()
	end := column.Ends(r, column.Ints[uint32](r, n), total)
	code, sqm := column.Ints[uint8](r, total), column.Ints[uint64](r, total)
	if r.Err != nil {
		return
	}
	all := make([]CodeArea, total)
	for i := range n {
		a, b := span(end, i)
		if a == b {
			continue
		}
		rest, _ := column.Steps(whole(i), perSqm)
		left := int64(rest)
		for k := a; k < b; k++ {
			v := column.Unzig(sqm[k])
			if k == b-1 {
				v += left - 1
			}
			if v < 0 || v > column.MaxSteps {
				r.Fail("row %d: land-use area of %d steps", i, v)
				return
			}
			all[k] = CodeArea{austria.LandUse(code[k]), column.Value(uint64(v)+1, perSqm)}
			left -= v
		}
		set(i, all[a:b:b])
	}
}
