package index

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

const (
	maxBatch    = 1000 // parcels that a request names
	maxBatchKGs = 2000 // KGs that a request reads
)

// The filters on what analysis found on a parcel, and the order of parcels.
var (
	pAspect = endpoint.EnumList("pf_aspect", "Only parcels most of which descends in one of these directions, with commas between.",
		landscape.ParcelColumns.Find("aspect_dominant").Enum)
	pTerrain = endpoint.EnumList("pf_terrain_class", "Only parcels of one of these classes of ruggedness, with commas between.",
		landscape.ParcelColumns.Find("terrain_class").Enum)
	pTypes = endpoint.EnumList("pf_types", "Only parcels whose dominant_type is one of these, with commas between.",
		landscape.TypeNames())
	pGreen = endpoint.Float("pf_min_vegetated_fraction", "Only parcels of which at least this share is under vegetation.",
		endpoint.Between(0, 1))
	pForest = endpoint.Float("pf_min_forested_fraction", "Only parcels of which at least this share is under trees.",
		endpoint.Between(0, 1))
	pTrees = endpoint.Int("pf_min_tree_count", "Only parcels with at least so many trees; min_tree_count is of the KG.",
		endpoint.Between(0, 1e6))
	pSteep  = endpoint.Float("pf_max_slope", "Only parcels whose mean slope is at most this.", endpoint.Unit("°"), endpoint.Between(0, 90))
	pBuilt  = endpoint.Bool("pf_cadastre_has_buildings", "As has_buildings.")
	pNatura = endpoint.Bool("pf_cadastre_in_natura2000",
		"true: only parcels whose centroid lies in a Natura 2000 site; false: only others.")
	pSort = endpoint.Enum("pf_sort",
		"Column that parcels are ordered by over all KGs that are read; those without a value stand last. Without it: by KG, in the order of sort, and number.", parcelNumbers())
	pDir = endpoint.Enum("pf_sort_dir", "Direction of pf_sort.", []direction{rising, falling}, endpoint.Default("desc"))
	pKGs = endpoint.Int("kg_limit", "KGs that are read at most, the first in the order of sort.", endpoint.Between(1, maxBatchKGs),
		endpoint.Default("100"))
	pEnrich = endpoint.Bool("cadastre_enrich",
		"false: rows have what analysis found and not what the cadastre knows; parcels that were not analysed are left out.",
		endpoint.Default("true"))
	pIDs = endpoint.ParsedList("parcel_ids",
		"These parcels, <kg_code>-<gnr> with commas between; a slash is %2F. Filters on parcels hold beside, those on KGs do not.",
		austria.ParseParcelID, endpoint.Between(1, maxBatch), endpoint.Example("09902-287"))
	pKG = params.KG("kg", "Only parcels of this KG")
)

// landFilters are the filters on parcels whose names begin with pf_, and their order.
var landFilters = []interface {
	endpoint.AnyParam
	Name() string
}{pAspect, pTerrain, pTypes, pGreen, pForest, pTrees, pSteep, pBuilt, pNatura, pSort, pDir}

// surveyParams choose parcels: by their KG, by the cadastre and by what was analysed.
func surveyParams() []endpoint.AnyParam {
	ps := []endpoint.AnyParam{pIDs, pKG, pKGs, pEnrich}
	for _, p := range landFilters {
		ps = append(ps, p)
	}
	return slices.Concat(ps, parcelfilter.Params, parcelfilter.OverParams, compoundParams())
}

func parcelNumbers() (out []string) {
	for i := range landscape.ParcelColumns {
		if c := &landscape.ParcelColumns[i]; c.Numeric() {
			out = append(out, c.Name)
		}
	}
	return out
}

