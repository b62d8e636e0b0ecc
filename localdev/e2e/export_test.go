package e2e

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/artefacts/rowschema"
	"mappe/builders/national"
	"mappe/functions/cadastre/export"
	"mappe/functions/core"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// exports is the export of one KG as the builders publish it, over a store.
func exports(t *testing.T) (http.Handler, store.Store) {
	t.Helper()
	st := mem.New()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 200, Segments: 2, AreaKm2: 2, Seed: 9})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := export.New(export.Deps{Deps: core.Deps{Library: lib}}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h, st
}

func exported(t *testing.T, h http.Handler, target, accept string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest("GET", "/api/v1/export/"+target, nil)
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 200 {
		t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	return w
}

// What the builders stored and what the function writes hold the same features, digit by digit.
func TestStoredAndWrittenGeoJSONAreEqual(t *testing.T) {
	h, _ := exports(t)
	stored, written := exported(t, h, "geojson?kg=99001", "gzip"), exported(t, h, "geojson?kg=99001", "")
	if stored.Header().Get("Accept-Ranges") != "bytes" || written.Header().Get("Accept-Ranges") != "" {
		t.Fatalf("which one is stored: %v, %v", stored.Header(), written.Header())
	}
	z, err := gzip.NewReader(stored.Body)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var a, b struct {
		Features json.RawMessage
		Meta     struct {
			AssemblyVersions map[string]string `json:"assembly_versions"`
		}
	}
	for body, to := range map[*[]byte]any{&plain: &a, ptr(written.Body.Bytes()): &b} {
		if err := json.Unmarshal(*body, to); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.Features) < 10_000 || !bytes.Equal(a.Features, b.Features) || fmt.Sprint(a.Meta) != fmt.Sprint(b.Meta) {
		t.Errorf("%d and %d bytes of features, %v and %v", len(a.Features), len(b.Features), a.Meta, b.Meta)
	}
}

func ptr[T any](v T) *T { return &v }

// The same of the GeoPackage: each table holds the same rows.
func TestStoredAndWrittenGeoPackagesAreEqual(t *testing.T) {
	h, st := exports(t)
	stored := rowsOf(t, exported(t, h, "gpkg?kg=99001", "").Body.Bytes())
	for o, err := range st.List(t.Context(), "kg/99001/") {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(o.Key, ".gpkg") {
			if err := st.Delete(t.Context(), o.Key); err != nil {
				t.Fatal(err)
			}
		}
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h, err = export.New(export.Deps{Deps: core.Deps{Library: lib}}).Handler(); err != nil {
		t.Fatal(err)
	}
	written := rowsOf(t, exported(t, h, "gpkg?kg=99001", "").Body.Bytes())
	for _, l := range rowschema.AllLayers() {
		name := l.String()
		if len(stored[name]) == 0 || strings.Join(stored[name], "\n") != strings.Join(written[name], "\n") {
			t.Errorf("%s: %d rows stored, %d written, or other ones", name, len(stored[name]), len(written[name]))
		}
	}
}

// rowsOf gives the rows of each layer as texts.
func rowsOf(t *testing.T, file []byte) map[string][]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.gpkg")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string][]string{}
	for _, l := range rowschema.AllLayers() {
		rows, err := db.Query(`SELECT * FROM "` + l.String() + `"`)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				to[i] = &values[i]
			}
			if err := rows.Scan(to...); err != nil {
				t.Fatal(err)
			}
			all[l.String()] = append(all[l.String()], fmt.Sprint(values...))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
