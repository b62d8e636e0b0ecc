package judged

import (
	"context"
	"testing"

	"mappe/shared/landscape/segment"
)

func TestSegmentsOfAScene(t *testing.T) {
	s := sceneOf(t, "tune", 0, 0)
	source := SegmentSource(s, 2, Bare{})
	land, err := segment.Divide(context.Background(), All(s), segment.Default(), source, func(context.Context) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	truth := TrueTypes(s, land)
	pure := 0.0
	n := map[segment.Type]int{}
	for i, x := range truth {
		pure += x.Purity * float64(land.Objects[i].Row[segment.Area])
		n[x.Type]++
	}
	t.Logf("%d objects, %d cells of %d, purity %.3f, %v", len(land.Objects), land.Found, land.Cells, pure/float64(land.Found), n)
}

func BenchmarkSegments(b *testing.B) {
	s := sceneOf(b, "gate", 0, 0)
	source := SegmentSource(s, 2, Bare{})
	n := 0
	b.ResetTimer()
	for range b.N {
		land, err := segment.Divide(context.Background(), All(s), segment.Default(), source, func(context.Context) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		n = len(land.Objects)
	}
	b.ReportMetric(float64(n), "objects")
}
