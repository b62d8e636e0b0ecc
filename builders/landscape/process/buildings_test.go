package process

import (
	"slices"
	"testing"

	"mappe/artefacts/landscape"
	"mappe/shared/landscape/segment"
)

// Of the segments on a footprint a building has the areas by type and how sure the model is of them: each segment once, however many
// cells it has there; one that the model did not judge has its area alone.
func TestSegmentsOfABuilding(t *testing.T) {
	judged := func(is, model segment.Type, sure float64) object {
		return object{Answer: segment.Answer{Verdict: segment.Verdict{Type: is}, Model: model, ModelConfidence: sure}}
	}
	b := building{Types: map[segment.Type]int{}}
	b.on(map[int32]int{1: 60, 2: 30, 4: 8, 5: 2}, []object{judged(segment.Roof, segment.Roof, 0.9), judged(segment.Roof, segment.Road, 0.4),
		judged(segment.Water, segment.Water, 0.9), judged(segment.Tree, segment.Tree, 0.75), judged(segment.Wall, 0, 0)})
	shares := []landscape.Share{{Type: segment.Roof, AreaSqm: 90, Fraction: 0.9}, {Type: segment.Tree, AreaSqm: 8, Fraction: 0.08},
		{Type: segment.Wall, AreaSqm: 2, Fraction: 0.02}}
	if got := sharesOf(b.Types); !slices.Equal(got, shares) {
		t.Errorf("types: want %v, got %v", shares, got)
	}
	sure := []landscape.Classification{{Type: segment.Tree, RFMean: 0.75, RFMin: 0.75, RFCount: 1},
		{Type: segment.Roof, RFMean: 0.65, RFMin: 0.4, RFCount: 2, DivergedCount: 1}}
	if !slices.Equal(b.Classification, sure) {
		t.Errorf("classification: want %+v, got %+v", sure, b.Classification)
	}
}
