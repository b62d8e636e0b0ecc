package landprices

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"mappe/functions/fixture"
	"mappe/infra/golden"
	"mappe/shared/cloud/store/mem"
)

func near(t *testing.T, what string, got any, want float64) {
	t.Helper()
	v, ok := got.(float64)
	if !ok || math.Abs(v-want) > 0.006+1e-4*math.Abs(want) {
		t.Errorf("%s: want %.4f, got %v", what, want, got)
	}
}

// The rules of the specification, each computed anew here from its text.
func TestPredict(t *testing.T) {
	h := serve(t)
	size := func(sqm float64) float64 { return math.Min(math.Max(math.Pow(600/sqm, 0.15), 0.7), 1.2) }
	for _, c := range []struct {
		query, class string
		want         float64
	}{
		{"gemeinde_code=38801&area_sqm=600&building_count=1", "bauland_built", 150 * 1.10},
		{"gemeinde_code=38801&area_sqm=900&building_count=1&compactness=0.8&typology=urban", "bauland_built",
			150 * 1.10 * size(900) * 1.12 * 1.30},
		{"gemeinde_code=38801&area_sqm=900&footprint_count=2&typology=suburban", "bauland_built", 150 * 1.10 * size(900) * 1.08},
		{"gemeinde_code=38801&area_sqm=60&landuse_codes=91&typology=rural_settled", "bauland_zoned", 150 * 1.10 * 1.2 * 0.92},
		{"gemeinde_code=38801&area_sqm=60000&landuse_codes=51&typology=rural_agrarian", "bauland_zoned", 150 * 1.10 * 0.7 * 0.78},
		{"gemeinde_code=38801&area_sqm=600&landuse_codes=43", "bauland_zoned", 150 * 1.10},
		{"gemeinde_code=38801&area_sqm=600&building_count=1&year=2019", "bauland_built", math.Sqrt(100*121) * 1.10},
		{"gemeinde_code=38802&area_sqm=600&building_count=1", "bauland_built", 110 * 1.10},
		{"bezirk_code=388&area_sqm=600&building_count=1", "bauland_built", 110 * 1.10},
		{"state_code=3&area_sqm=600&building_count=1&year=2020", "bauland_built", 80 * 1.10},
		{"state_code=3&area_sqm=600&building_count=1&year=2024", "bauland_built", 88.2 * math.Pow(1.05, 2) * 1.10},
		{"gemeinde_code=38801&area_sqm=10000&landuse_codes=50", "ackerland", 6},
		{"gemeinde_code=38801&area_sqm=10000&landuse_codes=48", "ackerland", 6},
		{"gemeinde_code=38801&area_sqm=10000&landuse_codes=57", "gruenland", 3},
		{"gemeinde_code=38801&area_sqm=10000&landuse_codes=30", "wald", 2},
		{"gemeinde_code=38801&area_sqm=10000&landuse_areas=56:9000,50:1000", "gruenland", 3},
		{"gemeinde_code=38801&area_sqm=10000", "wald", 2},
	} {
		row := first(t, get(h, "/predict?"+c.query))
		if row["class"] != c.class {
			t.Errorf("%s: want class %s, got %v", c.query, c.class, row["class"])
		}
		near(t, c.query, row["buy_eur_per_sqm"], c.want)
		area := row["area_sqm"].(float64)
		near(t, c.query+" total", row["buy_total_eur"], c.want*area)
		i := row["interval"].(map[string]any)
		if p := row["buy_eur_per_sqm"].(float64); !(i["low_eur_per_sqm"].(float64) <= p && p <= i["high_eur_per_sqm"].(float64)) ||
			i["basis"] == "" {
			t.Errorf("%s: the interval %v does not hold %v", c.query, i, p)
		}
	}
}

