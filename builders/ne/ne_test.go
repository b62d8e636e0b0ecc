package ne

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

func open(t testing.TB, s *kgfile.Snapshot) *kgfile.File {
	t.Helper()
	b, err := kgfile.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func luOf(t testing.TB, rows []ne.Rows) (out []ne.LURow) {
	t.Helper()
	for _, c := range rows[0].Chunks {
		if err := ne.CheckRows(c.Rows, ne.LUBytes, ne.LURes, c.Cell); err != nil {
			t.Fatal(err)
		}
		for b := range slices.Chunk(c.Rows, ne.LUBytes) {
			out = append(out, ne.ParseLU(b))
		}
	}
	return out
}

func kOf(t testing.TB, rows []ne.Rows) (out []ne.KRow) {
	t.Helper()
	for _, c := range rows[1].Chunks {
		if err := ne.CheckRows(c.Rows, ne.KBytes, ne.KRes, c.Cell); err != nil {
			t.Fatal(err)
		}
		for b := range slices.Chunk(c.Rows, ne.KBytes) {
			out = append(out, ne.ParseK(b))
		}
	}
	return out
}

// half is the parcels of a snapshot that pick chooses, with their uses and footprints, as a KG of its own.
func half(s *kgfile.Snapshot, code austria.KGCode, pick func(geom.Point) bool) *kgfile.Snapshot {
	out := &kgfile.Snapshot{KG: s.KG, Build: s.Build}
	out.KG.Code = code
	for _, p := range s.Parcels {
		if pick(p.Inside) {
			out.Parcels = append(out.Parcels, p)
			out.Outline = append(out.Outline, p.Geometry...)
		}
	}
	for _, u := range s.LandUse {
		if pick(u.Inside) {
			out.LandUse = append(out.LandUse, u)
		}
	}
	for _, f := range s.Footprints {
		if pick(f.Inside) {
			f.N, f.Parcel = uint32(len(out.Footprints)+1), -1
			out.Footprints = append(out.Footprints, f)
		}
	}
	out.KG.ParcelCount, out.KG.FootprintCount, out.KG.LandUseCount, out.KG.BuildingCount = len(out.Parcels), len(out.Footprints),
		len(out.LandUse), 0
	out.Folios = kgfile.Folios(out.Parcels)
	return out
}

func small() *kgfile.Snapshot {
	return kgtest.Snapshot(kgtest.Options{Code: "99101", Parcels: 60, Segments: 3, AreaKm2: 0.06, Seed: 5})
}

// Every row agrees with the slow reference within a unit.
func TestRowsAgainstTheReference(t *testing.T) {
	s := small()
	rows, err := Build(t.Context(), open(t, s), nil)
	if err != nil {
		t.Fatal(err)
	}
	w := slow(s)
	lu := luOf(t, rows)
	if len(lu) < 150 {
		t.Fatalf("%d rows", len(lu))
	}
	total, land := 0.0, 0
	for _, r := range lu {
		w.judge(t, "99101", r)
		a := flatCell(t, r.Cell).Area()
		total += float64(r.KGShare) / 255 * a
		land += int(r.Land)
	}
	if want := s.KG.TotalAreaSqm; total < want*0.99 || total > want*1.01 {
		t.Errorf("the shares sum to %.0f m², the parcels to %.0f", total, want)
	}
	if land == 0 {
		t.Error("no land use")
	}
	ks := kOf(t, rows)
	if len(ks) < 4 {
		t.Fatalf("%d K rows", len(ks))
	}
	for _, k := range ks {
		w.judgeUnits(t, k)
	}
}

// A border cell has the same row in every KG but for kg_share, and is what it would be in one KG.
func TestBorderCellsAreEqual(t *testing.T) {
	s := small()
	middle := s.KG.Box.MinX/2 + s.KG.Box.MaxX/2
	a := half(s, "99101", func(p geom.Point) bool { return p.X < middle })
	b := half(s, "99102", func(p geom.Point) bool { return p.X >= middle })
	fa, fb, fs := open(t, a), open(t, b), open(t, s)
	build := func(f *kgfile.File, n ...*kgfile.File) []ne.Rows {
		rows, err := Build(t.Context(), f, n)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	ra, rb, rs := build(fa, fb), build(fb, fa), build(fs)
	whole := map[hexgrid.Cell]ne.LURow{}
	for _, r := range luOf(t, rs) {
		whole[r.Cell] = r
	}
	shares := map[hexgrid.Cell]int{}
	times := map[hexgrid.Cell]int{}
	for _, rows := range [][]ne.Rows{ra, rb} {
		for _, r := range luOf(t, rows) {
			shares[r.Cell] += int(r.KGShare)
			times[r.Cell]++
			want := whole[r.Cell]
			want.KGShare = r.KGShare
			if r != want {
				t.Errorf("a border cell differs from the same of one KG:\n%+v\n%+v", want, r)
			}
		}
	}
	border := 0
	for c, n := range times {
		if n == 2 {
			border++
		}
		if d := shares[c] - int(whole[c].KGShare); d < -1 || d > 1 {
			t.Errorf("cell %s: the shares of both KGs sum to %d, in one KG it has %d", c, shares[c], whole[c].KGShare)
		}
	}
	if len(times) != len(whole) || border < 10 {
		t.Errorf("%d cells in two KGs, %d of them in both, %d in one", len(times), border, len(whole))
	}
	units := map[hexgrid.Cell]ne.KRow{}
	for _, k := range kOf(t, rs) {
		k.RegN, k.UnitsPerReg10 = 0, 0 // a folio that lies in both halves counts in each
		units[k.Cell] = k
	}
	for _, rows := range [][]ne.Rows{ra, rb} {
		for _, k := range kOf(t, rows) {
			k.RegN, k.UnitsPerReg10 = 0, 0
			if k != units[k.Cell] {
				t.Errorf("a K row differs from the same of one KG:\n%+v\n%+v", units[k.Cell], k)
			}
		}
	}
}

// The same files give the same bytes, in whatever order the neighbours come.
func TestSameBytes(t *testing.T) {
	s := small()
	third := (s.KG.Box.MaxX - s.KG.Box.MinX) / 3
	cut := func(code austria.KGCode, i int32) *kgfile.File {
		return open(t, half(s, code, func(p geom.Point) bool { return min((p.X-s.KG.Box.MinX)/third, 2) == i }))
	}
	a, b, c := cut("99101", 0), cut("99102", 1), cut("99103", 2)
	encode := func(n ...*kgfile.File) []byte {
		rows, err := Build(t.Context(), b, n)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ne.NewPacker(nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := ne.Encode(ne.Header{KG: "99102", Stichtag: "2026-10-01"}, rows, p)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if !bytes.Equal(encode(a, c), encode(c, a)) {
		t.Error("the order of neighbours changes the bytes")
	}
}

// The areas that come with the rows are those of their cells, to the last bit.
func TestAreasOfTheRows(t *testing.T) {
	b, err := compute(t.Context(), []*kgfile.File{open(t, small())}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := parsed(b.layers[0].Chunks)
	areas := b.areas()
	if len(rows) != len(areas) || len(rows) == 0 {
		t.Fatalf("%d rows, %d areas", len(rows), len(areas))
	}
	for i, r := range rows {
		if areas[i] != ne.CellArea(r.Cell) {
			t.Fatalf("row %d, cell %s: %v m², want %v", i, r.Cell, areas[i], ne.CellArea(r.Cell))
		}
	}
}

// Build computes the rows of a KG: f is its file, neighbours those of the KGs whose boxes meet Near of its box.
func Build(ctx context.Context, f *kgfile.File, neighbours []*kgfile.File) ([]ne.Rows, error) {
	b, err := compute(ctx, append([]*kgfile.File{f}, neighbours...), nil)
	return b.layers, err
}
