package spatial

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"

	"mappe/artefacts/register"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/rows"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// polygonBatch answers each of many polygons by itself.
type polygonBatch struct {
	v       *view.View
	r       *endpoint.Request
	body    polygonBody
	left    *allowance
	filter  parcelfilter.Filter
	in      func(*register.KG) bool
	sources map[layer]rows.Source
	pages   [][]rows.Page // of each polygon, per layer
	areas   []string      // of each polygon its area as JSON; "" without include
	total   int
	gaps    view.Missing
}

// answerBatch answers a batch. Matches are counted and kept as row numbers first, so that an answer that
// would be too large is refused before its first byte.
func answerBatch(ctx context.Context, r *endpoint.Request, body polygonBody) (reply.Answer, error) {
	if err := batchAsked(r); err != nil {
		return nil, err
	}
	f, err := parcelfilter.Of(r)
	if err != nil {
		return nil, err
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	b := &polygonBatch{v: v, r: r, body: body, left: newAllowance(), filter: f, in: owned(r),
		pages: make([][]rows.Page, len(body.batch)), areas: make([]string, len(body.batch)),
		sources: map[layer]rows.Source{parcels: rows.Parcels(parcelRows.Record()), buildings: rows.Buildings(buildingRows.Record())}}
	for i := range body.batch {
		if err := b.collect(ctx, i); err != nil {
			return nil, err
		}
	}
	return b.gaps.MarkStream(&reply.Stream{
		Geometry: !attrsOnly.Of(r),
		Write:    func(j *format.JSON, l *format.Layout) error { return b.write(ctx, j, l) },
		Meta: append([]reply.Member{{Name: "polygon_count", Value: len(b.pages)}, {Name: "total_features", Value: b.total},
			{Name: "layers", Value: body.layers}}, warned(body.told())...),
	}), nil
}

// batchAsked refuses parameters that a batch does not have.
func batchAsked(r *endpoint.Request) error {
	if err := r.OnlyJSON("json for a batch of polygons"); err != nil {
		return err
	}
	if layers.Given(r) {
		return layers.Clash(r, "layers in the body of a batch, not in the query")
	}
	if err := cmp.Or(notBoth(r), askedOverlap(r)); err != nil {
		return err
	}
	return r.NoPage("no limit, offset or cursor for a batch of polygons")
}

// collect finds the matches of polygon i.
func (b *polygonBatch) collect(ctx context.Context, i int) error {
	if b.body.batch[i].problem != "" {
		return nil
	}
	d := b.body.batch[i].drawing
	q := &spatialquery.Search{Area: d.shape.Area(d.metres(b.r)), Within: rel.Of(b.r) == within, Filter: b.filter, In: b.in,
		Field: "polygons[" + strconv.Itoa(i) + "]"}
	var w *ground
	if len(d.shape.Polygons) > 0 || d.metres(b.r) > 0 {
		var err error
		if w, err = groundOf(ctx, b.r, d, q, b.left); err != nil {
			return err
		}
	}
	list, err := q.Plan(ctx, b.v, b.body.layers, func(l spatialquery.Layer) rows.Source {
		if l == parcels && w.has(partParcels) {
			return w.source(b.r)
		}
		return b.sources[l]
	})
	if err != nil {
		return err
	}
	if w != nil {
		told, err := w.told(ctx, list)
		if err != nil {
			return err
		}
		text, err := json.Marshal(told)
		if err != nil {
			return err
		}
		b.areas[i] = string(text)
	}
	pages := make([]rows.Page, len(list.Layers))
	for k := range list.Layers {
		pages[k].Limit = maxFeatures
		if err := list.Collect(ctx, &list.Layers[k], &pages[k]); err != nil {
			return err
		}
		if b.total += pages[k].Total; b.total > maxFeatures {
			return fault.New(fault.TooLarge, "polygons 0 to %d hold more than %d features: send fewer or smaller polygons", i, maxFeatures)
		}
	}
	b.pages[i] = pages
	b.gaps.Merge(list.Missing) // after Collect, which finds files that are gone
	return nil
}

func (b *polygonBatch) write(ctx context.Context, j *format.JSON, l *format.Layout) error {
	j.Key("results")
	j.Array()
	for i := range b.pages {
		j.Object()
		j.Key("id")
		j.Value(format.RawJSON(b.body.batch[i].id))
		if problem := b.body.batch[i].problem; problem != "" {
			j.Key("error")
			j.String(problem)
			j.EndObject()
			continue
		}
		for n, name := range b.body.layers {
			j.Key(string(name))
			if err := j.Rows(b.pages[i][n].Rows(ctx, b.v), l); err != nil {
				return err
			}
		}
		if a := b.areas[i]; a != "" {
			j.Key("area")
			j.Value(format.RawJSON(a))
		}
		j.EndObject()
	}
	j.EndArray()
	return nil
}
