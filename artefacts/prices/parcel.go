package prices

import (
	"math"

	"mappe/artefacts/kgfile"
	"mappe/shared/landprice"
)

// InputOf is what the price model is told of a parcel in a KG of a typology, without place and year.
func InputOf(p *kgfile.Parcel, t kgfile.Typology) landprice.Input {
	in := landprice.Input{AreaSqm: p.AreaSqm, Buildings: p.BuildingCount, Footprints: p.FootprintCount,
		FootprintM2: p.BuildingAreaSqm, Compactness: p.Compactness, Typology: TypologyOf(t)}
	if p.Compactness == 0 {
		in.Compactness = math.NaN() // a parcel without an area has no shape
	}
	if len(p.UseAreas) > 0 {
		in.Use.Areas = make([]landprice.CodeArea, len(p.UseAreas))
		for i, u := range p.UseAreas {
			in.Use.Areas[i] = landprice.CodeArea{Code: u.Code, Sqm: u.Sqm}
		}
	}
	for _, s := range p.SymbolCounts {
		in.Use.Codes.Add(s.Code)
	}
	return in
}

// TypologyOf is the model's word for the settlement type of a KG.
func TypologyOf(t kgfile.Typology) landprice.Typology {
	switch t {
	case kgfile.Urban:
		return landprice.Urban
	case kgfile.Suburban:
		return landprice.Suburban
	case kgfile.RuralSettled:
		return landprice.RuralSettled
	case kgfile.RuralAgrarian:
		return landprice.RuralAgrarian
	}
	return landprice.TypologyUnknown
}
