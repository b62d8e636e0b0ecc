package ne

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"testing"
)

// The parts of KGs, read back from the sections of the sums, make the same sections once more.
func TestPartsAreKept(t *testing.T) {
	for seed := range uint64(20) {
		kgs, changes := randomKGs(t, rand.New(rand.NewPCG(seed, 7)))
		sections := sectionsOf(t, kgs, changes)
		var noted Noted
		var parts []*Part
		for _, k := range kgs {
			sums, ok := sections[AddableSection(k.Code)]
			rest, has := sections[RestSection(k.Code)]
			if ok != has {
				t.Fatalf("KG %s: sums %v, rest %v", k.Code, ok, has)
			}
			if !ok {
				continue
			}
			p, err := ParsePart(k, sums.Body, rest.Body)
			if err != nil {
				t.Fatal(err)
			}
			noted.NotePart(p)
			parts = append(parts, p)
		}
		all := noted.Sums()
		for _, p := range parts {
			all.Add(p)
		}
		again, err := all.Sections()
		if err != nil || len(again) != len(sections) {
			t.Fatalf("%d sections, want %d: %v", len(again), len(sections), err)
		}
		for _, s := range again {
			if !reflect.DeepEqual(s, sections[s.Name]) {
				t.Errorf("section %s differs", s.Name)
			}
		}
	}
}

func TestWrongRests(t *testing.T) {
	kgs, changes := randomKGs(t, rand.New(rand.NewPCG(1, 1)))
	sections := sectionsOf(t, kgs, changes)
	sums, good := sections[AddableSection(kgs[0].Code)].Body, sections[RestSection(kgs[0].Code)].Body
	row := func(cell uint64, confirmed int64) []byte {
		b := binary.LittleEndian.AppendUint64(nil, cell)
		b = binary.LittleEndian.AppendUint64(b, uint64(confirmed))
		return binary.LittleEndian.AppendUint64(b, 0)
	}
	sum := good[:32:32]
	cell := someCells(t, 1)[0]
	above, _ := cell.Parent(ChunkRes)
	if _, err := ParsePart(kgs[0], sums, append(sum, row(uint64(above), 1)...)); err != nil {
		t.Error(err)
	}
	for what, b := range map[string][]byte{
		"nothing":            nil,
		"half a row":         good[:len(good)-1],
		"no cell":            append(sum, row(0, 1)...),
		"another resolution": append(sum, row(uint64(cell), 1)...),
		"a row twice":        append(sum, append(row(uint64(above), 1), row(uint64(above), 1)...)...),
		"less than nothing":  append(sum, row(uint64(above), -1)...),
		"more than a cell":   append(sum, row(uint64(above), 1<<60)...),
	} {
		if _, err := ParsePart(kgs[0], sums, b); err == nil {
			t.Errorf("%s is read", what)
		}
	}
	if _, err := ParsePart(kgs[0], []byte("{"), good); err == nil {
		t.Error("sums that are no JSON are read")
	}
}

func FuzzParsePart(f *testing.F) {
	kgs, changes := randomKGs(f, rand.New(rand.NewPCG(1, 1)))
	sections := sectionsOf(f, kgs, changes)
	f.Add(sections[AddableSection(kgs[0].Code)].Body, sections[RestSection(kgs[0].Code)].Body)
	f.Fuzz(func(t *testing.T, sums, rest []byte) {
		p, err := ParsePart(kgs[0], sums, rest)
		if err == nil && !reflect.DeepEqual(p.Rest(), rest) {
			t.Errorf("a rest of %d bytes reads as one of %d", len(rest), len(p.Rest()))
		}
	})
}
