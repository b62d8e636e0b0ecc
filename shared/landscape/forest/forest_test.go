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
			v := at[y][i] + rng.NormFloat64()*1.5
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
