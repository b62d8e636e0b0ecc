package forms

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"mappe/artefacts/ne"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// someRows are the rows of a whole cell of resolution 6, half of them unlike the row before.
func someRows(b *testing.B) []ne.LURow {
	b.Helper()
	at, _ := geom.PointAt(13.3, 47.3)
	above, err := hexgrid.PointToCell(at, 7)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var out []ne.LURow
	row := make([]byte, ne.LUBytes)
	for c := range above.Children(ne.LURes) {
		if r.IntN(2) == 0 {
			for i := 8; i < len(row); i++ {
				row[i] = byte(r.IntN(256))
			}
		}
		binary.LittleEndian.PutUint64(row, uint64(c))
		out = append(out, ne.ParseLU(row))
	}
	return out
}

// BenchmarkCellsGeoParquet is the GeoParquet of the cells of a KG, 16,807 rows.
func BenchmarkCellsGeoParquet(b *testing.B) {
	rows := someRows(b)
	head := ne.Header{KG: "99101", Stichtag: "2026-10-01", Generation: "0011223344556677"}
	areas := make([]float64, len(rows))
	for i := range rows {
		areas[i] = ne.CellArea(rows[i].Cell)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := CellsGeoParquet(head, "made up", rows, areas); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(rows))*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
