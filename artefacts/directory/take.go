package directory

import (
	"fmt"
	"slices"

	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
)

// Take takes up what another directory holds of some KGs, as Add would of their files; names are the KGs with the names of
// their municipalities, which the file does not hold. After an error the builder is of no use.
func (b *Builder) Take(from *sectionfile.File, names map[austria.KGCode]string) error {
	t, err := b.taking(from, names)
	if err != nil {
		return err
	}
	if err := t.takeAddresses(); err != nil {
		return err
	}
	numbers := 0
	for i := range from.Len() {
		if from.Name(i)[0] != numbersFamily {
			continue
		}
		if err := t.takeNumbers(i); err != nil {
			return err
		}
		numbers++
	}
	if numbers == 0 && len(names) > 0 {
		return fmt.Errorf("directory: no parcel numbers of %d KGs", len(names))
	}
	return nil
}

// taking is one Take.
type taking struct {
	b    *Builder
	from *sectionfile.File
	head *Head
	n    *Names
	kgs  []taken // as in the head of the file
}

// taken is a KG of the file.
type taken struct {
	wanted       bool
	n            uint16 // number in the new head
	municipality string
}

func (b *Builder) taking(from *sectionfile.File, names map[austria.KGCode]string) (*taking, error) {
	head, err := ParseHead(from.Head())
	if err != nil {
		return nil, err
	}
	t := &taking{b: b, from: from, head: head, kgs: make([]taken, len(head.KGs))}
	found := 0
	for i, code := range head.KGs {
		name, wanted := names[code]
		if !wanted {
			continue
		}
		n, ok := slices.BinarySearch(b.head.KGs, code)
		if !ok || b.added[n] {
			return nil, fmt.Errorf("directory: KG %s is not one of its KGs, or added twice", code)
		}
		b.added[n], t.kgs[i] = true, taken{true, uint16(n), b.once(name)}
		found++
	}
	if found < len(names) {
		return nil, fmt.Errorf("directory: the file holds %d of %d KGs", found, len(names))
	}
	i, ok := NamesSection(from.Directory)
	if !ok {
		return nil, fmt.Errorf("directory: no section %q", namesSection)
	}
	body, err := from.Section(i)
	if err != nil {
		return nil, err
	}
	t.n, _, err = DecodeNames(head, body)
	return t, err
}

// takeAddresses takes the addresses, which stand in the order of their streets.
func (t *taking) takeAddresses() error {
	street := 0
	var last struct { // what was taken last: most addresses of a street lie in one municipality
		known        bool
		street       int
		municipality string
		id           uint32
	}
	for at := 0; at < t.head.Addresses; at += AddressRows {
		list, houses, err := t.addresses(at / AddressRows)
		if err != nil {
			return err
		}
		if want := min(AddressRows, t.head.Addresses-at); len(list) != want || len(houses) != want {
			return fmt.Errorf("directory: a block of %d addresses and %d house numbers, want %d", len(list), len(houses), want)
		}
		for i := range list {
			for int(t.n.first[street+1]) <= at+i {
				street++
			}
			k := &t.kgs[list[i].KG]
			if !k.wanted {
				continue
			}
			if !last.known || last.street != street || last.municipality != k.municipality {
				last.known, last.street, last.municipality, last.id = true, street, k.municipality, t.streetID(street, k)
			}
			t.b.takeAddress(last.id, k, &list[i], houses[i].Text)
		}
	}
	return nil
}

// addresses reads the nth block of addresses and of their house numbers.
func (t *taking) addresses(n int) (list []Address, houses []HouseNo, err error) {
	i, ok := AddressBlock(t.from.Directory, n)
	k, both := HouseBlock(t.from.Directory, n)
	if !ok || !both {
		return nil, nil, fmt.Errorf("directory: block %d of the addresses is missing", n)
	}
	body, err := t.from.Section(i)
	if err != nil {
		return nil, nil, err
	}
	if list, _, err = DecodeAddresses(t.head, body); err != nil {
		return nil, nil, err
	}
	if body, err = t.from.Section(k); err != nil {
		return nil, nil, err
	}
	houses, _, err = DecodeHouseNumbers(body)
	return list, houses, err
}

// streetID is the number of a street of the file in the municipality of a KG.
func (t *taking) streetID(n int, k *taken) uint32 {
	s := t.n.Street(n)
	return t.b.streetID(street{s.Name, *s.Place, k.municipality})
}

func (b *Builder) takeAddress(street uint32, k *taken, a *Address, house string) {
	e := entry{street, b.once(house), *a}
	e.KG, e.GNR, e.ObjectType = k.n, austria.GNR(b.once(string(a.GNR))), b.once(a.ObjectType)
	b.addresses = append(b.addresses, e)
}

// takeNumbers takes the parcel numbers of a block.
func (t *taking) takeNumbers(block int) error {
	body, err := t.from.Section(block)
	if err != nil {
		return err
	}
	list, _, err := DecodeNumbers(t.head, body)
	if err != nil {
		return err
	}
	for i, text := range list.Texts {
		var kgs []uint16
		for _, kg := range list.KGs(i) {
			if k := &t.kgs[kg]; k.wanted {
				kgs = append(kgs, k.n)
			}
		}
		if len(kgs) == 0 {
			continue
		}
		number := austria.GNR(t.b.once(text))
		t.b.numbers[number] = append(t.b.numbers[number], kgs...)
	}
	return nil
}
