// Package landscape trains the classifier of segments (artefacts/classifier) from objects of known types, says by validation in
// space whether it is better than another one, and makes it an artefact of the country. Who has objects of known types brings
// them: localdev/demo/lessons takes them from made-up scenes, localdev's command from polygons that a user has labelled.
//
// The same samples and options give the same file, on every machine.
package landscape

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"mappe/artefacts/classifier"
	"mappe/shared/landscape/segment"
)

// Samples are objects of known types.
type Samples struct {
	Source  string      // what they are, in a few words
	Columns [][]float32 // by segment.Features, then object; NaN where a figure is not known
	Labels  []uint8     // number of the class in Classes
	Blocks  []int32     // objects of a block are near each other: they are drawn and validated together
}

// Classes are what a model is taught, by their codes.
func Classes() []segment.Type { return segment.Learnable() }

// Add adds an object of a type; false where the type teaches no class.
func (s *Samples) Add(row *segment.Row, t segment.Type, block int32) bool {
	class := slices.Index(Classes(), t.Info().Learned)
	if class < 0 {
		return false
	}
	if s.Columns == nil {
		s.Columns = make([][]float32, segment.FeatureCount)
	}
	for i, v := range row {
		s.Columns[i] = append(s.Columns[i], v)
	}
	s.Labels, s.Blocks = append(s.Labels, uint8(class)), append(s.Blocks, block)
	return true
}

// Append adds the samples of others.
func (s *Samples) Append(other *Samples) {
	if other.Columns == nil {
		return
	}
	if s.Columns == nil {
		s.Columns = make([][]float32, segment.FeatureCount)
	}
	for i := range s.Columns {
		s.Columns[i] = append(s.Columns[i], other.Columns[i]...)
	}
	s.Labels, s.Blocks = append(s.Labels, other.Labels...), append(s.Blocks, other.Blocks...)
}

// Sum is the SHA-256 of the samples, 16 hex digits of it.
func (s *Samples) Sum() string {
	h := sha256.New()
	fmt.Fprintln(h, classifier.FeaturesSum(), len(s.Labels))
	var b [4]byte
	for _, c := range s.Columns {
		for _, v := range c {
			binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
			h.Write(b[:])
		}
	}
	h.Write(s.Labels)
	for _, v := range s.Blocks {
		binary.LittleEndian.PutUint32(b[:], uint32(v))
		h.Write(b[:])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// counts are the samples of each class.
func (s *Samples) counts() []int {
	out := make([]int, len(Classes()))
	for _, y := range s.Labels {
		out[y]++
	}
	return out
}

// places is how many blocks there are.
func (s *Samples) places() int {
	seen := map[int32]bool{}
	for _, b := range s.Blocks {
		seen[b] = true
	}
	return len(seen)
}

// pick is a copy of some of the samples.
func (s *Samples) pick(rows []int) *Samples {
	out := &Samples{Source: s.Source, Columns: make([][]float32, len(s.Columns)), Labels: make([]uint8, len(rows)),
		Blocks: make([]int32, len(rows))}
	for i, c := range s.Columns {
		out.Columns[i] = make([]float32, len(rows))
		for k, r := range rows {
			out.Columns[i][k] = c[r]
		}
	}
	for k, r := range rows {
		out.Labels[k], out.Blocks[k] = s.Labels[r], s.Blocks[r]
	}
	return out
}

// Layer is a layer that may be missing, with the figures that come of it.
type Layer struct {
	Name     string
	Features []int
}

// Layers are those that are left out of samples at random, and that accuracy is told without.
func Layers() []Layer {
	span := func(from, to int) (out []int) {
		for i := from; i <= to; i++ {
			out = append(out, i)
		}
		return out
	}
	return []Layer{
		{"heights", slices.Concat(span(segment.HeightMean, segment.EdgeStrength), span(segment.Elevation, segment.Curvature),
			span(segment.HeightChange, segment.Stability))},
		{"orthophoto", slices.Concat(span(segment.RedMean, segment.ExcessGreen), span(segment.Entropy, segment.Correlation))},
		{"ndvi", span(segment.HarmonicMean, segment.PhaseSin)},
		{"sar", span(segment.SARVV, segment.SARRatio)},
		{"earlier_scan", span(segment.HeightChange, segment.Stability)},
	}
}

// Without takes a layer from a sample: its figures are NaN, and what was made of it and another layer is made of the other.
func (s *Samples) Without(sample int, l Layer) {
	nan := float32(math.NaN())
	for _, i := range l.Features {
		s.Columns[i][sample] = nan
	}
	photo, year := s.Columns[segment.NDVIMean][sample], s.Columns[segment.HarmonicMean][sample]
	fused := &s.Columns[segment.NDVIFused][sample]
	switch {
	case photo != photo:
		*fused = year
	case year != year:
		*fused = photo
	}
}

// dropped is a copy of the samples from which each layer is missing in a share of them, drawn by a seed.
func (s *Samples) dropped(share float64, seed uint64) *Samples {
	all := make([]int, len(s.Labels))
	for i := range all {
		all[i] = i
	}
	out := s.pick(all)
	limit := uint64(share * (1 << 32))
	for k, l := range Layers() {
		for r := range out.Labels {
			if mix(seed^mix(uint64(k+1)<<40|uint64(r)))>>32 < limit {
				out.Without(r, l)
			}
		}
	}
	return out
}

// mix scatters the bits of a number (splitmix64, Steele et al. 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
