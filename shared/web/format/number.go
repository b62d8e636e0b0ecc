package format

import (
	"math"
	"strconv"
)

var pow10 = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// pairs are the two digits of 0 to 99.
const pairs = "00010203040506070809" + "10111213141516171819" + "20212223242526272829" + "30313233343536373839" + "40414243444546474849" +
	"50515253545556575859" + "60616263646566676869" + "70717273747576777879" + "80818283848586878889" + "90919293949596979899"

// appendE7 writes 1e-7 degrees as degrees with exactly 7 decimals. It is the inner loop of every
// geographic form: digits go out in pairs, through one append.
func appendE7(b []byte, e7 int32) []byte {
	u := uint32(e7)
	if e7 < 0 {
		b = append(b, '-')
		u = -u
	}
	whole, frac := u/1e7, u%1e7
	if whole >= 100 {
		b = append(b, byte('0'+whole/100))
		whole %= 100
	} else if whole < 10 {
		b = append(b, byte('0'+whole))
		return appendFrac7(b, frac)
	}
	b = append(b, pairs[2*whole], pairs[2*whole+1])
	return appendFrac7(b, frac)
}

func appendFrac7(b []byte, frac uint32) []byte {
	d1, r := frac/1000000, frac%1000000
	d2, r2 := 2*(r/10000), r%10000
	d3, d4 := 2*(r2/100), 2*(r2%100)
	return append(b, '.', byte('0'+d1), pairs[d2], pairs[d2+1], pairs[d3], pairs[d3+1], pairs[d4], pairs[d4+1])
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
