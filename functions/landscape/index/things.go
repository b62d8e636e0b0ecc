package index

import (
	"encoding/json"
	"slices"
	"strconv"

	"mappe/artefacts/landscape"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

func shapes[T any](at func(*T) geom.Point, of func(*T) geom.MultiPolygon) format.Drawing[T] {
	return format.Drawing[T]{Point: at, Polygons: of, Multi: true}
}

// nested is a column whose value is JSON.
func nested[T, V any](name, doc string, get func(*T) V) format.Field[T] {
	var shape V
	return format.Field[T]{Column: format.Column{Name: name, Type: format.TypeJSON, Shape: shape, Doc: doc}, Get: func(t *T) format.Value {
		b, err := json.Marshal(get(t))
		if err != nil {
			return format.Null
		}
		return format.RawJSON(string(b))
	}}
}

type vertex struct {
	Lat    float64  `json:"lat"`
	Lon    float64  `json:"lon"`
	DTM    *float64 `json:"dtm_m"`
	Height *float64 `json:"obj_height_m,omitempty"`
}

func verticesOf(list []landscape.Vertex) []vertex {
	out := make([]vertex, len(list))
	for i, v := range list {
		out[i] = vertex{v.At.Lat(), v.At.Lon(), rounded(float64(v.DTM), 2), rounded(float64(v.Height), 2)}
	}
	return out
}

type areaShare struct {
	Area     *float64 `json:"area_sqm"`
	Fraction *float64 `json:"fraction"`
}

func sharesOf(list []landscape.Share) map[string]areaShare {
	out := map[string]areaShare{}
	for _, s := range list {
		out[s.Type.String()] = areaShare{rounded(s.AreaSqm, 1), rounded(s.Fraction, 4)}
	}
	return out
}

var buildingRows = format.NewSchema("landscape_building", "A building of the cadastre with its heights.",
	shapes(func(b *landscape.Building) geom.Point { return b.Centroid }, func(b *landscape.Building) geom.MultiPolygon {
		return b.Geometry
	}),
	append(landscape.Flat(landscape.BuildingColumns.Fields(), "centroid", "centroid_lon", "centroid_lat",
		func(b *landscape.Building) geom.Point { return b.Centroid }),
		nested("vertex_heights", "Corners with the terrain and the height of the object.", func(b *landscape.Building) []vertex {
			return verticesOf(b.Vertices)
		}),
		nested("segment_types", "Area by type of the segments on it.", func(b *landscape.Building) map[string]areaShare {
			return sharesOf(b.Types)
		}),
		nested("classification", "How sure the model is of those segments.", func(b *landscape.Building) []sureBody {
			return suresOf(b.Classification)
		})))

func (s *service) buildings() endpoint.Endpoint {
	return part[landscape.Building]{path: "buildings", body: listedBuildings{}, id: "landscape_kg_buildings",
		summary: "The buildings of a KG with their heights",
		doc:     "Footprints of the cadastre with what laser scans say of them, from the north-west.", layer: landscape.Buildings,
		rows: buildingRows,
		at:   func(b *landscape.Building) geom.Box { return boxOf(b.Geometry, b.Centroid) },
		page: endpoint.Page{Default: 500, Max: 5000}}.endpoint(s)
}

var newBuildingRows = format.NewSchema("landscape_new_building", "A building that the cadastre does not have.",
	shapes(func(b *landscape.NewBuilding) geom.Point { return b.At }, func(b *landscape.NewBuilding) geom.MultiPolygon {
		return b.Geometry
	}),
	landscape.Flat(landscape.NewBuildingColumns.Fields(), "at", "lon", "lat", func(b *landscape.NewBuilding) geom.Point { return b.At }))

func (s *service) newBuildings() endpoint.Endpoint {
	return part[landscape.NewBuilding]{path: "new_buildings", body: listedNewBuildings{}, id: "landscape_kg_new_buildings",
		summary: "Buildings of a KG that the cadastre does not have",
		doc:     "Detected buildings outside of footprints, from the north-west.", layer: landscape.NewBuildings, rows: newBuildingRows,
		at:   func(b *landscape.NewBuilding) geom.Box { return boxOf(b.Geometry, b.At) },
		page: endpoint.Page{Default: 500, Max: 5000}}.endpoint(s)
}

var infrastructureRows = format.NewSchema("landscape_infrastructure", "An object that carries traffic or energy.",
	shapes(func(i *landscape.Infrastructure) geom.Point { return i.At }, func(i *landscape.Infrastructure) geom.MultiPolygon {
		return i.Geometry
	}),
	landscape.Flat(landscape.InfrastructureColumns.Fields(), "at", "lon", "lat",
		func(i *landscape.Infrastructure) geom.Point { return i.At }))

func (s *service) infrastructure() endpoint.Endpoint {
	return part[landscape.Infrastructure]{path: "infrastructure", body: listedInfrastructure{}, id: "landscape_kg_infrastructure",
		summary: "The infrastructure of a KG",
		doc:     "Roads, parking places, bridges, masts and the like, from the north-west. Where the community map told ways the answer is under the ODbL.", ways: allOfWays, layer: landscape.Infrastructures, rows: infrastructureRows,
		at:   func(i *landscape.Infrastructure) geom.Box { return boxOf(i.Geometry, i.At) },
		page: endpoint.Page{Default: 500, Max: 5000}}.endpoint(s)
}

var segmentRowsOfKG = format.NewSchema("landscape_segment", "A part of the land that is one thing.",
	shapes(func(s *landscape.Segment) geom.Point { return s.At }, func(s *landscape.Segment) geom.MultiPolygon { return s.Geometry }),
	landscape.SegmentFields)

var segmentTypes = endpoint.EnumList("type", "Only these types, with commas between.", landscape.TypeNames())

func (s *service) segments() endpoint.Endpoint {
	return part[landscape.Segment]{path: "segments", body: listedSegments{}, id: "landscape_kg_segments",
		summary: "The objects that a KG was divided into",
		doc:     "Objects with what was measured of them, from the north-west. meta.infrastructure is the licence of the community map where it told ways.", ways: someWays, layer: landscape.Segments, rows: segmentRowsOfKG,
		at: func(s *landscape.Segment) geom.Box { return boxOf(s.Geometry, s.At) }, page: endpoint.Page{Default: 500, Max: 5000},
		params: []endpoint.AnyParam{segmentTypes}, passes: func(r *endpoint.Request) func(*landscape.Segment) bool {
			if !segmentTypes.Given(r) {
				return nil
			}
			names := segmentTypes.Of(r)
			return func(s *landscape.Segment) bool { return slices.Contains(names, s.Type.String()) }
		}}.endpoint(s)
}

// builtRows are buildings as the country is searched for them.
var builtRows = format.NewSchema("landscape_built", "A building by its heights.", format.Drawing[landscape.Top[landscape.Building]]{},
	append(format.Fields[landscape.Top[landscape.Building]]{{Column: format.Column{Name: "kg_code", Doc: "KG that it stands in."},
		Get: func(t *landscape.Top[landscape.Building]) format.Value { return format.String(string(t.KG)) }}},
		format.Lift(landscape.Flat(landscape.Built.Columns.Fields(), "centroid", "centroid_lon", "centroid_lat",
			func(b *landscape.Building) geom.Point { return b.Centroid }),
			func(t *landscape.Top[landscape.Building]) *landscape.Building { return &t.Item })...))

// topObject and topTree are compact arrays.
func compactObject(o landscape.TopObject) []any {
	made := 0
	if o.Type.Info().ManMade {
		made = 1
	}
	return []any{string(o.Type.Info().Letter), rounded(float64(o.HeightMax), 2), rounded(float64(o.HeightMean), 2),
		rounded(float64(o.AreaSqm), 0), o.At.Lon(), o.At.Lat(),
		rounded(float64(o.Confidence), 2), rounded(float64(o.RFConfidence), 2), made}
}

func compactTree(t landscape.TopTree) []any {
	var class any
	if t.Phenology != "" {
		class = t.Phenology
	}
	f := func(v float32, decimals int) *float64 { return rounded(float64(v), decimals) }
	return []any{f(t.HeightMax, 2), f(t.HeightMean, 2), f(t.P90, 2), f(t.AreaSqm, 0), t.At.Lon(), t.At.Lat(), f(t.NDVIMean, 3),
		f(t.NDVIFused, 3), f(t.HeightChange, 2), class,
		f(t.Confidence, 2), f(t.RFConfidence, 2)}
}

// lossOfParcel is the forest that a parcel lost.
type lossOfParcel struct {
	Total  *float64            `json:"total_pixels"`
	Recent *float64            `json:"recent_5yr_pixels"`
	Years  map[string]*float64 `json:"by_year"`
}

func heightName(i int) string {
	c := landscape.HeightClasses[i]
	if i == len(landscape.HeightClasses)-1 {
		return strconv.FormatFloat(c[0], 'f', -1, 64) + "+"
	}
	return strconv.FormatFloat(c[0], 'f', -1, 64) + "-" + strconv.FormatFloat(c[1], 'f', -1, 64)
}
