package forest

import (
	"encoding/binary"
	"math"
)

// batch rows go through a tree before the next one is taken, so that trees are fetched from memory seldom; block of them at a time,
// so that what is known of each row stays next to the processor.
const (
	batch = 8192
	block = 256
)

// Votes has Classes numbers for each row of some columns: the shares of its leaves added up over the trees, 255 for each tree
// together. out is used where it has room; columns are as long as each other, NaN where a value is not known.
func (f *Forest) Votes(columns [][]float32, out []uint32) []uint32 {
	n := 0
	if len(columns) > 0 {
		n = len(columns[0])
	}
	if cap(out) < n*f.Classes {
		out = make([]uint32, n*f.Classes)
	}
	out = out[:n*f.Classes]
	clear(out)
	w := newWalk(f, min(n, batch))
	for lo := 0; lo < n; lo += batch {
		rows := min(batch, n-lo)
		for i := range f.Edges {
			w.fill(i, columns[i][lo:lo+rows])
		}
		for t, root := range f.Roots {
			for at := 0; at < rows; at += block {
				w.leaves(root, at, min(block, rows-at))
				w.add(at, min(block, rows-at))
			}
			if (t+1)%packed == 0 || t+1 == len(f.Roots) {
				w.flush(out[lo*f.Classes:], rows)
			}
		}
	}
	return out
}

// packed is how many times shares of up to 255 can be added up in 16 bits.
const packed = 257

// walk takes a block of rows through one tree after the other.
type walk struct {
	*Forest
	rulers []*ruler
	bins   [][256]uint8  // of each row: at i those in which what is missing is beyond all, at i+128 below all
	active [block]uint64 // node and row of those that have not come to a leaf
	leaf   [block]int32  // number of the leaf of each row
	sums   []uint64      // of shares, four to a number of 64 bits: of eight classes the even ones, then the odd ones
	rest   []uint32      // of the classes beyond the last eight
}

func newWalk(f *Forest, rows int) *walk {
	w := &walk{Forest: f, bins: make([][256]uint8, (rows+block-1)/block*block), sums: make([]uint64, rows*(f.Classes/8)*2),
		rest: make([]uint32, rows*(f.Classes%8))}
	for _, edges := range f.Edges {
		w.rulers = append(w.rulers, newRuler(edges))
	}
	return w
}

// fill sets the bins of a feature.
func (w *walk) fill(feature int, values []float32) {
	ruler := w.rulers[feature]
	for r, v := range values {
		k := ruler.bin(v)
		row := &w.bins[r]
		row[feature] = k
		if k == missing {
			k = 0 // left of every split
		}
		row[feature|Left] = k
	}
}

// leaves finds the leaf of n rows from one on, a multiple of block, level by level: the steps of different rows wait for nothing of
// each other. There is no branch that hangs on a value, which would be guessed wrong every other time.
func (w *walk) leaves(root int32, from, n int) {
	nodes, bins := w.Nodes, (*[block][256]uint8)(w.bins[from:from+block])
	for r := range n {
		w.active[r&(block-1)] = uint64(root)<<8 | uint64(r)
	}
	for n > 0 {
		left := 0
		for j := range n {
			at := w.active[j&(block-1)]
			r, i := uint8(at), int32(at>>8)
			node := nodes[i]
			w.leaf[r] = node.Right                                         // of the leaf in the end: its number
			mask := (int32(node.Bin) - int32(bins[r][node.Feature])) >> 31 // -1 on the right side, else 0
			next := i + 1 + (node.Right-i-1)&mask
			w.active[left&(block-1)] = uint64(uint32(next))<<8 | uint64(r)
			left += int(uint32(node.Feature^Leaf)+255) >> 8 // 0 at a leaf, else 1
		}
		n = left
	}
}

const evens = 0x00FF00FF00FF00FF

// add adds the shares of the rows' leaves to their sums.
func (w *walk) add(from, n int) {
	k := w.Classes
	eights, over := k/8, k%8
	for j, leaf := range w.leaf[:n] {
		r := from + j
		shares := w.Shares[int(leaf)*k:][:k]
		sums := w.sums[r*2*eights:][:2*eights]
		for i := 0; i+1 < len(sums); i += 2 {
			v := binary.LittleEndian.Uint64(shares[4*i:])
			sums[i] += v & evens
			sums[i+1] += v >> 8 & evens
		}
		for i, s := range shares[k-over:] {
			w.rest[r*over+i] += uint32(s)
		}
	}
}

// flush adds the sums to votes and begins anew.
func (w *walk) flush(votes []uint32, rows int) {
	k := w.Classes
	eights, over := k/8, k%8
	for r := range rows {
		v := votes[r*k : (r+1)*k]
		for e := range eights {
			even, odd := w.sums[(r*eights+e)*2], w.sums[(r*eights+e)*2+1]
			for i := range 4 {
				v[8*e+2*i] += uint32(even >> (16 * i) & 0xFFFF)
				v[8*e+2*i+1] += uint32(odd >> (16 * i) & 0xFFFF)
			}
		}
		for i := range over {
			v[k-over+i] += w.rest[r*over+i]
		}
	}
	clear(w.sums)
	clear(w.rest)
}

// Top is the class with the most votes, the first of equal ones, and its share of all; -1 and NaN without a vote.
func Top(votes []uint32) (class int, share float64) {
	class = -1
	most, sum := uint32(0), uint64(0)
	for y, v := range votes {
		sum += uint64(v)
		if v > most {
			class, most = y, v
		}
	}
	if sum == 0 {
		return -1, math.NaN()
	}
	return class, float64(most) / float64(sum)
}
