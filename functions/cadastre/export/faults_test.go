package export

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// The store fails at each of its reads in turn: the answer is whole or a 503, and no file stays behind.
func TestTheStoreFailsAtEveryRead(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	inner := mem.New()
	bodies := fixture.Bodies{"88801": {keys.GeoJSON: []byte("stored"), keys.GeoPackage: []byte("stored too")}}
	if err := fixture.PublishForms(inner, fixture.Snapshots(), bodies, "88803"); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"geojson?kg=88801", "geojson?kg=88801,88802,804&layers=parcels,buildings",
		"geojson?kg=88801&version=2026-10-01", "gpkg?kg=88801", "gpkg?kg=88801,88802"} {
		refused := 0
		for n := int32(0); ; n++ {
			s := &fixture.Failing{Store: inner}
			s.Left.Store(1 << 30)
			h := serve(t, s)
			want := get(h, target, "Accept-Encoding", "gzip")
			h = serve(t, s) // nothing in memory but the generation
			s.Left.Store(n)
			w := get(h, target, "Accept-Encoding", "gzip")
			if w.Code == 503 && w.Header().Get("Retry-After") != "" && w.Header().Get("Content-Encoding") == "" {
				refused++
			} else if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), want.Body.Bytes()) {
				t.Fatalf("%s, read %d fails: %d %.300s", target, n, w.Code, w.Body)
			}
			if s.Left.Load() > 0 {
				break
			}
		}
		if refused == 0 {
			t.Errorf("%s: no read was needed", target)
		}
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// A damaged snapshot is left out and named, before anything was sent.
func TestDamagedKGs(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots()); err != nil {
		t.Fatal(err)
	}
	for o, err := range s.List(t.Context(), "kg/88802/") {
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(t.Context(), o.Key); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(t.Context(), o.Key, []byte("broken"), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	w := get(serve(t, s), "geojson?kg=88801,88802")
	c := read[collection](t, w)
	if len(c.Features) != 17 || c.Meta["kgs_unavailable"].([]any)[0] != "88802" || w.Header().Get("X-Data-Ready") != "false" {
		t.Errorf("%d features, meta %v", len(c.Features), c.Meta)
	}
}

// Many requests at once take their turns at the disk, and one that is given up waits for nobody.
func TestWritersTakeTurns(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots(), "88803"); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := fixture.Handler(t, New(Deps{Deps: core.Deps{Library: lib}, Writers: 1}))
	want := get(h, "gpkg?kg=88801").Body.Bytes()
	done := make(chan *httptest.ResponseRecorder)
	for range 6 {
		go func() { done <- get(h, "gpkg?kg=88801", "Cache-Control", "no-cache") }()
	}
	for range 6 {
		if w := <-done; w.Code != 200 || !bytes.Equal(w.Body.Bytes(), want) {
			t.Errorf("%d, %d bytes, want %d", w.Code, w.Body.Len(), len(want))
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	turn := make(writers, 1)
	turn <- struct{}{}
	if _, err := turn.file(gone, &plan{}, file{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that was given up: %v", err)
	}
}

// JSONP, HEAD and other coordinates work as everywhere.
func TestFormsOfTheAnswer(t *testing.T) {
	h := world(t)
	if w := get(h, "geojson?kg=88801&callback=draw"); !strings.HasPrefix(w.Body.String(), "/**/draw({") ||
		w.Header().Get("Content-Type") != "application/javascript; charset=utf-8" {
		t.Errorf("%v %.60s", w.Header(), w.Body)
	}
	w := get(h, "geojson?kg=88801&crs=31287&fields=gnr")
	if !strings.Contains(w.Body.String(), "urn:ogc:def:crs:EPSG::31287") || !strings.Contains(w.Header().Get("Content-Crs"), "31287") ||
		!strings.Contains(w.Body.String(), `"properties":{"gnr":"1"}`) {
		t.Errorf("%v %.400s", w.Header(), w.Body)
	}
	for _, target := range []string{"geojson?kg=88801", "gpkg?kg=88801", "flatgeobuf?kg=88801"} {
		r := httptest.NewRequest(http.MethodHead, "/api/v1/export/"+target, nil)
		head := httptest.NewRecorder()
		h.ServeHTTP(head, r)
		if full := get(h, target); head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("ETag") != full.Header().Get("ETag") ||
			head.Header().Get("ETag") == "" {
			t.Errorf("HEAD %s: %d %v", target, head.Code, head.Header())
		}
	}
}
