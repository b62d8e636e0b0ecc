package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/functions/core/parcelfilter"
	"mappe/functions/core/pin"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/jsonin"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

const (
	maxBatch    = 1000 // parcels that a request names
	maxBatchKGs = 2000 // KGs that a request reads
)

// The filters on what analysis found on a parcel, and the order of parcels.
var (
	pAspect  = endpoint.EnumList("pf_aspect", "Only parcels most of which descends in one of these directions, with commas between.", landscape.ParcelColumns.Find("aspect_dominant").Enum)
	pTerrain = endpoint.EnumList("pf_terrain_class", "Only parcels of one of these classes of ruggedness, with commas between.", landscape.ParcelColumns.Find("terrain_class").Enum)
	pTypes   = endpoint.EnumList("pf_types", "Only parcels whose dominant_type is one of these, with commas between.", landscape.TypeNames())
	pGreen   = endpoint.Float("pf_min_vegetated_fraction", "Only parcels of which at least this share is under vegetation.", endpoint.Between(0, 1))
	pForest  = endpoint.Float("pf_min_forested_fraction", "Only parcels of which at least this share is under trees.", endpoint.Between(0, 1))
	pTrees   = endpoint.Int("pf_min_tree_count", "Only parcels with at least so many trees; min_tree_count is of the KG.", endpoint.Between(0, 1e6))
	pSteep   = endpoint.Float("pf_max_slope", "Only parcels whose mean slope is at most this.", endpoint.Unit("°"), endpoint.Between(0, 90))
	pBuilt   = endpoint.Bool("pf_cadastre_has_buildings", "As has_buildings.")
	pNatura  = endpoint.Bool("pf_cadastre_in_natura2000", "true: only parcels whose centroid lies in a Natura 2000 site; false: only others.")
	pSort    = endpoint.Enum("pf_sort", "Column that parcels are ordered by over all KGs that are read; those without a value stand last. Without it: by KG, in the order of sort, and number.", parcelNumbers())
	pDir     = endpoint.Enum("pf_sort_dir", "Direction of pf_sort.", []direction{rising, falling}, endpoint.Default("desc"))
	pKGs     = endpoint.Int("kg_limit", "KGs that are read at most, the first in the order of sort.", endpoint.Between(1, maxBatchKGs), endpoint.Default("100"))
	pEnrich  = endpoint.Bool("cadastre_enrich", "false: rows have what analysis found and not what the cadastre knows; parcels that were not analysed are left out.", endpoint.Default("true"))
	pIDs     = endpoint.ParsedList("parcel_ids", "These parcels, <kg_code>-<gnr> with commas between; a slash is %2F. Nothing else chooses then.", austria.ParseParcelID, endpoint.Between(1, maxBatch), endpoint.Example("09902-287"))
	pKG      = params.KG("kg", "Only parcels of this KG")
)

// surveyParams choose parcels: by their KG, by the cadastre and by what was analysed.
func surveyParams() []endpoint.AnyParam {
	ps := []endpoint.AnyParam{pIDs, pKG, pAspect, pTerrain, pTypes, pGreen, pForest, pTrees, pSteep, pBuilt, pNatura, pSort, pDir, pKGs, pEnrich}
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
	}{{pAspect, func(p *landscape.Parcel) string { return p.AspectDominant }}, {pTerrain, func(p *landscape.Parcel) string { return p.TerrainClass }},
		{pTypes, func(p *landscape.Parcel) string { return p.DominantType }}} {
		if l.param.Given(r) {
			values := l.param.Of(r)
			add(func(p *landscape.Parcel) bool { return slices.Contains(values, l.of(p)) })
		}
	}
	if pGreen.Given(r) {
		least := pGreen.Of(r)
		add(func(p *landscape.Parcel) bool { return float64(p.VegetatedFraction) >= least })
	}
	if pForest.Given(r) {
		least := pForest.Of(r)
		add(func(p *landscape.Parcel) bool { return float64(p.ForestedFraction) >= least })
	}
	if pTrees.Given(r) {
		least := float64(pTrees.Of(r))
		add(func(p *landscape.Parcel) bool { return float64(p.TreeCount) >= least })
	}
	if pSteep.Given(r) {
		most := pSteep.Of(r)
		add(func(p *landscape.Parcel) bool { return float64(p.SlopeMean) <= most })
	}
	return out
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

