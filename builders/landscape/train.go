package landscape

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/classifier"
	"mappe/shared/landscape/forest"
	"mappe/shared/landscape/segment"
)

// recipe names what in the program decides a model beside the samples and options.
const recipe = "classifier-1"

// Options of a training; Default has the published ones.
type Options struct {
	Trees, Depth, Leaf int
	Seed               uint64
	Dropout            float64 // share of the samples that each layer is missing from
	Workers            int     // goroutines; 0: one for each processor
	// Progress is told how many trees of how many are grown, by one goroutine at a time; nil: nobody is.
	Progress func(done, total int)
}

// Default are the usual options.
func Default() Options { return Options{Trees: 200, Depth: 20, Leaf: 5, Seed: 1, Dropout: 0.2} }

// The least that can be trained from.
const (
	minSamples = 50
	minBlocks  = 2
	minClasses = 2
	// pool is how many votes a knot of the calibration stands for, at least; fewer of small samples.
	pool = 200
	bars = 10
)

// ErrSamples is the error of samples that no model can be trained from.
var ErrSamples = errors.New("samples")

// Trained is a new model.
type Trained struct {
	Header classifier.Header
	Forest *forest.Forest
}

// Encode writes the model as a file.
func (t *Trained) Encode() ([]byte, error) { return classifier.Encode(t.Header, t.Forest) }

// check refuses samples that are too few, or whose columns, labels and blocks are not of the same objects.
func (s *Samples) check() error {
	if len(s.Blocks) != len(s.Labels) {
		return fmt.Errorf("%w: %d objects with %d blocks", ErrSamples, len(s.Labels), len(s.Blocks))
	}
	for i, c := range s.Columns {
		if len(c) != len(s.Labels) {
			return fmt.Errorf("%w: %d objects with %d values of figure %d", ErrSamples, len(s.Labels), len(c), i)
		}
	}
	for r, y := range s.Labels {
		if int(y) >= len(Classes()) {
			return fmt.Errorf("%w: object %d is of class %d of %d", ErrSamples, r, y, len(Classes()))
		}
	}
	classes := 0
	for _, n := range s.counts() {
		if n > 0 {
			classes++
		}
	}
	switch {
	case len(s.Labels) < minSamples:
		return fmt.Errorf("%w: %d objects of known types, at least %d are needed", ErrSamples, len(s.Labels), minSamples)
	case classes < minClasses:
		return fmt.Errorf("%w: all objects are of one class, at least %d are needed", ErrSamples, minClasses)
	case s.places() < minBlocks:
		return fmt.Errorf("%w: all objects lie in one place: what is right elsewhere could not be told", ErrSamples)
	}
	return nil
}

// Train grows a forest from samples, layers of which are left out at random, and calibrates it by the votes of the trees that
// have seen nothing of a sample's block.
func Train(ctx context.Context, s *Samples, o Options) (*Trained, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	p := forest.Params{Trees: o.Trees, Depth: o.Depth, Leaf: o.Leaf, Balanced: true, Seed: o.Seed, Blocks: s.Blocks, Workers: o.Workers}
	if o.Progress != nil {
		p.Done = func(trees int) { o.Progress(trees, o.Trees) }
	}
	names := classifier.ClassNames()
	d := s.dropped(o.Dropout, o.Seed)
	f, err := forest.Fit(ctx, d.Columns, d.Labels, len(names), p)
	if err != nil {
		return nil, err
	}
	h := classifier.Header{Features: featureNames(), FeaturesSum: classifier.FeaturesSum(), Classes: names, Importance: f.Importance,
		Fit: classifier.Fit{Trees: o.Trees, Depth: o.Depth, Leaf: o.Leaf, Features: root(segment.FeatureCount), Weights: "balanced",
			Bootstrap: "blocks", Seed: o.Seed, Recipe: recipe},
		Data:     classifier.Data{Source: s.Source, Sum: s.Sum(), Rows: len(s.Labels), Blocks: s.places(), Counts: s.counts()},
		OutOfBag: classifier.Scored(f.Votes, d.Labels, len(names)),
		Dropout:  classifier.Dropout{Share: o.Dropout}}
	for _, l := range Layers() {
		h.Dropout.Layers = append(h.Dropout.Layers, l.Name)
	}
	if h.Calibration, err = calibrate(f.Votes, d, len(names)); err != nil {
		return nil, err
	}
	return &Trained{h, f.Forest}, nil
}

func featureNames() []string {
	var out []string
	for _, m := range segment.Features {
		out = append(out, m.Name)
	}
	return out
}

// root is the square root of a number, rounded down.
func root(n int) int {
	r := 0
	for (r+1)*(r+1) <= n {
		r++
	}
	return r
}

// calibrate fits the curve to all votes; what is told of its error comes of two curves, each fitted to the votes of half of the
// blocks and held against the other half.
func calibrate(votes []uint32, s *Samples, classes int) (classifier.Calibration, error) {
	c := classifier.Calibration{Method: "isotonic", On: "out-of-bag votes of the chosen class; blocks are out of the bag as a whole",
		Least: segment.SureFrom}
	var all []forest.Case
	var halves [2][]forest.Case
	for r, y := range s.Labels {
		k, share := forest.Top(votes[r*classes : (r+1)*classes])
		if k < 0 {
			continue
		}
		x := forest.Case{Share: share, Right: k == int(y)}
		all = append(all, x)
		half := mix(uint64(uint32(s.Blocks[r]))) & 1
		halves[half] = append(halves[half], x)
	}
	least := min(pool, max(len(all)/20, 1))
	var err error
	if c.Curve, err = forest.Isotonic(all, least); err != nil {
		return c, fmt.Errorf("%w: no sample is out of the bag", ErrSamples)
	}
	var held []forest.Case
	for i := range halves {
		curve, err := forest.Isotonic(halves[i], least)
		if err != nil {
			continue // all blocks are in the other half
		}
		for _, x := range halves[1-i] {
			held = append(held, forest.Case{Share: curve.At(x.Share), Right: x.Right})
		}
	}
	c.Reliability, c.Error = forest.Reliability(held, bars)
	return c, nil
}
