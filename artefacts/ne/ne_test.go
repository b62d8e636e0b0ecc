package ne

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mappe/shared/geo/hexgrid"
)

// someChunks are chunks of Austria with random rows.
func someChunks(t testing.TB, n int, seed uint64) (lu, k Rows) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	first, err := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 47.3, Lng: 13.2}, ChunkRes)
	if err != nil {
		t.Fatal(err)
	}
	disk, err := first.GridDisk(4)
	if err != nil {
		t.Fatal(err)
	}
	lu = Rows{Layer: LU, RecordBytes: LUBytes, Fields: LU.Fields()}
	k = Rows{Layer: Bev, RecordBytes: KBytes, Fields: Bev.Fields()}
	for i := range n {
		chunk := disk[i]
		var rows, units []byte
		for c := range chunk.Children(LURes) {
			if rnd.IntN(3) == 0 {
				continue
			}
			r := LURow{Cell: c, KGShare: 255, Land: uint8(rnd.IntN(256)), Cov: 255, NUnits: uint8(rnd.IntN(9)),
				EdgeMHa: uint16(rnd.IntN(900)), OrientCoh: None8, OrientAxis2: None8}
			r.Use[rnd.IntN(9)] = r.Land
			rows = r.Append(rows)
		}
		for c := range chunk.Children(KRes) {
			r := KRow{Cell: c, NUnits: 7, P50: 1000, UnitsPerReg10: 20, StrP50: None16}
			units = r.Append(units)
		}
		lu.Chunks, k.Chunks = append(lu.Chunks, ChunkRows{chunk, rows}), append(k.Chunks, ChunkRows{chunk, units})
	}
	sortChunks(lu.Chunks)
	sortChunks(k.Chunks)
	return lu, k
}

func sortChunks(c []ChunkRows) {
	for i := range c {
		for j := i; j > 0 && c[j].Cell < c[j-1].Cell; j-- {
			c[j], c[j-1] = c[j-1], c[j]
		}
	}
}

