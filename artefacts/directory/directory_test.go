package directory

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// builder is the empty directory of KGs.
func builder(t testing.TB, kgs ...austria.KGCode) *Builder {
	t.Helper()
	b, err := NewBuilder(kgs)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sample are two KGs with 3,000 and 2,500 addresses: more than a block of each kind.
func sample(t testing.TB) *Builder { return sampleIn(t, 0, 1) }

// sampleIn is sample with its KGs added in an order.
func sampleIn(t testing.TB, order ...int) *Builder {
	t.Helper()
	codes := []austria.KGCode{"01004", "88801"}
	b := builder(t, codes...)
	for _, k := range order {
		code := codes[k]
		var parcels []kgfile.Parcel
		var buildings []kgfile.Building
		for i := range 3000 - 500*k {
			parcels = append(parcels, kgfile.Parcel{GNR: austria.GNR(fmt.Sprintf("%d/%d", i/3+1, i%3+1)), EZ: austria.EZ(i)})
			buildings = append(buildings, kgfile.Building{ID: austria.BuildingID{ADRCD: uint64(9_000_000 - i*7 - k), SUBCD: uint32(i % 3)},
				Parcel: int32(i) - 1,
				Street: []string{"Hauptstraße", "Mozartgasse", "Straße des 12. Februar", ""}[i%4], HouseNumber: fmt.Sprint(i/8 + 1),
				PLZ: "1010", Ort: []string{"Wien", "Bad Ischl"}[k],
				ObjectType: "Wohngebäude", At: geom.Point{X: 163_000_000 + int32(i), Y: 482_000_000 - int32(i)}})
		}
		if err := b.Add(&kgfile.KG{Code: code, GemeindeCode: "90001", GemeindeName: "Wien"}, parcels, buildings); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func encode(t testing.TB, b *Builder) []byte {
	t.Helper()
	head, err := b.Head(Sum{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	file, err := sectionfile.EncodeFilled(Family, head, b.Write)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// opened is a directory with all that it holds.
type opened struct {
	*sectionfile.File
	head  *Head
	index *Index
	body  []byte
}

func (o *opened) section(t testing.TB, i int) []byte {
	t.Helper()
	off, n := o.Range(i)
	b, err := o.Decode(i, o.body[off:off+n])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func open(t testing.TB, body []byte) *opened {
	t.Helper()
	f, err := sectionfile.Open(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := ParseHead(f.Head())
	if err != nil {
		t.Fatal(err)
	}
	o := &opened{File: f, head: h, body: body}
	w, ok1 := WordsSection(f.Directory)
	n, ok2 := NamesSection(f.Directory)
	if !ok1 || !ok2 {
		t.Fatal("no words or no names")
	}
	words, _, err := OpenWords(h, o.section(t, w))
	if err != nil {
		t.Fatal(err)
	}
	names, _, err := DecodeNames(h, o.section(t, n))
	if err != nil {
		t.Fatal(err)
	}
	if o.index, err = NewIndex(words, names); err != nil {
		t.Fatal(err)
	}
	return o
}

// Every address comes back with its street, its house number, its parcel, and is found by its id.
func TestAddressesComeBack(t *testing.T) {
	b := sample(t)
	o := open(t, encode(t, b))
	if len(o.head.KGs) != 2 || o.head.Addresses != 5500 || !o.head.Covers("01004") || o.head.Covers("01005") ||
		o.head.Inputs != (Sum{1, 2, 3}) {
		t.Fatalf("head: %+v", o.head)
	}
	for i := range o.head.Addresses {
		want := &b.addresses[i]
		at, ok1 := AddressBlock(o.Directory, i/AddressRows)
		hn, ok2 := HouseBlock(o.Directory, i/AddressRows)
		if !ok1 || !ok2 || i%997 != 0 && i%AddressRows != 0 && i != o.head.Addresses-1 {
			continue
		}
		list, _, err := DecodeAddresses(o.head, o.section(t, at))
		if err != nil || list[i%AddressRows] != want.Address {
			t.Errorf("address %d: want %+v, got %+v, %v", i, want.Address, list[i%AddressRows], err)
		}
		houses, _, err := DecodeHouseNumbers(o.section(t, hn))
		if err != nil || houses[i%AddressRows].Text != want.house {
			t.Errorf("house number of %d: want %s, got %+v, %v", i, want.house, houses[i%AddressRows], err)
		}
		s := o.index.Street(o.index.StreetOf(i))
		if street := b.list[want.street]; s.Name != street.name || *s.Place != street.place || i < s.From || i >= s.To {
			t.Errorf("street of %d: want %+v, got %+v", i, street, s)
		}
		block, ok := IDBlock(o.Directory, want.ID)
		ids, _, err := DecodeIDs(o.head, o.section(t, block))
		if !ok || err != nil || !slices.Contains(ids, ID{want.ID, want.KG}) {
			t.Errorf("id %v is not in its block: %v", want.ID, err)
		}
	}
}

// Every parcel number is found with the KGs that have it, and prefixes reach all blocks of theirs.
func TestNumbersComeBack(t *testing.T) {
	b := sample(t)
	o := open(t, encode(t, b))
	for number, want := range b.numbers {
		block, ok := NumberBlock(o.Directory, string(number))
		if !ok {
			t.Fatalf("%s: no block", number)
		}
		lo, hi := NumberBlocks(o.Directory, string(number)[:1])
		n, _, err := DecodeNumbers(o.head, o.section(t, block))
		if err != nil {
			t.Fatal(err)
		}
		i, ok := n.Find(string(number))
		if !ok || fmt.Sprint(n.KGs(i)) != fmt.Sprint(want) || block < lo || block >= hi {
			t.Fatalf("%s: want %v, got %v; block %d of %d to %d", number, want, ok, block, lo, hi)
		}
	}
	for _, absent := range []string{"", "0", "1/", "999999", "zzz"} {
		if block, ok := NumberBlock(o.Directory, absent); ok {
			if n, _, err := DecodeNumbers(o.head, o.section(t, block)); err != nil {
				t.Error(err)
			} else if _, ok := n.Find(absent); ok {
				t.Errorf("%q is found", absent)
			}
		}
	}
}

// Words lead to the streets that have them; joined and parted words too.
func TestMatching(t *testing.T) {
	x := open(t, encode(t, sample(t))).index
	for _, c := range []struct {
		words string
		in    Field
		whole bool
		want  int
	}{
		{"hauptstrasse", Anywhere, false, 2}, {"haupt strasse", Anywhere, true, 2}, {"haup", Anywhere, false, 2},
		{"haup", Anywhere, true, 0},
		{"hauptstrasse badischl", Anywhere, false, 1}, {"hauptstrasse bad ischl", Anywhere, true, 1}, {"hauptstrasse", InPlace, false, 0},
		{"ischl", InName, false, 0},
		{"strasse 12", Anywhere, false, 2}, {"strasse 1", Anywhere, false, 0}, {"wien", Anywhere, false, 8}, {"", Anywhere, false, 8},
		{"nirgends", Anywhere, false, 0},
	} {
		if got := x.Matching(strings.Fields(c.words), c.in, c.whole).Len(); got != c.want {
			t.Errorf("%q in %d, whole %v: want %d streets, got %d", c.words, c.in, c.whole, c.want, got)
		}
	}
	near, err := x.Near("mozatrgasse")
	if err != nil || fmt.Sprint(near) != "[mozartgasse]" || x.Written("ischl", strings.ToLower) != "Ischl" {
		t.Errorf("near: %v, %v; written %q", near, err, x.Written("ischl", strings.ToLower))
	}
}

// The same KGs give the same bytes, and a file of the first version opens for ever.
func TestFrozen(t *testing.T) {
	body := encode(t, sample(t))
	if !bytes.Equal(body, encode(t, sample(t))) {
		t.Error("two directories of the same KGs differ")
	}
	const path = "testdata/frozen/v1.parts"
	if os.Getenv("MAPPE_FREEZE") != "" {
		if err := os.WriteFile(path, body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	frozen, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if o := open(t, frozen); o.head.Addresses != 5500 || o.index.Streets() != 8 {
		t.Errorf("%d addresses on %d streets", o.head.Addresses, o.index.Streets())
	}
}

// The KGs are listed by rising code and each is added once, in any order, which changes no byte.
func TestKGsInAnyOrder(t *testing.T) {
	if !bytes.Equal(encode(t, sampleIn(t, 1, 0)), encode(t, sample(t))) {
		t.Error("KGs added in another order make another directory")
	}
	for name, kgs := range map[string][]austria.KGCode{"falling": {"88801", "01004"}, "twice": {"01004", "01004"}} {
		if _, err := NewBuilder(kgs); err == nil {
			t.Errorf("codes that are %s are taken", name)
		}
	}
	for _, code := range []austria.KGCode{"01004", "01005"} {
		if err := sample(t).Add(&kgfile.KG{Code: code}, nil, nil); err == nil {
			t.Errorf("KG %s was taken: one is there already, the other is not listed", code)
		}
	}
	if _, err := sampleIn(t, 1).Head(Sum{}); err == nil || !strings.Contains(err.Error(), "01004") {
		t.Errorf("a KG was not added: %v", err)
	}
}

// An empty country has a directory, in which nothing is found.
func TestEmpty(t *testing.T) {
	o := open(t, encode(t, builder(t)))
	if o.index.Streets() != 0 || !o.index.Matching([]string{"a"}, Anywhere, false).Empty() {
		t.Error("something is found")
	}
	if _, ok := NumberBlock(o.Directory, "1"); ok {
		t.Error("a block of numbers")
	}
	if _, ok := IDBlock(o.Directory, austria.BuildingID{ADRCD: 1}); ok {
		t.Error("a block of ids")
	}
}

// FuzzSections: any bytes are a section or an error, and what is read is within the bounds that readers rely on.
func FuzzSections(f *testing.F) {
	o := open(f, encode(f, sample(f)))
	f.Add(uint8(0), o.Head())
	for i := range o.Len() {
		f.Add(uint8(i), o.section(f, i))
	}
	f.Fuzz(func(t *testing.T, kind uint8, body []byte) {
		switch kind % 6 {
		case 0:
			if h, err := ParseHead(body); err == nil && !slices.IsSorted(h.KGs) {
				t.Error("codes do not rise")
			}
		case 1:
			if list, _, err := DecodeAddresses(o.head, body); err == nil {
				for i := range list {
					_ = o.head.KGs[list[i].KG]
				}
			}
		case 2:
			_, _, _ = DecodeHouseNumbers(body)
		case 3:
			if list, _, err := DecodeIDs(o.head, body); err == nil {
				for i := range list {
					_ = o.head.KGs[list[i].KG]
				}
			}
		case 4:
			if n, _, err := DecodeNumbers(o.head, body); err == nil {
				for i := range n.Texts {
					for _, kg := range n.KGs(i) {
						_ = o.head.KGs[kg]
					}
				}
			}
		case 5:
			if n, _, err := DecodeNames(o.head, body); err == nil {
				for i := range n.Streets() {
					if s := n.Street(i); s.To > o.head.Addresses {
						t.Error("a street has addresses that are not there")
					}
				}
			}
		}
		if w, _, err := OpenWords(o.head, body); err == nil && w.n != o.index.n {
			t.Error("other words have the digest")
		}
	})
}
