package national

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/ne"
	"mappe/builders/source/observations"
	"mappe/builders/source/sourcetest"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// putObservations writes a peer's layer of the cells around positions into a source.
func putObservations(t *testing.T, dir string, released bool, cells []hexgrid.Cell) {
	t.Helper()
	slices.Sort(cells)
	var rows []byte
	for _, c := range cells {
		rows = append(binary.LittleEndian.AppendUint64(rows, uint64(c)), 5)
	}
	body, err := observations.Encode(observations.Header{Layer: "seen", RecordBytes: 9, Rows: len(cells), Source: "a peer",
		License:    "CC BY 4.0",
		LicenseURL: "https://creativecommons.org/licenses/by/4.0/", Date: "2026-08-15", Released: &released,
		Fields: []ne.Field{{Name: "cell_id", Type: "u64"}, {Name: "seen", Type: "u8"}}}, rows)
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.File(t, dir, "observations/seen.neobs", string(body))
}

func cellAt(t *testing.T, x, y int32, res int) hexgrid.Cell {
	t.Helper()
	c, err := hexgrid.PointToCell(geom.Point{X: x, Y: y}, res)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Cells in a KG and on its border are taken, those elsewhere are named; a layer that is not released is not published.
func TestObservationsOfASource(t *testing.T) {
	dir := sourcetest.Write(t, sourcetest.Three...)
	edge := int32(sourcetest.Side * sourcetest.Parcel)
	inside := cellAt(t, sourcetest.X+edge/2, sourcetest.Y+edge/2, ne.LURes)
	border := cellAt(t, sourcetest.X, sourcetest.Y+edge/2, ne.LURes)
	near, far := cellAt(t, sourcetest.X-40_000, sourcetest.Y, ne.LURes), cellAt(t, sourcetest.X+30_000_000, sourcetest.Y, ne.LURes)
	putObservations(t, dir, true, []hexgrid.Cell{inside, border, near, far})
	s, err := OpenSource(t.Context(), SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(s.Warnings, "\n")
	for _, c := range []hexgrid.Cell{near, far} {
		if !strings.Contains(said, c.String()) {
			t.Errorf("cell %s is not named: %s", c, said)
		}
	}
	l := s.Country.Observations
	if l == nil {
		t.Fatal("the layer is not read")
	}
	for _, c := range []hexgrid.Cell{inside, border} {
		chunk, _ := c.Parent(ne.ChunkRes)
		rows, err := l.Below(chunk)
		found := false
		for ; len(rows) > 0; rows = rows[9:] {
			found = found || ne.CellOf(rows) == c
		}
		if err != nil || !found || strings.Contains(said, c.String()) {
			t.Errorf("cell %s is not taken: %v, %s", c, err, said)
		}
	}
	putObservations(t, dir, false, []hexgrid.Cell{inside})
	if s, err = OpenSource(t.Context(), SourceOptions{Dir: dir}); err != nil || s.Country.Observations != nil ||
		!strings.Contains(strings.Join(s.Warnings, "\n"), "seen of a peer is not released") {
		t.Errorf("before its release: %v %v", s.Warnings, err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "observations", "seen.neobs"))
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.File(t, dir, "observations/seen.neobs", strings.Replace(string(b), `"record_bytes":9`, `"record_bytes":8`, 1))
	if _, err := OpenSource(t.Context(), SourceOptions{Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "record_bytes 8: its fields take 9") {
		t.Errorf("a header that lies: %v", err)
	}
}
