package place

import (
	"context"
	"strconv"

	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/params"
)

var (
	position = params.At("lon", "lat", "", endpoint.Required)
	area     = endpoint.Float("area_sqm", "Area of the parcel at the point.", endpoint.Between(0.01, maxArea), endpoint.Unit("m²"),
		endpoint.Example("800"))
)

// maxArea bounds areas in m²: the largest parcel of Austria has some 1e8.
const maxArea = 1e9

// degrees is a coordinate (WGS84), written with 7 decimals as everywhere.
type degrees float64

// MarshalJSON writes 7 decimals.
func (d degrees) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(d), 'f', 7, 64), nil
}

// gemeinde is the municipality that a point lies in.
type gemeinde struct {
	Code         austria.GemeindeCode `json:"gemeinde_code"`
	Name         string               `json:"name"`
	DistrictCode austria.DistrictCode `json:"district_code"`
	DistrictName string               `json:"district_name"`
	State        string               `json:"state"`
}

// gemeindeAt finds the municipality whose true outline holds a point, nil where none does: outside Austria. A generation
// without true outlines has the simplified ones of the register. known is false where there are no outlines at all.
func gemeindeAt(ctx context.Context, v *view.View, o *overlayindex.Overlays, p geom.Point) (g *gemeinde, known bool, err error) {
	switch m, known, err := o.Here(p).Municipality(ctx); {
	case err != nil:
		return nil, false, err
	case m != nil:
		return gemeindeOf(v, m.Code, m.Name), true, nil
	case known:
		return nil, true, nil
	}
	if m := v.Register().MunicipalityAt(p); m != nil {
		return gemeindeOf(v, m.Code, m.Name), true, nil
	}
	return nil, len(v.Register().Municipalities()) > 0, nil
}

// gemeindeOf completes a municipality from the register; the polygons of Vienna are its 23 districts, which the register
// does not have.
func gemeindeOf(v *view.View, code austria.GemeindeCode, name string) *gemeinde {
	g := &gemeinde{code, name, code.District(), "", code.State().Name()}
	if m := v.Register().Municipality(registered(code)); m != nil {
		g.DistrictName = m.DistrictName
		if m.Code == code {
			g.Name = m.Name
		}
	}
	return g
}

// The register and the price series have Vienna as one municipality.
const (
	vienna      = austria.GemeindeCode("90001")
	viennaState = austria.StateCode("9")
)

// registered is the code that registers have a municipality under.
func registered(code austria.GemeindeCode) austria.GemeindeCode {
	if code.State() == viennaState {
		return vienna
	}
	return code
}
