package forest

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"testing"
)

// clouds are rows of classes around middles of their own in some features, noise in the others; features in turn are whole
// numbers, and some values are missing.
func clouds(seed uint64, rows, features, classes int, gaps float64) (columns [][]float32, labels []uint8) {
	rng := rand.New(rand.NewPCG(seed, 7))
	middles := rand.New(rand.NewPCG(99, 7))
	at := make([][]float64, classes)
	for y := range at {
		at[y] = make([]float64, features)
		for i := range at[y] {
			if i%3 < 2 {
				at[y][i] = middles.NormFloat64() * 1.2
			}
		}
	}
	columns, labels = make([][]float32, features), make([]uint8, rows)
	for i := range columns {
		columns[i] = make([]float32, rows)
	}
	for r := range labels {
		y := min(rng.IntN(classes), rng.IntN(classes)) // not all are as frequent
		labels[r] = uint8(y)
		for i := range columns {
			v := at[y][i] + float64(rng.NormFloat64()*1.5)
			if i%4 == 3 {
				v = math.Round(v)
			}
			if rng.Float64() < gaps {
				v = math.NaN()
			}
			columns[i][r] = float32(v)
		}
	}
	return columns, labels
}

func fitted(t testing.TB, columns [][]float32, labels []uint8, classes int, p Params) *Fitted {
	t.Helper()
	f, err := Fit(t.Context(), columns, labels, classes, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	return f
}

func right(votes []uint32, labels []uint8, classes int) float64 {
	n := 0
	for r, y := range labels {
		if k, _ := Top(votes[r*classes : (r+1)*classes]); k == int(y) {
			n++
		}
	}
	return float64(n) / float64(len(labels))
}

func small() Params { return Params{Trees: 30, Depth: 12, Leaf: 5, Balanced: true, Seed: 3} }

// digest is of all that a fit gives.
func (f *Fitted) digest() uint64 {
	h := fnv.New64a()
	for _, v := range []any{f.Roots, f.Nodes, f.Shares, f.Weights, f.Votes, f.Importance} {
		var b bytes.Buffer
		_ = binary.Write(&b, binary.LittleEndian, v)
		h.Write(b.Bytes())
	}
	for _, e := range f.Edges {
		_ = binary.Write(h, binary.LittleEndian, e)
	}
	return h.Sum64()
}

// The same rows give the same forest with any number of goroutines, on every run and on every processor.
func TestAForestIsTheSameEverywhere(t *testing.T) {
	columns, labels := clouds(1, 3000, 12, 5, 0.1)
	// Quarters are the same whatever the last bit of a random number is.
	for i := range columns {
		for r, v := range columns[i] {
			columns[i][r] = float32(math.Round(float64(v)*4) / 4)
		}
	}
	p := small()
	p.Workers = 1
	want := fitted(t, columns, labels, 5, p).digest()
	const frozen = 0x68836dd556f7db5c
	if want != frozen {
		t.Errorf("the forest has the digest %#x, expected %#x", want, uint64(frozen))
	}
	for _, workers := range []int{2, 7} {
		p.Workers = workers
		if got := fitted(t, columns, labels, 5, p).digest(); got != want {
			t.Errorf("%d goroutines: digest %#x, expected %#x", workers, got, want)
		}
	}
	p.Seed++
	if got := fitted(t, columns, labels, 5, p).digest(); got == want {
		t.Error("another seed gives the same forest")
	}
}

// A forest is about as right on unseen rows as its out-of-bag votes promised, and far above chance.
func TestOutOfBagVotesHold(t *testing.T) {
	columns, labels := clouds(1, 6000, 20, 6, 0)
	f := fitted(t, columns, labels, 6, small())
	test, truth := clouds(2, 4000, 20, 6, 0)
	oob, held, seen := right(f.Votes, labels, 6), right(f.Forest.Votes(test, nil), truth, 6), right(f.Forest.Votes(columns, nil), labels, 6)
	if math.Abs(oob-held) > 0.03 || held < 0.75 || seen < held {
		t.Errorf("right: %.3f out of the bag, %.3f of other rows, %.3f of the same rows", oob, held, seen)
	}
	noise := f.Importance[2] + f.Importance[5] + f.Importance[8]
	if told := f.Importance[0] + f.Importance[1] + f.Importance[3]; noise > told/3 {
		t.Errorf("importance: noise %.3f, features that tell the classes apart %.3f", noise, told)
	}
}

// Weights make a rare class found that would be lost among the others.
func TestBalancedWeights(t *testing.T) {
	columns, labels := clouds(1, 4000, 6, 2, 0)
	kept := 0
	var rows []int
	for r, y := range labels {
		if y == 1 {
			if kept++; kept > 60 {
				continue
			}
		}
		rows = append(rows, r)
	}
	pick := func(of []float32) (out []float32) {
		for _, r := range rows {
			out = append(out, of[r])
		}
		return out
	}
	few := make([][]float32, len(columns))
	for i := range columns {
		few[i] = pick(columns[i])
	}
	var y []uint8
	for _, r := range rows {
		y = append(y, labels[r])
	}
	test, truth := clouds(2, 4000, 6, 2, 0)
	recall := func(balanced bool) float64 {
		p := small()
		p.Balanced = balanced
		votes := fitted(t, few, y, 2, p).Forest.Votes(test, nil)
		hit, all := 0, 0
		for r, k := range truth {
			if k == 1 {
				all++
				if got, _ := Top(votes[2*r : 2*r+2]); got == 1 {
					hit++
				}
			}
		}
		return float64(hit) / float64(all)
	}
	if with, without := recall(true), recall(false); with < without+0.1 || with < 0.4 {
		t.Errorf("the rare class: %.3f found with weights, %.3f without", with, without)
	}
}

// Leaves hold as many rows as they must, and no branch is deeper than it may.
func TestLeavesAndDepth(t *testing.T) {
	columns, labels := clouds(1, 2000, 8, 4, 0)
	p := Params{Trees: 1, Depth: 6, Leaf: 40, Seed: 9}
	b := newGrower(newGround(columns, labels, 4, p))
	tree := b.grow(0)
	rows := map[int32]int{}
	for r, k := range b.times {
		if k == 0 {
			continue
		}
		i, depth := int32(0), 0
		for tree.nodes[i].Feature != Leaf {
			if b.bins[tree.nodes[i].Feature&^Left][r] <= tree.nodes[i].Bin {
				i++
			} else {
				i = tree.nodes[i].Right
			}
			depth++
		}
		if rows[i]++; depth > 6 {
			t.Fatalf("row %d lies %d deep", r, depth)
		}
	}
	for leaf, n := range rows {
		if n < 40 {
			t.Errorf("leaf %d has %d distinct rows", leaf, n)
		}
	}
	if len(rows) < 8 {
		t.Errorf("%d leaves", len(rows))
	}
}

// The split that is found is the best there is: held against all ways to part the rows, missing values on either side.
func TestTheBestSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		n := 4 + rng.IntN(30)
		column, labels := make([]float32, n), make([]uint8, n)
		for r := range column {
			column[r], labels[r] = float32(rng.IntN(6)), uint8(rng.IntN(3))
			if rng.IntN(5) == 0 {
				column[r] = float32(math.NaN())
			}
		}
		least := 1 + rng.IntN(3)
		g := newGround([][]float32{column}, labels, 3, Params{Trees: 1, Depth: 1, Leaf: least, Balanced: true})
		b := newGrower(g)
		for r, y := range labels {
			b.items[r] = item{uint32(r), uint32(g.weight[y]) * uint32(1+r%2), uint32(y)}
		}
		value := func(left func(v float32) bool) float64 {
			var sums [2][3]float64
			var rows [2]int
			for _, it := range b.items {
				side := 0
				if !left(column[it.row]) {
					side = 1
				}
				rows[side]++
				sums[side][it.class] += float64(it.weight)
			}
			if rows[0] < least || rows[1] < least {
				return -1
			}
			out := 0.0
			for _, s := range sums {
				out += (s[0]*s[0] + s[1]*s[1] + s[2]*s[2]) / (s[0] + s[1] + s[2])
			}
			return out
		}
		want := -1.0
		for at := float32(-0.5); at < 7; at++ {
			for _, missingLeft := range []bool{false, true} {
				want = max(want, value(func(v float32) bool { return v <= at || v != v && missingLeft }))
			}
		}
		got := split{value: -1}
		b.sum(b.items)
		b.try(b.items, b.bins[0], 0, least, &got)
		if math.Abs(got.value-want) > 1e-6*math.Abs(want) {
			t.Fatalf("a split of %g, the best is %g: %v %v", got.value, want, column, labels)
		}
		if got.value >= 0 {
			if v := value(func(v float32) bool {
				k := bin(g.edges[0], v)
				return k <= got.bin || k == missing && got.left
			}); math.Abs(v-got.value) > 1e-6*v {
				t.Fatalf("the split %+v parts the rows to %g", got, v)
			}
		}
	}
}

