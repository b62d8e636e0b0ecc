package landprices

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"mappe/artefacts/prices"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/infra/golden"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/landprice"
)

// The summary of a validation counts what lies on a bound as within it, and takes the middle of two.
func TestJudge(t *testing.T) {
	var all []result
	for _, r := range []float64{1.5, 0.5, 1.25, 0.85, 1.15, 2, 0.75, 1} {
		all = append(all, result{over: r})
	}
	v := judge(all)
	if v.Checked != 8 || *v.Median != 1.075 || *v.Mean != 1.125 || *v.Within != 37.5 || *v.Quarter != 62.5 || *v.Half != 87.5 {
		t.Errorf("got %d, %v, %v, %v, %v, %v", v.Checked, *v.Median, *v.Mean, *v.Within, *v.Quarter, *v.Half)
	}
	if v := judge(all[:3]); *v.Median != 1.25 {
		t.Errorf("the median of three is the second, got %v", *v.Median)
	}
	if v := judge(nil); v.Checked != 0 || v.Median != nil || v.Mean != nil || v.Within != nil || v.Quarter != nil || v.Half != nil {
		t.Errorf("of none nothing is known, got %+v", v)
	}
}

// A batch is summed over what has a price; what has none, or is wrong, is counted.
func TestSummarise(t *testing.T) {
	items := []item{{e: landprice.Estimate{BuyPerSqm: 2, BuyTotal: 200.004, RentPerYear: math.NaN()}}, {problem: "x"},
		{e: landprice.Estimate{BuyPerSqm: math.NaN(), BuyTotal: math.NaN(), RentPerYear: 7}},
		{e: landprice.Estimate{BuyPerSqm: 8, BuyTotal: 100, RentPerYear: 3.5}},
		{problem: "y", e: landprice.Estimate{BuyPerSqm: 9, BuyTotal: 9, RentPerYear: 9}}}
	s := summarise(items)
	if s.Parcels != 5 || s.Priced != 2 || s.Errors != 2 || *s.Geomean != 4 || s.Value != 300 || s.Rent != 10.5 {
		t.Errorf("got %+v, geomean %v", s, *s.Geomean)
	}
	if s := summarise(items[1:3]); s.Geomean != nil || s.Value != 0 || s.Priced != 0 || s.Errors != 1 {
		t.Errorf("without a price: %+v", s)
	}
}

func TestAreasOfUses(t *testing.T) {
	got, err := parseAreas("48:5000,56:0,52:1000000000")
	if err != nil || len(got) != 3 || got[0].Sqm != 5000 || got[1].Sqm != 0 || got[2].Sqm != 1e9 || got[0].Code != 48 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := parseAreas(strings.TrimSuffix(strings.Repeat("48:1,", 64), ",")); err != nil {
		t.Errorf("64 areas: %v", err)
	}
	for _, s := range []string{strings.Repeat("48:1,", 64) + "48:1", "48", "48:", "48:x", "48:-1", "48:1000000001", "48:NaN", "4:1", ":5",
		"48 56:1", ""} {
		if got, err := parseAreas(s); err == nil {
			t.Errorf("%.20q: want a refusal, got %v", s, got)
		}
	}
}

