package classifier

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"mappe/shared/landscape/forest"
)

// Header is what a file says of its model.
type Header struct {
	Format      int      `json:"format"`
	Features    []string `json:"features"`     // in the order of the columns
	FeaturesSum string   `json:"features_sum"` // Sum of what defines them: a program that computes other features refuses the model
	Classes     []string `json:"classes"`
	Fit         Fit      `json:"fit"`
	Data        Data     `json:"data"`
	// OutOfBag is how the forest did on rows that its trees had not seen.
	OutOfBag    Score       `json:"out_of_bag"`
	Importance  []float64   `json:"importance"` // of the features: share of the fall of the Gini impurity
	Calibration Calibration `json:"calibration"`
	Dropout     Dropout     `json:"layer_dropout"`
}

// Fit are the parameters of the fit.
type Fit struct {
	Trees     int    `json:"trees"`
	Depth     int    `json:"max_depth"`
	Leaf      int    `json:"min_leaf"`     // rows
	Features  int    `json:"max_features"` // looked at for a split
	Weights   string `json:"class_weights"`
	Bootstrap string `json:"bootstrap"` // what is drawn: rows or blocks
	Seed      uint64 `json:"seed"`
	Recipe    string `json:"recipe"` // names what in the program decides the result
}

// Data is what the forest was trained from.
type Data struct {
	Source string `json:"source"`
	Sum    string `json:"sum"` // of the rows
	Rows   int    `json:"rows"`
	Blocks int    `json:"blocks"` // places that are drawn and validated as one
	Counts []int  `json:"rows_by_class"`
}

// Score is how often a model was right.
type Score struct {
	Rows      int     `json:"rows"`
	Accuracy  float64 `json:"accuracy"`
	MacroF1   float64 `json:"macro_f1"`  // mean over the classes that occur
	Confusion [][]int `json:"confusion"` // by true, then by told class
}

// Calibration is how the share of votes of the class that was chosen becomes the probability that it is right.
type Calibration struct {
	Method string       `json:"method"`
	On     string       `json:"on"` // which votes
	Curve  forest.Curve `json:"curve"`
	// Error is the expected calibration error on votes that the curve was not fitted to, Reliability the bars it is made of.
	Error       float64        `json:"expected_error"`
	Reliability []forest.Point `json:"reliability"`
	// Least is the probability below which the rules decide.
	Least float64 `json:"least"`
}

// Dropout is what was left out of rows at random, so that a layer that is missing costs accuracy and not the answer.
type Dropout struct {
	Share  float64  `json:"share"`
	Layers []string `json:"layers"`
}

// Sum is the sum of what defines the features, such as their names, units and formulae.
func Sum(definitions []string) string {
	h := sha256.New()
	for _, d := range definitions {
		fmt.Fprintf(h, "%d %s\n", len(d), d)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Scored counts votes of rows against their classes; rows without a vote are left out.
func Scored(votes []uint32, labels []uint8, classes int) Score {
	s := Score{Confusion: make([][]int, classes)}
	for y := range s.Confusion {
		s.Confusion[y] = make([]int, classes)
	}
	for r, y := range labels {
		if k, _ := forest.Top(votes[r*classes : (r+1)*classes]); k >= 0 {
			s.Confusion[y][k]++
		}
	}
	s.Sum()
	return s
}

// Sum fills in what the confusion says: rows, accuracy and macro-F1.
func (s *Score) Sum() {
	right, sum, occurring := 0, 0.0, 0
	s.Rows = 0
	for y, row := range s.Confusion {
		truth, told := 0, 0
		for k, n := range row {
			truth += n
			told += s.Confusion[k][y]
		}
		s.Rows += truth
		right += row[y]
		if truth > 0 {
			occurring++
			sum += 2 * float64(row[y]) / float64(truth+told)
		}
	}
	s.Accuracy, s.MacroF1 = float64(right)/float64(max(s.Rows, 1)), sum/float64(max(occurring, 1))
}

// check proves that a header fits the forest.
func (h *Header) check(f *forest.Forest) error {
	n, k := len(h.Features), len(h.Classes)
	switch {
	case h.Format < 1 || h.Format > Version:
		return fmt.Errorf("format %d, this program reads 1 to %d", h.Format, Version)
	case n != f.Features() || k != f.Classes || h.Fit.Trees != f.Trees():
		return fmt.Errorf("%d features, %d classes and %d trees are named, there are %d, %d and %d", n, k, h.Fit.Trees, f.Features(),
			f.Classes, f.Trees())
	case len(h.Importance) != n || len(h.Data.Counts) != k || len(h.OutOfBag.Confusion) != k:
		return fmt.Errorf("%d importances of %d features, %d counts and %d rows of confusion of %d classes", len(h.Importance), n,
			len(h.Data.Counts), len(h.OutOfBag.Confusion), k)
	case !(h.Calibration.Least >= 0 && h.Calibration.Least <= 1):
		return fmt.Errorf("the rules decide below %g", h.Calibration.Least)
	}
	for _, row := range h.OutOfBag.Confusion {
		if len(row) != k {
			return fmt.Errorf("a row of the confusion has %d classes, expected %d", len(row), k)
		}
	}
	for _, names := range [][]string{h.Features, h.Classes} {
		sorted := slices.Sorted(slices.Values(names))
		if slices.Contains(sorted, "") || len(slices.Compact(sorted)) != len(names) {
			return fmt.Errorf("names of features or classes are empty or not distinct")
		}
	}
	for _, v := range h.Importance {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("an importance of %g", v)
		}
	}
	return h.Calibration.Curve.Check()
}

func parseHeader(b []byte) (*Header, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	h := &Header{}
	if err := d.Decode(h); err != nil {
		return nil, err
	}
	if math.IsNaN(h.Calibration.Error) || len(h.Features) > forest.MaxFeatures || len(h.Classes) > forest.MaxClasses {
		return nil, fmt.Errorf("%d features and %d classes, at most %d and %d are read", len(h.Features), len(h.Classes),
			forest.MaxFeatures, forest.MaxClasses)
	}
	return h, nil
}
