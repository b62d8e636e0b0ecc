package format

import (
	"encoding/json"
	"io"
	"math"
	"testing"

	"mappe/shared/geo/geom"
)

// benchRows are 20,000 polygons of 12 vertices.
func benchRows() []*testRow {
	rows := make([]*testRow, 20000)
	for i := range rows {
		ring := make(geom.Ring, 12)
		for k := range ring {
			a := float64(k) / 12 * 2 * math.Pi
			ring[k] = geom.Point{X: 130000000 + int32(i%200)*5000 + int32(2000*math.Cos(a)),
				Y: 470000000 + int32(i/200)*5000 + int32(2000*math.Sin(a))}
		}
		rows[i] = &testRow{thing, []Value{String("01004-123/4"), Int(int64(i)), Float(float64(i)*1.37, 2), Bool(true), Degrees(ring[0].X),
			RawJSON(`{"41":2}`)}, PolygonGeometry(geom.MultiPolygon{{ring}})}
	}
	return rows
}

func benchWrite(b *testing.B, write func(*Buffer, *Layout, Seq) error) {
	rows := Rows(benchRows())
	l := NewLayout(nil, thing)
	buf := NewBuffer(io.Discard)
	b.ReportAllocs()
	for b.Loop() {
		if err := write(buf, l, rows); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20000, "ns/row")
}

func BenchmarkGeoJSON20000(b *testing.B)  { benchWrite(b, WriteGeoJSONSeq) }
func BenchmarkJSONRows20000(b *testing.B) { benchWrite(b, WriteNDJSON) }
func BenchmarkCSV20000(b *testing.B)      { benchWrite(b, WriteCSV) }

// BenchmarkGeoJSON20000EncodingJSON is the rival: the same features as Go values through encoding/json.
func BenchmarkGeoJSON20000EncodingJSON(b *testing.B) {
	type geometry struct {
		Type        string         `json:"type"`
		Coordinates [][][2]float64 `json:"coordinates"`
	}
	type properties struct {
		ID   string         `json:"id"`
		N    int64          `json:"n"`
		Area float64        `json:"area_sqm"`
		Flag bool           `json:"flag"`
		Lon  float64        `json:"lon"`
		Uses map[string]int `json:"uses"`
	}
	type feature struct {
		Type       string     `json:"type"`
		ID         string     `json:"id"`
		Geometry   geometry   `json:"geometry"`
		Properties properties `json:"properties"`
	}
	uses := map[string]int{"41": 2}
	rows := benchRows()
	enc := json.NewEncoder(io.Discard)
	b.ReportAllocs()
	for b.Loop() {
		for _, r := range rows {
			ring := r.g.Polygons[0][0]
			c := make([][2]float64, 0, len(ring)+1)
			for _, p := range ring {
				c = append(c, [2]float64{p.Lon(), p.Lat()})
			}
			c = append(c, c[0])
			f := feature{"Feature", "01004-123/4", geometry{"Polygon", [][][2]float64{c}},
				properties{"01004-123/4", r.vals[1].num, r.vals[2].float(), true, ring[0].Lon(), uses}}
			if err := enc.Encode(f); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20000, "ns/row")
}
