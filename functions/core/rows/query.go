package rows

import (
	"context"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Candidate is a KG that a query looks at. Whole says that every row of it is in the area that was asked for.
type Candidate struct {
	Code  austria.KGCode
	KG    *register.KG
	Whole bool
}

// Match appends the indexes of the rows of a KG that match, in the order of the answer.
type Match func(at *Candidate, f *kgfile.File, found []int32) ([]int32, error)

// Layer is one layer of an answer.
type Layer struct {
	Source Source
	// Match chooses rows; nil takes all.
	Match Match
	// Count gives the number of matching rows of a KG where it is known without reading the KG, which is where
	// every row of the layer matches and the register has their number; else -1. nil: never known.
	Count func(at *Candidate) int
	// Hits gives the number of matching rows of a KG where an index of the country has it, though not every row
	// of the KG matches; -1: not known. nil: never known. Match then chooses them when they stand on the page.
	Hits func(at *Candidate) int
	// External says that the rows are in no KG file: the source has them all, opened with nil.
	External bool
}

// known is the number of matching rows of a KG, as far as it is known without reading the KG.
func (l *Layer) known(at *Candidate) int {
	switch {
	case l.Hits != nil:
		return l.Hits(at)
	case l.Count != nil:
		return l.Count(at)
	}
	return -1
}

// matches are the matching rows of a KG in its file; all says that every one of n rows matches.
func (l *Layer) matches(at *Candidate, f *kgfile.File, found []int32) (rows []int32, n int, all bool, err error) {
	if l.Match == nil {
		n, err = l.Source.Open(f)
		return found, n, true, err
	}
	rows, err = l.Match(at, f, found)
	return rows, len(rows), false, err
}

// Where matches the rows of a table of KG files that pass:
//
//	rows.Where((*kgfile.File).Parcels, func(p *kgfile.Parcel) bool { return p.AreaSqm >= 1000 })
func Where[T any](table func(*kgfile.File) ([]T, error), passes func(*T) bool) Match {
	return func(_ *Candidate, f *kgfile.File, found []int32) ([]int32, error) {
		t, err := table(f)
		for i := range t {
			if passes(&t[i]) {
				found = append(found, int32(i))
			}
		}
		return found, err
	}
}

// Query is what a request asks for, found out once for its ETag and its answer. It belongs to one request.
type Query struct {
	View       *view.View
	Candidates []Candidate // what is looked at, in the order of the answer
	Layers     []Layer     // in the order of the answer
	// Named are KGs beyond the places that decide the answer.
	Named []austria.KGCode
	// State names what decides the answer beside KGs: an index of the country that it was found in. "": nothing.
	State string
	// Missing are the KGs that cannot be read, as far as is known.
	Missing view.Missing
	// NoGeometry says that rows in plain JSON carry no geometry, though their types have one.
	NoGeometry bool
	// ReadyBeside has the ready flag beside data too.
	ReadyBeside bool
	// Meta gives further members of meta. It is called when all places were looked at; nil: none.
	Meta func(q *Query) []reply.Member

	// Beside gives further members beside data and meta. It is called when all places were looked at; nil: none.
	Beside func(ctx context.Context, q *Query) ([]reply.Member, error)

	budget view.WarmupBudget
}

// Over is a query over these KGs. A code that the register does not have is a fault.
func Over(ctx context.Context, v *view.View, codes []austria.KGCode, layers ...Layer) (*Query, error) {
	q := &Query{View: v, Layers: layers}
	for _, code := range codes {
		if err := q.Look(ctx, Candidate{Code: code, KG: v.Register().KG(code)}); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// Look adds a KG to the query. A cold one goes to the gaps, and is asked to be loaded.
func (q *Query) Look(ctx context.Context, at Candidate) error {
	switch {
	case q.View.Warm(at.Code):
		q.Candidates = append(q.Candidates, at)
	case at.KG == nil && q.View.Register().KG(at.Code) == nil:
		return fault.Missed("KG", string(at.Code))
	default:
		q.budget.Note(ctx, q.View, at.Code, &q.Missing)
	}
	return nil
}

// Country adds all KGs of the country to the query. Those without a snapshot go to the gaps.
func (q *Query) Country(ctx context.Context) {
	q.View.Country(ctx, &q.Missing)
	reg := q.View.Register()
	for _, i := range reg.Built() {
		k := &reg.KGs()[i]
		q.Candidates = append(q.Candidates, Candidate{Code: k.Code, KG: k, Whole: true})
	}
}

// Reads is how many KG objects have to be read to know what matches.
func (q *Query) Reads() int {
	n := 0
	for i := range q.Candidates {
		for k := range q.Layers {
			if l := &q.Layers[k]; !l.External && l.known(&q.Candidates[i]) < 0 {
				n++
				break
			}
		}
	}
	return n
}

// Check refuses a query that reads too much.
func (q *Query) Check() error {
	if n := q.Reads(); n > view.MaxKGs {
		return fault.New(fault.TooLarge, "the request reaches into %d KGs that have to be read: expected at most %d", n, view.MaxKGs)
	}
	return nil
}

// Depends is what the answer's ETag derives from: the KGs that decide it and what lies over them. "" says that the answer is partial and
// has none.
func (q *Query) Depends(ctx context.Context) (string, error) {
	if !q.Missing.Ready() {
		return "", nil
	}
	codes := q.depends()
	over, err := overlayindex.Depends(ctx, q.View.View, codes)
	return q.State + q.View.Depends(codes) + over, err
}

// depends are the KGs whose state decides the answer.
func (q *Query) depends() []austria.KGCode {
	codes := make([]austria.KGCode, len(q.Candidates))
	for i := range q.Candidates {
		codes[i] = q.Candidates[i].Code
	}
	return append(codes, q.Named...)
}
