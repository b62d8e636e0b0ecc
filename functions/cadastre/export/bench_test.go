package export

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/coding"
)

// sink takes an answer without keeping it and notes when its first byte came.
type sink struct {
	h      http.Header
	status int
	bytes  int64
	first  time.Time
}

func (s *sink) Header() http.Header    { return s.h }
func (s *sink) WriteHeader(status int) { s.status = status }

func (s *sink) Write(p []byte) (int, error) {
	if s.bytes == 0 {
		s.first = time.Now()
	}
	s.bytes += int64(len(p))
	return len(p), nil
}

// fetch measures an answer: the whole of it as the time of the benchmark, the first byte beside.
func fetch(b *testing.B, h http.Handler, target, accept string) {
	b.Helper()
	b.ReportAllocs()
	var n int64
	var first time.Duration
	rounds := 0
	for b.Loop() {
		r := httptest.NewRequest("GET", "/api/v1/export/"+target, nil)
		if accept != "" {
			r.Header.Set("Accept-Encoding", accept)
		}
		w := &sink{h: http.Header{}, status: 200}
		began := time.Now()
		h.ServeHTTP(w, r)
		if w.status != 200 {
			b.Fatalf("%s: %s", target, get(h, target).Body)
		}
		n, first = w.bytes, first+w.first.Sub(began)
		rounds++
	}
	b.SetBytes(n)
	b.ReportMetric(float64(first.Microseconds())/1000/float64(rounds), "ms-to-first-byte")
}

// large publishes one KG of 19,720 parcels, with its GeoPackage and its parcels as GeoJSON stored.
func large(b *testing.B) (h http.Handler, snap *kgfile.Snapshot, file []byte) {
	b.Helper()
	snap = kgtest.Snapshot(kgtest.Large)
	s := mem.New()
	if err := fixture.Publish(s, []*kgfile.Snapshot{snap}); err != nil {
		b.Fatal(err)
	}
	plain := serve(b, s)
	file = get(plain, "gpkg?kg=99002").Body.Bytes()
	packed := get(plain, "geojson?kg=99002", "Accept-Encoding", "gzip").Body.Bytes()
	s = mem.New()
	if err := fixture.PublishForms(s, []*kgfile.Snapshot{snap},
		fixture.Bodies{"99002": {keys.GeoJSON: packed, keys.GeoPackage: file}}); err != nil {
		b.Fatal(err)
	}
	return serve(b, s), snap, file
}

// BenchmarkWholeKG is a KG of 19,720 parcels in each way in which it is served. ogr2ogr copies the same layers,
// from a GeoPackage, its fastest source.
func BenchmarkWholeKG(b *testing.B) {
	h, _, file := large(b)
	for _, c := range []struct{ name, target, accept string }{
		{"geojson/stored", "geojson?kg=99002", "gzip"},
		{"geojson/written", "geojson?kg=99002", ""},
		{"geojson/written-gzip", "geojson?kg=99002&fields=geometry,parcel_id,area_sqm", "gzip"},
		{"geojson/six-layers", "geojson?kg=99002&layers=parcels,buildings,building_footprints,labels,landuse_polygons,landuse_points", ""},
		{"gpkg/stored", "gpkg?kg=99002", ""},
	} {
		b.Run(c.name, func(b *testing.B) { fetch(b, h, c.target, c.accept) })
	}
	written := mem.New()
	if err := fixture.Publish(written, []*kgfile.Snapshot{kgtest.Snapshot(kgtest.Large)}); err != nil {
		b.Fatal(err)
	}
	bare := serve(b, written)
	b.Run("gpkg/written", func(b *testing.B) { fetch(b, bare, "gpkg?kg=99002", "") })
	b.Run("flatgeobuf/written", func(b *testing.B) { fetch(b, bare, "flatgeobuf?kg=99002", "") })
	source := filepath.Join(b.TempDir(), "source.gpkg")
	if err := os.WriteFile(source, file, 0o644); err != nil {
		b.Fatal(err)
	}
	for name, args := range map[string][]string{"gpkg/ogr2ogr": {"-f", "GPKG"}, "geojson/ogr2ogr-parcels": {"-f", "GeoJSON", "-nln",
		"parcels"},
		"gpkg/ogr2ogr-parcels": {"-f", "GPKG", "-nln", "parcels"}, "flatgeobuf/ogr2ogr": {"-f", "FlatGeobuf", "-nln", "parcels"}} {
		b.Run(name, func(b *testing.B) {
			tool := oracles.Program(b, "ogr2ogr")
			dir := b.TempDir()
			for b.Loop() {
				// without its ending the driver makes a folder
				out := filepath.Join(dir, "out"+map[string]string{"FlatGeobuf": ".fgb"}[args[1]])
				os.Remove(out)
				arguments := append(args[:len(args):len(args)], out, source)
				if len(args) > 2 {
					arguments = append(arguments, "parcels")
				}
				if text, err := exec.Command(tool, arguments...).CombinedOutput(); err != nil {
					b.Fatalf("%v %s", err, text)
				}
				if info, err := os.Stat(out); err == nil {
					b.ReportMetric(float64(info.Size()), "bytes")
				}
			}
		})
	}
}

// BenchmarkEstimate prints how many bytes of each layer there are for a byte of the snapshot: what estimate.go says.
func BenchmarkEstimate(b *testing.B) {
	for _, o := range []kgtest.Options{kgtest.Small, kgtest.Large} {
		snap := kgtest.Snapshot(o)
		body, err := kgfile.Encode(snap)
		if err != nil {
			b.Fatal(err)
		}
		s := mem.New()
		if err := fixture.Publish(s, []*kgfile.Snapshot{snap}); err != nil {
			b.Fatal(err)
		}
		h, kg := serve(b, s), string(austria.KGCode(o.Code))
		targets := map[string]string{"gpkg": "gpkg?kg=" + kg}
		for _, l := range fgbLayers() {
			targets["flatgeobuf-"+string(l)] = "flatgeobuf?kg=" + kg + "&layer=" + string(l)
		}
		for _, l := range allLayers() {
			targets[string(l)] = "geojson?kg=" + kg + "&layers=" + string(l)
			targets[string(l)+"-points"] = targets[string(l)] + "&include_geometry=false"
		}
		for name, target := range targets {
			b.Run(name+"/"+kg, func(b *testing.B) {
				n := 0
				for b.Loop() {
					n = get(h, target, "Accept-Encoding", coding.Identity.String()).Body.Len()
				}
				b.ReportMetric(float64(n)/float64(len(body)), "bytes/byte")
			})
		}
	}
}
