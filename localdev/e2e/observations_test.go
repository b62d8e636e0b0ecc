package e2e

import (
	"encoding/binary"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/builders/national"
	"mappe/builders/source/observations"
	"mappe/builders/source/table"
	"mappe/functions/context/cells"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// peersFile writes observations of every cell of a box to a source, and reads them as a build does.
func peersFile(t *testing.T, box geom.Box) *observations.Layer {
	t.Helper()
	list, err := hexgrid.PolygonToCells(geom.MultiPolygon{{{{X: box.MinX, Y: box.MinY}, {X: box.MaxX, Y: box.MinY},
		{X: box.MaxX, Y: box.MaxY}, {X: box.MinX, Y: box.MaxY}}}}, ne.LURes, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var rows []byte
	for _, c := range list {
		rows = append(binary.LittleEndian.AppendUint64(rows, uint64(c)), byte(c>>9))
	}
	released := true
	body, err := observations.Encode(observations.Header{Layer: "seen", RecordBytes: 9, Rows: len(list), Source: "a peer",
		License:    "CC BY 4.0",
		LicenseURL: "https://creativecommons.org/licenses/by/4.0/", Date: "2026-08-15", Released: &released,
		Fields: []ne.Field{{Name: "cell_id", Type: "u64"}, {Name: "seen", Type: "u8"}}}, rows)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, observations.Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, observations.Folder, "seen"+observations.Ending), body, 0o644); err != nil {
		t.Fatal(err)
	}
	var p table.Problems
	l, err := observations.Read(os.DirFS(dir), func(hexgrid.Cell) func(hexgrid.Cell) bool {
		return func(hexgrid.Cell) bool { return true }
	}, &p)
	if err != nil || p.Total > 0 {
		t.Fatal(err, p)
	}
	return l
}

// What a peer's file says of a cell comes out of the service: in the container of the KG, in the chunk and in the cell, with
// whose it is.
func TestObservationsFromFileToAnswer(t *testing.T) {
	st := mem.New()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99101", Parcels: 60, Segments: 2, AreaKm2: 0.3, Seed: 5})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	ask := func(path string) ([]byte, int) {
		lib, err := library.Open(t.Context(), st, library.Options{})
		if err != nil {
			t.Fatal(err)
		}
		h, err := cells.New(cells.Deps{Library: lib, Now: time.Now}).Handler()
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/ne"+path, nil))
		return w.Body.Bytes(), w.Code
	}
	if b, _ := ask(""); !strings.Contains(string(b), `"obs_public":false`) {
		t.Errorf("before: %.300s", b)
	}
	if _, err := national.Publish(t.Context(), national.Publication{Store: st, Observer: quiet{},
		Country: national.Country{Observations: peersFile(t, snapshot.KG.Box)}}); err != nil {
		t.Fatal(err)
	}
	if b, _ := ask(""); !strings.Contains(string(b), `"obs_public":true`) || !strings.Contains(string(b), `"source":"a peer"`) {
		t.Errorf("after: %.300s", b)
	}
	b, code := ask("/99101?layers=obs")
	head, err := ne.ParseFront(b, int64(len(b)))
	if err != nil || code != 200 || len(head.Sections) != 1 {
		t.Fatalf("%d %v", code, err)
	}
	s := head.Section(ne.Obs)
	if s == nil || s.Origin == nil || s.Origin.Source != "a peer" || s.RecordBytes != 9 || s.Rows < 500 {
		t.Fatalf("%+v", s)
	}
	dict, _ := ask("/dict/" + head.Dict)
	u, err := ne.NewUnpacker(dict)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	rows, err := s.Unpack(0, b[head.Start():head.Start()+s.Chunks[0].Bytes], u)
	if err != nil {
		t.Fatal(err)
	}
	for r := rows; len(r) > 0; r = r[9:] {
		if want := byte(ne.CellOf(r) >> 9); r[8] != want {
			t.Fatalf("cell %s: %d, want %d", ne.CellOf(r), r[8], want)
		}
	}
	first := ne.CellOf(rows)
	var cell struct {
		Data struct{ Obs struct{ Seen int } }
	}
	if b, _ := ask("/cell/" + first.String()); json.Unmarshal(b, &cell) != nil || cell.Data.Obs.Seen != int(byte(first>>9)) {
		t.Errorf("the cell: %s", b)
	}
	if b, code := ask("/99101?layers=obs&format=json"); code != 200 || !strings.Contains(string(b), `"seen":[`) {
		t.Errorf("as JSON: %d %.200s", code, b)
	}
}