func TestRentsAndOther(t *testing.T) {
	h := serve(t)
	row := first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=25000&landuse_codes=50"))
	near(t, "rent per ha", row["rent_eur_per_ha_year"], 350)
	near(t, "rent", row["rent_eur_per_year"], 875)
	row = first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=25000&landuse_codes=95,59,87"))
	if row["class"] != "other" || row["buy_eur_per_sqm"] != nil || row["confidence"] != "none" {
		t.Errorf("traffic, water and rock: want other without a price, got %v", row)
	}
}

func TestBuilding(t *testing.T) {
	h := serve(t)
	row := first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=600&footprint_area_sqm=100&typology=suburban"))
	b := row["building"].(map[string]any)
	mean := math.Cbrt(1600 * 2000 * 2500.)
	near(t, "living area", b["living_area_sqm"], 170)
	near(t, "mean over the periods", b["value_eur"], 170*mean)
	if row["class"] != "bauland_built" || b["confidence"] != "medium" {
		t.Errorf("a footprint without a period: got %v", row)
	}
	near(t, "combined", row["combined_value_eur"], 600*150*1.1*1.08+170*mean)
	row = first(t, get(h, "/predict?gemeinde_code=38801&area_sqm=600&footprint_area_sqm=100&typology=urban&building_period=post1991"))
	b = row["building"].(map[string]any)
	near(t, "of the period", b["value_eur"], 240*2500)
	if b["confidence"] != "high" {
		t.Errorf("with a period: got %v", b)
	}
}

func TestParcel(t *testing.T) {
	h := serve(t)
	row := first(t, get(h, "/parcel/88801-.6%2F1"))
	if row["parcel_id"] != "88801-.6/1" || row["class"] != "bauland_built" || row["class_basis"] != "areas" ||
		row["baseline_source"] != "gemeinde" {
		t.Errorf("got %v", row)
	}
	near(t, "price", row["buy_eur_per_sqm"], 150*1.10*0.7*(1+0.15*0.78)*0.92)
	if _, ok := row["explanation"].(map[string]any); !ok {
		t.Errorf("no explanation: %v", row)
	}
	for path, want := range map[string]int{"/parcel/88801-77": 404, "/parcel/77777-1": 404, "/parcel/abc": 400,
		"/parcel/88801-1?year=24": 400, "/parcel/88801-1?yaer=2024": 400} {
		if w := get(h, path); w.Code != want {
			t.Errorf("%s: want %d, got %d %s", path, want, w.Code, w.Body)
		}
	}
	w := get(h, "/parcel/88803-1")
	if b := read(t, w); len(b.Data) != 0 || b.Meta["ready"] != false || w.Header().Get("ETag") != "" {
		t.Errorf("a cold KG: got %s %v", w.Body, w.Header())
	}
	w = get(h, "/parcel/88801-1")
	if w := get(h, "/parcel/88801-1", "If-None-Match", w.Header().Get("ETag")); w.Code != 304 {
		t.Errorf("the same answer: want 304, got %d", w.Code)
	}
}

func post(h http.Handler, in string) func(t *testing.T) body {
	return func(t *testing.T) body {
		return read(t, fixture.Ask(h, "POST", "/api/v1/land_prices/batch", in))
	}
}

// A batch gives what the single questions give, in their order, and an error where a question has no answer.
func TestBatch(t *testing.T) {
	h := serve(t)
	b := read(t, get(h, "/batch?parcel_ids=88802-1,88801-1,88801-77,88801-.6%2F1"))
	if len(b.Data) != 4 || b.Data[0]["parcel_id"] != "88802-1" || b.Data[3]["parcel_id"] != "88801-.6/1" ||
		b.Data[2]["error"] != "parcel 88801-77 does not exist" {
		t.Fatalf("got %v", b.Data)
	}
	sum, logs := 0.0, 0.0
	for _, i := range []int{0, 1, 3} {
		one := first(t, get(h, "/parcel/"+strings.ReplaceAll(fmt.Sprint(b.Data[i]["parcel_id"]), "/", "%2F")+"?explain=false"))
		delete(b.Data[i], "item")
		if fmt.Sprint(one) != fmt.Sprint(b.Data[i]) {
			t.Errorf("want %v, got %v", one, b.Data[i])
		}
		sum += one["buy_total_eur"].(float64)
		logs += math.Log(one["buy_eur_per_sqm"].(float64))
	}
	near(t, "total", b.Summary["total_value_eur"], sum)
	near(t, "geomean", b.Summary["geomean_buy_eur_per_sqm"], math.Exp(logs/3))
	if b.Summary["parcel_count"] != 4. || b.Summary["errors"] != 1. {
		t.Errorf("summary %v", b.Summary)
	}
	p := post(h, `{"parcel_ids":["88802-1","88801-1"],"year":2024}`)(t)
	if len(p.Data) != 2 || p.Data[1]["parcel_id"] != "88801-1" {
		t.Errorf("posted ids: %v", p.Data)
	}
}

