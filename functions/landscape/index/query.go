package index

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/landscape"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

type metric string

const (
	byArea     metric = "area"
	byFraction metric = "fraction"
	byCount    metric = "count"
	byHeight   metric = "height"
)

type direction string

const (
	rising  direction = "asc"
	falling direction = "desc"
)

type feature string

const (
	trees        feature = "trees"
	objects      feature = "objects"
	newBuildings feature = "new_buildings"
	infra        feature = "infrastructure"
)

// The parameters that are modes by themselves.
var (
	qText     = endpoint.String("q", "Mode: KGs whose code or name, or whose municipality's name, has this text. Codes that begin with it stand first, then names that are it, begin with it, have it.", endpoint.Between(2, 100), endpoint.Example("dorf"))
	qKG       = params.KG("kg", "Mode: the index record of this KG")
	qParcel   = params.Parcel("parcel", "Mode: what the index has of this parcel, and the record of its KG")
	qBox      = params.Box("Mode: KGs whose box meets this one, by code. Beside top_features and segments only what lies in it.")
	qPoint    = endpoint.Parsed("point", "Mode: KGs near this point, lon,lat in degrees (WGS84): those whose centroid lies within radius, and those whose box holds it; the nearest centroid first.", params.ParsePosition, endpoint.Example("13.274,47.321"), endpoint.Parts)
	qState    = endpoint.String("state", "Mode: KGs of this state, by its code or name.", endpoint.Example("5"))
	qDistrict = params.District("district", "Mode: KGs of this district")
	qGemeinde = params.Gemeinde("gemeinde", "Mode: KGs of this municipality")
	qType     = endpoint.Enum("type", "Mode: KGs that have this type of objects, by metric, the greatest first. Beside top_features=objects only this type.", landscape.TypeNames())
	qHansen   = endpoint.Bool("hansen", "Mode: KGs that lost forest between year_from and year_to, by cells, the most first.", endpoint.Default("false"))
	qNew      = endpoint.Bool("new_buildings", "Mode: KGs with at least min_count buildings that the cadastre does not have, the most first.", endpoint.Default("false"))
	qDiverge  = endpoint.Bool("divergence", "Mode: KGs in which at least min_divergence percent of the objects have another type than the model's, the most first; with rf_type or final_type by the objects of those types.", endpoint.Default("false"))
	qPairs    = endpoint.Bool("divergence_pairs", "Mode: pairs of the model's type and the type in the end, over all KGs, the most objects first.", endpoint.Default("false"))
	qLow      = endpoint.Bool("low_confidence", "Mode: KGs whose mean confidence is at most max_confidence, the least first.", endpoint.Default("false"))
	qRank     = endpoint.Enum("confidence_rank", "Mode: processed KGs by their mean confidence.", []direction{rising, falling})
	qSure     = endpoint.Enum("type_confidence", "Mode: KGs by how sure the model is of this type, the least first.", landscape.TypeNames())
	qHigh     = endpoint.Enum("high_confidence_type", "Mode: KGs in which the model is sure of this type with at least min_confidence and which have at least min_area_sqm of it, by area, the largest first.", landscape.TypeNames())
	qParcels  = endpoint.Enum("parcels_by_type", "Mode: parcels most of which is of this type, by KG and number. Slow: it reads every KG whose parcels may be.", landscape.TypeNames())
	qTop      = endpoint.Enum("top_features", "Mode: the first of the country: trees by height, objects (of a type) and infrastructure and new buildings by area; at most 1,000 of a kind and type.", []feature{trees, objects, newBuildings, infra})
	qSegments = endpoint.Bool("segments", "Mode: what KGs have of types of objects, a row for each KG and type.", endpoint.Default("false"))
	qAll      = endpoint.Bool("aggregate", "true sums the KGs of state, district, gemeinde or bbox, of the country where none of them is given.", endpoint.Default("false"))
)

