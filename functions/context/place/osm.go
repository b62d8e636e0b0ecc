package place

import (
	"context"
	"math"

	artefact "mappe/artefacts/proximity"
	"mappe/functions/core/proximity"
	"mappe/functions/core/view"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var noticeOSM = reply.Notice{License: proximity.License, LicenseURL: proximity.LicenseURL, Dataset: "OpenStreetMap"}

// osmBlock are the nearest features of a place; null where none was found.
type osmBlock struct {
	Road            *float64 `json:"dist_road_m"`
	RoadClass       *string  `json:"road_fclass"`
	RoadName        *string  `json:"road_name"`
	OnParcel        *bool    `json:"road_on_parcel,omitempty" doc:"dist_road_m is at most the radius of a circle of area_sqm; left out without area_sqm"`
	Major           *float64 `json:"dist_major_road_m"`
	MajorClass      *string  `json:"major_road_fclass"`
	MajorName       *string  `json:"major_road_name"`
	MajorRef        *string  `json:"major_road_ref"`
	Rail            *float64 `json:"dist_rail_m"`
	Transit         *float64 `json:"dist_transit_m"`
	TransitClass    *string  `json:"transit_fclass"`
	TransitName     *string  `json:"transit_name"`
	Station         *float64 `json:"dist_train_station_m"`
	StationName     *string  `json:"train_station_name"`
	Water           *float64 `json:"dist_water_m"`
	WaterClass      *string  `json:"water_fclass"`
	WaterName       *string  `json:"water_name"`
	Settlement      *float64 `json:"dist_settlement_m"`
	SettlementClass *string  `json:"settlement_fclass"`
	SettlementName  *string  `json:"settlement_name"`
	Remoteness      float64  `json:"remoteness"`
}

// osmBlockOf writes what was found; distances in steps of 0.1 m, remoteness in steps of 0.1.
func osmBlockOf(s *proximity.Surroundings, area float64) *osmBlock {
	b := &osmBlock{Remoteness: tenth(s.Remoteness())}
	for _, f := range []struct {
		hit              *artefact.Hit
		metres           **float64
		class, name, ref **string
	}{
		{&s.Road, &b.Road, &b.RoadClass, &b.RoadName, nil}, {&s.MajorRoad, &b.Major, &b.MajorClass, &b.MajorName, &b.MajorRef},
		{&s.Rail, &b.Rail, nil, nil, nil}, {&s.Stop, &b.Transit, &b.TransitClass, &b.TransitName, nil},
		{&s.Station, &b.Station, nil, &b.StationName, nil}, {&s.Water, &b.Water, &b.WaterClass, &b.WaterName, nil},
		{&s.Settlement, &b.Settlement, &b.SettlementClass, &b.SettlementName, nil},
	} {
		if !f.hit.Found() {
			continue
		}
		d := tenth(f.hit.Metres)
		*f.metres = &d
		for to, text := range map[**string]string{f.class: f.hit.Class.String(), f.name: f.hit.Name, f.ref: f.hit.Ref} {
			if to != nil && text != "" {
				*to = &text
			}
		}
	}
	if area > 0 {
		on := s.OnParcel(area)
		b.OnParcel = &on
	}
	return b
}

func tenth(v float64) float64 { return math.Round(v*10) / 10 }

func (q *question) osm(ctx context.Context) (any, string, error) {
	n, err := proximity.Of(ctx, q.v.View)
	if err != nil || n == nil {
		return nil, notPublished, err
	}
	s, err := n.At(ctx, q.at)
	if err != nil {
		return nil, "", err
	}
	q.attribution[osmName] = n.Attribution
	return osmBlockOf(s, q.area), "", nil
}

// openMap is the map of a request.
func openMap(ctx context.Context) (*proximity.Nearby, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	n, err := proximity.Of(ctx, v.View)
	if err == nil && n == nil {
		err = fault.New(fault.Unavailable, "the community map is not published in this generation of the data")
	}
	return n, err
}

// mapped is an answer of the map, which names its contributors.
func mapped(n *proximity.Nearby, body any) *reply.Stream {
	a := data(body)
	a.Attribution = n.Attribution
	return a
}

const osmDoc = `
From OpenStreetMap, under the ODbL: keep it apart from data under other licences, or share what is derived from both alike.`

func osmPoint() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/osm/point", ID: "osm_point",
		Summary: "Distances to the nearest road, railway, water, stop, station and settlement",
		Doc: `data holds distances in metres on the ellipsoid, in steps of 0.1 m, with class, name and ref of the nearest feature; null where none
was found within 36 km (roads, water) or 70 km (all else). Major roads are motorways to secondary roads with their links. Water is rivers, streams,
canals, drains, lakes, reservoirs and river banks; 0 in a lake. remoteness is 0 (central) to 100 (remote): road within 5 km 0.30, major road 20 km
0.15, stop 10 km 0.30, settlement 15 km 0.25, each by its distance, none found as 1. road_on_parcel needs area_sqm.` + osmDoc,
		Params: append(position.Params(), area),
		Answer: endpoint.Answer{Body: struct {
			Data osmBlock    `json:"data"`
			Meta licenceMeta `json:"meta"`
		}{}},
		Example: "/api/v1/osm/point?lon=13.2742&lat=47.3208&area_sqm=800",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			at, err := position.Of(r)
			if err != nil {
				return nil, err
			}
			n, err := openMap(ctx)
			if err != nil {
				return nil, err
			}
			s, err := n.At(ctx, at)
			if err != nil {
				return nil, err
			}
			return mapped(n, osmBlockOf(s, area.Of(r))), nil
		},
	}
}

