package kgfile

import (
	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

func putBuildings(w *column.Writer, s *Snapshot) {
	b := s.Buildings
	var prev uint64
	w.Ints(each(b, func(b *Building) uint64 {
		d := b.ID.ADRCD - prev // wraps for a smaller one, and wraps back
		prev = b.ID.ADRCD
		return d
	}))
	w.Ints(each(b, func(b *Building) uint64 { return uint64(b.ID.SUBCD) }))
	putParcelIndex(w, len(b), len(s.Parcels), func(i int) int32 { return b[i].Parcel })
	for _, f := range []func(*Building) string{
		func(b *Building) string { return b.HouseNumber },
		func(b *Building) string { return b.Street },
		func(b *Building) string { return string(b.PLZ) },
		func(b *Building) string { return b.Ort },
		func(b *Building) string { return b.ObjectType },
	} {
		t := make([]string, len(b))
		for i := range b {
			t[i] = f(&b[i])
		}
		w.Text(t)
	}
	anchors := snapshotAnchors(s)
	putPoints(w, len(b), func(i int) geom.Point { return b[i].At }, func(i int) geom.Point { return anchors.of(b[i].Parcel) })
}

// putParcelIndex writes the parcel of each row, -1 for none, as the difference from the row before.
func putParcelIndex(w *column.Writer, n, parcels int, at func(int) int32) {
	d := make([]int64, n)
	prev := int64(0)
	for i := range n {
		v := at(i)
		if v < -1 || int(v) >= parcels {
			w.Fail("row %d: parcel %d of %d", i, v, parcels)
			return
		}
		d[i] = int64(v) - prev
		prev = int64(v)
	}
	w.Signed(d)
}

func readParcelIndex(r *column.Reader, n, parcels int, set func(int, int32)) {
	prev := int64(0)
	for i, v := range column.Ints[uint32](r, n) {
		prev += column.Unzig(uint64(v))
		if prev < -1 || prev >= int64(parcels) {
			r.Fail("row %d: parcel %d of %d", i, prev, parcels)
			return
		}
		set(i, int32(prev))
	}
}

// anchors are the places positions are stored against: the middle of the parcel's box, or of the KG's.
type anchors struct {
	boxes []geom.Box
	kg    geom.Box
}

func (a anchors) of(parcel int32) geom.Point {
	if parcel < 0 || a.boxes[parcel].Empty() {
		return centre(a.kg)
	}
	return centre(a.boxes[parcel])
}

func snapshotAnchors(s *Snapshot) anchors {
	a := anchors{make([]geom.Box, len(s.Parcels)), s.KG.Box}
	for i := range s.Parcels {
		a.boxes[i] = boxOf(s.Parcels[i].Geometry)
	}
	return a
}

// boxOf is the box of all rings, as shapeSet.link computes it.
func boxOf(m geom.MultiPolygon) geom.Box {
	b := geom.EmptyBox
	for _, p := range m {
		for _, r := range p {
			b = b.Union(ringBox(r))
		}
	}
	return b
}

func readBuildings(r *column.Reader, a anchors, n int) []Building {
	b := make([]Building, n)
	var adr uint64
	for i, v := range column.Ints[uint64](r, n) {
		adr += v
		b[i].ID.ADRCD = adr
	}
	for i, v := range column.Ints[uint32](r, n) {
		b[i].ID.SUBCD = v
	}
	readParcelIndex(r, n, len(a.boxes), func(i int, p int32) { b[i].Parcel = p })
	for _, set := range []func(*Building, string){
		func(b *Building, s string) { b.HouseNumber = s },
		func(b *Building, s string) { b.Street = s },
		func(b *Building, s string) { b.PLZ = austria.PLZ(s) },
		func(b *Building, s string) { b.Ort = s },
		func(b *Building, s string) { b.ObjectType = s },
	} {
		r.EachText(n, func(i int, s string) { set(&b[i], s) })
	}
	readPoints(r, n, func(i int) geom.Point { return a.of(b[i].Parcel) }, func(i int, p geom.Point) { b[i].At = p })
	return b
}
