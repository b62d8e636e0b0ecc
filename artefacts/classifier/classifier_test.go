package classifier

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/internal/column/columntest"
	"mappe/artefacts/sectionfile"
	"mappe/shared/landscape/forest"
)

// model is a small one of three features and classes; the first feature is missing from some rows.
func model(t testing.TB) (Header, *forest.Fitted, [][]float32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 2))
	columns, labels := make([][]float32, 3), make([]uint8, 500)
	for r := range labels {
		labels[r] = uint8(r % 3)
		for i := range columns {
			v := float32(math.Round(rng.NormFloat64()*8)/8 + float64(r%3*i))
			if i == 0 && rng.IntN(4) == 0 {
				v = float32(math.NaN())
			}
			columns[i] = append(columns[i], v)
		}
	}
	f, err := forest.Fit(t.Context(), columns, labels, 3, forest.Params{Trees: 6, Depth: 6, Leaf: 5, Balanced: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	h := Header{Features: []string{"a", "b", "c"}, FeaturesSum: Sum([]string{"a", "b", "c"}), Classes: []string{"x", "y", "z"},
		Fit:  Fit{Trees: 6, Depth: 6, Leaf: 5, Features: 1, Weights: "balanced", Bootstrap: "rows", Seed: 1, Recipe: "test"},
		Data: Data{Source: "made up", Rows: 500, Blocks: 500, Counts: []int{167, 167, 166}}, OutOfBag: Scored(f.Votes, labels, 3),
		Importance: f.Importance, Calibration: Calibration{Method: "isotonic", Curve: forest.Curve{{Share: 0.4, Right: 0.3, Cases: 9},
			{Share: 0.9, Right: 0.95, Cases: 9}}, Least: 0.5},
		Dropout: Dropout{Share: 0.2, Layers: []string{"a"}}}
	return h, f, columns
}

func encoded(t testing.TB) []byte {
	h, f, _ := model(t)
	b, err := Encode(h, f.Forest)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What is read is what was written, and decides and explains alike.
func TestModelsComeBack(t *testing.T) {
	h, f, columns := model(t)
	b := encoded(t)
	if !bytes.Equal(b, encoded(t)) {
		t.Error("the same model has other bytes")
	}
	m, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Forest.Nodes, f.Nodes) || !slices.Equal(m.Forest.Shares, f.Shares) || !slices.Equal(m.Forest.Weights, f.Weights) ||
		!slices.Equal(m.Forest.Roots, f.Roots) || !slices.EqualFunc(m.Forest.Edges, f.Edges, slices.Equal) {
		t.Error("the forest comes back changed")
	}
	if m.FeaturesSum != h.FeaturesSum || m.OutOfBag.Accuracy != h.OutOfBag.Accuracy || !slices.Equal(m.Classes, h.Classes) ||
		len(m.ID) != 16 || m.Class("y") != 1 || m.Class("") != -1 {
		t.Errorf("the header comes back changed: %+v", m.Header)
	}
	if !slices.Equal(m.Forest.Votes(columns, nil), f.Forest.Votes(columns, nil)) || !reflect.DeepEqual(m.Calibration, h.Calibration) {
		t.Error("the model that comes back votes otherwise")
	}
	why := m.Why([]float32{float32(math.NaN()), 2, 4}, 2, 3)
	if len(why) == 0 || why[0].Feature != "c" || *why[0].Value != 4 || !(why[0].Gain > 0.1) {
		t.Errorf("reasons %+v", why)
	}
}

// The frozen file of version 1 opens for ever and decides as it did.
func TestFrozenFile(t *testing.T) {
	file := filepath.Join("testdata", "frozen", "v1.parts")
	b, err := os.ReadFile(file)
	if os.IsNotExist(err) && os.Getenv("MAPPE_FREEZE") != "" {
		b = encoded(t)
		_ = os.MkdirAll(filepath.Dir(file), 0o755)
		err = os.WriteFile(file, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	votes := m.Forest.Votes([][]float32{{0, float32(math.NaN())}, {1, 2}, {2, 4}}, nil)
	first, share := forest.Top(votes[:3])
	if second, _ := forest.Top(votes[3:]); first != 1 || second != 2 || math.Abs(share-frozenShare) > 1e-12 {
		t.Errorf("%v", votes)
	}
}

const frozenShare = 1160.0 / 1530

// Damaged files are refused with a sentence, whatever is damaged, and take no memory that their length does not justify.
func TestDamagedFiles(t *testing.T) {
	b := encoded(t)
	for i := 0; i < len(b); i += 7 {
		for _, damaged := range [][]byte{b[:i], append(append([]byte{}, b[:i]...), append([]byte{b[i] ^ 0x41}, b[i+1:]...)...)} {
			columntest.Bounded(t, len(damaged), func() {
				if _, err := Decode(damaged); err == nil {
					t.Errorf("a file damaged at byte %d of %d is read", i, len(b))
				}
			})
		}
	}
	h, f, _ := model(t)
	for name, change := range map[string]func(h *Header, f *forest.Forest){
		"a feature too much":    func(h *Header, _ *forest.Forest) { h.Features = append(h.Features, "d") },
		"two of a name":         func(h *Header, _ *forest.Forest) { h.Classes[1] = "x" },
		"no calibration":        func(h *Header, _ *forest.Forest) { h.Calibration.Curve = nil },
		"a falling calibration": func(h *Header, _ *forest.Forest) { h.Calibration.Curve[1].Right = 0.1 },
		"a wrong child":         func(_ *Header, f *forest.Forest) { f.Nodes[0].Right++ },
		"shares of 254":         func(_ *Header, f *forest.Forest) { f.Shares[0]-- },
		"a leaf without weight": func(_ *Header, f *forest.Forest) { f.Weights[1] = 0 },
		"edges that fall":       func(_ *Header, f *forest.Forest) { f.Edges[0] = []float32{2, 1} },
		"a feature beyond all":  func(_ *Header, f *forest.Forest) { f.Nodes[0].Feature = 3 },
		"a tree without nodes":  func(_ *Header, f *forest.Forest) { f.Roots[1] = 0 },
	} {
		h2, f2 := h, *f.Forest
		h2.Features, h2.Classes, h2.Calibration.Curve = slices.Clone(h.Features), slices.Clone(h.Classes), slices.Clone(h.Calibration.Curve)
		f2.Nodes, f2.Shares, f2.Weights, f2.Edges, f2.Roots = slices.Clone(f.Nodes), slices.Clone(f.Shares), slices.Clone(f.Weights),
			slices.Clone(f.Edges), slices.Clone(f.Roots)
		change(&h2, &f2)
		if _, err := Encode(h2, &f2); err == nil {
			t.Errorf("%s: it is written", name)
		} else if !strings.HasPrefix(err.Error(), "classifier: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzDecode: any bytes end in a model or an error; a model that is read can be asked, and is written to the same bytes.
func FuzzDecode(f *testing.F) {
	b := encoded(f)
	f.Add(b)
	f.Add(b[:100])
	// The head behind its checksums is what mutations seldom reach: it is changed before it is packed.
	f.Add([]byte(`{"format":1}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		files := [][]byte{in}
		if packed, err := sectionfile.Encode(Family, in, []sectionfile.Section{{Name: edgesSection, Body: in}, {Name: treeSection(0),
			Body: in}}); err == nil {
			files = append(files, packed)
		}
		if len(in) > 8 {
			at := int(binary.LittleEndian.Uint16(in)) % len(b)
			files = append(files, slices.Concat(b[:at], in[2:], b[min(at+len(in)-2, len(b)):]))
		}
		for _, file := range files {
			m, err := Decode(file)
			if err != nil {
				continue
			}
			columns := make([][]float32, len(m.Features))
			for i := range columns {
				columns[i] = []float32{0, 1e9, float32(math.NaN())}
			}
			m.Forest.Votes(columns, nil)
			m.Why(make([]float32, len(columns)), 0, 3)
			if again, err := Encode(m.Header, m.Forest); err != nil {
				t.Errorf("a model that was read is not written: %v", err)
			} else if _, err := Decode(again); err != nil {
				t.Errorf("a model that was written is not read: %v", err)
			}
		}
	})
}
