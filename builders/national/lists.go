package national

import (
	"math"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// KGList is the static list of all KGs (national/kgs-{sum}.json): the data of GET /kgs.
type KGList struct {
	KGCount      int     `json:"kg_count"`
	UniverseHash string  `json:"universe_hash"`
	HashRecipe   string  `json:"universe_hash_recipe"`
	KGs          []kgRow `json:"kgs"`
}

// kgRow is one KG of the list, codes padded.
type kgRow struct {
	Code         austria.KGCode       `json:"kg_code"`
	Name         string               `json:"kg_name"`
	GemeindeCode austria.GemeindeCode `json:"gemeinde_code"`
	GemeindeName string               `json:"gemeinde_name"`
	DistrictCode austria.DistrictCode `json:"district_code"`
	DistrictName string               `json:"district_name"`
	StateCode    austria.StateCode    `json:"state_code"`
	StateName    string               `json:"state_name"`
	BBox         *[4]float64          `json:"bbox"`     // min_lon, min_lat, max_lon, max_lat; null without an outline
	Centroid     *[2]float64          `json:"centroid"` // lon, lat; null without an outline
}

func kgList(kgs []register.KG, hash string) KGList {
	l := KGList{KGCount: len(kgs), UniverseHash: hash, HashRecipe: register.UniverseHashRecipe, KGs: make([]kgRow, len(kgs))}
	for i := range kgs {
		k := &kgs[i]
		l.KGs[i] = kgRow{
			Code: k.Code, Name: k.Name, GemeindeCode: k.GemeindeCode, GemeindeName: k.GemeindeName,
			DistrictCode: k.DistrictCode, DistrictName: k.DistrictName, StateCode: k.State(), StateName: k.State().Name(),
		}
		if !k.Box.Empty() {
			l.KGs[i].BBox = &[4]float64{degrees(k.Box.MinX), degrees(k.Box.MinY), degrees(k.Box.MaxX), degrees(k.Box.MaxY)}
			l.KGs[i].Centroid = &[2]float64{k.Centroid.Lon(), k.Centroid.Lat()}
		}
	}
	return l
}

func degrees(v int32) float64 { return float64(v) / geom.Scale }

// Metrics are the national totals (national/metrics-{sum}.json), sums of the KGs' digests.
type Metrics struct {
	Total  Totals                       `json:"total"`
	States map[austria.StateCode]Totals `json:"states"`
}

// Totals are sums over KGs. Areas in m².
type Totals struct {
	KGs            int            `json:"kg_count"`
	Districts      int            `json:"district_count"`
	Municipalities int            `json:"municipality_count"`
	Parcels        int            `json:"parcel_count"`
	Buildings      int            `json:"building_count"`
	Footprints     int            `json:"footprint_count"`
	Folios         int            `json:"ez_count"`
	AreaSqm        float64        `json:"total_area_sqm"`
	FootprintSqm   float64        `json:"total_footprint_area_sqm"`
	Typologies     map[string]int `json:"kgs_by_typology"`
}

func metrics(rows []row) Metrics {
	m := Metrics{States: map[austria.StateCode]Totals{}}
	of := map[austria.StateCode][]row{}
	for _, r := range rows {
		s := r.digest.KG.GemeindeCode.State()
		of[s] = append(of[s], r)
	}
	m.Total = totals(rows)
	for s, list := range of {
		m.States[s] = totals(list)
	}
	return m
}

func totals(rows []row) Totals {
	t := Totals{KGs: len(rows), Typologies: map[string]int{}}
	districts, municipalities := map[austria.DistrictCode]bool{}, map[austria.GemeindeCode]bool{}
	for _, r := range rows {
		k := r.digest.KG
		districts[k.GemeindeCode.District()] = true
		municipalities[k.GemeindeCode] = true
		t.Parcels += k.ParcelCount
		t.Buildings += k.BuildingCount
		t.Footprints += k.FootprintCount
		t.Folios += k.EZCount
		t.AreaSqm += k.TotalAreaSqm
		t.FootprintSqm += k.TotalFootprintAreaSqm
		t.Typologies[rowschema.TypologyName(k.Typology)]++
	}
	t.Districts, t.Municipalities = len(districts), len(municipalities)
	t.AreaSqm, t.FootprintSqm = math.Round(t.AreaSqm), math.Round(t.FootprintSqm)
	return t
}

// coldKG is a KG of the register whose snapshot is not in the store. Without an outline its box is empty
// and its centroid the zero point.
func coldKG(f kgbuild.Facts) register.KG {
	box := f.Outline.Bounds()
	at, _ := f.Outline.Centroid()
	return register.KG{
		KG: kgfile.KG{
			Code: f.Code, Name: f.Name, GemeindeCode: f.GemeindeCode, GemeindeName: f.GemeindeName, DistrictName: f.DistrictName, Box: box,
			AvgNNDistanceM: math.NaN(), FootprintMedianAreaSqm: math.NaN(), MedianParcelAreaSqm: math.NaN(),
		},
		DistrictCode: f.GemeindeCode.District(), Centroid: at, Outline: register.Simplify(f.Outline, kgbuild.OutlineToleranceM),
		ToleranceM: kgbuild.OutlineToleranceM + register.CoarseM,
	}
}
