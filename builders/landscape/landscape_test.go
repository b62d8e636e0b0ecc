package landscape

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/classifier"
	"mappe/artefacts/classifier/scenes"
	"mappe/artefacts/manifest"
	"mappe/builders/stage"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/landscape/segment"
)

// made are objects of some types in so many blocks, told apart by height and colour; blocks differ a little, as places do.
func made(seed uint64, blocks, each int, types ...segment.Type) *Samples {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &Samples{Source: "made up"}
	for b := range blocks {
		place := rng.NormFloat64() * 0.3
		for range each {
			t := types[rng.IntN(len(types))]
			var row segment.Row
			for i := range row {
				row[i] = float32(rng.NormFloat64())
			}
			for _, i := range []int{segment.HeightMean, segment.NDVIMean, segment.HarmonicMean} {
				row[i] += float32(float64(t%10)*0.9 + place)
			}
			s.Add(&row, t, int32(b))
		}
	}
	return s
}

func quick() Options {
	o := Default()
	o.Trees, o.Depth = 20, 8
	return o
}

func trained(t *testing.T, s *Samples) (*classifier.Model, []byte) {
	t.Helper()
	return grown(t, s, quick())
}

func grown(t *testing.T, s *Samples, o Options) (*classifier.Model, []byte) {
	t.Helper()
	m, err := Train(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	model, err := classifier.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return model, b
}

// A training gives the same file again, says what it was made of, and its confidences hold for places that it has not seen.
func TestTrain(t *testing.T) {
	s := made(1, 30, 40, segment.Tree, segment.Water, segment.Crop, segment.Hedge)
	o := quick()
	o.Trees = 120 // a sample is out of the bag of a third of them: of few trees their votes are more scattered than those of all
	m, b := grown(t, s, o)
	if _, again := grown(t, s, o); !bytes.Equal(b, again) {
		t.Error("the same samples give another file")
	}
	if m.Data.Rows != len(s.Labels) || m.Data.Blocks != 30 || m.Data.Counts[m.Class("shrub")] == 0 || m.Dropout.Share != 0.2 ||
		m.Calibration.Method != "isotonic" || m.Calibration.Least != 0.5 {
		t.Errorf("%+v %+v", m.Data, m.Calibration)
	}
	if m.OutOfBag.Accuracy < 0.5 || m.OutOfBag.Rows != len(s.Labels) || m.Calibration.Error > 0.08 {
		t.Errorf("out of the bag %+v, calibration error %g", m.OutOfBag.Accuracy, m.Calibration.Error)
	}
	of, err := m.OfSegments()
	if err != nil {
		t.Fatal(err)
	}
	fresh := made(2, 20, 40, segment.Tree, segment.Water, segment.Crop, segment.Hedge).dropped(0.2, 9)
	var rows [][]float32
	for r := range fresh.Labels {
		row := make([]float32, segment.FeatureCount)
		for i := range row {
			row[i] = fresh.Columns[i][r]
		}
		rows = append(rows, row)
	}
	right, sure := 0, 0.0
	for r, p := range of.Probabilities(rows) {
		best, sum := 0, 0.0
		for k, v := range p {
			sum += float64(v)
			if v > p[best] {
				best = k
			}
		}
		if sum > 1.0001 || of.Classes()[best] != segment.Learnable()[best] {
			t.Fatalf("probabilities %v", p)
		}
		if sure += float64(p[best]); best == int(fresh.Labels[r]) {
			right++
		}
	}
	n := float64(len(rows))
	if math.Abs(float64(right)/n-sure/n) > 0.08 || float64(right)/n < 0.45 {
		t.Errorf("%.3f right, mean confidence %.3f", float64(right)/n, sure/n)
	}
}

// A layer that is missing costs accuracy and not the answer, because the forest was grown without it too.
func TestMissingLayers(t *testing.T) {
	s := made(1, 30, 40, segment.Tree, segment.Water, segment.Crop)
	m, _ := trained(t, s)
	whole := classifier.Scored(m.Forest.Votes(s.Columns, nil), s.Labels, len(Classes())).Accuracy
	for _, l := range Layers() {
		bare := s.dropped(0, 1)
		for r := range bare.Labels {
			bare.Without(r, l)
		}
		for _, i := range l.Features {
			if v := bare.Columns[i][0]; v == v {
				t.Errorf("%s: figure %d is still there", l.Name, i)
			}
		}
		got := classifier.Scored(m.Forest.Votes(bare.Columns, nil), bare.Labels, len(Classes())).Accuracy
		if got > whole+0.01 || got < 0.45 {
			t.Errorf("without %s %.3f are right, %.3f with all layers", l.Name, got, whole)
		}
	}
	both := s.dropped(0, 1)
	for _, l := range Layers()[1:3] {
		both.Without(0, l)
	}
	if v := both.Columns[segment.NDVIFused][0]; v == v {
		t.Errorf("a vegetation index of %g without orthophoto and satellites", v)
	}
	dropped, rows := 0, s.dropped(0.2, 5)
	for _, v := range rows.Columns[segment.SARVV] {
		if v != v {
			dropped++
		}
	}
	if share := float64(dropped) / float64(len(rows.Labels)); math.Abs(share-0.2) > 0.04 {
		t.Errorf("radar is missing from %.3f of the samples", share)
	}
}

// The validation tells a better model from a worse one, and keeps places together.
func TestValidate(t *testing.T) {
	s := made(1, 20, 30, segment.Tree, segment.Water, segment.Crop)
	part := foldsOf(s.Blocks)
	seen := map[int]bool{}
	for r, k := range part {
		if seen[k] = true; k != part[r/30*30] {
			t.Fatalf("sample %d is of part %d, its block of %d", r, k, part[r/30*30])
		}
	}
	if len(seen) != folds {
		t.Errorf("%d parts", len(seen))
	}
	poor := made(3, 20, 30, segment.Tree, segment.Water, segment.Crop)
	rand.New(rand.NewPCG(9, 9)).Shuffle(len(poor.Labels), func(i, j int) {
		poor.Labels[i], poor.Labels[j] = poor.Labels[j],
			poor.Labels[i]
	})
	bad, _ := trained(t, poor)
	v, err := Validate(t.Context(), s, quick(), bad)
	if err != nil || !v.Better() || v.Present == nil || v.New.MacroF1 < v.Present.MacroF1+0.2 || v.New.Rows != len(s.Labels) {
		t.Errorf("%v, %v", v, err)
	}
	good, _ := trained(t, made(4, 40, 60, segment.Tree, segment.Water, segment.Crop))
	few := made(5, 4, 20, segment.Tree, segment.Water, segment.Crop)
	if v, err = Validate(t.Context(), few, quick(), good); err != nil || v.Better() {
		t.Errorf("four places beside forty: %v, %v", v, err)
	}
	some := made(6, 20, 30, segment.Tree, segment.Water)
	if v, err = Validate(t.Context(), some, quick(), good); err != nil || v.Better() || !strings.Contains(v.String(),
		"no objects of the classes crop") {
		t.Errorf("a class that is lost: %v, %v", v, err)
	}
	if v, err = Validate(t.Context(), some, quick(), nil); err != nil || !v.Better() {
		t.Errorf("without a present model: %v, %v", v, err)
	}
	for name, s := range map[string]*Samples{"one class": made(1, 20, 30, segment.Tree), "one place": made(1, 1, 300, segment.Tree,
		segment.Crop),
		"too few": made(1, 4, 5, segment.Tree, segment.Crop), "what no model learns": made(1, 20, 30, segment.Mast)} {
		if _, err := Train(t.Context(), s, quick()); !errors.Is(err, ErrSamples) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a part is told by is a forest as Train grows it, blocks drawn together, of the blocks of the other parts.
func TestValidationTrainsAsTraining(t *testing.T) {
	s := made(1, 8, 30, segment.Tree, segment.Water, segment.Crop)
	o := quick()
	v, err := Validate(t.Context(), s, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	part, right := foldsOf(s.Blocks), 0
	for k := range folds {
		var train, test []int
		for r, p := range part {
			if p == k {
				test = append(test, r)
			} else {
				train = append(train, r)
			}
		}
		m, err := Train(t.Context(), s.pick(train), o)
		if err != nil {
			t.Fatal(err)
		}
		held := s.pick(test)
		for r, c := range classifier.Scored(m.Forest.Votes(held.Columns, nil), held.Labels, len(Classes())).Confusion {
			for told, n := range c {
				if v.New.Confusion[r][told] -= n; r == told {
					right += n
				}
			}
		}
	}
	for y, row := range v.New.Confusion {
		for told, n := range row {
			if n != 0 {
				t.Errorf("class %d told as %d: %d more than by training", y, told, n)
			}
		}
	}
	if share := float64(right) / float64(len(s.Labels)); math.Abs(share-v.New.Accuracy) > 1e-9 || share < 0.5 {
		t.Errorf("%.3f right, %.3f are told", share, v.New.Accuracy)
	}
}

// Samples that are no table, or of which a part leaves one class, are refused.
func TestSamplesAreChecked(t *testing.T) {
	for name, change := range map[string]func(s *Samples){
		"blocks": func(s *Samples) { s.Blocks = s.Blocks[1:] }, "no blocks": func(s *Samples) { s.Blocks = nil },
		"columns": func(s *Samples) { s.Columns[5] = s.Columns[5][1:] }, "a class": func(s *Samples) { s.Labels[7] = 200 },
	} {
		s := made(1, 4, 30, segment.Tree, segment.Crop)
		change(s)
		if _, err := Validate(t.Context(), s, quick(), nil); !errors.Is(err, ErrSamples) {
			t.Errorf("%s: validated: %v", name, err)
		}
		if _, err := Train(t.Context(), s, quick()); !errors.Is(err, ErrSamples) {
			t.Errorf("%s: trained: %v", name, err)
		}
	}
	apart, other := made(1, 1, 60, segment.Tree), made(2, 1, 60, segment.Crop)
	for i := range other.Blocks {
		other.Blocks[i] = 1
	}
	apart.Append(other)
	if _, err := Validate(t.Context(), apart, quick(), nil); !errors.Is(err, ErrSamples) {
		t.Errorf("each class in a place of its own: %v", err)
	}
}

// The model of a raw source is an artefact; one that cannot be used is named.
func TestStage(t *testing.T) {
	s, err := Read(fstest.MapFS{SourceFile: {Data: scenes.Model()}})
	if err != nil {
		t.Fatal(err)
	}
	stages := Stages(s)
	if len(stages) != 1 || stages[0].Artefact != classifier.Artefact || !strings.Contains(stages[0].Recipe, s.Sum) {
		t.Fatalf("%+v", stages)
	}
	c := &stage.Country{Store: mem.New(), Made: manifest.Artefacts{}}
	o, err := stages[0].Make(t.Context(), c)
	if err != nil || o.Check() != nil || o.Bytes != int64(len(scenes.Model())) {
		t.Errorf("%+v, %v", o, err)
	}
	if none, err := Read(fstest.MapFS{}); none != nil || err != nil || Stages(none) != nil {
		t.Errorf("no model: %v, %v", none, err)
	}
	m, err := classifier.Decode(scenes.Model())
	if err != nil {
		t.Fatal(err)
	}
	h := m.Header
	h.FeaturesSum = "0"
	stale, err := classifier.Encode(h, m.Forest)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{"damaged": []byte("MAPPEPRT"), "of other figures": stale} {
		if _, err := Read(fstest.MapFS{SourceFile: {Data: body}}); !errors.Is(err, ErrModel) || !strings.HasPrefix(err.Error(),
			SourceFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The model that travels with the demo country was trained with the figures and classes that this program has; where this fails,
// go run ./localdev/demo/lessons/train trains it anew.
func TestTheKeptModelFits(t *testing.T) {
	m, err := classifier.Decode(scenes.Model())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.OfSegments(); err != nil {
		t.Error(err)
	}
	if m.Fit.Recipe != recipe || m.OutOfBag.MacroF1 < 0.75 || m.Calibration.Error > 0.05 || m.Data.Blocks < 10 {
		t.Errorf("%+v, macro-F1 %.3f, calibration error %.3f", m.Fit, m.OutOfBag.MacroF1, m.Calibration.Error)
	}
}
