package directory

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"mappe/shared/austria"
)

// Index chooses streets by the words of their names and places.
type Index struct {
	*Words
	*Names
}

// NewIndex puts the words and the names of one file together.
func NewIndex(w *Words, n *Names) (*Index, error) {
	if w.n != len(n.inNames.ends) {
		return nil, fmt.Errorf("directory: %d words, and names for %d", w.n, len(n.inNames.ends))
	}
	return &Index{w, n}, nil
}

// Field says where a word may stand.
type Field uint8

// The fields; a word of a text that names no field may stand in each.
const (
	InName Field = 1 << iota
	InPlace
	Anywhere = InName | InPlace
)

// Set is a set of streets, one bit each.
type Set []uint64

// NewSet is the empty set of the index's streets.
func (x *Index) NewSet() Set { return make(Set, (x.Streets()+63)/64) }

// All is the set of all streets.
func (x *Index) All() Set {
	s := x.NewSet()
	s.addRun(0, x.Streets())
	return s
}

func (s Set) add(i uint32) { s[i/64] |= 1 << (i % 64) }

func (s Set) addRun(lo, hi int) {
	for lo < hi && lo%64 != 0 {
		s.add(uint32(lo))
		lo++
	}
	for ; lo+64 <= hi; lo += 64 {
		s[lo/64] = ^uint64(0)
	}
	for ; lo < hi; lo++ {
		s.add(uint32(lo))
	}
}

// Add puts a street into the set.
func (s Set) Add(i int) { s.add(uint32(i)) }

// Has says whether a street is in the set.
func (s Set) Has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// Or adds the streets of another set.
func (s Set) Or(o Set) {
	for i, v := range o {
		s[i] |= v
	}
}

// And keeps the streets that are in both.
func (s Set) And(o Set) {
	for i, v := range o {
		s[i] &= v
	}
}

// Empty says whether no street is in the set.
func (s Set) Empty() bool {
	for _, v := range s {
		if v != 0 {
			return false
		}
	}
	return true
}

// Len is the number of streets in the set.
func (s Set) Len() int {
	n := 0
	for _, v := range s {
		n += bits.OnesCount64(v)
	}
	return n
}

// Each gives the streets in rising order until false.
func (s Set) Each(yield func(street int) bool) {
	for i, v := range s {
		for ; v != 0; v &= v - 1 {
			if !yield(64*i + bits.TrailingZeros64(v)) {
				return
			}
		}
	}
}

// maxJoined is how many words in a row may be written as one in a name.
const maxJoined = 3

// Matching are the streets of which each of the words begins a word of a field, or is one where whole is asked
// for; numbers have to be whole, and alone. Words in a row may be one in the name: Haupt Straße finds Hauptstraße.
func (x *Index) Matching(words []string, in Field, whole bool) Set {
	reached := make([]Set, len(words)+1) // by the first i words
	reached[0] = x.All()
	for i := 1; i <= len(words); i++ {
		found := x.NewSet()
		for k := 1; k <= min(i, maxJoined); k++ {
			if k > 1 && slices.ContainsFunc(words[i-k:i], isNumber) {
				break
			}
			if reached[i-k].Empty() {
				continue
			}
			s := x.having(strings.Join(words[i-k:i], ""), in, whole)
			if s == nil {
				continue
			}
			s.And(reached[i-k])
			found.Or(s)
		}
		reached[i] = found
	}
	return reached[len(words)]
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// Having are the streets of which a word begins so in a field.
func (x *Index) Having(word string, in Field) Set {
	if s := x.having(word, in, false); s != nil {
		return s
	}
	return x.NewSet()
}

// having is nil where no street has the word.
func (x *Index) having(word string, in Field, whole bool) Set {
	lo, hi := x.Prefix(word)
	if whole || isNumber(word) {
		i, ok := x.Find(word)
		if lo, hi = i, i+1; !ok {
			return nil
		}
	}
	if lo >= hi {
		return nil
	}
	s := x.NewSet()
	for w := lo; w < hi; w++ {
		if in&InName != 0 {
			for _, n := range x.inNames.of(w) {
				s.addRun(int(x.streets[n]), int(x.streets[n+1]))
			}
		}
		if in&InPlace != 0 {
			for _, p := range x.inPlace.of(w) {
				for _, street := range x.at.of(int(p)) {
					s.add(street)
				}
			}
		}
	}
	return s
}

// InPLZ are the streets of a postal code.
func (x *Index) InPLZ(plz austria.PLZ) Set {
	s := x.NewSet()
	for p := range x.Places {
		if x.Places[p].PLZ == plz {
			for _, street := range x.at.of(p) {
				s.add(street)
			}
		}
	}
	return s
}

// InState are the streets of a state.
func (x *Index) InState(state austria.StateCode) Set {
	s := x.NewSet()
	for p := range x.Places {
		if x.Places[p].Gemeinde.State() == state {
			for _, street := range x.at.of(p) {
				s.add(street)
			}
		}
	}
	return s
}

// IsPLZ says whether an address has the postal code.
func (x *Index) IsPLZ(text string) bool {
	return slices.ContainsFunc(x.Places, func(p Place) bool { return string(p.PLZ) == text })
}

// AndNot takes the streets of another set away.
func (s Set) AndNot(o Set) {
	for i, v := range o {
		s[i] &^= v
	}
}

// Written is the word of a street or a place that folds to a word, as it is written there; "" where none does
// alone.
func (x *Index) Written(word string, fold func(string) string) string {
	i, ok := x.Find(word)
	if !ok {
		return ""
	}
	var texts []string
	for _, n := range x.inNames.of(i) {
		texts = append(texts, x.Names.Names[n])
		break
	}
	for _, p := range x.inPlace.of(i) {
		texts = append(texts, x.Places[p].Ort)
		break
	}
	for _, text := range texts {
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" -,./()", r) }) {
			if fold(w) == word {
				return w
			}
		}
	}
	return ""
}
