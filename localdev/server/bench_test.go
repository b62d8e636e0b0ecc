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
		requests[i] = httptest.NewRequest("GET", fmt.Sprintf("/cadastre/api/v1/spatial/point?lon=%.7f&lat=%.7f&radius=0&attrs_only=true&fields=parcel_id,gnr,ez,status,area_sqm&nocache=1", float64(x)/1e7, float64(y)/1e7), nil)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		h.ServeHTTP(&discard{http.Header{}}, requests[i%len(requests)])
		i++
	}
}