// Many rows, which are counted, and few, which are sorted, are split alike.
func TestManyRowsAreSplitAlike(t *testing.T) {
	columns, labels := clouds(5, many+1, 4, 16, 0.1)
	g := newGround(columns, labels, 16, Params{Trees: 1, Depth: 1, Leaf: 5, Balanced: true})
	b := newGrower(g)
	for r, y := range labels {
		b.items[r] = item{uint32(r), uint32(g.weight[y]), uint32(y)}
	}
	b.sum(b.items)
	b.search.order, b.search.bin = make([]entry, many+1), make([]uint8, many+1)
	for f := range columns {
		counted, sorted := split{value: -1}, split{value: -1}
		b.try(b.items, b.bins[f], uint8(f), 5, &counted)
		b.search.few = many + 1
		b.try(b.items, b.bins[f], uint8(f), 5, &sorted)
		b.search.few = many
		if counted != sorted || counted.value < 0 {
			t.Errorf("feature %d: %+v counted, %+v sorted", f, counted, sorted)
		}
	}
}

// Missing values go where the rows with them went when the forest was grown.
func TestMissingValuesAreLearned(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	columns, labels := [][]float32{make([]float32, 2000), make([]float32, 2000)}, make([]uint8, 2000)
	for r := range labels {
		y := uint8(r % 2)
		labels[r] = y
		columns[0][r] = float32(rng.NormFloat64())
		columns[1][r] = float32(float64(y)*0.5 + rng.NormFloat64())
		if y == 1 && rng.IntN(2) == 0 {
			columns[0][r] = float32(math.NaN()) // only class 1 lacks the first value
		}
	}
	f := fitted(t, columns, labels, 2, small())
	nan := float32(math.NaN())
	votes := f.Forest.Votes([][]float32{{nan, 0, float32(math.Inf(1))}, {0.25, 0.25, 0.25}}, nil)
	if k, share := Top(votes[:2]); k != 1 || share < 0.9 {
		t.Errorf("a row without the value: class %d with %.2f", k, share)
	}
	if k, _ := Top(votes[2:4]); k != 0 {
		t.Errorf("a row with the value: class %d", k)
	}
	if votes[4] != votes[0] || votes[5] != votes[1] {
		t.Error("an infinite value is not taken for a missing one")
	}
}

