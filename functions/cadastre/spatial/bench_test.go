package spatial

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// large is the family over one KG of 19,720 parcels, and the KG's box.
func large(b *testing.B) (http.Handler, *kgfile.Snapshot) {
	b.Helper()
	snap := kgtest.Snapshot(kgtest.Large)
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{snap}); err != nil {
		b.Fatal(err)
	}
	return serve(b, s, library.Options{}), snap
}

// sink takes an answer without keeping it.
type sink struct {
	h      http.Header
	bytes  int64
	status int
}

func (s *sink) Header() http.Header         { return s.h }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { s.bytes += int64(len(p)); return len(p), nil }

func benchmark(b *testing.B, h http.Handler, method, target, body string) {
	b.Helper()
	b.ReportAllocs()
	var n int64
	for b.Loop() {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		w := &sink{h: http.Header{}, status: 200}
		h.ServeHTTP(w, r)
		if w.status != 200 {
			b.Fatalf("%s: %s", target, call(h, method, target, body).Body)
		}
		n = w.bytes
	}
	b.SetBytes(n)
}

func share(box geom.Box, x0, y0, x1, y1 float64) string {
	at := func(lo, hi int32, t float64) float64 {
		return (float64(lo) + t*(float64(hi)-float64(lo))) / geom.Scale
	}
	return fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", at(box.MinX, box.MaxX, x0), at(box.MinY, box.MaxY, y0),
		at(box.MinX, box.MaxX, x1), at(box.MinY, box.MaxY, y1))
}

func pointsJSON(box geom.Box, n int) string {
	r := rand.New(rand.NewPCG(1, 1))
	type p struct {
		Lon float64 `json:"lon"`
		Lat float64 `json:"lat"`
		ID  string  `json:"id"`
	}
	var list []p
	for i := range n {
		list = append(list, p{float64(box.MinX+r.Int32N(box.MaxX-box.MinX)) / geom.Scale,
			float64(box.MinY+r.Int32N(box.MaxY-box.MinY)) / geom.Scale, fmt.Sprint("p", i)})
	}
	t, _ := json.Marshal(map[string]any{"points": list})
	return string(t)
}

func BenchmarkPoints1000(b *testing.B) {
	h, s := large(b)
	benchmark(b, h, "POST", "/api/v1/spatial/points", pointsJSON(s.KG.Box, 1000))
}

func BenchmarkPointGet(b *testing.B) {
	h, s := large(b)
	p := s.Parcels[10_000].Inside
	for _, radius := range []string{"0", "100"} {
		b.Run("radius="+radius, func(b *testing.B) {
			benchmark(b, h, "GET", fmt.Sprintf("/api/v1/spatial/point?lon=%.7f&lat=%.7f&radius=%s", p.Lon(), p.Lat(), radius), "")
		})
	}
}

func BenchmarkPointPost1000(b *testing.B) {
	h, s := large(b)
	benchmark(b, h, "POST", "/api/v1/spatial/point?attrs_only=1",
		strings.Replace(pointsJSON(s.KG.Box, 1000), "{", `{"radius":50,"layers":["parcels","buildings"],`, 1))
}

func BenchmarkBox(b *testing.B) {
	h, s := large(b)
	for _, c := range []struct{ name, query string }{
		{"geojson of a quarter", share(s.KG.Box, 0.25, 0.25, 0.75, 0.75) + "&format=geojson&limit=100000"},
		{"geojson of five fields", share(s.KG.Box, 0.05, 0.05, 0.95,
			0.95) + "&format=geojson&limit=100000&fields=parcel_id,gnr,ez,status,area_sqm"},
		{"json of a quarter", share(s.KG.Box, 0.25, 0.25, 0.75, 0.75) + "&limit=100000"},
		{"json of 100", share(s.KG.Box, 0.25, 0.25, 0.75, 0.75) + "&limit=100"},
		{"all attributes", share(s.KG.Box, -0.1, -0.1, 1.1, 1.1) + "&attrs_only=1&limit=100000"},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, h, "GET", "/api/v1/spatial/bbox?"+c.query, "") })
	}
}

func BenchmarkViewport(b *testing.B) {
	h, s := large(b)
	for _, l := range []string{"parcels", "footprints"} {
		b.Run(l, func(b *testing.B) {
			benchmark(b, h, "GET", "/api/v1/spatial/"+l+"?"+share(s.KG.Box, -0.1, -0.1, 1.1, 1.1)+"&limit=20000", "")
		})
	}
}

func BenchmarkPolygon(b *testing.B) {
	h, s := large(b)
	benchmark(b, h, "POST", "/api/v1/spatial/polygon?limit=1", disc(s.KG.Box, 1000))
}

func BenchmarkPolygon100000Vertices(b *testing.B) {
	h, s := large(b)
	benchmark(b, h, "POST", "/api/v1/spatial/polygon?limit=1", disc(s.KG.Box, 99_999))
}

func BenchmarkKGs(b *testing.B) {
	h, s := large(b)
	benchmark(b, h, "GET", "/api/v1/spatial/kgs?"+share(s.KG.Box, 0.25, 0.25, 0.75, 0.75), "")
}

func BenchmarkGeometryBatch5000(b *testing.B) {
	h, s := large(b)
	var ids []string
	for i := range 5000 {
		ids = append(ids, string(s.KG.Code)+"-"+string(s.Parcels[i*3].GNR))
	}
	body, _ := json.Marshal(map[string]any{"ids": ids})
	benchmark(b, h, "POST", "/api/v1/parcels/geometry/batch", string(body))
}

// BenchmarkLoopback asks over HTTP on the loopback interface with connections kept open.
func BenchmarkLoopback(b *testing.B) {
	h, s := large(b)
	srv := httptest.NewServer(h)
	defer srv.Close()
	p := s.Parcels[10_000].Inside
	body := pointsJSON(s.KG.Box, 1000)
	for _, c := range []struct {
		name string
		ask  func() (*http.Response, error)
	}{
		{"1000 points", func() (*http.Response, error) {
			return srv.Client().Post(srv.URL+"/api/v1/spatial/points", "application/json", strings.NewReader(body))
		}},
		{"one point", func() (*http.Response, error) {
			return srv.Client().Get(fmt.Sprintf("%s/api/v1/spatial/point?lon=%.7f&lat=%.7f&radius=0", srv.URL, p.Lon(), p.Lat()))
		}},
		{"geojson of a quarter", func() (*http.Response, error) {
			return srv.Client().Get(srv.URL + "/api/v1/spatial/bbox?format=geojson&limit=100000&" + share(s.KG.Box, 0.25, 0.25, 0.75, 0.75))
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				w, err := c.ask()
				if err != nil {
					b.Fatal(err)
				}
				n, err := io.Copy(io.Discard, w.Body)
				w.Body.Close()
				if err != nil || w.StatusCode != 200 {
					b.Fatal(w.StatusCode, err)
				}
				b.SetBytes(n)
			}
		})
	}
}

// BenchmarkCold opens the library and answers the first request.
func BenchmarkCold(b *testing.B) {
	snap := kgtest.Snapshot(kgtest.Small)
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{snap}); err != nil {
		b.Fatal(err)
	}
	p := snap.Parcels[500].Inside
	for b.Loop() {
		h := serve(b, s, library.Options{})
		if w := call(h, "GET", fmt.Sprintf("/api/v1/spatial/point?lon=%.7f&lat=%.7f&radius=0", p.Lon(), p.Lat()), ""); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
}
