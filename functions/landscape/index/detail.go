package index

import (
	"context"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/landscape"
	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/generation"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// nearArea is how many metres a parcel lies from a protected area at most to be near it.
const nearArea = 500

// legalBody is a reference of a law.
type legalBody struct {
	Law     string  `json:"law"`
	Context string  `json:"legal_context"`
	List    string  `json:"parcel_list_type" enum:"listed,boundary_walk"`
	Parcel  *string `json:"grundstueck" doc:"null where the law names the KG as a whole"`
	URL     string  `json:"ris_url"`
}

// areaBody is a protected area.
type areaBody struct {
	Name  string   `json:"name"`
	Desig string   `json:"desig"`
	IUCN  string   `json:"iucn_cat"`
	Metre *float64 `json:"distance_m" doc:"0 inside"`
}

// scoreBody is a conservation score with its parts; a part that is not known is null and counts nothing.
type scoreBody struct {
	Score      float64  `json:"score" doc:"0 to 100: the sum of the parts that are known"`
	Legal      *float64 `json:"legal_protection" doc:"30 where a law on nature, landscape, water, species or a park names the parcel or its KG; null where laws are not available"`
	Area       *float64 `json:"protected_area" doc:"20 inside, 10 within 500 m; null where areas are not available"`
	Vegetation *float64 `json:"vegetation" doc:"20 times the vegetated fraction"`
	NDVI       *float64 `json:"ndvi" doc:"15 at 0.8 and above"`
	Canopy     *float64 `json:"tree_canopy" doc:"15 log10(1 + m²) / log10(1 + 10,000), at most 15"`
}

// protection is what laws and areas say of a parcel; known false where they are not at hand.
type protection struct{ known, legal, inside, near bool }

// conservation is the score of a parcel; p is nil where analysis has nothing of it.
func conservation(p *landscape.Parcel, by protection) scoreBody {
	var s scoreBody
	worth := 0
	if p != nil {
		w := landscape.WorthOf(p)
		s.Vegetation, s.NDVI, s.Canopy, worth = pointsOf(w.Vegetation), pointsOf(w.NDVI), pointsOf(w.Canopy), w.Sum()
	}
	if by.known {
		legal, area := float64(by.lawPoints()), float64(by.areaPoints())
		s.Legal, s.Area = &legal, &area
	}
	s.Score = by.score(worth)
	return s
}

// pointsOf are the points of hundredths; nil: nobody knows.
func pointsOf(hundredths int) *float64 {
	if hundredths == landscape.UnknownWorth {
		return nil
	}
	p := float64(hundredths) / 100
	return &p
}

// score is that of a parcel of a worth, to a tenth. It adds whole hundredths: the sum is the same in whatever order.
func (by protection) score(worth int) float64 {
	if by.known {
		worth += 100 * (by.lawPoints() + by.areaPoints())
	}
	return float64((worth+5)/10) / 10
}

func (by protection) lawPoints() int {
	if by.legal {
		return 30
	}
	return 0
}

func (by protection) areaPoints() int {
	switch {
	case by.inside:
		return 20
	case by.near:
		return 10
	}
	return 0
}

// openOrNull describes an object of whatever members, or null.
type openOrNull struct {
	endpoint.Open
	_ struct{} `nullable:"true"` // in the description of the service
}

// detailBody is the answer of a parcel's detail.
type detailBody struct {
	ID           string        `json:"parcel_id"`
	Processed    bool          `json:"processed"`
	Cadastre     endpoint.Open `json:"cadastre"`
	Legal        *[]legalBody  `json:"legal_references" doc:"null where laws are not available"`
	Areas        *[]areaBody   `json:"protected_areas" doc:"that hold the parcel's centroid, and those within 500 m of it; null where areas are not available"`
	Landscape    openOrNull    `json:"landscape" doc:"as /parcel/{parcel_id} has it; null of a KG that was not processed, of a parcel that is newer than the analysis, and where the file of the KG cannot be read, which meta says"`
	Conservation scoreBody     `json:"conservation"`
	Meta         profileMeta   `json:"meta"`
}

func (s *service) detail() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/parcel/{parcel_id}/detail", ID: "landscape_parcel_detail", Tag: tag,
		Summary: "A parcel with its laws, areas, landscape and conservation score",
		Doc: `The parcel of the cadastre, the laws that name it or its KG, protected areas that hold its centroid or lie within 500 m of it, what analysis found on it and a
conservation score of 0 to 100: named by a law that protects nature 30; inside a protected area 20, near one 10; vegetation up to 20; vegetation index up to 15; canopy up to 15.
Parts that are not known are null and count nothing.`,
		Params: []endpoint.AnyParam{parcelPath}, Answer: endpoint.Answer{Body: detailBody{}, Headers: view.ReadyHeaders},
		Example: "/api/v1/parcel/09902-287/detail",
		Serve:   s.detailOf,
	}
}

