package segment

import "math"

// ln is the natural logarithm of a positive number, the same on every processor, to 1e-13.
func ln(x float64) float64 {
	m, e := math.Frexp(x) // x = m 2^e, m in [0.5, 1)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	s := (m - 1) / (m + 1)
	q := float64(s * s)
	sum, p := 0.0, s
	for k := 1; k < 24; k += 2 {
		sum += p / float64(k)
		p = float64(p * q)
	}
	return float64(2*sum) + float64(float64(e)*math.Ln2)
}

// exp is the exponential function for |x| < 300, the same on every processor, to 1e-13 of its value.
func exp(x float64) float64 {
	k := math.Floor(x/math.Ln2 + 0.5)
	x -= float64(k * math.Ln2)
	sum, term := 1.0, 1.0
	for i := 1; i < 18; i++ {
		term = float64(term*x) / float64(i)
		sum += term
	}
	return math.Ldexp(sum, int(k))
}

// odd are the coefficients of the series of the arc tangent but the first.
var odd = [8]float64{1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1}

// atan is the arc tangent of a number that is not negative, in degrees, the same on every processor, to 1e-6.
func atan(x float64) float64 {
	off, sign := 0.0, 1.0
	if x > 1 {
		x, off, sign = 1/x, 90, -1
	}
	if x > 0.41421356237309503 { // tan 22.5°: atan x = 45° + atan((x-1)/(x+1))
		x = (x - 1) / (x + 1)
		off += float64(sign * 45)
	}
	q := float64(x * x)
	p := 1.0 / 17
	for _, k := range odd {
		p = k - float64(q*p)
	}
	return off + float64(sign*x*p*(180/math.Pi))
}

// direction is that of a vector in degrees clockwise from north, 0 to 360.
func direction(east, north float64) float64 {
	a := 90.0
	if north != 0 {
		a = atan(math.Abs(east / north))
	}
	switch {
	case east >= 0 && north >= 0:
		return a
	case east >= 0:
		return 180 - a
	case north < 0:
		return 180 + a
	}
	return 360 - a
}

// log2 of whole numbers, of which there are many and small ones.
var logs = func() (out [4096]float64) {
	for i := 1; i < len(out); i++ {
		out[i] = ln(float64(i)) / math.Ln2
	}
	return out
}()

func log2(n int64) float64 {
	if n < int64(len(logs)) {
		return logs[n]
	}
	return ln(float64(n)) / math.Ln2
}
