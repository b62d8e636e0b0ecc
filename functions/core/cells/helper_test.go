package cells

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/hexgrid"
)

// The dates of the made-up publications.
const (
	firstAt  = "2026-10-30T04:00:00.000Z"
	secondAt = "2026-10-31T04:00:00.000Z"
	thirdAt  = "2026-11-01T04:00:00.000Z"
	unbuilt  = austria.KGCode("88803")
)

func today() time.Time { return fixture.Noon }

// log are three publications: the second changed one KG, the third another.
func threePublications() manifest.Publications {
	return manifest.Publications{Format: manifest.Format, Entries: []manifest.Publication{
		{At: firstAt, Generation: "a", Cells: []austria.KGCode{"00804", "88801", "88802"}},
		{At: secondAt, Generation: "b", Cells: []austria.KGCode{"88802"}},
		{At: thirdAt, Generation: "c", Cells: []austria.KGCode{"88801"}}}}
}

// builtOnes are the KGs of the world that have cells.
func builtOnes() []*kgfile.Snapshot {
	return slices.DeleteFunc(fixture.Snapshots(), func(s *kgfile.Snapshot) bool { return s.KG.Code == unbuilt })
}

// world is the made-up world with the cells of its KGs but for the cold one.
func world(t testing.TB, o fixture.CellsOf) store.Store {
	t.Helper()
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots(), unbuilt); err != nil {
		t.Fatal(err)
	}
	if o.Log.Entries == nil {
		o.Log = threePublications()
	}
	if err := fixture.AddCells(s, builtOnes(), o); err != nil {
		t.Fatal(err)
	}
	return s
}

func over(t testing.TB, s store.Store) http.Handler {
	t.Helper()
	lib := fixture.Library(t, s)
	return fixture.Handler(t, New(Deps{Library: lib, Now: today}))
}

func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	return fixture.Ask(h, "GET", "/api/v1/ne"+path, "", header...)
}

// ask reads the data of a JSON answer.
func ask[T any](t testing.TB, h http.Handler, path string) (v T) {
	t.Helper()
	w := get(h, path)
	var body struct{ Data T }
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 200 {
		t.Fatalf("%s: want 200, got %d %v %.400s", path, w.Code, err, w.Body)
	}
	return body.Data
}

// refusal reads an error answer.
func refusal(t testing.TB, w *httptest.ResponseRecorder) (f struct {
	Error   string
	Status  int
	Code    string
	Split   json.RawMessage
	Pending []string `json:"pending_kgs"`
}) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || f.Error == "" || f.Status != w.Code {
		t.Fatalf("got %d %v %.400s", w.Code, err, w.Body)
	}
	return f
}

// truth are the rows of the world put together without the code under test.
type truth struct {
	lu     map[hexgrid.Cell][]byte // of the KG with the largest share
	bev    map[hexgrid.Cell][]byte
	shares map[hexgrid.Cell]map[string]int
	kgs    map[hexgrid.Cell][]string // that have rows below a chunk
}

func truthOf(list []*kgfile.Snapshot) *truth {
	tr := &truth{map[hexgrid.Cell][]byte{}, map[hexgrid.Cell][]byte{}, map[hexgrid.Cell]map[string]int{}, map[hexgrid.Cell][]string{}}
	slices.SortFunc(list, func(a, b *kgfile.Snapshot) int { return strings.Compare(string(a.KG.Code), string(b.KG.Code)) })
	for _, s := range list {
		for _, layer := range fixture.CellRows(s) {
			for _, chunk := range layer.Chunks {
				if layer.Layer == ne.LU {
					tr.kgs[chunk.Cell] = append(tr.kgs[chunk.Cell], string(s.KG.Code))
				}
				for row := range slices.Chunk(chunk.Rows, layer.RecordBytes) {
					c := ne.CellOf(row)
					if layer.Layer == ne.Bev {
						tr.bev[c] = row
						continue
					}
					if tr.shares[c] == nil {
						tr.shares[c] = map[string]int{}
					}
					tr.shares[c][string(s.KG.Code)] = int(row[8])
					if tr.lu[c] == nil || row[8] > tr.lu[c][8] {
						tr.lu[c] = row
					}
				}
			}
		}
	}
	return tr
}

func (tr *truth) chunks() []hexgrid.Cell { return slices.Sorted(maps.Keys(tr.kgs)) }

// rows are the rows of cells by rising id.
func rowsBy(rows map[hexgrid.Cell][]byte, keep func(hexgrid.Cell) bool) (out []byte) {
	for _, c := range slices.Sorted(maps.Keys(rows)) {
		if keep(c) {
			out = append(out, rows[c]...)
		}
	}
	return out
}

// border is a cell that two KGs share, more of it in 88801.
func (tr *truth) border(t testing.TB) hexgrid.Cell {
	t.Helper()
	for _, c := range slices.Sorted(maps.Keys(tr.shares)) {
		if s := tr.shares[c]; len(s) == 2 && s["88801"] > s["88802"] {
			return c
		}
	}
	t.Fatal("no cell of two KGs")
	return 0
}

func ids2(cells []hexgrid.Cell) string {
	b, _ := json.Marshal(map[string]any{"ids": cells})
	return string(b)
}

func parent(c hexgrid.Cell, res int) hexgrid.Cell {
	p, err := c.Parent(res)
	if err != nil {
		panic(fmt.Sprint(c, err))
	}
	return p
}

func isFernau(s *kgfile.Snapshot) bool { return s.KG.Code == "00804" }

func pendingOf(code austria.KGCode, pending ...austria.KGCode) map[austria.KGCode][]austria.KGCode {
	return map[austria.KGCode][]austria.KGCode{code: pending}
}

// childRow is the beginning of a row of the first cell below a chunk.
func childRow(chunk hexgrid.Cell) []byte {
	for c := range chunk.Children(ne.LURes) {
		return binary.LittleEndian.AppendUint64(nil, uint64(c))
	}
	return nil
}

func obsOf(code austria.KGCode, chunk hexgrid.Cell, rows []byte) map[austria.KGCode]map[hexgrid.Cell][]byte {
	return map[austria.KGCode]map[hexgrid.Cell][]byte{code: {chunk: rows}}
}

// keyOf is the only key below a prefix.
func keyOf(t testing.TB, s store.Store, prefix string) (key string) {
	t.Helper()
	for info, err := range s.List(t.Context(), prefix) {
		if err != nil || key != "" {
			t.Fatal(err, key)
		}
		key = info.Key
	}
	return key
}
