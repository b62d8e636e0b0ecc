package observations

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/ne"
	"mappe/builders/source/table"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

func yes() *bool { b := true; return &b }

// header describes rows of twelve bytes: a cell, a number and two small ones.
func header(rows int) Header {
	return Header{Layer: "vegetation index", RecordBytes: 12, Rows: rows, Source: "a peer", License: "CC BY 4.0",
		LicenseURL: "https://creativecommons.org/licenses/by/4.0/", Date: "2026-08-15", Released: yes(),
		Fields: []ne.Field{{Name: "cell_id", Type: "u64"}, {Name: "ndvi", Type: "u16"}, {Name: "quality", Type: "u8", Count: 2}}}
}

// cells are n cells of resolution 12, rising, of two chunks.
func cells(t testing.TB, n int) []hexgrid.Cell {
	t.Helper()
	at, _ := geom.PointAt(14.2, 47.6)
	c, err := hexgrid.PointToCell(at, 8)
	if err != nil {
		t.Fatal(err)
	}
	var out []hexgrid.Cell
	for x := range c.Children(ne.LURes) {
		if out = append(out, x); len(out) == n {
			return out
		}
	}
	t.Fatal("too few cells")
	return nil
}

func rowsOf(cells []hexgrid.Cell) (b []byte) {
	for i, c := range cells {
		b = binary.LittleEndian.AppendUint64(b, uint64(c))
		b = append(b, byte(i), byte(i>>8), 7, 9)
	}
	return b
}

// raw is a file whose header need not be true.
func raw(h any, rows []byte) []byte {
	text, ok := h.([]byte)
	if !ok {
		text, _ = json.Marshal(h)
	}
	out := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	return append(append(out, text...), rows...)
}

func everywhere(hexgrid.Cell) func(hexgrid.Cell) bool { return func(hexgrid.Cell) bool { return true } }

func read(files map[string][]byte, placed Placed) (*Layer, table.Problems, error) {
	m := fstest.MapFS{}
	for name, b := range files {
		m[name] = &fstest.MapFile{Data: b}
	}
	var p table.Problems
	l, err := Read(m, placed, &p)
	return l, p, err
}

func TestRead(t *testing.T) {
	list := cells(t, 500) // 343 of the first chunk
	rows := rowsOf(list)
	body, err := Encode(header(500), rows)
	if err != nil {
		t.Fatal(err)
	}
	l, p, err := read(map[string][]byte{"observations/ndvi.neobs": body, "observations/readme.txt": nil}, everywhere)
	if err != nil || p.Total > 0 || l.Header.Rows != 500 || l.Layer != "vegetation index" || !*l.Released {
		t.Fatal(l, p, err)
	}
	var back []byte
	var chunks []hexgrid.Cell
	for _, c := range list {
		if chunk, _ := c.Parent(ne.ChunkRes); !slices.Contains(chunks, chunk) {
			chunks = append(chunks, chunk)
			b, err := l.Below(chunk)
			if err != nil {
				t.Fatal(err)
			}
			back = append(back, b...)
		}
	}
	if !bytes.Equal(back, rows) || len(chunks) != 2 {
		t.Errorf("%d bytes of %d chunks, want %d of 2", len(back), len(chunks), len(rows))
	}
	if b, err := l.Below(list[0]); err != nil || b != nil {
		t.Errorf("below no chunk: %d bytes %v", len(b), err)
	}
	if none, _, err := read(nil, everywhere); none != nil || err != nil {
		t.Errorf("without a folder: %v %v", none, err)
	}
	if none, _, err := read(map[string][]byte{"observations/readme.txt": nil}, everywhere); none != nil || err != nil {
		t.Errorf("without a file: %v %v", none, err)
	}
}

// Rows of other cells are reported and left out, the rest stays; so does the fingerprint of what did not change.
func TestRowsThatAreLeftOut(t *testing.T) {
	list := cells(t, 400)
	coarse, _ := list[0].Parent(ne.KRes)
	all := slices.Clone(list)
	all = append(all, coarse, hexgrid.Cell(1), list[0]|1<<63)
	slices.Sort(all)
	outside := list[10]
	l, p, err := read(map[string][]byte{"observations/a.neobs": raw(header(len(all)), rowsOf(all))},
		func(hexgrid.Cell) func(hexgrid.Cell) bool {
			return func(c hexgrid.Cell) bool { return c != outside }
		})
	if err != nil || p.Total != 4 {
		t.Fatal(p, err)
	}
	said := ""
	for _, q := range p.First {
		said += q.Error() + "\n"
	}
	for _, want := range []string{coarse.String(), "expected a cell of resolution 12", outside.String(),
		"expected a cell in a KG of the source", "a.neobs line "} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said: %s", want, said)
		}
	}
	chunk, _ := list[0].Parent(ne.ChunkRes)
	b, err := l.Below(chunk)
	if err != nil || len(b) != 342*12 || ne.CellOf(b[10*12:]) != list[11] {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	far, p, err := read(map[string][]byte{"observations/a.neobs": raw(header(400), rowsOf(list))},
		func(hexgrid.Cell) func(hexgrid.Cell) bool { return nil })
	if err != nil || p.Total != 400 || len(far.runs) != 0 {
		t.Errorf("in no KG: %d problems, %v", p.Total, err)
	}
}

