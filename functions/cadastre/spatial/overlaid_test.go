package spatial

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
)

func overWorld(t *testing.T) http.Handler {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishOver(s, func(*register.Contents) {}); err != nil {
		t.Fatal(err)
	}
	return serve(t, s, library.Options{})
}

// overlaysOf are the overlay columns of a row.
func overlaysOf(row map[string]any) map[string]any {
	out := map[string]any{}
	for _, f := range rowschema.ParcelOverlay {
		if v, ok := row[f.Name]; ok {
			out[f.Name] = v
		}
	}
	return out
}

// Rows that are short without them have the overlays that rows of a box have, where they are asked for.
func TestOverlaysOnRequest(t *testing.T) {
	h := overWorld(t)
	area := cells(0, 0, 12, 4)
	want, ids := map[string]map[string]any{}, []string{}
	var points []map[string]any
	for _, r := range getList(t, h, "/api/v1/spatial/bbox?limit=1000&"+area).Data {
		id := r["parcel_id"].(string)
		want[id], ids = overlaysOf(r), append(ids, id)
		points = append(points, map[string]any{"lon": r["inside_lon"], "lat": r["inside_lat"], "id": id})
	}
	if len(want["88801-1"]) != len(rowschema.ParcelOverlay) || len(want["88801-4"]) != 2 {
		t.Fatalf("the world has no such overlays: %v", want)
	}
	compare := func(name string, rows []map[string]any, asked bool) {
		t.Helper()
		if len(rows) != len(want) {
			t.Errorf("%s: %d rows, want %d", name, len(rows), len(want))
		}
		for _, r := range rows {
			id := r["parcel_id"].(string)
			expected := want[id]
			if !asked {
				expected = map[string]any{}
			}
			if got := overlaysOf(r); !reflect.DeepEqual(got, expected) {
				t.Errorf("%s: %s: want %v, got %v", name, id, expected, got)
			}
		}
	}
	list := url.QueryEscape(strings.Join(ids, ","))
	body, _ := json.Marshal(map[string]any{"ids": ids})
	for _, asked := range []bool{true, false} {
		with := fmt.Sprint("overlays=", asked)
		compare("viewport", getList(t, h, "/api/v1/spatial/parcels?limit=1000&"+area+"&"+with).Data, asked)
		compare("viewport without polygons", getList(t, h, "/api/v1/spatial/parcels?limit=1000&geometry=0&"+area+"&"+with).Data, asked)
		compare("batch", getList(t, h, "/api/v1/parcels/geometry/batch?ids="+list+"&"+with).Data, asked)
		compare("batch by POST", readList(t, call(h, "POST", "/api/v1/parcels/geometry/batch?"+with, string(body))).Data, asked)
		compare("points", pointParcels(t, h, points, with), asked)
	}
	compare("fields", getList(t, h,
		"/api/v1/spatial/parcels?limit=1000&"+area+
			"&fields=parcel_id,in_natura2000,natura2000_sites,legal_ref_count,legal_contexts,legal_refs").Data, true)
	if r := getList(t, h, "/api/v1/spatial/parcels?limit=1&"+area+"&fields=gnr").Data[0]; len(r) != 1 {
		t.Errorf("one field: %v", r)
	}
}

// pointParcels are the parcels of points, with their ids.
func pointParcels(t *testing.T, h http.Handler, points []map[string]any, with string) (rows []map[string]any) {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"points": points})
	w := call(h, "POST", "/api/v1/spatial/points?"+with, string(body))
	var a struct {
		Results []struct{ Parcel map[string]any }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
		t.Fatal(w.Code, err, w.Body)
	}
	for _, r := range a.Results {
		rows = append(rows, r.Parcel)
	}
	return rows
}

// Flat forms have the columns only where they are asked for, and the ETag tells the two apart.
func TestOverlaysInTables(t *testing.T) {
	h := overWorld(t)
	at := fixture.At(0.5, 0.5)
	point := fmt.Sprintf("lon,lat\n%.7f,%.7f\n", at.Lon(), at.Lat())
	for _, c := range []struct{ method, target, body string }{
		{"GET", "/api/v1/spatial/parcels?format=csv&" + cells(0, 0, 1, 1), ""},
		{"GET", "/api/v1/parcels/geometry/batch?format=csv&ids=88801-1", ""},
		{"POST", "/api/v1/spatial/points?format=csv", point},
	} {
		without, with := call(h, c.method, c.target, c.body), call(h, c.method, c.target+"&overlays=1", c.body)
		if a, b := without.Body.String(), with.Body.String(); without.Code != 200 || with.Code != 200 ||
			strings.Contains(a, "in_natura2000") || !strings.Contains(b, "in_natura2000") || !strings.Contains(b, "AT0000001") {
			t.Errorf("%s:\n%s\n%s", c.target, a, b)
		}
		if tag := with.Header().Get("ETag"); c.method == "GET" && (tag == "" || tag == without.Header().Get("ETag")) {
			t.Errorf("%s: ETag %q", c.target, tag)
		}
	}
}