// batchBody is what POST reads beside parameters.
type batchBody struct {
	compoundBody
	given []string // members that are modes
}

const batchIDs, batchCompound, batchFilters, batchQuery, batchLand = "parcel_ids", "compound", "parcel_filters", "query", "landscape_filters"

// batchShape is the shape of the body for the description.
type batchShape struct {
	Compound endpoint.Open `json:"compound,omitempty" doc:"which KGs: the body of POST /query/compound"`
	Filters  endpoint.Open `json:"parcel_filters,omitempty" doc:"beside compound: the parameters pf_* without pf_, and those of the cadastre"`
	Query    endpoint.Open `json:"query,omitempty" doc:"which parcels of the cadastre: kg, district, landuse, natura2000_site and the others"`
	Land     endpoint.Open `json:"landscape_filters,omitempty" doc:"beside query: as parcel_filters"`
	compoundShape
}

var batchIn = endpoint.ParsedBody("{parcel_ids}, or {compound, parcel_filters}, or {query, landscape_filters}; the parameters may stand beside them, too.", 1<<20, batchShape{}, parseBatch).
	Carrying("", func(b *batchBody) endpoint.Held { return b.held() }, batchOwn()...)

func batchOwn() []string {
	return append([]string{batchCompound, batchFilters, batchQuery, batchLand}, compoundOwn...)
}

func parseBatch(b []byte) (*batchBody, error) {
	var out batchBody
	r := jsonin.New(b)
	own := batchOwn()
	nested := map[string]json.RawMessage{}
	flat, err := endpoint.Beside(r, own, func(name string) error {
		raw, err := r.Raw()
		if err != nil || string(raw) == "null" {
			return err
		}
		if slices.Contains(compoundOwn, name) {
			return out.take(name, raw)
		}
		out.given = append(out.given, name)
		nested[name] = raw
		return nil
	})
	if err != nil {
		return &out, err
	}
	if out.params = flat; flat == nil {
		out.params = map[string]json.RawMessage{}
	}
	if _, ok := flat[batchIDs]; ok {
		out.given = append(out.given, batchIDs)
	}
	for _, name := range out.given {
		if err := out.nest(name, nested[name]); err != nil {
			return &out, err
		}
	}
	return &out, out.modes()
}

// nest takes the members of a nested object as parameters.
func (b *batchBody) nest(name string, raw json.RawMessage) (err error) {
	var in map[string]json.RawMessage
	switch name {
	case batchIDs:
		return nil
	}
	if raw[0] != '{' {
		return fault.BadValue(name, fault.Shorten(string(raw)), "an object")
	}
	switch name {
	case batchCompound:
		var c *compoundBody
		if c, err = parseCompound(raw); err != nil {
			return err
		}
		if c.types != nil {
			b.types = c.types
		}
		if c.covers != nil {
			b.covers = c.covers
		}
		in = c.params
	default:
		if in, err = endpoint.Beside(jsonin.New(raw), nil, nil); err != nil {
			return err
		}
	}
	for key, value := range in {
		if (name == batchFilters || name == batchLand) && landNames[key] {
			key = "pf_" + key
		}
		if _, twice := b.params[key]; twice {
			return fault.Of(fault.Duplicate, name+"."+fault.Shorten(key), "", "it once")
		}
		b.params[key] = value
	}
	return nil
}

// landNames are the parameters that parcel_filters names without pf_.
var landNames = map[string]bool{"aspect": true, "terrain_class": true, "types": true, "min_vegetated_fraction": true, "min_forested_fraction": true, "min_tree_count": true,
	"max_slope": true, "cadastre_has_buildings": true, "cadastre_in_natura2000": true, "sort": true, "sort_dir": true}

