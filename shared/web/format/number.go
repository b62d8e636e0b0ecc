package format

import (
	"math"
	"strconv"
)

var pow10 = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// appendE7 writes 1e-7 degrees as degrees with exactly 7 decimals.
func appendE7(b []byte, e7 int32) []byte {
	n := int64(e7)
	if n < 0 {
		b = append(b, '-')
		n = -n
	}
	u := uint32(n)
	whole, frac := u/1e7, u%1e7
	switch {
	case whole >= 100:
		b = append(b, byte('0'+whole/100), byte('0'+whole/10%10), byte('0'+whole%10))
	case whole >= 10:
		b = append(b, byte('0'+whole/10), byte('0'+whole%10))
	default:
		b = append(b, byte('0'+whole))
	}
	return append(b, '.', byte('0'+frac/1000000), byte('0'+frac/100000%10), byte('0'+frac/10000%10),
		byte('0'+frac/1000%10), byte('0'+frac/100%10), byte('0'+frac/10%10), byte('0'+frac%10))
}

// appendFloat writes v with at most dec digits after the point, rounded half away from zero, without
// trailing zeros and without an exponent. v is finite.
func appendFloat(b []byte, v float64, dec uint8) []byte {
	scaled := math.Round(math.Abs(v) * pow10f[dec])
	if scaled >= 1<<53 { // beyond exact integers: the shortest decimal form
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	u := uint64(scaled)
	if u == 0 {
		return append(b, '0')
	}
	if v < 0 {
		b = append(b, '-')
	}
	b = strconv.AppendUint(b, u/pow10[dec], 10)
	frac := u % pow10[dec]
	if frac == 0 {
		return b
	}
	b = append(b, '.')
	for p := pow10[dec] / 10; frac > 0; p /= 10 {
		b = append(b, byte('0'+frac/p))
		frac %= p
	}
	return b
}

// appendFixed writes v with exactly dec digits after the point.
func appendFixed(b []byte, v float64, dec uint8) []byte {
	scaled := math.Round(math.Abs(v) * pow10f[dec])
	if scaled >= 1<<53 {
		return strconv.AppendFloat(b, v, 'f', int(dec), 64)
	}
	u := uint64(scaled)
	if v < 0 && u != 0 {
		b = append(b, '-')
	}
	b = strconv.AppendUint(b, u/pow10[dec], 10)
	if dec == 0 {
		return b
	}
	b = append(b, '.')
	frac := u % pow10[dec]
	for p := pow10[dec] / 10; p > 0; p /= 10 {
		b = append(b, byte('0'+frac/p%10))
	}
	return b
}