// The parameters beside a mode.
var (
	qRadius     = endpoint.Float("radius", "Radius around point.", endpoint.Unit("km"), endpoint.Between(0.01, 200), endpoint.Default("5"))
	qMetric     = endpoint.Enum("metric", "What type is ordered by: area, share of the area, number of objects, mean height.", []metric{byArea, byFraction, byCount, byHeight}, endpoint.Default("area"))
	qFrom       = endpoint.Int("year_from", "First year of hansen.", endpoint.Between(2000, 2100), endpoint.Default("2000"))
	qTo         = endpoint.Int("year_to", "Last year of hansen.", endpoint.Between(2000, 2100), endpoint.Default("2100"))
	qMinLoss    = endpoint.Int("min_loss", "Cells that a KG lost at least.", endpoint.Between(1, 1e9), endpoint.Default("1"))
	qMinCount   = endpoint.Int("min_count", "New buildings at least.", endpoint.Between(1, 1e6), endpoint.Default("1"))
	qMinDiverge = endpoint.Float("min_divergence", "Percent that diverge at least; with rf_type or final_type, objects.", endpoint.Between(0, 1e9), endpoint.Default("0"))
	qRFType     = endpoint.Enum("rf_type", "Type by the model, of divergence and divergence_pairs.", landscape.TypeNames())
	qFinal      = endpoint.Enum("final_type", "Type in the end, of divergence and divergence_pairs.", landscape.TypeNames())
	qMaxSure    = endpoint.Float("max_confidence", "Mean confidence at most, of low_confidence.", endpoint.Between(0, 1), endpoint.Default("0.5"))
	qMinSure    = endpoint.Float("min_confidence", "Confidence at least, of high_confidence_type (0.7 where it is not given) and top_features.", endpoint.Between(0, 1))
	qMinArea    = endpoint.Float("min_area_sqm", "Area at least, of high_confidence_type.", endpoint.Unit("m²"), endpoint.Between(0, 1e12), endpoint.Default("0"))
	qTypes      = endpoint.EnumList("object_type", "Only these types, of segments, with commas between.", landscape.TypeNames())
	qSort       = endpoint.Enum("sort", "Order of segments: area, share, objects, mean height, the greatest first.", []metric{byArea, byFraction, byCount, byHeight}, endpoint.Default("area"))
	qProcessed  = endpoint.Bool("processed_only", "true leaves out KGs that were not processed.", endpoint.Default("false"))
)

// mode is a question that one parameter asks.
type mode struct {
	param interface {
		endpoint.AnyParam
		Name() string
		Given(*endpoint.Request) bool
		Clash(*endpoint.Request, string) error
	}
	asked func(*endpoint.Request) bool
	run   func(*service, context.Context, *country, *endpoint.Request) (reply.Answer, error)
	// beside are modes that narrow this one, where they are given beside it.
	beside []string
}

func given(p interface{ Given(*endpoint.Request) bool }) func(*endpoint.Request) bool { return p.Given }

func on(p *endpoint.Param[bool]) func(*endpoint.Request) bool { return p.Of }

// modes are the questions. A mode that others may stand beside comes before them.
func modes() []mode {
	return []mode{
		{qAll, on(qAll), (*service).sums, []string{"state", "district", "gemeinde", "bbox"}},
		{qTop, given(qTop), (*service).tops, []string{"bbox", "type"}},
		{qSegments, on(qSegments), (*service).covers, []string{"bbox"}},
		{qText, given(qText), (*service).named, nil},
		{qKG, given(qKG), (*service).record, nil},
		{qParcel, given(qParcel), (*service).parcelRecord, nil},
		{qBox, given(qBox), area(), nil},
		{qPoint, given(qPoint), (*service).near, nil},
		{qState, given(qState), area(), nil},
		{qDistrict, given(qDistrict), area(), nil},
		{qGemeinde, given(qGemeinde), area(), nil},
		{qType, given(qType), (*service).typed, nil},
		{qHansen, on(qHansen), (*service).lost, nil},
		{qNew, on(qNew), (*service).built, nil},
		{qDiverge, on(qDiverge), (*service).diverged, nil},
		{qPairs, on(qPairs), (*service).pairs, nil},
		{qLow, on(qLow), (*service).unsure, nil},
		{qRank, given(qRank), (*service).ranked, nil},
		{qSure, given(qSure), (*service).sure, nil},
		{qHigh, given(qHigh), (*service).certain, nil},
		{qParcels, given(qParcels), (*service).parcelsByType, nil},
	}
}

