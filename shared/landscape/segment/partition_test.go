package segment

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// noisy is a gradient of a few levels, with parts.
func noisy(r *rand.Rand, cols, rows int) (level []uint16, part []int32) {
	level, part = make([]uint16, cols*rows), make([]int32, cols*rows)
	for i := range level {
		level[i] = uint16(r.IntN(40) * 100)
		if i%cols > cols/2 {
			part[i] = 1
		}
		if r.IntN(40) == 0 {
			part[i] = -1
		}
	}
	return level, part
}

// A flood in the order of a plain list gives the same basins as the one by buckets.
func TestFloodBesideAList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		cols, rows := 3+r.IntN(30), 3+r.IntN(30)
		level, part := noisy(r, cols, rows)
		got, n := basins(level, part, cols, rows)
		want, _ := minima(smoothed(level, cols, rows), part, cols, rows)
		type cell struct{ level, order, at int }
		var list []cell
		for i, l := range want {
			if l > 0 {
				list = append(list, cell{int(level[i]), len(list), i})
			}
		}
		order := len(list)
		for len(list) > 0 {
			k := 0
			for i, c := range list {
				if c.level < list[k].level || c.level == list[k].level && c.order < list[k].order {
					k = i
				}
			}
			c := list[k]
			list = slices.Delete(list, k, k+1)
			eachNeighbour(c.at, cols, rows, func(j int) {
				if want[j] == 0 && part[j] == part[c.at] {
					want[j] = want[c.at]
					list = append(list, cell{max(c.level, int(level[j])), order, j})
					order++
				}
			})
		}
		if !slices.Equal(got, want) || n == 0 {
			t.Fatalf("%d x %d: other basins", cols, rows)
		}
		for i, l := range got {
			if (l == 0) != (part[i] < 0) {
				t.Fatalf("cell %d of part %d has label %d", i, part[i], l)
			}
		}
	}
}

// Merging by a heap gives the regions that looking for the weakest border again and again does, and never crosses a part.
func TestMergeBesideASearch(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 20 {
		cols, rows := 4+r.IntN(14), 4+r.IntN(14)
		level, part := noisy(r, cols, rows)
		for i := range level { // without borders of one weight, whose order is nobody's business
			level[i] = uint16(r.IntN(levels))
		}
		labels, n := basins(level, part, cols, rows)
		want := slices.Clone(labels)
		const limit = 2200
		for {
			type key = [2]int32
			sums, sides := map[key]int64{}, map[key]int64{}
			for i := range want {
				for _, j := range [2]int{i + 1, i + cols} {
					if j == i+1 && i%cols == cols-1 || j >= len(want) || want[i] == want[j] || want[i] == 0 || want[j] == 0 ||
						part[i] != part[j] {
						continue
					}
					k := key{min(want[i], want[j]), max(want[i], want[j])}
					sums[k] += int64(level[i]) + int64(level[j])
					sides[k]++
				}
			}
			best, least := key{}, float64(limit)
			for k, s := range sums {
				if w := float64(s) / float64(2*sides[k]); w < least {
					best, least = k, w
				}
			}
			if best[0] == 0 {
				break
			}
			for i := range want {
				if want[i] == best[1] {
					want[i] = best[0]
				}
			}
		}
		g := regionsOf(level, part, labels, n, cols)
		g.merge(limit)
		g.number(labels)
		if !sameRegions(labels, want) {
			t.Fatalf("%d x %d: other regions\n%v\n%v", cols, rows, labels, want)
		}
		g = regionsOf(level, part, labels, int(slices.Max(labels)), cols)
		g.absorb(9)
		g.number(labels)
		size := map[int32]int{}
		for _, l := range labels {
			size[l]++
		}
		for i, l := range labels {
			if size[l] >= 9 || l == 0 {
				continue
			}
			eachNeighbour(i, cols, rows, func(j int) {
				if labels[j] != l && labels[j] > 0 && part[j]>>1 == part[i]>>1 {
					t.Fatalf("a region of %d cells is left beside another one", size[l])
				}
			})
		}
	}
}

// sameRegions says whether two labellings divide cells alike.
func sameRegions(a, b []int32) bool {
	to, back := map[int32]int32{}, map[int32]int32{}
	for i := range a {
		x, ok := to[a[i]]
		y, also := back[b[i]]
		if ok && x != b[i] || also && y != a[i] || (a[i] == 0) != (b[i] == 0) {
			return false
		}
		to[a[i]], back[b[i]] = b[i], a[i]
	}
	return true
}

// Two halves of different colours are two components whatever the noise; a larger scale makes fewer; none is too small.
func TestFelzenszwalb(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const n = 60
	red, green, part := make([]float32, n*n), make([]float32, n*n), make([]int32, n*n)
	for i := range red {
		red[i], green[i] = 0.3+0.04*r.Float32(), 0.5
		if i%n >= n/2 {
			red[i] += 0.35
		}
	}
	count := func(scale float64) int {
		labels, m := felzenszwalb([][]float32{slices.Clone(red), slices.Clone(green)}, part, n, scale, 20)
		size := map[int32]int{}
		for i, l := range labels {
			size[l]++
			if i%n == n/2-4 && labels[i+8] == l {
				t.Fatalf("scale %g: the two halves are one", scale)
			}
		}
		for l, k := range size {
			if k < 20 {
				t.Errorf("scale %g: component %d has %d cells", scale, l, k)
			}
		}
		return m
	}
	if few, many := count(150.0/255), count(1.0/255); few > 6 || many <= 2*few {
		t.Errorf("%d components, and %d of a small scale", few, many)
	}
}
