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
	p := plateau{level: level, part: part, seen: make([]bool, len(level))}
	for i, v := range level {
		if p.seen[i] || part[i] < 0 {
			continue
		}
		p.seen[i] = true
		p.cells, p.lowest = append(p.cells[:0], int32(i)), true
		for k := 0; k < len(p.cells); k++ {
			at := int(p.cells[k])
			if col := at % cols; at >= cols && at < cols*(rows-1) && col > 0 && col < cols-1 {
				p.visit(at-cols, v, part[i])
				p.visit(at-1, v, part[i])
				p.visit(at+1, v, part[i])
				p.visit(at+cols, v, part[i])
			} else {
				eachNeighbour(at, cols, rows, func(j int) { p.visit(j, v, part[i]) })
			}
		}
		if p.lowest {
			n++
			for _, at := range p.cells {
				labels[at] = int32(n)
			}
		}
	}
	return labels, n
}

// plateau are adjacent cells of one level and part.
type plateau struct {
	level  []uint16
	part   []int32
	seen   []bool // cells of this plateau and of those before
	cells  []int32
	lowest bool // no neighbour is below
}

// visit looks at a neighbour of a plateau of a level and part.
func (p *plateau) visit(j int, level uint16, part int32) {
	if p.part[j] != part {
		return
	}
	if l := p.level[j]; l < level {
		p.lowest = false
	} else if l == level && !p.seen[j] {
		p.seen[j] = true
		p.cells = append(p.cells, int32(j))
	}
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

// The neighbours of a cell that are in its part, as bits.
const (
	openNorth = 1 << iota
	openWest
	openEast
	openSouth
)

// openings are the neighbours of cells that are in the same part, so that a flood asks nothing of parts and borders again.
func openings(part []int32, cols, rows int) []uint8 {
	out := make([]uint8, len(part))
	for row := range rows {
		mid, to := part[row*cols:][:cols], out[row*cols:][:cols]
		for i := 1; i < cols; i++ {
			if mid[i-1] == mid[i] {
				to[i-1] |= openEast
				to[i] |= openWest
			}
		}
		if row == 0 {
			continue
		}
		north, above := part[(row-1)*cols:][:cols], out[(row-1)*cols:][:cols]
		for i, p := range mid {
			if north[i] == p {
				above[i] |= openSouth
				to[i] |= openNorth
			}
		}
	}
	return out
}

// flood labels the cells that have none from those that have.
func flood(level []uint16, part, labels []int32, cols, rows int) {
	q := newQueue(len(level))
	open := openings(part, cols, rows)
	for i, label := range labels {
		if label == 0 {
			continue
		}
		// A cell without a neighbour to give its label to does nothing in the queue.
		o := open[i]
		if o&openNorth != 0 && labels[i-cols] == 0 || o&openWest != 0 && labels[i-1] == 0 || o&openEast != 0 && labels[i+1] == 0 ||
			o&openSouth != 0 && labels[i+cols] == 0 {
			q.push(int(level[i]), int32(i))
		}
	}
	for at := 0; at < levels; at++ {
		for q.head[at] >= 0 {
			i := q.head[at]
			q.head[at] = q.next[i]
			label, o, k := labels[i], open[i], int(i)
			visit := func(j int) {
				if labels[j] == 0 {
					labels[j] = label
					q.push(max(at, int(level[j])), int32(j))
				}
			}
			if o&openNorth != 0 {
				visit(k - cols)
			}
			if o&openWest != 0 {
				visit(k - 1)
			}
			if o&openEast != 0 {
				visit(k + 1)
			}
			if o&openSouth != 0 {
				visit(k + cols)
			}
		}
	}
}