// choose is the one mode that a request asks; a fault that names two where it asks several.
func choose(r *endpoint.Request, all []mode) (*mode, error) {
	var one *mode
	var names []string
	for i := range all {
		m := &all[i]
		names = append(names, m.param.Name())
		if !m.asked(r) {
			continue
		}
		if one == nil {
			one = m
			continue
		}
		if !slices.Contains(one.beside, m.param.Name()) {
			return nil, fault.New(fault.Conflict, "%s and %s are both given: exactly one mode is asked at a time", one.param.Name(), m.param.Name())
		}
	}
	if one == nil {
		return nil, fault.New(fault.Missing, "no mode is given: expected exactly one of %s", strings.Join(names, ", "))
	}
	return one, nil
}

const queryDoc = `Exactly one mode is asked; two are refused with 400, which names them. Modes answer lists {total, offset, limit, results}; kg answers
the index record itself, parcel the parcel with the record of its KG, aggregate its sums. bbox stands beside top_features and segments, type beside
top_features, and state, district, gemeinde or bbox beside aggregate. Orders are total: KGs that are alike stand by code. What analysis finds is null
for a KG with processed false. Answers come from an index in memory; top_features reads a list of the country, parcels_by_type the parcels of
all KGs that may have some.`

func (s *service) query() endpoint.Endpoint {
	all := modes()
	var ps []endpoint.AnyParam
	for _, m := range all {
		ps = append(ps, m.param)
	}
	ps = append(ps, qRadius, qMetric, qFrom, qTo, qMinLoss, qMinCount, qMinDiverge, qRFType, qFinal, qMaxSure, qMinSure, qMinArea, qTypes, qSort, qProcessed)
	return s.background(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/query", ID: "query", Tag: tag, Summary: "Search over all KGs", Doc: queryDoc, Params: ps,
		Answer: endpoint.Answer{Rows: []*format.Kind{kgRows.Kind, nearRows.Kind, coverRows.Kind, lossRows.Kind, pairRows.Kind, sureRows.Kind, segmentRows.Kind, divergenceRows.Kind,
			landRows.Kind, topTreeRows.Kind, topObjectRows.Kind, topNewRows.Kind, topInfraRows.Kind}, JSONOnly: true, Page: endpoint.Page{Default: 100, Max: 1000}, Body: listed{},
			Others: []endpoint.Other{{Status: 200, Doc: "With kg: the record.", Body: endpoint.Open{}}, {Status: 200, Doc: "With aggregate: the sums.", Body: sumsBody{}}}},
		Example: "/api/v1/query?type=crop&metric=area",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			m, err := choose(r, all)
			if err != nil {
				return nil, err
			}
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			return m.run(s, ctx, c, r)
		},
	}, func(r *endpoint.Request) error { _, err := choose(r, all); return err }, noBody)
}

func noBody(*endpoint.Request) string { return "" }

// pick are the KGs that pass, by code.
func (c *country) pick(r *endpoint.Request, passes func(e *landscape.Entry) bool) []hit {
	only := qProcessed.Of(r)
	var out []hit
	for i := range c.entries {
		if e := &c.entries[i]; (!only || e.Processed) && passes(e) {
			out = append(out, hit{e: e})
		}
	}
	return out
}

// order sorts hits by a number: rising, or the greatest first; those without stand last, and those alike by code.
func order(list []hit, up bool, of func(*hit) float64) []hit {
	keys := make([]sortKey, len(list))
	for i := range list {
		keys[i] = sortKey{of(&list[i]), int32(i)}
	}
	slices.SortFunc(keys, func(a, b sortKey) int { return cmp.Or(compare(a.value, b.value, up), int(a.at-b.at)) })
	return permuted(list, func(i int) int32 { return keys[i].at })
}

// sortKey is what a hit is sorted by, and its place before: numbers are moved, not hits.
type sortKey struct {
	value float64
	at    int32
}

