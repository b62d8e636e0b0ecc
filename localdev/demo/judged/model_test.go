package judged

import (
	"testing"

	"mappe/artefacts/classifier"
	"mappe/artefacts/classifier/scenes"
	"mappe/infra/oracles"
	"mappe/shared/landscape/forest"
)

// The model of the demo country tells the classes of scenes that it was not trained from to the aims of the service: far better
// than the rules alone, with confidences that hold, and still without the heights.
func TestTheModelOfScenes(t *testing.T) {
	m, err := classifier.Decode(scenes.Model())
	if err != nil {
		t.Fatal(err)
	}
	model, err := m.OfSegments()
	if err != nil {
		t.Fatal(err)
	}
	missing := AllMissing()[:2]
	results := make([]Classes, len(missing))
	for n := range oracles.Rounds(t, 1) {
		s := sceneOf(t, "gate", int(n), 0)
		source := SegmentSource(s, 2+int(n%2), Bare{})
		for i, l := range missing {
			if err := results[i].Add(t.Context(), s, l.From(source), model); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, least := range []struct{ macro, right, above, calibration float64 }{{0.75, 0.93, 0.10, 0.05}, {0.5, 0.7, 0.2, 0.1}} {
		r := &results[i]
		told, rules := r.Told.MacroF1(5), r.Rules.MacroF1(5)
		_, expected := forest.Reliability(r.Cases, 10)
		t.Logf("without %s: %d objects, %.3f right, macro-F1 %.3f, by rules alone %.3f; %d told by the model; expected calibration error %.3f", missing[i].Name, len(r.Cases),
			r.Told.Right(), told, rules, r.ByModel, expected)
		if told < least.macro || r.Told.Right() < least.right || told < rules+least.above || expected > least.calibration {
			t.Errorf("without %s: macro-F1 %.3f, expected at least %.2f and %.2f above the rules' %.3f; %.3f right, expected %.2f; calibration error %.3f, expected at most %.2f",
				missing[i].Name, told, least.macro, least.above, rules, r.Told.Right(), least.right, expected, least.calibration)
		}
	}
}
