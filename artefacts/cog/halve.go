package cog

import (
	"math"

	"mappe/shared/geo/raster"
)

// halved makes a row with half as many cells out of two; south may be nil.
func (w *Writer[T]) halved(out, north, south []T) []T {
	cols, bands := len(north)/w.bands, w.bands
	half := (cols + 1) / 2
	if cap(out) < half*bands {
		out = make([]T, half*bands)
	}
	out = out[:half*bands]
	if south == nil {
		south = north[:0]
	}
	merge := w.mean
	if w.o.Classes {
		merge = w.most
	} else if w.meanBytes(out, north, south) {
		return out
	}
	var four [4]T
	for c := range half {
		for b := range bands {
			known := four[:0]
			for _, line := range [2][]T{north, south} {
				for i := 2*c*bands + b; i < min((2*c+2)*bands, len(line)); i += bands {
					if v := line[i]; !w.gaps || v == v && v != w.none {
						known = append(known, v)
					}
				}
			}
			if len(known) == 0 {
				out[c*bands+b] = w.none
			} else {
				out[c*bands+b] = merge(known)
			}
		}
	}
	return out
}

// mean is the mean of samples, of whole numbers rounded, halves upwards.
func (w *Writer[T]) mean(known []T) T {
	sum := float64(0)
	for _, v := range known {
		sum += float64(v)
	}
	m := sum / float64(len(known))
	var v T
	if _, ok := any(v).(float32); ok {
		return T(m)
	}
	v = T(math.Floor(m + 0.5))
	if w.gaps && v == w.none && known[0] != w.none { // the mean is the number of what is not known
		return known[0]
	}
	return v
}

// most is the sample that most of them are, of equally many the first.
func (w *Writer[T]) most(known []T) T {
	best, most := known[0], 0
	for _, v := range known {
		n := 0
		for _, o := range known {
			if o == v {
				n++
			}
		}
		if n > most {
			best, most = v, n
		}
	}
	return best
}

// meanBytes is mean for whole cells of bytes, ten times as fast: pictures are the largest rasters. false: the samples are
// no bytes.
func (w *Writer[T]) meanBytes(out, north, south []T) bool {
	to, ok := any(out).([]uint8)
	if !ok {
		return false
	}
	a, b, zero := any(north).([]uint8), any(south).([]uint8), any(w.none).(uint8)
	bands, gaps := w.bands, w.gaps
	for i := range to {
		c, band := i/bands, i%bands
		sum, n, first := 0, 0, uint8(0)
		for _, line := range [2][]uint8{a, b} {
			for k := 2*c*bands + band; k < min((2*c+2)*bands, len(line)); k += bands {
				if v := line[k]; !gaps || v != zero {
					if n == 0 {
						first = v
					}
					sum, n = sum+int(v), n+1
				}
			}
		}
		switch {
		case n == 0:
			to[i] = zero
		default:
			v := uint8((2*sum + n) / (2 * n))
			if gaps && v == zero {
				v = first
			}
			to[i] = v
		}
	}
	return true
}

// form is what samples are and how they are packed.
type form[T raster.Sample] struct {
	cols, bands int
	none        T
	gaps        bool
	p           Packing
}