// Rows of a block are in the bag together, so that none of them is judged by trees that know its neighbours.
func TestBlocksStayTogether(t *testing.T) {
	columns, labels := clouds(1, 600, 5, 3, 0)
	p := small()
	p.Blocks = make([]int32, 600)
	for r := range p.Blocks {
		p.Blocks[r] = int32(r/20) * 7
	}
	b := newGrower(newGround(columns, labels, 3, p))
	for tree := range 5 {
		b.grow(tree)
		for r := range 600 {
			if b.times[r] != b.times[r/20*20] {
				t.Fatalf("tree %d: row %d is drawn %d times, the first of its block %d", tree, r, b.times[r], b.times[r/20*20])
			}
		}
	}
}

// The features that spoke for a class add up to its share less that at the roots, and noise is not among the first.
func TestWhy(t *testing.T) {
	columns, labels := clouds(1, 4000, 9, 3, 0.05)
	f := fitted(t, columns, labels, 3, small())
	e := Explain(f.Forest)
	row := make([]float32, 9)
	first := 0
	for r := range 200 {
		one := make([][]float32, 9)
		for i := range columns {
			row[i] = columns[i][r]
			one[i] = row[i : i+1]
		}
		class, share := Top(f.Forest.Votes(one, nil))
		at := 0.0
		for _, root := range f.Roots {
			at += float64(e.inner[int(root)*3+class]) / 65535 / float64(len(f.Roots))
		}
		sum := at
		for _, reason := range e.Why(row, class, 9) {
			sum += reason.Gain
		}
		for _, against := range against(e, row, class) {
			sum -= against
		}
		if math.Abs(sum-share) > 1e-9 {
			t.Fatalf("row %d: the reasons add up to %.12f, the share is %.12f", r, sum, share)
		}
		if why := e.Why(row, class, 2); len(why) == 2 && why[0].Gain >= why[1].Gain && why[0].Feature%3 < 2 {
			first++
		}
	}
	if first < 190 {
		t.Errorf("noise came first %d times of 200", 200-first)
	}
}

