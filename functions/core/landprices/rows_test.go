package landprices

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/prices"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/format"
)

// columns are the values of a row as texts: "null", and "" for what is left out.
func columns(i *item) map[string]string {
	out := map[string]string{}
	for _, f := range estimate.Fields {
		v := f.Get(i)
		if v == format.Omit {
			out[f.Name] = ""
		} else if s, ok := v.Str(); ok {
			out[f.Name] = s
		} else if n, ok := v.Float64(); ok {
			out[f.Name] = strconv.FormatFloat(n, 'f', -1, 64)
		} else {
			out[f.Name] = "null"
		}
	}
	return out
}

// compareColumns looks at all columns of a row.
func compareColumns(t *testing.T, i *item, want map[string]string) {
	t.Helper()
	for name, got := range columns(i) {
		if text, ok := want[name]; !ok || got != text {
			t.Errorf("%s: %q, want %q (%v)", name, got, text, ok)
		}
	}
}

// valued is an estimate of which no two numbers are alike.
func valued() *item {
	land := landprice.Baseline{Value: landprice.Value{EUR: 101.5, Method: landprice.Interpolated, From: 2020, To: 2024},
		Source: landprice.Bezirk, Code: "388", Kind: landprice.BuildingLand}
	house := landprice.Baseline{Value: landprice.Value{EUR: 2001.5, Method: landprice.Observed, From: 2023, To: 2023},
		Source: landprice.State, Code: "3", Kind: landprice.HousePre1960}
	return &item{n: 4, id: "88801-1", in: landprice.Input{Place: landprice.PlaceOf("38801", "", ""), AreaSqm: 600.25, Year: 2022,
		Buildings: 1, Compactness: 0.7}, e: landprice.Estimate{Class: landprice.Built, Basis: landprice.Areas, BuyPerSqm: 111.25,
		BuyTotal: 66_777.5, RentPerHa: 301.5, RentPerYear: 18.25, Baseline: land, Factors: landprice.Factors{Size: 0.91, Shape: 0.92,
			Typology: 0.93}, Calibration: 1.04, Interval: landprice.Interval{Low: 90.5, High: 140.5}, Confidence: landprice.Medium,
		Building: landprice.Building{FootprintM2: 90.5, Storeys: 1.6, LivingM2: 115.75, Price: house, Value: 231_000.5,
			Period: landprice.Pre1960, Confidence: landprice.Low, Interval: landprice.Interval{Low: 180_000.5, High: 300_000.5}},
		Combined: 297_778, AppliesFactors: true}}
}

// Each column has a value of its own.
func TestColumnsOfAnEstimate(t *testing.T) {
	i := valued()
	basis := i.e.IntervalBasis(2022)
	want := map[string]string{"item": "4", "parcel_id": "88801-1", "gemeinde_code": "38801", "year": "2022",
		"class": landprice.Built.String(), "class_basis": "areas", "area_sqm": "600.25", "buy_eur_per_sqm": "111.25",
		"buy_total_eur": "66777.5", "rent_eur_per_ha_year": "301.5", "rent_eur_per_year": "18.25", "baseline_eur_per_sqm": "101.5",
		"baseline_source": "bezirk", "baseline_year": "2024", "baseline_method": "interpolated",
		"factors": `{"size":0.91,"shape":0.92,"typology":0.93}`, "calibration": "1.04", "confidence": "medium",
		"interval": `{"low_eur_per_sqm":90.5,"high_eur_per_sqm":140.5,"basis":` + strconv.Quote(basis) + `}`,
		"building": `{"footprint_area_sqm":90.5,"story_factor":1.6,"living_area_sqm":115.75,"house_price_eur_per_sqm":2001.5,` +
			`"house_price_source":"state","house_price_year":2023,"building_period":"pre1960","value_eur":231000.5,"low_eur":180000.5,` +
			`"high_eur":300000.5,"confidence":"low"}`,
		"combined_value_eur": "297778", "alternatives": "", "notes": "", "explanation": "", "error": ""}
	compareColumns(t, i, want)
	i.n, i.id = -1, ""
	want["item"], want["parcel_id"] = "", ""
	compareColumns(t, i, want)
}

