package segment

import "slices"

// runs are the labels of a square's cells as runs of the same in each row: a square that waits for the others takes a tenth of what
// its labels would.
type runs struct {
	labels []int32
	ends   []uint16 // columns behind the runs; that of the last one of a row is Side
	starts []int32  // of each row, the number of its first run
}

// add adds the next row.
func (r *runs) add(row []int32) {
	for i, k := range row {
		if i+1 == len(row) || row[i+1] != k {
			r.labels, r.ends = append(r.labels, k), append(r.ends, uint16(i+1))
		}
	}
}

// clip lets go of room for more.
func (r *runs) clip() { r.labels, r.ends = slices.Clone(r.labels), slices.Clone(r.ends) }

// rows finds where rows begin.
func (r *runs) rows() {
	r.starts = make([]int32, 1, Side+1)
	for i, end := range r.ends {
		if end == Side {
			r.starts = append(r.starts, int32(i+1))
		}
	}
}

// fill writes the labels of the square into a part of the area whose corner is given in columns and rows of the square, where the two
// meet.
func (r *runs) fill(col0, row0, cols, rows int, to []int32) {
	west, east := max(col0, 0), min(col0+cols, Side)
	for row := max(row0, 0); row < min(row0+rows, Side); row++ {
		line := to[(row-row0)*cols : (row-row0+1)*cols]
		ends := r.ends[r.starts[row]:r.starts[row+1]]
		// Of a wide row most runs lie beside a small part.
		k, _ := slices.BinarySearch(ends, uint16(west+1))
		for from := west; from < east; k++ {
			end := min(int(ends[k]), east)
			if label := r.labels[int(r.starts[row])+k]; label > 0 {
				for c := from; c < end; c++ {
					line[c-col0] = label
				}
			}
			from = end
		}
	}
}
