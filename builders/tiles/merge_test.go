package tiles

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"mappe/artefacts/pmt"
	"mappe/shared/geo/mvt"
)

// ids counts the parcels of every tile.
func ids(t testing.TB, archive []byte) map[pmt.ZXY]map[string]int {
	out := map[pmt.ZXY]map[string]int{}
	for at, tile := range decode(t, archive) {
		l := tile.Layer("parcels")
		if l == nil {
			continue
		}
		out[at] = map[string]int{}
		for i := range l.Features {
			v, _ := l.Value(&l.Features[i], l.Key("parcel_id"))
			out[at][v.Text()]++
		}
	}
	return out
}

// mergeAll joins whole archives in memory.
func mergeAll(archives [][]byte) ([]byte, error) {
	open := make([]*pmt.Archive, len(archives))
	for i, b := range archives {
		var err error
		if open[i], err = pmt.Open(bytes.NewReader(b), int64(len(b))); err != nil {
			return nil, err
		}
	}
	return mergeOver(open, nil)
}

// mergeOver joins archives with the help of an earlier joining.
func mergeOver(archives []*pmt.Archive, earlier *Earlier) ([]byte, error) {
	m, err := Merge(&memory{}, archives, earlier)
	if err != nil {
		return nil, err
	}
	whole := make([]byte, m.Size())
	_, err = m.ReadAt(whole, 0)
	return whole, err
}

// memory is a Scratch.
type memory struct{ b []byte }

func (m *memory) Write(b []byte) (int, error) {
	m.b = append(m.b, b...)
	return len(b), nil
}

func (m *memory) ReadAt(b []byte, at int64) (int, error) { return bytes.NewReader(m.b).ReadAt(b, at) }

// The result reads the same in any pieces, and only what is joined is written anew.
func TestMergedIsReadInPieces(t *testing.T) {
	var open []*pmt.Archive
	for _, b := range [][]byte{build(t, patchwork("99901", 0, 25), Options{}), build(t, patchwork("99902", 25, 25), Options{})} {
		a, err := pmt.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, a)
	}
	m, err := Merge(&memory{}, open, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := make([]byte, m.Size())
	if _, err := m.ReadAt(whole, 0); err != nil {
		t.Fatal(err)
	}
	for _, step := range []int{1, 7, 1000, len(whole) - 1} {
		for at := 0; at < len(whole); at += step {
			got := make([]byte, min(step, len(whole)-at))
			if n, err := m.ReadAt(got, int64(at)); n != len(got) || err != nil || !bytes.Equal(got, whole[at:at+n]) {
				t.Fatalf("%d bytes at %d: got %d, %v", step, at, n, err)
			}
		}
	}
	if n, err := m.ReadAt(make([]byte, 10), m.Size()-4); n != 4 || err != io.EOF {
		t.Errorf("behind the end: got %d, %v", n, err)
	}
	if n, err := m.ReadAt(make([]byte, 1), m.Size()); n != 0 || err != io.EOF {
		t.Errorf("at the end: got %d, %v", n, err)
	}
	if j := m.Joined(); j == 0 || j >= m.Size() {
		t.Errorf("%d of %d bytes were joined", j, m.Size())
	}
}

// A tile that two KGs share holds the parcels of both, every other tile is copied byte for byte.
func TestMergeNeighbours(t *testing.T) {
	west, east := build(t, patchwork("99901", 0, 25), Options{}), build(t, patchwork("99902", 25, 25), Options{})
	merged, err := mergeAll([][]byte{west, east})
	if err != nil {
		t.Fatal(err)
	}
	again, err := mergeAll([][]byte{west, east})
	if err != nil || !bytes.Equal(merged, again) {
		t.Errorf("merging twice differs: %v", err)
	}
	a, b, both := ids(t, west), ids(t, east), ids(t, merged)
	shared := 0
	for at, got := range both {
		if len(a[at]) > 0 && len(b[at]) > 0 {
			shared++
		}
		if len(got) != len(a[at])+len(b[at]) {
			t.Errorf("%v holds %d parcels, want %d and %d", at, len(got), len(a[at]), len(b[at]))
		}
		for id, n := range got {
			if n != a[at][id]+b[at][id] {
				t.Errorf("%v holds %s %d times", at, id, n)
			}
		}
	}
	if shared < 3 {
		t.Errorf("only %d tiles are shared", shared)
	}
	wa, ma := openArchive(t, west), openArchive(t, merged)
	for at := range a {
		if len(b[at]) > 0 {
			continue
		}
		want, _ := wa.Tile(at)
		if tile := decode(t, east)[at]; tile != nil {
			continue // shared by another layer
		}
		if got, err := ma.Tile(at); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v is not the tile of its only archive: %v", at, err)
		}
	}
	h, hw, he := ma.Header, wa.Header, openArchive(t, east).Header
	if h.MinLon != hw.MinLon || h.MaxLon != he.MaxLon {
		t.Errorf("bounds %d to %d, want %d to %d", h.MinLon, h.MaxLon, hw.MinLon, he.MaxLon)
	}
	text, err := ma.Metadata()
	var m Metadata
	if err != nil || json.Unmarshal(text, &m) != nil || len(m.VectorLayers) != len(AllLayers()) || m.Attribution != "© BEV, 2026" ||
		m.Stichtag != "2026-10-01" {
		t.Errorf("metadata %s, %v", text, err)
	}
}

func openArchive(t testing.TB, b []byte) *pmt.Archive {
	t.Helper()
	a, err := pmt.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestMergeRefuses(t *testing.T) {
	if _, err := mergeAll(nil); err == nil {
		t.Error("no archives gave an archive")
	}
	if _, err := mergeAll([][]byte{[]byte("no archive")}); err == nil {
		t.Error("foreign bytes gave an archive")
	}
	raw, err := pmt.Encode(pmt.Options{Type: pmt.PNG, TileCompression: pmt.None, Metadata: Metadata{}},
		[]pmt.Tile{{ID: 1, Content: []byte("png")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mergeAll([][]byte{raw}); err == nil {
		t.Error("an archive of images was merged")
	}
}

// A run of equal tiles meets another archive's tile in its middle.
func TestMergeRuns(t *testing.T) {
	e := newEncoder()
	layer := func(name string) []byte {
		l := mvt.NewLayer(name, Extent)
		l.Add(mvt.Feature{Type: mvt.Points, Parts: [][]mvt.Point{{{X: 1, Y: 2}}}}, str("k", name))
		raw, err := mvt.Encode(mvt.Tile{Layers: []mvt.Layer{l.Layer()}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.pack(raw)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	o := pmt.Options{Type: pmt.MVT, TileCompression: pmt.Gzip, Metadata: Metadata{}}
	run := []pmt.Tile{{ID: 5, Content: layer("a")}, {ID: 6, Content: layer("a")}, {ID: 7, Content: layer("a")}}
	first, err := pmt.Encode(o, run)
	if err != nil {
		t.Fatal(err)
	}
	second, err := pmt.Encode(o, []pmt.Tile{{ID: 6, Content: layer("b")}})
	if err != nil {
		t.Fatal(err)
	}
	merged, err := mergeAll([][]byte{first, second})
	if err != nil {
		t.Fatal(err)
	}
	for at, tile := range decode(t, merged) {
		want := 1
		if at.ID() == 6 {
			want = 2
		}
		if len(tile.Layers) != want {
			t.Errorf("tile %d has %d layers, want %d", at.ID(), len(tile.Layers), want)
		}
	}
}
