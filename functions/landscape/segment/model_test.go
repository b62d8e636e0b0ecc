package segment

import (
	"encoding/json"
	"strings"
	"testing"

	"mappe/artefacts/classifier"
	"mappe/artefacts/classifier/scenes"
	"mappe/functions/worldtest"
)

// explanation are the properties that the model decides.
type explanation struct {
	Type, RFType, Source string
	Confidence           float64
	Top                  []classifier.Reason
}

func explanations(t *testing.T, got answer) (out []explanation) {
	t.Helper()
	for _, f := range got.Features {
		x := explanation{Type: f.Properties["type"].(string), Source: f.Properties["classifier_source"].(string), Confidence: f.Properties["confidence"].(float64)}
		if v, ok := f.Properties["rf_type"].(string); ok {
			x.RFType = v
		}
		b, err := json.Marshal(f.Properties["top_features"])
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &x.Top); err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// A generation's model tells types where it is sure, says what it is, and why it chose.
func TestTheModelOfTheGeneration(t *testing.T) {
	s := world(t, true, true)
	if err := worldtest.AddClassifier(s, worldtest.ClassifierArtefact); err != nil {
		t.Fatal(err)
	}
	const question = "/api/v1/segment?include_cadastre=false&explain=true"
	square := rect(4, 4, 150, 150) // within one square of the division
	got := ask(t, over(t, s), question, square)
	m := got.Meta.Model
	if m == nil || m.ID != worldtest.ClassifierID() || m.Accuracy < 0.8 || m.Calibration.Least != 0.5 || m.Calibration.Method != "isotonic" || m.Calibration.Error > 0.05 {
		t.Fatalf("meta.model: %+v", m)
	}
	sources := map[string]int{}
	for _, x := range explanations(t, got) {
		sources[x.Source]++
		if x.Source == "rf" && x.Confidence < 0.5 {
			t.Errorf("the model decided with %g", x.Confidence)
		}
		if len(x.Top) == 0 || len(x.Top) > mostReasons || x.RFType == "" {
			t.Errorf("%s: %d reasons", x.RFType, len(x.Top))
		}
		for i, r := range x.Top {
			if r.Feature == "" || !(r.Gain > 0 && r.Gain <= 1) || i > 0 && r.Gain > x.Top[i-1].Gain {
				t.Errorf("%s: reason %d is %+v", x.RFType, i, r)
			}
		}
	}
	if sources["rf"] == 0 {
		t.Errorf("told by: %v", sources)
	}
	// A trained model goes before that of the source; one of other figures is passed over, and answers say so where none is left.
	stale := staleModel(t)
	if err := worldtest.AddModel(s, classifier.TrainedArtefact, stale); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, over(t, s), question, square); got.Meta.Model == nil || got.Meta.Model.ID != worldtest.ClassifierID() {
		t.Errorf("meta.model: %+v", got.Meta.Model)
	}
	if err := worldtest.AddModel(s, classifier.Artefact, stale); err != nil {
		t.Fatal(err)
	}
	got = ask(t, over(t, s), question, square)
	if got.Meta.Model != nil || !strings.Contains(strings.Join(got.Meta.Warnings, "; "), "train it anew") {
		t.Errorf("%+v, %q", got.Meta.Model, got.Meta.Warnings)
	}

	if err := worldtest.AddModel(s, classifier.TrainedArtefact, []byte("no model")); err != nil {
		t.Fatal(err)
	}
	if w := worldtest.Ask(over(t, s), "POST", question, square); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("a damaged model: %d %.200s", w.Code, w.Body)
	}
}

// staleModel was trained with other figures of segments.
func staleModel(t *testing.T) []byte {
	t.Helper()
	m, err := classifier.Decode(scenes.Model())
	if err != nil {
		t.Fatal(err)
	}
	h := m.Header
	h.FeaturesSum = "0123456789abcdef"
	b, err := classifier.Encode(h, m.Forest)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
