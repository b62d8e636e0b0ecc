package ne

import (
	"encoding/binary"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/builders/source/observations"
	"mappe/builders/source/table"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// observed is a peer's layer with a row in every cell of a box and in some around it.
func observed(t testing.TB, box geom.Box, value byte) (*observations.Layer, int) {
	t.Helper()
	const margin = 20_000 // 1e-7 degrees
	ring := geom.Ring{{X: box.MinX - margin, Y: box.MinY - margin}, {X: box.MaxX + margin, Y: box.MinY - margin},
		{X: box.MaxX + margin, Y: box.MaxY + margin}, {X: box.MinX - margin, Y: box.MaxY + margin}}
	cells, err := hexgrid.PolygonToCells(geom.MultiPolygon{{ring}}, ne.LURes, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var rows []byte
	for _, c := range cells {
		rows = append(binary.LittleEndian.AppendUint64(rows, uint64(c)), byte(c>>9), value)
	}
	released := true
	body, err := observations.Encode(observations.Header{Layer: "seen", RecordBytes: 10, Rows: len(cells), Source: "a peer",
		License:    "CC BY 4.0",
		LicenseURL: "https://creativecommons.org/licenses/by/4.0/", Date: "2026-08-15", Released: &released,
		Fields: []ne.Field{{Name: "cell_id", Type: "u64"}, {Name: "seen", Type: "u8", Count: 2}}}, rows)
	if err != nil {
		t.Fatal(err)
	}
	var p table.Problems
	l, err := observations.Read(fstest.MapFS{"observations/seen.neobs": {Data: body}}, func(hexgrid.Cell) func(hexgrid.Cell) bool {
		return func(hexgrid.Cell) bool { return true }
	}, &p)
	if err != nil || p.Total > 0 {
		t.Fatal(err, p)
	}
	return l, len(cells)
}

// obsOf reads the observations of a container, by cell, and the cells of its LU rows.
func (p *publishes) obsOf(k *ne.IndexKG) (rows map[hexgrid.Cell]string, lu []hexgrid.Cell, section *ne.Section) {
	p.t.Helper()
	b, _, err := store.ReadAll(p.t.Context(), p.st, k.Key, 1<<24, store.GetOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	head, err := ne.ParseFront(b, int64(len(b)))
	if err != nil {
		p.t.Fatal(err)
	}
	u, err := ne.NewUnpacker(dict)
	if err != nil {
		p.t.Fatal(err)
	}
	defer u.Close()
	rows = map[hexgrid.Cell]string{}
	for i := range head.Sections {
		s := &head.Sections[i]
		at := head.Start() + s.Offset
		for n, c := range s.Chunks {
			r, err := s.Unpack(n, b[at:at+c.Bytes], u)
			if err != nil {
				p.t.Fatal(err)
			}
			at += c.Bytes
			for ; len(r) > 0; r = r[s.RecordBytes:] {
				switch s.Layer {
				case ne.LU:
					lu = append(lu, ne.CellOf(r))
				case ne.Obs:
					rows[ne.CellOf(r)] = string(r[:s.RecordBytes])
				}
			}
		}
	}
	return rows, lu, head.Section(ne.Obs)
}

// A KG has the observations of its own cells, also of those on a border, where every KG has the same bytes. A layer that
// changes or goes makes the containers anew, and what changed in the land is not touched.
func TestObservationsInContainers(t *testing.T) {
	s := small()
	middle := s.KG.Box.MinX/2 + s.KG.Box.MaxX/2
	a := half(s, "99101", func(p geom.Point) bool { return p.X < middle })
	b := half(s, "99102", func(p geom.Point) bool { return p.X >= middle })
	for _, k := range []*kgfile.Snapshot{a, b} {
		k.KG.Box = k.Outline.Bounds()
	}
	p := &publishes{t: t, st: mem.New(), live: manifest.Artefacts{}}
	var n int
	p.obs, n = observed(t, s.KG.Box, 1)
	x, err := p.pass("2026-10-01", a, b)
	if err != nil {
		t.Fatal(err)
	}
	if x.Obs == nil || x.Obs.Source != "a peer" || x.Obs.RecordBytes != 10 || len(x.Obs.Fields) != 2 {
		t.Errorf("the list says %+v", x.Obs)
	}
	of := map[austria.KGCode]map[hexgrid.Cell]string{}
	for i := range x.KGs {
		k := &x.KGs[i]
		rows, lu, section := p.obsOf(k)
		if len(rows) != len(lu) || len(rows) != k.ObsRows || len(rows) >= n || section == nil || section.Origin == nil ||
			section.Origin.License != "CC BY 4.0" || k.ObsDigest != section.SHA256[:16] {
			t.Errorf("KG %s: %d observations in %d cells, the list says %d, the section %+v", k.Code, len(rows), len(lu), k.ObsRows,
				section)
		}
		for _, c := range lu {
			if want := string(append(binary.LittleEndian.AppendUint64(nil, uint64(c)), byte(c>>9), 1)); rows[c] != want {
				t.Fatalf("cell %s: %x, want %x", c, rows[c], want)
			}
		}
		of[k.Code] = rows
	}
	shared := 0
	for c, row := range of["99101"] {
		if other, ok := of["99102"][c]; ok {
			shared++
			if other != row {
				t.Errorf("cell %s differs in its KGs", c)
			}
		}
	}
	if shared == 0 {
		t.Error("no cell of both KGs")
	}
	first := x.KGs[0]
	if x, err = p.pass("2026-10-01", a, b); err != nil || x.KGs[0].Key != first.Key {
		t.Errorf("the same layer again: %v", err)
	}
	recipe := Stages(p.obs)[1].Recipe
	p.obs, _ = observed(t, s.KG.Box, 2)
	if Stages(p.obs)[1].Recipe == recipe || Stages(nil)[1].Recipe == recipe {
		t.Error("another layer is no other recipe")
	}
	if x, err = p.pass("2026-10-01", a, b); err != nil || x.KGs[0].ObsDigest == first.ObsDigest || x.KGs[0].Digest != first.Digest ||
		x.KGs[0].Candidates != 0 {
		t.Errorf("another layer: %+v %v", x.KGs[0], err)
	}
	p.obs = nil
	if x, err = p.pass("2026-10-01", a, b); err != nil || x.Obs != nil || x.KGs[0].ObsRows != 0 || x.KGs[0].Digest != first.Digest {
		t.Errorf("without the layer: %+v %v", x.KGs[0], err)
	}
	if rows, _, section := p.obsOf(&x.KGs[0]); section != nil || len(rows) != 0 {
		t.Errorf("%d observations are left", len(rows))
	}
	far := s.KG.Box
	far.MinX, far.MaxX = far.MinX+20_000_000, far.MaxX+20_000_000
	p.obs, _ = observed(t, far, 1)
	before := x.KGs[0].Key
	if x, err = p.pass("2026-10-01", a, b); err != nil || x.KGs[0].Key != before || strings.Contains(x.KGs[0].Key, first.Key) {
		t.Errorf("observations elsewhere: %+v %v", x.KGs[0], err)
	}
}

// Cells that nobody has observed have no rows, and chunks of such cells are not in the container.
func TestObservationsOfSomeChunks(t *testing.T) {
	s := small()
	layers, err := Build(t.Context(), open(t, s), nil)
	if err != nil {
		t.Fatal(err)
	}
	west := s.KG.Box
	west.MaxX = west.MinX - 15_000 // observed makes it 20,000 wider
	obs, _ := observed(t, west, 1)
	all, err := withObservations(layers, obs)
	if err != nil || len(all) != len(layers)+1 {
		t.Fatalf("%d layers, %v", len(all), err)
	}
	lu, seen := layers[0].Chunks, all[len(layers)].Chunks
	if len(seen) == 0 || len(seen) >= len(lu) {
		t.Fatalf("%d chunks have observations, %d rows", len(seen), len(lu))
	}
	for _, c := range seen {
		if err := ne.CheckRows(c.Rows, obs.RecordBytes, ne.LURes, c.Cell); err != nil || len(c.Rows) == 0 {
			t.Errorf("chunk %s: %d bytes, %v", c.Cell, len(c.Rows), err)
		}
	}
	east := s.KG.Box
	east.MinX, east.MaxX = east.MaxX+30_000, east.MaxX+60_000
	obs, _ = observed(t, east, 1)
	if all, err = withObservations(layers, obs); err != nil || len(all) != len(layers) {
		t.Errorf("of none of its cells: %d layers, %v", len(all), err)
	}
}
