package ne

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/shared/geo/hexgrid"
)

// Shares are within a unit, boundaries within 2 m per ha; of a cell that is known in part nothing is said unless the same part
// is known.
func TestSameLand(t *testing.T) {
	base := LURow{Cov: 255, StrCover: 100, StrN: 3, EdgeMHa: 200, Use: [9]uint8{100, 155}}
	for _, c := range []struct {
		name string
		edit func(a, b *LURow)
		same bool
	}{
		{"nothing", func(_, _ *LURow) {}, true},
		{"a use by a unit", func(_, b *LURow) { b.Use[0], b.Use[1] = 101, 154 }, true},
		{"a use by two", func(_, b *LURow) { b.Use[0] = 102 }, false},
		{"a use by two less", func(_, b *LURow) { b.Use[8] = 2 }, false},
		{"buildings' ground by a unit", func(_, b *LURow) { b.StrCover = 99 }, true},
		{"by two", func(_, b *LURow) { b.StrCover = 98 }, false},
		{"a building", func(_, b *LURow) { b.StrN = 4 }, false},
		{"boundaries by 2", func(_, b *LURow) { b.EdgeMHa = 202 }, true},
		{"boundaries by 3", func(_, b *LURow) { b.EdgeMHa = 203 }, false},
		{"whole, but for rounding", func(a, b *LURow) { a.Cov, b.Cov, b.StrN = 254, 255, 4 }, false},
		{"a part of one", func(a, b *LURow) { a.Cov, b.Use[0] = 253, 50 }, true},
		{"a part of both, the same", func(a, b *LURow) { a.Cov, b.Cov, b.Use[0] = 253, 253, 50 }, false},
		{"a part of both, buildings differ", func(a, b *LURow) { a.Cov, b.Cov, b.StrN, b.EdgeMHa = 253, 253, 9, 500 }, true},
		{"a part of both, another one", func(a, b *LURow) { a.Cov, b.Cov, b.Use[0] = 253, 200, 50 }, true},
	} {
		a, b := base, base
		c.edit(&a, &b)
		if Same(&a, &b) != c.same || Same(&b, &a) != c.same {
			t.Errorf("%s: want the same %v", c.name, c.same)
		}
	}
}

