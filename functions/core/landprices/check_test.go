package landprices

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

// A place and a size decide no class: the answer says that it is assumed, and what every class would give.
func TestAPlaceAndASizeDecideNoClass(t *testing.T) {
	h := serve(t)
	got := read(t, get(h, "/predict?gemeinde_code=38801&area_sqm=600"))
	row := got.Data[0]
	if row["class"] != "wald" || row["class_basis"] != "assumed" || row["confidence"] != "low" {
		t.Errorf("want wald, assumed, low; got %v, %v, %v", row["class"], row["class_basis"], row["confidence"])
	}
	low, high, classes := math.Inf(1), math.Inf(-1), ""
	for _, a := range row["alternatives"].([]any) {
		a := a.(map[string]any)
		classes += a["class"].(string) + " "
		price := a["buy_eur_per_sqm"].(float64)
		low, high = min(low, price), max(high, price)
		query := map[string]string{"bauland_built": "building_count=1", "bauland_zoned": "landuse_codes=83",
			"ackerland": "landuse_codes=48", "gruenland": "landuse_codes=57", "wald": "landuse_codes=30"}[a["class"].(string)]
		alone := first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=600&"+query))
		if alone["class"] != a["class"] || alone["buy_eur_per_sqm"] != a["buy_eur_per_sqm"] ||
			alone["buy_total_eur"] != a["buy_total_eur"] {
			t.Errorf("alternative %v, the estimate with %s is %v, %v", a, query, alone["class"], alone["buy_eur_per_sqm"])
		}
	}
	if classes != "bauland_built bauland_zoned ackerland gruenland wald " {
		t.Errorf("alternatives of %q", classes)
	}
	i := row["interval"].(map[string]any)
	if i["low_eur_per_sqm"] != low || i["high_eur_per_sqm"] != high {
		t.Errorf("want the interval from %v to %v, got %v", low, high, i)
	}
	if w := fmt.Sprint(got.Meta["warnings"]); !strings.Contains(w, "class assumed") {
		t.Errorf("meta.warnings: %s", w)
	}
	if n := fmt.Sprint(row["explanation"].(map[string]any)["notes"]); !strings.Contains(n, "no finding") {
		t.Errorf("explanation.notes: %s", n)
	}
	for _, said := range []string{"landuse_codes=57", "landuse_areas=48:600", "building_count=1", "footprint_area_sqm=80"} {
		got := read(t, get(h, "/predict?gemeinde_code=38801&area_sqm=600&"+said))
		if row := got.Data[0]; row["class_basis"] == "assumed" || row["alternatives"] != nil || got.Meta["warnings"] != nil {
			t.Errorf("%s: basis %v, alternatives %v, warnings %v; want none of an assumption", said, row["class_basis"],
				row["alternatives"], got.Meta["warnings"])
		}
	}
}

// A parcel of the cadastre of which no use is known keeps the rule's class without an assumption about it: nothing was
// left out by its user.
func TestAParcelIsNotAssumed(t *testing.T) {
	for _, row := range read(t, get(serve(t), "/batch?parcel_ids=88801-1,88801-2,88801-3")).Data {
		if row["class_basis"] == "assumed" || row["alternatives"] != nil {
			t.Errorf("%v: basis %v", row["parcel_id"], row["class_basis"])
		}
	}
}

// What cannot be is refused by name, in one request and in a batch.
func TestWhatADescriptionCannotSay(t *testing.T) {
	h := serve(t)
	for _, c := range []struct{ query, member, parameter, value string }{
		{"gemeinde_code=59999&area_sqm=600", `"gemeinde_code":"59999","area_sqm":600`, "gemeinde_code", "59999"},
		{"bezirk_code=777&area_sqm=600", `"bezirk_code":"777","area_sqm":600`, "bezirk_code", "777"},
		{"gemeinde_code=38801&bezirk_code=101&area_sqm=600", `"gemeinde_code":"38801","bezirk_code":"101","area_sqm":600`, "bezirk_code",
			"101"},
		{"gemeinde_code=38801&state_code=5&area_sqm=600", `"gemeinde_code":"38801","state_code":"5","area_sqm":600`, "state_code", "5"},
		{"gemeinde_code=38801&area_sqm=800&footprint_area_sqm=90000", `"gemeinde_code":"38801","area_sqm":800,"footprint_area_sqm":90000`,
			"footprint_area_sqm", "90000"},
		{"gemeinde_code=38801&area_sqm=800&landuse_codes=99", `"gemeinde_code":"38801","area_sqm":800,"landuse_codes":"99"`,
			"landuse_codes", "99"},
		{"gemeinde_code=38801&area_sqm=800&landuse_areas=99:5", `"gemeinde_code":"38801","area_sqm":800,"landuse_areas":"99:5"`,
			"landuse_areas", "99:5"},
	} {
		if w := get(h, "/predict?"+c.query); w.Code != 400 || !strings.Contains(w.Body.String(), c.parameter) ||
			!strings.Contains(w.Body.String(), c.value) {
			t.Errorf("%s: want 400 that names %s and %s, got %d %s", c.query, c.parameter, c.value, w.Code, w.Body)
		}
		w := fixture.Ask(h, "POST", "/api/v1/land_prices/batch",
			`{"inputs":[{`+c.member+`},{"gemeinde_code":"38801","area_sqm":600,"building_count":1}]}`)
		got := read(t, w)
		if problem, _ := got.Data[0]["error"].(string); !strings.Contains(problem, c.parameter) || !strings.Contains(problem, c.value) ||
			got.Summary["errors"] != 1.0 {
			t.Errorf("%s in a batch: %v", c.member, got.Data[0])
		}
		if got.Data[1]["buy_eur_per_sqm"] == nil {
			t.Errorf("%s: the item beside it has no price: %v", c.member, got.Data[1])
		}
	}
}

// A code that the rule puts into another class than its name suggests carries a note, with and without an explanation.
func TestNotesOnCodes(t *testing.T) {
	h := serve(t)
	for _, code := range []string{"40", "42", "44", "45", "46", "47", "50", "51", "52", "54", "55", "56", "58", "61", "62", "91"} {
		row := first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=800&explain=false&landuse_codes="+code))
		if notes := fmt.Sprint(row["notes"]); !strings.Contains(notes, code+" is called") ||
			!strings.Contains(notes, row["class"].(string)) {
			t.Errorf("%s: notes %s", code, notes)
		}
	}
	for _, query := range []string{"landuse_codes=48", "landuse_codes=30", "landuse_codes=83", "landuse_codes=95",
		"landuse_codes=42&building_count=1"} {
		if row := first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=800&"+query)); row["notes"] != nil {
			t.Errorf("%s: notes %v", query, row["notes"])
		}
	}
	row := first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=800&landuse_areas=48:5000&building_period=pre1960"))
	if notes := fmt.Sprint(row["notes"]); !strings.Contains(notes, "5000 m²") || !strings.Contains(notes, "building_period is not used") {
		t.Errorf("what does not fit together is not said: %s", notes)
	}
}

// An interval beyond the published years says that nothing validates it.
func TestIntervalsBeyondThePublishedYears(t *testing.T) {
	h := serve(t)
	for year, validated := range map[string]bool{"2024": true, "2019": true, "2050": false, "2030": false} {
		row := first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=800&building_count=1&year="+year))
		basis := row["interval"].(map[string]any)["basis"].(string)
		if got := !strings.HasPrefix(basis, "not validated for "+year); got != validated {
			t.Errorf("%s: basis %q", year, basis)
		}
	}
}
