package index

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"mappe/artefacts/landscape"
	land "mappe/shared/landscape/segment"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// sumsBody are the sums of KGs. Means are of the KGs that have the figure, weighted by their area.
type sumsBody struct {
	Name         string            `json:"name" doc:"of the state, district or municipality; Austria, or bbox"`
	Level        string            `json:"level" enum:"country,state,district,gemeinde,bbox"`
	KGs          int               `json:"total_kgs"`
	Processed    int               `json:"processed_kgs"`
	AreaKm2      *float64          `json:"total_area_km2"`
	Parcels      *float64          `json:"total_parcels"`
	Buildings    *float64          `json:"total_buildings"`
	Trees        *float64          `json:"total_trees"`
	CanopyKm2    *float64          `json:"tree_canopy_km2"`
	NewBuildings *float64          `json:"total_new_buildings"`
	Elevation    *float64          `json:"avg_elevation_m"`
	Slope        *float64          `json:"avg_slope_deg"`
	NDVI         *float64          `json:"avg_ndvi"`
	Quality      *float64          `json:"avg_quality_score"`
	Landcover    []sumCover        `json:"top_landcover" doc:"types by area, the ten largest"`
	Losses       map[string]int    `json:"hansen_loss_by_year" doc:"cells of 30 m by year"`
	Meta         reply.DatasetMeta `json:"meta"`
}

type sumCover struct {
	Type     string   `json:"object_type"`
	AreaKm2  *float64 `json:"area_km2"`
	Fraction *float64 `json:"fraction" doc:"share of the classified area"`
}

// mostCovers is how many types the sums name.
const mostCovers = 10

func rounded(v float64, decimals int) *float64 {
	if v != v {
		return nil
	}
	p := math.Pow10(decimals)
	v = math.Round(v*p) / p
	return &v
}

// sum adds a figure of KGs; NaN where none has it.
func sum(list []hit, of func(*landscape.Record) float64) float64 {
	total, n := 0.0, 0
	for i := range list {
		if v := of(&list[i].e.Record); v == v {
			total, n = total+v, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return total
}

// average is the mean of a figure of KGs by their areas.
func average(list []hit, of func(*landscape.Record) float64) float64 {
	total, weight := 0.0, 0.0
	for i := range list {
		r := &list[i].e.Record
		if v := of(r); v == v && r.TotalAreaSqm > 0 {
			total, weight = total+v*r.TotalAreaSqm, weight+r.TotalAreaSqm
		}
	}
	return total / weight
}

func (s *service) sums(_ context.Context, c *country, r *endpoint.Request) (reply.Answer, error) {
	in, err := c.here(r)
	if err != nil {
		return nil, err
	}
	list := c.pick(r, in)
	b := sumsOf(list)
	b.Level, b.Name = levelOf(r, list)
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		for _, m := range []reply.Member{{Name: "name", Value: b.Name}, {Name: "level", Value: b.Level}, {Name: "total_kgs", Value: b.KGs},
			{Name: "processed_kgs", Value: b.Processed},
			{Name: "total_area_km2", Value: b.AreaKm2}, {Name: "total_parcels", Value: b.Parcels},
			{Name: "total_buildings", Value: b.Buildings}, {Name: "total_trees", Value: b.Trees},
			{Name: "tree_canopy_km2", Value: b.CanopyKm2}, {Name: "total_new_buildings", Value: b.NewBuildings},
			{Name: "avg_elevation_m", Value: b.Elevation},
			{Name: "avg_slope_deg", Value: b.Slope}, {Name: "avg_ndvi", Value: b.NDVI}, {Name: "avg_quality_score", Value: b.Quality},
			{Name: "top_landcover", Value: b.Landcover},
			{Name: "hansen_loss_by_year", Value: b.Losses}} {
			j.Member(m.Name, m.Value)
		}
		return nil
	}}, nil
}

// levelOf names what was summed; several areas together are named by the smallest.
func levelOf(r *endpoint.Request, list []hit) (level, name string) {
	first := func(of func(*landscape.Record) string, code string) string {
		if len(list) > 0 {
			return cmp.Or(of(&list[0].e.Record), code)
		}
		return code
	}
	switch {
	case qGemeinde.Given(r):
		return "gemeinde", first(func(k *landscape.Record) string { return k.GemeindeName }, qGemeinde.Of(r))
	case qDistrict.Given(r):
		return "district", first(func(k *landscape.Record) string { return k.DistrictName }, qDistrict.Of(r))
	case qState.Given(r):
		return "state", qState.Of(r).Name()
	case qBox.Given(r):
		return "bbox", "bbox"
	}
	return "country", "Austria"
}

func sumsOf(list []hit) sumsBody {
	b := sumsBody{KGs: len(list), Losses: map[string]int{}, Landcover: []sumCover{}}
	areas, all := map[land.Type]float64{}, 0.0
	for i := range list {
		e := list[i].e
		if e.Processed {
			b.Processed++
		}
		for _, l := range e.Landcover {
			areas[l.Type] += l.AreaSqm
			all += l.AreaSqm
		}
		for _, l := range e.HansenLoss {
			b.Losses[strconv.Itoa(int(l.Year))] += int(l.Pixels)
		}
	}
	b.AreaKm2 = rounded(sum(list, func(r *landscape.Record) float64 { return r.TotalAreaSqm })/1e6, 4)
	b.Parcels = rounded(sum(list, func(r *landscape.Record) float64 { return r.ParcelCount }), 0)
	b.Buildings = rounded(sum(list, func(r *landscape.Record) float64 { return r.BuildingCount }), 0)
	b.Trees = rounded(sum(list, func(r *landscape.Record) float64 { return r.TreeCount }), 0)
	b.CanopyKm2 = rounded(sum(list, func(r *landscape.Record) float64 { return r.TreeCanopySqm })/1e6, 4)
	b.NewBuildings = rounded(sum(list, func(r *landscape.Record) float64 { return r.NewBuildingCount }), 0)
	b.Elevation = rounded(average(list, func(r *landscape.Record) float64 { return r.ElevationMean }), 2)
	b.Slope = rounded(average(list, func(r *landscape.Record) float64 { return r.SlopeMean }), 2)
	b.NDVI = rounded(average(list, func(r *landscape.Record) float64 { return r.NDVIMean }), 4)
	b.Quality = rounded(average(list, func(r *landscape.Record) float64 { return r.QualityScore }), 1)
	var types []land.Type
	for t := range areas {
		types = append(types, t)
	}
	slices.SortFunc(types, func(x, y land.Type) int { return cmp.Or(cmp.Compare(areas[y], areas[x]), cmp.Compare(x, y)) })
	for _, t := range types[:min(len(types), mostCovers)] {
		b.Landcover = append(b.Landcover, sumCover{t.String(), rounded(areas[t]/1e6, 4), rounded(areas[t]/all, 4)})
	}
	return b
}
