// Package landuse is land use by area, which the cadastre and the landscape service answer: /landuse/distribution, from the
// summaries of the parcels' columns (functions/core/parcelcolumns). It opens no KG.
package landuse

import (
	"cmp"
	"context"
	"slices"

	"mappe/artefacts/columns"
	"mappe/artefacts/register"
	"mappe/functions/core/area"
	"mappe/functions/core/parcelcolumns"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// level is by what land use is summed up.
type level string

const (
	byKG       level = "kg"
	byGemeinde level = "gemeinde"
	byDistrict level = "district"
	byState    level = "state"
)

var (
	code = endpoint.Parsed("code", "Only these land-use codes, or abbreviations: a comma list.", austria.ParseLandUseSet,
		endpoint.Example("52"))
	abbr = endpoint.Parsed("abbr", "Only the codes of these abbreviations: a comma list.", austria.ParseLandUseSet,
		endpoint.Example("W"))
	groupBy = endpoint.Enum("group_by", "By what land use is summed up.", []level{byKG, byGemeinde, byDistrict, byState},
		endpoint.Default(string(byKG)))
)

// share is one land use of one area.
type share struct {
	level            level
	code, name       string
	use              austria.LandUse
	polygons, points int
	area             uint64 // 0.01 m² plus 1; 0 none
}

// shares are the rows of /landuse/distribution.
var shares = format.NewSchema("landuse_distribution", "Land use of an area.", format.Drawing[share]{}, format.Fields[share]{
	{Column: format.Column{Name: "group_by", Enum: []string{"kg", "gemeinde", "district", "state"}, Doc: "By what land use is summed up."},
		Get: func(s *share) format.Value { return format.String(string(s.level)) }},
	{Column: format.Column{Name: "area_code", Doc: "Code of the KG, municipality, district or state."},
		Get: func(s *share) format.Value { return format.String(s.code) }},
	{Column: format.Column{Name: "area_name", Doc: "Its name."}, Get: func(s *share) format.Value { return format.Text(s.name) }},
	{Column: format.Column{Name: "code", Type: format.TypeInt, Doc: "Land-use code."}, Get: func(s *share) format.Value {
		return format.Int(int64(s.use))
	}},
	{Column: format.Column{Name: "abbr", Doc: "Its abbreviation."}, Get: func(s *share) format.Value { return format.Text(s.use.Abbr()) }},
	{Column: format.Column{Name: "type_name", Doc: "Its German name."}, Get: func(s *share) format.Value {
		return format.Text(s.use.Name())
	}},
	{Column: format.Column{Name: "polygon_count", Type: format.TypeInt, Doc: "Land-use polygons (source nfl)."},
		Get: func(s *share) format.Value { return format.Int(int64(s.polygons)) }},
	{Column: format.Column{Name: "point_count", Type: format.TypeInt, Doc: "Land-use symbols (source nsy)."},
		Get: func(s *share) format.Value { return format.Int(int64(s.points)) }},
	{Column: format.Column{Name: "total_area_sqm", Type: format.TypeFloat, Decimals: 2, Unit: "m²",
		Doc: "Area of the polygons; null where there are only symbols."},
		Get: func(s *share) format.Value { return format.Float(columns.Sqm(s.area), 2) }},
	{Column: format.Column{Name: "landuse_areas_source", Enum: []string{"polygons", "none"},
		Doc: "polygons: the area is that of the land-use polygons, put together again from the tiles, of buildings that of the footprints in parcels, as in /query; none: there are only symbols, which have no area."},
		Get: func(s *share) format.Value { return format.String(s.source()) }},
})

func (s *share) source() string {
	if s.area == 0 {
		return "none"
	}
	return "polygons"
}

const distributionDoc = `Number of land-use polygons and symbols and the area of the polygons, by land-use code and area. Without an area the whole
country is summed up. Order: code of the area, land-use code. A KG without a snapshot is left out and stands in meta.`

// Distribution is land use by area of KGs, municipalities, districts and states.
func Distribution() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/landuse/distribution", ID: "landuse_distribution", Tag: "Land use",
		Summary: "Land use by KG, municipality, district or state",
		Doc:     distributionDoc + view.MissingDoc,
		Params:  slices.Concat(area.Params, []endpoint.AnyParam{code, abbr, groupBy}),
		Answer:  endpoint.Answer{Rows: []*format.RowType{shares.RowType}, Meta: view.GapsMeta{}, Headers: view.ReadyHeaders},
		Example: "/api/v1/landuse/distribution?kg=99101",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			return distributed(ctx, v, r)
		},
	}
}

func distributed(ctx context.Context, v *view.View, r *endpoint.Request) (reply.Answer, error) {
	codes, named, err := area.Found(v.Register(), r)
	if err != nil {
		return nil, err
	}
	asked := view.Selection{Codes: codes, Everywhere: !named, Name: area.Name(r)}
	var gaps view.Missing
	asked.Note(ctx, v, &gaps)
	c, err := parcelcolumns.Open(ctx, v)
	if err != nil {
		return nil, err
	}
	list, err := sharesOf(asked.Built(v), c, groupBy.Of(r), wantedUse(r))
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the columns of the parcels do not fit the register").Because(err)
	}
	return gaps.Mark(endpoint.Listed(r, shares, list, func(item, of *share) { *item = *of })), nil
}

// wantedUse chooses land uses.
func wantedUse(r *endpoint.Request) func(austria.LandUse) bool {
	return func(c austria.LandUse) bool {
		return (!code.Given(r) || code.Of(r).Has(c)) && (!abbr.Given(r) || abbr.Of(r).Has(c))
	}
}

// sharesOf sums the summaries of KGs by area and code.
func sharesOf(kgs []*register.KG, c *parcelcolumns.Columns, by level, wanted func(austria.LandUse) bool) ([]share, error) {
	type key struct {
		code string
		use  austria.LandUse
	}
	at := map[key]int{}
	var list []share
	for _, k := range kgs {
		sum, _, err := c.KG(k.Code)
		if err != nil {
			return nil, err
		}
		areaCode, name := by.of(k)
		for _, u := range sum.Uses {
			if u.Code == austria.LandUseBuilding && u.Polygons == 0 { // the buildings of the use layer are footprints
				u.Polygons, u.PolygonArea = k.FootprintCount, u.ParcelArea
			}
			if u.Polygons+u.Points == 0 || !wanted(u.Code) {
				continue
			}
			n, ok := at[key{areaCode, u.Code}]
			if !ok {
				n = len(list)
				at[key{areaCode, u.Code}] = n
				list = append(list, share{level: by, code: areaCode, name: name, use: u.Code})
			}
			list[n].polygons += u.Polygons
			list[n].points += u.Points
			columns.AddArea(&list[n].area, u.PolygonArea)
		}
	}
	slices.SortFunc(list, func(a, b share) int { return cmp.Or(cmp.Compare(a.code, b.code), cmp.Compare(a.use, b.use)) })
	return list, nil
}

// of is the area of a KG.
func (l level) of(k *register.KG) (code, name string) {
	switch l {
	case byGemeinde:
		return string(k.GemeindeCode), k.GemeindeName
	case byDistrict:
		return string(k.DistrictCode), k.DistrictName
	case byState:
		return string(k.State()), k.State().Name()
	}
	return string(k.Code), k.Name
}