// What is not known is null or left out, never 0.
func TestAnEstimateOfNothing(t *testing.T) {
	nan := math.NaN()
	i := &item{in: landprice.Input{AreaSqm: 5, Year: 2024}, e: landprice.Estimate{BuyPerSqm: nan, BuyTotal: nan, RentPerHa: nan,
		RentPerYear: nan, Factors: landprice.Factors{Size: 1, Shape: 1, Typology: 1}, Calibration: 1,
		Interval: landprice.Interval{Low: nan, High: nan}, Building: landprice.Building{Value: nan}, Combined: nan}}
	want := map[string]string{"item": "0", "parcel_id": "", "gemeinde_code": "null", "year": "2024", "class": i.e.Class.String(),
		"class_basis": "null", "area_sqm": "5", "buy_eur_per_sqm": "null", "buy_total_eur": "null", "rent_eur_per_ha_year": "null",
		"rent_eur_per_year": "null", "baseline_eur_per_sqm": "null", "baseline_source": "null", "baseline_year": "null",
		"baseline_method": "null", "factors": `{"size":1,"shape":1,"typology":1}`, "calibration": "1", "confidence": "none", "interval": "",
		"building": "", "combined_value_eur": "", "alternatives": "", "notes": "", "explanation": "", "error": ""}
	if want["class"] == "" {
		want["class"] = "null"
	}
	compareColumns(t, i, want)
	i.e.Building = landprice.Building{FootprintM2: 80, Storeys: 1.5, LivingM2: 96, Value: nan, Interval: landprice.Interval{Low: nan,
		High: math.Inf(1)}}
	if got := columns(i)["building"]; got != `{"footprint_area_sqm":80,"story_factor":1.5,"living_area_sqm":96,"house_price_eur_per_sqm":null,`+
		`"house_price_source":null,"house_price_year":null,"building_period":null,"value_eur":null,"low_eur":null,"high_eur":null,`+
		`"confidence":"none"}` {
		t.Errorf("a building without a price: %s", got)
	}
}

// An item without an estimate says why, and no number.
func TestAnItemWithAProblem(t *testing.T) {
	i := valued()
	i.problem, i.reasons = "the KG 88801 has no parcel 77", true
	got := columns(i)
	if got["error"] != i.problem || got["parcel_id"] != "88801-1" || got["item"] != "4" {
		t.Errorf("%v", got)
	}
	for _, name := range []string{"area_sqm", "buy_eur_per_sqm", "buy_total_eur", "rent_eur_per_year", "calibration"} {
		if got[name] != "null" {
			t.Errorf("%s of what has no estimate: %q", name, got[name])
		}
	}
	for _, name := range []string{"factors", "interval", "building", "combined_value_eur", "alternatives", "notes", "explanation"} {
		if got[name] != "" {
			t.Errorf("%s of what has no estimate: %q", name, got[name])
		}
	}
}

