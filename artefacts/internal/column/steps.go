package column

import (
	"fmt"
	"math"
)

// MaxSteps bounds every quantised float: 2^52 steps are exact in a double.
const MaxSteps = 1 << 52

// Steps quantises half away from zero. NaN becomes none (0), any other value its step count plus one.
func Steps(v float64, per int) (uint64, error) {
	if math.IsNaN(v) {
		return 0, nil
	}
	q := math.Round(v * float64(per))
	if q < 0 || q > MaxSteps {
		return 0, fmt.Errorf("value %g is not allowed: expected 0 to %g or NaN", v, float64(MaxSteps/per))
	}
	return uint64(q) + 1, nil
}

// Value is the inverse of Steps.
func Value(q uint64, per int) float64 {
	if q == 0 {
		return math.NaN()
	}
	return float64(q-1) / float64(per)
}

// Ends turns sizes into running ends that must sum to total.
func Ends(r *Reader, sizes []uint32, total int) []uint32 {
	sum := uint64(0)
	for i, v := range sizes {
		sum += uint64(v)
		sizes[i] = uint32(sum)
		if sum > uint64(total) {
			break
		}
	}
	if sum != uint64(total) && r.Err == nil {
		r.Fail("sizes sum to %d, %d are declared", sum, total)
	}
	return sizes
}