func TestBatchOfInputs(t *testing.T) {
	h := serve(t)
	b := post(h, `{"year":2019,"inputs":[{"gemeinde_code":"38801","area_sqm":600,"building_count":1},{"gemeinde_code":"38801","area_sqm":-1},{"gemeinde_code":38801,"area_sqm":600,"landuse_codes":"50","typology":"townish"}]}`)(t)
	near(t, "as predict", b.Data[0]["buy_eur_per_sqm"], 121)
	if e := fmt.Sprint(b.Data[1]["error"]); !strings.Contains(e, "area_sqm has the value -1") {
		t.Errorf("got %q", e)
	}
	if e := fmt.Sprint(b.Data[2]["error"]); !strings.Contains(e, "expected one of urban, suburban") {
		t.Errorf("got %q", e)
	}
	for in, want := range map[string]string{
		`{}`:                                       "expected either parcel_ids or inputs",
		`{"inputs":[]}`:                            "1 to 1000",
		`{"inputs":[{"gemeinde":"1"}]}`:            "gemeinde_code",
		`{"inputs":[{"area_sqm":"big"}]}`:          "inputs[0].area_sqm",
		`{"year":2024.5,"inputs":[{}]}`:            "year",
		`{"parcel_ids":["x"]}`:                     "parcel_ids[0]",
		`{"parcel_ids":["88801-1"],"inputs":[{}]}`: "either",
		`{"inputs":[` + strings.Repeat(`{"area_sqm":1},`, 1000) + `{}]}`: "1 to 1000",
		`{"inputs":[{"area_sqm":1,"area_sqm":2}]}`:                       "once",
	} {
		w := fixture.Ask(h, "POST", "/api/v1/land_prices/batch", in)
		if w.Code != 400 && w.Code != 413 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%.60s: want a refusal with %q, got %d %s", in, want, w.Code, w.Body)
		}
	}
}

// The sums of an area are those of its parcels, asked one by one.
func TestGemeindeIsTheSumOfItsParcels(t *testing.T) {
	h := serve(t)
	row := first(t, get(h, "/gemeinde/38801?year=2021"))
	var ids []string
	for _, s := range fixture.Snapshots() {
		if s.KG.GemeindeCode == "38801" {
			for _, p := range s.Parcels {
				ids = append(ids, string(s.KG.Code)+"-"+strings.ReplaceAll(string(p.GNR), "/", "%2F"))
			}
		}
	}
	b := read(t, get(h, "/batch?year=2021&parcel_ids="+strings.Join(ids, ",")))
	value, area, logs, n := map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]float64{}
	rent := 0.0
	for _, r := range b.Data {
		c := fmt.Sprint(r["class"])
		value[c] += r["buy_total_eur"].(float64)
		area[c] += r["area_sqm"].(float64)
		logs[c] += math.Log(r["buy_eur_per_sqm"].(float64))
		n[c]++
		if v, ok := r["rent_eur_per_year"].(float64); ok {
			rent += v
		}
	}
	by := row["by_class"].(map[string]any)
	if len(by) != len(n) || len(n) < 3 {
		t.Fatalf("classes: want %v, got %v", n, by)
	}
	got := 0.0
	for c, v := range by {
		m := v.(map[string]any)
		near(t, c+" parcels", m["parcel_count"], n[c])
		near(t, c+" area", m["total_area_sqm"], area[c])
		near(t, c+" value", m["total_value_eur"], value[c])
		near(t, c+" mean", m["mean_buy_eur_per_sqm"], value[c]/area[c])
		near(t, c+" geomean", m["geomean_buy_eur_per_sqm"], math.Exp(logs[c]/n[c]))
		if r, ok := m["rent_total_eur_per_year"].(float64); ok {
			got += r
		}
	}
	near(t, "rent", got, rent)
}

