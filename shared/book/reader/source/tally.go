package source

// Tally counts the paragraphs, items and cells of a file against Limits.Blocks. What it counts may be made
// up by a file many times over, so a reader asks before it makes one.
type Tally struct{ count, limit int }

// NewTally begins to count.
func NewTally(l Limits) Tally { return Tally{limit: l.Blocks} }

// Add counts one more; false says that there is no room for it.
func (t *Tally) Add() bool {
	t.count = min(t.count, t.limit) + 1
	return t.count <= t.limit
}

// Full is the refusal of a file that has more than it may, nil of one that has not.
func (t *Tally) Full() error {
	if t.count <= t.limit {
		return nil
	}
	return tooMany(t.limit)
}

// TooMany is the refusal of a file that shows before it is read that it has more paragraphs than it may.
func TooMany(l Limits) error { return tooMany(l.Blocks) }

func tooMany(limit int) error {
	return Refuse(TooComplex, "The file has more than %d paragraphs and cells. Divide it into volumes.", limit)
}