// landTests are the conditions of a request on what was analysed.
func landTests(r *endpoint.Request) (out []func(*landscape.Parcel) bool) {
	add := func(f func(*landscape.Parcel) bool) { out = append(out, f) }
	for _, l := range []struct {
		param *endpoint.Param[[]string]
		of    func(*landscape.Parcel) string
	}{{pAspect, func(p *landscape.Parcel) string { return p.AspectDominant }}, {pTerrain,
		func(p *landscape.Parcel) string { return p.TerrainClass }},
		{pTypes, func(p *landscape.Parcel) string { return p.DominantType }}} {
		if l.param.Given(r) {
			values := l.param.Of(r)
			add(func(p *landscape.Parcel) bool { return slices.Contains(values, l.of(p)) })
		}
	}
	if pTrees.Given(r) {
		add(atLeast("tree_count", float64(pTrees.Of(r))))
	}
	if pGreen.Given(r) {
		add(atLeast("vegetated_fraction", pGreen.Of(r)))
	}
	if pForest.Given(r) {
		add(atLeast("forested_fraction", pForest.Of(r)))
	}
	if pSteep.Given(r) {
		most, column := pSteep.Of(r), landscape.ParcelColumns.Find("slope_mean_deg")
		add(func(p *landscape.Parcel) bool { return column.Number(p) <= most })
	}
	return out
}

// atLeast is the condition that a figure of a parcel is known and not below a bound.
func atLeast(name string, least float64) func(*landscape.Parcel) bool {
	column := landscape.ParcelColumns.Find(name)
	return func(p *landscape.Parcel) bool { return column.Number(p) >= least }
}

// sameFlag takes the value of a parameter that another one has a name for, too.
func sameFlag(r *endpoint.Request, alias *endpoint.Param[bool], has bool, value bool) (bool, error) {
	if has && value != alias.Of(r) {
		return false, alias.Clash(r, "the value of the parameter that says the same")
	}
	return alias.Of(r), nil
}

// asked is the survey of a request with its filters on parcels.
func (s *service) asked(ctx context.Context, r *endpoint.Request) (*survey, error) {
	u, err := s.survey(ctx, r)
	if err != nil {
		return nil, err
	}
	u.land = landTests(r)
	if !pEnrich.Of(r) {
		u.land = append(u.land, func(*landscape.Parcel) bool { return true }) // rows of the index: only what stands there
	}
	if pBuilt.Given(r) {
		built, err := sameFlag(r, pBuilt, u.held.Built != 0, u.held.Built > 0)
		if err != nil {
			return nil, err
		}
		if u.held.Built = -1; built {
			u.held.Built = 1
		}
	}
	if pNatura.Given(r) {
		n := u.laid.Natura
		in, err := sameFlag(r, pNatura, n != nil, n != nil && *n)
		if err != nil {
			return nil, err
		}
		u.laid.Natura = &in
	}
	if cBox.Given(r) {
		box := cBox.Of(r).Grid()
		u.box = &box
	}
	return u, nil
}

const batchDoc = `Parcels of the cadastre with what lies over them and what analysis found on them. Either parcel_ids names them (at most 1,000; those
that are not there are in meta.not_found, those of KGs that cannot be read in meta.pending_ids), or filters choose: first KGs, by the parameters of
/query/compound, of which kg_limit are read, then their parcels, by those of the cadastre and by pf_*. total counts the parcels that pass in the kgs_read of
kgs_matching KGs. With a filter pf_* only KGs that were analysed are read. Natura 2000 filters are those of the cadastre's /query; rows carry in_natura2000 and
natura2000_sites. POST takes {parcel_ids}, {compound, parcel_filters, cadastre_enrich, limit} or {query, landscape_filters, limit}.`

// batchMeta is what meta holds beside the common.
type batchMeta struct {
	reply.DatasetMeta
	view.GapsMeta
	NotFound []string `json:"not_found,omitempty" doc:"with parcel_ids"`
	Pending  []string `json:"pending_ids,omitempty" doc:"with parcel_ids"`
}

