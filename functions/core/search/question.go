package search

import (
	"context"

	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// Question is what a lookup is asked.
type Question struct {
	Text    string
	Type    string // of the rows, "" any
	Limit   int
	Limited bool // the client chose the limit
}

// Place is a row of the lookup.
type Place = place

// LocationOf is the position of a row, nil where it is not known.
func LocationOf(p geom.Point) *location { return locationOf(p) }

// Lookup finds rows of the registers for a service with a lookup of its own. It is safe for concurrent use.
type Lookup struct{ names registers }

// Find gives the rows that answer a question, as /lookup of the cadastre orders them.
func (l *Lookup) Find(ctx context.Context, q Question) ([]Place, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	return l.names.of(v.Register()).lookUp(q)
}

// QuestionParams are the parameters of a lookup but for its type.
func QuestionParams() []endpoint.AnyParam {
	params := []endpoint.AnyParam{lookupText}
	for _, h := range shorthands {
		params = append(params, h.param)
	}
	return append(params, lookupMost)
}

// ReadQuestion reads what is searched for; typ is the value of type=, "" where it is not given.
func ReadQuestion(r *endpoint.Request, typ string) (Question, error) {
	var q *endpoint.Param[string]
	asked := Question{Type: typ, Limit: lookupMost.Of(r), Limited: lookupMost.Given(r)}
	if lookupText.Given(r) {
		q = lookupText
	}
	for _, h := range shorthands {
		if !h.param.Given(r) {
			continue
		}
		if q != nil {
			return asked, h.param.Clash(r, "one of q, kg, plz, gemeinde, ortschaft")
		}
		if typ != "" && typ != string(h.typ) {
			return asked, fault.Of(fault.Conflict, lookupType.Name(), typ, "no other type than that of "+h.param.Name())
		}
		q, asked.Type = h.param, string(h.typ)
	}
	if q == nil {
		return asked, fault.Of(fault.Missing, lookupText.Name(), "",
			"a name, a postal code or a code; or one of kg, plz, gemeinde, ortschaft")
	}
	asked.Text = q.Of(r)
	return asked, nil
}
