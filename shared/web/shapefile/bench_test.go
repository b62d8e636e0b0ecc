package shapefile

import (
	"io"
	"math"
	"testing"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
	"mappe/shared/web/format/formattest"
)

// benchRows are 20,000 polygons of 12 vertices.
func benchRows() format.Seq {
	k := schema(false).RowType
	rows := make([]formattest.Row, 20000)
	for i := range rows {
		ring := make(geom.Ring, 12)
		for n := range ring {
			a := float64(n) / 12 * 2 * math.Pi
			ring[n] = geom.Point{X: 130_000_000 + int32(i%200)*5000 + int32(2000*math.Cos(a)),
				Y: 470_000_000 + int32(i/200)*5000 + int32(2000*math.Sin(a))}
		}
		rows[i] = formattest.Row{Of: k, Vals: []format.Value{format.String("01004-123/4"), format.String("Öd am Weißen Fluß"),
			format.Int(int64(i)), format.Float(float64(i)*1.37, 2), format.Bool(true), format.Degrees(ring[0].X)},
			Shape: format.PolygonGeometry(geom.MultiPolygon{{ring}})}
	}
	return format.Rows(rows)
}

func bench(b *testing.B, at format.Projection, write func(*format.Layout, format.Seq) error) {
	rows := benchRows()
	b.ReportAllocs()
	for b.Loop() {
		l := format.NewLayout(nil, schema(false).RowType)
		l.Projection = at
		if err := write(l, rows); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20000, "ns/row")
}

func shapes(b *testing.B) func(l *format.Layout, rows format.Seq) error {
	return func(l *format.Layout, rows format.Seq) error {
		return Answer{Name: "bench", Layout: l, Rows: rows}.Write(b.Context(), io.Discard)
	}
}

func BenchmarkShapefile20000(b *testing.B) { bench(b, format.Projection{}, shapes(b)) }

func BenchmarkShapefile20000Lambert(b *testing.B) {
	bench(b, format.Projection{EPSG: 31287, Forward: crs.LambertMGI.Forward}, shapes(b))
}

// BenchmarkGeoJSON20000 are the same rows as a sequence of GeoJSON features, which is not packed.
func BenchmarkGeoJSON20000(b *testing.B) {
	bench(b, format.Projection{}, func(l *format.Layout, rows format.Seq) error {
		return format.WriteGeoJSONSeq(format.NewBuffer(io.Discard), l, rows)
	})
}
