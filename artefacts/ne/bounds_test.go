package ne

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"mappe/shared/geo/hexgrid"
)

// chunkCells are cells of resolution 9 around a place, rising.
func chunkCells(t testing.TB, n int) []hexgrid.Cell {
	t.Helper()
	first, err := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 47.3, Lng: 13.2}, ChunkRes)
	if err != nil {
		t.Fatal(err)
	}
	disk, err := first.GridDisk(4)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(disk)
	return disk[:n]
}

// within are the first cells of a chunk at a resolution, rising.
func within(t testing.TB, chunk hexgrid.Cell, res, n int) []hexgrid.Cell {
	t.Helper()
	var out []hexgrid.Cell
	for c := range chunk.Children(res) {
		out = append(out, c)
	}
	slices.Sort(out)
	return out[:n]
}

// A section is held to its place, to its limits and to its chunks, at each bound and beside it.
func TestSectionsAtTheirBounds(t *testing.T) {
	cells := chunkCells(t, 3)
	good := func() *Section {
		return &Section{Layer: LU, RecordBytes: 30, Rows: 5, Offset: 10, Length: 100,
			Chunks: []Chunk{{cells[0], 2, 40, ""}, {cells[1], 3, 60,
				""}}}
	}
	for _, c := range []struct {
		name string
		edit func(*Section)
		ok   bool
	}{
		{"as it is", func(*Section) {}, true},
		{"another place", func(s *Section) { s.Offset = 11 }, false},
		{"before its place", func(s *Section) { s.Offset = 9 }, false},
		{"all that is left", func(s *Section) { s.Length, s.Chunks[1].Bytes = 200, 160 }, true},
		{"a byte more than is left", func(s *Section) { s.Length, s.Chunks[1].Bytes = 201, 161 }, false},
		{"less than nothing", func(s *Section) { s.Length, s.Chunks = -1, nil }, false},
		{"the shortest rows", func(s *Section) { s.RecordBytes = 8 }, true},
		{"shorter", func(s *Section) { s.RecordBytes = 7 }, false},
		{"the longest rows", func(s *Section) { s.RecordBytes = maxRecord }, true},
		{"longer", func(s *Section) { s.RecordBytes = maxRecord + 1 }, false},
		{"no chunk", func(s *Section) { s.Rows, s.Length, s.Chunks = 0, 0, nil }, true},
		{"chunks that fall", func(s *Section) { s.Chunks[0].Cell = cells[2] }, false},
		{"one chunk twice", func(s *Section) { s.Chunks[1].Cell = cells[0] }, false},
		{"no cell", func(s *Section) { s.Chunks[0].Cell = 0 }, false},
		{"a cell of another resolution", func(s *Section) { s.Chunks[0].Cell = within(t, cells[0], LURes, 1)[0] }, false},
		{"all rows of a chunk", func(s *Section) { s.Chunks[0].Rows, s.Rows = ChunkCells, ChunkCells+3 }, true},
		{"a row more", func(s *Section) { s.Chunks[0].Rows, s.Rows = ChunkCells+1, ChunkCells+4 }, false},
		{"no row", func(s *Section) { s.Chunks[0].Rows, s.Rows = 0, 3 }, false},
		{"no byte", func(s *Section) { s.Chunks[0].Bytes, s.Length = 0, 60 }, false},
		{"one byte", func(s *Section) { s.Chunks[0].Bytes, s.Length = 1, 61 }, true},
		{"a chunk beyond the section", func(s *Section) { s.Chunks[1].Bytes = 61 }, false},
		{"bytes that no chunk has", func(s *Section) { s.Length = 101 }, false},
		{"rows that no chunk has", func(s *Section) { s.Rows = 6 }, false},
	} {
		s := good()
		c.edit(s)
		if err := s.check(10, 200); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	s := good()
	for _, r := range []struct{ i, j, at, n int }{{0, 0, 10, 0}, {0, 1, 10, 40}, {1, 2, 50, 60}, {0, 2, 10, 100}, {2, 2, 110, 0}} {
		if at, n := s.Range(r.i, r.j); at != int64(r.at) || n != int64(r.n) {
			t.Errorf("frames %d to %d: want %d and %d, got %d and %d", r.i, r.j, r.at, r.n, at, n)
		}
	}
	for i, c := range []hexgrid.Cell{cells[0], cells[1]} {
		if n, ok := s.Find(c); n != i || !ok {
			t.Errorf("%s is chunk %d, got %d", c, i, n)
		}
	}
	if _, ok := s.Find(cells[2]); ok {
		t.Error("a missing chunk was found")
	}
}

// A header is held to the length of its file and to the formats that are read.
func TestHeadersAtTheirBounds(t *testing.T) {
	of := func(format, sections int, length int64) *Header {
		h := &Header{Format: format, start: 100}
		for range sections {
			h.Sections = append(h.Sections, Section{RecordBytes: 8})
		}
		if length > 0 {
			cell := chunkCells(t, 1)[0]
			h.Sections[0] = Section{RecordBytes: 8, Rows: 1, Length: length, Chunks: []Chunk{{cell, 1, length, ""}}}
			for i := 1; i < sections; i++ {
				h.Sections[i].Offset = length
			}
		}
		return h
	}
	for _, c := range []struct {
		name string
		h    *Header
		size int64
		ok   bool
	}{
		{"format 0", of(0, 0, 0), 100, false}, {"format 1", of(1, 0, 0), 100, true}, {"the format of today", of(Format, 0, 0), 100, true},
		{"a later one", of(Format+1, 0, 0), 100, false},
		{"all sections", of(2, maxSections, 0), 100, true}, {"one more", of(2, maxSections+1, 0), 100, false},
		{"a section", of(2, 1, 50), 150, true}, {"a byte too many", of(2, 1, 50), 151, false}, {"a byte too few", of(2, 1, 50), 149, false},
		{"two sections", of(2, 2, 50), 150, true},
	} {
		if err := c.h.check(c.size); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	front := func(n uint32) []byte { return binary.LittleEndian.AppendUint32([]byte(Magic), n) }
	for n, ok := range map[uint32]bool{0: true, 5: true, maxHeader: true, maxHeader + 1: false} {
		if got, err := FrontLength(front(n)); (err == nil) != ok || ok && got != len(Magic)+4+int(n) {
			t.Errorf("a header of %d bytes: %d, %v", n, got, err)
		}
	}
	if _, err := FrontLength(front(5)[:len(Magic)+3]); !errors.Is(err, ErrContainer) {
		t.Errorf("a front that is cut off: %v", err)
	}
	lu, k := someChunks(t, 1, 4)
	b := container(t, nil, lu, k)
	n, err := FrontLength(b)
	if err != nil || n%8 != 0 || (n-len(Magic)-4) > maxHeader {
		t.Errorf("the sections begin at byte %d: %v", n, err)
	}
	if _, err := ParseFront(b[:n], int64(len(b))); err != nil {
		t.Errorf("the front alone: %v", err)
	}
	if _, err := ParseFront(b[:n-1], int64(len(b))); !errors.Is(err, ErrContainer) {
		t.Errorf("a front without its last byte: %v", err)
	}
}

// The frames of a container by number are its chunks, section after section, each where it lies.
func TestFramesByNumber(t *testing.T) {
	lu, k := someChunks(t, 3, 5)
	b := container(t, nil, lu, k)
	f, err := ParseFrames(b, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	u, err := NewUnpacker(nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.Len() != 6 || f.Size() != int64(len(b)) || f.Memory() < 6*72 {
		t.Fatalf("%d frames in %d bytes, %d in memory", f.Len(), f.Size(), f.Memory())
	}
	end := f.Start()
	for i := range f.Len() {
		want, layer := lu.Chunks[i%3], LU
		if i >= 3 {
			want, layer = k.Chunks[i%3], Bev
		}
		at, n := f.Range(i)
		s, chunk := f.At(i)
		if at != end || s.Layer != layer || chunk != i%3 || f.Name(i) != string(layer)+" "+want.Cell.String() {
			t.Errorf("frame %d is %s at %d, expected at %d", i, f.Name(i), at, end)
		}
		end = at + n
		rows, err := s.Unpack(chunk, b[at:end], u)
		if err != nil || !bytes.Equal(rows, want.Rows) {
			t.Errorf("frame %d: %v", i, err)
		}
		if got, ok := f.Frame(layer, want.Cell); !ok || got != i {
			t.Errorf("%s %s is frame %d, got %d", layer, want.Cell, i, got)
		}
		if stored, err := f.Decode(i, b[at:end]); err != nil || !bytes.Equal(stored, b[at:end]) {
			t.Errorf("frame %d is passed on as it is: %v", i, err)
		}
		if _, err := f.Decode(i, b[at:end-1]); !errors.Is(err, ErrContainer) {
			t.Errorf("a frame that is cut off: %v", err)
		}
	}
	if end != f.Size() {
		t.Errorf("the frames end at %d of %d", end, f.Size())
	}
	if _, ok := f.Frame(LU, chunkCells(t, 61)[60]); ok {
		t.Error("a missing chunk has a frame")
	}
	if _, ok := f.Frame("none", lu.Chunks[0].Cell); ok {
		t.Error("a missing layer has a frame")
	}
}

// Rows are by rising cell of a resolution, in their chunk.
func TestRowsThatAreNone(t *testing.T) {
	chunks := chunkCells(t, 2)
	cells := within(t, chunks[0], LURes, 3)
	row := func(c hexgrid.Cell) []byte { r := LURow{Cell: c}; return r.Append(nil) }
	for _, c := range []struct {
		name   string
		b      []byte
		record int
		ok     bool
	}{
		{"none", nil, LUBytes, true}, {"one", row(cells[0]), LUBytes, true}, {"rising", slices.Concat(row(cells[0]), row(cells[1]),
			row(cells[2])), LUBytes, true},
		{"falling", slices.Concat(row(cells[1]), row(cells[0])), LUBytes, false}, {"twice", slices.Concat(row(cells[1]), row(cells[1])),
			LUBytes, false},
		{"half a row", row(cells[0])[:15], LUBytes, false}, {"of 8 bytes", row(cells[0])[:8], 8, true}, {"of 7 bytes", make([]byte, 7), 7,
			false},
		{"another chunk's", row(within(t, chunks[1], LURes, 1)[0]), LUBytes, false}, {"of another resolution", row(within(t, chunks[0],
			LURes-1, 1)[0]), LUBytes, false}, {"no cell", row(1), LUBytes, false},
	} {
		if err := CheckRows(c.b, c.record, LURes, chunks[0]); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
