package lineage

import "math"

// rounded is a number with as many digits as areas and shares have.
func rounded(v, scale float64) float64 { return math.Round(v*scale) / scale }