// against is by how much each feature lowered the share, by walking through the trees once more.
func against(e *Explainer, row []float32, class int) (out []float64) {
	sums := map[uint8]int64{}
	for _, i := range e.f.Roots {
		for e.f.Nodes[i].Feature != Leaf {
			n := e.f.Nodes[i]
			before := int64(e.inner[int(i)*e.f.Classes+class])
			k := bin(e.f.Edges[n.Feature&^Left], row[n.Feature&^Left])
			if i++; k != missing && k > n.Bin || k == missing && n.Feature < Left {
				i = n.Right
			}
			sums[n.Feature&^Left] += int64(e.inner[int(i)*e.f.Classes+class]) - before
		}
	}
	for f := range uint8(9) {
		if sums[f] < 0 {
			out = append(out, float64(-sums[f])/65535/float64(len(e.f.Roots)))
		}
	}
	return out
}

// Bins found without branches are those of the plain search, at edges, between them and beyond.
func TestBins(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 50 {
		column := make([]float32, 1+rng.IntN(900))
		for i := range column {
			column[i] = float32(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(7)-3)))
			if rng.IntN(4) == 0 {
				column[i] = float32(math.Round(float64(column[i])))
			}
		}
		edges := edgesOf(column)
		r := newRuler(edges)
		for _, v := range append(append(column, edges...), 0, float32(math.Copysign(0, -1)), math.MaxFloat32, -math.MaxFloat32,
			float32(math.Inf(-1)), float32(math.NaN())) {
			if got, want := r.bin(v), bin(edges, finite(v)); got != want {
				t.Fatalf("%g among %d edges is in bin %d, expected %d", v, len(edges), got, want)
			}
		}
		for i := 1; i < len(edges); i++ {
			if edges[i-1] >= edges[i] {
				t.Fatalf("edges %g, %g", edges[i-1], edges[i])
			}
		}
	}
}

// Forests of any number of classes and trees add up their votes to 255 for each tree.
func TestVotesAddUp(t *testing.T) {
	for classes, trees := range map[int]int{2: 3, 7: 5, 8: 300, 19: 2} {
		columns, labels := clouds(1, 300, 4, classes, 0.1)
		p := small()
		p.Trees, p.Depth = trees, 4
		f := fitted(t, columns, labels, classes, p)
		votes := f.Forest.Votes(columns, nil)
		for r := range labels {
			sum := uint32(0)
			for _, v := range votes[r*classes : (r+1)*classes] {
				sum += v
			}
			if sum != uint32(255*trees) {
				t.Fatalf("%d classes: row %d has %d votes of %d trees", classes, r, sum, trees)
			}
		}
	}
}

func TestFitRefuses(t *testing.T) {
	columns, labels := clouds(1, 50, 3, 2, 0)
	for name, change := range map[string]func(p *Params, y []uint8) int{
		"no trees":           func(p *Params, _ []uint8) int { p.Trees = 0; return 2 },
		"one class":          func(*Params, []uint8) int { return 1 },
		"a class beyond all": func(_ *Params, y []uint8) int { y[7] = 2; return 2 },
		"blocks of others":   func(p *Params, _ []uint8) int { p.Blocks = make([]int32, 3); return 2 },
		"too many features":  func(p *Params, _ []uint8) int { p.Features = 4; return 2 },
	} {
		p, y := small(), append([]uint8{}, labels...)
		classes := change(&p, y)
		if _, err := Fit(t.Context(), columns, y, classes, p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