func TestFingerprint(t *testing.T) {
	list := cells(t, 500)
	first, _ := list[0].Parent(ne.ChunkRes)
	second, _ := list[499].Parent(ne.ChunkRes)
	of := func(h Header, rows []byte) *Layer {
		l, _, err := read(map[string][]byte{"observations/a.neobs": raw(h, rows)}, everywhere)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	a := of(header(500), rowsOf(list))
	b := of(header(499), rowsOf(list[:499]))
	if a.Fingerprint([]hexgrid.Cell{first}) != b.Fingerprint([]hexgrid.Cell{first}) ||
		a.Fingerprint([]hexgrid.Cell{second}) == b.Fingerprint([]hexgrid.Cell{second}) || a.Sum == b.Sum {
		t.Error("a row that is gone changes the fingerprint of its chunk alone")
	}
	if got := a.Fingerprint([]hexgrid.Cell{list[0]}); got != "" {
		t.Errorf("without rows: %q", got)
	}
	h := header(500)
	h.License = "CC0 1.0"
	if of(h, rowsOf(list)).Fingerprint([]hexgrid.Cell{first}) == a.Fingerprint([]hexgrid.Cell{first}) {
		t.Error("another licence is no other fingerprint")
	}
}

func TestRefusals(t *testing.T) {
	list := cells(t, 20)
	rows := rowsOf(list)
	edit := func(f func(*Header)) []byte {
		h := header(20)
		f(&h)
		return raw(h, rows)
	}
	field := func(f ne.Field) []byte { return edit(func(h *Header) { h.Fields = append(h.Fields, f) }) }
	turned := rowsOf([]hexgrid.Cell{list[1], list[0]})
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"another magic":     {[]byte("NECELLS1\x02\x00\x00\x00{}"), "does not begin with NEOBSRV1"},
		"empty":             {nil, "does not begin with"},
		"a long header":     {binary.LittleEndian.AppendUint32([]byte(magic), 1<<30), "a header of 1073741824 bytes"},
		"no JSON":           {raw([]byte("{"), nil), "header"},
		"an unknown member": {raw([]byte(`{"kg":"99101"}`), nil), `unknown field "kg"`},
		"a lie of its size": {edit(func(h *Header) { h.RecordBytes = 13 }), "record_bytes 13: its fields take 12"},
		"rows of another size": {edit(func(h *Header) { h.RecordBytes = 11; h.Fields[2].Count = 1 }),
			"20 rows of 11 bytes are 220, the file has 240"},
		"fewer rows":          {edit(func(h *Header) { h.Rows = 21 }), "21 rows of 12 bytes are 252, the file has 240"},
		"rows below 0":        {edit(func(h *Header) { h.Rows = -1 }), "rows -1"},
		"a cut file":          {raw(header(20), rows[:239]), "the file has 239"},
		"no cell":             {edit(func(h *Header) { h.Fields[0].Name = "cell" }), "the first of them cell_id"},
		"cells of four bytes": {edit(func(h *Header) { h.Fields[0].Type = "u32" }), "the first of them cell_id"},
		"a field twice":       {field(ne.Field{Name: "ndvi", Type: "u8"}), "expected a new name"},
		"a field named rows":  {field(ne.Field{Name: "rows", Type: "u8"}), "expected a new name"},
		"a name with a quote": {field(ne.Field{Name: `a"b`, Type: "u8"}), "expected a new name"},
		"an unknown type":     {field(ne.Field{Name: "f", Type: "f32"}), `type "f32": expected u8, u16, u32 or u64`},
		"a count below 0":     {field(ne.Field{Name: "f", Type: "u8", Count: -1}), "count -1"},
		"too long": {edit(func(h *Header) { h.Fields[2] = ne.Field{Name: "f", Type: "u64", Count: 200}; h.RecordBytes = 1610 }),
			"at most 1024 are allowed"},
		"no source":        {edit(func(h *Header) { h.Source = "" }), "source"},
		"no licence":       {edit(func(h *Header) { h.License = "" }), "license"},
		"two lines":        {edit(func(h *Header) { h.Layer = "a\nb" }), "layer"},
		"no date":          {edit(func(h *Header) { h.Date = "August" }), `date "August"`},
		"not said whether": {edit(func(h *Header) { h.Released = nil }), "released is missing"},
		"turned rows":      {raw(header(2), turned), "row 2: cell " + list[0].String() + " does not stand behind"},
		"a cell twice":     {raw(header(2), rowsOf([]hexgrid.Cell{list[0], list[0]})), "does not stand behind"},
	} {
		_, _, err := read(map[string][]byte{"observations/a.neobs": c.body}, everywhere)
		if !errors.Is(err, errForm) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "a.neobs") {
			t.Errorf("%s: want %q, got %v", name, c.want, err)
		}
	}
	if _, _, err := read(map[string][]byte{"observations/a.neobs": raw(header(20), rows), "observations/b.neobs": raw(header(20), rows)},
		everywhere); err == nil || !strings.Contains(err.Error(), "2 files") {
		t.Errorf("two files: %v", err)
	}
	if _, err := Encode(header(3), rows); err == nil {
		t.Error("a header that lies was written")
	}
}

func FuzzRead(f *testing.F) {
	list := cells(f, 20)
	f.Add(raw(header(20), rowsOf(list)))
	f.Add(raw(header(2), rowsOf(list[:2]))[:40])
	f.Fuzz(func(t *testing.T, b []byte) {
		l, p, err := read(map[string][]byte{"observations/a.neobs": b}, everywhere)
		if err != nil {
			return
		}
		n := 0
		for _, r := range l.runs {
			n += r.rows
			rows, err := l.Below(r.chunk)
			if err != nil || len(rows)%l.RecordBytes != 0 {
				t.Fatal(err)
			}
		}
		if n+p.Total != l.Header.Rows {
			t.Errorf("%d rows and %d problems of %d", n, p.Total, l.Header.Rows)
		}
	})
}
