package kgfile_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"strings"
	"testing"

	"mappe/artefacts/internal/column/columntest"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

var tiny = kgtest.Options{Parcels: 40, Segments: 2, AreaKm2: 0.5, Seed: 5}

// touch uses every table.
func touch(f *kgfile.File) error {
	_, err := f.Snapshot()
	f.Locate(geom.Point{X: 151_000_100, Y: 482_000_100})
	f.InBox(f.Bounds(), func(i int) bool { f.ParcelGeometry(i).Contains(geom.Point{}); return true })
	f.ParcelByGNR("1")
	f.FootprintByN(1)
	return err
}

// reseal puts the checksums right, so that mutations reach the decoders behind them.
func reseal(b []byte) []byte {
	b = bytes.Clone(b)
	tab := crc32.MakeTable(crc32.Castagnoli)
	if len(b) < 24 {
		return b
	}
	n := min(int(binary.LittleEndian.Uint16(b[12:])), (len(b)-24)/24)
	binary.LittleEndian.PutUint32(b[16:], uint32(len(b)))
	for i := range n {
		e := b[24+24*i:]
		off, l := uint64(binary.LittleEndian.Uint32(e[4:])), uint64(binary.LittleEndian.Uint32(e[8:]))
		if off+l <= uint64(len(b)) {
			binary.LittleEndian.PutUint32(e[20:], crc32.Checksum(b[off:off+l], tab))
		}
	}
	binary.LittleEndian.PutUint32(b[20:], crc32.Update(crc32.Checksum(b[:20], tab), tab, b[24:24+24*n]))
	return b
}

func FuzzOpen(f *testing.F) {
	good, err := kgfile.Encode(kgtest.Snapshot(tiny))
	if err != nil {
		f.Fatal(err)
	}
	empty, _ := kgfile.Encode(&kgfile.Snapshot{})
	f.Add(good)
	f.Add(empty)
	f.Fuzz(func(t *testing.T, b []byte) {
		columntest.Bounded(t, len(b), func() {
			if file, err := kgfile.Open(reseal(b)); err == nil {
				touch(file)
			}
		})
	})
}

// FuzzMutate changes one place of a good file, which gets further into it than free bytes do.
func FuzzMutate(f *testing.F) {
	good, err := kgfile.Encode(kgtest.Snapshot(tiny))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(400), uint32(1), byte(7))
	f.Fuzz(func(t *testing.T, at, n uint32, v byte) {
		b := bytes.Clone(good)
		for k := range n % 8 {
			b[(at+k*37)%uint32(len(b))] ^= v + byte(k)
		}
		columntest.Bounded(t, len(b), func() {
			if file, err := kgfile.Open(reseal(b)); err == nil {
				touch(file)
			}
		})
	})
}

func TestEveryBrokenByteIsNoticed(t *testing.T) {
	good, err := kgfile.Encode(kgtest.Snapshot(tiny))
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		b := bytes.Clone(good)
		b[i] ^= 0x40
		if _, err := kgfile.Open(b); err == nil {
			t.Fatalf("byte %d of %d changed and nobody noticed", i, len(good))
		}
		if _, err := kgfile.Open(good[:i]); err == nil {
			t.Fatalf("cut to %d of %d bytes and nobody noticed", i, len(good))
		}
		// With the checksums put right it may be read or refused, but not break.
		if i%7 == 0 {
			if f, err := kgfile.Open(reseal(b)); err == nil {
				touch(f)
			}
		}
	}
}

func TestEmptySnapshot(t *testing.T) {
	s := &kgfile.Snapshot{}
	kgfile.Quantise(s)
	f, _ := open(t, s)
	got, err := f.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	diff(t, s, got)
	if _, ok := f.Locate(geom.Point{}); ok {
		t.Error("an empty KG contains a point")
	}
}

