package kgfile

import (
	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

func putSymbols(w *column.Writer, s *Snapshot) {
	y := s.Symbols
	a := snapshotAnchors(s)
	putParcelIndex(w, len(y), len(s.Parcels), func(i int) int32 { return y[i].Parcel })
	w.Ints(each(y, func(y *Symbol) uint64 { return uint64(y.NS) }))
	putPoints(w, len(y), func(i int) geom.Point { return y[i].At }, func(i int) geom.Point { return a.of(y[i].Parcel) })
}

func readSymbols(r *column.Reader, a anchors, n int) []Symbol {
	y := make([]Symbol, n)
	readParcelIndex(r, n, len(a.boxes), func(i int, p int32) { y[i].Parcel = p })
	for i, v := range column.Ints[uint8](r, n) {
		y[i].NS = austria.LandUse(v)
	}
	readPoints(r, n, func(i int) geom.Point { return a.of(y[i].Parcel) }, func(i int, p geom.Point) { y[i].At = p })
	return y
}

// putLabels names the parcel a label stands for; number and status are stored only where they are
// not the parcel's.
func putLabels(w *column.Writer, s *Snapshot) {
	l := s.Labels
	byNumber := make(map[austria.GNR]int32, len(s.Parcels))
	for i := range s.Parcels {
		byNumber[s.Parcels[i].GNR] = int32(i)
	}
	parcel := make([]int32, len(l))
	var foreign []string
	for i := range l {
		k, ok := byNumber[l[i].GNR]
		if !ok {
			k = -1
			foreign = append(foreign, string(l[i].GNR))
		}
		parcel[i] = k
	}
	putParcelIndex(w, len(l), len(s.Parcels), func(i int) int32 { return parcel[i] })
	w.Count(len(foreign))
	w.Text(foreign)
	status := make([]uint64, len(l))
	for i := range l {
		// 3 means: as the parcel.
		if status[i] = putStatus(w, l[i].Status); parcel[i] >= 0 && l[i].Status == s.Parcels[parcel[i]].Status {
			status[i] = 3
		}
	}
	w.Ints(status)
	w.Ints(each(l, func(l *Label) uint64 {
		q, err := rotationSteps(l.Rotation)
		if err != nil {
			w.Fail("label: %w", err)
		}
		return column.Zig(q)
	}))
	a := snapshotAnchors(s)
	putPoints(w, len(l), func(i int) geom.Point { return l[i].At }, func(i int) geom.Point { return a.of(parcel[i]) })
}

func readLabels(r *column.Reader, a anchors, p []Parcel, n int) []Label {
	l := make([]Label, n)
	parcel := make([]int32, n)
	readParcelIndex(r, n, len(p), func(i int, k int32) { parcel[i] = k })
	nForeign := r.Count(n)
	foreign := r.Text(nForeign)
	status := column.Ints[uint8](r, n)
	for i, v := range column.Ints[uint32](r, n) {
		l[i].Rotation = float64(column.Unzig(uint64(v))) / perDegree
	}
	if r.Err != nil {
		return nil
	}
	for i, k := range parcel {
		switch {
		case k >= 0:
			l[i].GNR = p[k].GNR
		case len(foreign) == 0:
			r.Fail("label %d: number %w", i, column.ErrShort)
			return nil
		default:
			l[i].GNR = austria.GNR(foreign[0])
			foreign = foreign[1:]
		}
		switch st := status[i]; {
		case int(st) < len(statusOf):
			l[i].Status = statusOf[st]
		case st == 3 && k >= 0:
			l[i].Status = p[k].Status
		default:
			r.Fail("label %d: status %d is unknown", i, st)
			return nil
		}
	}
	readPoints(r, n, func(i int) geom.Point { return a.of(parcel[i]) }, func(i int, q geom.Point) { l[i].At = q })
	return l
}
