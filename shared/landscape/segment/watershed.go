package segment

// basins floods a gradient from the minima of its smoothed picture (Meyer 1994): pixels are labelled in the order of their
// level and, of one level, of their arrival. Basins do not leave their part; labels count from 1, cells of part -1 have 0.
func basins(level []uint16, part []int32, cols, rows int) (labels []int32, n int) {
	labels, n = minima(smoothed(level, cols, rows), part, cols, rows)
	flood(level, part, labels, cols, rows)
	return labels, n
}

// minimaShift is the depth that minima must have: 2^minimaShift of levels, about 0.004 of the gradient.
const minimaShift = 4

// smoothed is the mean over 3 x 3 cells, in steps of the depth of minima.
func smoothed(level []uint16, cols, rows int) []uint16 {
	out := make([]uint16, len(level))
	sums := make([]uint32, cols)
	for row := range rows {
		up, mid, down := level[max(row-1, 0)*cols:][:cols], level[row*cols:][:cols], level[min(row+1, rows-1)*cols:][:cols]
		for i := range sums {
			sums[i] = uint32(up[i]) + uint32(mid[i]) + uint32(down[i])
		}
		to := out[row*cols:][:cols]
		for i := range to {
			to[i] = uint16((sums[max(i-1, 0)] + sums[i] + sums[min(i+1, cols-1)]) / 9 >> minimaShift)
		}
	}
	return out
}

// minima labels the plateaus that no neighbour of the same part is below.
func minima(level []uint16, part []int32, cols, rows int) (labels []int32, n int) {
	labels = make([]int32, len(level))
	seen := make([]bool, len(level))
	var plateau []int32
	for i := range level {
		if seen[i] || part[i] < 0 {
			continue
		}
		seen[i] = true
		plateau = append(plateau[:0], int32(i))
		lowest := true
		for k := 0; k < len(plateau); k++ {
			at := int(plateau[k])
			eachNeighbour(at, cols, rows, func(j int) {
				switch {
				case part[j] != part[at]:
				case level[j] < level[i]:
					lowest = false
				case level[j] == level[i] && !seen[j]:
					seen[j] = true
					plateau = append(plateau, int32(j))
				}
			})
		}
		if lowest {
			n++
			for _, at := range plateau {
				labels[at] = int32(n)
			}
		}
	}
	return labels, n
}

// eachNeighbour calls f with the four neighbours of a cell, from the north clockwise but for the order west, east.
func eachNeighbour(i, cols, rows int, f func(j int)) {
	if i >= cols {
		f(i - cols)
	}
	if col := i % cols; col > 0 {
		f(i - 1)
		if col < cols-1 {
			f(i + 1)
		}
	} else if cols > 1 {
		f(i + 1)
	}
	if i < cols*(rows-1) {
		f(i + cols)
	}
}

// queue holds cells by level, in the order in which they came: one list for each level, linked through next.
type queue struct {
	head, tail [levels]int32
	next       []int32
}

func newQueue(n int) *queue {
	q := &queue{next: make([]int32, n)}
	for i := range q.head {
		q.head[i] = -1
	}
	return q
}

func (q *queue) push(level int, cell int32) {
	q.next[cell] = -1
	if q.head[level] < 0 {
		q.head[level] = cell
	} else {
		q.next[q.tail[level]] = cell
	}
	q.tail[level] = cell
}

// flood labels the cells that have none from those that have.
func flood(level []uint16, part, labels []int32, cols, rows int) {
	q := newQueue(len(level))
	for i, label := range labels {
		if label > 0 {
			q.push(int(level[i]), int32(i))
		}
	}
	for at := 0; at < levels; at++ {
		for q.head[at] >= 0 {
			i := q.head[at]
			q.head[at] = q.next[i]
			label, mine := labels[i], part[i]
			visit := func(j int) {
				if labels[j] == 0 && part[j] == mine {
					labels[j] = label
					q.push(max(at, int(level[j])), int32(j))
				}
			}
			k := int(i)
			if col := k % cols; k >= cols && k < cols*(rows-1) && col > 0 && col < cols-1 {
				visit(k - cols)
				visit(k - 1)
				visit(k + 1)
				visit(k + cols)
			} else {
				eachNeighbour(k, cols, rows, visit)
			}
		}
	}
}
