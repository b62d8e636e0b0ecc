package spatial

import (
	"context"

	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// pointsShape is the shape of a body of points, for the description of the service.
type pointsShape struct {
	Points []struct {
		Lon float64 `json:"lon"`
		Lat float64 `json:"lat"`
		ID  any     `json:"id,omitempty"`
	} `json:"points"`
}

var (
	nearIn = endpoint.ParsedBody("{points: [{lon, lat, id?}] (1 to 1000), radius?: metres, layers?: [parcels, buildings], attrs_only?}",
		listBytes, pointsShape{}, readPointsBody).
		Carrying("", pointsBody.held, ownPoints...)
	pointLayers = endpoint.EnumList("layers", "Layers of the answer: parcels, buildings (address points). Singular names work too.",
		[]layer{parcels, buildings}, endpoint.Alias("layer"), endpoint.Default(string(parcels)), endpoint.Synonym("parcel", "parcels"),
		endpoint.Synonym("building", "buildings"))
)

// nearAnswer is the shape of the answer, for the description of the service.
type nearAnswer struct {
	Results []nearPoint `json:"results"`
	Meta    struct {
		Points   int      `json:"point_count"`
		Features int      `json:"total_features"`
		Radius   float64  `json:"radius_m"`
		Layers   []string `json:"layers"`
		view.GapsMeta
		StreamMeta
	} `json:"meta"`
}

type nearPoint struct {
	ID        any            `json:"id"`
	Lon       float64        `json:"lon"`
	Lat       float64        `json:"lat"`
	Parcels   []endpoint.Row `json:"parcels,omitempty"`
	Buildings []endpoint.Row `json:"buildings,omitempty"`
}

func pointPost() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/spatial/point", ID: "spatial_point_post", Tag: tag,
		Summary: "Features around each of up to 1,000 points",
		Doc: `{results: [{id, lon, lat, parcels[], buildings[]}], meta: {point_count, total_features, radius_m, layers, ready, kgs_warming}}.

Results in the order of the points; only the asked layers appear, empty ones as empty arrays; features nearest first, each with
distance_m, ties by KG code and order in the snapshot. The id of an item is the one given, else its number from 0. Rows carry
their polygons unless attrs_only=true; fields= chooses fields. More than 200,000 features in one answer are refused.
` + view.MissingDoc,
		Params: []endpoint.AnyParam{radius, pointLayers, attrsOnly},
		Body:   nearIn,
		Answer: endpoint.Answer{Rows: []*format.RowType{parcelNear.RowType, buildingPlainNear.RowType}, Body: nearAnswer{},
			Headers: view.ReadyHeaders, JSONOnly: true, Page: endpoint.Page{None: true}},
		Example:     "/api/v1/spatial/point",
		ExampleBody: `{"points":[{"lon":13.2742,"lat":47.3208}],"radius":50,"layers":["parcels","buildings"]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return nearAll(ctx, r)
		},
	}
}

func nearAll(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	points, layers := nearIn.Of(r).points, pointLayers.Of(r)
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	n := &near{v: v, radius: radius.Of(r), layers: layers, filter: parcelfilter.Any, budget: maxFeatures}
	all := nearPoints{points: points, layers: layers, ends: make([]int, len(points))}
	for i, p := range points {
		codes, err := n.reach(p.at)
		if err != nil {
			return nil, err
		}
		if all.found, err = n.around(ctx, p.at, codes, all.found); err != nil {
			return nil, err
		}
		all.ends[i] = len(all.found)
	}
	all.drawn = ranking{plain: true}.of(n)
	return n.gaps.MarkStream(&reply.Stream{
		Geometry: !attrsOnly.Of(r),
		Write:    func(j *format.JSON, l *format.Layout) error { return all.write(ctx, j, l) },
		Meta: []reply.Member{{Name: "point_count", Value: len(points)}, {Name: "total_features", Value: len(all.found)},
			{Name: "radius_m", Value: n.radius}, {Name: "layers", Value: layers}},
	}), nil
}

// nearPoints are the hits of many points.
type nearPoints struct {
	points []point
	layers []layer
	found  []rows.Hit
	ends   []int // the hits of point i are found[ends[i-1]:ends[i]]
	drawn  *rows.Ranking
}

func (n *nearPoints) write(ctx context.Context, j *format.JSON, l *format.Layout) error {
	j.Key("results")
	j.Array()
	start := 0
	var one []rows.Hit // of a point and layer
	for i, p := range n.points {
		j.Object()
		j.Key("id")
		j.Value(format.RawJSON(p.id))
		j.Key("lon")
		j.Value(format.Degrees(p.at.X))
		j.Key("lat")
		j.Value(format.Degrees(p.at.Y))
		for number, name := range n.layers {
			one = one[:0]
			for _, h := range n.found[start:n.ends[i]] {
				if int(h.Layer) == number {
					one = append(one, h)
				}
			}
			j.Key(string(name))
			if err := j.Rows(n.drawn.Rows(ctx, one), l); err != nil {
				return err
			}
		}
		j.EndObject()
		start = n.ends[i]
	}
	j.EndArray()
	return nil
}