// What an item says wrongly is its own problem, named with value and bounds; its neighbours have their prices.
func TestProblemsOfItems(t *testing.T) {
	h := serve(t)
	const place = `"gemeinde_code":"38801","area_sqm":600`
	for in, want := range map[string]string{
		`"area_sqm":600`:                          "a place is missing: expected one of gemeinde_code, bezirk_code, state_code",
		`"gemeinde_code":null,"area_sqm":600`:     "a place is missing",
		`"gemeinde_code":"38801"`:                 "area_sqm is missing: expected m²",
		`"gemeinde_code":"38801","area_sqm":null`: "area_sqm is missing",
		`"gemeinde_code":"38801","area_sqm":0`:    "area_sqm has the value 0: expected a number from 0.01 to 1000000000",
		`"gemeinde_code":"38801","area_sqm":1e10`: "area_sqm has the value 1e+10: expected a number from 0.01 to 1000000000",
		place + `,"building_count":1.5`:           "building_count has the value 1.5: expected a whole number",
		place + `,"building_count":-1`:            "building_count has the value -1: expected a number from 0 to 1000000",
		place + `,"footprint_count":1000001`:      "footprint_count has the value 1.000001e+06: expected a number from 0 to 1000000",
		place + `,"compactness":1.01`:             "compactness has the value 1.01: expected a number from 0 to 1",
		place + `,"footprint_area_sqm":-0.1`:      "footprint_area_sqm has the value -0.1: expected a number from 0 to 1000000000",
		place + `,"building_period":"1975"`:       `building_period has the value "1975": expected one of pre1960`,
		place + `,"landuse_codes":"x"`:            `landuse_codes has the value "x"`,
		place + `,"landuse_areas":"48"`:           `landuse_areas has the value "48": land-use codes with their areas in m²`,
		`"gemeinde_code":"388","area_sqm":600`:    `gemeinde_code has the value "388"`,
		`"bezirk_code":"38801","area_sqm":600`:    `bezirk_code has the value "38801"`,
		`"state_code":"Bayern","area_sqm":600`:    `state_code has the value "Bayern"`,
		`"state_code":0,"compactness":5`:          `compactness has the value 5`, // the first that is met
	} {
		if strings.HasPrefix(in, `"state_code":0`) {
			want = `state_code has the value "0"`
		}
		b := post(h, `{"inputs":[{`+in+`},{`+place+`,"building_count":1}]}`)(t)
		if e := fmt.Sprint(b.Data[0]["error"]); !strings.HasPrefix(e, want) || b.Data[0]["buy_eur_per_sqm"] != nil {
			t.Errorf("%s: want %q, got %q", in, want, e)
		}
		if b.Data[1]["error"] != nil || b.Data[1]["buy_eur_per_sqm"] == nil || b.Summary["errors"] != 1. {
			t.Errorf("%s: the item beside it: %v", in, b.Data[1])
		}
	}
}

// What is not what a body may hold is refused as a whole, by its path.
func TestBodiesThatAreRefused(t *testing.T) {
	h := serve(t)
	many := func(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	for in, want := range map[string]struct {
		code int
		text string
	}{
		`{"parcel_ids":[` + many(`"88801-1"`, 1001) + `]}`:  {413, "parcel_ids"},
		`{"inputs":[` + many(`{"area_sqm":1}`, 1001) + `]}`: {413, "inputs"},
		`{"parcel_ids":[]}`:                           {400, "parcel_ids"},
		`{"parcel_ids":[1]}`:                          {400, "parcel_ids[0]"},
		`{"parcel_ids":["88801-1","88801"]}`:          {400, "parcel_ids[1]"},
		`{"inputs":[{"area_sqm":1},{"area_sqm":[]}]}`: {400, "inputs[1].area_sqm"},
		`{"inputs":[{"area_sqm":1},5]}`:               {400, "inputs[1]"},
		`{"inputs":[{"area_sq":1}]}`:                  {400, "area_sqm"},
		`{"inputs":[{"typology":true}]}`:              {400, "inputs[0].typology"},
		`{"inputs":{}}`:                               {400, "inputs"},
		`{"inputs":[{"area_sqm":1}],"year":1989}`:     {400, "year"},
		`[]`:                         {400, "body"},
		`{"inputs":[{"area_sqm":1}]`: {400, "body"},
	} {
		w := fixture.Ask(h, "POST", "/api/v1/land_prices/batch", in)
		if w.Code != want.code || !strings.Contains(w.Body.String(), want.text) {
			t.Errorf("%.70s: want %d that names %s, got %d %s", in, want.code, want.text, w.Code, w.Body)
		}
	}
	if b := post(h, `{"parcel_ids":[`+many(`"88801-1"`, 1000)+`]}`)(t); len(b.Data) != 1000 || b.Data[999]["item"] != 999. {
		t.Errorf("1,000 parcels: %d rows", len(b.Data))
	}
}

// Codes may be written as numbers, and null is not given.
func TestItemsAsTheyMayBeWritten(t *testing.T) {
	h := serve(t)
	want := first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=900&landuse_codes=52&building_count=2&compactness=0.5&typology=urban&explain=false"))
	for _, in := range []string{
		`{"gemeinde_code":38801,"area_sqm":900,"landuse_codes":52,"building_count":2,"compactness":0.5,"typology":"urban"}`,
		`{"gemeinde_code":"38801","bezirk_code":388,"state_code":3,"area_sqm":9e2,"landuse_codes":"52","building_count":2.0,"compactness":0.5,"typology":"urban","building_period":null,"footprint_area_sqm":null}`,
	} {
		got := post(h, `{"inputs":[`+in+`]}`)(t).Data[0]
		delete(got, "item")
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: want %v, got %v", in, want, got)
		}
	}
}

