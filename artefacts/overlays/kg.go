package overlays

import (
	"cmp"
	"fmt"
	"slices"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
)

// Fingerprint says what a KG's overlays were made from.
type Fingerprint [16]byte

// Brief is a site as rows of parcels show it.
type Brief struct {
	Code, Name string
	Type       SiteType
	AreaHa     float64
	Tags       HabitatSet
	Inside     bool // a parcel's centroid lies in it, or the KG and the site overlap
	Parcels    int  // of the KG whose centroid lies in it
}

// Membership is a parcel in a site.
type Membership struct {
	Row  int32 // of the KG's parcels
	Site int32 // of KG.Sites
}

// Named is a reference with the parcel that it names.
type Named struct {
	Ref       // Law is a row of KG.Laws
	Row int32 // of the KG's parcels, -1 where it has no such parcel
}

// KG is what lies over the parcels of one KG.
type KG struct {
	Made     Fingerprint
	Snapshot [32]byte // SHA-256 of the KG's file, whose rows the numbers are of
	Parcels  int
	Sites    []Brief // whose box meets the KG's, by code
	In       []Membership
	Laws     []Law
	Refs     []Named // by row, those without a parcel first

}

// Index is what the directory of KGs says of one.
type Index struct {
	Code     austria.KGCode
	Overlap  int // sites whose box meets the KG's
	Parcels  int // in any site
	Sites    []Brief
	RefCount int
	Contexts ContextSet
}

// SitesOf are the sites that hold the centroid of a parcel, as rows of Sites.
func (k *KG) SitesOf(row int) []Membership {
	return run(k.In, row, func(m Membership) int32 { return m.Row })
}

// RefsOf are the references that name a parcel.
func (k *KG) RefsOf(row int) []Named {
	return run(k.Refs, row, func(n Named) int32 { return n.Row })
}

// run is the stretch of a list in the order of rows that belongs to one.
func run[T any](list []T, row int, of func(T) int32) []T {
	less := func(t T, row int32) int { return cmp.Compare(of(t), row) }
	i, ok := slices.BinarySearchFunc(list, int32(row), less)
	if !ok {
		return nil
	}
	j := i + 1
	for j < len(list) && of(list[j]) == int32(row) {
		j++
	}
	return list[i:j]
}

// Contexts are those of all references.
func (k *KG) Contexts() (s ContextSet) {
	for i := range k.Refs {
		s.Add(k.Laws[k.Refs[i].Law].Context)
	}
	return s
}

// ParcelsIn is the number of parcels in any site.
func (k *KG) ParcelsIn() int {
	n := 0
	for i := range k.In {
		if i == 0 || k.In[i-1].Row != k.In[i].Row {
			n++
		}
	}
	return n
}

// Nothing says that neither a site nor a law touches the KG.
func (k *KG) Nothing() bool { return len(k.Sites) == 0 && len(k.Refs) == 0 }

// Index is the KG's row of the directory.
func (k *KG) Index(code austria.KGCode) Index {
	return Index{Code: code, Overlap: len(k.Sites), Parcels: k.ParcelsIn(), Sites: k.Sites, RefCount: len(k.Refs), Contexts: k.Contexts()}
}

// Inside are the sites that the KG shares area with, or that hold a parcel's centroid.
func (x *Index) Inside() []Brief {
	return slices.DeleteFunc(slices.Clone(x.Sites), func(b Brief) bool { return !b.Inside })
}

func putBriefs(w *column.Writer, rows []Brief) {
	column.Texts(w, rows, func(s *Brief) string { return s.Code })
	column.Texts(w, rows, func(s *Brief) string { return s.Name })
	ints(w, rows, func(s *Brief) uint64 { return uint64(s.Type) })
	ints(w, rows, func(s *Brief) uint64 { return quantise(w, s.AreaHa, perHa) })
	ints(w, rows, func(s *Brief) uint64 { return uint64(s.Tags) })
	ints(w, rows, func(s *Brief) uint64 {
		v := 2 * uint64(s.Parcels)
		if s.Inside {
			v++
		}
		return v
	})
}

func readBriefs(r *column.Reader, n int) []Brief {
	rows := make([]Brief, n)
	readTexts(r, rows, func(s *Brief) *string { return &s.Code })
	readTexts(r, rows, func(s *Brief) *string { return &s.Name })
	readInts(r, rows, func(s *Brief, v uint64) {
		if s.Type = SiteType(v); v > 'C' || v < 'A' {
			r.Fail("site of type %d", v)
		}
	})
	readInts(r, rows, func(s *Brief, v uint64) { s.AreaHa = column.Value(v, perHa) })
	readInts(r, rows, func(s *Brief, v uint64) { s.Tags = HabitatSet(v) })
	readInts(r, rows, func(s *Brief, v uint64) { s.Inside, s.Parcels = v&1 == 1, int(v>>1&0x7fffffff) })
	return rows
}

// Encode writes the section of a KG. The layout, behind the head of every section, whose rows are the memberships:
//
//	16 bytes fingerprint · 32 bytes snapshot · uvarint parcels · uvarint sites and their columns · ints row of each
//	membership less the one before · ints its site · uvarint laws and their columns · uvarint references, their
//	columns, ints row + 1, 0 for none
func (k *KG) Encode() ([]byte, error) {
	return encode("kg", len(k.In), func(w *column.Writer) {
		w.Plain(k.Made[:])
		w.Plain(k.Snapshot[:])
		w.Count(k.Parcels)
		w.List(len(k.Sites))
		putBriefs(w, k.Sites)
		var last int32
		ints(w, k.In, func(m *Membership) uint64 {
			d := m.Row - last
			last = m.Row
			return uint64(d)
		})
		ints(w, k.In, func(m *Membership) uint64 { return uint64(m.Site) })
		w.List(len(k.Laws))
		putLaws(w, k.Laws)
		refs := make([]Ref, len(k.Refs))
		for i := range k.Refs {
			refs[i] = k.Refs[i].Ref
		}
		w.List(len(refs))
		putRefs(w, refs)
		ints(w, k.Refs, func(n *Named) uint64 { return uint64(n.Row + 1) })
	})
}

