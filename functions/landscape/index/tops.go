package index

import (
	"context"
	"slices"

	"mappe/artefacts/landscape"
	"mappe/shared/geo/geom"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// topSchema is the row type of a list of the country: the KG before the thing.
func topSchema[T any](name, doc string, columns landscape.Columns[T]) *format.Schema[landscape.Top[T]] {
	code := format.Field[landscape.Top[T]]{Column: format.Column{Name: "kg_code", Doc: "KG that it stands in."},
		Get: func(t *landscape.Top[T]) format.Value { return format.String(string(t.KG)) }}
	return format.NewSchema(name, doc, format.Drawing[landscape.Top[T]]{}, append(format.Fields[landscape.Top[T]]{code},
		format.Lift(columns.Fields(), func(t *landscape.Top[T]) *T { return &t.Item })...))
}

var (
	topTreeRows   = topSchema("landscape_top_tree", "A tree of the country's highest.", landscape.TopTrees.Columns())
	topObjectRows = topSchema("landscape_top_object", "An object of the country's largest of its type.", landscape.TopObjects.Columns())
	topNewRows    = topSchema("landscape_top_new_building", "A new building of the country's largest.", landscape.TopNewBuildings.Columns())
	topInfraRows  = topSchema("landscape_top_infrastructure", "Infrastructure of the country's largest.",
		landscape.TopInfrastructure.Columns())
)

// placing is where a thing of a list stands, of which type it is and how sure that is.
type placing struct {
	at   geom.Point
	kind land.Type
	sure float64
}

// top is a list of the country: how it is stored, shown and credited.
type top[T any] struct {
	list *landscape.TopList[T]
	rows *format.Schema[landscape.Top[T]]
	made ways
	of   func(*T) placing
}

// The lists.
var (
	topTrees = top[landscape.Tree]{landscape.TopTrees, topTreeRows, noWays,
		func(t *landscape.Tree) placing { return placing{t.At, land.Tree, float64(t.Confidence)} }}
	topObjects = top[landscape.Segment]{landscape.TopObjects, topObjectRows, someWays,
		func(o *landscape.Segment) placing { return placing{o.At, o.Type, float64(o.Confidence)} }}
	topNew = top[landscape.NewBuilding]{landscape.TopNewBuildings, topNewRows, noWays,
		func(b *landscape.NewBuilding) placing { return placing{b.At, b.Type, float64(b.Confidence)} }}
	topInfra = top[landscape.Infrastructure]{landscape.TopInfrastructure, topInfraRows, allOfWays,
		func(i *landscape.Infrastructure) placing { return placing{i.At, i.Type, float64(i.Confidence)} }}
)

func (s *service) tops(ctx context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	switch qTop.Of(r) {
	case trees:
		if qType.Given(r) {
			return nil, qType.Clash(r, "top_features=objects, new_buildings or infrastructure beside it")
		}
		return topTrees.answer(ctx, c, r)
	case objects:
		if !qType.Given(r) {
			return nil, fault.Of(fault.Missing, "type", "", "a type of objects beside top_features=objects")
		}
		return topObjects.answer(ctx, c, r)
	case newBuildings:
		return topNew.answer(ctx, c, r)
	}
	return topInfra.answer(ctx, c, r)
}

// answer are the things of the list that a request asks for.
func (l *top[T]) answer(ctx context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	var all []landscape.Top[T]
	if c.parts != nil {
		var err error
		if all, err = section(ctx, c.parts, l.list.Section(typeOf(qType.Of(r))), l.list.Decode); err != nil {
			return nil, unread(ctx, "the list of the country", err)
		}
	}
	least := qMinSure.Of(r)
	passes := func(t *landscape.Top[T]) bool {
		p := l.of(&t.Item)
		return (!qBox.Given(r) || qBox.Of(r).Grid().Contains(p.at)) && (!qType.Given(r) || p.kind.String() == qType.Of(r)) &&
			(!qMinSure.Given(r) || p.sure >= least)
	}
	list := slices.DeleteFunc(slices.Clone(all), func(t landscape.Top[T]) bool { return !passes(&t) })
	return credited(ctx, c, page(r, l.rows, list, func(item, t *landscape.Top[T]) { *item = *t }), l.made)
}