func (s *service) detailOf(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	id := parcelPath.Of(r)
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	f, row, err := v.Parcel(ctx, id)
	if err != nil {
		return nil, err
	}
	parcels, err := f.Parcels()
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	c, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	e, err := c.need(id.KG)
	if err != nil {
		return nil, err
	}
	var gaps view.Missing
	var found *landscape.Parcel
	if e.Processed {
		if found, err = c.analysed(ctx, id, &gaps); err != nil {
			return nil, err
		}
	}
	over, err := coveringOf(ctx, overlayindex.Of(v.View), id, parcels[row].Centroid)
	if err != nil {
		return nil, err
	}
	score := conservation(found, over.protection)
	return gaps.MarkStream(&reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("parcel_id", id.String())
		j.Member("processed", e.Processed)
		j.Key("cadastre")
		writeCadastre(j, f, &parcels[row])
		j.Member("legal_references", over.laws)
		j.Member("protected_areas", over.areas)
		j.Key("landscape")
		if found == nil {
			j.Null()
		} else {
			j.Object()
			writeParcel(j, found)
			j.EndObject()
		}
		j.Member("conservation", score)
		return nil
	}}), nil
}

// analysed is what analysis found on a parcel; nil where it is newer than the analysis, and where the file of the KG cannot be read,
// which is noted.
func (c *country) analysed(ctx context.Context, id austria.ParcelID, gaps *view.Missing) (*landscape.Parcel, error) {
	found, err := c.parcel(ctx, id)
	if err == nil || isNewer(err) {
		return found, nil
	}
	why := absent(ctx, err)
	if why == 0 {
		return nil, err
	}
	gaps.Note(id.KG, why)
	return nil, nil
}

// covering is what lies over a parcel: the laws and the areas, nil where they are not at hand, and what they say of it.
type covering struct {
	laws  *[]legalBody
	areas *[]areaBody
	protection
}

func coveringOf(ctx context.Context, o *overlayindex.Overlays, id austria.ParcelID, centroid geom.Point) (over covering, err error) {
	if over.laws, err = lawsOf(ctx, o, id.KG, id.GNR); err != nil {
		return over, err
	}
	if over.areas, over.inside, err = areasOf(ctx, o, centroid); err != nil {
		return over, err
	}
	over.known = o.Has()
	over.legal = over.laws != nil && slices.ContainsFunc(*over.laws, func(l legalBody) bool {
		return protective(overlays.Context(l.Context))
	})
	over.near = over.areas != nil && len(*over.areas) > 0
	return over, nil
}

func writeCadastre(j *format.JSON, f *kgfile.File, p *kgfile.Parcel) {
	kg := f.KG()
	row := rowschema.ParcelRow{KG: &kg, P: p}
	j.Object()
	for _, field := range rowschema.Parcel.Fields {
		j.Key(field.Name)
		j.Value(field.Get(&row))
	}
	j.EndObject()
}

// lawsOf are the references that name a parcel or its KG as a whole; without a number those of the KG and all its parcels; nil where
// laws are not at hand.
func lawsOf(ctx context.Context, o *overlayindex.Overlays, kg austria.KGCode, gnr austria.GNR) (*[]legalBody, error) {
	out := []legalBody{}
	if !o.Has() {
		return nil, nil
	}
	rows, err := o.Legal(ctx, overlayindex.LegalFilter{KG: kg})
	if err != nil {
		return nil, generation.FaultOf(ctx, "the references of laws", err)
	}
	for _, r := range rows {
		if gnr != "" && r.Ref.GNR != "" && !landscape.SameParcel(string(kg)+"-"+string(r.Ref.GNR), string(kg)+"-"+string(gnr)) {
			continue
		}
		b := legalBody{Law: r.Law.Name, Context: string(r.Law.Context), List: r.Ref.List.String(), URL: r.Law.URL}
		if r.Ref.GNR != "" {
			n := string(r.Ref.GNR)
			b.Parcel = &n
		}
		out = append(out, b)
	}
	return &out, nil
}

// areasOf are the protected areas that hold a place or lie near it, by their distance; nil where areas are not at hand.
func areasOf(ctx context.Context, o *overlayindex.Overlays, at geom.Point) (list *[]areaBody, inside bool, err error) {
	out := []areaBody{}
	if !o.Has() {
		return nil, false, nil
	}
	areas, err := o.Areas(ctx)
	if err != nil {
		return nil, false, generation.FaultOf(ctx, "the protected areas", err)
	}
	around := crs.Grow(geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}, nearArea)
	for i := range areas {
		if !areas[i].Box.Intersects(around) {
			continue
		}
		of, err := o.Around(ctx, []int{i}, nearArea)
		if err != nil {
			return nil, false, generation.FaultOf(ctx, "the protected areas", err)
		}
		p := of.Place(at)
		if !p.Within && !p.Near {
			continue
		}
		b := areaBody{Name: areas[i].Name, Desig: areas[i].Desig, IUCN: areas[i].IUCN, Metre: rounded(p.Metres, 1)}
		if p.Within {
			b.Metre, inside = rounded(0, 1), true
		}
		out = append(out, b)
	}
	slices.SortStableFunc(out, func(a, b areaBody) int { return compare(*a.Metre, *b.Metre, true) })
	return &out, inside, nil
}

