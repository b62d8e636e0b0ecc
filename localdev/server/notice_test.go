package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/pmt"
	"mappe/artefacts/register"
	"mappe/builders/national"
	"mappe/localdev/demo"
	"mappe/localdev/server"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// says gives the parts of an object in which a notice can be read.
func says(t *testing.T, key keys.Key, b []byte) string {
	t.Helper()
	var form keys.Form
	switch k := key.(type) {
	case keys.Snapshot:
		form = k.Form
	case keys.Latest:
		form = k.Form
	case keys.Register:
		r, err := register.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		return r.Attribution()
	case keys.National:
		if k.Ext == "pmtiles" {
			form = keys.PMTiles
		}
	}
	switch form {
	case keys.KGS:
		f, err := kgfile.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		return f.Build().Source
	case keys.PMTiles:
		a, err := pmt.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		m, err := a.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		return string(m)
	case keys.GeoJSON:
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return string(all)
	}
	return string(b)
}

// bears says whether an object of this kind bears the notice. Lists and reports do not: they go with the
// manifest, which does.
func bears(key keys.Key) bool {
	switch k := key.(type) {
	case keys.Snapshot:
		return k.Form != keys.Quality
	case keys.National:
		return k.Ext == "pmtiles"
	case keys.Latest, keys.CellTable, keys.Register, keys.Manifest, keys.Current:
		return true
	}
	return false
}

// The demo's data is nobody's survey: files of every form, documents, answers and pages say so, and none of
// them names the survey office.
func TestTheDemoCreditsNobody(t *testing.T) {
	st, ctx := mem.New(), context.Background()
	snap := kgtest.Snapshot(kgtest.Options{Code: "99003", Parcels: 40, Segments: 2, AreaKm2: 1, Seed: 3})
	snap.Build.Stichtag, snap.Build.Source = demo.Stichtag, demo.Attribution
	if _, err := national.PublishSnapshots(ctx, st, snap); err != nil {
		t.Fatal(err)
	}
	told := 0
	for info, err := range st.List(ctx, "") {
		if err != nil {
			t.Fatal(err)
		}
		key, err := keys.Parse(info.Key)
		if err != nil {
			continue // a note of the builder's own, which is not published
		}
		b, _, err := store.ReadAll(ctx, st, info.Key, 1<<30, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		text := says(t, key, b)
		if strings.Contains(text, "BEV") {
			t.Errorf("%s names the survey office", key)
		}
		if bears(key) {
			told++
			if !strings.Contains(text, demo.Attribution) {
				t.Errorf("%s does not say that the data is made up", key)
			}
		}
	}
	// the forms and the table of cells, those below latest/, register, tiles, tiles of cells and areas, manifest and pointer
	if told != 5+1+5+6 {
		t.Errorf("%d objects were asked for the notice", told)
	}

	h, err := server.New(ctx, server.Config{Store: st})
	if err != nil {
		t.Fatal(err)
	}
	at := snap.Parcels[5].Inside
	for _, c := range []struct {
		path string
		data bool // the answer holds data: it bears the notice
	}{
		{"/", true}, {"/map", false}, {"/map/main.js", false},
		{"/cadastre/openapi.json", false}, {"/cadastre/docs", false}, {"/context/openapi.json", false},
		{"/cadastre/api/v1/spatial/kgs?west=0&south=40&east=20&north=50", true},
		{"/cadastre/api/v1/spatial/point?lon=" + degrees(at.Lon()) + "&lat=" + degrees(at.Lat()), true},
		{"/cadastre/api/v1/spatial/point?lon=" + degrees(at.Lon()) + "&lat=" + degrees(at.Lat()) + "&format=geojson", true},
		{"/cadastre/api/v1/spatial/point?lon=x", false},
		{"/context/api/v1/kgs", true},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, c.path, nil))
		text := w.Header().Get("X-Data-Attribution") + w.Body.String()
		if strings.Contains(text, "BEV") {
			t.Errorf("%s names the survey office", c.path)
		}
		if c.data && (w.Code != http.StatusOK || !strings.Contains(text, demo.Attribution)) {
			t.Errorf("%s: status %d without the notice: %.300s", c.path, w.Code, text)
		}
	}
}

func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 7, 64) }
