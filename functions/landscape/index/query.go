package index

import (
	"context"
	"slices"
	"strings"

	"mappe/artefacts/landscape"
	place "mappe/functions/core/area"
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
	qText = endpoint.String("q",
		"Mode: KGs whose code or name, or whose municipality's name, has this text. Codes that begin with it stand first, then names that are it, begin with it, have it.", endpoint.Between(2, 100), endpoint.Example("dorf"))
	qKG     = params.KG("kg", "Mode: the index record of this KG")
	qParcel = params.Parcel("parcel", "Mode: what the index has of this parcel, and the record of its KG")
	qBox    = params.Box("Mode: KGs whose box meets this one, by code. Beside segments only what lies in it; beside top_features those of the list that do.")
	qPoint  = endpoint.Parsed("point",
		"Mode: KGs near this point, lon,lat in degrees (WGS84): those whose centroid lies within radius, and those whose box holds it; the nearest centroid first.", params.ParsePosition, endpoint.Example("13.274,47.321"), endpoint.Parts)
	qState    = place.State("state", "Mode: KGs of this state")
	qDistrict = place.District("district", "Mode: KGs of this district")
	qGemeinde = place.Gemeinde("gemeinde", "Mode: KGs of this municipality")
	qType     = endpoint.Enum("type",
		"Mode: KGs that have this type of objects, by metric, the greatest first. Beside top_features=objects only this type.",
		landscape.TypeNames())
	qHansen = endpoint.Bool("hansen", "Mode: KGs that lost forest between year_from and year_to, by cells, the most first.",
		endpoint.Default("false"))
	qNew = endpoint.Bool("new_buildings",
		"Mode: KGs with at least min_count buildings that the cadastre does not have, the most first.", endpoint.Default("false"))
	qDiverge = endpoint.Bool("divergence",
		"Mode: KGs in which at least min_divergence percent of the objects have another type than the model's, the most first; with rf_type or final_type by the objects of those types.", endpoint.Default("false"))
	qPairs = endpoint.Bool("divergence_pairs",
		"Mode: pairs of the model's type and the type in the end, over all KGs, the most objects first.", endpoint.Default("false"))
	qLow = endpoint.Bool("low_confidence", "Mode: KGs whose mean confidence is at most max_confidence, the least first.",
		endpoint.Default("false"))
	qRank = endpoint.Enum("confidence_rank", "Mode: processed KGs by their mean confidence.", []direction{rising, falling})
	qSure = endpoint.Enum("type_confidence", "Mode: KGs by how sure the model is of this type, the least first.", landscape.TypeNames())
	qHigh = endpoint.Enum("high_confidence_type",
		"Mode: KGs in which the model is sure of this type with at least min_confidence and which have at least min_area_sqm of it, by area, the largest first.", landscape.TypeNames())
	qParcels = endpoint.Enum("parcels_by_type",
		"Mode: parcels most of which is of this type, by KG and number. Slow: its first page reads every KG whose parcels may be; the others read the KGs on them.", landscape.TypeNames())
	qTop = endpoint.Enum("top_features",
		"Mode: the first of the country: trees by height, objects (of a type) and infrastructure and new buildings by area; at most 1,000 of a kind and type. bbox, type and min_confidence choose among those 1,000: an area has more than the list of the country names.", []feature{trees, objects, newBuildings, infra})
	qSegments = endpoint.Bool("segments", "Mode: what KGs have of types of objects, a row for each KG and type.", endpoint.Default("false"))
	qAll      = endpoint.Bool("aggregate",
		"true sums the KGs of state, district, gemeinde or bbox, of the country where none of them is given.", endpoint.Default("false"))
)

// The parameters beside a mode.
var (
	qRadius = endpoint.Float("radius", "Radius around point.", endpoint.Unit("km"), endpoint.Between(0.01, 200), endpoint.Default("5"))
	qMetric = endpoint.Enum("metric", "What type is ordered by: area, share of the area, number of objects, mean height.",
		[]metric{byArea, byFraction, byCount, byHeight}, endpoint.Default("area"))
	qFrom       = endpoint.Int("year_from", "First year of hansen.", endpoint.Between(2000, 2100), endpoint.Default("2000"))
	qTo         = endpoint.Int("year_to", "Last year of hansen.", endpoint.Between(2000, 2100), endpoint.Default("2100"))
	qMinLoss    = endpoint.Int("min_loss", "Cells that a KG lost at least.", endpoint.Between(1, 1e9), endpoint.Default("1"))
	qMinCount   = endpoint.Int("min_count", "New buildings at least.", endpoint.Between(1, 1e6), endpoint.Default("1"))
	qMinDiverge = endpoint.Float("min_divergence", "Percent that diverge at least; with rf_type or final_type, objects.",
		endpoint.Between(0, 1e9), endpoint.Default("0"))
	qRFType  = endpoint.Enum("rf_type", "Type by the model, of divergence and divergence_pairs.", landscape.TypeNames())
	qFinal   = endpoint.Enum("final_type", "Type in the end, of divergence and divergence_pairs.", landscape.TypeNames())
	qMaxSure = endpoint.Float("max_confidence", "Mean confidence at most, of low_confidence.", endpoint.Between(0, 1),
		endpoint.Default("0.5"))
	qMinSure = endpoint.Float("min_confidence",
		"Confidence at least, of high_confidence_type (0.7 where it is not given) and top_features.", endpoint.Between(0, 1))
	qMinArea = endpoint.Float("min_area_sqm", "Area at least, of high_confidence_type.", endpoint.Unit("m²"), endpoint.Between(0, 1e12),
		endpoint.Default("0"))
	qTypes = endpoint.EnumList("object_type", "Only these types, of segments, with commas between.", landscape.TypeNames())
	qSort  = endpoint.Enum("sort", "Order of segments: area, share, objects, mean height, the greatest first.",
		[]metric{byArea, byFraction, byCount, byHeight}, endpoint.Default("area"))
	qProcessed = endpoint.Bool("processed_only", "true leaves out KGs that were not processed.", endpoint.Default("false"))
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
			return nil, fault.New(fault.Conflict, "%s and %s are both given: exactly one mode is asked at a time", one.param.Name(),
				m.param.Name())
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
for a KG with processed false. Answers come from an index in memory; top_features reads a list of the country, at most 1,000, of which bbox leaves those in it, parcels_by_type the parcels of
all KGs that may have some.`

func (s *service) query() endpoint.Endpoint {
	all := modes()
	var ps []endpoint.AnyParam
	for _, m := range all {
		ps = append(ps, m.param)
	}
	ps = append(ps, qRadius, qMetric, qFrom, qTo, qMinLoss, qMinCount, qMinDiverge, qRFType, qFinal, qMaxSure, qMinSure, qMinArea, qTypes,
		qSort, qProcessed)
	return s.background(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/query", ID: "query", Tag: tag, Summary: "Search over all KGs", Doc: queryDoc, Params: ps,
		Answer: endpoint.Answer{Rows: []*format.RowType{kgRows.RowType, nearRows.RowType, coverRows.RowType, lossRows.RowType,
			pairRows.RowType, sureRows.RowType, segmentRows.RowType, divergenceRows.RowType,
			landRows.RowType, topTreeRows.RowType, topObjectRows.RowType, topNewRows.RowType, topInfraRows.RowType}, JSONOnly: true,
			Page: endpoint.Page{Default: 100, Max: 1000}, Body: listed{},
			Others: []endpoint.Other{{Status: 200, Doc: "With kg: the record.", Body: endpoint.Open{}},
				{Status: 200, Doc: "With aggregate: the sums.", Body: sumsBody{}}}},
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
