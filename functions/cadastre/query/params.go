package query

import (
	"math"

	"mappe/functions/core/parcelfilter"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/params"
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

	sides = params.MinMax("of a box that holds the centroid of the parcel; all four edges are needed")

	sorted = endpoint.Enum("sort", "Order of the rows; parcels that are equal stand by their parcel id.",
		[]order{areaDesc, areaAsc, byNumber}, endpoint.Default(string(areaDesc)))
	withStats = endpoint.Bool("with_stats",
		"true: statistics of any answer, computed for this request; false: none. Without it they come with every filter that names places (q, an area, ez, a box), but for filters on Natura 2000.")
	refresh = endpoint.Bool("refresh", "true: statistics that would be a snapshot are computed now.", endpoint.Default("false"))
)

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
	if !sides.Given(r) {
		return nil, nil
	}
	b, err := sides.Of(r)
	return &b, err
}
