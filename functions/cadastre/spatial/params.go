package spatial

import (
	"slices"

	"mappe/artefacts/register"
	"mappe/functions/core/spatialquery"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/params"
)

// The bounds of the specification.
const (
	maxPoints   = 1000
	maxRadius   = 50_000 // m
	maxPolygons = 500
	maxIDs      = 5000
	maxViewport = 20_000
	maxFeatures = 200_000
	maxNear     = 2_000_000

	polygonBytes = 6 << 20
	listBytes    = 2 << 20
)

// layer is a kind of feature an answer can hold.
type layer = spatialquery.Layer

const (
	parcels    = spatialquery.Parcels
	buildings  = spatialquery.Buildings
	kgs        = spatialquery.KGs
	footprints = spatialquery.Footprints // of the viewport only
)

func allLayers() []layer { return []layer{parcels, buildings, kgs} }

// relation is what a feature must have to do with the search area.
type relation string

const (
	intersects relation = "intersects"
	within     relation = "within"
)

// The parameters that several endpoints share.
var (
	sides    = params.Edges("of the box", endpoint.Required)
	position = params.At("lon", "lat", "of the point", endpoint.Required)

	buffer = endpoint.Float("buffer", "Grows the search area by this distance on every side.", endpoint.Between(0, maxRadius),
		endpoint.Unit("m"), endpoint.Default("0"))
	radius = endpoint.Float("radius", "Features up to this distance from the point.", endpoint.Between(0, maxRadius),
		endpoint.Unit("m"), endpoint.Default("100"))
	layers = endpoint.EnumList("layers", "Layers of the answer: parcels, buildings (address points), kg. Singular names work too.",
		allLayers(), endpoint.Alias("layer"), endpoint.Default(string(parcels)), endpoint.Synonym("parcel", "parcels"),
		endpoint.Synonym("building", "buildings"), endpoint.Synonym("kgs", "kg"))
	rel = endpoint.Enum("relation",
		"What a feature must have to do with the area: intersects takes features whose interior shares area with it, within those of which no part lies outside.", []relation{intersects, within}, endpoint.Default(string(intersects)))
	inKGs       = params.KGs("kg", "Only what belongs to these KGs")
	inGemeinden = params.Gemeinden("gemeinde_code", "Only what belongs to KGs of these municipalities")
	attrsOnly   = endpoint.Bool("attrs_only", "true leaves the polygons out: positions are the centroids.", endpoint.Default("false"))
)

// owners are the parameters that choose KGs.
var owners = []endpoint.AnyParam{inKGs, inGemeinden}

// owned says which KGs a request chooses; nil where it chooses none.
func owned(r *endpoint.Request) func(*register.KG) bool {
	if !inKGs.Given(r) && !inGemeinden.Given(r) {
		return nil
	}
	codes, gemeinden := inKGs.Of(r), inGemeinden.Of(r)
	return func(k *register.KG) bool {
		return (!inKGs.Given(r) || slices.Contains(codes, k.Code)) && (!inGemeinden.Given(r) || slices.Contains(gemeinden, k.GemeindeCode))
	}
}