type osmCounts struct {
	Date        *string                   `json:"import_date" doc:"day of the extract; null where it does not say it"`
	Attribution string                    `json:"attribution"`
	Total       int                       `json:"total"`
	Counts      map[string]map[string]int `json:"counts" doc:"features of the extract by category and class"`
}

func osmStats() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/osm/stats", ID: "osm_stats",
		Summary: "The community map in numbers",
		Doc:     `data {import_date, attribution, total, counts}: features of the extract by category and class, before they are cut into chunks.` + osmDoc,
		Answer: endpoint.Answer{Body: struct {
			Data osmCounts   `json:"data"`
			Meta licenceMeta `json:"meta"`
		}{}},
		Example: "/api/v1/osm/stats",
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			n, err := openMap(ctx)
			if err != nil {
				return nil, err
			}
			c := osmCounts{Attribution: n.Attribution, Counts: map[string]map[string]int{}}
			if n.Date != "" {
				c.Date = &n.Date
			}
			for _, cat := range artefact.AllCategories() {
				c.Counts[string(cat)] = map[string]int{}
			}
			for _, k := range artefact.AllClasses() {
				c.Counts[string(k.Category())][k.String()] = n.Counts[k]
				c.Total += n.Counts[k]
			}
			return mapped(n, c), nil
		},
	}
}

// The limits of osm/geometry.
const (
	maxSide      = 0.1 // degrees
	mostFeatures = 20_000
)

var (
	osmBox   = params.Box("At most 0.1 degrees wide and high:", endpoint.Required, endpoint.Example("13.26,47.31,13.29,47.33"))
	osmCat   = endpoint.EnumList("cat", "Only features of these categories.", artefact.AllCategories())
	osmMajor = endpoint.Enum("major", "1: of the roads only major ones.", []flagOne{"1"})
	osmLimit = endpoint.Int("limit", "Features in the answer at most.", endpoint.Between(1, mostFeatures), endpoint.Default("1000"))
)

// flagOne is the closed set of a flag that is either given or not.
type flagOne string

