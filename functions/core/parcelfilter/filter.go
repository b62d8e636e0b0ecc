// Package parcelfilter is the choice of parcels by land use, area, buildings and what lies over them that families
// offer alike: the parameters, and what a parcel must be to pass. It reads no KG; functions/core/rows does.
package parcelfilter

import (
	"math"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
)

var (
	landuse = endpoint.Parsed("landuse",
		"Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list.",
		austria.ParseLandUseSet, endpoint.Example("52"))
	minArea      = endpoint.Float("min_area", "Only parcels of at least this area.", endpoint.AtLeast(0), endpoint.Unit("m²"))
	maxArea      = endpoint.Float("max_area", "Only parcels of at most this area.", endpoint.AtLeast(0), endpoint.Unit("m²"))
	hasBuildings = endpoint.Bool("has_buildings", "true: only parcels with an address point or a footprint; false: only parcels without.")
)

// Params are the parameters of a filter.
var Params = []endpoint.AnyParam{landuse, minArea, maxArea, hasBuildings}

// Any lets every parcel pass.
var Any = Filter{MaxArea: math.Inf(1)}

// Filter chooses parcels.
type Filter struct {
	LandUse          *austria.LandUseSet // any of these; nil for all
	MinArea, MaxArea float64             // m²; MaxArea +Inf for none
	Built            int8                // +1 with buildings, -1 without, 0 either
}

// Of is the filter of a request.
func Of(r *endpoint.Request) (Filter, error) {
	f := Any
	f.MinArea = minArea.Of(r)
	if landuse.Given(r) {
		set := landuse.Of(r)
		f.LandUse = &set
	}
	if maxArea.Given(r) {
		if f.MaxArea = maxArea.Of(r); f.MaxArea < f.MinArea {
			return f, maxArea.Bad(r, "at least min_area")
		}
	}
	if hasBuildings.Given(r) {
		f.Built = -1
		if hasBuildings.Of(r) {
			f.Built = 1
		}
	}
	return f, nil
}

// Given says whether a request names one of the parameters.
func Given(r *endpoint.Request) bool {
	return landuse.Given(r) || minArea.Given(r) || maxArea.Given(r) || hasBuildings.Given(r)
}

// All says whether every parcel passes.
func (f *Filter) All() bool {
	return f.LandUse == nil && f.MinArea <= 0 && math.IsInf(f.MaxArea, 1) && f.Built == 0
}

// Passes says whether a parcel has the attributes asked for.
func (f *Filter) Passes(p *kgfile.Parcel) bool {
	if p.AreaSqm < f.MinArea || p.AreaSqm > f.MaxArea {
		return false
	}
	if f.Built != 0 && (p.BuildingCount+p.FootprintCount > 0) != (f.Built > 0) {
		return false
	}
	if f.LandUse == nil {
		return true
	}
	for _, c := range p.SymbolCounts {
		if f.LandUse.Has(c.Code) {
			return true
		}
	}
	for _, c := range p.UseAreas {
		if f.LandUse.Has(c.Code) {
			return true
		}
	}
	return false
}