// The explanations of every class and of what has no price, word for word.
func TestExplanations(t *testing.T) {
	h := serve(t)
	for name, query := range map[string]string{
		"explained_farmland.json": "gemeinde_code=38801&area_sqm=25000&landuse_areas=48:20000,57:5000&year=2026",
		"explained_forest.json":   "bezirk_code=388&area_sqm=5000&landuse_codes=30",
		"explained_other.json":    "state_code=3&area_sqm=5000&landuse_codes=59",
		"explained_assumed.json":  "state_code=3&area_sqm=700",
		"explained_gap.json":      "gemeinde_code=38801&area_sqm=700&landuse_codes=83&year=2022&typology=rural_settled&compactness=0.6",
		"explained_building.json": "gemeinde_code=38802&area_sqm=700&footprint_area_sqm=90&building_period=pre1960&typology=urban&year=2023",
		"explained_nothing.json":  "state_code=5&area_sqm=700&footprint_area_sqm=90",
	} {
		golden.Check(t, name, get(h, "/predict?pretty=1&"+query).Body.Bytes())
	}
	golden.Check(t, "validate.json", get(h, "/validate?min_parcels_per_gemeinde=1&pretty=1").Body.Bytes())
	golden.Check(t, "batch.json", get(h, "/batch?parcel_ids=88801-1,88801-77,88802-1&explain=true&pretty=1").Body.Bytes())
}

// A place that the registers have is answered also where nothing is published for it.
func TestPlacesWithoutSeries(t *testing.T) {
	h := serve(t)
	if row := first(t, get(h, "/gemeinde/48804")); len(row["series"].(map[string]any)) != 0 || row["statistik_austria"] != nil ||
		row["kg_count"] != 1. {
		t.Errorf("municipality: %v", row)
	}
	row := first(t, get(h, "/bezirk/488"))
	if list := row["gemeinden"].([]any); len(list) != 1 || list[0].(map[string]any)["gemeinde_code"] != "48804" ||
		len(row["published"].(map[string]any)) != 0 {
		t.Errorf("district: %v", row)
	}
	if w := get(h, "/predict?bezirk_code=488&area_sqm=600&building_count=1"); w.Code != 200 {
		t.Errorf("a description in a district without a series: %d %s", w.Code, w.Body)
	}
}

