package segment

import "slices"

// runs are the labels of a square's cells as runs of the same in each row: a square that waits for the others takes a tenth of what
// its labels would.
type runs struct {
	labels []int32
	ends   []uint16 // columns behind the runs; that of the last one of a row is Side
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

// each gives the runs with a label, row by row.
func (r *runs) each(f func(row, from, to int, label int32)) {
	row, from := 0, 0
	for i, k := range r.labels {
		to := int(r.ends[i])
		if k > 0 {
			f(row, from, to, k)
		}
		if from = to; from == Side {
			row, from = row+1, 0
		}
	}
}