// Made is the fingerprint of a KG's section, false for other bytes.
func Made(b []byte) (f Fingerprint, ok bool) {
	columns, ok := column.Alone(b)
	if !ok || len(columns) < 1+len(f) {
		return f, false
	}
	copy(f[:], columns[1:])
	return f, true
}

// DecodeKG reads the section of a KG of any bytes, and says what it takes in memory.
func DecodeKG(b []byte) (*KG, int64, error) {
	k := &KG{}
	err := decode("kg", b, func(r *column.Reader, n int) {
		copy(k.Made[:], r.Plain(len(k.Made)))
		copy(k.Snapshot[:], r.Plain(len(k.Snapshot)))
		k.Parcels = r.Count(column.MaxRows)
		k.Sites = readBriefs(r, r.List())
		k.In = make([]Membership, n)
		at := uint64(0)
		readInts(r, k.In, func(m *Membership, v uint64) {
			if at += v; v >= maxRows || at >= uint64(k.Parcels) {
				r.Fail("parcel %d of %d", at, k.Parcels)
				at = 0
			}
			m.Row = int32(at)
		})
		readInts(r, k.In, func(m *Membership, v uint64) {
			if v >= uint64(len(k.Sites)) {
				r.Fail("site %d of %d", v, len(k.Sites))
				v = 0
			}
			m.Site = int32(v)
		})
		k.Laws = readLaws(r, r.List())
		k.readNamed(r)
	})
	if err != nil {
		return nil, 0, err
	}
	const perSite, perLaw, perRef, perIn = 120, 200, 56, 8
	return k, int64(len(k.Sites)*perSite + len(k.Laws)*perLaw + len(k.Refs)*perRef + len(k.In)*perIn + 256), nil
}

func (k *KG) readNamed(r *column.Reader) {
	refs := readRefs(r, r.List())
	k.Refs = make([]Named, len(refs))
	for i := range refs {
		if k.Refs[i].Ref = refs[i]; refs[i].Law >= len(k.Laws) {
			r.Fail("law %d of %d", refs[i].Law, len(k.Laws))
		}
	}
	last := uint64(0)
	readInts(r, k.Refs, func(n *Named, v uint64) {
		if v < last || v > uint64(k.Parcels) {
			r.Fail("reference to parcel %d of %d, behind %d", v, k.Parcels, last)
		}
		last, n.Row = v, int32(v)-1
	})
}

// EncodeIndex writes the directory of KGs, by code.
func EncodeIndex(rows []Index) ([]byte, error) {
	return encode("index", len(rows), func(w *column.Writer) {
		column.Texts(w, rows, func(x *Index) string { return string(x.Code) })
		ints(w, rows, func(x *Index) uint64 { return uint64(x.Parcels) })
		ints(w, rows, func(x *Index) uint64 { return uint64(x.RefCount) })
		ints(w, rows, func(x *Index) uint64 { return uint64(x.Contexts) })
		ints(w, rows, func(x *Index) uint64 { return uint64(len(x.Sites)) })
		var all []Brief
		for i := range rows {
			all = append(all, rows[i].Sites...)
		}
		w.List(len(all))
		putBriefs(w, all)
	})
}

// DecodeIndex reads the directory of KGs of any bytes.
func DecodeIndex(b []byte) (rows []Index, err error) {
	err = decode("index", b, func(r *column.Reader, n int) {
		rows = make([]Index, n)
		r.EachText(n, func(i int, s string) { rows[i].Code = austria.KGCode(s) })
		readInts(r, rows, func(x *Index, v uint64) { x.Parcels = int(v & 0x7fffffff) })
		readInts(r, rows, func(x *Index, v uint64) { x.RefCount = int(v & 0x7fffffff) })
		readInts(r, rows, func(x *Index, v uint64) { x.Contexts = ContextSet(v) })
		sizes := column.Ints[uint32](r, n)
		all := readBriefs(r, r.List())
		ends := column.Ends(r, sizes, len(all))
		if r.Err != nil {
			return
		}
		start := uint32(0)
		for i, end := range ends {
			rows[i].Sites, start = all[start:end:end], end
			rows[i].Overlap = len(rows[i].Sites)
		}
	})
	return rows, err
}

// Check says what of a KG's overlays cannot be: a test of builders.
func (k *KG) Check() error {
	for i := 1; i < len(k.In); i++ {
		if a, b := k.In[i-1], k.In[i]; a.Row > b.Row || a.Row == b.Row && a.Site >= b.Site {
			return fmt.Errorf("overlays: parcel %d in site %d stands behind %d in %d", b.Row, b.Site, a.Row, a.Site)
		}
	}
	return nil
}

// Find is a KG's row of the directory; one with nothing where the KG has none.
func Find(index []Index, code austria.KGCode) *Index {
	i, ok := slices.BinarySearchFunc(index, code, func(x Index, c austria.KGCode) int { return cmp.Compare(x.Code, c) })
	if !ok {
		return &Index{Code: code}
	}
	return &index[i]
}
