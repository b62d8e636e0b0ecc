package query

import (
	"context"
	"math"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/functions/core/parcelcolumns"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// countryFigures are the country in figures, from the metrics of its KGs.
type countryFigures struct {
	sums
	States       int     `json:"state_count"`
	AreaKm2      float64 `json:"total_area_km2"`
	LandUseTypes *int    `json:"landuse_type_count" doc:"Land-use codes that occur; null where the generation does not say it."`
	Urban        int     `json:"urban_kgs"`
	Suburban     int     `json:"suburban_kgs"`
	RuralSettled int     `json:"rural_settled_kgs"`
	RuralAgr     int     `json:"rural_agrarian_kgs"`
	// The averages are over KGs with parcels, each counted once.
	Density *float64       `json:"avg_building_density_per_km2" doc:"Mean over the KGs with parcels of their footprints by km²; null without any."`
	BuiltUp *float64       `json:"avg_built_up_ratio" doc:"Mean over the KGs with parcels of footprint area by parcel area; null without any."`
	ByState []stateFigures `json:"states"`
}

// sums are what adds up.
type sums struct {
	Districts  int     `json:"district_count"`
	KGs        int     `json:"kg_count"`
	Parcels    int     `json:"parcel_count"`
	Buildings  int     `json:"building_count" doc:"Address points."`
	Footprints int     `json:"footprint_count"`
	AreaSqm    float64 `json:"total_area_sqm" doc:"Area of the parcels."`
}

// stateFigures are the figures of one state.
type stateFigures struct {
	Code austria.StateCode `json:"state_code"`
	Name string            `json:"state_name"`
	sums
}

// countryBody is the shape of the answer.
type countryBody struct {
	Data []countryFigures `json:"data"`
	Meta countryMeta      `json:"meta"`
}

// countryMeta is what meta holds beside the common.
type countryMeta struct {
	reply.CommonMeta
	Total int `json:"total"`
}

const statsDoc = `Totals of the served generation and of each state: sums and means of the metrics of the KGs, of which those without a
snapshot count with what the register knows of them. data holds one object.`

func (s *service) stats() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/stats", ID: "stats", Tag: tag,
		Summary: "The country in figures",
		Doc:     statsDoc,
		Answer:  endpoint.Answer{Body: countryBody{}},
		Example: "/api/v1/stats",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			f := figuresOfCountry(v.Register())
			if err := s.landUseTypes(ctx, v, &f); err != nil {
				return nil, err
			}
			return &reply.Stream{
				Write: func(j *format.JSON, _ *format.Layout) error {
					j.Member("data", []countryFigures{f})
					return nil
				},
				Meta: []reply.Member{{Name: "total", Value: 1}},
			}, nil
		},
	}
}

// landUseTypes counts the codes of the land-use layers.
func (s *service) landUseTypes(ctx context.Context, v *view.View, f *countryFigures) error {
	c, err := parcelcolumns.Open(ctx, v)
	if err != nil {
		return err
	}
	var codes austria.LandUseSet
	for i := range c.KGs {
		for _, u := range c.KGs[i].Uses {
			codes.Add(u.Code)
		}
	}
	n := codes.Len()
	f.LandUseTypes = &n
	return nil
}

// figuresOfCountry sums the KGs of a register.
func figuresOfCountry(reg *register.Register) countryFigures {
	var f countryFigures
	states := map[austria.StateCode]*stateFigures{}
	seen := map[austria.DistrictCode]bool{}
	var density, ratio mean
	for i := range reg.KGs() {
		k := &reg.KGs()[i]
		st := states[k.State()]
		if st == nil {
			st = &stateFigures{Code: k.State(), Name: k.State().Name()}
			states[k.State()] = st
		}
		if !seen[k.DistrictCode] {
			seen[k.DistrictCode] = true
			f.Districts++
			st.Districts++
		}
		f.add(k)
		st.add(k)
		f.typology(k.Typology)
		if k.ParcelCount > 0 {
			density.add(k.BuildingDensity)
			ratio.add(k.BuiltUpRatio)
		}
	}
	f.ByState = []stateFigures{}
	for _, code := range austria.AllStates() {
		if st := states[code]; st != nil {
			st.AreaSqm = *round(st.AreaSqm, 2)
			f.ByState = append(f.ByState, *st)
		}
	}
	f.States, f.AreaSqm, f.AreaKm2 = len(f.ByState), *round(f.AreaSqm, 2), *round(f.AreaSqm/1e6, 4)
	f.Density, f.BuiltUp = density.value(2), ratio.value(4)
	return f
}

func (s *sums) add(k *register.KG) {
	s.KGs++
	s.Parcels += k.ParcelCount
	s.Buildings += k.BuildingCount
	s.Footprints += k.FootprintCount
	if !math.IsNaN(k.TotalAreaSqm) {
		s.AreaSqm += k.TotalAreaSqm
	}
}

func (f *countryFigures) typology(t kgfile.Typology) {
	switch t {
	case kgfile.Urban:
		f.Urban++
	case kgfile.Suburban:
		f.Suburban++
	case kgfile.RuralSettled:
		f.RuralSettled++
	case kgfile.RuralAgrarian:
		f.RuralAgr++
	}
}

// mean is the mean of the numbers that are known.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) {
	if !math.IsNaN(v) {
		m.sum += v
		m.n++
	}
}

func (m *mean) value(decimals int) *float64 {
	if m.n == 0 {
		return nil
	}
	return round(m.sum/float64(m.n), decimals)
}
