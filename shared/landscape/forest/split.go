package forest

import "math/bits"

// split is a way to part rows in two. Its value is the sum over both sides of the squared weights of the classes over the
// weight of the side: the larger it is, the smaller is the Gini impurity.
type split struct {
	value   float64
	feature uint8
	bin     uint8
	left    bool // rows without the value go left
}

// search looks for splits. All weights are whole numbers, their squares too, so that no sum hangs on its order.
type search struct {
	classes   int
	few       int                // rows up to which they are sorted
	sums      [MaxClasses]uint64 // of the node by class
	weightSum uint64
	squares   uint64
	l, r      [MaxClasses]uint64
	count     [256]uint32
	start     [256]uint32
	seen      [4]uint64
	order     []entry
	bin       []uint8
	table     []uint64 // weight by bin and class, of many rows
}

// trial is a feature that a node of so many rows may be split by.
type trial struct {
	rows, least int // of the node, and of a side
	feature     uint8
	large       bool // its rows are counted by bin and class
	none        bool // rows are without the value
	best        *split
}

// entry is a row in the order of its bin.
type entry struct{ weight, class uint32 }

// many rows are counted by bin and class; fewer are brought into the order of their bins.
const many = 1500

func newSearch(classes, rows int) search {
	return search{classes: classes, few: many, order: make([]entry, min(rows, many)), bin: make([]uint8, min(rows, many)),
		table: make([]uint64, 256*classes)}
}

// sum adds up the weights of a node.
func (s *search) sum(items []item) {
	clear(s.sums[:s.classes])
	for i := range items {
		s.sums[items[i].class%MaxClasses] += uint64(items[i].weight)
	}
	s.weightSum, s.squares = 0, 0
	for _, w := range s.sums[:s.classes] {
		s.weightSum += w
		s.squares += w * w
	}
}

// pure says whether the node has one class only.
func (s *search) pure() bool {
	for _, w := range s.sums[:s.classes] {
		if w == s.weightSum {
			return true
		}
	}
	return false
}

// try looks for a better split of the node by a feature; false where all rows are in one bin.
func (s *search) try(items []item, column []uint8, feature uint8, least int, best *split) bool {
	s.seen = [4]uint64{}
	large := len(items) > s.few
	if large {
		s.tabulate(items, column)
	} else {
		for i := range items {
			k := column[items[i].row]
			s.bin[i] = k
			s.count[k]++
			s.seen[k>>6] |= 1 << (k & 63)
		}
	}
	varied := bits.OnesCount64(s.seen[0])+bits.OnesCount64(s.seen[1])+bits.OnesCount64(s.seen[2])+bits.OnesCount64(s.seen[3]) > 1
	if varied {
		if !large {
			s.sort(items)
		}
		t := trial{len(items), least, feature, large, s.count[missing] > 0, best}
		s.scan(&t, false)
		if t.none {
			s.scan(&t, true)
		}
	}
	for w, set := range s.seen {
		for ; set != 0; set &= set - 1 {
			s.count[w<<6|bits.TrailingZeros64(set)] = 0
		}
	}
	return varied
}

// tabulate counts many items by bin and class.
func (s *search) tabulate(items []item, column []uint8) {
	clear(s.table)
	for i := range items {
		it := &items[i]
		k := column[it.row]
		s.count[k]++
		s.table[int(k)*s.classes+int(it.class)] += uint64(it.weight)
	}
	for k, n := range s.count {
		if n > 0 {
			s.seen[k>>6] |= 1 << (k & 63)
		}
	}
}

// sort brings weights and classes of the items into the order of their bins.
func (s *search) sort(items []item) {
	at := uint32(0)
	for w, set := range s.seen {
		for ; set != 0; set &= set - 1 {
			k := w<<6 | bits.TrailingZeros64(set)
			s.start[k] = at
			at += s.count[k]
		}
	}
	bin := s.bin[:len(items)]
	for i := range bin {
		k := bin[i]
		s.order[s.start[k]] = entry{items[i].weight, items[i].class}
		s.start[k]++
	}
}

// sides are the two sides of a split in the making.
type sides struct {
	rows, weight, squares    uint64 // left
	rightWeight, rightSquare uint64
}

// move takes weight of a class from the right to the left side.
func (s *search) move(d *sides, class uint32, w uint64) {
	l, r := &s.l[class%MaxClasses], &s.r[class%MaxClasses]
	d.squares += w * (*l + *l + w)
	d.rightSquare -= w * (*r + *r - w)
	*l += w
	*r -= w
	d.weight += w
	d.rightWeight -= w
}

// moveBin takes the rows of a bin from the right to the left side.
func (s *search) moveBin(d *sides, k int, large bool) {
	n := s.count[k]
	d.rows += uint64(n)
	if large {
		for y, w := range s.table[k*s.classes : (k+1)*s.classes] {
			if w > 0 {
				s.move(d, uint32(y), w)
			}
		}
		return
	}
	for _, e := range s.order[s.start[k]-n : s.start[k]] {
		s.move(d, e.class, uint64(e.weight))
	}
}

// scan goes through the bins of a feature and keeps the best split. Rows without the value are on the left side, or on the
// right, where they may also stand alone.
func (s *search) scan(t *trial, left bool) {
	d := sides{rightWeight: s.weightSum, rightSquare: s.squares}
	clear(s.l[:s.classes])
	copy(s.r[:s.classes], s.sums[:s.classes])
	if left {
		s.moveBin(&d, missing, t.large)
	}
	last := -1
	for w, set := range s.seen {
		if w == 3 {
			set &^= 1 << 63 // what is missing has no place among the bins
		}
		for ; set != 0; set &= set - 1 {
			k := w<<6 | bits.TrailingZeros64(set)
			if last >= 0 {
				t.judge(&d, split{feature: t.feature, bin: uint8((last + k - 1) / 2), left: left})
			}
			s.moveBin(&d, k, t.large)
			last = k
		}
	}
	if t.none && !left && last >= 0 {
		t.judge(&d, split{feature: t.feature, bin: missing - 1})
	}
}

// judge keeps a split that is better than the best.
func (t *trial) judge(d *sides, c split) {
	if int(d.rows) < t.least || t.rows-int(d.rows) < t.least {
		return
	}
	c.value = float64(d.squares)/float64(d.weight) + float64(d.rightSquare)/float64(d.rightWeight)
	if c.value > t.best.value {
		if !t.none { // nothing was learned: they go with the many
			c.left = d.weight > d.rightWeight
		}
		*t.best = c
	}
}
