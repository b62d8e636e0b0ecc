package columns

import (
	"mappe/artefacts/internal/column"
)

// BuiltKG is what a KG's summary does not tell of its parcels with buildings, and of those without. Counts and areas are as in KG.
type BuiltKG struct {
	Parcels         int    // with an address point or a footprint
	Area            uint64 // of them
	Least, Greatest uint64 // of them
	// BareLeast and BareGreatest are those of the parcels without.
	BareLeast, BareGreatest uint64
}

// BuiltSummary is the name of the section of BuiltKG. Artefacts of before have none.
const BuiltSummary = "kgs-built"

// HasBuilding says whether a row has an address point or a footprint.
func (t *Table) HasBuilding(row int) bool { return t.Buildings[row]|t.Footprints[row] != 0 }

// Built sums up all rows, which are of one KG.
func (t *Table) Built() (b BuiltKG) {
	bare := 0
	for i, a := range t.Areas {
		if !t.HasBuilding(i) {
			spanned(&b.BareLeast, &b.BareGreatest, a, bare == 0)
			bare++
			continue
		}
		spanned(&b.Least, &b.Greatest, a, b.Parcels == 0)
		b.Parcels++
		b.Area += max(a, 1) - 1
	}
	return b
}

// spanned widens the span of areas by one.
func spanned(least, greatest *uint64, area uint64, first bool) {
	if first || area < *least {
		*least = area
	}
	*greatest = max(*greatest, area)
}

// Of is the summary of the KG's parcels with buildings, or of those without: what is not of areas and counts is that of all its
// parcels, and it has no land uses.
func (b *BuiltKG) Of(k *KG, built bool) KG {
	part := *k
	part.Uses = nil
	if built {
		part.Parcels, part.Area, part.Least, part.Greatest = b.Parcels, b.Area, b.Least, b.Greatest
		return part
	}
	part.Parcels, part.Area, part.Least, part.Greatest = k.Parcels-b.Parcels, k.Area-b.Area, b.BareLeast, b.BareGreatest
	part.Buildings = 0
	return part
}

// EncodeBuilt gives the section; its rows are those of the section of the KGs.
func EncodeBuilt(list []BuiltKG) ([]byte, error) {
	return encode(BuiltSummary, len(list), func(w *column.Writer) {
		for _, c := range builtColumns {
			w.Ints(each(list, c.get))
		}
	})
}

// DecodeBuilt reads the section of these KGs; cost is what it takes in memory, in bytes.
func DecodeBuilt(kgs []KG, body []byte) (list []BuiltKG, cost int64, err error) {
	err = decode(BuiltSummary, body, func(r *column.Reader, n int) {
		if n != len(kgs) {
			r.Fail("%d rows, expected %d", n, len(kgs))
			return
		}
		list = make([]BuiltKG, n)
		for _, c := range builtColumns {
			for i, v := range column.Ints[uint64](r, n) {
				c.set(&list[i], v)
			}
		}
		for i := range list {
			if b, k := &list[i], &kgs[i]; b.Parcels < 0 || b.Parcels > k.Parcels || b.Area > k.Area {
				r.Fail("KG %.20q has %d parcels with buildings of %d steps: it has %d of %d", k.Code, b.Parcels, b.Area, k.Parcels, k.Area)
				return
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return list, int64(len(list) * 48), nil
}

var builtColumns = []field[BuiltKG]{
	{func(b *BuiltKG) uint64 { return uint64(b.Parcels) }, func(b *BuiltKG, v uint64) { b.Parcels = int(v) }},
	{func(b *BuiltKG) uint64 { return b.Area }, func(b *BuiltKG, v uint64) { b.Area = v }},
	{func(b *BuiltKG) uint64 { return b.Least }, func(b *BuiltKG, v uint64) { b.Least = v }},
	{func(b *BuiltKG) uint64 { return b.Greatest }, func(b *BuiltKG, v uint64) { b.Greatest = v }},
	{func(b *BuiltKG) uint64 { return b.BareLeast }, func(b *BuiltKG, v uint64) { b.BareLeast = v }},
	{func(b *BuiltKG) uint64 { return b.BareGreatest }, func(b *BuiltKG, v uint64) { b.BareGreatest = v }},
}
