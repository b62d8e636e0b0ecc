package classifier

import (
	"fmt"

	"mappe/shared/landscape/forest"
	"mappe/shared/landscape/segment"
)

// FeaturesSum is the sum of what defines the figures of segments: a model that was trained with others is not used.
func FeaturesSum() string {
	var all []string
	for _, m := range segment.Features {
		all = append(all, m.Name, m.Unit, m.Formula)
	}
	return Sum(all)
}

// ClassNames are the names of the classes that segments are taught, by their codes.
func ClassNames() (out []string) {
	for _, t := range segment.Learnable() {
		out = append(out, t.String())
	}
	return out
}

// OfSegments tells the classes of segments by a model; it is a segment.Classifier, and safe for concurrent use.
type OfSegments struct {
	*Model
	types []segment.Type
}

// OfSegments makes the model one of segments. A model that was trained with other figures or classes than this program has is
// refused.
func (m *Model) OfSegments() (*OfSegments, error) {
	if sum := FeaturesSum(); m.FeaturesSum != sum || len(m.Features) != segment.FeatureCount {
		return nil, fmt.Errorf("classifier: the model %s was trained with other figures of segments (%s) than this program computes (%s): "+
			"train it anew", m.ID, m.FeaturesSum, sum)
	}
	o := &OfSegments{Model: m}
	names := ClassNames()
	for i, name := range m.Header.Classes {
		t, err := segment.ParseType(name)
		if err != nil || i >= len(names) || names[i] != name {
			return nil, fmt.Errorf("classifier: the model %s has other classes than this program", m.ID)
		}
		o.types = append(o.types, t)
	}
	if len(o.types) != len(names) {
		return nil, fmt.Errorf("classifier: the model %s has %d classes, this program %d", m.ID, len(o.types), len(names))
	}
	return o, nil
}

// Classes are those of Probabilities.
func (o *OfSegments) Classes() []segment.Type { return o.types }

// SureFrom is the probability from which the model decides.
func (o *OfSegments) SureFrom() float64 { return o.Calibration.Least }

// Probabilities gives of each row the calibrated probability of the class with the most votes; what is left of 1 the other classes
// have in proportion to their votes, none of them as much as the first.
func (o *OfSegments) Probabilities(rows [][]float32) [][]float32 {
	columns := make([][]float32, len(o.Features))
	for i := range columns {
		columns[i] = make([]float32, len(rows))
		for r, row := range rows {
			columns[i][r] = row[i]
		}
	}
	k := o.Forest.Classes
	votes := o.Forest.Votes(columns, nil)
	all := make([]float32, len(votes))
	out := make([][]float32, len(rows))
	for r := range rows {
		v := votes[r*k : (r+1)*k]
		p := all[r*k : (r+1)*k : (r+1)*k]
		class, share := forest.Top(v)
		sure := o.Calibration.Curve.At(share)
		sum := uint32(0)
		for _, n := range v {
			sum += n
		}
		for y, n := range v {
			if rest := sum - v[class]; y != class && rest > 0 {
				p[y] = float32(min(float64((1-sure)*float64(n))/float64(rest), float64(sure*0.99)))
			}
		}
		p[class] = float32(sure)
		out[r] = p
	}
	return out
}