// surveyedBody is the shape of a list of surveyed parcels.
type surveyedBody struct {
	Total    int            `json:"total" doc:"parcels that pass in the KGs that were read"`
	Matching int            `json:"kgs_matching" doc:"KGs whose parcels may pass"`
	Read     int            `json:"kgs_read" doc:"of them, those that were read"`
	Offset   int            `json:"offset"`
	Limit    int            `json:"limit"`
	Results  []endpoint.Row `json:"results"`
	Meta     batchMeta      `json:"meta"`
}

func (s *service) batch(method string) endpoint.Endpoint {
	e := endpoint.Endpoint{
		Method: method, Path: "/api/v1/parcels/batch", ID: "landscape_parcels_batch", Tag: tag,
		Summary: "Parcels by their numbers or by filters, with terrain and vegetation", Doc: batchDoc,
		Params: surveyParams(), Example: "/api/v1/parcels/batch?parcel_ids=09902-287",
		Answer: endpoint.Answer{Rows: []*format.RowType{surveyRows.RowType, landRows.RowType}, JSONOnly: true,
			Page: endpoint.Page{Default: 100, Max: maxBatch}, Body: surveyedBody{}, Headers: view.ReadyHeaders},
		Serve: s.serveBatch,
	}
	if method == http.MethodPost {
		e.ID, e.Summary = "landscape_parcels_batch_post", "Parcels by their numbers or by filters, as JSON"
		e.Body, e.Example = batchIn, "/api/v1/parcels/batch"
		e.ExampleBody = `{"compound":{"processed_only":true},"parcel_filters":{"min_vegetated_fraction":0.5,"sort":"tree_canopy_sqm"},"limit":5}`
	}
	return e
}

func (s *service) serveBatch(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	u, err := s.asked(ctx, r)
	if err != nil {
		return nil, err
	}
	tests, err := u.c.conditions(r)
	if err != nil {
		return nil, err
	}
	kg := pKG.Given(r)
	if pIDs.Given(r) {
		if kg || len(tests) > 0 {
			return nil, pIDs.Clash(r, "parcels by their numbers without filters on KGs")
		}
		return u.byID(ctx, r, pIDs.Of(r))
	}
	if len(tests) == 0 && !kg && len(u.land) == 0 && u.held.All() && !u.laid.Active() {
		return nil, fault.New(fault.Missing, "nothing says which parcels: expected parcel_ids or at least one filter")
	}
	if kg {
		if _, err := u.c.need(pKG.Of(r)); err != nil {
			return nil, err
		}
		code := pKG.Of(r)
		tests = append(tests, func(e *landscape.Entry) bool { return e.Code() == code })
	}
	list, _ := u.c.passing(tests, landscape.RecordColumns.Find(cSort.Of(r)), cDir.Of(r) == rising, len(u.c.entries))
	return u.filtered(ctx, r, list, pKGs.Of(r))
}

// filtered answers with the parcels that pass in the first KGs of a list.
func (u *survey) filtered(ctx context.Context, r *endpoint.Request, list []hit, most int) (reply.Answer, error) {
	list, err := u.narrow(ctx, list)
	if err != nil {
		return nil, err
	}
	matching := len(list)
	list = list[:min(len(list), most)]
	page, total, err := u.find(ctx, list, r)
	if err != nil {
		return nil, err
	}
	rows, err := u.rows(ctx, list, page)
	if err != nil {
		return nil, err
	}
	return u.listed(r, []reply.Member{{Name: "total", Value: total}, {Name: "kgs_matching", Value: matching},
		{Name: "kgs_read", Value: len(list)}}, rows), nil
}

// find gives the parcels of the page, and how many pass. Without an order only those of the page are kept.
func (u *survey) find(ctx context.Context, list []hit, r *endpoint.Request) (page []found, total int, err error) {
	number := make(map[*landscape.Entry]int, len(list))
	for i, h := range list {
		number[h.e] = i
	}
	var by *landscape.Column[landscape.Parcel]
	if pSort.Given(r) {
		by = landscape.ParcelColumns.Find(pSort.Of(r))
	}
	err = u.each(ctx, list, func(g *ground) error {
		for row := range g.parcels {
			if !u.passes(g, row) {
				continue
			}
			f := found{kg: number[g.e], row: int32(row)}
			if by != nil {
				f.value = g.number(by, row)
			}
			if by != nil || total >= r.Offset && len(page) < r.Limit {
				page = append(page, f)
			}
			total++
		}
		return nil
	})
	if by != nil {
		up := pDir.Of(r) == rising
		slices.SortStableFunc(page, func(a, b found) int { return cmp.Or(compare(a.value, b.value, up), a.kg-b.kg, int(a.row-b.row)) })
		from, to := r.Span(len(page))
		page = page[from:to]
	}
	return page, total, err
}

