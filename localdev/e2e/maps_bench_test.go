package e2e

import (
	"fmt"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/builders/national"
	"mappe/functions/cadastre/maps"
	"mappe/functions/core"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/mvt"
)

// BenchmarkMap is a tile of 256 pixels of a KG of 19,720 parcels, read from memory, at the zooms of web maps, and a picture of a screen in
// one of the Austrian systems. A tile of zoom 16 is to take at most 60 ms of one processor.
func BenchmarkMap(b *testing.B) {
	st := mem.New()
	snap := kgtest.Snapshot(kgtest.Large)
	if _, err := national.PublishSnapshots(b.Context(), st, snap); err != nil {
		b.Fatal(err)
	}
	lib, err := library.Open(b.Context(), st, library.Options{})
	if err != nil {
		b.Fatal(err)
	}
	h, err := maps.New(core.Deps{Library: lib}).Handler()
	if err != nil {
		b.Fatal(err)
	}
	at := snap.Parcels[len(snap.Parcels)/2].Inside
	targets := map[string]string{
		"screen-31256": "/wms?request=GetMap&version=1.1.1&layers=cadastre&srs=EPSG:31256&width=1920&height=1080&bbox=" +
			viewOf(crs.GaussKruegerEast, at, 800, false),
	}
	for _, z := range []uint8{13, 14, 16, 17, 18} {
		g := mvt.Grid{Z: z, Extent: 256}
		x, y := g.Snap(at)
		id := g.Tile(x, y)
		targets[fmt.Sprintf("tile-%d", z)] = fmt.Sprintf("/wmts/xyz/cadastre/%d/%d/%d.png", z, id.X, id.Y)
	}
	for name, target := range targets {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				w := pictured(h, target)
				if n = w.Body.Len(); w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
			b.ReportMetric(float64(n), "bytes")
		})
	}
}
