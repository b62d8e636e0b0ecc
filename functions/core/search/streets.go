package search

import (
	"context"
	"fmt"
	"slices"

	"mappe/artefacts/directory"
	"mappe/artefacts/sectionfile"
	"mappe/functions/core/searchindex"
)

// run are addresses in a row, from up to to.
type run struct{ from, to int }

// addresses are those that answer, in the order of the answer.
type addresses struct {
	runs  []run
	total int
}

func (a *addresses) add(from, to int) {
	if from >= to {
		return
	}
	if n := len(a.runs); n > 0 && a.runs[n-1].to == from {
		a.runs[n-1].to = to
	} else {
		a.runs = append(a.runs, run{from, to})
	}
	a.total += to - from
}

func (a *addresses) join(o addresses) {
	for _, r := range o.runs {
		a.add(r.from, r.to)
	}
}

// window are the numbers of the addresses from lo up to hi of the answer; none where lo is not before hi or past the end.
func (a *addresses) window(lo, hi int) []int {
	out := make([]int, 0, max(min(hi, a.total)-lo, 0))
	at := 0
	for _, r := range a.runs {
		n := r.to - r.from
		for i := max(lo-at, 0); i < min(hi-at, n); i++ {
			out = append(out, r.from+i)
		}
		if at += n; at >= hi {
			break
		}
	}
	return out
}

// chosen are streets: those of which every word asked for is a whole word, and the others.
type chosen struct{ exact, others directory.Set }

func (c *chosen) empty() bool { return c.exact.Empty() && c.others.Empty() }

// addressesOn are the addresses of streets with the house number of a reading, the streets with whole words first.
func (n *searchIndex) addressesOn(ctx context.Context, x *directory.Index, c *chosen, r *reading) (addresses, error) {
	return n.addressesIn(ctx, x, []directory.Set{c.exact, c.others}, r, func(h *directory.HouseNo) bool { return h.Answers(r.house) })
}

// addressesIn are the addresses of sets of streets, one set after the other, with a house number that fits where a
// reading has one.
func (n *searchIndex) addressesIn(ctx context.Context, x *directory.Index, sets []directory.Set, r *reading,
	fits func(*directory.HouseNo) bool) (all addresses, err error) {
	for _, set := range sets {
		found, err := n.housesOn(ctx, x, set, r, fits)
		if err != nil {
			return addresses{}, err
		}
		all.join(found)
	}
	return all, nil
}

func (n *searchIndex) housesOn(ctx context.Context, x *directory.Index, streets directory.Set, r *reading,
	fits func(*directory.HouseNo) bool) (addresses, error) {
	var all addresses
	for street := range streets.Each {
		s := x.Street(street)
		all.add(s.From, s.To)
	}
	if r.house.Low == 0 {
		return all, nil
	}
	var found addresses
	err := n.eachHouse(ctx, all.runs, func(address int, h *directory.HouseNo) {
		if fits(h) {
			found.add(address, address+1)
		}
	})
	return found, err
}

// houseBlocks is how many blocks of house numbers are read together: enough for a street name that every
// municipality has, and a few MB.
const houseBlocks = 32

// eachHouse gives the house numbers of runs that rise.
func (n *searchIndex) eachHouse(ctx context.Context, runs []run, visit func(address int, h *directory.HouseNo)) error {
	at, from := 0, 0 // the run that is next, and where in it
	if len(runs) > 0 {
		from = runs[0].from
	}
	for some := range slices.Chunk(blocksOf(runs), houseBlocks) {
		blocks, err := read(ctx, n, some, directory.HouseBlock, directory.DecodeHouseNumbers)
		if err != nil {
			return err
		}
		for k, block := range some {
			first := block * directory.AddressRows
			for at < len(runs) && from < first+len(blocks[k]) {
				end := min(runs[at].to, first+len(blocks[k]))
				for i := from; i < end; i++ {
					visit(i, &blocks[k][i-first])
				}
				if from = end; from < runs[at].to {
					break
				}
				if at++; at < len(runs) {
					from = runs[at].from
				}
			}
		}
	}
	return nil
}

// blocksOf are the blocks in which runs lie that rise.
func blocksOf(runs []run) []int {
	var blocks []int
	for _, r := range runs {
		for b := r.from / directory.AddressRows; b <= (r.to-1)/directory.AddressRows; b++ {
			if len(blocks) == 0 || blocks[len(blocks)-1] < b {
				blocks = append(blocks, b)
			}
		}
	}
	return blocks
}

// read reads blocks of addresses.
func read[T any](ctx context.Context, n *searchIndex, blocks []int, section func(*sectionfile.Directory, int) (int, bool),
	decode func([]byte) (T, int64, error)) ([]T, error) {
	list := make([]int, len(blocks))
	for k, b := range blocks {
		s, ok := section(n.Parts.Directory, b)
		if !ok {
			return nil, searchindex.Unreadable(ctx, fmt.Errorf("the search directory has no block %d of addresses", b))
		}
		list[k] = s
	}
	return searchindex.Sections(ctx, n.Index, list, func(_ int, body []byte) (T, int64, error) { return decode(body) })
}

// address is an address point as the directory has it.
type address struct {
	directory.Address
	directory.HouseNo
	directory.Street
}

// addressesAt reads addresses by their numbers, in their order.
func (n *searchIndex) addressesAt(ctx context.Context, x *directory.Index, list []int) ([]address, error) {
	out := make([]address, len(list))
	order := make([]int, len(list)) // rising, so that a block is read once
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return list[a] - list[b] })
	var runs addresses
	for _, i := range order {
		runs.add(list[i], list[i]+1)
	}
	next := 0
	for some := range slices.Chunk(blocksOf(runs.runs), houseBlocks) {
		points, err := read(ctx, n, some, directory.AddressBlock, func(b []byte) ([]directory.Address, int64, error) {
			return directory.DecodeAddresses(n.Head, b)
		})
		if err != nil {
			return nil, err
		}
		houses, err := read(ctx, n, some, directory.HouseBlock, directory.DecodeHouseNumbers)
		if err != nil {
			return nil, err
		}
		for k, block := range some {
			for ; next < len(order) && list[order[next]]/directory.AddressRows == block; next++ {
				at, row := list[order[next]], list[order[next]]%directory.AddressRows
				if row >= len(points[k]) || row >= len(houses[k]) {
					return nil, searchindex.Unreadable(ctx, fmt.Errorf("block %d of addresses has no row %d", block, row))
				}
				out[order[next]] = address{points[k][row], houses[k][row], x.Street(x.StreetOf(at))}
			}
		}
	}
	return out, nil
}