// modes refuses members of two modes.
func (b *batchBody) modes() error {
	of := func(name string) string {
		switch name {
		case batchFilters:
			return batchCompound
		case batchLand:
			return batchQuery
		}
		return name
	}
	for _, name := range b.given {
		if first := b.given[0]; of(name) != of(first) {
			return fault.New(fault.Conflict, "%s and %s are both given: expected parcel_ids, or compound with parcel_filters, or query with landscape_filters", first, name)
		}
	}
	return nil
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
		Method: method, Path: "/api/v1/parcels/batch", ID: "landscape_parcels_batch", Tag: tag, Summary: "Parcels by their numbers or by filters, with terrain and vegetation", Doc: batchDoc,
		Params: surveyParams(), Example: "/api/v1/parcels/batch?parcel_ids=09902-287",
		Answer: endpoint.Answer{Rows: []*format.Kind{surveyRows.Kind, landRows.Kind}, JSONOnly: true, Page: endpoint.Page{Default: 100, Max: maxBatch}, Body: surveyedBody{}, Headers: view.ReadyHeaders},
		Serve:  s.serveBatch,
	}
	if method == http.MethodPost {
		e.ID, e.Summary = "landscape_parcels_batch_post", "Parcels by their numbers or by filters, as JSON"
		e.Body, e.Example = batchIn, "/api/v1/parcels/batch"
		e.ExampleBody = `{"compound":{"processed_only":true},"parcel_filters":{"min_vegetated_fraction":0.5,"sort":"tree_canopy_sqm"},"limit":5}`
	}
	return e
}

func (s *service) serveBatch(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	var body *compoundBody
	if r.HTTP.Method == http.MethodPost {
		body = &batchIn.Of(r).compoundBody
	}
	tests, err := conditions(r, body)
	if err != nil {
		return nil, err
	}
	u, err := s.asked(ctx, r)
	if err != nil {
		return nil, err
	}
	if pIDs.Given(r) {
		return u.byID(ctx, r, pIDs.Of(r))
	}
	kg := pKG.Given(r)
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
	return u.filtered(ctx, r, u.c.passing(tests, landscape.RecordColumns.Find(cSort.Of(r)), cDir.Of(r) == rising), pKGs.Of(r))
}

// filtered answers with the parcels that pass in the first KGs of a list.
func (u *survey) filtered(ctx context.Context, r *endpoint.Request, list []hit, most int) (reply.Answer, error) {
	list, err := u.narrow(ctx, list)
	if err != nil {
		return nil, err
	}
	matching := len(list)
	list = list[:min(len(list), most)]
	all, err := u.find(ctx, list, r)
	if err != nil {
		return nil, err
	}
	from, to := r.Span(len(all))
	rows, err := u.rows(ctx, list, all[from:to])
	if err != nil {
		return nil, err
	}
	return u.listed(r, []reply.Member{{Name: "total", Value: len(all)}, {Name: "kgs_matching", Value: matching}, {Name: "kgs_read", Value: len(list)}}, rows), nil
}

// find gives the parcels that pass, in their order.
func (u *survey) find(ctx context.Context, list []hit, r *endpoint.Request) ([]found, error) {
	number := make(map[*landscape.Entry]int, len(list))
	for i, h := range list {
		number[h.e] = i
	}
	var by *landscape.Column[landscape.Parcel]
	if pSort.Given(r) {
		by = landscape.ParcelColumns.Find(pSort.Of(r))
	}
	var all []found
	err := u.each(ctx, list, func(g *ground) error {
		for row := range g.parcels {
			if !u.passes(g, row) {
				continue
			}
			f := found{kg: number[g.e], row: int32(row)}
			if by != nil {
				f.value = g.number(by, row)
			}
			all = append(all, f)
		}
		return nil
	})
	if by != nil {
		up := pDir.Of(r) == rising
		slices.SortStableFunc(all, func(a, b found) int { return cmp.Or(compare(a.value, b.value, up), a.kg-b.kg, int(a.row-b.row)) })
	}
	return all, err
}

// listed writes rows: with what the cadastre knows, or without.
func (u *survey) listed(r *endpoint.Request, head []reply.Member, rows []surveyed) *reply.Stream {
	if pEnrich.Of(r) {
		return u.gaps.MarkStream(stream(r, surveyRows, head, rows, func(item, of *surveyed) { *item = *of }))
	}
	return u.gaps.MarkStream(stream(r, landRows, head, rows, func(item *landscape.Parcel, of *surveyed) {
		*item = *of.land
		item.ID, item.AreaSqm, item.Centroid = of.ID(), of.P.AreaSqm, of.P.Centroid
	}))
}

