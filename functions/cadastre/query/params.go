package query

import (
	"math"

	"mappe/functions/core/parcelfilter"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
)

// order is how rows are sorted.
type order string

const (
	areaDesc order = "area_desc"
	areaAsc  order = "area_asc"
	byNumber order = "gnr"
)

var (
	text   = endpoint.String("q", "Words of the name of a KG or its municipality in any usual spelling, codes of them, parcel numbers (123/4; 12* and .17 as in /search/gnr), a parcel id. All must fit: Lorfach 12/3 is that parcel of the KGs of Lorfach.", endpoint.Between(1, 200))
	status = endpoint.Parsed("status", "E: not in the boundary cadastre; G: in it.", austria.ParseStatus)
	folio  = endpoint.Int("ez", "Folio number (Einlagezahl), unique within a KG.", endpoint.Between(1, 1<<32-1))

	minLon = endpoint.Float("min_lon", "Western edge of a box; the centroid of the parcel lies in it. All four edges are needed.", endpoint.Alias("west", "minlon"), endpoint.Between(-180, 180), endpoint.Unit("°"))
	minLat = endpoint.Float("min_lat", "Southern edge of the box.", endpoint.Alias("south", "minlat"), endpoint.Between(-90, 90), endpoint.Unit("°"))
	maxLon = endpoint.Float("max_lon", "Eastern edge of the box.", endpoint.Alias("east", "maxlon"), endpoint.Between(-180, 180), endpoint.Unit("°"))
	maxLat = endpoint.Float("max_lat", "Northern edge of the box.", endpoint.Alias("north", "maxlat"), endpoint.Between(-90, 90), endpoint.Unit("°"))

	sorted    = endpoint.Enum("sort", "Order of the rows; parcels that are equal stand by their parcel id.", []order{areaDesc, areaAsc, byNumber}, endpoint.Default(string(areaDesc)))
	withStats = endpoint.Bool("with_stats", "true: statistics of any answer, computed for this request; false: none. Without it they come with every filter that names places (q, an area, ez, a box), but for filters on Natura 2000.")
	refresh   = endpoint.Bool("refresh", "true: statistics that would be a snapshot are computed now.", endpoint.Default("false"))
)

var boxParams = []*endpoint.Param[float64]{minLon, minLat, maxLon, maxLat}

// filter chooses parcels by their columns.
type filter struct {
	parcelfilter.Filter
	status uint8     // as columns.StatusCode; 0 any
	ez     uint32    // 0 any
	box    *geom.Box // of the centroid; nil any
	least  uint64    // area as in columns.Table.Areas; both bounds belong to it
	most   uint64
}

// filterOf reads the filter of a request; given says whether it names one at all.
func filterOf(r *endpoint.Request) (f filter, given bool, err error) {
	if f.Filter, err = parcelfilter.Of(r); err != nil {
		return f, false, err
	}
	f.least, f.most = bounds(f.MinArea, f.MaxArea)
	if status.Given(r) {
		f.status = statusCode(status.Of(r))
	}
	f.ez = uint32(folio.Of(r))
	f.box, err = boxOf(r)
	return f, parcelfilter.Given(r) || status.Given(r) || folio.Given(r) || f.box != nil, err
}

// bounds are areas as the columns hold them: the least one of at least low m² and the greatest of at most high.
func bounds(low, high float64) (least, most uint64) {
	most = math.MaxUint64
	if low > 0 {
		least = uint64(min(math.Floor(low*100), 1<<60))
		for float64(least)/100 < low {
			least++
		}
		least++
	}
	if !math.IsInf(high, 1) {
		most = uint64(min(math.Ceil(high*100), 1<<60))
		for most > 0 && float64(most)/100 > high {
			most--
		}
		most++
	}
	return least, most
}

// boxOf is the box of a request, nil where it names no edge.
func boxOf(r *endpoint.Request) (*geom.Box, error) {
	n := 0
	for _, p := range boxParams {
		if p.Given(r) {
			n++
		}
	}
	if n == 0 {
		return nil, nil
	}
	for _, p := range boxParams {
		if !p.Given(r) {
			return nil, p.Bad(r, "all four edges of the box: min_lon, min_lat, max_lon, max_lat")
		}
	}
	b := geom.Box{MinX: e7(minLon.Of(r)), MinY: e7(minLat.Of(r)), MaxX: e7(maxLon.Of(r)), MaxY: e7(maxLat.Of(r))}
	if b.MinX >= b.MaxX {
		return nil, maxLon.Bad(r, "a longitude east of min_lon by at least 1e-7 degrees")
	}
	if b.MinY >= b.MaxY {
		return nil, maxLat.Bad(r, "a latitude north of min_lat by at least 1e-7 degrees")
	}
	return &b, nil
}

func e7(degrees float64) int32 { return int32(math.Round(degrees * geom.Scale)) }
