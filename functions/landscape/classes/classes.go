// Package classes opens the trained model of segments (artefacts/classifier) that the generation of a request has, and says of it
// what answers tell. It classifies nothing itself: the model is a segment.Classifier.
package classes

import (
	"context"

	"mappe/artefacts/classifier"
	"mappe/artefacts/library"
	"mappe/artefacts/library/trained"
	"mappe/functions/core/generation"
	"mappe/functions/landscape/scans"
)

// Of is the model of a generation: the one that was trained last, else that of the source; nil if the generation has no model, or none that
// this program can use, which warning says then. An object that the store does not give is a fault with Retry-After.
func Of(ctx context.Context, v *library.View) (m *classifier.OfSegments, warning string, err error) {
	m, why, err := trained.Of(ctx, v)
	if err != nil {
		return nil, "", generation.FaultOf(ctx, "the trained model of segments", err)
	}
	if why != "" {
		warning = "the trained model is not used: " + why
	}
	return m, warning, nil
}

// About is what answers tell of a model.
type About struct {
	ID          string      `json:"id" doc:"first 16 hex digits of the SHA-256 of the model's file"`
	Trained     string      `json:"trained_on" doc:"what it was trained from"`
	Samples     int         `json:"samples" doc:"objects it was trained from"`
	Trees       int         `json:"trees"`
	Accuracy    float64     `json:"out_of_bag_accuracy" doc:"share of objects classified correctly by trees that were not trained on their surroundings"`
	MacroF1     float64     `json:"out_of_bag_macro_f1" doc:"mean of the F1 of the classes, likewise"`
	Calibration Calibration `json:"calibration"`
}

// Calibration is how confidences were made of votes.
type Calibration struct {
	Method string  `json:"method" doc:"isotonic: rising, fitted to out-of-bag votes"`
	Error  float64 `json:"expected_error" doc:"expected calibration error on votes that it was not fitted to"`
	Least  float64 `json:"threshold" doc:"confidence below which the rules decide"`
}

// AboutOf is what answers tell of a model; nil of none.
func AboutOf(m *classifier.OfSegments) *About {
	if m == nil {
		return nil
	}
	h := &m.Header
	return &About{m.ID, h.Data.Source, h.Data.Rows, h.Fit.Trees, round(h.OutOfBag.Accuracy), round(h.OutOfBag.MacroF1),
		Calibration{h.Calibration.Method, round(h.Calibration.Error), h.Calibration.Least}}
}

func round(v float64) float64 { return *scans.Round(v, 4) }
