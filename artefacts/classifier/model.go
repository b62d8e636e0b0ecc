package classifier

import "mappe/shared/landscape/forest"

// Model is a model that is read. It is not to be changed, and safe for concurrent use.
type Model struct {
	Header
	Forest  *forest.Forest
	ID      string // first 16 hex digits of the file's SHA-256
	explain func() *forest.Explainer
}

// Decision is the class that the forest chooses for a row.
type Decision struct {
	Class      int     // of Header.Classes
	Share      float64 // of the votes
	Confidence float64 // the calibrated probability that the class is right
}

// Sure says whether the forest's choice stands; where it does not the rules decide.
func (m *Model) Sure(d Decision) bool { return d.Confidence >= m.Calibration.Least }

// Decide chooses the class of each row of some columns, which stand in the order of Header.Features; NaN where a value is not
// known.
func (m *Model) Decide(columns [][]float32) []Decision {
	k := m.Forest.Classes
	votes := m.Forest.Votes(columns, nil)
	out := make([]Decision, len(votes)/k)
	for r := range out {
		d := &out[r]
		d.Class, d.Share = forest.Top(votes[r*k : (r+1)*k])
		d.Confidence = m.Calibration.Curve.At(d.Share)
	}
	return out
}

// Reason is a feature that spoke for a class.
type Reason struct {
	Feature string   `json:"feature" doc:"name of the figure of the segment"`
	Value   *float64 `json:"value" doc:"its value; null where it is not known, which may speak for a class too"`
	Gain    float64  `json:"gain" doc:"by how much it raised the share of the votes, 0 to 1"`
}

// Why are the features that spoke most for a class of a row, at most so many, the strongest first.
func (m *Model) Why(row []float32, class, most int) []Reason {
	list := m.explain().Why(row, class, most)
	out := make([]Reason, len(list))
	for i, r := range list {
		out[i] = Reason{Feature: m.Features[r.Feature], Gain: r.Gain}
		if v := float64(row[r.Feature]); v-v == 0 {
			out[i].Value = &v
		}
	}
	return out
}

// Class is the number of a class by its name; -1 where the model does not know it.
func (m *Model) Class(name string) int {
	for i, c := range m.Classes {
		if c == name {
			return i
		}
	}
	return -1
}

// Memory is about what the model takes in bytes, with what Why makes of it.
func (m *Model) Memory() int64 {
	return m.Forest.Memory() + int64(2*len(m.Forest.Nodes)*m.Forest.Classes) + 1<<16
}
