package stac

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/geometry"
	"mappe/functions/core/lineage"
	"mappe/functions/core/spatialquery"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
)

// query is what a search asks for.
type query struct {
	area     *region.Area // nil: everywhere
	field    string       // the parameter that the area is of
	from, to time.Time    // both inclusive; zero: open
	ids      []itemID     // nil: all
	nothing  bool         // collections or ids that do not exist were asked for
	limit    int
	after    itemID // the last item of the page before; zero: from the start
}

// page is a page of items; more says that others follow.
type page struct {
	items []*item
	more  bool
}

// listsAtOnce is how many KGs' lists are looked at together, view.Width of them read at a time.
const listsAtOnce = 16

// run finds the items of a page.
func (q *query) run(ctx context.Context, v *view.View) (*page, error) {
	p := &page{}
	if q.nothing {
		return p, nil
	}
	kgs := q.kgs(v.Register())
	for from := 0; from < len(kgs) && len(p.items) <= q.limit; from += listsAtOnce {
		part := kgs[from:min(from+listsAtOnce, len(kgs))]
		lists, err := q.lists(ctx, v, part)
		if err != nil {
			return nil, err
		}
		for i, k := range part {
			q.add(p, k, lists[i], v.Register())
		}
	}
	if q.area != nil && q.area.Err() != nil {
		return nil, spatialquery.Fault(q.field, q.area.Err())
	}
	if len(p.items) > q.limit {
		p.items, p.more = p.items[:q.limit], true
	}
	return p, complete(ctx, v, p.items)
}

// kgs are those that can have items, by rising code: named, in the box of the area, not before the page.
func (q *query) kgs(reg *register.Register) []*register.KG {
	var codes []austria.KGCode
	switch {
	case q.ids != nil:
		for _, id := range q.ids {
			codes = append(codes, id.code)
		}
		slices.Sort(codes)
		codes = slices.Compact(codes)
	case q.area != nil:
		codes = reg.KGsInBox(q.area.Box())
	default:
		for i := range reg.KGs() {
			codes = append(codes, reg.KGs()[i].Code)
		}
	}
	var list []*register.KG
	for _, c := range codes {
		if k := reg.KG(c); k != nil && c >= q.after.code {
			list = append(list, k)
		}
	}
	return list
}

// lists reads the lists of KGs, empty ones for those outside the area.
func (q *query) lists(ctx context.Context, v *view.View, kgs []*register.KG) ([]rowschema.Versions, error) {
	lists := make([]rowschema.Versions, len(kgs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(view.Width)
	for i, k := range kgs {
		if !q.meets(outlineOf(v.Register(), k)) { // an area serves one goroutine
			continue
		}
		g.Go(func() (err error) {
			lists[i], err = lineage.Snapshots(ctx, v, k)
			return err
		})
	}
	return lists, g.Wait()
}

// outlineOf is the outline of a KG, its box where none is known, nil without either.
func outlineOf(reg *register.Register, k *register.KG) geom.MultiPolygon {
	if m := reg.Outline(k.Code); len(m) > 0 {
		return m
	}
	if k.Box.Empty() {
		return nil
	}
	return geom.MultiPolygon{{geometry.Ring(k.Box)}}
}

func (q *query) meets(outline geom.MultiPolygon) bool {
	return q.area == nil || len(outline) > 0 && q.area.Overlaps(outline, outline.Bounds())
}

// add adds those of a KG's snapshots that are asked for.
func (q *query) add(p *page, k *register.KG, list rowschema.Versions, reg *register.Register) {
	dated := lineage.Dated(list)
	var outline geom.MultiPolygon
	for i, s := range dated {
		id := itemID{k.Code, s.Date}
		if len(p.items) > q.limit || !q.wants(id) {
			continue
		}
		if outline == nil {
			outline = outlineOf(reg, k)
		}
		it := &item{Version: s, kg: k, outline: outline, latest: list.Latest}
		if i > 0 {
			it.newer = dated[i-1].Date
		}
		if i+1 < len(dated) {
			it.older = dated[i+1].Date
		}
		p.items = append(p.items, it)
	}
}

// wants says whether an item of the area is asked for and stands behind the page before.
func (q *query) wants(id itemID) bool {
	if q.after.code != "" && !q.after.before(id) {
		return false
	}
	if q.ids != nil && !slices.Contains(q.ids, id) {
		return false
	}
	at, err := time.Parse(time.DateOnly, id.date)
	return err == nil && (q.from.IsZero() || !at.Before(q.from)) && (q.to.IsZero() || !at.After(q.to))
}
