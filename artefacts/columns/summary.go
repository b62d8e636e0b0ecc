package columns

import (
	"cmp"
	"fmt"
	"slices"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// KG is the summary of a KG: enough to pass it over, or to count it whole without its columns.
type KG struct {
	Code      austria.KGCode
	District  austria.DistrictCode
	Parcels   int
	Area      uint64   // sum, 0.01 m²
	Least     uint64   // least area as in Table.Areas; 0 where one is not known, or there is no parcel
	Greatest  uint64   // greatest area as in Table.Areas
	Buildings int      // address points on parcels
	Box       geom.Box // of the centroids
	Codes     austria.LandUseSet
	Uses      []KGUse // by rising code
}

// KGUse is one land use of a KG.
type KGUse struct {
	Code             austria.LandUse
	Polygons, Points int    // of the land-use layers
	PolygonArea      uint64 // of the polygons, 0.01 m² plus 1; 0 where no polygon says it
	Parcels          int    // with the code among their symbols or areas
	ParcelArea       uint64 // inside these parcels, as PolygonArea
}

// Summarise makes the summary of a KG from its file and its columns.
func Summarise(f *kgfile.File, d austria.DistrictCode, t *Table) (KG, error) {
	k := KG{Code: f.KG().Code, District: d, Parcels: t.N, Box: geom.EmptyBox}
	uses := map[austria.LandUse]*KGUse{}
	use := func(c austria.LandUse) *KGUse {
		if uses[c] == nil {
			uses[c] = &KGUse{Code: c}
		}
		return uses[c]
	}
	for i := range t.N {
		a := t.Areas[i]
		if k.Area += a; a > 0 {
			k.Area--
		}
		if i == 0 || a < k.Least {
			k.Least = a
		}
		k.Greatest = max(k.Greatest, a)
		k.Buildings += int(t.Buildings[i])
		k.Box = k.Box.Extend(t.Point(i))
		k.Codes = k.Codes.Union(t.Sets[t.Use[i]])
		for _, c := range t.Sets[t.Use[i]].Codes() {
			use(c).Parcels++
		}
		for e, hi := t.Shares(i); e < hi; e++ {
			addArea(&use(austria.LandUse(t.ShareCodes[e])).ParcelArea, t.ShareAreas[e])
		}
	}
	areas, err := f.LandUse()
	if err != nil {
		return k, err
	}
	for i := range areas {
		u := use(areas[i].NS)
		u.Polygons++
		addArea(&u.PolygonArea, Hundredths(areas[i].AreaSqm))
	}
	symbols, err := f.Symbols()
	for i := range symbols {
		use(symbols[i].NS).Points++
	}
	for _, u := range uses {
		k.Uses = append(k.Uses, *u)
	}
	slices.SortFunc(k.Uses, func(a, b KGUse) int { return cmp.Compare(a.Code, b.Code) })
	return k, err
}

// addArea adds an area to a sum, both 0.01 m² plus 1 and 0 none.
func addArea(sum *uint64, area uint64) {
	switch {
	case area == 0:
	case *sum == 0:
		*sum = area
	default:
		*sum += area - 1
	}
}

// AddArea adds an area to a sum; both are as in Table.Areas, none adds nothing.
func AddArea(sum *uint64, area uint64) { addArea(sum, area) }

// EncodeKGs gives the section of the KGs, which stand by district and code.
func EncodeKGs(kgs []KG) ([]byte, error) {
	return encode(Summary, len(kgs), func(w *column.Writer) {
		texts(w, kgs, func(k *KG) string { return string(k.Code) })
		texts(w, kgs, func(k *KG) string { return string(k.District) })
		for _, c := range kgColumns {
			w.Ints(each(kgs, c.get))
		}
		for _, c := range kgBox {
			w.Signed(each(kgs, func(k *KG) int64 { return int64(*c(&k.Box)) }))
		}
		putSets(w, each(kgs, func(k *KG) austria.LandUseSet { return k.Codes }))
		var uses []KGUse
		for i := range kgs {
			uses = append(uses, kgs[i].Uses...)
		}
		w.List(len(uses))
		w.Ints(each(kgs, func(k *KG) uint64 { return uint64(len(k.Uses)) }))
		for _, c := range useColumns {
			w.Ints(each(uses, c.get))
		}
	})
}

// DecodeKGs reads the section of the KGs; cost is what they take in memory, in bytes.
func DecodeKGs(b []byte) (kgs []KG, cost int64, err error) {
	err = decode(Summary, b, func(r *column.Reader, n int) {
		kgs = make([]KG, n)
		r.EachText(n, func(i int, s string) { kgs[i].Code = austria.KGCode(s) })
		r.EachText(n, func(i int, s string) { kgs[i].District = austria.DistrictCode(s) })
		for _, c := range kgColumns {
			for i, v := range column.Ints[uint64](r, n) {
				c.set(&kgs[i], v)
			}
		}
		for _, c := range kgBox {
			for i, v := range column.Ints[uint64](r, n) {
				*c(&kgs[i].Box) = int32(column.Unzig(v))
			}
		}
		for i, s := range getSets(r, n) {
			kgs[i].Codes = s
		}
		total := r.List()
		ends := column.Ends(r, column.Ints[uint32](r, n), total)
		uses := make([]KGUse, total)
		for _, c := range useColumns {
			for i, v := range column.Ints[uint64](r, total) {
				c.set(&uses[i], v)
			}
		}
		if r.Err != nil {
			return
		}
		from := uint32(0)
		for i, end := range ends {
			kgs[i].Uses = uses[from:end:end]
			from = end
		}
		cost = int64(n*160 + total*48)
		checkKGs(r, kgs)
	})
	if err != nil {
		return nil, 0, err
	}
	return kgs, cost, nil
}

// checkKGs refuses KGs out of order and counts that no district can have.
func checkKGs(r *column.Reader, kgs []KG) {
	rows := 0
	for i := range kgs {
		k := &kgs[i]
		if i == 0 || kgs[i-1].District != k.District {
			rows = 0
		}
		if i > 0 && cmp.Or(cmp.Compare(kgs[i-1].District, k.District), cmp.Compare(kgs[i-1].Code, k.Code)) >= 0 {
			r.Fail("KG %.20q of district %.20q does not stand behind %.20q", k.Code, k.District, kgs[i-1].Code)
			return
		}
		if rows += k.Parcels; k.Parcels < 0 || k.Parcels > column.MaxRows || rows > column.MaxRows {
			r.Fail("KG %.20q has %d parcels: a district has at most %d", k.Code, k.Parcels, column.MaxRows)
			return
		}
	}
}

// field is a number of a T.
type field[T any] struct {
	get func(*T) uint64
	set func(*T, uint64)
}

var kgColumns = []field[KG]{
	{func(k *KG) uint64 { return uint64(k.Parcels) }, func(k *KG, v uint64) { k.Parcels = int(v) }},
	{func(k *KG) uint64 { return k.Area }, func(k *KG, v uint64) { k.Area = v }},
	{func(k *KG) uint64 { return k.Least }, func(k *KG, v uint64) { k.Least = v }},
	{func(k *KG) uint64 { return k.Greatest }, func(k *KG, v uint64) { k.Greatest = v }},
	{func(k *KG) uint64 { return uint64(k.Buildings) }, func(k *KG, v uint64) { k.Buildings = int(v) }},
}

var kgBox = []func(*geom.Box) *int32{
	func(b *geom.Box) *int32 { return &b.MinX }, func(b *geom.Box) *int32 { return &b.MinY },
	func(b *geom.Box) *int32 { return &b.MaxX }, func(b *geom.Box) *int32 { return &b.MaxY },
}

var useColumns = []field[KGUse]{
	{func(u *KGUse) uint64 { return uint64(u.Code) }, func(u *KGUse, v uint64) { u.Code = austria.LandUse(v) }},
	{func(u *KGUse) uint64 { return uint64(u.Polygons) }, func(u *KGUse, v uint64) { u.Polygons = int(v) }},
	{func(u *KGUse) uint64 { return uint64(u.Points) }, func(u *KGUse, v uint64) { u.Points = int(v) }},
	{func(u *KGUse) uint64 { return u.PolygonArea }, func(u *KGUse, v uint64) { u.PolygonArea = v }},
	{func(u *KGUse) uint64 { return uint64(u.Parcels) }, func(u *KGUse, v uint64) { u.Parcels = int(v) }},
	{func(u *KGUse) uint64 { return u.ParcelArea }, func(u *KGUse, v uint64) { u.ParcelArea = v }},
}

func each[T, V any](rows []T, get func(*T) V) []V {
	out := make([]V, len(rows))
	for i := range rows {
		out[i] = get(&rows[i])
	}
	return out
}

func texts[T any](w *column.Writer, rows []T, get func(*T) string) { w.Text(each(rows, get)) }

// Part is what the head says of a district.
type Part struct {
	District    austria.DistrictCode
	Fingerprint string // of what its sections were made from
	Rows        int
}

// EncodeHead gives the head of the file: the districts in rising order.
func EncodeHead(list []Part) ([]byte, error) {
	return encode("head", len(list), func(w *column.Writer) {
		texts(w, list, func(p *Part) string { return string(p.District) })
		texts(w, list, func(p *Part) string { return p.Fingerprint })
		w.Ints(each(list, func(p *Part) uint64 { return uint64(p.Rows) }))
	})
}

// DecodeHead reads the head of the file.
func DecodeHead(b []byte) ([]Part, error) {
	var list []Part
	err := decode("head", b, func(r *column.Reader, n int) {
		list = make([]Part, n)
		r.EachText(n, func(i int, s string) { list[i].District = austria.DistrictCode(s) })
		r.EachText(n, func(i int, s string) { list[i].Fingerprint = s })
		for i, v := range column.Ints[uint32](r, n) {
			list[i].Rows = int(v)
		}
	})
	if err == nil && !slices.IsSortedFunc(list, func(a, b Part) int { return cmp.Compare(a.District, b.District) }) {
		err = fmt.Errorf("columns: the districts of the head are out of order")
	}
	return list, err
}
