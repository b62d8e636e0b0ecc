package scene

import "math"

// mix spreads the bits of a number (the finaliser of SplitMix64, Steele et al. 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// key is a number that is the same for the same seed, kind and place of a lattice, and for no other.
func key(seed uint64, kind chance, i, j int) uint64 {
	x := mix(seed + uint64(kind)*0x9e3779b97f4a7c15)
	x = mix(x ^ uint64(i)*0xd1b54a32d192ed03)
	return mix(x ^ uint64(j)*0xaef17502108ef2d9)
}

// chance names what a number is drawn for, so that two things at one place are independent.
type chance uint64

const (
	forTerrain chance = iota + 1
	forWarpU
	forWarpV
	forScene
	forLine
	forEdge
	forBlock
	forWoods
	forLeaf
	forSplit
	forCandidate
	forClump
	forPulses
	forNoise
	forCanopyGround
	forLobes
	forHole
	forStrip
	forEvent
	forCrop
	forTraffic
	forTexture
	forGain
	forCloud
	forSpeckle
	forCadastre
	forMeander
	forHedge
)

// dice are numbers drawn one after the other.
type dice uint64

func (d *dice) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	return mix(uint64(*d))
}

// unit is a number from 0 to below 1 made of the upper bits.
func unit(x uint64) float64 { return float64(float64(x>>11) * (1.0 / (1 << 53))) }

// f is a number from 0 to below 1.
func (d *dice) f() float64 { return unit(d.next()) }

// between is a number from a to below b.
func (d *dice) between(a, b float64) float64 { return lerp(a, b, d.f()) }

// n is a whole number from 0 to below m.
func (d *dice) n(m int) int { return int(d.next() >> 33 % uint64(m)) }

// is says yes with a probability.
func (d *dice) is(p float64) bool { return d.f() < p }

// normal is a number of mean 0 and standard deviation 1.
func (d *dice) normal() float64 { return normal(d.next()) }

// normal makes a number of mean 0 and standard deviation 1 of 64 random bits: the sum of their eight bytes, whose
// distribution ends at 4.9.
func normal(x uint64) float64 {
	const even = 0x00ff00ff00ff00ff
	sum := (x & even) + (x >> 8 & even)
	sum = sum * 0x0001000100010001 >> 48 & 0xffff
	return float64((float64(sum) - 1020) * (1 / 209.02))
}

// lerp is the value between a and b.
func lerp(a, b, t float64) float64 { return a + float64(t*(b-a)) }

// smooth rises from 0 at a to 1 at b without corners.
func smooth(a, b, x float64) float64 {
	t := min(max((x-a)/(b-a), 0), 1)
	return float64(t * t * (3 - float64(2*t)))
}

// dot is the product of two vectors.
func dot(ax, ay, bx, by float64) float64 { return float64(ax*bx) + float64(ay*by) }

// length is that of a vector.
func length(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// direction is a vector of length 1 whose angle runs once around while t runs from 0 to 1: by the rational form of the
// circle, since sines differ between processors.
func direction(t float64) (x, y float64) {
	q := float64(4 * t)
	s := q - math.Floor(q) // a quarter
	// The quarter from (1,0) to (0,1), whose middle is at s = sqrt(2)-1: bent so that angles are nearly even.
	s = float64(0.828427*s) + float64(0.171573*float64(s*s))
	p := float64(s*s) + 1
	x, y = (1-float64(s*s))/p, 2*s/p
	switch int(q) % 4 {
	case 1:
		x, y = -y, x
	case 2:
		x, y = -x, -y
	case 3:
		x, y = y, -x
	}
	return x, y
}

// exponential is e to the power x for x from -30 to 30, by series and squaring.
func exponential(x float64) float64 {
	y, sum, term := x/1024, 1.0, 1.0
	for i := 1; i < 8; i++ {
		term = term * y / float64(i)
		sum += term
	}
	for range 10 {
		sum *= sum
	}
	return sum
}

// logarithm is the natural one of a positive number, by the series of the area tangent.
func logarithm(x float64) float64 {
	f, e := math.Frexp(x)
	t := (f - 1) / (f + 1)
	t2, sum, p := t*t, 0.0, t
	for i := 1; i < 40; i += 2 {
		sum += p / float64(i)
		p *= t2
	}
	return float64(2*sum) + float64(float64(e)*0.6931471805599453)
}

// power is x to the power p of a positive number.
func power(x, p float64) float64 { return exponential(p * logarithm(x)) }

// cosine is that of a whole turn: cosine(0.25) is 0.
func cosine(turns float64) float64 {
	t := turns - math.Floor(turns)
	sign := 1.0
	if t > 0.5 {
		t = 1 - t
	}
	if t > 0.25 {
		t, sign = 0.5-t, -1
	}
	a := t * (2 * math.Pi)
	a2, sum, term := a*a, 1.0, 1.0
	for i := 1; i < 10; i++ {
		term = -term * a2 / float64((2*i-1)*(2*i))
		sum += term
	}
	return sign * sum
}
