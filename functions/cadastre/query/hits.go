package query

import (
	"cmp"
	"slices"

	"mappe/artefacts/columns"
)

// hit is a matching row and what it is sorted by.
type hit struct {
	a, b  uint64
	place int32 // in the plan, by rising KG code
	row   int32 // in the table of its district, by rising parcel number as text: parcel ids are in order
}

// byRank compares no more than decides: it is asked for each row several times.
func byRank(x, y hit) int {
	switch {
	case x.a != y.a:
		return cmp.Compare(x.a, y.a)
	case x.b != y.b:
		return cmp.Compare(x.b, y.b)
	case x.place != y.place:
		return cmp.Compare(x.place, y.place)
	}
	return cmp.Compare(x.row, y.row)
}

// group are the hits of one place, by their numbers.
type group struct {
	place int
	at    []int
}

// grouped are hits by place, places rising.
func grouped(hits []hit) (list []group) {
	at := make([]int, len(hits))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(i, k int) int {
		if x, y := hits[i].place, hits[k].place; x != y {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(i, k)
	})
	for from := 0; from < len(at); {
		to, place := from+1, hits[at[from]].place
		for to < len(at) && hits[at[to]].place == place {
			to++
		}
		list = append(list, group{int(place), at[from:to]})
		from = to
	}
	return list
}

// best keeps the first n hits of an order. Its memory is that of twice as many, and some more.
type best struct {
	n    int
	hits []hit
	last hit  // the n-th, once there are so many
	full bool // last is set
}

// slackHits is how many hits more than twice n are gathered before those behind the first n are dropped.
const slackHits = 64

func (b *best) add(h hit) {
	if b.n == 0 || b.full && byRank(h, b.last) > 0 {
		return
	}
	if b.hits = append(b.hits, h); len(b.hits) >= 2*b.n+slackHits {
		b.cut()
	}
}

// cut drops what is not among the first n, of which it leaves n at most, in any order.
func (b *best) cut() {
	if len(b.hits) < b.n {
		return
	}
	split(b.hits, b.n)
	b.hits = b.hits[:b.n]
	b.last, b.full = slices.MaxFunc(b.hits, byRank), true
}

// splitRounds bounds the rounds of split: hits that come in an order which it takes long for are sorted.
const splitRounds = 40

// split moves the first n hits of the order, 0 < n <= len(hits), to the front: sorting all takes several times as long.
func split(hits []hit, n int) {
	lo, hi := 0, len(hits) // the n-th is in between
	for range splitRounds {
		if hi-lo <= 8 {
			break
		}
		pivot := median(hits[lo], hits[lo+(hi-lo)/2], hits[hi-1])
		i, k := lo, hi-1
		for i <= k {
			for byRank(hits[i], pivot) < 0 {
				i++
			}
			for byRank(hits[k], pivot) > 0 {
				k--
			}
			if i <= k {
				hits[i], hits[k] = hits[k], hits[i]
				i, k = i+1, k-1
			}
		}
		switch { // up to k they are not behind the pivot, from i on not before it
		case n-1 <= k:
			hi = k + 1
		case n-1 >= i:
			lo = i
		default:
			return
		}
	}
	slices.SortFunc(hits[lo:hi], byRank)
}

// median is the middle one of three hits.
func median(a, b, c hit) hit {
	if byRank(a, b) > 0 {
		a, b = b, a
	}
	switch {
	case byRank(c, a) < 0:
		return a
	case byRank(c, b) > 0:
		return b
	}
	return c
}

// beyond says whether no row of a KG with these areas can be among the first n.
func (b *best) beyond(by order, k *columns.KG) bool {
	switch {
	case b.n == 0:
		return true
	case !b.full:
		return false
	case by == areaDesc:
		return ^k.Greatest > b.last.a
	case by == areaAsc:
		return k.Least > b.last.a
	}
	return false
}

// page are the hits from offset on, in their order.
func (b *best) page(offset int) []hit {
	if b.n == 0 {
		return nil
	}
	b.cut()
	slices.SortFunc(b.hits, byRank)
	return slices.Clone(b.hits[min(offset, len(b.hits)):])
}

// rank sets what a row is sorted by.
func (by order) rank(t *columns.Table, row int32) (a, b uint64) {
	switch by {
	case areaAsc:
		return t.Areas[row], 0
	case byNumber:
		sub := uint64(0)
		if t.Plots[row]&columns.SubBit != 0 {
			sub = t.Subs[row] + 1
		}
		return t.Main[row], sub<<1 | uint64(t.Plots[row]&columns.PlotBit)
	}
	return ^t.Areas[row], 0
}
