package landscape

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"mappe/artefacts/classifier"
	"mappe/shared/landscape/forest"
)

// folds is how many parts the blocks are cut into for the validation, foldTrees how many trees are grown for each at most.
const (
	folds     = 5
	foldTrees = 60
)

// Verdict compares a new model with the present one on the same samples. The new one has seen nothing of a sample's block when
// it tells its class; the present one may have been trained from the very samples, which is in its favour.
type Verdict struct {
	New     classifier.Score
	Present *classifier.Score // nil: no model is present, or it asks for other figures
	Lost    []string          // classes that the present model knows and the samples do not have
}

// Better says whether the new model is to take the place of the present one.
func (v *Verdict) Better() bool {
	return len(v.Lost) == 0 && (v.Present == nil || v.New.MacroF1 > v.Present.MacroF1)
}

func (v *Verdict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "new model: %.1f %% of %d objects right, macro-F1 %.3f", 100*v.New.Accuracy, v.New.Rows, v.New.MacroF1)
	if v.Present != nil {
		fmt.Fprintf(&b, "; present model: %.1f %%, macro-F1 %.3f", 100*v.Present.Accuracy, v.Present.MacroF1)
	}
	if len(v.Lost) > 0 {
		fmt.Fprintf(&b, "; no objects of the classes %s, which the present model knows", strings.Join(v.Lost, ", "))
	}
	return b.String()
}

// Validate cuts the blocks of the samples into five parts, trains from four, as Train does, and tells the classes of the fifth, each
// part once, and asks the present model too; nil: no model is present. Samples of fewer than five blocks are cut into as many parts.
// ErrSamples where a part leaves too little to train from.
func Validate(ctx context.Context, s *Samples, o Options, present *classifier.Model) (*Verdict, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	part := foldsOf(s.Blocks)
	classes := len(Classes())
	v := &Verdict{New: classifier.Score{Confusion: make([][]int, classes)}}
	for y := range v.New.Confusion {
		v.New.Confusion[y] = make([]int, classes)
	}
	o.Trees = min(o.Trees, foldTrees)
	count := 0
	for _, k := range part {
		count = max(count, k+1)
	}
	if err := s.checkFolds(part, count); err != nil {
		return nil, err
	}
	f := validation{s, o, part, count, v.New.Confusion}
	for k := range count {
		if err := f.fold(ctx, k); err != nil {
			return nil, err
		}
	}
	v.New.Sum()
	if present == nil {
		return v, nil
	}
	if _, err := present.OfSegments(); err != nil {
		return v, nil // it cannot be asked
	}
	score := classifier.Scored(present.Forest.Votes(s.Columns, nil), s.Labels, classes)
	v.Present = &score
	for y, n := range s.counts() {
		if n == 0 && present.Data.Counts[y] > 0 {
			v.Lost = append(v.Lost, present.Classes[y])
		}
	}
	return v, nil
}

// checkFolds refuses parts without which a model would not be one: what is left of the samples is of one class.
func (s *Samples) checkFolds(part []int, count int) error {
	for k := range count {
		seen := map[uint8]bool{}
		for r, p := range part {
			if p != k {
				seen[s.Labels[r]] = true
			}
		}
		if len(seen) < minClasses {
			return fmt.Errorf("%w: without part %d of %d the objects are of one class: known types have to lie in more places", ErrSamples,
				k+1, count)
		}
	}
	return nil
}

// validation is of samples that are parted.
type validation struct {
	*Samples
	o         Options
	part      []int // of each sample
	count     int
	confusion [][]int // by the type and what is told
}

// fold trains from all parts but one and counts what is told of that.
func (v *validation) fold(ctx context.Context, k int) error {
	o := v.o
	var train, test []int
	for r, p := range v.part {
		if p == k {
			test = append(test, r)
		} else {
			train = append(train, r)
		}
	}
	known := v.pick(train)
	d := known.dropped(o.Dropout, o.Seed)
	p := forest.Params{Trees: o.Trees, Depth: o.Depth, Leaf: o.Leaf, Balanced: true, Seed: o.Seed, Blocks: d.Blocks, Workers: o.Workers}
	if o.Progress != nil {
		p.Done = func(trees int) { o.Progress(k*o.Trees+trees, v.count*o.Trees) }
	}
	f, err := forest.Fit(ctx, d.Columns, d.Labels, len(Classes()), p)
	if err != nil {
		return err
	}
	held := v.pick(test)
	for y, row := range classifier.Scored(f.Forest.Votes(held.Columns, nil), held.Labels, len(Classes())).Confusion {
		for told, n := range row {
			v.confusion[y][told] += n
		}
	}
	return nil
}

// foldsOf gives each sample a part; samples of a block are in one. Blocks are dealt by their scattered numbers, so that neighbours
// in space are not of one part.
func foldsOf(blocks []int32) []int {
	order := slices.Compact(slices.Sorted(slices.Values(blocks)))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(mix(uint64(uint32(a))), mix(uint64(uint32(b)))) })
	n := min(folds, len(order))
	part := map[int32]int{}
	for i, b := range order {
		part[b] = i % n
	}
	out := make([]int, len(blocks))
	for r, b := range blocks {
		out[r] = part[b]
	}
	return out
}
