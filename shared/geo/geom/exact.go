package geom

import "math/bits"

// Int128 is a signed number of 128 bits: exact areas and determinants.
type Int128 struct {
	Hi int64
	Lo uint64
}

// Sign is -1, 0 or 1.
func (a Int128) Sign() int {
	switch {
	case a.Hi < 0:
		return -1
	case a.Hi == 0 && a.Lo == 0:
		return 0
	}
	return 1
}

// Add is a + b, wrapping.
func (a Int128) Add(b Int128) Int128 {
	lo, c := bits.Add64(a.Lo, b.Lo, 0)
	return Int128{a.Hi + b.Hi + int64(c), lo}
}

// Sub is a - b, wrapping.
func (a Int128) Sub(b Int128) Int128 {
	lo, c := bits.Sub64(a.Lo, b.Lo, 0)
	return Int128{a.Hi - b.Hi - int64(c), lo}
}

// Float is the nearest-but-one float64.
func (a Int128) Float() float64 {
	if a.Hi < 0 {
		return -(Int128{}.Sub(a).Float())
	}
	return float64(a.Hi)*(1<<64) + float64(a.Lo)
}

// mul128 is the exact product of two signed numbers.
func mul128(a, b int64) Int128 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	h := int64(hi)
	if a < 0 {
		h -= b
	}
	if b < 0 {
		h -= a
	}
	return Int128{h, lo}
}

// small says that a difference of coordinates fits 31 bits, so that a 2x2 determinant fits int64.
func small(d int64) bool { return d > -1<<31 && d < 1<<31 }

// Orient is the turn a → b → c: 1 left, -1 right, 0 straight. Exact for all int32 coordinates.
func Orient(a, b, c Point) int {
	if wide(b.X, a.X)|wide(c.X, a.X) != 0 {
		return wideOrient(a, b, c)
	}
	return nearOrient(a, b, c)
}

// wide is 0 where the difference v - u fits 32 bits.
func wide(v, u int32) int64 { return (int64(v) - int64(u) + 1<<31) >> 32 }

// nearOrient is Orient where the differences in X fit 32 bits: those in Y have 33, so that the products
// fit int64.
func nearOrient(a, b, c Point) int {
	l := (int64(b.X) - int64(a.X)) * (int64(c.Y) - int64(a.Y))
	r := (int64(b.Y) - int64(a.Y)) * (int64(c.X) - int64(a.X))
	switch {
	case l > r:
		return 1
	case l < r:
		return -1
	}
	return 0
}

func wideOrient(a, b, c Point) int {
	return turn(int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y), int64(c.X)-int64(a.X), int64(c.Y)-int64(a.Y))
}

// turn is the sign of ux*vy - uy*vx. Exact for differences of up to 63 bits.
func turn(ux, uy, vx, vy int64) int { return mul128(ux, vy).Sub(mul128(uy, vx)).Sign() }

// Area2 is twice the signed area on the grid, exact: positive counter-clockwise.
func (r Ring) Area2() Int128 {
	var sum Int128
	if len(r) < 3 {
		return sum
	}
	o := r[0]
	px, py := int64(r[1].X)-int64(o.X), int64(r[1].Y)-int64(o.Y)
	for _, p := range r[2:] {
		x, y := int64(p.X)-int64(o.X), int64(p.Y)-int64(o.Y)
		if small(px) && small(py) && small(x) && small(y) {
			d := px*y - x*py
			sum = sum.Add(Int128{d >> 63, uint64(d)})
		} else {
			sum = sum.Add(mul128(px, y).Sub(mul128(x, py)))
		}
		px, py = x, y
	}
	return sum
}

// floorDiv is a/b rounded down, for positive b.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// mulDivFloor is floor(a*b/c) for c > 0 without overflow in the product; the quotient must fit int64.
func mulDivFloor(a, b, c int64) int64 {
	if a > -1<<31 && a < 1<<31 && b > -1<<31 && b < 1<<31 {
		return floorDiv(a*b, c)
	}
	neg := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(abs64(a), abs64(b))
	q, rem := bits.Div64(hi, lo, uint64(c))
	if !neg {
		return int64(q)
	}
	if rem != 0 {
		q++
	}
	return -int64(q)
}

func abs64(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}
