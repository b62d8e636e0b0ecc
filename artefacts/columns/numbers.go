package columns

import (
	"cmp"
	"math/bits"

	"mappe/shared/austria"
)

// ParcelNumber is a parcel number taken apart, as a table's columns hold it.
type ParcelNumber struct {
	Flags     uint8 // PlotBit, SubBit
	Main, Sub uint64
}

// NumberOf takes a parcel number apart.
func NumberOf(n austria.GNR) ParcelNumber {
	kind, main, sub := ParseNumber(n)
	return ParcelNumber{kind, main, sub}
}

// Numbered are the rows from lo up to hi, which are of one KG, whose number it is, whatever zeros it was spelled with. It
// is what two calls of NumberFrom give, without writing numbers as text: a search over the country does it for each KG.
func (t *Table) Numbered(lo, hi int, n ParcelNumber) (from, to int) {
	lo, hi = t.leading(lo, hi, &n)
	end := hi
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); t.compareNumber(mid, &n) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for to = lo; to < end && t.compareNumber(to, &n) == 0; {
		to++
	}
	return lo, to
}

// leading narrows rows to those whose number begins as n does, up to its sub-number, where the table has leads.
func (t *Table) leading(lo, hi int, n *ParcelNumber) (from, to int) {
	lead, ok := leadOf(n.Flags, n.Main)
	if !ok || t.leads == nil {
		return lo, hi
	}
	end := hi
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); t.leads[mid] < lead {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == end || t.leads[lo] != lead {
		return lo, lo
	}
	for to = lo; to < end && t.leads[to] == lead; {
		to++
	}
	return lo, to
}

// mainDigits is how many digits of a main number fit a lead: a parcel number has at most 16 bytes.
const mainDigits = 16

// leadOf is a parcel number up to its sub-number, as an integer that sorts as the text does: not a plot, 1 bit; the main number
// followed by zeros to mainDigits digits, 54 bits; how many digits it has, 5 bits; whether a sub-number follows, 1 bit.
// false: the main number is too long.
func leadOf(kind uint8, main uint64) (uint64, bool) {
	n := digits(main)
	if n > mainDigits {
		return 0, false
	}
	lead := main*powers[mainDigits-n]<<6 | uint64(n)<<1
	if kind&PlotBit == 0 {
		lead |= 1 << 63
	}
	if kind&SubBit != 0 {
		lead |= 1
	}
	return lead, true
}

// lead makes the leads of a table; none where a main number is too long.
func (t *Table) lead() {
	leads := make([]uint64, t.N)
	for i := range leads {
		lead, ok := leadOf(t.Plots[i], t.Main[i])
		if !ok {
			return
		}
		leads[i] = lead
	}
	t.leads = leads
}

// compareNumber compares the number of a row with another as the texts of both compare: a leading dot stands before
// digits, a slash too.
func (t *Table) compareNumber(row int, n *ParcelNumber) int {
	own := t.Plots[row]
	if c := int(n.Flags&PlotBit) - int(own&PlotBit); c != 0 {
		return c
	}
	if c := compareDigits(t.Main[row], n.Main); c != 0 {
		return c
	}
	if c := int(own&SubBit) - int(n.Flags&SubBit); c != 0 || own&SubBit == 0 {
		return c
	}
	return compareDigits(t.Subs[row], n.Sub)
}

// compareDigits compares numbers as their decimal digits compare as text.
func compareDigits(a, b uint64) int {
	if a == b {
		return 0
	}
	n, m := digits(a), digits(b)
	switch {
	case n < m:
		b /= powers[m-n]
	case m < n:
		a /= powers[n-m]
	}
	return cmp.Or(cmp.Compare(a, b), cmp.Compare(n, m))
}

// powers are those of ten that a uint64 holds.
var powers = func() (p [20]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = 10 * p[i]
	}
	return p
}()

// digits is how many decimal digits a number has.
func digits(n uint64) int {
	about := bits.Len64(n|1) * 1233 >> 12 // log10(2) is 1233/4096 and some more
	if n|1 >= powers[about] {
		return about + 1
	}
	return about
}
