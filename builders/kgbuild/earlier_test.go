package kgbuild

import (
	"strings"
	"testing"
	"testing/fstest"

	"mappe/builders/source/epochs"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// A store that fails at any write of an import leaves nothing that a repeat does not mend.
func TestAnImportFailsAtEveryWrite(t *testing.T) {
	from, err := epochs.OpenFolder(fstest.MapFS{"epochs/99001-2025-10-01.geojson": {Data: []byte(sourcetest.Epoch("99001", 5))}})
	if err != nil {
		t.Fatal(err)
	}
	for _, stored := range []bool{false, true} {
		for n := int64(1); ; n++ {
			st := mem.New()
			f := &storetest.Faulty{Store: st, FailAt: n, Stored: stored, Dead: true}
			_, err := Import(t.Context(), f, from, &facts)
			if f.Writes() < n {
				break
			}
			if err == nil {
				t.Fatalf("write %d: want an error", n)
			}
			done, err := Import(t.Context(), st, from, &facts)
			if err != nil || len(done.Notes) != 1 || len(done.Problems) != 0 {
				t.Fatalf("write %d: %+v, %v", n, done, err)
			}
			var all []string
			for info, err := range st.List(t.Context(), "") {
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, info.Key)
			}
			if len(all) != 2 || all[0] != done.Notes[0].String() || !strings.HasPrefix(all[1], "kg/") {
				t.Errorf("write %d: %v", n, all)
			}
		}
	}
}

// A file that is no snapshot is named and stops nothing; a bad feature is passed over.
func TestABadFileOfAnEpoch(t *testing.T) {
	from, err := epochs.OpenFolder(fstest.MapFS{
		"epochs/99001-2024-10-01.geojson": {Data: []byte("PK")},
		"epochs/99001-2025-10-01.geojson": {Data: []byte(strings.Replace(sourcetest.Epoch("99001", 2), `"gnr":"2"`, `"gnr":"two"`, 1))},
	})
	if err != nil {
		t.Fatal(err)
	}
	done, err := Import(t.Context(), mem.New(), from, &facts)
	if err != nil || len(done.Notes) != 1 || done.Notes[0].Date != "2025-10-01" {
		t.Fatalf("%+v, %v", done, err)
	}
	if p := done.Problems; len(p) != 2 || !strings.HasPrefix(p[0], "epochs/99001-2024-10-01.geojson: ") ||
		!strings.HasSuffix(p[0], "; this snapshot is left out") || !strings.Contains(p[1], "two") {
		t.Errorf("%q", p)
	}
}
