package process

import (
	"math"

	"mappe/artefacts/landscape"
	"mappe/artefacts/rasters"
)

// The weights of the quality score. What a KG cannot have (heights of buildings where there are none) does not count.
const (
	ofCoverage   = 0.35 // share of the KG that has heights
	ofConfidence = 0.25 // mean confidence of types
	ofLayers     = 0.25 // share of the layers that are at hand
	ofBuildings  = 0.15 // share of buildings whose height is known
)

// wanted are the layers that an analysis can use beside the heights.
var wanted = []string{rasters.Ortho, rasters.NDVI, rasters.SAR, rasters.LandCover, rasters.Forest, "earlier_scan"}

// limits are the scores from which on a grade is given, by landscape.Grades; the last one is given below.
var limits = []float64{85, 70, 55, 40}

// grade computes the quality score:
//
//	100 · Σ weight · share / Σ weight, over coverage 0.35, mean_confidence 0.25, layers 0.25, building heights 0.15
func (r *result) grade(rec *landscape.Record) {
	missing := 0
	for _, name := range wanted {
		for _, m := range r.area.layers.missing {
			if m == name {
				missing++
			}
		}
	}
	var score mean
	score.add(float64(r.known)/float64(max(r.cells, 1)), ofCoverage)
	if score.add(rec.MeanConfidence, ofConfidence); rec.MeanConfidence != rec.MeanConfidence {
		score.add(0, ofConfidence)
	}
	score.add(1-float64(missing)/float64(len(wanted)), ofLayers)
	score.add(rec.BuildingHeightCoveragePct/100, ofBuildings)
	rec.QualityScore = math.Round(1000*score.of()) / 10
	rec.QualityGrade = landscape.Grades[len(limits)]
	for i, from := range limits {
		if rec.QualityScore >= from {
			rec.QualityGrade = landscape.Grades[i]
			break
		}
	}
}
