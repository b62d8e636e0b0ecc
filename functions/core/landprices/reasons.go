package landprices

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mappe/shared/landprice"
)

// reasons are the explanation of an estimate.
type reasons struct {
	Inputs   inputs   `json:"inputs"`
	Steps    []string `json:"steps"`
	Notes    []string `json:"notes"`
	Building string   `json:"building,omitempty"`
	Change   []change `json:"what_would_change_it"`
	Series   string   `json:"series,omitempty"` // kind of the baseline
}

// inputs are what is known of the parcel; null is not known.
type inputs struct {
	Gemeinde      *string  `json:"gemeinde_code"`
	Bezirk        *string  `json:"bezirk_code"`
	State         *string  `json:"state_code"`
	Area          float64  `json:"area_sqm"`
	Buildings     int      `json:"building_count"`
	Footprints    int      `json:"footprint_count"`
	FootprintArea *float64 `json:"footprint_area_sqm"`
	Compactness   *float64 `json:"compactness"`
	Codes         string   `json:"landuse_codes"`
	Typology      *string  `json:"typology"`
	Period        *string  `json:"building_period"`
}

// change is what would change the estimate.
type change struct {
	Input string   `json:"input"`
	Low   *float64 `json:"factor_low"`
	High  *float64 `json:"factor_high"`
	Why   string   `json:"why"`
}

// known is a number for encoding/json: nil for NaN and infinities.
func known(v float64, decimals int) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	scale := math.Pow10(decimals)
	v = math.Round(v*scale) / scale
	return &v
}

func named(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func reasonsOf(i *item) reasons {
	in, e := &i.in, &i.e
	r := reasons{Inputs: inputs{Gemeinde: named(in.Place.Gemeinde), Bezirk: named(in.Place.Bezirk), State: named(in.Place.State),
		Area: *known(in.AreaSqm, cents), Buildings: in.Buildings, Footprints: in.Footprints, Compactness: known(in.Compactness, factor),
		Codes: codesOf(in), Typology: named(in.Typology.String()), Period: named(in.Period.String())}, Notes: e.Notes(in),
		Change: []change{}}
	if in.FootprintM2 > 0 {
		r.Inputs.FootprintArea = known(in.FootprintM2, cents)
	}
	if r.Notes == nil {
		r.Notes = []string{}
	}
	r.Series = e.Baseline.Kind.String()
	r.Steps = steps(i)
	if b := &e.Building; b.Price.Known() {
		r.Building = fmt.Sprintf("%.0f m² footprint × %.2f storeys × %.0f EUR/m² living area (%s), %s", b.FootprintM2, b.Storeys,
			b.Price.EUR, source(&b.Price), yearly(b.Price.Value))
	}
	for _, c := range e.Changes(in) {
		r.Change = append(r.Change, change{c.Input, known(c.Low, factor), known(c.High, factor), c.Why})
	}
	return r
}

func codesOf(in *landprice.Input) string {
	if len(in.Use.Areas) == 0 {
		return in.Use.Codes.String()
	}
	set := in.Use.Codes
	for _, a := range in.Use.Areas {
		set.Add(a.Code)
	}
	return set.String()
}

// source names the area of a baseline.
func source(b *landprice.Baseline) string {
	s := strings.TrimSpace(b.Source.String() + " " + b.Code)
	if b.Parts > 1 {
		s += fmt.Sprintf(", geometric mean of %d series", b.Parts)
	}
	return s
}

// steps are the estimate as sentences.
func steps(i *item) []string {
	e := &i.e
	out := []string{classStep(i)}
	if !e.Baseline.Known() {
		return append(out, "No published series supports a price.")
	}
	out = append(out, fmt.Sprintf("Baseline %.2f EUR/m² (%s), %s.", e.Baseline.EUR, source(&e.Baseline), yearly(e.Baseline.Value)))
	if e.AppliesFactors {
		f := &e.Factors
		out = append(out, fmt.Sprintf(
			"%.2f × calibration %.2f × size %.3f (reference lot 600 m²) × shape %.3f × typology %.2f = %.2f EUR/m².",
			e.Baseline.EUR, e.Calibration, f.Size, f.Shape, f.Typology, e.BuyPerSqm))
	}
	if r := &e.RentBaseline; r.Known() {
		out = append(out, fmt.Sprintf("Rent %.2f EUR per hectare and year (%s), %s.", r.EUR, source(r), yearly(r.Value)))
	}
	return out
}

func classStep(i *item) string {
	e := &i.e
	switch {
	case e.Class == landprice.Built:
		return "Class bauland_built: " + strings.Join(builtOn(&i.in), ", ") + "."
	case e.Basis == landprice.Areas:
		return "Class " + e.Class.String() + ": it has the largest area of land use."
	case e.Basis == landprice.Symbols:
		return "Class " + e.Class.String() + ": by the codes " + codesOf(&i.in) + "."
	}
	if e.Basis == landprice.Cell {
		return "Class " + e.Class.String() + ": it has the largest share of the cell of about 307 m² around the point."
	}
	return "Class " + e.Class.String() + ": no land use is known."
}

// builtOn says what there is of buildings.
func builtOn(in *landprice.Input) (out []string) {
	several := func(n int, what string) string {
		if n != 1 {
			what += "s"
		}
		return strconv.Itoa(n) + " " + what
	}
	if in.Buildings > 0 {
		out = append(out, several(in.Buildings, "address point"))
	}
	switch size := fmt.Sprintf(" of %.0f m²", in.FootprintM2); {
	case in.Footprints > 0 && in.FootprintM2 > 0:
		out = append(out, several(in.Footprints, "footprint")+size)
	case in.Footprints > 0:
		out = append(out, several(in.Footprints, "footprint"))
	case in.FootprintM2 > 0:
		out = append(out, "footprints"+size)
	}
	return out
}
