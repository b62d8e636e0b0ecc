package landprices

import (
	"fmt"
	"strconv"

	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// codes are the place of a described parcel as its user gives it; "" where a code is not given.
type codes struct {
	gemeinde austria.GemeindeCode
	bezirk   austria.DistrictCode
	state    austria.StateCode
}

func (c codes) place() landprice.Place { return landprice.PlaceOf(c.gemeinde, c.bezirk, c.state) }

// viennaState has its municipality under one code in the registers and its 23 districts under others elsewhere.
const viennaState = "9"

// check holds the codes against each other, and against the registers and the series: a code that neither has is a mistake
// and must not be answered with the price of a larger area.
func (c codes) check(v *view.View, d *data) *fault.Fault {
	p := c.place()
	switch {
	case c.gemeinde != "" && c.bezirk != "" && c.gemeinde.District() != c.bezirk && p.State != viennaState:
		return fault.Of(fault.Conflict, "bezirk_code", string(c.bezirk), "the district of gemeinde_code, "+string(c.gemeinde.District())+
			", or none")
	case c.state != "" && string(c.state) != p.State:
		return fault.Of(fault.Conflict, "state_code", string(c.state), "the state of the municipality or district, "+p.State+", or none")
	case c.gemeinde != "" && !d.knowsGemeinde(v, c.gemeinde):
		return fault.BadValue("gemeinde_code", string(c.gemeinde),
			"the code of a municipality of the registers; /search/municipalities finds it")
	case c.gemeinde == "" && c.bezirk != "" && !d.knowsBezirk(v, c.bezirk):
		return fault.BadValue("bezirk_code", string(c.bezirk), "the code of a district of the registers")
	}
	return nil
}

// knowsGemeinde says whether the registers or the series have a municipality. Registers without municipalities and KGs know
// nothing and refuse nothing.
func (d *data) knowsGemeinde(v *view.View, code austria.GemeindeCode) bool {
	r := v.Register()
	return r.Municipality(code) != nil || len(r.ByGemeinde(code)) > 0 || d.published(landprice.Gemeinde, string(code)) ||
		string(code.State()) == viennaState || len(r.Municipalities()) == 0 && len(r.KGs()) == 0
}

func (d *data) knowsBezirk(v *view.View, code austria.DistrictCode) bool {
	r := v.Register()
	for _, known := range r.Districts() {
		if known.Code == code {
			return true
		}
	}
	return len(r.ByDistrict(code)) > 0 || d.published(landprice.Bezirk, string(code)) || code[:1] == viennaState ||
		len(r.Districts()) == 0 && len(r.KGs()) == 0
}

// published says whether an area has a series of its own.
func (d *data) published(l landprice.Level, code string) bool {
	for _, k := range landprice.AllSeriesKinds() {
		if !d.book.Series(landprice.Key{Level: l, Code: code, Kind: k}).Empty() {
			return true
		}
	}
	return false
}

// Contradiction is what of a described parcel cannot be: more built area than area. nil where nothing is.
func Contradiction(in *landprice.Input) *fault.Fault {
	if in.AreaSqm > 0 && in.FootprintM2 > in.AreaSqm {
		number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
		return fault.Of(fault.Conflict, "footprint_area_sqm", number(in.FootprintM2), "at most area_sqm, "+number(in.AreaSqm)+" m²")
	}
	return nil
}

// warnings are the member of meta that says of how many estimates the class is assumed; nil where of none.
func warnings(items []item) []reply.Member {
	assumed, byCell := 0, 0
	for i := range items {
		switch items[i].e.Basis {
		case landprice.Assumed:
			assumed++
		case landprice.Cell:
			byCell++
		}
	}
	list := Warnings(assumed, byCell)
	if list == nil {
		return nil
	}
	return []reply.Member{{Name: "warnings", Value: list}}
}

// Warnings are the warnings of an answer in which so many estimates have an assumed class, or that of the cell around the
// point.
func Warnings(assumed, byCell int) []string {
	var out []string
	if assumed > 0 {
		out = append(out, fmt.Sprintf(
			"class assumed (estimates: %d): no land use, building or parcel is given; alternatives has the price of every class, interval spans them", assumed))
	}
	if byCell > 0 {
		out = append(out, fmt.Sprintf(
			"class by the cell around the point (estimates: %d): the land use of the site is not given; alternatives has the price of every class", byCell))
	}
	return out
}
