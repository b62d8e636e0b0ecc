package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"mappe/artefacts/landscape"
	protected "mappe/artefacts/overlays"
	"mappe/functions/core/generation"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/view"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// worthOrder is what parcels are ranked by, the greatest first.
type worthOrder string

const (
	byScore      worthOrder = "conservation_score"
	byParcelArea worthOrder = "area"
	byNDVI       worthOrder = "ndvi"
	byCanopy     worthOrder = "tree_canopy"
	byGreen      worthOrder = "vegetated_fraction"
)

// orderColumns are the columns of the orders that are one.
var orderColumns = map[worthOrder]string{byParcelArea: "area_sqm", byNDVI: "ndvi_mean", byCanopy: "tree_canopy_sqm",
	byGreen: "vegetated_fraction"}

var (
	nArea = endpoint.String("protected_area",
		"Only parcels whose centroid lies in a protected area with this text in its name, in any spelling.", endpoint.Between(2, 200),
		endpoint.Example("Lorfach"))
	nGreen = endpoint.Float("min_vegetated_fraction", "Only parcels of which at least this share is under vegetation.",
		endpoint.Between(0, 1))
	nNDVI   = endpoint.Float("min_ndvi", "Only parcels whose mean vegetation index is at least this.", endpoint.Between(-1, 1))
	nCanopy = endpoint.Float("min_tree_canopy_sqm", "Only parcels with at least this area of crowns.", endpoint.Unit("m²"),
		endpoint.Between(0, 1e9))
	nLeast = endpoint.Float("min_area_sqm", "As min_area.", endpoint.Unit("m²"), endpoint.Between(0, 1e12))
	nMost  = endpoint.Float("max_area_sqm", "As max_area.", endpoint.Unit("m²"), endpoint.Between(0, 1e12))
	nSort  = endpoint.Enum("sort", "What parcels are ranked by, the greatest first; those alike stand by KG and number.",
		[]worthOrder{byScore, byParcelArea, byNDVI, byCanopy, byGreen}, endpoint.Default("conservation_score"))
	nTotal = endpoint.Bool("with_total", "true reads all KGs, so that total is a number in every answer.", endpoint.Default("false"))
)

// ranked is a parcel that may stand on the page, with what protects it.
type ranked struct {
	found
	by protection
}

// maxRanked is how many parcels a ranking holds: its pages end there.
const maxRanked = 100_000

// rankedRows are surveyed parcels with their score.
var rankedRows = surveyRows.Named("landscape_ranked_parcel", "A parcel with its conservation score.").With(
	figure("conservation_score", "", 1, "0 to 100.", func(s *surveyed) float64 { return s.score.Score }),
	nested("conservation", "The parts of the score.", func(s *surveyed) scoreBody { return s.score }),
	flagOfRow("in_protected_area", "The centroid lies in a protected area.", func(s *surveyed) bool { return s.by.inside }),
	flagOfRow("near_protected_area", "It lies outside all, within 500 m of one.", func(s *surveyed) bool { return s.by.near }),
)

func flagOfRow[T any](name, doc string, get func(*T) bool) format.Field[T] {
	return format.Field[T]{Column: format.Column{Name: name, Type: format.TypeBool, Doc: doc}, Get: func(t *T) format.Value {
		return format.Bool(get(t))
	}}
}

const natureDoc = `Parcels of KGs that were analysed, ranked by a conservation score of 0 to 100: legal protection 30; inside a protected area 20, within 500 m of
one 10; vegetation up to 20; vegetation index up to 15, reached at 0.8; canopy up to 15, by the logarithm of its area. KGs are read from the one whose
parcels may be worth most downwards, until none of the rest can stand on the page: kgs_read of kgs_matching. total is null unless all were read; with_total has them
read. kgs_not_analysed are KGs in the area whose parcels are not ranked. Pages end within the first 100,000.`

// natureBody is the shape of a ranking.
type natureBody struct {
	Total    *int           `json:"total" doc:"parcels that pass; null where not all KGs were read"`
	Matching int            `json:"kgs_matching" doc:"analysed KGs whose parcels may pass"`
	Read     int            `json:"kgs_read" doc:"of them, those that were read"`
	Unknown  int            `json:"kgs_not_analysed" doc:"KGs in the area that are not ranked"`
	Offset   int            `json:"offset"`
	Limit    int            `json:"limit"`
	Results  []endpoint.Row `json:"results"`
	Meta     batchMeta      `json:"meta"`
}