// useBody is a land use of a KG.
type useBody struct {
	Code     int      `json:"code"`
	Abbr     string   `json:"abbr"`
	Name     string   `json:"type_name"`
	Parcels  int      `json:"parcels" doc:"parcels with it"`
	Area     *float64 `json:"area_sqm" doc:"on parcels; null where no polygon says it"`
	Fraction *float64 `json:"fraction" doc:"of the areas that are known"`
}

// profileBody is the profile of a KG.
type profileBody struct {
	KG        string        `json:"kg_code"`
	Cadastre  endpoint.Open `json:"cadastre"`
	LandUse   []useBody     `json:"landuse" doc:"by area, the largest first"`
	Legal     *[]legalBody  `json:"legal_references" doc:"null where laws are not available"`
	Landscape endpoint.Open `json:"landscape" doc:"the record and its lists; processed false where it was not analysed"`
	Meta      profileMeta   `json:"meta"`
}

type profileMeta struct {
	reply.DatasetMeta
	view.GapsMeta
}

func (s *service) profile() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/{kg_code}/profile", ID: "landscape_kg_profile", Tag: tag,
		Summary: "A KG in one answer: cadastre, land use, laws, landscape",
		Doc:     "What the cadastre knows of the KG, its land use by the areas on its parcels, the laws that name it or parcels of it, and what analysis found. A KG whose snapshot cannot be read has no land use here; meta says so.",
		Params:  []endpoint.AnyParam{kgPath}, Answer: endpoint.Answer{Body: profileBody{}, Headers: view.ReadyHeaders},
		Example: "/api/v1/kg/09902/profile",
		Serve:   s.profileOf,
	}
}

// cadastral are the columns of the record that the cadastre knows.
var cadastral = landscape.RecordColumns.Fields().Only("kg_code", "kg_name", "gemeinde_code", "gemeinde_name", "district_code",
	"district_name", "state_code", "state_name", "bbox", "centroid",
	"parcel_count", "building_count", "total_area_sqm")

func (s *service) profileOf(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	code := kgPath.Of(r)
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	c, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	e, err := c.need(code)
	if err != nil {
		return nil, err
	}
	var gaps view.Missing
	f, err := v.Read(ctx, code, &gaps)
	if err != nil {
		return nil, err
	}
	uses := []useBody{}
	if f != nil {
		parcels, err := f.Parcels()
		if err != nil {
			return nil, generation.Fault(ctx, err)
		}
		uses = usesOf(parcels)
	}
	laws, err := lawsOf(ctx, overlayindex.Of(v.View), code, "")
	if err != nil {
		return nil, err
	}
	return gaps.MarkStream(&reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("kg_code", string(code))
		j.Key("cadastre")
		j.Object()
		for _, field := range cadastral {
			j.Key(field.Name)
			j.Value(field.Get(&e.Record))
		}
		j.EndObject()
		j.Member("landuse", uses)
		j.Member("legal_references", laws)
		j.Key("landscape")
		j.Object()
		writeRecord(j, &e.Record)
		writeLists(j, &e.Summary)
		j.EndObject()
		return nil
	}}), nil
}

// usesOf sums the land use of parcels.
func usesOf(parcels []kgfile.Parcel) []useBody {
	areas, counts, all := map[austria.LandUse]float64{}, map[austria.LandUse]int{}, 0.0
	for i := range parcels {
		seen := map[austria.LandUse]bool{}
		for _, u := range parcels[i].UseAreas {
			if u.Sqm == u.Sqm {
				areas[u.Code] += u.Sqm
				all += u.Sqm
			}
			seen[u.Code] = true
		}
		for _, u := range parcels[i].SymbolCounts {
			seen[u.Code] = true
		}
		for code := range seen {
			counts[code]++
		}
	}
	out := []useBody{}
	for code, n := range counts {
		b := useBody{Code: int(code), Abbr: code.Abbr(), Name: code.Name(), Parcels: n}
		if a, ok := areas[code]; ok {
			b.Area, b.Fraction = rounded(a, 2), rounded(a/all, 4)
		}
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b useBody) int {
		if c := compare(number(a.Area), number(b.Area), false); c != 0 {
			return c
		}
		return a.Code - b.Code
	})
	return out
}

func number(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
