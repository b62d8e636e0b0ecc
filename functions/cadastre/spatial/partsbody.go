package spatial

import (
	"cmp"
	"context"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/functions/core/landprices"
	"mappe/functions/core/overlays"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/landprice"
)

// areaBody is what is told of an area as a whole. A part that was not asked for, or that the generation has no data of, is
// left out.
type areaBody struct {
	AreaSqm   float64      `json:"area_sqm" doc:"EPSG:3035, grown by buffer"`
	Parcels   *parcelsIn   `json:"parcels,omitempty"`
	LandUse   *useIn       `json:"landuse,omitempty"`
	Natura    *[]siteIn    `json:"natura2000,omitempty" doc:"the largest overlap first; left out where the generation has no overlays"`
	Protected *[]areaIn    `json:"protected_areas,omitempty" doc:"as natura2000"`
	Prices    *pricesIn    `json:"prices,omitempty" doc:"left out where the generation has no prices"`
	Buildings *buildingsIn `json:"buildings,omitempty"`
}

type parcelsIn struct {
	Count      int     `json:"count" doc:"that share area with it"`
	Whole      int     `json:"within" doc:"of which no part lies outside, but for a hundredth of a square metre"`
	OverlapSqm float64 `json:"overlap_sqm"`
	OverlapPct float64 `json:"overlap_of_area_pct"`
}

type useIn struct {
	Classes []useWithin `json:"classes" doc:"the largest first"`
	Uses    []useWithin `json:"uses" doc:"by code of land use, the largest first"`
}

type useWithin struct {
	Class      string  `json:"class" enum:"geb,bau,acker,gruen,wald,wasser,verkehr,alpen,sonst"`
	Code       int     `json:"code,omitempty"`
	Name       string  `json:"name,omitempty"`
	NameEN     string  `json:"name_en,omitempty"`
	OverlapSqm float64 `json:"overlap_sqm"`
	Pct        float64 `json:"overlap_of_area_pct"`
}

type overlapIn struct {
	OverlapSqm float64 `json:"overlap_sqm"`
	OfArea     float64 `json:"overlap_of_area_pct"`
	OfSite     float64 `json:"overlap_of_site_pct"`
}

type siteIn struct {
	Code string `json:"sitecode"`
	Name string `json:"sitename"`
	Type string `json:"sitetype" enum:"A,B,C"`
	overlapIn
}

type areaIn struct {
	Name     string `json:"name"`
	Desig    string `json:"desig"`
	DesigEng string `json:"desig_eng"`
	IUCN     string `json:"iucn_cat"`
	overlapIn
}

type pricesIn struct {
	Year        int            `json:"year"`
	Classes     []classPriceIn `json:"classes" doc:"price classes that have parcels, the largest part of the area first"`
	Attribution string         `json:"attribution"`
}

type classPriceIn struct {
	Class      string   `json:"class"`
	Parcels    int      `json:"parcel_count"`
	Priced     int      `json:"priced_count"`
	OverlapSqm float64  `json:"overlap_sqm"`
	Low        *float64 `json:"low_eur_per_sqm" doc:"null without a price"`
	Median     *float64 `json:"median_eur_per_sqm"`
	High       *float64 `json:"high_eur_per_sqm"`
}

type buildingsIn struct {
	Points     int     `json:"address_point_count"`
	Footprints int     `json:"footprint_count" doc:"that share area with it"`
	OverlapSqm float64 `json:"footprint_overlap_sqm"`
	Pct        float64 `json:"footprint_overlap_of_area_pct"`
}

func hundredths(v float64) float64 { return math.Round(v*100) / 100 }

// over tells what lies over the area.
func (w *ground) over(ctx context.Context, v *view.View, out *areaBody) error {
	if !w.has(partNatura) && !w.has(partProtected) {
		return nil
	}
	sites, areas, known, err := overlays.Lying(ctx, v, w.shape)
	if err != nil || !known {
		return err
	}
	if w.has(partNatura) {
		out.Natura = &[]siteIn{}
		for _, s := range sites {
			*out.Natura = append(*out.Natura, siteIn{s.Code, s.Name, s.Type.String(), overlapIn{s.In.Sqm, s.In.PlacePct, s.In.SelfPct}})
		}
	}
	if w.has(partProtected) {
		out.Protected = &[]areaIn{}
		for _, a := range areas {
			*out.Protected = append(*out.Protected,
				areaIn{a.Name, a.Desig, a.DesigEng, a.IUCN, overlapIn{a.In.Sqm, a.In.PlacePct, a.In.SelfPct}})
		}
	}
	return nil
}

// tally adds up the parts that are of KGs.
type tally struct {
	w      *ground
	book   *landprices.Prices // nil: no prices
	body   parcelsIn
	built  buildingsIn
	uses   map[austria.LandUse]float64
	prices map[landprice.Class]*classPriceIn
	eur    map[landprice.Class][]float64
}

func newTally(w *ground) *tally {
	return &tally{w: w, uses: map[austria.LandUse]float64{}, prices: map[landprice.Class]*classPriceIn{},
		eur: map[landprice.Class][]float64{}}
}

