package line

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"mappe/infra/judges"
	"mappe/shared/geo/geom"
)

// SpatiaLite measures geodesics on the ellipsoid. Segments of up to two kilometres differ from geodesics by
// nothing that counts.
func TestLengthBesideSpatiaLite(t *testing.T) {
	tool := judges.Program(t, "ogrinfo")
	rnd := rand.New(rand.NewPCG(1, 1))
	var lines []String
	var features []map[string]any
	for id := range 60 {
		s := String{{X: 95000000 + rnd.Int32N(77000000), Y: 463000000 + rnd.Int32N(28000000)}}
		for range 1 + rnd.IntN(20) {
			p := s[len(s)-1]
			s = append(s, geom.Point{X: p.X + rnd.Int32N(400000) - 200000, Y: p.Y + rnd.Int32N(300000) - 150000})
		}
		lines = append(lines, s)
		var xy [][2]float64
		for _, p := range s {
			xy = append(xy, [2]float64{p.Lon(), p.Lat()})
		}
		features = append(features, map[string]any{"type": "Feature", "properties": map[string]int{"id": id},
			"geometry": map[string]any{"type": "LineString", "coordinates": xy}})
	}
	b, err := json.Marshal(map[string]any{"type": "FeatureCollection", "features": features})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "lines.geojson")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "-q", "-dialect", "sqlite", "-sql", "select ST_Length(geometry, 1) as metres from lines order by id",
		file).Output()
	if err != nil {
		t.Fatalf("ogrinfo: %v", err)
	}
	n := 0
	for _, row := range bytes.Split(out, []byte{'\n'}) {
		_, value, ok := bytes.Cut(bytes.TrimSpace(row), []byte("metres (Real) = "))
		if !ok {
			continue
		}
		want, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := lines[n].Length(); math.Abs(got-want) > 1e-7*want+1e-3 {
			t.Errorf("%v: %.4f m, SpatiaLite %.4f", lines[n], got, want)
		}
		n++
	}
	if n != len(lines) {
		t.Errorf("%d of %d lines measured:\n%.500s", n, len(lines), out)
	}
}

// A segment straight on the grid is as long as its pieces.
func TestLongSegmentsAreMeasuredInPieces(t *testing.T) {
	a, b := geom.Point{X: 95000000, Y: 463000000}, geom.Point{X: 172000000, Y: 491000000}
	var s String
	for k := range 1001 {
		s = append(s, between(a, b, float64(k)/1000))
	}
	if whole, sum := (String{a, b}).Length(), s.Length(); math.Abs(whole-sum) > 1e-7*sum {
		t.Errorf("%f m as a whole, %f m in pieces", whole, sum)
	}
}

func BenchmarkLine(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var ring geom.Ring
	for i := range 2000 {
		a, r := 2*math.Pi*float64(i)/2000, 1e6*(0.8+0.2*rnd.Float64())
		ring = append(ring, geom.Point{X: 160000000 + int32(r*math.Cos(a)), Y: 480000000 + int32(r*math.Sin(a))})
	}
	x := geom.NewIndex(geom.MultiPolygon{{ring}})
	s := String{{X: 158500000, Y: 480000000}}
	for len(s) < 200 {
		p := s[len(s)-1]
		s = append(s, geom.Point{X: p.X + 15000, Y: p.Y + rnd.Int32N(20000) - 10000})
	}
	for name, f := range map[string]func(){
		"Length":   func() { s.Length() },
		"Clip":     func() { s.Clip(x) },
		"Near":     func() { s.Nearest(geom.Point{X: 160000000, Y: 480100000}) },
		"Simplify": func() { Simplify([]String{s}, 20) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}