func permuted(list []hit, from func(i int) int32) []hit {
	out := make([]hit, len(list))
	for i := range out {
		out[i] = list[from(i)]
	}
	return out
}

// orderText sorts hits by a text; those without stand last, and those alike by code.
func orderText(list []hit, up bool, of func(*hit) string) []hit {
	at := make([]int32, len(list))
	for i := range at {
		at[i] = int32(i)
	}
	slices.SortFunc(at, func(a, b int32) int {
		x, y := of(&list[a]), of(&list[b])
		c := cmp.Compare(x, y)
		switch {
		case x == "" || y == "":
			c = cmp.Compare(flagOf(x == ""), flagOf(y == ""))
		case !up:
			c = -c
		}
		return cmp.Or(c, int(a-b))
	})
	return permuted(list, func(i int) int32 { return at[i] })
}

func compare(x, y float64, up bool) int {
	switch {
	case x != x || y != y:
		return cmp.Compare(flagOf(x != x), flagOf(y != y))
	case up:
		return cmp.Compare(x, y)
	}
	return cmp.Compare(y, x)
}

func flagOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// here says which KGs lie in the area that a request names.
func here(r *endpoint.Request) (func(e *landscape.Entry) bool, error) {
	var tests []func(e *landscape.Entry) bool
	if qBox.Given(r) {
		box := qBox.Of(r).Grid()
		tests = append(tests, func(e *landscape.Entry) bool { return e.BBox.Intersects(box) })
	}
	if qState.Given(r) {
		code, err := stateOf(qState.Of(r))
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(e *landscape.Entry) bool { return e.StateCode == code })
	}
	if qDistrict.Given(r) {
		code := string(qDistrict.Of(r))
		tests = append(tests, func(e *landscape.Entry) bool { return e.DistrictCode == code })
	}
	if qGemeinde.Given(r) {
		code := string(qGemeinde.Of(r))
		tests = append(tests, func(e *landscape.Entry) bool { return e.GemeindeCode == code })
	}
	return func(e *landscape.Entry) bool {
		return !slices.ContainsFunc(tests, func(t func(*landscape.Entry) bool) bool { return !t(e) })
	}, nil
}

// stateOf is the code of a state by its code or name.
func stateOf(text string) (string, error) {
	var names []string
	for _, s := range austria.AllStates() {
		if text == string(s) || strings.EqualFold(text, s.Name()) {
			return string(s), nil
		}
		names = append(names, s.Name())
	}
	return "", fault.BadValue("state", text, "a code from 1 to 9 or a name: "+strings.Join(names, ", ")+fault.DidYouMean(text, names))
}

func area() func(*service, context.Context, *country, *endpoint.Request) (reply.Answer, error) {
	return func(_ *service, _ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
		in, err := here(r)
		if err != nil {
			return nil, err
		}
		return hits(r, kgRows, c.pick(r, in)), nil
	}
}

func (s *service) named(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	text := strings.ToLower(qText.Of(r))
	var list []hit
	for i := range c.entries {
		e := &c.entries[i]
		if qProcessed.Of(r) && !e.Processed {
			continue
		}
		name, gemeinde, _ := strings.Cut(c.lower[i], "\x00")
		rank := 0.0
		switch {
		case strings.HasPrefix(e.KGCode, text):
			rank = 1
		case name == text:
			rank = 2
		case strings.HasPrefix(name, text):
			rank = 3
		case strings.Contains(name, text):
			rank = 4
		case gemeinde == text:
			rank = 5
		case strings.Contains(gemeinde, text):
			rank = 6
		default:
			continue
		}
		list = append(list, hit{e: e, value: rank})
	}
	return hits(r, kgRows, order(list, true, func(h *hit) float64 { return h.value })), nil
}

func (s *service) record(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	e, err := c.need(qKG.Of(r))
	if err != nil {
		return nil, err
	}
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		writeRecord(j, &e.Record)
		return nil
	}}, nil
}

