package search

import (
	"context"

	"mappe/artefacts/register"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
)

var kg = params.KG("kg", "Only this KG")

// over is a query over KGs that a client named. A code that the register does not have matches nothing; it
// decides the answer, which changes when the KG appears.
func over(ctx context.Context, v *view.View, codes []austria.KGCode, layers ...rows.Layer) (*rows.Query, error) {
	q := &rows.Query{View: v, Layers: layers}
	for _, code := range codes {
		k := v.Register().KG(code)
		if k == nil {
			q.Named = append(q.Named, code)
			continue
		}
		if err := q.Look(ctx, rows.Candidate{Code: code, KG: k}); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// counted gives the number of rows of a KG that all match, which the register knows of the served snapshot: it stands
// while the file cannot be read, too.
func counted(v *view.View, of func(*register.KG) int) func(*rows.Candidate) int {
	return func(at *rows.Candidate) int {
		if at.KG == nil || !v.Serves(at.Code) {
			return -1
		}
		return of(at.KG)
	}
}

// asked are the KG that kg= names, else all of a country that is small enough to look into each.
func asked(v *view.View, r *endpoint.Request) ([]austria.KGCode, error) {
	if kg.Given(r) {
		return []austria.KGCode{kg.Of(r)}, nil
	}
	return everywhere(v.Register())
}

// everywhere are all KGs, of a country that is small enough to look into each.
func everywhere(reg *register.Register) ([]austria.KGCode, error) {
	all := reg.KGs()
	if len(all) > view.MaxKGs {
		return nil, fault.New(fault.TooLarge,
			"the request reaches into all %d KGs: expected the parameter kg, or a country of at most %d KGs", len(all), view.MaxKGs)
	}
	codes := make([]austria.KGCode, len(all))
	for i := range all {
		codes[i] = all[i].Code
	}
	return codes, nil
}
