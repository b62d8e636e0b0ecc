package search

import (
	"context"
	"slices"
	"strings"

	"mappe/functions/core/rows"
	"mappe/functions/core/searchindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
)

// searchIndex is the search directory of a request's generation.
type searchIndex struct{ *searchindex.Index }

// directoryOf opens the directory; nil where the generation has none, or a date is asked for.
func directoryOf(ctx context.Context, v *view.View) (*searchIndex, error) {
	x, err := searchindex.Of(ctx, v)
	if x == nil {
		return nil, err
	}
	return &searchIndex{x}, nil
}

// required is directoryOf for a search that nothing else answers.
func required(ctx context.Context, v *view.View) (*searchIndex, error) {
	x, err := searchindex.Required(ctx, v)
	return &searchIndex{x}, err
}

// numbered are how many parcels each KG of the head has whose number fits.
func (n *searchIndex) numbered(ctx context.Context, p numberPattern) ([]int32, error) {
	found := make([]int32, len(n.Head.KGs))
	count := func(kgs []uint32) {
		for _, kg := range kgs {
			found[kg]++
		}
	}
	if p.exact() {
		kgs, err := n.Having(ctx, austria.GNR(p))
		count(kgs)
		return found, err
	}
	prefix, _, _ := strings.Cut(string(p), "*")
	err := n.Beginning(ctx, prefix, func(number austria.GNR, kgs []uint32) {
		if p.matches(number) {
			count(kgs)
		}
	})
	return found, err
}

// over is a query over the KGs in which the directory found rows of a layer, and over those that it does not
// cover. hits counts the rows of each KG of the head; nil: none.
func (n *searchIndex) over(ctx context.Context, hits []int32, l rows.Layer) (*rows.Query, error) {
	counts := make(map[austria.KGCode]int, len(hits))
	codes := n.Uncovered()
	for kg, c := range hits {
		if c > 0 {
			code := n.Head.KGs[kg]
			counts[code] = int(c)
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	l.Hits = func(at *rows.Candidate) int {
		if c, ok := counts[at.Code]; ok {
			return c
		}
		return -1
	}
	q := &rows.Query{View: n.View, State: n.State, Layers: []rows.Layer{l}, Candidates: make([]rows.Candidate, 0, len(codes))}
	cold := view.WarmupBudget{}
	for _, code := range codes {
		switch k := n.View.Register().KG(code); {
		case k == nil:
			q.Named = append(q.Named, code)
		case k.Snapshot.Key != "":
			q.Candidates = append(q.Candidates, rows.Candidate{Code: code, KG: k})
		default:
			cold.Note(ctx, n.View, code, &q.Missing)
		}
	}
	return q, nil
}

// nationalNumbers is the query for the parcels of a number in the whole country; nil where there is no directory.
func nationalNumbers(ctx context.Context, v *view.View, p numberPattern) (*rows.Query, error) {
	n, err := directoryOf(ctx, v)
	if n == nil {
		return nil, err
	}
	found, err := n.numbered(ctx, p)
	if err != nil {
		return nil, err
	}
	return n.over(ctx, found, rows.Layer{Source: rows.Parcels(parcelRows.Record()), Match: numbered(p)})
}

// nationalBuilding is the query for the address point of an id; nil where there is no directory.
func nationalBuilding(ctx context.Context, v *view.View, id austria.BuildingID, l rows.Layer) (*rows.Query, error) {
	n, err := directoryOf(ctx, v)
	if n == nil {
		return nil, err
	}
	code, err := n.Building(ctx, id)
	if err != nil {
		return nil, err
	}
	if code != "" {
		q, err := over(ctx, v, []austria.KGCode{code}, l)
		if err == nil {
			q.State = n.State
		}
		return q, err
	}
	q, err := n.over(ctx, nil, l)
	return q, err
}
