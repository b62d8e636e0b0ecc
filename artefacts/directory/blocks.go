package directory

import (
	"fmt"
	"sort"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Address is an address point without what its street says of it.
type Address struct {
	ID         austria.BuildingID
	KG         uint16 // number in the head
	GNR        austria.GNR
	EZ         austria.EZ
	ObjectType string
	At         geom.Point
}

// HouseNo is a house number as it is written and taken apart.
type HouseNo struct {
	Text string
	austria.HouseNumber
}

// ID is where the address point of an id is.
type ID struct {
	ID austria.BuildingID
	KG uint16
}

// Numbers are parcel numbers in the order of their bytes with the KGs that have them.
type Numbers struct {
	Texts []string
	kgs   lists
}

// KGs are those that have the i-th number, as numbers in the head, rising.
func (n *Numbers) KGs(i int) []uint32 { return n.kgs.of(i) }

// Find gives a number.
func (n *Numbers) Find(text string) (i int, ok bool) {
	return sort.Find(len(n.Texts), func(i int) int { return compare(text, n.Texts[i]) })
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func encodeAddresses(list []Address) ([]byte, error) {
	return sealed("a", len(list), func(w *column.Writer) {
		var adrcd, subcd, kg, ez []uint64
		var gnr, object []string
		var x, y []int64
		for i := range list {
			a := &list[i]
			adrcd, subcd, kg, ez = append(adrcd, a.ID.ADRCD), append(subcd, uint64(a.ID.SUBCD)), append(kg, uint64(a.KG)),
				append(ez, uint64(a.EZ))
			gnr, object = append(gnr, string(a.GNR)), append(object, a.ObjectType)
			var last geom.Point
			if i > 0 {
				last = list[i-1].At
			}
			x, y = append(x, int64(a.At.X)-int64(last.X)), append(y, int64(a.At.Y)-int64(last.Y))
		}
		w.Ints(adrcd)
		w.Ints(subcd)
		w.Ints(kg)
		w.Text(gnr)
		w.Ints(ez)
		w.Text(object)
		w.Signed(x)
		w.Signed(y)
	})
}

// DecodeAddresses reads a block of addresses.
func DecodeAddresses(h *Head, body []byte) (list []Address, cost int64, err error) {
	err = unseal("a", body, AddressRows, func(r *column.Reader, rows int) {
		adrcd, subcd, kg := column.Ints[uint64](r, rows), column.Ints[uint32](r, rows), column.Ints[uint32](r, rows)
		gnr, ez, object := r.Text(rows), column.Ints[uint32](r, rows), r.Text(rows)
		x, y := column.Ints[uint64](r, rows), column.Ints[uint64](r, rows)
		if r.Err != nil {
			return
		}
		list = make([]Address, rows)
		var at geom.Point
		for i := range list {
			if int(kg[i]) >= len(h.KGs) {
				r.Fail("address %d is of KG %d of %d", i, kg[i], len(h.KGs))
				return
			}
			at.X, at.Y = at.X+int32(column.Unzig(x[i])), at.Y+int32(column.Unzig(y[i]))
			list[i] = Address{ID: austria.BuildingID{ADRCD: adrcd[i], SUBCD: subcd[i]}, KG: uint16(kg[i]), GNR: austria.GNR(gnr[i]),
				EZ: austria.EZ(ez[i]), ObjectType: object[i], At: at}
		}
	})
	return list, int64(len(list)) * 80, err
}

func encodeHouseNumbers(list []string) ([]byte, error) {
	return sealed("h", len(list), func(w *column.Writer) { w.Text(list) })
}

// DecodeHouseNumbers reads the house numbers of a block of addresses.
func DecodeHouseNumbers(body []byte) (list []HouseNo, cost int64, err error) {
	err = unseal("h", body, AddressRows, func(r *column.Reader, rows int) {
		list = make([]HouseNo, rows)
		known := map[string]HouseNo{}
		r.EachText(rows, func(i int, s string) {
			n, ok := known[s]
			if !ok {
				n.Text = s
				n.HouseNumber, _ = austria.ParseHouseNumber(s)
				known[s] = n
			}
			list[i] = n
		})
	})
	return list, int64(len(list)) * 64, err
}

func encodeNumbers(texts []string, kgs func(i int) []uint16) ([]byte, error) {
	return sealed("p", len(texts), func(w *column.Writer) {
		w.Text(texts)
		writeLists(w, len(texts), kgs)
	})
}

// DecodeNumbers reads a block of parcel numbers.
func DecodeNumbers(h *Head, body []byte) (n *Numbers, cost int64, err error) {
	n = &Numbers{}
	err = unseal("p", body, numberRows, func(r *column.Reader, rows int) {
		n.Texts = r.Text(rows)
		n.kgs = readLists(r, rows, len(h.KGs))
		for i := 1; i < len(n.Texts) && r.Err == nil; i++ {
			if n.Texts[i-1] >= n.Texts[i] {
				r.Fail("parcel number %d does not rise", i)
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return n, int64(len(n.Texts))*32 + 4*int64(len(n.kgs.values)), nil
}

func encodeIDs(list []ID) ([]byte, error) {
	return sealed("b", len(list), func(w *column.Writer) {
		var adrcd []uint64
		var subcd, kg []uint64
		for _, id := range list {
			adrcd, subcd, kg = append(adrcd, id.ID.ADRCD), append(subcd, uint64(id.ID.SUBCD)), append(kg, uint64(id.KG))
		}
		w.Ints(differences(nil, adrcd))
		w.Ints(subcd)
		w.Ints(kg)
	})
}

// DecodeIDs reads a block of ids of address points.
func DecodeIDs(h *Head, body []byte) (list []ID, cost int64, err error) {
	err = unseal("b", body, idRows, func(r *column.Reader, rows int) {
		adrcd, subcd, kg := column.Ints[uint64](r, rows), column.Ints[uint32](r, rows), column.Ints[uint32](r, rows)
		if r.Err != nil {
			return
		}
		list = make([]ID, rows)
		at := uint64(0)
		for i := range list {
			at += adrcd[i]
			if int(kg[i]) >= len(h.KGs) {
				r.Fail("id %d is of KG %d of %d", i, kg[i], len(h.KGs))
				return
			}
			list[i] = ID{austria.BuildingID{ADRCD: at, SUBCD: subcd[i]}, uint16(kg[i])}
		}
	})
	return list, int64(len(list)) * 24, err
}

// The names of blocks.
func addressName(i int) string   { return fmt.Sprintf("a%06d", i) }
func houseName(i int) string     { return fmt.Sprintf("h%06d", i) }
func idName(first ID) string     { return fmt.Sprintf("b%016x%08x", first.ID.ADRCD, first.ID.SUBCD) }
func numberName(s string) string { return string(numbersFamily) + s }

// numbersFamily begins the names of the blocks of parcel numbers.
const numbersFamily = 'p'

// WordsSection is the section of the words. It and the names are what a function keeps.
func WordsSection(d *sectionfile.Directory) (int, bool) { return d.Find(wordsSection) }

// NamesSection is the section of the names.
func NamesSection(d *sectionfile.Directory) (int, bool) { return d.Find(namesSection) }

// AddressBlock is the section of the i-th AddressRows addresses.
func AddressBlock(d *sectionfile.Directory, i int) (int, bool) { return d.Find(addressName(i)) }

// HouseBlock is the section of their house numbers.
func HouseBlock(d *sectionfile.Directory, i int) (int, bool) { return d.Find(houseName(i)) }

// IDBlock is the block that an id stands in where the directory has it.
func IDBlock(d *sectionfile.Directory, id austria.BuildingID) (int, bool) {
	return blockOf(d, 'b', idName(ID{ID: id}))
}

// NumberBlock is the block that a parcel number stands in where the country has it.
func NumberBlock(d *sectionfile.Directory, text string) (int, bool) {
	return blockOf(d, numbersFamily, numberName(text))
}

// NumberBlocks are the blocks with the parcel numbers that begin so: from lo up to hi.
func NumberBlocks(d *sectionfile.Directory, prefix string) (lo, hi int) {
	lo, ok := NumberBlock(d, prefix)
	if !ok {
		lo = sort.Search(d.Len(), func(i int) bool { return d.Name(i) >= "p" })
	}
	hi = sort.Search(d.Len(), func(i int) bool { return d.Name(i) > numberName(prefix)+"\xff" || d.Name(i) >= "q" })
	return lo, max(lo, hi)
}

// blockOf is the last section of a family whose name is not behind name.
func blockOf(d *sectionfile.Directory, family byte, name string) (int, bool) {
	i := sort.Search(d.Len(), func(i int) bool { return d.Name(i) > name }) - 1
	return i, i >= 0 && d.Name(i)[0] == family
}
