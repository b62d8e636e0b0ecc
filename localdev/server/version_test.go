package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/national"
	"mappe/localdev/server"
	"mappe/shared/cloud/store/mem"
)

// Two Stichtage of one KG, of which the later one has another folio on every parcel: version= chooses,
// on every endpoint that reads parcels.
func TestVersions(t *testing.T) {
	st := mem.New()
	var snap *kgfile.Snapshot
	for i, date := range []string{"2026-04-01", "2026-10-01"} {
		snap = kgtest.Snapshot(kgtest.Options{Code: "99003", Parcels: 40, Segments: 2, AreaKm2: 1, Seed: 3})
		snap.Build.Stichtag, snap.Build.Source = date, fmt.Sprintf("© BEV, %d", 2025+i)
		for k := range snap.Parcels {
			snap.Parcels[k].EZ = 1000
			if i == 1 {
				snap.Parcels[k].EZ = 2000
			}
		}
		if _, err := national.PublishSnapshots(context.Background(), st, snap); err != nil {
			t.Fatal(err)
		}
	}
	h, err := server.New(context.Background(), server.Config{Store: st})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, target, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/cadastre/api/v1/"+target, strings.NewReader(body)))
		return w
	}
	at, b := snap.Parcels[5].Inside, snap.KG.Box
	id := "99003-" + string(snap.Parcels[5].GNR)
	ring := fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%[1]f,%[2]f],[%[3]f,%[2]f],[%[3]f,%[4]f],[%[1]f,%[4]f],[%[1]f,%[2]f]]]}`,
		at.Lon()-0.0001, at.Lat()-0.0001, at.Lon()+0.0001, at.Lat()+0.0001)
	box := fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", float64(b.MinX)/1e7-0.01, float64(b.MinY)/1e7-0.01,
		float64(b.MaxX)/1e7+0.01, float64(b.MaxY)/1e7+0.01)
	for _, c := range []struct{ name, method, target, body string }{
		{"box", "GET", "spatial/bbox?" + box, ""},
		{"point", "GET", fmt.Sprintf("spatial/point?lon=%.7f&lat=%.7f&radius=0", at.Lon(), at.Lat()), ""},
		{"points", "POST", "spatial/points?", fmt.Sprintf(`{"points":[{"lon":%.7f,"lat":%.7f}]}`, at.Lon(), at.Lat())},
		{"features around points", "POST", "spatial/point?", fmt.Sprintf(`{"points":[{"lon":%.7f,"lat":%.7f}],"radius":1}`, at.Lon(),
			at.Lat())},
		{"polygon", "POST", "spatial/polygon?", ring},
		{"polygons", "POST", "spatial/polygon?", `{"polygons":[` + ring + `]}`},
		{"viewport", "GET", "spatial/parcels?" + box, ""},
		{"parcels by id", "GET", "parcels/geometry/batch?ids=" + strings.ReplaceAll(id, "/", "%2F"), ""},
	} {
		folios := map[string]string{}
		for _, date := range []string{"", "2026-04-01", "2026-10-01"} {
			target := c.target
			if date != "" {
				target += "&version=" + date
			}
			w := ask(c.method, target, c.body)
			if w.Code != http.StatusOK {
				t.Fatalf("%s %s: %d %s", c.name, date, w.Code, w.Body)
			}
			var doc struct {
				Meta struct{ Version, License string }
			}
			if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil || doc.Meta.Version != date ||
				w.Header().Get("X-Data-Version") != date {
				t.Errorf("%s %q: meta.version %q, header %q, %v", c.name, date, doc.Meta.Version, w.Header().Get("X-Data-Version"), err)
			}
			year := map[string]string{"": "2026", "2026-04-01": "2025", "2026-10-01": "2026"}[date]
			if credit := w.Header().Get("X-Data-Attribution"); credit != "(c) BEV, "+year+", modified" ||
				!strings.HasSuffix(doc.Meta.License, "© BEV, "+year+", modified") {
				t.Errorf("%s %q: credits %q and %q, want the year %s", c.name, date, credit, doc.Meta.License, year)
			}
			folios[date] = w.Body.String()
		}
		if !strings.Contains(folios["2026-04-01"], `"ez":1000`) || strings.Contains(folios["2026-04-01"], `"ez":2000`) {
			t.Errorf("%s: the earlier date does not give the earlier folios: %.300s", c.name, folios["2026-04-01"])
		}
		for _, date := range []string{"", "2026-10-01"} {
			if !strings.Contains(folios[date], `"ez":2000`) || strings.Contains(folios[date], `"ez":1000`) {
				t.Errorf("%s %q: not the present folios: %.300s", c.name, date, folios[date])
			}
		}
	}

	// Each date has its own validator, and answers to its own.
	tags := map[string]bool{}
	for _, date := range []string{"", "&version=2026-04-01", "&version=2026-10-01"} {
		w := ask("GET", "spatial/bbox?"+box+date, "")
		r := httptest.NewRequest("GET", "/cadastre/api/v1/spatial/bbox?"+box+date, nil)
		r.Header.Set("If-None-Match", w.Header().Get("ETag"))
		again := httptest.NewRecorder()
		h.ServeHTTP(again, r)
		tags[w.Header().Get("ETag")] = true
		if again.Code != http.StatusNotModified {
			t.Errorf("%q: %d for its own ETag", date, again.Code)
		}
	}
	if len(tags) != 3 || tags[""] {
		t.Errorf("ETags %v, want three", tags)
	}

	// The newest snapshot on or before the date answers; a KG that has none yet is named.
	for date, folio := range map[string]string{"2026-09-30": `"ez":1000`, "2026-10-02": `"ez":2000`, "2099-01-01": `"ez":2000`} {
		if w := ask("GET", "spatial/bbox?"+box+"&version="+date, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), folio) {
			t.Errorf("%s: %d, want folios %s: %.300s", date, w.Code, folio, w.Body)
		}
	}
	if w := ask("GET", "spatial/bbox?"+box+"&version=2025-01-01", ""); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), `"total":0`) ||
		!strings.Contains(w.Body.String(),
			`"ready":true,"kgs_warming":[],"kgs_unavailable":[],"kgs_warming_count":0,"kgs_unavailable_count":0,"kgs_without_version":["99003"]`) {
		t.Errorf("a date before the first snapshot: %d %s", w.Code, w.Body)
	}

	for _, c := range []struct{ query, holds string }{
		{"version=2026-13-01", "a date YYYY-MM-DD"},
		{"version=2026-04-01&layers=kg", "layers"},
	} {
		if w := ask("GET", "spatial/bbox?"+box+"&"+c.query, ""); w.Code != http.StatusBadRequest ||
			!strings.Contains(w.Body.String(), c.holds) {
			t.Errorf("%s: %d %s, want 400 with %q", c.query, w.Code, w.Body, c.holds)
		}
	}
}
