package spatial

import (
	"math"
	"net/http"
	"strings"
	"testing"

	"mappe/functions/worldtest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/htmlpage"
)

// sheetWorld answers over the made-up country with what lies over it and its prices.
func sheetWorld(t *testing.T) http.Handler {
	t.Helper()
	s := mem.New()
	if err := worldtest.PublishOver(s, nil); err != nil {
		t.Fatal(err)
	}
	if err := worldtest.AddPrices(s, worldtest.Snapshots(), worldtest.PriceRows()); err != nil {
		t.Fatal(err)
	}
	return worldtest.Handler(t, New(Deps{Library: worldtest.Library(t, s)}))
}

// TestSheet: what the page says in both languages, its policy, and what it refuses.
func TestSheet(t *testing.T) {
	h := sheetWorld(t)
	for target, wants := range map[string][]string{
		"/api/v1/parcels/88801-2/sheet": {`<html lang="de">`, "Grundstück 2", "KG 88801 Westdorf", "8.002\u00a0m²", "Moorverordnung", "Maßstab 1:", "Geschätzter Preis", "Preise des Jahres",
			"Ackerland", "6,00\u00a0€", `<path class="own"`, `<path class="other"`, "/api/v1/parcels/88801-2/sheet?lang=de", "CC BY 4.0", "made-up prices"},
		"/api/v1/parcels/88801-2/sheet?lang=en&year=2024": {`<html lang="en">`, "Parcel 2", "8,002\u00a0m²", "Scale 1:", "arable land", "sheet?lang=en&amp;year=2024"},
		"/api/v1/parcels/88801-.6%2F1/sheet":              {"Grundstück .6/1", "im Grenzkataster", "88801-.6%2F1/sheet"},
	} {
		w := worldtest.Ask(h, "GET", target, "")
		page := w.Body.String()
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != htmlpage.ContentType {
			t.Fatalf("%s: %d %.300s", target, w.Code, page)
		}
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", target, want)
			}
		}
		csp := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(csp, htmlpage.Hash(htmlpage.StyleOf(page))) || strings.Contains(csp, "script-src") || strings.Contains(page, "<script") || strings.Contains(page, " style=") {
			t.Errorf("%s: the policy %s", target, csp)
		}
	}
	for target, status := range map[string]int{"/api/v1/parcels/88801-777/sheet": 404, "/api/v1/parcels/x/sheet": 400, "/api/v1/parcels/88801-2/sheet?lang=fr": 400} {
		if w := worldtest.Ask(h, "GET", target, ""); w.Code != status {
			t.Errorf("%s: want %d, got %d %.200s", target, status, w.Code, w.Body)
		}
	}
}

// TestPlanIsToScale: a metre on the ground is as long on the plan as the scale says.
func TestPlanIsToScale(t *testing.T) {
	shape := worldtest.Snapshots()[1].Parcels[0].Geometry
	d := &planner{}
	d.plane = planeOf(shape)
	scale := d.fit(shape)
	minX, maxX := math.Inf(1), math.Inf(-1)
	for _, c := range shape[0][0] {
		x, y := d.at(c)
		minX, maxX = min(minX, x), max(maxX, x)
		if x < 0 || x > planWidth || y < 0 || y > planHeight {
			t.Errorf("%v lies outside of the plan", c)
		}
	}
	b := shape.Bounds()
	x0, _ := d.plane.Project(b.Center())
	b2 := b.Center()
	b2.X = b.MaxX
	x1, _ := d.plane.Project(b2)
	if want := 2 * (x1 - x0) * 1000 / float64(scale); math.Abs(maxX-minX-want) > 0.1 {
		t.Errorf("1:%d: %.2f mm, want %.2f", scale, maxX-minX, want)
	}
}

func TestNumbersByLanguage(t *testing.T) {
	for _, tt := range []struct {
		v        float64
		decimals int
		unit     string
		de, en   string
	}{
		{1234567.891, 2, "€", "1.234.567,89\u00a0€", "1,234,567.89\u00a0€"}, {-1000, 0, "", "−1.000", "−1,000"}, {-0.001, 2, "", "0,00", "0.00"},
		{999.5, 1, "m²", "999,5\u00a0m²", "999.5\u00a0m²"}, {math.NaN(), 0, "m", "–", "–"},
	} {
		if de, en := german.figure(tt.v, tt.decimals, tt.unit), english.figure(tt.v, tt.decimals, tt.unit); de != tt.de || en != tt.en {
			t.Errorf("%v: want %s and %s, got %s and %s", tt.v, tt.de, tt.en, de, en)
		}
	}
	if got := german.date("2026-04-01"); got != "1.\u00a04.\u00a02026" {
		t.Errorf("the date %q", got)
	}
}
