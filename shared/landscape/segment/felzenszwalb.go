package segment

import "math"

// felzSteps are the steps in which distances of colours are sorted; a distance of 1 in one of the channels has felzUnit.
const (
	felzSteps = 1 << 16
	felzUnit  = 30000
)

// felzenszwalb joins cells by the distances of their colours (Felzenszwalb & Huttenlocher 2004): two components become one
// over the least distance between them where that is no more than the greatest within each of them, plus scale over its
// cells. Channels are 0 to 1, smoothed by a Gaussian of 0.8 cells; all eight neighbours count. Components below the least
// size then join across the next least distance. Cells of different parts are never joined, those of part -1 have label 0.
func felzenszwalb(channels [][]float32, part []int32, cols int, scale float64, least int32) (labels []int32, n int) {
	rows := len(part) / cols
	for i, c := range channels {
		channels[i] = gaussian(c, cols, rows)
	}
	order, weight := sortedPairs(channels, part, cols, rows)
	f := newForest(cols * rows)
	step := [4]int{1, cols, cols + 1, cols - 1}
	ends := func(e int32) (a, b int32) {
		i := e >> 2
		return f.root(i), f.root(i + int32(step[e&3]))
	}
	for _, e := range order {
		a, b := ends(e)
		if a == b {
			continue
		}
		w := float64(weight[e]) / felzUnit
		if w <= min(f.within[a]+scale/float64(f.size[a]), f.within[b]+scale/float64(f.size[b])) {
			f.within[f.join(a, b)] = w
		}
	}
	for _, e := range order {
		if a, b := ends(e); a != b && min(f.size[a], f.size[b]) < least {
			f.join(a, b)
		}
	}
	labels = make([]int32, cols*rows)
	names := make([]int32, cols*rows)
	for i := range labels {
		if part[i] < 0 {
			continue
		}
		r := f.root(int32(i))
		if names[r] == 0 {
			n++
			names[r] = int32(n)
		}
		labels[i] = names[r]
	}
	return labels, n
}

// components of cells.
type components struct {
	parent, size []int32
	within       []float64 // greatest distance that has been joined
}

func newForest(n int) *components {
	f := &components{parent: make([]int32, n), size: make([]int32, n), within: make([]float64, n)}
	for i := range f.parent {
		f.parent[i], f.size[i] = int32(i), 1
	}
	return f
}

func (f *components) root(i int32) int32 {
	for f.parent[i] != i {
		f.parent[i] = f.parent[f.parent[i]]
		i = f.parent[i]
	}
	return i
}

func (f *components) join(a, b int32) int32 {
	if f.size[a] < f.size[b] || f.size[a] == f.size[b] && a > b {
		a, b = b, a
	}
	f.parent[b] = a
	f.size[a] += f.size[b]
	return a
}

// sortedPairs are the pairs of neighbours, 4·cell + direction, by rising distance, of one by cell. weight has the distances.
func sortedPairs(channels [][]float32, part []int32, cols, rows int) (order []int32, weight []uint16) {
	weight = make([]uint16, 4*cols*rows)
	counts := make([]int32, felzSteps+1)
	n := 0
	each := func(f func(e, i, j int)) {
		for row := range rows {
			for col := range cols {
				i := row*cols + col
				right, down := col+1 < cols, row+1 < rows
				for k, j := range [4]int{i + 1, i + cols, i + cols + 1, i + cols - 1} {
					if (k == 0 && right || k == 1 && down || k == 2 && down && right || k == 3 && down && col > 0) && part[i] >= 0 &&
						part[i] == part[j] {
						f(4*i+k, i, j)
					}
				}
			}
		}
	}
	each(func(e, i, j int) {
		var sum float32
		for _, c := range channels {
			if d := c[i] - c[j]; d == d {
				sum += float32(d * d)
			}
		}
		w := uint16(min(float32(math.Sqrt(float64(sum)))*felzUnit, felzSteps-1))
		weight[e] = w
		counts[int(w)+1]++
		n++
	})
	for i := range felzSteps {
		counts[i+1] += counts[i]
	}
	order = make([]int32, n)
	each(func(e, _, _ int) {
		w := weight[e]
		order[counts[w]] = int32(e)
		counts[w]++
	})
	return order, weight
}

// gaussian smooths by a standard deviation of 0.8 cells; cells without a value stay so and do not count.
func gaussian(z []float32, cols, rows int) []float32 {
	// exp(-k²/2σ²) for k = 0 to 3, σ = 0.8.
	kernel := [4]float32{1, 0.4578334, 0.04393693, 0.0008838263}
	pass := func(in []float32, step, count, other, otherStep int) []float32 {
		out := make([]float32, len(in))
		for k := range other {
			for i := range count {
				at := k*otherStep + i*step
				var sum, weight float32
				for d := -3; d <= 3; d++ {
					j := min(max(i+d, 0), count-1)
					if v := in[k*otherStep+j*step]; v == v {
						w := kernel[max(d, -d)]
						sum += float32(w * v)
						weight += w
					}
				}
				if out[at] = sum / weight; in[at] != in[at] {
					out[at] = in[at]
				}
			}
		}
		return out
	}
	return pass(pass(z, 1, cols, rows, cols), cols, rows, cols, 1)
}

// colours are the channels of a window without heights, 0 to 1: red, green, blue and near infrared.
func colours(l *Layers) (out [][]float32) {
	for _, g := range [...][]float32{l.Red.Z, l.Green.Z, l.Blue.Z, l.NIR.Z} {
		c := make([]float32, len(g))
		for i, v := range g {
			c[i] = v / 255
		}
		out = append(out, c)
	}
	return out
}
