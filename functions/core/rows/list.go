package rows

import (
	"context"

	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// Prepare turns a request into what is asked for. An error that is a fault is the answer.
type Prepare func(ctx context.Context, v *view.View, r *endpoint.Request) (*Query, error)

// List completes the declaration of an endpoint that lists rows of KGs: how it is served, what its ETag derives
// from, what it says of KGs that cannot be read, and the parameter version.
func List(e endpoint.Endpoint, prepare Prepare) endpoint.Endpoint {
	return view.Versioned(ListCurrent(e, prepare))
}

// ListCurrent is List without the parameter version, for what is found in an index of the served generation.
func ListCurrent(e endpoint.Endpoint, prepare Prepare) endpoint.Endpoint {
	e.Doc += view.MissingDoc
	if e.Answer.Meta == nil {
		e.Answer.Meta = view.GapsMeta{}
	}
	e.Answer.Headers = append(e.Answer.Headers, view.ReadyHeaders...)
	e.Depends = func(ctx context.Context, r *endpoint.Request) (string, error) { return depends(ctx, r, prepare) }
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) { return Answer(ctx, r, prepare) }
	return e
}

// prepared is the query of a request; Depends has it found out for Serve.
func prepared(ctx context.Context, r *endpoint.Request, prepare Prepare) (*Query, error) {
	if q, ok := r.Memo.(*Query); ok {
		return q, nil
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	q, err := prepare(ctx, v, r)
	if err != nil {
		return nil, err
	}
	return q, q.Check()
}

// depends is what an answer's ETag derives from: the KGs that decide it. A partial answer has none.
func depends(ctx context.Context, r *endpoint.Request, prepare Prepare) (string, error) {
	q, err := prepared(ctx, r, prepare)
	if err != nil {
		return "", err
	}
	r.Memo = q
	return q.Depends(ctx)
}

// Answer is the answer of a list, for an endpoint that is one only for some requests.
func Answer(ctx context.Context, r *endpoint.Request, prepare Prepare) (reply.Answer, error) {
	q, err := prepared(ctx, r, prepare)
	if err != nil {
		return nil, err
	}
	from, err := ParsePosition(r.Place)
	if err != nil {
		return nil, err
	}
	p := &Page{Offset: r.Offset, Limit: r.Limit, From: from, Fill: from != nil}
	rowTypes := make([]*format.RowType, len(q.Layers))
	for i := range q.Layers {
		rowTypes[i] = q.Layers[i].Source.RowType()
		if err := q.Collect(ctx, &q.Layers[i], p); err != nil {
			return nil, err
		}
	}
	a := &reply.Rows{Rows: p.Rows(ctx, q.View), Total: p.Total, Place: p.Next, RowTypes: rowTypes, Geometry: !q.NoGeometry}
	if q.Meta != nil {
		a.Meta = q.Meta(q)
	}
	if q.Beside != nil {
		if a.Members, err = q.Beside(ctx, q); err != nil {
			return nil, err
		}
	}
	if q.ReadyBeside {
		return q.Missing.MarkBeside(a), nil
	}
	return q.Missing.Mark(a), nil
}
