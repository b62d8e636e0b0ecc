package landscape

import "math"

// Quality is the score of a processed KG, 0 to 100, and its grade; both are of what is known of it: a part that is not known
// counts nothing.
//
//	30  mean_confidence: how sure types are
//	20  rf_mean_confidence: how sure the trained model is
//	15  1 - rf_diverged_pct / 100: model and rules agree
//	15  building_height_coverage_pct / 100: heights are known; 15 where there is no building
//	10  n_segments above 0 and the terrain known
//	10  the vegetation index known: 5 of the orthophoto, 5 of the course of the year
//
// A KG without a trained model is scored by the other parts, scaled to 100.
func Quality(r *Record) (score float64, grade string) {
	total, of := 0.0, 0.0
	add := func(weight, share float64) {
		of += weight
		if share == share {
			total += weight * min(max(share, 0), 1)
		}
	}
	known := func(v float64) float64 {
		if v == v {
			return 1
		}
		return 0
	}
	add(30, r.MeanConfidence)
	if r.RFMeanConfidence == r.RFMeanConfidence {
		add(20, r.RFMeanConfidence)
		add(15, 1-r.RFDivergedPct/100)
	}
	if r.BuildingCount == 0 {
		add(15, 1)
	} else {
		add(15, r.BuildingHeightCoveragePct/100)
	}
	ground := 0.0
	if r.Segments > 0 {
		ground = known(r.ElevationMean)
	}
	add(10, ground)
	add(5, known(r.NDVIMean))
	add(5, known(r.HarmonicMean))
	score = math.Round(total/of*1000) / 10
	return score, GradeOf(score)
}

// GradeOf is the grade of a score.
func GradeOf(score float64) string {
	for i, least := range []float64{85, 70, 55, 40} {
		if score >= least {
			return Grades[i]
		}
	}
	return Grades[len(Grades)-1]
}