func (s *service) nature() endpoint.Endpoint {
	ps := []endpoint.AnyParam{pKG, cGemeinde, cDistrict, cState, cBox, nArea, nGreen, nNDVI, nCanopy, nLeast, nMost, nSort, nTotal}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/query/nature", ID: "query_nature", Tag: tag, Summary: "Parcels ranked by their conservation score",
		Doc:     natureDoc,
		Params:  slices.Concat(ps, parcelfilter.Params, parcelfilter.OverParams),
		Example: "/api/v1/query/nature?min_vegetated_fraction=0.5&limit=5",
		Answer: endpoint.Answer{Rows: []*format.RowType{rankedRows.RowType}, JSONOnly: true, Page: endpoint.Page{Default: 100, Max: 1000},
			Body: natureBody{}, Headers: view.ReadyHeaders},
		Serve: s.serveNature,
	}
}

// ranking finds the parcels that are worth most.
type ranking struct {
	*survey
	by     *landscape.Column[landscape.Parcel] // nil: the score
	areas  []protected.Area
	within bool  // parcels have to lie in one of named
	named  []int // of areas
	most   int   // hits that are kept
	whole  bool  // all KGs are read: of areas the cadastre says more than the ranges of the index do
	around map[string]*overlayindex.Surroundings

	list  []hit // candidates, those that may be worth most first
	hits  []ranked
	total int
	seen  int // of the list, those that were looked at
	read  int // of them, those whose parcels could be read
}

