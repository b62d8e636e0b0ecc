package directory

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/spelling"
)

// Builder makes a directory out of KGs, which may be added in any order. It holds some 60 bytes an address and 2 a
// parcel beside the texts, each once: 0.3 GB for all of Austria.
type Builder struct {
	head      Head
	added     []bool            // by KG of the head
	texts     map[string]string // each text once
	numbers   map[austria.GNR][]uint16
	streets   map[street]uint32
	list      []street
	addresses []entry
	words     []byte
	names     []byte
}

type street struct {
	name         string
	place        Place
	municipality string // name of the place's municipality
}

// entry is an address while the directory is made.
type entry struct {
	street uint32
	house  string
	Address
}

// NewBuilder makes the directory of KGs, by rising code, each of which is added then.
func NewBuilder(kgs []austria.KGCode) (*Builder, error) {
	if len(kgs) > maxKGs {
		return nil, fmt.Errorf("directory: %d KGs, at most %d", len(kgs), maxKGs)
	}
	for i := range kgs {
		if i > 0 && kgs[i-1] >= kgs[i] {
			return nil, fmt.Errorf("directory: KG %s is out of order", kgs[i])
		}
	}
	b := &Builder{texts: map[string]string{}, numbers: map[austria.GNR][]uint16{}, streets: map[street]uint32{},
		added: make([]bool, len(kgs))}
	b.head.KGs = kgs
	return b, nil
}

// once gives one copy of equal texts, so that nothing keeps the file they were read from.
func (b *Builder) once(s string) string {
	if kept, ok := b.texts[s]; ok {
		return kept
	}
	s = strings.Clone(s)
	b.texts[s] = s
	return s
}

// Add takes up the parcels and address points of a KG.
func (b *Builder) Add(kg *kgfile.KG, parcels []kgfile.Parcel, buildings []kgfile.Building) error {
	n, ok := slices.BinarySearch(b.head.KGs, kg.Code)
	if !ok || b.added[n] {
		return fmt.Errorf("directory: KG %s is not one of its KGs, or added twice", kg.Code)
	}
	b.added[n] = true
	for i := range parcels {
		b.addNumber(parcels[i].GNR, uint16(n))
	}
	for i := range buildings {
		b.addAddress(kg, parcels, &buildings[i], uint16(n))
	}
	return nil
}

func (b *Builder) addNumber(number austria.GNR, kg uint16) {
	list, known := b.numbers[number]
	if len(list) > 0 && list[len(list)-1] == kg {
		return
	}
	if !known {
		number = austria.GNR(b.once(string(number)))
	}
	b.numbers[number] = append(list, kg)
}

func (b *Builder) addAddress(kg *kgfile.KG, parcels []kgfile.Parcel, a *kgfile.Building, n uint16) {
	id := b.streetID(street{a.Street, Place{a.Ort, a.PLZ, kg.GemeindeCode}, kg.GemeindeName})
	e := entry{id, b.once(a.HouseNumber), Address{ID: a.ID, KG: n, ObjectType: b.once(a.ObjectType), At: a.At}}
	if a.Parcel >= 0 && int(a.Parcel) < len(parcels) {
		p := &parcels[a.Parcel]
		e.GNR, e.EZ = austria.GNR(b.once(string(p.GNR))), p.EZ
	}
	b.addresses = append(b.addresses, e)
}

// streetID is the number of a street, known or new.
func (b *Builder) streetID(s street) uint32 {
	id, known := b.streets[s]
	if !known {
		s = street{b.once(s.name), Place{b.once(s.place.Ort), austria.PLZ(b.once(string(s.place.PLZ))),
			austria.GemeindeCode(b.once(string(s.place.Gemeinde)))}, b.once(s.municipality)}
		id = uint32(len(b.list))
		b.list = append(b.list, s)
		b.streets[s] = id
	}
	return id
}

// Head orders everything and gives the head of the file. inputs names what was added.
func (b *Builder) Head(inputs Sum) ([]byte, error) {
	if n := slices.Index(b.added, false); n >= 0 {
		return nil, fmt.Errorf("directory: KG %s was not added", b.head.KGs[n])
	}
	b.head.Inputs = inputs
	b.order()
	words, err := b.index()
	if err != nil {
		return nil, err
	}
	b.head.words, b.head.Addresses = digest(words), len(b.addresses)
	b.words = words
	return encodeHead(&b.head)
}