// add adds a KG.
func (t *tally) add(f *kgfile.File) error {
	list, err := f.Parcels()
	if err != nil {
		return err
	}
	areas, err := f.LandUse()
	if err != nil {
		return err
	}
	var failed error
	f.InBox(t.w.search.Area.Box(), func(i int) bool {
		failed = t.parcel(f, list, i, len(areas) == 0)
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	if t.w.has(partUse) {
		for i := range areas {
			sqm, err := t.w.common(areas[i].Geometry, areas[i].Geometry.Bounds(), areas[i].AreaSqm)
			if err != nil {
				return err
			}
			t.uses[areas[i].NS] += sqm
		}
	}
	return t.buildings(f, len(areas) > 0)
}

// parcel adds a parcel, with its land use where the KG has no areas of it.
func (t *tally) parcel(f *kgfile.File, list []kgfile.Parcel, i int, byParcel bool) error {
	p := &list[i]
	m, box := f.ParcelGeometry(i), f.ParcelBox(i)
	if !t.w.search.Matches(m, box, p.Inside) {
		return nil
	}
	sqm, err := t.w.common(m, box, p.AreaSqm)
	if err != nil {
		return err
	}
	t.body.Count++
	t.body.OverlapSqm += sqm
	if p.AreaSqm-sqm < 0.01 {
		t.body.Whole++
	}
	if byParcel && p.AreaSqm > 0 {
		for _, u := range p.UseAreas {
			t.uses[u.Code] += u.Sqm * min(1, sqm/p.AreaSqm)
		}
	}
	if t.book == nil {
		return nil
	}
	_, e, err := t.book.OfParcel(f, i, t.w.year)
	if err != nil {
		return err
	}
	c := t.prices[e.Class]
	if c == nil {
		c = &classPriceIn{Class: e.Class.String()}
		t.prices[e.Class] = c
	}
	c.Parcels++
	c.OverlapSqm += sqm
	if e.BuyPerSqm > 0 {
		c.Priced++
		t.eur[e.Class] = append(t.eur[e.Class], e.BuyPerSqm)
	}
	return nil
}

// buildings adds the footprints and the address points of a KG. Footprints are the ground that its land-use areas leave out.
func (t *tally) buildings(f *kgfile.File, ofUse bool) error {
	if !t.w.has(partBuildings) && !(ofUse && t.w.has(partUse)) {
		return nil
	}
	shapes, err := f.Footprints()
	if err != nil {
		return err
	}
	points, err := f.Buildings()
	if err != nil {
		return err
	}
	box := t.w.search.Area.Box()
	var failed error
	err = f.FootprintsInBox(box, func(i int) bool {
		m := shapes[i].Geometry
		if b := m.Bounds(); t.w.search.Matches(m, b, shapes[i].Inside) {
			var sqm float64
			sqm, failed = t.w.common(m, b, shapes[i].AreaSqm)
			t.built.Footprints++
			t.built.OverlapSqm += sqm
			if ofUse {
				t.uses[shapes[i].NS] += sqm
			}
		}
		return failed == nil
	})
	if err = cmp.Or(failed, err); err != nil {
		return err
	}
	return f.BuildingsInBox(box, func(i int) bool {
		if holds(t.w, points[i].At) {
			t.built.Points++
		}
		return true
	})
}

func holds(w *ground, p geom.Point) bool { return w.search.Area.Contains(p) }

// tell writes the sums.
func (t *tally) tell(out *areaBody) {
	w := t.w
	if w.has(partParcels) {
		b := t.body
		b.OverlapSqm, b.OverlapPct = hundredths(b.OverlapSqm), hundredths(overlays.Percent(b.OverlapSqm, w.sqm))
		out.Parcels = &b
	}
	if w.has(partBuildings) {
		b := t.built
		b.OverlapSqm, b.Pct = hundredths(b.OverlapSqm), hundredths(overlays.Percent(b.OverlapSqm, w.sqm))
		out.Buildings = &b
	}
	if w.has(partUse) {
		out.LandUse = t.landUse()
	}
	if t.book != nil {
		out.Prices = t.priced()
	}
}

func (t *tally) landUse() *useIn {
	u := &useIn{Classes: []useWithin{}, Uses: []useWithin{}}
	byClass := map[austria.LandUseClass]float64{}
	for code, sqm := range t.uses {
		if hundredths(sqm) <= 0 {
			continue
		}
		byClass[code.Class()] += sqm
		row, _ := code.Row()
		u.Uses = append(u.Uses, useWithin{Class: code.Class().String(), Code: int(code), Name: row.Name, NameEN: row.English,
			OverlapSqm: hundredths(sqm), Pct: hundredths(overlays.Percent(sqm, t.w.sqm))})
	}
	for class, sqm := range byClass {
		u.Classes = append(u.Classes, useWithin{Class: class.String(), OverlapSqm: hundredths(sqm),
			Pct: hundredths(overlays.Percent(sqm, t.w.sqm))})
	}
	largest := func(a, b useWithin) int {
		return cmp.Or(cmp.Compare(b.OverlapSqm, a.OverlapSqm), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Class, b.Class))
	}
	slices.SortFunc(u.Uses, largest)
	slices.SortFunc(u.Classes, largest)
	return u
}

func (t *tally) priced() *pricesIn {
	p := &pricesIn{Year: t.w.year, Classes: []classPriceIn{}, Attribution: t.book.Attribution()}
	for class, c := range t.prices {
		c.OverlapSqm = hundredths(c.OverlapSqm)
		if list := t.eur[class]; len(list) > 0 {
			slices.Sort(list)
			low, high := hundredths(list[0]), hundredths(list[len(list)-1])
			median := hundredths((list[(len(list)-1)/2] + list[len(list)/2]) / 2)
			c.Low, c.Median, c.High = &low, &median, &high
		}
		p.Classes = append(p.Classes, *c)
	}
	slices.SortFunc(p.Classes, func(a, b classPriceIn) int {
		return cmp.Or(cmp.Compare(b.OverlapSqm, a.OverlapSqm), cmp.Compare(a.Class, b.Class))
	})
	return p
}