// writeRecord writes the columns of a record as members.
func writeRecord(j *format.JSON, r *landscape.Record) {
	for _, f := range recordOwn {
		j.Key(f.Name)
		j.Value(f.Get(r))
	}
}

var recordOwn = landscape.RecordColumns.Fields()

// kmPer is a distance in kilometres on the sphere of the mean radius.
func kmPer(a, b geom.Point) float64 { return crs.Distance(a, b) / 1000 }

func (s *service) near(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	at, radius := qPoint.Of(r), qRadius.Of(r)
	around := crs.Grow(geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}, radius*1000)
	list := c.pick(r, func(e *landscape.Entry) bool { return e.BBox.Contains(at) || around.Contains(e.Centroid) })
	list = slices.DeleteFunc(list, func(h hit) bool { return !h.e.BBox.Contains(at) && kmPer(at, h.e.Centroid) > radius })
	for i := range list {
		list[i].kilometres = kmPer(at, list[i].e.Centroid)
	}
	return hits(r, nearRows, order(list, true, func(h *hit) float64 { return h.kilometres })), nil
}

func coverOf(e *landscape.Entry, t land.Type) *landscape.Landcover {
	for i := range e.Landcover {
		if e.Landcover[i].Type == t {
			return &e.Landcover[i]
		}
	}
	return nil
}

func sureOf(e *landscape.Entry, t land.Type) *landscape.Classification {
	for i := range e.Classification {
		if e.Classification[i].Type == t {
			return &e.Classification[i]
		}
	}
	return nil
}

func (m metric) of(l *landscape.Landcover) float64 {
	switch m {
	case byFraction:
		return l.Fraction
	case byCount:
		return l.Objects
	case byHeight:
		return l.HeightMean
	}
	return l.AreaSqm
}

func typeOf(name string) land.Type {
	t, _ := land.ParseType(name) // one of the closed set
	return t
}

func (s *service) typed(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	t, by := typeOf(qType.Of(r)), qMetric.Of(r)
	list := c.pick(r, func(e *landscape.Entry) bool { return coverOf(e, t) != nil })
	for i := range list {
		list[i].of = coverOf(list[i].e, t)
	}
	return hits(r, coverRows, order(list, false, func(h *hit) float64 { return by.of(h.of) })), nil
}

func (s *service) lost(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	from, to := float64(qFrom.Of(r)), float64(qTo.Of(r))
	if from > to {
		return nil, qTo.Bad(r, "a year that is not before year_from")
	}
	lost := func(e *landscape.Entry) (n float64) {
		for _, l := range e.HansenLoss {
			if l.Year >= from && l.Year <= to {
				n += l.Pixels
			}
		}
		return n
	}
	least := float64(qMinLoss.Of(r))
	list := c.pick(r, func(e *landscape.Entry) bool { return lost(e) >= least })
	for i := range list {
		list[i].value = lost(list[i].e)
	}
	return hits(r, lossRows, order(list, false, func(h *hit) float64 { return h.value })), nil
}

func (s *service) built(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	least := float64(qMinCount.Of(r))
	list := c.pick(r, func(e *landscape.Entry) bool { return e.NewBuildingCount >= least })
	return hits(r, kgRows, order(list, false, func(h *hit) float64 { return h.e.NewBuildingCount })), nil
}

// pairWanted says which pairs of types a request asks for.
func pairWanted(r *endpoint.Request) func(*landscape.Divergence) bool {
	return func(d *landscape.Divergence) bool {
		return (!qRFType.Given(r) || d.RFType.String() == qRFType.Of(r)) && (!qFinal.Given(r) || d.FinalType.String() == qFinal.Of(r))
	}
}

func (s *service) diverged(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	least, wanted, narrowed := qMinDiverge.Of(r), pairWanted(r), qRFType.Given(r) || qFinal.Given(r)
	count := func(e *landscape.Entry) (n float64) {
		for i := range e.Divergence {
			if wanted(&e.Divergence[i]) {
				n += e.Divergence[i].Count
			}
		}
		return n
	}
	list := c.pick(r, func(e *landscape.Entry) bool {
		if narrowed {
			n := count(e)
			return n > 0 && n >= least
		}
		return e.RFDivergedPct >= least
	})
	for i := range list {
		list[i].value = count(list[i].e)
	}
	return hits(r, pairRows, order(list, false, func(h *hit) float64 {
		if narrowed {
			return h.value
		}
		return h.e.RFDivergedPct
	})), nil
}