// listed writes rows: with what the cadastre knows, or without.
func (u *survey) listed(r *endpoint.Request, head []reply.Member, rows []surveyed) *reply.Stream {
	if pEnrich.Of(r) {
		return u.answer(r, surveyRows, head, rows)
	}
	return u.gaps.MarkStream(stream(r, landRows, head, rows, func(item *landscape.Parcel, of *surveyed) {
		*item = *of.land
		item.ID, item.AreaSqm, item.Centroid = of.ID(), of.P.AreaSqm, of.P.Centroid
	}))
}

// byID answers with parcels that are named, each once, by KG in the order in which the KGs are named; filters on parcels hold beside.
func (u *survey) byID(ctx context.Context, r *endpoint.Request, ids []austria.ParcelID) (reply.Answer, error) {
	b := batch{u: u, notFound: []string{}, pending: []string{}}
	for _, of := range grouped(ids) {
		b.codes, b.groups = append(b.codes, of[0].KG), append(b.groups, of)
	}
	reads := u.v.Ahead(b.codes)
	for i, of := range b.groups {
		reads.Next(ctx)
		if err := b.locate(ctx, b.codes[i], of); err != nil {
			return nil, err
		}
	}
	rows, err := u.rows(ctx, b.list, b.page)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(s surveyed) bool { return !u.passes(s.g, s.Over.Row) })
	from, to := r.Span(len(rows))
	a := u.listed(r, []reply.Member{{Name: "total", Value: len(rows)}, {Name: "kgs_matching", Value: len(b.list)},
		{Name: "kgs_read", Value: len(b.list)}}, rows[from:to])
	a.Meta = append(a.Meta, reply.Member{Name: "not_found", Value: b.notFound}, reply.Member{Name: "pending_ids", Value: b.pending})
	return a, nil
}

// grouped are ids by their KGs, each once, as they were named.
func grouped(ids []austria.ParcelID) (out [][]austria.ParcelID) {
	seen, place := map[austria.ParcelID]bool{}, map[austria.KGCode]int{}
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		n, ok := place[id.KG]
		if !ok {
			n = len(out)
			place[id.KG], out = n, append(out, nil)
		}
		out[n] = append(out[n], id)
	}
	return out
}

// batch is what is known of parcels that are named.
type batch struct {
	u                 *survey
	codes             []austria.KGCode
	groups            [][]austria.ParcelID
	list              []hit
	page              []found
	notFound, pending []string
}

// locate finds the parcels of a KG.
func (b *batch) locate(ctx context.Context, code austria.KGCode, ids []austria.ParcelID) error {
	f, err := b.u.v.Read(ctx, code, &b.u.gaps)
	if err != nil && !errors.Is(err, library.ErrUnknownKG) {
		return err
	}
	e := b.u.c.find(code)
	if f == nil || e == nil {
		names := &b.notFound
		if b.u.gaps.Has(code) {
			names = &b.pending
		}
		for _, id := range ids {
			*names = append(*names, id.String())
		}
		return nil
	}
	for _, id := range ids {
		row, ok, err := f.ParcelByGNR(id.GNR)
		if err != nil {
			return generation.Fault(ctx, err)
		}
		if !ok {
			b.notFound = append(b.notFound, id.String())
			continue
		}
		b.page = append(b.page, found{kg: len(b.list), row: int32(row)})
	}
	b.list = append(b.list, hit{e: e})
	return nil
}