func TestAlternatives(t *testing.T) {
	i := &item{e: landprice.Estimate{Alternatives: []landprice.Alternative{
		{Class: landprice.Built, BuyPerSqm: 150.126, BuyTotal: 90_000, RentPerYear: math.NaN()},
		{Class: landprice.Wald, BuyPerSqm: math.NaN(), BuyTotal: math.Inf(-1), RentPerYear: 7.5}}}}
	want := fmt.Sprintf(`[{"class":%q,"buy_eur_per_sqm":150.13,"buy_total_eur":90000,"rent_eur_per_year":null},`+
		`{"class":%q,"buy_eur_per_sqm":null,"buy_total_eur":null,"rent_eur_per_year":7.5}]`, landprice.Built, landprice.Wald)
	if got := string(appendAlternatives(nil, i)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The inputs of an explanation are those that are known; the others are null.
func TestExplainedInputs(t *testing.T) {
	bare := reasonsOf(&item{in: landprice.Input{AreaSqm: 5.006, Compactness: math.NaN()}}).Inputs
	if bare.Area != 5.01 || bare.Gemeinde != nil || bare.Bezirk != nil || bare.State != nil || bare.FootprintArea != nil ||
		bare.Compactness != nil || bare.Typology != nil || bare.Period != nil || bare.Codes != "" {
		t.Errorf("of nothing: %+v", bare)
	}
	typology, _ := landprice.ParseTypology("urban")
	full := reasonsOf(&item{in: landprice.Input{Place: landprice.PlaceOf("38801", "", ""), AreaSqm: 5, FootprintM2: 2.5, Compactness: 0.5,
		Typology: typology, Period: landprice.Pre1960, Buildings: 3, Footprints: 4}}).Inputs
	if *full.Gemeinde != "38801" || *full.Bezirk != "388" || *full.State != "3" || *full.FootprintArea != 2.5 || *full.Compactness != 0.5 ||
		*full.Typology != "urban" || *full.Period != "pre1960" || full.Buildings != 3 || full.Footprints != 4 {
		t.Errorf("of all: %+v", full)
	}
}

// The first step says what the class rests on.
func TestWhatTheClassRestsOn(t *testing.T) {
	var codes austria.LandUseSet
	codes.Add(48)
	for want, i := range map[string]*item{
		"Class bauland_built: 1 address point.": {in: landprice.Input{Buildings: 1}, e: landprice.Estimate{Class: landprice.Built}},
		"Class " + landprice.Wald.String() + ": it has the largest area of land use.": {e: landprice.Estimate{Class: landprice.Wald,
			Basis: landprice.Areas}},
		"Class " + landprice.Wald.String() + ": by the codes 48.": {in: landprice.Input{Use: landprice.Use{Codes: codes}},
			e: landprice.Estimate{Class: landprice.Wald, Basis: landprice.Symbols}},
		"Class " + landprice.Wald.String() + ": it has the largest share of the cell of about 307 m² around the point.": {
			e: landprice.Estimate{Class: landprice.Wald, Basis: landprice.Cell}},
		"Class " + landprice.Wald.String() + ": no land use is known.": {e: landprice.Estimate{Class: landprice.Wald,
			Basis: landprice.Assumed}},
	} {
		if got := steps(i); got[0] != want || len(got) != 2 || !strings.HasPrefix(got[1], "No published series") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What other services read of the series, and of a parcel: the same as the cadastre answers.
func TestSeriesForOthers(t *testing.T) {
	book, err := prices.Book(fixture.PriceRows())
	if err != nil {
		t.Fatal(err)
	}
	p := Prices{&data{book: book}}
	kinds := []landprice.SeriesKind{landprice.BuildingLand, landprice.HousePre1960}
	series := p.Series(landprice.Bezirk, "388", kinds)
	if len(series) != 2 || fmt.Sprint(series[landprice.BuildingLand.String()]) != "map[2020:90 2024:110]" {
		t.Errorf("the series: %v", series)
	}
	if got := p.Trends(landprice.Bezirk, "388", kinds); len(got) != 1 || math.Abs(got[landprice.BuildingLand.String()]-0.051447) > 1e-6 {
		t.Errorf("the growths, of series with two years alone: %v", got)
	}
	if got := p.Series(landprice.Bezirk, "999", kinds); len(got) != 0 || p.Book() != book {
		t.Errorf("of an area without series: %v", got)
	}
	all := fixture.Snapshots()
	body, err := kgfile.Encode(all[slices.IndexFunc(all, func(s *kgfile.Snapshot) bool { return s.KG.Code == "88801" })])
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	row, ok, err := f.ParcelByGNR(".6/1")
	if err != nil || !ok {
		t.Fatal("the parcel .6/1 is missing", err)
	}
	in, e, err := p.OfParcel(f, row, 2024)
	if err != nil || in.Year != 2024 || in.Place.Gemeinde != "38801" {
		t.Fatalf("%+v, %v", in, err)
	}
	own := first(t, get(serve(t), "/parcel/88801-.6%2F1?year=2024"))
	if got := math.Round(e.BuyPerSqm*100) / 100; own["buy_eur_per_sqm"] != got || own["class"] != e.Class.String() {
		t.Errorf("%v %v, the cadastre says %v %v", got, e.Class, own["buy_eur_per_sqm"], own["class"])
	}
}

// One price has no pages, and a place that nobody knows no price of a larger one.
func TestWhatIsNotAsked(t *testing.T) {
	h := serve(t)
	for target, want := range map[string]string{"/parcel/88801-1?limit=1": "limit", "/parcel/88801-1?offset=1": "offset",
		"/predict?bezirk_code=399&area_sqm=600&landuse_codes=83":                     "the code of a district of the registers",
		"/predict?gemeinde_code=39999&area_sqm=600":                                  "the code of a municipality of the registers",
		"/predict?gemeinde_code=38801&bezirk_code=488&area_sqm=600":                  "the district of gemeinde_code, 388",
		"/predict?bezirk_code=388&state_code=4&area_sqm=600":                         "the state of the municipality or district, 3",
		"/predict?area_sqm=600&gemeinde_code=38801&typology=" + url.QueryEscape("?"): "typology"} {
		if w := get(h, target); w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %q", target, w.Code, w.Body, want)
		}
	}
	for _, target := range []string{"/predict?bezirk_code=901&area_sqm=600&landuse_codes=83", "/predict?gemeinde_code=90101&area_sqm=600"} {
		if w := get(h, target); w.Code != 200 { // Vienna has its districts under other codes elsewhere
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}

// The description of the service lists every class, basis, level and degree of confidence that a row may have.
func TestClosedSetsOfAnEstimate(t *testing.T) {
	want := map[string][]string{}
	for _, c := range landprice.AllClasses() {
		want["class"] = append(want["class"], c.String())
	}
	for _, b := range landprice.AllBases() {
		want["class_basis"] = append(want["class_basis"], b.String())
	}
	for _, l := range landprice.AllLevels() {
		want["baseline_source"] = append(want["baseline_source"], l.String())
	}
	for _, m := range []landprice.Method{landprice.Observed, landprice.Interpolated, landprice.Extrapolated} {
		want["baseline_method"] = append(want["baseline_method"], m.String())
	}
	for _, c := range []landprice.Confidence{landprice.Low, landprice.Medium, landprice.High} {
		want["confidence"] = append(want["confidence"], c.String())
	}
	for name, values := range want {
		column := estimate.Fields.Only(name)[0].Column
		for _, v := range values {
			if v == "" || !slices.Contains(column.Enum, v) {
				t.Errorf("%s: %q is not among %q", name, v, column.Enum)
			}
		}
	}
}

// Numbers of nested values are rounded half away from zero, and have no exponent.
func TestNumbersOfNestedValues(t *testing.T) {
	for v, want := range map[float64]string{1.005: "1", 1.0051: "1.01", -2.125: "-2.13", 0: "0", 1e9: "1000000000", 0.004: "0",
		123456.789: "123456.79"} {
		if got := string(appendNumber(nil, v, cents)); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := string(appendNumber([]byte("x"), v, cents)); got != "xnull" {
			t.Errorf("%v: %s, want null", v, got)
		}
		if known(v, cents) != nil {
			t.Errorf("%v is known", v)
		}
	}
}
