package search

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/web/gpkg"
)

// epoch is the time in tests.
var epoch = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// further are KGs without a snapshot whose names people spell in many ways, in two districts of one name.
func further(c *register.Contents) {
	add := func(code austria.KGCode, name string, gemeinde austria.GemeindeCode, municipality, district string) {
		c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: code, Name: name, GemeindeCode: gemeinde, GemeindeName: municipality,
			DistrictName: district,
			Box:          geom.EmptyBox, AvgNNDistanceM: math.NaN(), FootprintMedianAreaSqm: math.NaN(), MedianParcelAreaSqm: math.NaN()},
			DistrictCode: gemeinde.District()})
	}
	add("19544", "St. Pölten", "32201", "Sankt Pölten", "Doppelstadt")
	add("19545", "Groß-Enzersdorf", "32501", "Groß-Enzersdorf", "Doppelstadt")
	add("19546", "Enzersdorf", "32501", "Groß-Enzersdorf", "Doppelstadt")
	add("19547", "Weißenbach", "32501", "Groß-Enzersdorf", "Doppelstadt")
	slices.SortFunc(c.KGs, func(a, b register.KG) int { return strings.Compare(string(a.Code), string(b.Code)) })
	c.Municipalities = []register.Municipality{
		{Code: "32201", Name: "Sankt Pölten", DistrictCode: "322", DistrictName: "Doppelstadt", At: fixture.At(20, 0)},
		{Code: "38801", Name: "Gemeinde 38801", DistrictCode: "388", DistrictName: "Bezirk 388", At: fixture.At(4, 2),
			Outline: geom.MultiPolygon{{fixture.Rect(0, 0, 8, 4)}}},
	}
	c.Districts = []register.District{{Code: "322", Name: "Doppelstadt", State: "3"}, {Code: "325", Name: "Doppelstadt", State: "3"},
		{Code: "388", Name: "Bezirk 388", State: "3"}}
	c.Localities = []register.Locality{
		{OKZ: 17, Name: "Westdorf-Siedlung", GemeindeCode: "38801", GemeindeName: "Gemeinde 38801", KG: "88801", PLZ: []austria.PLZ{"3888"},
			At: fixture.At(1, 1)},
		{OKZ: 4711, Name: "Au bei Sankt Pölten", GemeindeCode: "32201", GemeindeName: "Sankt Pölten", PLZ: []austria.PLZ{"3100"}},
	}
	c.PLZ = []register.PostalPlace{{PLZ: "3100", Place: "Ratzersdorf", GemeindeCode: "32201"},
		{PLZ: "3100", Place: "Sankt Pölten", GemeindeCode: "32201"}, {PLZ: "3888", Place: "Westdorf", GemeindeCode: "38801"}}
}

func publish(t testing.TB) store.Store {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishWith(s, fixture.Snapshots(), further, "88803"); err != nil {
		t.Fatal(err)
	}
	return s
}

// serve makes the family over a store, with a clock that stands still.
func serve(t testing.TB, s store.Store, o library.Options) http.Handler {
	t.Helper()
	lib, err := library.Open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return handler(t, Deps{Library: lib, Version: "test", Now: func() time.Time { return epoch }, GeoPackage: gpkg.Form{Time: epoch}})
}

func handler(t testing.TB, d Deps) http.Handler {
	t.Helper()
	h, err := New(d).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func world(t testing.TB) http.Handler { return serve(t, publish(t), library.Options{}) }

func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	return fixture.Ask(h, "GET", "/api/v1/"+path, "", header...)
}

// indexed is the world with a search directory.
func indexed(t testing.TB) http.Handler { return serve(t, publishIndexed(t), library.Options{}) }

func publishIndexed(t testing.TB) store.Store {
	t.Helper()
	s := publish(t)
	if err := fixture.AddDirectory(s, fixture.Snapshots(), "88803"); err != nil {
		t.Fatal(err)
	}
	return s
}

// answer is the envelope of an answer.
type answer struct {
	Data []map[string]any
	Meta map[string]any
}

func getList(t *testing.T, h http.Handler, path string) answer {
	t.Helper()
	w := get(h, path)
	var l answer
	if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %v %s", path, w.Code, err, w.Body)
	}
	if l.Data == nil {
		t.Errorf("%s: data is null", path)
	}
	return l
}

// ids draws fields of all rows together.
func (l answer) ids(fields ...string) string {
	var rows []string
	for _, r := range l.Data {
		var s []string
		for _, f := range fields {
			s = append(s, fmt.Sprint(r[f]))
		}
		rows = append(rows, strings.Join(s, "/"))
	}
	return strings.Join(rows, " ")
}

func (l answer) total() int {
	n, _ := l.Meta["total"].(float64)
	return int(n)
}
