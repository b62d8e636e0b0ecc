package classifier

import "mappe/shared/landscape/forest"

// Model is a model that is read. It is not to be changed, and safe for concurrent use.
type Model struct {
	Header
	Forest  *forest.Forest
	ID      string // first 16 hex digits of the file's SHA-256
	explain func() *forest.Explainer
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