func osmGeometry() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/osm/geometry", ID: "osm_geometry",
		Summary: "Roads, railways, water, stops and settlements in a small box",
		Doc: `A GeoJSON FeatureCollection of the features whose bounding box meets the box. Lines have cat, fclass, name, ref, major; they are
chunks of at most 24 vertices that share their ends, borders of lakes among them. Points have cat, fclass, name, train_station, population. Order: by
cell of the map's grid, lines before points. meta.total counts all features in the box, meta.limit those that are given at most.` + osmDoc,
		Params:  []endpoint.AnyParam{osmBox, osmCat, osmMajor, osmLimit},
		Answer:  endpoint.Answer{Body: collectionShape{}, ContentType: "application/geo+json"},
		Example: "/api/v1/osm/geometry?bbox=13.26,47.31,13.29,47.33&cat=road,rail",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			n, err := openMap(ctx)
			if err != nil {
				return nil, err
			}
			set := artefact.OfCategory(artefact.AllCategories()...)
			if osmCat.Given(r) {
				set = artefact.OfCategory(osmCat.Of(r)...)
			}
			if osmMajor.Given(r) {
				set &^= artefact.SetOf(func(k artefact.Class) bool { return k.Category() == artefact.Road && !k.Major() })
			}
			if !osmBox.Of(r).Within(maxSide) {
				return nil, osmBox.Bad(r, "a box of at most 0.1 degrees wide and high")
			}
			found, err := n.In(ctx, osmBox.Of(r).Grid(), set)
			if err != nil {
				return nil, err
			}
			shown := found[:min(len(found), osmLimit.Of(r))]
			return &reply.Stream{
				ContentType: "application/geo+json", Attribution: n.Attribution,
				Meta: []reply.Member{{Name: "total", Value: len(found)}, {Name: "limit", Value: osmLimit.Of(r)}},
				Write: func(j *format.JSON, _ *format.Layout) error {
					j.Member("type", "FeatureCollection")
					j.Key("features")
					j.Array()
					for i := range shown {
						writeFeature(j, &shown[i])
					}
					j.EndArray()
					return j.Err()
				},
			}, nil
		},
	}
}

// The shapes of a FeatureCollection of the map, for the description of the service.
type (
	collectionShape struct {
		Type     string       `json:"type"`
		Features []mapFeature `json:"features"`
		Meta     mapMeta      `json:"meta"`
	}
	mapMeta struct {
		Total int `json:"total"`
		Limit int `json:"limit"`
		licenceMeta
	}
	mapFeature struct {
		Type       string        `json:"type"`
		Geometry   mapGeometry   `json:"geometry"`
		Properties mapProperties `json:"properties"`
	}
	mapGeometry struct {
		Type        string `json:"type"`
		Coordinates []any  `json:"coordinates"`
	}
	mapProperties struct {
		Cat        artefact.Category `json:"cat"`
		Class      string            `json:"fclass"`
		Name       *string           `json:"name"`
		Ref        *string           `json:"ref" required:"false" doc:"of lines"`
		Major      bool              `json:"major,omitempty" doc:"of lines"`
		Station    bool              `json:"train_station,omitempty" doc:"of points"`
		Population *int              `json:"population" required:"false" doc:"of points; null where not known"`
	}
)

func writeFeature(j *format.JSON, f *proximity.Feature) {
	class, name := artefact.Class(0), ""
	j.Object()
	j.Member("type", "Feature")
	j.Key("geometry")
	j.Object()
	j.Key("type")
	if f.Line != nil {
		class, name = f.Line.Class, f.Line.Name
		j.String("LineString")
		j.Key("coordinates")
		j.Array()
		for _, p := range f.Line.Vertices {
			writePosition(j, p)
		}
		j.EndArray()
	} else {
		class, name = f.Point.Class, f.Point.Name
		j.String("Point")
		j.Key("coordinates")
		writePosition(j, f.Point.At)
	}
	j.EndObject()
	j.Key("properties")
	j.Object()
	text := func(key, s string) {
		j.Key(key)
		j.Value(format.Text(s))
	}
	text("cat", string(class.Category()))
	text("fclass", class.String())
	text("name", name)
	if f.Line != nil {
		text("ref", f.Line.Ref)
		j.Key("major")
		j.Bool(class.Major())
	} else {
		j.Key("train_station")
		j.Bool(class.Trains())
		j.Key("population")
		if f.Point.Population < 0 {
			j.Null()
		} else {
			j.Int(f.Point.Population)
		}
	}
	j.EndObject()
	j.EndObject()
}

func writePosition(j *format.JSON, p geom.Point) {
	j.Array()
	j.Value(format.Degrees(p.X))
	j.Value(format.Degrees(p.Y))
	j.EndArray()
}
