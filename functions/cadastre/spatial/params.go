package spatial

import (
	"math"
	"slices"

	"mappe/artefacts/register"
	"mappe/functions/core/inarea"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
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
type layer = inarea.Layer

const (
	parcels    = inarea.Parcels
	buildings  = inarea.Buildings
	kgs        = inarea.KGs
	footprints = inarea.Footprints // of the viewport only
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
	west  = endpoint.Float("west", "Western edge of the box, degrees of longitude (WGS84).", endpoint.Required, endpoint.Alias("minlon"), endpoint.Between(-180, 180), endpoint.Example("13.27"))
	south = endpoint.Float("south", "Southern edge of the box, degrees of latitude (WGS84).", endpoint.Required, endpoint.Alias("minlat"), endpoint.Between(-90, 90), endpoint.Example("47.318"))
	east  = endpoint.Float("east", "Eastern edge of the box, degrees of longitude (WGS84).", endpoint.Required, endpoint.Alias("maxlon"), endpoint.Between(-180, 180), endpoint.Example("13.28"))
	north = endpoint.Float("north", "Northern edge of the box, degrees of latitude (WGS84).", endpoint.Required, endpoint.Alias("maxlat"), endpoint.Between(-90, 90), endpoint.Example("47.325"))

	lon = endpoint.Float("lon", "Longitude of the point, degrees (WGS84).", endpoint.Required, endpoint.Between(-180, 180), endpoint.Example("13.2742"))
	lat = endpoint.Float("lat", "Latitude of the point, degrees (WGS84).", endpoint.Required, endpoint.Between(-90, 90), endpoint.Example("47.3208"))

	buffer      = endpoint.Float("buffer", "Grows the search area by this distance on every side.", endpoint.Between(0, maxRadius), endpoint.Unit("m"), endpoint.Default("0"))
	radius      = endpoint.Float("radius", "Features up to this distance from the point.", endpoint.Between(0, maxRadius), endpoint.Unit("m"), endpoint.Default("100"))
	layers      = endpoint.EnumList("layers", "Layers of the answer: parcels, buildings (address points), kg. Singular names work too.", allLayers(), endpoint.Alias("layer"), endpoint.Default(string(parcels)), endpoint.Synonym("parcel", "parcels"), endpoint.Synonym("building", "buildings"), endpoint.Synonym("kgs", "kg"))
	rel         = endpoint.Enum("relation", "What a feature must have to do with the area: intersects takes features whose interior shares area with it, within those of which no part lies outside.", []relation{intersects, within}, endpoint.Default(string(intersects)))
	inKGs       = endpoint.ParsedList("kg", "Only what belongs to these KGs: codes, padded or not, separated by commas.", austria.ParseKGCode, endpoint.Example("99101"))
	inGemeinden = endpoint.ParsedList("gemeinde_code", "Only what belongs to KGs of these municipalities: 5-digit codes, separated by commas.", austria.ParseGemeindeCode, endpoint.Example("59902"))
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

// corners are the parameters of a box.
var corners = []endpoint.AnyParam{west, south, east, north}

// boxOf reads the box: west before east, south before north, on the grid of 1e-7 degrees.
func boxOf(r *endpoint.Request) (geom.Box, error) {
	w, s, e, n := west.Of(r), south.Of(r), east.Of(r), north.Of(r)
	if austria.Swapped(w, s) && austria.Swapped(e, n) {
		return geom.Box{}, west.Bad(r, "a longitude: west and south (and east and north) look swapped, "+austria.Where)
	}
	b := geom.Box{MinX: e7(w), MinY: e7(s), MaxX: e7(e), MaxY: e7(n)}
	switch {
	case b.MinX >= b.MaxX:
		return b, east.Bad(r, "a longitude east of west by at least 1e-7 degrees")
	case b.MinY >= b.MaxY:
		return b, north.Bad(r, "a latitude north of south by at least 1e-7 degrees")
	}
	return b, nil
}

// position reads the point.
func position(r *endpoint.Request) (geom.Point, error) {
	x, y := lon.Of(r), lat.Of(r)
	if austria.Swapped(x, y) {
		return geom.Point{}, lon.Bad(r, "a longitude: lon and lat look swapped, "+austria.Where)
	}
	return geom.Point{X: e7(x), Y: e7(y)}, nil
}

func e7(degrees float64) int32 { return int32(math.Round(degrees * geom.Scale)) }