// oddities holds what the columns store the long way.
func oddities() *kgfile.Snapshot {
	s := kgtest.Snapshot(tiny)
	s.Parcels[0].Geometry, s.Parcels[0].VertexCount = nil, 0
	s.Parcels[1].GNR, s.Parcels[2].GNR, s.Parcels[3].GNR, s.Parcels[4].GNR = "007", "99999999999/1", "", "12/a"
	s.Parcels[5].GNR = s.Parcels[6].GNR
	s.Parcels[7].AreaSqm, s.Parcels[7].FAR, s.Parcels[7].Compactness = math.NaN(), math.NaN(), math.NaN()
	s.Parcels[8].UseAreas, s.Parcels[8].SymbolCounts = nil, nil
	s.Buildings = append(s.Buildings, kgfile.Building{ID: austria.BuildingID{ADRCD: 1}, Parcel: -1, At: geom.Point{X: -1, Y: -2}})
	s.Labels = append(s.Labels, kgfile.Label{GNR: "4711", Status: austria.StatusG, Rotation: -12.5})
	s.Labels[0].Status = austria.StatusUnknown
	s.Symbols = append(s.Symbols, kgfile.Symbol{NS: 60, Parcel: -1, At: geom.Point{X: 5, Y: 6}})
	s.Folios = s.Folios[1:]
	s.Folios[0].TotalAreaSqm = 12.345
	s.Footprints[0].N = 4_000_000_000
	s.KG.AvgNNDistanceM = math.NaN()
	s.Outline = nil
	kgfile.Quantise(s)
	return s
}

func TestOdditiesComeBack(t *testing.T) {
	s := oddities()
	f, _ := open(t, s)
	got, err := f.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	diff(t, s, got)
	if k, ok, _ := f.FootprintByN(4_000_000_000); !ok || k != 0 {
		t.Errorf("footprint 4000000000: got %d %v", k, ok)
	}
}

func TestEncodeNamesWhatItRefuses(t *testing.T) {
	for want, spoil := range map[string]func(*kgfile.Snapshot){
		"parcel area":            func(s *kgfile.Snapshot) { s.Parcels[1].AreaSqm = -1 },
		"perimeter":              func(s *kgfile.Snapshot) { s.Footprints[0].PerimeterM = math.Inf(1) },
		"row 0: parcel 40 of 40": func(s *kgfile.Snapshot) { s.Buildings[0].Parcel = 40 },
		"has no ring":            func(s *kgfile.Snapshot) { s.Parcels[3].Geometry = geom.MultiPolygon{{}} },
		"0 vertices":             func(s *kgfile.Snapshot) { s.Parcels[3].Geometry = geom.MultiPolygon{{{}}} },
		"longitude and latitude": func(s *kgfile.Snapshot) { s.Parcels[3].Geometry[0][0][0].Y = 950_000_000 },
		"status":                 func(s *kgfile.Snapshot) { s.Parcels[3].Status = 'X' },
		"rotation":               func(s *kgfile.Snapshot) { s.Labels[3].Rotation = math.NaN() },
		"KG total area":          func(s *kgfile.Snapshot) { s.KG.TotalAreaSqm = -5 },
		"at most 4096":           func(s *kgfile.Snapshot) { s.Buildings[0].Street = strings.Repeat("x", 5000) },
	} {
		s := kgtest.Snapshot(tiny)
		spoil(s)
		if _, err := kgfile.Encode(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

var freeze = flag.Bool("freeze", false, "write the frozen file of the current version anew")

// The frozen file of each version opens for ever and means what it meant; all hold the same rows.
func TestFrozenFiles(t *testing.T) {
	newest := fmt.Sprintf("testdata/v%d", kgfile.FormatVersion)
	if *freeze {
		b, err := kgfile.Encode(oddities())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(newest+".kgs", b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for v := 1; v <= kgfile.FormatVersion; v++ {
		name := fmt.Sprintf("testdata/v%d", v)
		b, err := os.ReadFile(name + ".kgs")
		if err != nil {
			t.Fatal(err)
		}
		if got := int(binary.LittleEndian.Uint16(b[8:])); got != v {
			t.Errorf("%s.kgs is of version %d", name, got)
		}
		f, err := kgfile.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%x\n", sha256.Sum256(fmt.Appendf(nil, "%+v", *s)))
		if *freeze && name == newest {
			os.WriteFile(name+".sha256", []byte(got), 0o644)
		}
		want, err := os.ReadFile(name + ".sha256")
		if err != nil || got != string(want) {
			t.Errorf("the contents of %s changed: want %s, got %s (%v)", name, want, got, err)
		}
	}
}