// The municipalities of a district are those that the register lists and those of its KGs, each once.
func TestMembersOfADistrict(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishWith(s, fixture.Snapshots(), func(c *register.Contents) {
		for _, code := range []austria.GemeindeCode{"38801", "38809", "48804"} {
			c.Municipalities = append(c.Municipalities, register.Municipality{Code: code, Name: "M " + string(code),
				DistrictCode: code.District(), DistrictName: "B " + string(code.District()), At: fixture.At(4, 2),
				Outline: geom.MultiPolygon{{fixture.Rect(0, 0, 8, 4)}}})
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddPrices(s, fixture.Snapshots(), fixture.PriceRows()); err != nil {
		t.Fatal(err)
	}
	row := first(t, get(serveStore(t, s), "/bezirk/388"))
	var got []string
	for _, m := range row["gemeinden"].([]any) {
		m := m.(map[string]any)
		got = append(got, fmt.Sprint(m["gemeinde_code"], " ", m["gemeinde_name"]))
	}
	if len(got) != 3 || got[0] != "38801 M 38801" || !strings.HasPrefix(got[1], "38802 ") || got[2] != "38809 M 38809" ||
		row["district_name"] != "B 388" {
		t.Errorf("%v has %q", row["district_name"], got)
	}
}

// Bounds belong to what is allowed, and a refusal gives numbers as they were given.
func TestBoundsOfDescriptions(t *testing.T) {
	h := serve(t)
	if w := get(h, "/predict?gemeinde_code=38801&area_sqm=12.25&footprint_area_sqm=12.25"); w.Code != 200 {
		t.Errorf("built over whole: %d %s", w.Code, w.Body)
	}
	w := get(h, "/predict?gemeinde_code=38801&area_sqm=12.25&footprint_area_sqm=12.375")
	if w.Code != 400 || !strings.Contains(w.Body.String(), "12.375") || !strings.Contains(w.Body.String(), "at most area_sqm, 12.25 m²") {
		t.Errorf("built over more: %d %s", w.Code, w.Body)
	}
	b := post(h, `{"inputs":[{"gemeinde_code":"38801","area_sqm":0.01,"compactness":1,"building_count":0,"footprint_area_sqm":0}]}`)(t)
	if b.Data[0]["error"] != nil || b.Data[0]["area_sqm"] != 0.01 {
		t.Errorf("the least there is: %v", b.Data[0])
	}
}

// A batch over a KG that does not exist does not change; one over a KG that is not loaded does.
func TestValidatorsOfBatches(t *testing.T) {
	h := serve(t)
	if w := get(h, "/batch?parcel_ids=77777-1,88801-1"); w.Header().Get("ETag") == "" ||
		!strings.Contains(w.Body.String(), "KG 77777 does not exist") {
		t.Errorf("got %v %s", w.Header(), w.Body)
	}
	w := get(h, "/batch?parcel_ids=88803-1,88801-1")
	if b := read(t, w); w.Header().Get("ETag") != "" || b.Meta["ready"] != false || b.Data[0]["error"] != "KG 88803 cannot be read yet" ||
		b.Data[1]["buy_eur_per_sqm"] == nil {
		t.Errorf("got %v %s", w.Header(), w.Body)
	}
}

func TestBuiltOn(t *testing.T) {
	for want, in := range map[string]landprice.Input{
		"1 address point":                      {Buildings: 1},
		"2 address points":                     {Buildings: 2},
		"1 footprint":                          {Footprints: 1},
		"3 footprints of 90 m²":                {Footprints: 3, FootprintM2: 90.4},
		"1 address point, 1 footprint of 5 m²": {Buildings: 1, Footprints: 1, FootprintM2: 5},
	} {
		if got := strings.Join(builtOn(&in), ", "); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
	if got := source(&landprice.Baseline{Code: "388", Source: landprice.Bezirk, Parts: 1}); got != "bezirk 388" {
		t.Errorf("one series is no mean: %q", got)
	}
}

// What other services tell of prices: whose series they are, and an estimate as a value within their own answers.
func TestPricesForOthers(t *testing.T) {
	rows := fixture.PriceRows()
	book, err := prices.Book(rows)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := prices.Book(nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, d := range map[string]*data{"no series are loaded": {book: empty}, "": {book: book}, "somebody": {book: empty,
		attribution: "somebody"}} {
		if got := (Prices{d}).Attribution(); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
	in := landprice.Input{Described: true, Place: landprice.PlaceOf("38801", "", ""), AreaSqm: 600, Year: 2024, Compactness: math.NaN()}
	body, warned, err := (Prices{&data{book: book}}).Estimate(in)
	if err != nil || strings.Contains(string(body), `"item"`) || strings.ContainsAny(string(body), "\n\t") ||
		!strings.Contains(string(body), `"class_basis":"assumed"`) || len(warned) != 1 || !strings.HasPrefix(warned[0], "class assumed") {
		t.Errorf("got %s, %q, %v", body, warned, err)
	}
}
