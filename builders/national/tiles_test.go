package national

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"mappe/artefacts/pmt"
	"mappe/builders/objects"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// The archives go through temporary files: none stays, and the result opens as one archive.
func TestNationalTilesLeaveNoFiles(t *testing.T) {
	tmp := t.TempDir()
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	t.Setenv("TMPDIR", tmp)
	mustBuild(t, dir, st, Options{})
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	body, err := objects.Read(t.Context(), st, live.Manifest.Tiles.Key)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := pmt.Open(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	want := map[uint64]bool{}
	for _, e := range live.Manifest.KGs {
		b, err := objects.Read(t.Context(), st, e.Forms.PMTiles.Key)
		if err != nil {
			t.Fatal(err)
		}
		a, err := pmt.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range a.Entries() {
			if err != nil {
				t.Fatal(err)
			}
			for k := range uint64(e.Run) {
				want[e.ID+k] = true
			}
		}
	}
	if got := int(whole.Header.AddressedTiles); got != len(want) || got == 0 {
		t.Errorf("want the %d tiles of all KGs, got %d", len(want), got)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// An archive of another length than its digest says would be merged from its neighbour's bytes.
func TestNationalTilesRefuseAnotherLength(t *testing.T) {
	st := mem.New()
	mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	key := live.Manifest.KGs[1].Forms.PMTiles.Key
	b, err := objects.Read(t.Context(), st, key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Put(t.Context(), key, append(b, 0), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	changed := sourcetest.Write(t, sourcetest.KG{Code: "99001", Drop: 1}, sourcetest.Three[1], sourcetest.Three[2])
	_, err = build(t, changed, st, Options{Accept: true})
	if err == nil || !strings.Contains(err.Error(), key) {
		t.Errorf("want an error about %s, got %v", key, err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
