package judged

import (
	"context"
	"testing"

	"mappe/localdev/demo/scene"
	"mappe/shared/landscape/segment"
)

// divided is a scene divided into objects, with the types that rules give them.
func divided(t testing.TB, s *scene.Scene, source segment.Source) (*segment.Land, []segment.Type) {
	t.Helper()
	land, err := segment.Divide(context.Background(), All(s), segment.Default(), source, func(context.Context) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	var given []segment.Type
	for _, a := range segment.Classify(land.Objects, nil) {
		given = append(given, a.Type)
	}
	return land, given
}

// Objects of a scene that nothing was fitted to follow its things, and rules alone tell most of their types; the truth itself
// scores 1, one type for all next to nothing.
func TestSegmentsOfAScene(t *testing.T) {
	s := sceneOf(t, "gate", 1, 0)
	land, given := divided(t, s, SegmentSource(s, 2, Bare{}))
	truth := TrueTypes(s, land)
	border, fit := Borders(s, land, 2), FitOf(s, land, truth, 30)
	c := Confusion{}
	c.Objects(truth, given)
	t.Logf("%d objects; borders: recall %.3f, precision %.3f, F1 %.3f; %+v; macro-F1 of the rules %.3f\n%v", len(land.Objects),
		border.Recall, border.Precision, border.F1(), fit, c.MacroF1(5), c)
	if border.F1() < 0.85 || fit.Under > 0.35 || c.MacroF1(5) < 0.6 || land.Found != land.Cells {
		t.Errorf("borders %.3f, %+v, macro-F1 %.3f", border.F1(), fit, c.MacroF1(5))
	}
	perfect, flat := Confusion{}, Confusion{}
	for _, x := range truth {
		perfect[[2]segment.Type{x.Type, x.Type}]++
		flat[[2]segment.Type{x.Type, segment.Grass}]++
	}
	if perfect.MacroF1(5) < 0.999 || flat.MacroF1(5) > 0.1 {
		t.Errorf("the truth scores %.3f, meadows alone %.3f", perfect.MacroF1(5), flat.MacroF1(5))
	}
	one := *land
	one.Labels = make([]int32, len(land.Labels))
	for i := range one.Labels {
		one.Labels[i] = 1
	}
	if b := Borders(s, &one, 2); b.F1() != 0 {
		t.Errorf("no border at all scores %.3f", b.F1())
	}
}

func BenchmarkSegments(b *testing.B) {
	s := sceneOf(b, "gate", 0, 0)
	source := SegmentSource(s, 2, Bare{})
	n := 0
	b.ResetTimer()
	for range b.N {
		land, _ := divided(b, s, source)
		n = len(land.Objects)
	}
	b.ReportMetric(float64(n), "objects")
}
