package segment

import (
	"encoding/json"
	"strings"
	"testing"

	"mappe/artefacts/classifier"
	"mappe/artefacts/classifier/scenes"
	"mappe/functions/fixture"
	"mappe/functions/landscape/classes"
	"mappe/shared/cloud/store"
)

// explanation are the members of an answer that the model decides.
type explanation struct {
	Features []struct {
		Properties struct {
			RFType     *string             `json:"rf_type"`
			Source     string              `json:"classifier_source"`
			Confidence float64             `json:"confidence"`
			Top        []classifier.Reason `json:"top_features"`
		} `json:"properties"`
	} `json:"features"`
	Meta struct {
		Model    *classes.About `json:"model"`
		Warnings []string       `json:"warnings"`
	} `json:"meta"`
}

func tell(t *testing.T, s store.Store, target, body string) (got explanation) {
	t.Helper()
	w := fixture.Ask(over(t, s), "POST", target, body)
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatalf("%d %.600s", w.Code, w.Body)
	}
	return got
}

// A generation's model tells types where it is sure, says what it is, and why it chose.
func TestTheModelOfTheGeneration(t *testing.T) {
	s := world(t, true, true)
	if err := fixture.AddClassifier(s, fixture.ClassifierArtefact); err != nil {
		t.Fatal(err)
	}
	const question = "/api/v1/segment?include_cadastre=false&explain=true"
	square := rect(4, 4, 150, 150) // within one square of the division
	got := tell(t, s, question, square)
	m := got.Meta.Model
	if m == nil || m.ID != fixture.ClassifierID() || m.Accuracy < 0.8 || m.Calibration.Least != 0.5 ||
		m.Calibration.Method != "isotonic" || m.Calibration.Error > 0.05 {
		t.Fatalf("meta.model: %+v", m)
	}
	sources := map[string]int{}
	for _, f := range got.Features {
		x := &f.Properties
		sources[x.Source]++
		if x.Source == "rf" && x.Confidence < 0.5 {
			t.Errorf("the model decided with %g", x.Confidence)
		}
		if x.RFType == nil || len(x.Top) == 0 || len(x.Top) > mostReasons {
			t.Fatalf("no more than this is said: %+v", x)
		}
		for i, r := range x.Top {
			if r.Feature == "" || !(r.Gain > 0 && r.Gain <= 1) || i > 0 && r.Gain > x.Top[i-1].Gain {
				t.Errorf("%s: reason %d is %+v", *x.RFType, i, r)
			}
		}
	}
	if sources["rf"] == 0 {
		t.Errorf("told by: %v", sources)
	}
	// A trained model goes before that of the source; one of other figures is passed over, and answers say so where none is left.
	stale := staleModel(t)
	if err := fixture.AddModel(s, classifier.TrainedArtefact, stale); err != nil {
		t.Fatal(err)
	}
	if got := tell(t, s, question, square); got.Meta.Model == nil || got.Meta.Model.ID != fixture.ClassifierID() {
		t.Errorf("meta.model: %+v", got.Meta.Model)
	}
	if err := fixture.AddModel(s, classifier.Artefact, stale); err != nil {
		t.Fatal(err)
	}
	got = tell(t, s, question, square)
	if got.Meta.Model != nil || !strings.Contains(strings.Join(got.Meta.Warnings, "; "), "train it anew") {
		t.Errorf("%+v, %q", got.Meta.Model, got.Meta.Warnings)
	}

	// A damaged file is passed over too.
	if err := fixture.AddModel(s, classifier.TrainedArtefact, []byte("no model")); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddClassifier(s, classifier.Artefact); err != nil {
		t.Fatal(err)
	}
	if got := tell(t, s, question, square); got.Meta.Model == nil || got.Meta.Model.ID != fixture.ClassifierID() {
		t.Errorf("beside a damaged model: meta.model: %+v", got.Meta.Model)
	}
	if err := fixture.AddModel(s, classifier.Artefact, scenes.Model()[:1000]); err != nil {
		t.Fatal(err)
	}
	got = tell(t, s, question, square)
	if got.Meta.Model != nil || !strings.Contains(strings.Join(got.Meta.Warnings, "; "),
		"the trained model is not used: its file is damaged") {
		t.Errorf("a damaged model: %+v, %q", got.Meta.Model, got.Meta.Warnings)
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