// byID answers with parcels that are named, in the order in which they are; filters hold beside.
func (u *survey) byID(ctx context.Context, r *endpoint.Request, ids []austria.ParcelID) (reply.Answer, error) {
	notFound, pending := []string{}, []string{}
	var list []hit
	place := map[austria.KGCode]int{}
	var page []found
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id.String()] {
			continue
		}
		seen[id.String()] = true
		e := u.c.find(id.KG)
		f, err := u.file(ctx, id.KG)
		switch {
		case err != nil:
			return nil, err
		case f == nil && u.gaps.Has(id.KG):
			pending = append(pending, id.String())
			continue
		case f == nil || e == nil:
			notFound = append(notFound, id.String())
			continue
		}
		row, ok, err := f.ParcelByGNR(id.GNR)
		if err != nil {
			return nil, pin.Fault(ctx, err)
		}
		if !ok {
			notFound = append(notFound, id.String())
			continue
		}
		if _, ok := place[id.KG]; !ok {
			place[id.KG] = len(list)
			list = append(list, hit{e: e})
		}
		page = append(page, found{kg: place[id.KG], row: int32(row)})
	}
	rows, err := u.rows(ctx, list, page)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(s surveyed) bool { return !u.passes(s.g, s.Over.Row) })
	from, to := r.Span(len(rows))
	a := u.listed(r, []reply.Member{{Name: "total", Value: len(rows)}, {Name: "kgs_matching", Value: len(list)}, {Name: "kgs_read", Value: len(list)}}, rows[from:to])
	a.Meta = append(a.Meta, reply.Member{Name: "not_found", Value: notFound}, reply.Member{Name: "pending_ids", Value: pending})
	return a, nil
}

// file is that of a KG of the cadastre; nil: it cannot be had, and the gaps say why, or there is no such KG.
func (u *survey) file(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	f, err := u.v.Read(ctx, code, &u.gaps)
	if errors.Is(err, library.ErrUnknownKG) {
		return nil, nil
	}
	return f, err
}

const landscapeDoc = `Parcels of the cadastre with what analysis found on them; parcels of KGs that were not analysed stand in the list with processed false,
unless a filter pf_* asks for what only analysis knows. At least one of kg, gemeinde, district, state and bbox says where, and the KGs there are at most 2,000. Order: KG
and number, or pf_sort.`

func (s *service) landscape() endpoint.Endpoint {
	ps := []endpoint.AnyParam{pKG, cGemeinde, cDistrict, cState, cBox, cProcess, pAspect, pTerrain, pTypes, pGreen, pForest, pTrees, pSteep, pSort, pDir, pEnrich}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/parcels/landscape", ID: "landscape_parcels", Tag: tag, Summary: "The parcels of an area with terrain and vegetation", Doc: landscapeDoc,
		Params: slices.Concat(ps, parcelfilter.Params, parcelfilter.OverParams), Example: "/api/v1/parcels/landscape?kg=09902&has_buildings=true",
		Answer: endpoint.Answer{Rows: []*format.Kind{surveyRows.Kind, landRows.Kind}, JSONOnly: true, Page: endpoint.Page{Default: 100, Max: maxBatch}, Body: landscapeBody{}, Headers: view.ReadyHeaders},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			u, err := s.asked(ctx, r)
			if err != nil {
				return nil, err
			}
			list, err := u.where(r)
			if err != nil {
				return nil, err
			}
			if len(list) > maxBatchKGs {
				return nil, fault.New(fault.TooLarge, "%d KGs lie there: expected at most %d; name a district", len(list), maxBatchKGs)
			}
			return u.filtered(ctx, r, list, maxBatchKGs)
		},
	}
}

// landscapeBody is surveyedBody as a type of its own, which the description of a service names.
type landscapeBody surveyedBody

// where are the KGs that a request names, by code; a fault where it names none.
func (u *survey) where(r *endpoint.Request) ([]hit, error) {
	if !pKG.Given(r) && !cGemeinde.Given(r) && !cDistrict.Given(r) && !cState.Given(r) && !cBox.Given(r) {
		return nil, fault.New(fault.Missing, "nothing says where: expected at least one of %s", strings.Join([]string{pKG.Name(), cGemeinde.Name(), cDistrict.Name(), cState.Name(), cBox.Name()}, ", "))
	}
	return u.region(r)
}

// region are the KGs in the area of a request, by code; all where it names none.
func (u *survey) region(r *endpoint.Request) ([]hit, error) {
	tests, err := conditions(r, nil)
	if err != nil {
		return nil, err
	}
	if pKG.Given(r) {
		e, err := u.c.need(pKG.Of(r))
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(of *landscape.Entry) bool { return of == e })
	}
	return u.c.passing(tests, landscape.RecordColumns.Find("kg_code"), true), nil
}