// nationalPair is a pair of types over all KGs.
type nationalPair struct {
	landscape.Divergence
	kgs int
}

var divergenceRows = format.NewSchema("landscape_divergence", "A pair of types over all KGs.", format.Drawing[nationalPair]{},
	append(format.Lift(landscape.DivergenceColumns.Fields(), func(p *nationalPair) *landscape.Divergence { return &p.Divergence }),
		format.Field[nationalPair]{Column: format.Column{Name: "n_kgs", Type: format.TypeInt, Doc: "KGs that have such objects."}, Get: func(p *nationalPair) format.Value { return format.Int(int64(p.kgs)) }}))

func (s *service) pairs(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	wanted := pairWanted(r)
	sums := map[[2]land.Type]*nationalPair{}
	for i := range c.entries {
		for k := range c.entries[i].Divergence {
			d := &c.entries[i].Divergence[k]
			if !wanted(d) {
				continue
			}
			of := [2]land.Type{d.RFType, d.FinalType}
			if sums[of] == nil {
				sums[of] = &nationalPair{Divergence: landscape.Divergence{RFType: d.RFType, FinalType: d.FinalType}}
			}
			sums[of].Count += d.Count
			sums[of].kgs++
		}
	}
	list := make([]nationalPair, 0, len(sums))
	for _, p := range sums {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b nationalPair) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.RFType, b.RFType), cmp.Compare(a.FinalType, b.FinalType))
	})
	return page(r, divergenceRows, list, func(item, of *nationalPair) { *item = *of }), nil
}

func meanConfidence(h *hit) float64 { return h.e.MeanConfidence }

func (s *service) unsure(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	most := qMaxSure.Of(r)
	return hits(r, kgRows, order(c.pick(r, func(e *landscape.Entry) bool { return e.MeanConfidence <= most }), true, meanConfidence)), nil
}

func (s *service) ranked(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	list := c.pick(r, func(e *landscape.Entry) bool { return !math.IsNaN(e.MeanConfidence) })
	return hits(r, kgRows, order(list, qRank.Of(r) == rising, meanConfidence)), nil
}

func (s *service) sure(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	t := typeOf(qSure.Of(r))
	list := c.pick(r, func(e *landscape.Entry) bool { return sureOf(e, t) != nil })
	for i := range list {
		list[i].sure = sureOf(list[i].e, t)
	}
	return hits(r, sureRows, order(list, true, func(h *hit) float64 { return h.sure.RFMean })), nil
}

// usualConfidence is what high_confidence_type asks for where the request does not say.
const usualConfidence = 0.7

func (s *service) certain(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	t, least := typeOf(qHigh.Of(r)), usualConfidence
	if qMinSure.Given(r) {
		least = qMinSure.Of(r)
	}
	list := c.pick(r, func(e *landscape.Entry) bool { return typeFilter{t, least, qMinArea.Of(r)}.passes(e) })
	for i := range list {
		list[i].of = coverOf(list[i].e, t)
	}
	return hits(r, coverRows, order(list, false, func(h *hit) float64 { return h.of.AreaSqm })), nil
}

func (s *service) covers(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	in, err := here(r)
	if err != nil {
		return nil, err
	}
	by := qSort.Of(r)
	wanted := map[land.Type]bool{}
	for _, name := range qTypes.Of(r) {
		wanted[typeOf(name)] = true
	}
	var list []hit
	for _, h := range c.pick(r, in) {
		for k := range h.e.Landcover {
			if l := &h.e.Landcover[k]; len(wanted) == 0 || wanted[l.Type] {
				list = append(list, hit{e: h.e, of: l})
			}
		}
	}
	return hits(r, segmentRows, order(list, false, func(h *hit) float64 { return by.of(h.of) })), nil
}
