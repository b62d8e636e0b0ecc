//go:build cgo

package hexgrid

import (
	"math/rand/v2"
	"testing"

	h3 "github.com/uber/h3-go/v4"

	"mappe/shared/geo/geom"
)

func BenchmarkBeside(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	points := make([]LatLng, 1024)
	cells := make([]Cell, 1024)
	for i := range points {
		points[i] = inAustria(rnd)
		cells[i], _ = LatLngToCell(points[i], 12)
	}
	polygon := star(rnd, LatLng{47.5, 14.5}, 0.05)
	run := func(name string, f func(i int)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				f(i & 1023)
			}
		})
	}
	run("LatLngToCell/own", func(i int) { LatLngToCell(points[i], 12) })
	run("LatLngToCell/h3-go", func(i int) { h3.LatLngToCell(h3Of(points[i]), 12) })
	run("LatLng/own", func(i int) { cells[i].LatLng() })
	run("LatLng/h3-go", func(i int) { h3.Cell(cells[i]).LatLng() })
	run("Boundary/own", func(i int) { cells[i].Boundary() })
	run("Boundary/h3-go", func(i int) { h3.Cell(cells[i]).Boundary() })
	run("GridDisk3/own", func(i int) { cells[i].GridDisk(3) })
	run("GridDisk3/h3-go", func(i int) { h3.Cell(cells[i]).GridDisk(3) })
	run("Area/own", func(i int) { cells[i].AreaM2() })
	run("Area/h3-go", func(i int) { h3.CellAreaM2(h3.Cell(cells[i])) })
	run("Polygon/own", func(int) { PolygonToCells(geom.MultiPolygon{polygon}, 11, 1<<20) })
	run("Polygon/h3-go", func(int) {
		h3.PolygonToCellsExperimental(h3Polygon(polygon), 11, h3.ContainmentCenter)
	})
}