// order has streets stand by folded name, name and place, and addresses by street, house number and id.
func (b *Builder) order() {
	fold := make(map[string]string, len(b.list))
	for i := range b.list {
		for _, s := range []string{b.list[i].name, b.list[i].place.Ort} {
			if _, ok := fold[s]; !ok {
				fold[s] = spelling.Fold(s)
			}
		}
	}
	perm := make([]uint32, len(b.list))
	for i := range perm {
		perm[i] = uint32(i)
	}
	slices.SortFunc(perm, func(i, j uint32) int {
		s, t := &b.list[i], &b.list[j]
		return cmp.Or(cmp.Compare(fold[s.name], fold[t.name]), cmp.Compare(s.name, t.name),
			cmp.Compare(fold[s.place.Ort], fold[t.place.Ort]),
			comparePlaces(&s.place, &t.place), cmp.Compare(s.municipality, t.municipality))
	})
	rank, list := make([]uint32, len(perm)), make([]street, len(perm))
	for at, old := range perm {
		rank[old], list[at] = uint32(at), b.list[old]
	}
	b.list = list
	for i := range b.addresses {
		b.addresses[i].street = rank[b.addresses[i].street]
	}
	numbers := map[string]austria.HouseNumber{}
	for i := range b.addresses {
		if s := b.addresses[i].house; numbers[s].Low == 0 {
			numbers[s], _ = austria.ParseHouseNumber(s)
		}
	}
	sortTail(b.addresses, func(x, y *entry) int {
		if c := cmp.Compare(x.street, y.street); c != 0 {
			return c
		}
		return cmp.Or(numbers[x.house].Compare(numbers[y.house]), cmp.Compare(x.house, y.house), compareIDs(x.ID, y.ID),
			cmp.Compare(x.KG, y.KG))
	})
}

// sortTail sorts a list of which the most is sorted: what was taken out of another directory, with the addresses of some KGs
// behind it.
func sortTail[T any](list []T, compare func(x, y *T) int) {
	at := 1
	for at < len(list) && compare(&list[at-1], &list[at]) <= 0 {
		at++
	}
	if at >= len(list) {
		return
	}
	byValue := func(x, y T) int { return compare(&x, &y) }
	if at < len(list)/2 {
		slices.SortFunc(list, byValue)
		return
	}
	tail := slices.Clone(list[at:])
	slices.SortFunc(tail, byValue)
	for to := len(list) - 1; len(tail) > 0; to-- { // from the end, where there is room
		if last := &tail[len(tail)-1]; at == 0 || compare(&list[at-1], last) <= 0 {
			list[to] = *last
			tail = tail[:len(tail)-1]
			continue
		}
		at--
		list[to] = list[at]
	}
}

func comparePlaces(a, b *Place) int {
	return cmp.Or(cmp.Compare(a.Ort, b.Ort), cmp.Compare(a.PLZ, b.PLZ), cmp.Compare(a.Gemeinde, b.Gemeinde))
}

func compareIDs(a, b austria.BuildingID) int {
	return cmp.Or(cmp.Compare(a.ADRCD, b.ADRCD), cmp.Compare(a.SUBCD, b.SUBCD))
}

