package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/national"
	"mappe/functions/cadastre/versions"
	"mappe/functions/core"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// TestTheCatalogueNamesTheFiles: size, checksum and media type of each asset are those of the object that its address
// names, of a KG that was published at two dates.
func TestTheCatalogueNamesTheFiles(t *testing.T) {
	st := mem.New()
	for _, date := range []string{"2026-04-01", "2026-10-01"} {
		snapshot := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 60, Segments: 2, AreaKm2: 1, Seed: 9})
		snapshot.Build.Stichtag = date
		if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := versions.New(core.Deps{Library: lib, BaseURL: "https://land.example/cadastre"}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/stac/search", nil))
	var found struct {
		Features []struct {
			ID     string
			Assets map[string]struct {
				Href, Type string
				Size       int64  `json:"file:size"`
				Checksum   string `json:"file:checksum"`
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &found); err != nil || len(found.Features) != 2 || found.Features[1].ID != "99001-2026-04-01" {
		t.Fatalf("%v: %s", err, w.Body)
	}
	var files []string
	for _, f := range found.Features {
		for name, a := range f.Assets {
			key, isFile := strings.CutPrefix(a.Href, "https://land.example/artefacts/")
			if !isFile {
				continue
			}
			files = append(files, f.ID+" "+name)
			body, _, err := store.ReadAll(t.Context(), st, key, 1<<24, store.GetOptions{})
			if err != nil {
				t.Errorf("%s %s: %v", f.ID, name, err)
				continue
			}
			sum := sha256.Sum256(body)
			if a.Size != int64(len(body)) || a.Checksum != "1220"+hex.EncodeToString(sum[:]) {
				t.Errorf("%s %s: %d bytes %s, the object has %d %x", f.ID, name, a.Size, a.Checksum, len(body), sum)
			}
			k, err := keys.Parse(key)
			if err != nil || keys.HeadersOf(k).ContentType != a.Type {
				t.Errorf("%s %s: type %s, sent as %s", f.ID, name, a.Type, keys.HeadersOf(k).ContentType)
			}
		}
	}
	slices.Sort(files)
	if got := strings.Join(files, ", "); got != "99001-2026-04-01 kgs, 99001-2026-10-01 geojson, 99001-2026-10-01 geopackage, 99001-2026-10-01 geoparquet, 99001-2026-10-01 kgs, 99001-2026-10-01 pmtiles" {
		t.Errorf("files %s", got)
	}
}
