package format

import (
	"math"
	"strconv"
)

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
	for ; dec > 0 && u%10 == 0; dec-- {
		u /= 10
	}
	return appendDecimal(b, u, dec)
}

// appendDecimal writes u / 10^dec with exactly dec digits after the point. Digits come from the right, by
// divisions the compiler turns into multiplications.
func appendDecimal(b []byte, u uint64, dec uint8) []byte {
	var text [24]byte
	i := len(text)
	for n := 0; u > 0 || n <= int(dec); n++ {
		if n == int(dec) && n > 0 {
			i--
			text[i] = '.'
		}
		i--
		text[i] = byte('0' + u%10)
		u /= 10
	}
	return append(b, text[i:]...)
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
	return appendDecimal(b, u, dec)
}
