package directory

import (
	"fmt"
	"strconv"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
)

// Place is where a street lies.
type Place struct {
	Ort      string // locality
	PLZ      austria.PLZ
	Gemeinde austria.GemeindeCode
}

// Names are the streets of the country with the words by which they are found. They are never changed.
type Names struct {
	Names  []string // of streets, by folded name
	Places []Place

	streets []uint32 // of each name the number of its first street, and the number of all
	place   []uint32 // of each street
	first   []uint32 // of each street the number of its first address, and the number of all
	inNames lists    // of each word the names that have it
	inPlace lists    // of each word the places
	at      lists    // of each place its streets
}

// Street is a street: a name in a place.
type Street struct {
	Name  string
	Place *Place
	// From and To are its addresses: From up to To.
	From, To int
}

// Streets is the number of streets.
func (n *Names) Streets() int { return len(n.place) }

// Street gives a street; streets stand in the order of their names, then their places.
func (n *Names) Street(i int) Street {
	return Street{n.Names[n.nameOf(uint32(i))], &n.Places[n.place[i]], int(n.first[i]), int(n.first[i+1])}
}

// StreetOf is the street of an address.
func (n *Names) StreetOf(address int) int { return runOf(n.first, uint32(address)) }

func (n *Names) nameOf(street uint32) int { return runOf(n.streets, street) }

// runOf finds the run that a number is in; starts rise, and the last is the end of all.
func runOf(starts []uint32, at uint32) int {
	lo, hi := 0, len(starts)-1
	for lo+1 < hi {
		if mid := (lo + hi) / 2; starts[mid] <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// maxNames bounds names, places, streets and words each.
const maxNames = column.MaxRows

// DecodeNames reads the section of the names.
func DecodeNames(h *Head, body []byte) (*Names, int64, error) {
	n := &Names{}
	err := unseal(namesSection, body, maxNames, func(r *column.Reader, rows int) { n.read(r, rows, h) })
	if err != nil {
		return nil, 0, err
	}
	return n, n.cost(), nil
}

func (n *Names) read(r *column.Reader, rows int, h *Head) {
	n.Names = r.Text(rows)
	perName := column.Ints[uint32](r, rows)
	places := r.List()
	ort, plz, gemeinde := r.Text(places), column.Ints[uint32](r, places), column.Ints[uint32](r, places)
	streets := r.List()
	n.streets = starts(r, perName, streets)
	n.place = column.Ints[uint32](r, streets)
	n.first = starts(r, column.Ints[uint32](r, streets), h.Addresses)
	words := r.List()
	if r.Err != nil {
		return
	}
	n.inNames = readLists(r, words, rows)
	n.inPlace = readLists(r, words, places)
	if r.Err != nil {
		return
	}
	n.Places = make([]Place, places)
	for i := range n.Places {
		if plz[i] > 9999 || gemeinde[i] > 99_999 {
			r.Fail("place %d has the postal code %d and the municipality %d", i, plz[i], gemeinde[i])
			return
		}
		n.Places[i] = Place{Ort: ort[i]}
		if plz[i] > 0 {
			n.Places[i].PLZ = austria.PLZ(fmt.Sprintf("%04d", plz[i]))
		}
		if gemeinde[i] > 0 {
			n.Places[i].Gemeinde = austria.GemeindeCode(fmt.Sprintf("%05d", gemeinde[i]))
		}
	}
	for i, p := range n.place {
		if int(p) >= places {
			r.Fail("street %d lies in place %d of %d", i, p, places)
			return
		}
	}
	n.at = byPlace(n.place, places)
}

// byPlace lists the streets of each place.
func byPlace(place []uint32, places int) lists {
	l := lists{ends: make([]uint32, places), values: make([]uint32, len(place))}
	for _, p := range place {
		l.ends[p]++
	}
	at := uint32(0)
	for i, size := range l.ends {
		l.ends[i] = at // where it begins, for now
		at += size
	}
	for s, p := range place {
		l.values[l.ends[p]] = uint32(s)
		l.ends[p]++
	}
	return l
}

// starts turns the lengths of runs into where they begin, and the end of all.
func starts(r *column.Reader, lengths []uint32, total int) []uint32 {
	ends := column.Ends(r, lengths, total)
	return append([]uint32{0}, ends...)
}

// cost is the memory of the names, in bytes, about.
func (n *Names) cost() int64 {
	bytes := int64(0)
	for _, s := range n.Names {
		bytes += int64(len(s)) + 16
	}
	bytes += int64(len(n.Places)) * 80
	for _, l := range []int{len(n.streets), len(n.place), len(n.first), len(n.inNames.ends), len(n.inNames.values), len(n.inPlace.ends),
		len(n.inPlace.values), len(n.at.ends), len(n.at.values)} {
		bytes += 4 * int64(l)
	}
	return bytes
}

func encodeNames(n *Names, words int) ([]byte, error) {
	return sealed(namesSection, len(n.Names), func(w *column.Writer) {
		w.Text(n.Names)
		w.Ints(lengths(n.streets))
		w.List(len(n.Places))
		var ort []string
		var plz, gemeinde []uint64
		for i := range n.Places {
			p := &n.Places[i]
			ort, plz, gemeinde = append(ort, p.Ort), append(plz, number(w, string(p.PLZ))), append(gemeinde, number(w, string(p.Gemeinde)))
		}
		w.Text(ort)
		w.Ints(plz)
		w.Ints(gemeinde)
		w.List(len(n.place))
		place := make([]uint64, len(n.place))
		for i, p := range n.place {
			place[i] = uint64(p)
		}
		w.Ints(place)
		w.Ints(lengths(n.first))
		w.List(words)
		writeLists(w, words, n.inNames.of)
		writeLists(w, words, n.inPlace.of)
	})
}

// number is the number of a code, 0 for none.
func number(w *column.Writer, code string) uint64 {
	if code == "" {
		return 0
	}
	v, err := strconv.ParseUint(code, 10, 32)
	if err != nil {
		w.Fail("code %.40q: expected digits", code)
	}
	return v
}

// lengths are the lengths of runs that begin at starts.
func lengths(starts []uint32) []uint64 {
	out := make([]uint64, len(starts)-1)
	for i := range out {
		out[i] = uint64(starts[i+1] - starts[i])
	}
	return out
}
