package spatial

import (
	"context"
	"slices"

	"mappe/functions/core/drawn"
	"mappe/functions/core/landprices"
	"mappe/functions/core/overlays"
	"mappe/functions/core/rows"
	"mappe/functions/core/spatialquery"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// part is one of the parts of what is told of an area as a whole.
type part string

// The parts.
const (
	partParcels   part = "parcels"
	partUse       part = "landuse"
	partNatura    part = "natura2000"
	partProtected part = "protected_areas"
	partPrices    part = "prices"
	partBuildings part = "buildings"
	partAll       part = "all"
)

var included = endpoint.EnumList("include",
	"What is told of the area as a whole beside its rows, in the member area: parcels (their number and area in it, and overlap_sqm and overlap_pct in each row), landuse, natura2000, "+
		"protected_areas, prices, buildings, or all.", []part{partParcels, partUse, partNatura, partProtected, partPrices, partBuildings,
		partAll})

const partsDoc = `
include tells of the area as a whole, in the member area beside data, whatever filters and pages rows have: figures are of the part that lies in the
area (EPSG:3035), grown by buffer. Land use is that of the land-use areas and the footprints of the survey, else of the parcels in the share that lies in it; a
parcel, footprint or address point that lies in it in part counts. Prices are estimates of whole parcels, as /land_prices/parcel has them, from the
least to the highest with their median. At most 25 km² and 20,000 vertices. Of a batch each result has its area, of points and lines without
buffer none; at most 100 km² and 20,000 vertices together. fields takes overlap_sqm and overlap_pct together with include=parcels or all.
`

// The bounds of an area with parts: its vertices, and the edges and pairs of edges that are looked at for all overlaps, about a second.
const (
	maxPartVertices = 20_000
	maxPartPairs    = 60_000_000
)

// ground is an area of which parts are told.
type ground struct {
	parts  []part
	shape  geom.MultiPolygon
	search *spatialquery.Search
	cover  *geom.Cover
	sqm    float64
	left   *allowance
	year   int
}

// allowance is what the areas of a request may still take together: vertices, square metres, and the pairs of edges for their figures
// and, as many again, for their rows.
type allowance struct {
	vertices      int
	sqm           float64
	work, rowWork int64
}

// maxPartsM2 bounds the areas of a batch together.
const maxPartsM2 = 4 * drawn.MaxM2

func newAllowance() *allowance {
	return &allowance{vertices: maxPartVertices, sqm: maxPartsM2, work: maxPartPairs, rowWork: maxPartPairs}
}

// groundOf is the area of a request; nil where no parts are asked for.
func groundOf(ctx context.Context, r *endpoint.Request, d drawing, q *spatialquery.Search, left *allowance) (*ground, error) {
	if !included.Given(r) {
		return nil, nil
	}
	w := &ground{parts: included.Of(r), shape: d.shape.Polygons, left: left, year: landprices.Year.Of(r)}
	if metres := d.metres(r); metres > 0 {
		m, err := drawn.Grown(ctx, d.shape.Polygons, d.shape.Paths, metres)
		if err != nil {
			return nil, err
		}
		w.shape = m
	}
	if len(w.shape) == 0 {
		return nil, included.Clash(r, "an area: polygons, or lines and points with buffer")
	}
	n := w.shape.Vertices()
	if left.vertices -= n; left.vertices < 0 {
		return nil, fault.New(fault.TooLarge, "the area has %d vertices: at most %d together with include", maxPartVertices-left.vertices,
			maxPartVertices)
	}
	if err := overlays.TooLong(w.shape); err != nil {
		return nil, err
	}
	w.cover = overlays.CoverOf(w.shape)
	if w.sqm = w.cover.Area(); w.sqm > drawn.MaxM2 {
		return nil, fault.New(fault.TooLarge, "the area has %.2f km²: at most %.0f km² together with include", w.sqm/1e6, drawn.MaxM2/1e6)
	}
	if left.sqm -= w.sqm; left.sqm < 0 {
		return nil, fault.New(fault.TooLarge, "the areas have more than %.0f km² together: send fewer with include", maxPartsM2/1e6)
	}
	w.search = &spatialquery.Search{Area: region.Of(w.shape), In: q.In, Field: q.Field}
	return w, nil
}

// askedOverlap refuses to choose columns that rows do not have.
func askedOverlap(r *endpoint.Request) error {
	if included.Given(r) && slices.ContainsFunc(included.Of(r), func(p part) bool { return p == partParcels || p == partAll }) {
		return nil
	}
	for _, c := range overlays.ShareColumns {
		if slices.Contains(r.Fields, c.Name) {
			return fault.Of(fault.Conflict, "fields", c.Name, "include=parcels together with it")
		}
	}
	return nil
}

// has says whether a part is asked for.
func (w *ground) has(p part) bool {
	return w != nil && (slices.Contains(w.parts, p) || slices.Contains(w.parts, partAll))
}

// common is the area in m² that a geometry shares with the area; own is its whole area.
func (w *ground) common(m geom.MultiPolygon, box geom.Box, own float64) (float64, error) {
	sqm, ok := w.shares(&w.left.work).Sqm(m, box, own)
	if err := w.search.Area.Err(); err != nil || ok {
		return sqm, err
	}
	return 0, fault.New(fault.TooLarge, "the border of the area is too long together with include: expected a simpler area")
}

func (w *ground) shares(work *int64) *overlays.Shares {
	return &overlays.Shares{Area: w.search.Area, Cover: w.cover, Work: work}
}

// parcelShared describes rows of parcels of polygons.
var parcelShared = overlays.Described(parcelRows)

// source draws parcels with what of them lies in the area.
func (w *ground) source(r *endpoint.Request) rows.Source {
	schema := parcelRows
	if attrsOnly.Of(r) {
		schema = parcelPointRows
	}
	return w.shares(&w.left.rowWork).Source(schema)
}

// beside tells the parts as a member.
func (w *ground) beside(ctx context.Context, list *rows.Query) ([]reply.Member, error) {
	out, err := w.told(ctx, list)
	return []reply.Member{{Name: "area", Value: out}}, err
}

// told are the parts. What cannot be read is in the gaps of the list.
func (w *ground) told(ctx context.Context, list *rows.Query) (*areaBody, error) {
	out := &areaBody{AreaSqm: hundredths(w.sqm)}
	if err := w.over(ctx, list.View, out); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(w.parts, func(p part) bool { return p != partNatura && p != partProtected }) {
		if err := w.read(ctx, list, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// read walks over the KGs of the area.
func (w *ground) read(ctx context.Context, list *rows.Query, out *areaBody) error {
	t := newTally(w)
	if w.has(partPrices) && landprices.Published(list.View) {
		p, err := landprices.OpenPrices(ctx, list.View)
		if err != nil {
			return err
		}
		t.book = &p
	}
	within, err := w.search.Plan(ctx, list.View, []layer{parcels, buildings, footprints}, func(l spatialquery.Layer) rows.Source {
		if l == footprints {
			return rows.Footprints(footprintGeometryRows.Record())
		}
		return map[spatialquery.Layer]rows.Source{parcels: rows.Parcels(parcelRows.Record()),
			buildings: rows.Buildings(buildingRows.Record())}[l]
	})
	if err != nil {
		return err
	}
	for i := range within.Candidates {
		f, err := list.View.Read(ctx, within.Candidates[i].Code, &within.Missing)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		if err := t.add(f); err != nil {
			return w.search.Explain(err)
		}
	}
	list.Missing.Merge(within.Missing)
	t.tell(out)
	return nil
}