// Changes are of cells of resolution 12 in their order, a confirmed one before a candidate of the same cell.
func TestChangesInOrder(t *testing.T) {
	cells := within(t, chunkCells(t, 1)[0], LURes, 3)
	of := func(i int, s Status) Change { return Change{Cell: cells[i], Status: s} }
	for _, c := range []struct {
		name string
		list []Change
		ok   bool
	}{
		{"none", nil, true}, {"one", []Change{of(1, Candidate)}, true}, {"rising", []Change{of(0, Candidate), of(1, Confirmed), of(2,
			Candidate)}, true},
		{"both of a cell", []Change{of(0, Confirmed), of(0, Candidate)}, true}, {"the candidate first", []Change{of(0, Candidate), of(0,
			Confirmed)}, false},
		{"two candidates", []Change{of(0, Candidate), of(0, Candidate)}, false}, {"two confirmed", []Change{of(0, Confirmed), of(0,
			Confirmed)}, false},
		{"falling", []Change{of(1, Candidate), of(0, Candidate)}, false}, {"no status", []Change{of(0, "seen")}, false},
		{"another resolution", []Change{{Cell: chunkCells(t, 1)[0], Status: Candidate}}, false}, {"no cell", []Change{{Cell: 5,
			Status: Candidate}}, false},
	} {
		if err := checkChanges(c.list); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	x := Changes{Cells: []Change{of(0, Confirmed), of(0, Candidate), of(1, Candidate)}}
	if candidates, confirmed := x.Counts(); candidates != 2 || confirmed != 1 {
		t.Errorf("%d candidates, %d confirmed", candidates, confirmed)
	}
	for _, digits := range []int{0, 43, 44, 45, 46} {
		var s Stat
		if err := s.UnmarshalText([]byte(strings.Repeat("1", digits))); (err == nil) != (digits == 44) {
			t.Errorf("%d digits: %v", digits, err)
		}
	}
}

// Lists are of the format that is read, with keys of their KGs, by rising code.
func TestListsInOrder(t *testing.T) {
	key := func(kg string) string { return "cells/" + kg + "/" + kg + "-2026-10-01-0123456789abcdef.ne" }
	kg := func(code, keyOf string) string { return fmt.Sprintf(`{"kg_code":%q,"key":%q}`, code, key(keyOf)) }
	changed := func(changes string) string {
		return strings.TrimSuffix(kg("99101", "99101"), "}") + fmt.Sprintf(`,"changes":%q}`, changes)
	}
	for _, c := range []struct {
		format int
		kgs    []string
		ok     bool
	}{
		{1, nil, true}, {0, nil, false}, {2, nil, false}, {1, []string{kg("99101", "99101")}, true}, {1, []string{kg("99101", "99101"),
			kg("99102", "99102")}, true},
		{1, []string{kg("99102", "99102"), kg("99101", "99101")}, false}, {1, []string{kg("99101", "99101"), kg("99101", "99101")}, false},
		{1, []string{kg("99101", "99102")}, false}, {1, []string{`{"kg_code":"99101","key":"x"}`}, false},
		{1, []string{`{"kg_code":"x","key":"x"}`}, false}, {1, []string{changed("x")}, false}, {1, []string{changed("")}, true},
		{1, []string{changed(keys.CellChanges{Code: "99101", Date: "2026-10-01", Sum: "0123456789abcdef"}.String())}, true},
		{1, []string{changed(keys.CellChanges{Code: "99102", Date: "2026-10-01", Sum: "0123456789abcdef"}.String())}, false},
		{1, []string{changed(key("99101"))}, false},
	} {
		x, err := ParseIndex(fmt.Appendf(nil, `{"format":%d,"kgs":[%s]}`, c.format, strings.Join(c.kgs, ",")))
		if (err == nil) != c.ok {
			t.Errorf("format %d, %v: %v", c.format, c.kgs, err)
			continue
		}
		for i := range c.kgs {
			if c.ok && x.Find(x.KGs[i].Code) != &x.KGs[i] {
				t.Errorf("%s is not found", x.KGs[i].Code)
			}
		}
		if c.ok && (x.Find("00001") != nil || x.Find("99999") != nil) {
			t.Error("a KG that is not in the list was found")
		}
	}
}

// A dictionary is learned from 8 chunks on; parts of it stay within their room.
func TestDictionaries(t *testing.T) {
	lu, _ := someChunks(t, 12, 9)
	var chunks [][]byte
	for _, c := range lu.Chunks {
		chunks = append(chunks, c.Rows)
	}
	for n, learned := range map[int]bool{0: false, 7: false, 8: true} {
		dict, err := BuildDict(chunks[:n])
		if err != nil || (dict != nil) != learned || len(dict) > DictBytes {
			t.Errorf("%d chunks: a dictionary of %d bytes, %v", n, len(dict), err)
		}
		if id := DictID(dict); (id == "") == learned || learned && len(id) != 16 {
			t.Errorf("%d chunks: %q", n, id)
		}
	}
	samples := [][]byte{bytes.Repeat([]byte{1}, 2000), bytes.Repeat([]byte{2}, 500), bytes.Repeat([]byte{3}, 3000)}
	want := slices.Concat(samples[0][:1024], samples[1], samples[2][:1024])
	if got := history(samples, 5000); !bytes.Equal(got, want) {
		t.Errorf("of each sample the first kilobyte: got %d bytes", len(got))
	}
	if got := history(samples, 1200); len(got) > 1200 || !bytes.HasPrefix(got, samples[0][:1024]) {
		t.Errorf("a room of 1,200 bytes: got %d", len(got))
	}
	u, err := NewUnpacker(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPacker(nil)
	if err != nil {
		t.Fatal(err)
	}
	frame := p.Append(nil, samples[1])
	for n, ok := range map[int]bool{499: false, 500: true, 501: false} {
		if b, err := u.Rows(frame, n); (err == nil) != ok || ok && !bytes.Equal(b, samples[1]) {
			t.Errorf("500 bytes as %d: %v", n, err)
		}
	}
}

// Sums and changed ground that are written are read again; what is out of order or no number is refused.
func TestSumsOfCells(t *testing.T) {
	cells := chunkCells(t, 3)
	list := []Coarse{{Cell: cells[0], Cov: 1.5, Land: 1, Use: [9]float64{0, 0.5}, Str: 0.25}, {Cell: cells[1]}}
	got, err := ParseCoarse(EncodeCoarse(list))
	if err != nil || !slices.Equal(got, list) {
		t.Errorf("want %v, got %v, %v", list, got, err)
	}
	for name, bad := range map[string][]Coarse{"falling": {list[1], list[0]}, "twice": {list[0], list[0]}, "negative": {{Cell: cells[0],
		Cov: -1}}, "infinite": {{Cell: cells[0], Str: math.Inf(1)}}, "no number": {{Cell: cells[0], Land: math.NaN()}},
		"no cell": {{Cell: 7}}} {
		if _, err := ParseCoarse(EncodeCoarse(bad)); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
	if _, err := ParseCoarse(EncodeCoarse(list)[1:]); err == nil {
		t.Error("a row without its first byte was read")
	}
	ground := []*Ground{{Cell: cells[1], Candidate: 7}, {Cell: cells[0], Confirmed: 5}, {Cell: cells[2]}}
	back, err := ParseGround(EncodeGround(ground))
	if err != nil || len(back) != 2 || back[0].Cell != cells[0] || back[0].Confirmed != 5 || back[0].Candidate != 0 ||
		back[1].Candidate != 7 || back[1].Confirmed != 0 {
		t.Errorf("by rising cell, without the empty one: %+v, %v", back, err)
	}
	row := EncodeGround([]*Ground{{Cell: cells[0], Confirmed: 1}})
	other := EncodeGround([]*Ground{{Cell: cells[1], Confirmed: 1}})
	fine := EncodeGround([]*Ground{{Cell: within(t, cells[0], LURes, 1)[0], Confirmed: 1}})
	for name, b := range map[string][]byte{"twice": slices.Concat(row, row), "falling": slices.Concat(other, row), "cut": row[:15],
		"another resolution": fine} {
		if _, err := ParseGround(b); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
	parent, err := cells[0].Parent(ChunkRes - 1)
	if err != nil {
		t.Fatal(err)
	}
	lifted, err := LiftGround([]Ground{{Cell: cells[0], Confirmed: 5, Candidate: 1}, {Cell: cells[0], Confirmed: 2, Candidate: 3}},
		ChunkRes-1)
	if g := lifted[parent]; err != nil || len(lifted) != 1 || g.Confirmed != 7 || g.Candidate != 4 || g.Cell != parent {
		t.Errorf("lifted: %+v, %v", lifted, err)
	}
	with := WithGround([]Coarse{{Cell: cells[1], Cov: 3}}, map[hexgrid.Cell]Ground{cells[0]: {}, cells[1]: {}})
	if len(with) != 2 || with[0].Cell != cells[0] || with[0].Cov != 0 || with[1].Cov != 3 {
		t.Errorf("with changed ground: %+v", with)
	}
	sums, err := Lift([]Coarse{{Cell: cells[0], Cov: 1, Land: 2, Str: 3, Use: [9]float64{4}}, {Cell: cells[0], Cov: 10, Land: 20, Str: 30,
		Use: [9]float64{40}}}, ChunkRes)
	if err != nil || len(sums) != 1 || sums[0] != (Coarse{Cell: cells[0], Cov: 11, Land: 22, Str: 33, Use: [9]float64{44}}) {
		t.Errorf("of one cell: %+v, %v", sums, err)
	}
}

// Of rows that two KGs share each has its part; a row without cover or without a share has none.
func TestCoarseParts(t *testing.T) {
	cell := within(t, chunkCells(t, 1)[0], LURes, 1)[0]
	m2 := CellArea(cell)
	for _, c := range []struct {
		row       LURow
		cov, land float64 // in parts of the cell
	}{
		{LURow{Cell: cell, Cov: 255, KGShare: 255, Land: 255}, 1, 1}, {LURow{Cell: cell, Cov: 255, KGShare: 51, Land: 102}, 0.2, 0.08},
		{LURow{Cell: cell, Cov: 102, KGShare: 255, Land: 51}, 0.4, 0.2},
		{LURow{Cell: cell, Cov: 0, KGShare: 255, Land: 255}, 0, 0}, {LURow{Cell: cell, Cov: 255, KGShare: 0, Land: 255}, 0, 0},
	} {
		got, err := CoarseOf([]LURow{c.row}, cellAreas([]LURow{c.row}), ChunkRes)
		if err != nil || (len(got) == 0) != (c.cov == 0) || len(got) > 0 && (math.Abs(got[0].Cov-c.cov*m2) > 1e-6*m2 ||
			math.Abs(got[0].Land-c.land*m2) > 1e-6*m2) {
			t.Errorf("%+v: want %g and %g of %.1f m², got %+v, %v", c.row, c.cov, c.land, m2, got, err)
		}
	}
	// a cell of resolution 12 has some 307 m² on average; the area does not depend on where its border begins
	if m2 < 200 || m2 > 400 {
		t.Errorf("a cell of %g m²", m2)
	}
	var a PlaneArea
	for _, p := range [][2]float64{{5, 5}, {9, 5}, {9, 8}, {5, 8}} {
		a.Add(p[0], p[1])
	}
	if a.M2() != 12 {
		t.Errorf("a rectangle of 4 by 3 m has %g m²", a.M2())
	}
}

// A subset has the sections that are named, and says where their bytes are; what lies side by side is one piece.
func TestPiecesOfASubset(t *testing.T) {
	lu, k := someChunks(t, 2, 6)
	third := lu
	third.Layer = "third"
	whole := container(t, nil, lu, k, third)
	h, err := ParseFront(whole, int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		layers []Layer
		pieces int
	}{{nil, 0}, {[]Layer{LU}, 1}, {[]Layer{Bev}, 1}, {[]Layer{LU, Bev}, 1}, {[]Layer{LU, "third"}, 2}, {[]Layer{"third", Bev, LU}, 1},
		{[]Layer{"none"}, 0}} {
		front, rest, err := h.Subset(c.layers)
		if err != nil || len(rest) != c.pieces {
			t.Errorf("%v: %d pieces, %v", c.layers, len(rest), err)
		}
		b := bytes.Clone(front)
		for _, p := range rest {
			b = append(b, whole[p.Offset:p.Offset+p.Length]...)
		}
		got, err := Verify(b, nil)
		if err != nil {
			t.Errorf("%v: %v", c.layers, err)
			continue
		}
		for _, l := range []Layer{LU, Bev, "third"} {
			if (got.Section(l) != nil) != slices.Contains(c.layers, l) {
				t.Errorf("%v: a section of %s", c.layers, l)
			}
		}
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-1] ^= 1
	if _, err := Verify(damaged, nil); !errors.Is(err, ErrContainer) {
		t.Errorf("a container with another last byte: %v", err)
	}
	var chunk Chunk
	for text, ok := range map[string]bool{`["8c1e3361ada17ff",1,2,"x"]`: true, `["8c1e3361ada17ff",1,2]`: false,
		`["8c1e3361ada17ff",1,2,"x",5]`: false, `{}`: false} {
		if err := json.Unmarshal([]byte(text), &chunk); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The middle of a class stands for every area in it; the last class has all that are larger.
func TestMidpointsOfClasses(t *testing.T) {
	for _, sqm := range []float64{1, 100, 5000, 1 << 20, 1<<32 - 1} {
		m := float64(Midpoint(sqm))
		if ratio := m / sqm; ratio < 0.9 || ratio > 2 {
			t.Errorf("%g m² are shown as %g", sqm, m)
		}
	}
	if last := Midpoint(1<<32 - 1); Midpoint(1<<32) != last || Midpoint(1e12) != last || last < 4e9 {
		t.Errorf("areas beyond the classes: %d and %d, the last class has %d", Midpoint(1<<32), Midpoint(1e12), last)
	}
}