// index makes the names and the words, and gives the transducer.
func (b *Builder) index() ([]byte, error) {
	n := &Names{streets: []uint32{0}, first: make([]uint32, len(b.list)+1)}
	places := map[Place]uint32{}
	inNames, inPlace := map[string][]uint32{}, map[string][]uint32{}
	for i := range b.list {
		s := &b.list[i]
		if last := len(n.Names) - 1; last < 0 || n.Names[last] != s.name {
			addWords(inNames, uint32(len(n.Names)), s.name)
			n.Names = append(n.Names, s.name)
			n.streets = append(n.streets, 0)
		}
		n.streets[len(n.streets)-1] = uint32(i + 1)
		p, ok := places[s.place]
		if !ok {
			p = uint32(len(n.Places))
			places[s.place] = p
			n.Places = append(n.Places, s.place)
			addWords(inPlace, p, s.place.Ort, s.municipality)
		}
		n.place = append(n.place, p)
	}
	for i := range b.addresses {
		n.first[b.addresses[i].street+1]++
	}
	for i := range b.list {
		n.first[i+1] += n.first[i]
	}
	words := make([]string, 0, len(inNames)+len(inPlace))
	for w := range inNames {
		words = append(words, w)
	}
	for w := range inPlace {
		words = append(words, w)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	for _, w := range words {
		n.inNames.add(inNames[w])
		n.inPlace.add(inPlace[w])
	}
	body, err := encodeNames(n, len(words))
	if err != nil {
		return nil, err
	}
	b.names = body
	return encodeWords(words)
}

func (l *lists) add(list []uint32) {
	l.values = append(l.values, list...)
	l.ends = append(l.ends, uint32(len(l.values)))
}

// addWords notes the words of texts: each, and all of a text joined where there are several, so that
// Badischler and Bad Ischler are found by either.
func addWords(in map[string][]uint32, n uint32, texts ...string) {
	for _, text := range texts {
		folded := spelling.Fold(text)
		words := strings.Fields(folded)
		if len(words) > 1 {
			words = append(words, spelling.Compact(folded))
		}
		for _, w := range words {
			if list := in[w]; len(list) == 0 || list[len(list)-1] != n {
				in[w] = append(list, n)
			}
		}
	}
}

// Write adds the sections to a file. Head comes before it.
func (b *Builder) Write(to *sectionfile.Builder) error {
	for _, write := range []func(*sectionfile.Builder) error{b.writeAddresses, b.writeIDs, b.writeHouseNumbers} {
		if err := write(to); err != nil {
			return err
		}
	}
	if err := to.Add(wordsSection, b.words); err != nil {
		return err
	}
	if err := to.Add(namesSection, b.names); err != nil {
		return err
	}
	return b.writeNumbers(to)
}

// blocks adds the blocks of n rows in their order; several are encoded at once.
func blocks(to *sectionfile.Builder, n, size int, block func(lo, hi int) (name string, body []byte, err error)) error {
	type encoded struct {
		name string
		body []byte
		err  error
	}
	list := make([]encoded, 4*runtime.GOMAXPROCS(0))
	for lo := 0; lo < n; lo += size * len(list) {
		some := list[:min(len(list), (n-lo+size-1)/size)]
		var all sync.WaitGroup
		for i := range some {
			all.Go(func() {
				e, lo := &some[i], lo+i*size
				e.name, e.body, e.err = block(lo, min(lo+size, n))
			})
		}
		all.Wait()
		for _, e := range some {
			if e.err != nil {
				return e.err
			}
			if err := to.Add(e.name, e.body); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *Builder) writeAddresses(to *sectionfile.Builder) error {
	return blocks(to, len(b.addresses), AddressRows, func(lo, hi int) (string, []byte, error) {
		list := make([]Address, 0, hi-lo)
		for i := lo; i < hi; i++ {
			list = append(list, b.addresses[i].Address)
		}
		body, err := encodeAddresses(list)
		return addressName(lo / AddressRows), body, err
	})
}

func (b *Builder) writeHouseNumbers(to *sectionfile.Builder) error {
	return blocks(to, len(b.addresses), AddressRows, func(lo, hi int) (string, []byte, error) {
		list := make([]string, 0, hi-lo)
		for i := lo; i < hi; i++ {
			list = append(list, b.addresses[i].house)
		}
		body, err := encodeHouseNumbers(list)
		return houseName(lo / AddressRows), body, err
	})
}

func (b *Builder) writeIDs(to *sectionfile.Builder) error {
	ids := make([]ID, len(b.addresses))
	for i := range b.addresses {
		ids[i] = ID{b.addresses[i].ID, b.addresses[i].KG}
	}
	slices.SortFunc(ids, func(x, y ID) int { return cmp.Or(compareIDs(x.ID, y.ID), cmp.Compare(x.KG, y.KG)) })
	ids = slices.CompactFunc(ids, func(x, y ID) bool { return x.ID == y.ID }) // the first KG that has it answers
	return blocks(to, len(ids), idRows, func(lo, hi int) (string, []byte, error) {
		body, err := encodeIDs(ids[lo:hi])
		return idName(ids[lo]), body, err
	})
}

func (b *Builder) writeNumbers(to *sectionfile.Builder) error {
	texts := make([]string, 0, len(b.numbers))
	for n, kgs := range b.numbers {
		slices.Sort(kgs) // KGs come in any order
		texts = append(texts, string(n))
	}
	slices.Sort(texts)
	return blocks(to, len(texts), numberRows, func(lo, hi int) (string, []byte, error) {
		body, err := encodeNumbers(texts[lo:hi], func(i int) []uint16 { return b.numbers[austria.GNR(texts[lo+i])] })
		return numberName(texts[lo]), body, err
	})
}