func (s *service) serveNature(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	u, err := s.survey(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := natureTests(r, u); err != nil {
		return nil, err
	}
	if r.Offset+r.Limit > maxRanked {
		return nil, fault.Of(fault.OutOfRange, "offset", strconv.Itoa(r.Offset),
			fmt.Sprintf("a page that ends within the first %d: name a smaller area", maxRanked))
	}
	k := &ranking{survey: u, most: r.Offset + r.Limit, whole: nTotal.Of(r) || nSort.Of(r) == byParcelArea,
		around: map[string]*overlayindex.Surroundings{}}
	if name := orderColumns[nSort.Of(r)]; name != "" {
		k.by = landscape.ParcelColumns.Find(name)
	}
	region, err := u.region(r)
	if err != nil {
		return nil, err
	}
	unknown := 0
	for _, h := range region {
		if !h.e.Processed {
			unknown++
		}
	}
	if err := k.prepare(ctx, r, region); err != nil {
		return nil, err
	}
	if err := k.run(ctx); err != nil {
		return nil, err
	}
	rows, err := k.page(ctx, r.Offset)
	if err != nil {
		return nil, err
	}
	var total any
	if k.seen == len(k.list) {
		total = k.total
	}
	return u.answer(r, rankedRows, []reply.Member{{Name: "total", Value: total}, {Name: "kgs_matching", Value: len(k.list)},
		{Name: "kgs_read", Value: k.read},
		{Name: "kgs_not_analysed", Value: unknown}}, rows), nil
}

// natureTests are the conditions of a request on parcels.
func natureTests(r *endpoint.Request, u *survey) error {
	u.land = []func(*landscape.Parcel) bool{func(*landscape.Parcel) bool { return true }} // only what was analysed is ranked
	for p, name := range map[*endpoint.Param[float64]]string{nGreen: "vegetated_fraction", nNDVI: "ndvi_mean",
		nCanopy: "tree_canopy_sqm"} {
		if p.Given(r) {
			u.land = append(u.land, atLeast(name, p.Of(r)))
		}
	}
	if nLeast.Given(r) {
		u.held.MinArea = max(u.held.MinArea, nLeast.Of(r))
	}
	if nMost.Given(r) {
		u.held.MaxArea = min(u.held.MaxArea, nMost.Of(r))
	}
	if u.held.MaxArea < u.held.MinArea {
		return fault.New(fault.Conflict, "the greatest area is below the least: no parcel can pass")
	}
	if cBox.Given(r) {
		box := cBox.Of(r).Grid()
		u.box = &box
	}
	return nil
}

// prepare finds the KGs that are candidates and bounds what a parcel of each can be worth.
func (k *ranking) prepare(ctx context.Context, r *endpoint.Request, region []hit) (err error) {
	if k.over.Has() {
		if k.areas, err = k.over.Areas(ctx); err != nil {
			return generation.FaultOf(ctx, "the protected areas", err)
		}
	}
	if nArea.Given(r) {
		k.within = true
		if k.over.Has() {
			if k.named, err = k.over.AreasNamed(ctx, nArea.Of(r)); err != nil {
				return generation.FaultOf(ctx, "the protected areas", err)
			}
		}
	}
	list, err := k.narrow(ctx, region)
	if err != nil {
		return err
	}
	if k.within {
		list = slices.DeleteFunc(list, func(h hit) bool {
			return !slices.ContainsFunc(k.named, func(i int) bool { return k.areas[i].Box.Intersects(h.e.BBox) })
		})
	}
	bounds, err := k.bounds(ctx, list)
	if err != nil {
		return err
	}
	for i := range list {
		list[i].value = bounds[i]
	}
	k.list = order(list, false, func(h *hit) float64 { return h.value })
	return nil
}

// bounds are what a parcel of each KG can be worth at most. A KG without any analysed parcel is worth nothing.
func (k *ranking) bounds(ctx context.Context, list []hit) ([]float64, error) {
	out := make([]float64, len(list))
	if k.c.parts == nil {
		return out, nil
	}
	ranges, err := section(ctx, k.c.parts, landscape.Land.RangeSection(), func(b []byte) ([]landscape.Range, int64, error) {
		return landscape.DecodeRanges(landscape.Land, b)
	})
	if err != nil {
		return nil, unread(ctx, "the ranges of parcels", err)
	}
	named := map[string]bool{}
	if k.over.Has() {
		index, err := k.over.Index(ctx)
		if err != nil {
			return nil, generation.FaultOf(ctx, "what lies over KGs", err)
		}
		for i := range index {
			named[string(index[i].Code)] = index[i].RefCount > 0
		}
	}
	worth, err := k.bestWorth(ctx)
	if err != nil {
		return nil, err
	}
	columns := landscape.Land.Columns.Numbers()
	of := make(map[string]*landscape.Range, len(ranges))
	for i := range ranges {
		of[string(ranges[i].Code)] = &ranges[i]
	}
	for i, h := range list {
		r := of[h.e.KGCode]
		if r == nil {
			continue
		}
		if k.by != nil {
			best := greatest(r, columns)
			out[i] = k.by.Number(&best)
			continue
		}
		sum, ok := worth[h.e.KGCode]
		if !ok {
			best := greatest(r, columns)
			sum = landscape.WorthOf(&best).Sum()
		}
		near := slices.ContainsFunc(k.areas, func(a protected.Area) bool { return a.Box.Intersects(crs.Grow(h.e.BBox, nearArea)) })
		out[i] = protection{known: true, legal: named[h.e.KGCode], inside: near}.score(sum)
	}
	return out, nil
}

// bestWorth is the greatest worth of a parcel in each KG; none of an index that does not say it.
func (k *ranking) bestWorth(ctx context.Context) (map[string]int, error) {
	return section(ctx, k.c.parts, landscape.WorthSection, func(b []byte) (map[string]int, int64, error) {
		list, cost, err := landscape.DecodeBest(b)
		if err != nil {
			return nil, 0, err
		}
		out := make(map[string]int, len(list))
		for _, b := range list {
			out[string(b.Code)] = b.Sum
		}
		return out, 3 * cost, nil
	})
}

// greatest is a parcel with the greatest value of each column, as none need have them together.
func greatest(r *landscape.Range, columns landscape.Columns[landscape.Parcel]) (best landscape.Parcel) {
	for n := range columns {
		if high := r.Bounds[n][1]; high == high {
			columns[n].SetNumber(&best, high)
		}
	}
	return best
}

// run reads KGs until none of the rest can stand on the page.
func (k *ranking) run(ctx context.Context) error {
	for size := 8; k.seen < len(k.list); size = min(size*2, together) {
		if k.settled(&k.list[k.seen]) {
			return nil
		}
		part := k.list[k.seen:min(k.seen+size, len(k.list))]
		at := k.seen
		number := make(map[*landscape.Entry]int, len(part))
		for i, h := range part {
			number[h.e] = at + i
		}
		if err := k.each(ctx, part, func(g *ground) error { return k.rank(ctx, g, number[g.e]) }); err != nil {
			return err
		}
		k.seen += len(part)
		k.keep()
	}
	return nil
}

// settled says whether nothing of a KG and of those behind it can stand on the page: parcels alike stand by KG, as KGs with the
// same bound do.
func (k *ranking) settled(next *hit) bool {
	if k.whole || len(k.hits) < k.most {
		return false
	}
	last := &k.hits[k.most-1]
	return cmp.Or(compare(last.value, next.value, false), cmp.Compare(k.list[last.kg].e.KGCode, next.e.KGCode)) < 0
}

// keep leaves the hits that may stand on the page, in their order.
func (k *ranking) keep() {
	slices.SortFunc(k.hits, func(a, b ranked) int {
		return cmp.Or(compare(a.value, b.value, false), cmp.Compare(k.list[a.kg].e.KGCode, k.list[b.kg].e.KGCode),
			cmp.Compare(a.row, b.row))
	})
	k.hits = k.hits[:min(k.most, len(k.hits))]
}

// rank adds the parcels of a KG.
func (k *ranking) rank(ctx context.Context, g *ground, kg int) error {
	k.read++
	all, err := k.near(ctx, k.meeting(g.e.BBox))
	if err != nil {
		return err
	}
	named := all
	if k.within {
		if named, err = k.near(ctx, k.namedAt(g.e.BBox)); err != nil {
			return err
		}
	}
	for row := range g.parcels {
		if !k.passes(g, row) {
			continue
		}
		p := g.parcels[row].Centroid
		if k.within && (named == nil || !named.Place(p).Within) {
			continue
		}
		by := protection{known: k.over.Has(), legal: protectedByLaw(g.over.KG, row)}
		if all != nil {
			at := all.Place(p)
			by.inside, by.near = at.Within, at.Near
		}
		value := conservation(g.of(row), by).Score
		if k.by != nil {
			value = g.number(k.by, row)
		}
		k.total++
		k.hits = append(k.hits, ranked{found{kg: kg, row: int32(row), value: value}, by})
	}
	return nil
}

// meeting are the areas whose box comes near a box.
func (k *ranking) meeting(box geom.Box) (out []int) {
	around := crs.Grow(box, nearArea)
	for i := range k.areas {
		if k.areas[i].Box.Intersects(around) {
			out = append(out, i)
		}
	}
	return out
}

// namedAt are the areas that are named and whose box meets a box.
func (k *ranking) namedAt(box geom.Box) (out []int) {
	for _, i := range k.named {
		if k.areas[i].Box.Intersects(box) {
			out = append(out, i)
		}
	}
	return out
}

// near prepares areas, once for the KGs that lie at the same ones; nil of none.
func (k *ranking) near(ctx context.Context, areas []int) (*overlayindex.Surroundings, error) {
	if len(areas) == 0 {
		return nil, nil
	}
	var name []byte
	for _, i := range areas {
		name = binary.AppendUvarint(name, uint64(i))
	}
	if s := k.around[string(name)]; s != nil {
		return s, nil
	}
	s, err := k.over.Around(ctx, areas, nearArea)
	if err != nil {
		return nil, generation.FaultOf(ctx, "the protected areas", err)
	}
	k.around[string(name)] = s
	return s, nil
}

// page reads the parcels of the page.
func (k *ranking) page(ctx context.Context, offset int) ([]surveyed, error) {
	hits := k.hits[min(offset, len(k.hits)):]
	page := make([]found, len(hits))
	for i := range hits {
		page[i] = hits[i].found
	}
	rows, err := k.rows(ctx, k.list, page)
	for i := range rows {
		s := &rows[i]
		s.by = hits[s.at].by
		s.score = conservation(s.land, s.by)
	}
	return rows, err
}