func container(t testing.TB, dict []byte, layers ...Rows) []byte {
	t.Helper()
	p, err := NewPacker(dict)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Encode(Header{KG: "99101", Stichtag: "2026-10-01"}, layers, p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What is packed is unpacked again, with a dictionary and without.
func TestContainer(t *testing.T) {
	lu, k := someChunks(t, 12, 1)
	var samples [][]byte
	for _, c := range lu.Chunks {
		samples = append(samples, c.Rows)
	}
	dict, err := BuildDict(samples)
	if err != nil || len(dict) == 0 || len(dict) > DictBytes {
		t.Fatalf("a dictionary of %d bytes: %v", len(dict), err)
	}
	for _, d := range [][]byte{nil, dict} {
		b := container(t, d, lu, k)
		if !bytes.Equal(b, container(t, d, lu, k)) {
			t.Error("the same rows give other bytes")
		}
		h, err := ParseFront(b, int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		u, err := NewUnpacker(d)
		if err != nil {
			t.Fatal(err)
		}
		if h.Dict != DictID(d) || h.KG != "99101" || len(h.Generation) != 16 {
			t.Errorf("%+v", h)
		}
		for _, want := range []Rows{lu, k} {
			s := h.Section(want.Layer)
			for i, c := range want.Chunks {
				at, n := s.Range(i, i+1)
				got, err := s.Unpack(i, b[h.Start()+at:h.Start()+at+n], u)
				if err != nil || !bytes.Equal(got, c.Rows) {
					t.Fatalf("%s chunk %s: %v", want.Layer, c.Cell, err)
				}
				if j, ok := s.Find(c.Cell); !ok || j != i {
					t.Errorf("chunk %s is found at %d", c.Cell, j)
				}
			}
		}
	}
}

// A generation covers the header: whatever byte of it is changed, the container is refused.
func TestEveryByteOfTheHeaderCounts(t *testing.T) {
	lu, k := someChunks(t, 2, 2)
	good := container(t, nil, lu, k)
	h, err := ParseFront(good, int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	for at := range int(h.Start()) {
		b := bytes.Clone(good)
		b[at] ^= 1
		if _, err := ParseFront(b, int64(len(b))); !errors.Is(err, ErrContainer) {
			t.Fatalf("byte %d (%q): %v", at, b[max(at-12, 0):at+1], err)
		}
	}
}

// A container that lies about itself is refused, and what is read of it allocates no more than it has.
func TestHostileContainers(t *testing.T) {
	lu, k := someChunks(t, 3, 2)
	good := container(t, nil, lu, k)
	edit := func(old, new string) []byte {
		b := bytes.Clone(good)
		return bytes.Replace(b, []byte(old), []byte(new), 1)
	}
	long := bytes.Clone(good)
	binary.LittleEndian.PutUint32(long[8:], 1<<31)
	for name, b := range map[string][]byte{
		"empty": nil, "another magic": edit(Magic, "NECELLS2"), "a long header": long, "cut": good[:len(good)-1],
		"longer": append(bytes.Clone(good), 0),
		"format": edit(`"format":2`, `"format":3`), "another date": edit(`"stichtag":"2`, `"stichtag":"3`),
		"rows": edit(`"record_bytes":30`, `"record_bytes":31`), "tiny rows": edit(`"record_bytes":30`, `"record_bytes":07`),
		"offset": edit(`"offset":0`, `"offset":8`), "cells": edit(`[["89`, `[["88`),
	} {
		h, err := ParseFront(b, int64(len(b)))
		if err == nil && name == "rows" { // the frames tell
			u, _ := NewUnpacker(nil)
			s := h.Section(LU)
			at, n := s.Range(0, 1)
			_, err = s.Unpack(0, b[h.Start()+at:h.Start()+at+n], u)
		}
		if !errors.Is(err, ErrContainer) {
			t.Errorf("%s: %v", name, err)
		}
	}
	h, err := ParseFront(good, int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	u, err := NewUnpacker(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := h.Section(LU)
	at, n := s.Range(0, 1)
	frame := bytes.Clone(good[h.Start()+at : h.Start()+at+n])
	frame[len(frame)/2] ^= 1
	if _, err := s.Unpack(0, frame, u); !errors.Is(err, ErrContainer) {
		t.Errorf("a changed frame: %v", err)
	}
}

// FuzzContainer reads any header with any sections behind it. The header is sealed, so that what is changed in it is not
// refused for that alone.
func FuzzContainer(f *testing.F) {
	lu, _ := someChunks(f, 1, 3)
	lu.Fields, lu.Chunks[0].Rows = nil, lu.Chunks[0].Rows[:2*LUBytes]
	for _, b := range [][]byte{container(f, nil, lu), container(f, nil)} { // small: what is new is made smaller byte by byte
		n, err := FrontLength(b)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[frontBytes:n], b[n:])
	}
	f.Add([]byte("{}"), []byte{})
	f.Add([]byte(`{"format":2,"generation":"0000000000000000","sections":[{"record_bytes":8,"offset":-1,"length":1}]}`), []byte{1})
	u, err := NewUnpacker(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, header, body []byte) {
		header = bytes.Clone(header)
		seal(header)
		b := binary.LittleEndian.AppendUint32([]byte(Magic), uint32(len(header)))
		b = slices.Concat(b, header, body)
		frames, err := ParseFrames(b, int64(len(b)))
		if err != nil {
			if !errors.Is(err, ErrContainer) {
				t.Fatalf("%v is no damaged container", err)
			}
			return
		}
		end := frames.Start()
		for i := range frames.Len() {
			s, k := frames.At(i)
			at, n := frames.Range(i)
			if at != end || n < 1 || at+n > int64(len(b)) {
				t.Fatalf("frame %d lies at %d and takes %d of %d bytes, the one before ends at %d", i, at, n, len(b), end)
			}
			end = at + n
			rows, err := s.Unpack(k, b[at:end], u)
			if err == nil && len(rows) != s.Chunks[k].Rows*s.RecordBytes {
				t.Fatalf("%d bytes of %d rows", len(rows), s.Chunks[k].Rows)
			}
		}
		if end != int64(len(b)) {
			t.Fatalf("%d bytes belong to no frame", int64(len(b))-end)
		}
	})
}

func FuzzLists(f *testing.F) {
	f.Add([]byte(`{"format":1,"recipe":"cells 1","kgs":[{"kg_code":"99101","key":"cells/99101/99101-2026-10-01-0123456789abcdef.ne"}]}`))
	f.Add([]byte(`{"format":1,"kg_code":"99101","cells":[{"cell":"8c1e3361ada17ff","status":"candidate","since":"2026-10-01","last_change":"2026-10-01","before":"` +
		strings.Repeat("00", 22) + `","after":"` + strings.Repeat("11", 22) + `"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if x, err := ParseIndex(b); err == nil {
			again, err := x.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseIndex(again); err != nil {
				t.Fatalf("a list that was read is refused: %v", err)
			}
		}
		if c, err := ParseChanges(b); err == nil {
			again, err := c.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseChanges(again); err != nil {
				t.Fatalf("changes that were read are refused: %v", err)
			}
		}
	})
}

func TestRowsAreTheirBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		b := make([]byte, LUBytes)
		k := make([]byte, KBytes)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		for i := range k {
			k[i] = byte(rnd.Uint32())
		}
		r, u := ParseLU(b), ParseK(k)
		if !bytes.Equal(r.Append(nil), b) || !bytes.Equal(u.Append(nil), k) {
			t.Fatal("a row does not give its bytes back")
		}
	}
	for l, want := range map[Layer]int{LU: LUBytes, Bev: KBytes} {
		size := map[string]int{"u8": 1, "u16": 2, "u32": 4, "u64": 8}
		n := 0
		for _, f := range l.Fields() {
			n += size[f.Type] * max(f.Count, 1)
		}
		if n != want || l.RecordBytes() != want {
			t.Errorf("%s: fields of %d bytes, rows of %d", l, n, want)
		}
	}
}

func TestMidpoint(t *testing.T) {
	for v, want := range map[float64]uint32{0: 1, 0.5: 1, 1: 1, 2: 2, 100: 103, 1000: 981, 1024: 1069, 1023.99: 981, 1e6: 1004120} {
		if got := Midpoint(v); got != want {
			t.Errorf("%g: want %d, got %d", v, want, got)
		}
	}
	for v := 1.0; v < 1e8; v *= 1.01 {
		got := float64(Midpoint(v))
		if v > 20 && math.Abs(math.Log2(got/v)) > 1.0/16+0.03 {
			t.Errorf("%g: %g is no middle of its class", v, got)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        uint8
	}{{0, 100, 0}, {1, 0, 0}, {100, 100, 255}, {200, 100, 255}, {1, 510, 1}, {1, 511, 0}, {509, 510, 255}, {-5, 10, 0}} {
		if got := Share(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d: want %d, got %d", c.part, c.whole, c.want, got)
		}
	}
}

// A change is a candidate first, confirmed when the next pass sees the same, and gone when the land is as before.
func TestPasses(t *testing.T) {
	cell := hexgrid.Cell(0x8c1e3361ada17ff)
	row := func(arable, built uint8) []LURow {
		r := LURow{Cell: cell, KGShare: 255, Land: 255, Cov: 255, NUnits: 1, EdgeMHa: 100}
		r.Use[2], r.Use[1] = arable, built
		return []LURow{r}
	}
	field, yard, house := row(255, 0), row(155, 100), row(55, 200)
	show := func(c *Changes) string {
		var s []string
		for _, x := range c.Cells {
			b, a := x.Before.Row(cell), x.After.Row(cell)
			s = append(s, strings.Join([]string{string(x.Status), x.Since, x.LastChange}, " "), string(rune('0'+b.Use[1]/100)),
				string(rune('0'+a.Use[1]/100)))
		}
		return strings.Join(s, " ")
	}
	noise := row(254, 1)
	for name, c := range map[string]struct {
		passes [][]LURow
		want   string
	}{
		"nothing":                           {[][]LURow{field, field, field}, ""},
		"a unit of rounding":                {[][]LURow{field, noise, field}, ""},
		"seen once":                         {[][]LURow{field, yard}, "candidate 2 2 0 1"},
		"seen twice":                        {[][]LURow{field, yard, yard}, "confirmed 2 2 0 1"},
		"gone again":                        {[][]LURow{field, yard, field}, ""},
		"it goes on":                        {[][]LURow{field, yard, house}, "candidate 2 3 0 2"},
		"it goes on and stays":              {[][]LURow{field, yard, house, house}, "confirmed 2 3 0 2"},
		"confirmed, then another candidate": {[][]LURow{field, yard, yard, house}, "confirmed 2 2 0 1 candidate 4 4 1 2"},
		"confirmed for good":                {[][]LURow{field, yard, yard, yard, yard}, "confirmed 2 2 0 1"},
		"twice confirmed":                   {[][]LURow{field, yard, yard, house, house}, "confirmed 4 4 1 2"},
	} {
		changes := &Changes{KG: "99101"}
		for i := 1; i < len(c.passes); i++ {
			changes = changes.Pass(c.passes[i-1], c.passes[i], string(rune('1'+i)))
			b, err := changes.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if changes, err = ParseChanges(b); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if got := show(changes); got != c.want {
			t.Errorf("%s: want %q, got %q", name, c.want, got)
		}
	}
	// The other half of a border cell becomes known: nothing can be said.
	half := row(100, 0)
	half[0].Cov, half[0].Land = 100, 100
	if c := (&Changes{}).Pass(half, field, "2"); len(c.Cells) != 0 {
		t.Errorf("another coverage is no change: %+v", c.Cells)
	}
}
