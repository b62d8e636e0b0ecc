package column

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/internal/column/columntest"
)

var format = Format{Magic: [8]byte{'T', 'E', 'S', 'T'}, Version: 1, Oldest: 1, Sections: []string{"only"}}

// reread sends numbers through a section.
func reread(t *testing.T, v []uint64) ([]uint64, Section) {
	t.Helper()
	s, err := format.Section("only", len(v), func(w *Writer) { w.Ints(v) })
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	if err := s.Read(func(r *Reader, n int) { got = Ints[uint64](r, n) }); err != nil {
		t.Fatal(err)
	}
	return got, s
}

func TestIntsComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, at := range map[string]func(i int) uint64{
		"zero":             func(int) uint64 { return 0 },
		"one byte":         func(i int) uint64 { return uint64(i % 251) },
		"two bytes":        func(i int) uint64 { return uint64(i * 31 % 65521) },
		"three bytes":      func(i int) uint64 { return uint64(i) * 1009 % (1 << 24) },
		"eight bytes":      func(int) uint64 { return rng.Uint64() },
		"one odd at first": func(i int) uint64 { return map[bool]uint64{true: 1 << 63, false: 7}[i == 0] },
		"one odd at last":  func(i int) uint64 { return map[bool]uint64{true: 70_000, false: 300}[i == 999] },
		"odd among zeros":  func(i int) uint64 { return map[bool]uint64{true: uint64(i), false: 0}[i%100 == 99] },
		"odd of all sizes": func(i int) uint64 { return map[bool]uint64{true: 1 << (i / 100 * 6), false: 1}[i%100 == 50] },
		"too many to be odd": func(i int) uint64 {
			return map[bool]uint64{true: 1 << 30, false: 5}[i%50 == 0]
		},
	} {
		v := make([]uint64, 1000)
		for i := range v {
			v[i] = at(i)
		}
		got, s := reread(t, v)
		if !slices.Equal(got, v) {
			t.Errorf("%s: the numbers come back changed", name)
		}
		if odd := s.Body[0]&hasOdd != 0; odd != strings.Contains(name, "odd ") {
			t.Errorf("%s: width byte %#x", name, s.Body[0])
		}
	}
}

// Numbers written in a wide type are refused by a narrow one, odd ones too.
func TestNarrowReaderRefusesWideNumbers(t *testing.T) {
	for _, v := range [][]uint64{{1 << 40}, append(make([]uint64, 200), 1<<40)} {
		s, err := format.Section("only", len(v), func(w *Writer) { w.Ints(v) })
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Read(func(r *Reader, n int) { Ints[uint32](r, n) }); err == nil {
			t.Errorf("%d numbers up to 2^40 were read into 32 bits", len(v))
		}
	}
}

// A list whose columns take no bytes at all is padded by the writer and read again.
func TestUniformListsArePadded(t *testing.T) {
	const entries = 10_000
	s, err := format.Section("only", 1, func(w *Writer) { w.List(entries); w.Ints(make([]uint64, entries)) })
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Body) < entries-rowSlack {
		t.Errorf("%d entries in %d bytes", entries, len(s.Body))
	}
	n := 0
	if err := s.Read(func(r *Reader, _ int) { n = len(Ints[uint8](r, r.List())) }); err != nil || n != entries {
		t.Errorf("want %d entries, got %d: %v", entries, n, err)
	}
}

// Columns of width 0 have no bytes, so only the bound on lists keeps a small file from asking for much.
func TestListsAreBoundedByTheBytes(t *testing.T) {
	for _, count := range []uint64{1 << 20, 1 << 28, 1 << 62} {
		w := Writer{}
		w.Uvarint(count)
		s := Section{Name: "only", Body: append(w.Buf, 0, 0, 0), Raw: maxRaw, Rows: 1}
		columntest.Bounded(t, len(s.Body), func() {
			if err := s.Read(func(r *Reader, _ int) { Ints[uint64](r, r.List()) }); err == nil {
				t.Errorf("a list of %d entries in %d bytes was read", count, len(s.Body))
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	s, _ := format.Section("only", 300, func(w *Writer) {
		v := make([]uint64, 300)
		for i := range v {
			v[i] = uint64(i * i)
		}
		v[7] = 1 << 50
		w.Ints(v)
		w.Text(strings.Split(strings.Repeat("ab,c,,", 101), ",")[:300])
		w.List(2)
		w.Ints([]uint64{1, 2})
	})
	f.Add(s.Body, uint32(s.Raw), uint16(s.Rows))
	f.Fuzz(func(t *testing.T, body []byte, raw uint32, rows uint16) {
		file, err := format.Assemble([]Section{{"only", body, int(raw), int(rows)}})
		if err != nil {
			return
		}
		columntest.Bounded(t, len(file), func() {
			secs, err := format.Disassemble(file)
			if err != nil {
				return
			}
			secs[0].Read(func(r *Reader, n int) {
				Ints[uint64](r, n)
				r.Text(n)
				l := r.List()
				Ints[uint8](r, l)
				Ints[uint32](r, l)
			})
		})
	})
}
