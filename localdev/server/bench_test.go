package server_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/national"
	"mappe/localdev/server"
	"mappe/shared/cloud/store/mem"
)

// discard is an answer nobody reads.
type discard struct{ h http.Header }

func (d *discard) Header() http.Header         { return d.h }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(int)             {}

// BenchmarkPoint is one GET of a point in a KG of 20,000 parcels, through everything but the network.
func BenchmarkPoint(b *testing.B) {
	st := mem.New()
	snap := kgtest.Snapshot(kgtest.Large)
	if _, err := national.PublishSnapshots(context.Background(), st, snap); err != nil {
		b.Fatal(err)
	}
	h, err := server.New(context.Background(), server.Config{Store: st})
	if err != nil {
		b.Fatal(err)
	}
	box := snap.KG.Box
	requests := make([]*http.Request, 1000)
	for i := range requests {
		x := box.MinX + int32(i*7919)%(box.MaxX-box.MinX)
		y := box.MinY + int32(i*104729)%(box.MaxY-box.MinY)
		requests[i] = httptest.NewRequest("GET",
			fmt.Sprintf("/cadastre/api/v1/spatial/point?lon=%.7f&lat=%.7f&radius=0&attrs_only=true&fields=parcel_id,gnr,ez,status,area_sqm&nocache=1", float64(x)/1e7, float64(y)/1e7), nil)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		h.ServeHTTP(&discard{http.Header{}}, requests[i%len(requests)])
		i++
	}
}

// BenchmarkCodings is one GeoJSON answer of a KG of 20,000 parcels (some 9 MB), plain and compressed.
func BenchmarkCodings(b *testing.B) {
	st := mem.New()
	snap := kgtest.Snapshot(kgtest.Large)
	if _, err := national.PublishSnapshots(context.Background(), st, snap); err != nil {
		b.Fatal(err)
	}
	h, err := server.New(context.Background(), server.Config{Store: st})
	if err != nil {
		b.Fatal(err)
	}
	box := snap.KG.Box
	url := fmt.Sprintf("/cadastre/api/v1/spatial/bbox?west=%.7f&south=%.7f&east=%.7f&north=%.7f&limit=100000&format=geojson&nocache=1",
		float64(box.MinX)/1e7, float64(box.MinY)/1e7, float64(box.MaxX)/1e7, float64(box.MaxY)/1e7)
	for _, coding := range []string{"identity", "zstd", "gzip"} {
		b.Run(coding, func(b *testing.B) {
			r := httptest.NewRequest("GET", url, nil)
			r.Header.Set("Accept-Encoding", coding)
			var sent int64
			for b.Loop() {
				w := &counted{discard: discard{http.Header{}}}
				h.ServeHTTP(w, r)
				sent = w.n
			}
			b.ReportMetric(float64(sent)/1e6, "MB")
		})
	}
}

// counted counts what is written.
type counted struct {
	discard
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}
