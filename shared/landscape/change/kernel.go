package change

import "math"

// kernel interpolates at a place beside the middle of a cell that is the same for all cells.
type kernel struct {
	col, row int // of the tap before the place, from the cell
	x, y     [4]float64
	nearX    int // columns and rows to the nearest cell
	nearY    int
	none     bool // the place is the middle of the cell
}

// kernelOf is for a place so many metres to the east and to the north.
func kernelOf(east, north float64) kernel {
	if east == 0 && north == 0 {
		return kernel{none: true}
	}
	fx, fy := math.Floor(east), math.Floor(-north)
	u, v := east-fx, -north-fy
	return kernel{col: int(fx), row: int(fy), x: catmullRom(u), y: catmullRom(v),
		nearX: int(math.Floor(east + 0.5)), nearY: int(math.Floor(-north + 0.5))}
}

// catmullRom are the weights of four values around the middle two (Keys 1981, a = -1/2): what is bent stays as it is, where a
// straight line between two heights would cut the edges of banks and terraces.
func catmullRom(t float64) [4]float64 {
	t2 := float64(t * t)
	t3 := float64(t2 * t)
	return [4]float64{
		float64(-0.5*t3) + t2 - float64(0.5*t),
		float64(1.5*t3) - float64(2.5*t2) + 1,
		float64(-1.5*t3) + float64(2*t2) + float64(0.5*t),
		float64(0.5*t3) - float64(0.5*t2),
	}
}

// cubic is the height at the place of a cell; NaN where one of the sixteen around it is unknown.
func (k *kernel) cubic(z []float32, cols, col, row int) float64 {
	if k.none {
		return float64(z[row*cols+col])
	}
	at := (row+k.row-1)*cols + col + k.col - 1
	sum := 0.0
	for j := range 4 {
		r := z[at+j*cols : at+j*cols+4 : at+j*cols+4]
		line := float64(k.x[0]*float64(r[0])) + float64(k.x[1]*float64(r[1])) + float64(k.x[2]*float64(r[2])) +
			float64(k.x[3]*float64(r[3]))
		sum += float64(k.y[j] * line)
	}
	return sum
}