func TestAreas(t *testing.T) {
	h := serve(t)
	row := first(t, get(h, "/bezirk/388"))
	if _, ok := row["by_class"]; !ok || len(row["gemeinden"].([]any)) != 2 {
		t.Errorf("bezirk: got %v", row)
	}
	if row = first(t, get(h, "/bezirk/388?aggregate=false")); row["by_class"] != nil || row["published"] == nil {
		t.Errorf("aggregate=false: got %v", row)
	}
	for _, s := range []string{"3", "Nieder%C3%B6sterreich", "nieder%C3%B6sterreich"} {
		row = first(t, get(h, "/bundesland/"+s))
		if row["state_code"] != "3" || row["by_class"] != nil {
			t.Errorf("%s: got %v", s, row)
		}
	}
	if row = first(t, get(h, "/bundesland/3?aggregate=true")); row["by_class"] == nil {
		t.Errorf("aggregate=true: got %v", row)
	}
	if row = first(t, get(h, "/bundesland/AT?aggregate=true")); row["state_code"] != "AT" || row["kg_count"] != 4. {
		t.Errorf("AT: got %v", row)
	}
	for path, want := range map[string]int{"/bundesland/10": 400, "/bundesland/Bayern": 400, "/bezirk/999": 404, "/gemeinde/99999": 404,
		"/bezirk/38": 400} {
		if w := get(h, path); w.Code != want {
			t.Errorf("%s: want %d, got %d", path, want, w.Code)
		}
	}
}

func TestValidate(t *testing.T) {
	h := serve(t)
	w := get(h, "/validate?min_parcels_per_gemeinde=1")
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"gemeinden_checked":1`) ||
		!strings.Contains(w.Body.String(), `"results":[{"gemeinde_code":"38801"`) {
		t.Errorf("got %s", w.Body)
	}
	w = get(h, "/validate?min_parcels_per_gemeinde=1000")
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"results":[]`) || !strings.Contains(w.Body.String(), `"median_ratio":null`) {
		t.Errorf("none: got %s", w.Body)
	}
	for _, q := range []string{"limit=0", "limit=5001", "min_parcels_per_gemeinde=0"} {
		if w := get(h, "/validate?"+q); w.Code != 400 {
			t.Errorf("%s: got %d", q, w.Code)
		}
	}
	if w := get(h, "/validate?format=csv&min_parcels_per_gemeinde=1"); w.Code != 200 || !strings.Contains(w.Body.String(), "38801,") {
		t.Errorf("csv: %s", w.Body)
	}
}

func TestGolden(t *testing.T) {
	h := serve(t)
	for name, path := range map[string]string{
		"predict.json":  "/predict?gemeinde_code=38802&area_sqm=850&footprint_area_sqm=120&compactness=0.7&pretty=1",
		"gemeinde.json": "/gemeinde/38801?pretty=1",
		"bezirk.json":   "/bezirk/388?pretty=1", "bundesland.json": "/bundesland/3?pretty=1", "stats.json": "/stats?pretty=1",
		"batch.csv": "/batch?parcel_ids=88801-1,88801-2&format=csv",
	} {
		golden.Check(t, name, get(h, path).Body.Bytes())
	}
}

// A generation without prices says so.
func TestWithoutPrices(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots()); err != nil {
		t.Fatal(err)
	}
	w := get(serveStore(t, s), "/stats")
	if w.Code != 503 || !strings.Contains(w.Body.String(), "not published") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}
