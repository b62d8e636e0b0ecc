package index

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/landscape/segment"
)

// plainField is a height field by looking at every sample.
func plainField(r *landscape.Record, samples []landscape.Sample, cell, k, cols, rows int) []float64 {
	scale := crs.ScaleAt(r.BBox.Center())
	height := float64(r.BBox.MaxY-r.BBox.MinY) * scale.Y
	var out []float64
	for row := range rows {
		for col := range cols {
			x, y := (float64(col)+0.5)*float64(cell), height-(float64(row)+0.5)*float64(cell)
			var near []hitPoint
			for _, s := range samples {
				dx, dy := float64(s.At.X-r.BBox.MinX)*scale.X-x, float64(s.At.Y-r.BBox.MinY)*scale.Y-y
				near = append(near, hitPoint{dx*dx + dy*dy, float64(s.DTM)})
			}
			slices.SortFunc(near, func(a, b hitPoint) int { return compare(a.d2, b.d2, true) })
			near = near[:min(k, len(near))]
			switch {
			case near[0].d2 > farthest*farthest:
				out = append(out, math.NaN())
				continue
			case near[0].d2 < 1e-4:
				out = append(out, near[0].z)
				continue
			}
			total, weight := 0.0, 0.0
			for _, h := range near {
				total, weight = total+h.z/h.d2, weight+1/h.d2
			}
			out = append(out, total/weight)
		}
	}
	return out
}

// nation is a made-up country of 7,850 KGs.
func nation() *country {
	entries := make([]landscape.Entry, 7850)
	for i := range entries {
		x, y := int32(95_000_000+i%100*700_000), int32(465_000_000+i/100*300_000)
		entries[i].Summary = landtest.Summary(austria.KGCode(fmt.Sprintf("%05d", 10000+i)),
			geom.Box{MinX: x, MinY: y, MaxX: x + 600_000, MaxY: y + 250_000}, uint64(i))
	}
	return &country{table: tableOf(entries)}
}

func BenchmarkLookUp(b *testing.B) {
	c := nation()
	for b.Loop() {
		if c.find("14321") == nil {
			b.Fatal("it is not found")
		}
	}
}

func BenchmarkCompound(b *testing.B) {
	c := nation()
	by := landscape.RecordColumns.Find("quality_score")
	for name, tests := range map[string][]test{
		"all": nil,
		"filters": {func(e *landscape.Entry) bool { return e.SlopeMean >= 5 }, func(e *landscape.Entry) bool { return e.NDVIMean <= 0.7 },
			typeFilter{segment.Grass, 0.5, 1000}.passes,
			coverFilter{Type: segment.Tree, MinFraction: 0.1}.passes},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, total := c.passing(tests, by, false, 50); total == 0 {
					b.Fatal("none passes")
				}
			}
		})
	}
	b.Run("text", func(b *testing.B) {
		by := landscape.RecordColumns.Find("kg_name")
		for b.Loop() {
			c.passing(nil, by, false, 50)
		}
	})
}

func BenchmarkAggregate(b *testing.B) {
	c := nation()
	list, _ := c.passing(nil, landscape.RecordColumns.Find("kg_code"), true, len(c.entries))
	for b.Loop() {
		sumsOf(list)
	}
}

// The index of the country is opened once in an instance.
func BenchmarkOpen(b *testing.B) {
	x := landscape.NewIndexBuilder()
	for _, e := range nation().entries {
		if err := x.Add(&landscape.KG{Summary: e.Summary}, "landscape/10000/10000-2026-10-01-0123456789abcdef.parts"); err != nil {
			b.Fatal(err)
		}
	}
	body, err := x.Encode()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(body)), "bytes")
	for b.Loop() {
		if _, err := landscape.ReadEntries(body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHeightfield(b *testing.B) {
	k := landtest.KG(landtest.Options{Code: "88801", Box: geom.Box{MinX: 150000000, MinY: 480000000, MaxX: 150450000, MaxY: 480300000},
		Samples: 70})
	for b.Loop() {
		if _, err := fieldOf(&k.Record, k.Samples, 50, 8); err != nil {
			b.Fatal(err)
		}
	}
}
