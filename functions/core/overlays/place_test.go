package overlays

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mappe/artefacts/overlays"
	"mappe/functions/fixture"
	"mappe/infra/golden"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/jsonin"
)

// lying asks for a list in a place and writes of each row its name or code and what it shares, to the percent.
func lying(t *testing.T, h http.Handler, method, target, body string) string {
	t.Helper()
	w := fixture.Ask(h, method, "/api/v1/"+target, body)
	var a struct {
		Data []struct {
			Code, Name string
			SiteCode   string   `json:"sitecode"`
			Sqm        *float64 `json:"overlap_sqm"`
			Place      float64  `json:"overlap_of_place_pct"`
			Site       float64  `json:"overlap_of_site_pct"`
		}
		Meta struct{ Place *placed }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
		return fmt.Sprintf("%d %.200s", w.Code, w.Body)
	}
	var list []string
	for _, r := range a.Data {
		if r.Sqm == nil || a.Meta.Place == nil || math.Abs(100**r.Sqm/a.Meta.Place.AreaSqm-r.Place) > 0.0051 {
			t.Errorf("%s: %+v of %+v", target, r, a.Meta.Place)
			continue
		}
		list = append(list, fmt.Sprintf("%s %.0f %.0f", r.SiteCode+r.Name, r.Place, r.Site))
	}
	return strings.Join(list, ", ")
}

// rect is a rectangle of the world as GeoJSON.
func rect(x0, y0, x1, y1 float64) string {
	var list []string
	ring := fixture.Rect(x0, y0, x1, y1)
	for _, p := range append(ring, ring[0]) {
		list = append(list, fmt.Sprintf("[%.7f,%.7f]", p.Lon(), p.Lat()))
	}
	return `{"type":"Polygon","coordinates":[[` + strings.Join(list, ",") + `]]}`
}

// TestPlaces: what lies in a KG, a municipality, a box and an area, with its shares. Cells of the world are alike within a
// part in ten thousand. Westdorf has 17 cells: 16, and one apart.
func TestPlaces(t *testing.T) {
	h := world(t, true)
	box := "bbox=" + strings.Join([]string{"15.0000000", "48.0000000", "15.0040000", "48.0040000"}, ",")
	for _, c := range []struct{ method, target, body, want string }{
		{"GET", "natura2000/search?kg=88801", "", "AT0000001 47 100, AT0000002 6 50"},
		// Nebenmoor's box meets the KG's; it has no area in it
		{"GET", "natura2000/search?kg=88802", "", "AT0000002 6 50"},
		{"GET", "natura2000/search?kg=88803", "", ""},                                // built nowhere, and answered: sites only touch it
		{"GET", "search/protected_area?kg=88801", "", "Park 18 100"},                 // a ring of 3 cells
		{"GET", "search/protected_area?gemeinde=38801", "", "Park 9 100"},            // the true outline has 32 cells
		{"GET", "search/protected_area?gemeinde=Gemeinde%2038801", "", "Park 9 100"}, //
		{"GET", "natura2000/search?gemeinde_code=38801&sort=overlap", "", "AT0000001 25 100, AT0000002 6 100"},
		{"GET", "natura2000/search?gemeinde=38801&type=B&sort=overlap", "", "AT0000001 25 100"},
		{"GET", "natura2000/search?" + box + "&sort=overlap", "", "AT0000001 50 100, AT0000002 6 50"},
		{"GET", "search/protected_area?" + box + "&q=fern", "", ""},
		{"POST", "natura2000/search?sort=overlap", rect(1, 0.5, 5, 1), "AT0000002 50 50, AT0000001 25 6"},
		{"POST", "search/protected_area", rect(1.6, 1.6, 2.4, 2.4), ""}, // in the hole
		{"POST", "search/protected_area", `{"geometry":` + rect(1, 1, 3, 3) + `,"params":{"q":"park"}}`, "Park 75 100"},
		{"POST", "search/protected_area", `{"params":{"kg":88801,"sort":"overlap"}}`, "Park 18 100"},
		{"POST", "search/protected_area?kg=88801", "", "Park 18 100"},
		{"POST", "search/protected_area", "POLYGON ((15.001 48.001, 15.003 48.001, 15.003 48.003, 15.001 48.003))", "Park 75 100"},
	} {
		if got := lying(t, h, c.method, c.target, c.body); got != c.want {
			t.Errorf("%s %s: want %q, got %q", c.method, c.target, c.want, got)
		}
	}
	golden.Check(t, "areas_of_kg.csv", fixture.Ask(h, "GET", "/api/v1/search/protected_area?kg=88801&format=csv", "").Body.Bytes())
	golden.Check(t, "areas_of_kg.json", fixture.Ask(h, "GET", "/api/v1/search/protected_area?kg=88801", "").Body.Bytes())
	for target, want := range map[string]string{
		"natura2000/search?kg=12345": "404", "natura2000/search?gemeinde=Nirgends": "404",
		"natura2000/search?sort=overlap":            "no sort, or a place",
		"natura2000/search?kg=88801&gemeinde=38801": "one of kg, gemeinde, bbox", "natura2000/search?bbox=10,47,15,48": "at most 2 degrees",
		"search/protected_area?kg=88801&sort=overlap&near_lon=15&near_lat=48": "either sort or",
	} {
		w := fixture.Ask(h, "GET", "/api/v1/"+target, "")
		if said := fmt.Sprint(w.Code) + w.Body.String(); w.Code < 400 || !strings.Contains(said, want) {
			t.Errorf("%s: want %s, got %s", target, want, said)
		}
	}
	if w := fixture.Ask(h, "POST", "/api/v1/natura2000/search?kg=88801", rect(0, 0, 1, 1)); w.Code != 400 && w.Code != 409 {
		t.Errorf("an area beside a KG: %d %s", w.Code, w.Body)
	}
	for _, target := range []string{"natura2000/search", "search/protected_area"} {
		if body := fixture.Ask(h, "GET", "/api/v1/"+target, "").Body.String(); strings.Contains(body, "overlap") ||
			strings.Contains(body, "place") {
			t.Errorf("%s without a place: %s", target, body)
		}
	}
}

// TestBoxesFollowTheParallel: the area of a wide box is that between its parallels and meridians, which the chords between its
// corners miss by a kilometre.
func TestBoxesFollowTheParallel(t *testing.T) {
	b := geom.Box{MinX: 120_000_000, MinY: 470_000_000, MaxX: 140_000_000, MaxY: 472_000_000}
	got := newPlace(placed{}, geom.MultiPolygon{{boxRing(b)}}).AreaSqm
	// On the ellipsoid (GRS80) by the authalic latitude, which the projection keeps.
	e := math.Sqrt(0.006694380022900787)
	q := func(lat float64) float64 {
		s := math.Sin(lat * math.Pi / 180)
		return (1 - e*e) * (s/(1-e*e*s*s) - math.Log((1-e*s)/(1+e*s))/(2*e))
	}
	want := 6378137.0 * 6378137 / 2 * (q(47.2) - q(47)) * 2 * math.Pi / 180
	if math.Abs(got-want) > 1e-6*want {
		t.Errorf("%.0f m², want %.0f", got, want)
	}
	corners := geom.MultiPolygon{{boxRing(b)}}.Area(crs.EqualArea)
	if math.Abs(corners-want) < 1e-6*want {
		t.Error("the box of four corners would do")
	}
}

// TestOverlapBesideCells: the overlap of rings with holes in several parts is that of a count of small cells, within what
// the cells on the borders may be.
func TestOverlapBesideCells(t *testing.T) {
	read := func(text string) geom.MultiPolygon {
		g, err := jsonin.New([]byte(text)).ReadGeometry("", &jsonin.Budget{Left: 1000, Max: 1000})
		if err != nil {
			t.Fatal(err)
		}
		return g.Polygons
	}
	place := read(`{"type":"MultiPolygon","coordinates":[[[[15,48],[15.01,48.001],[15.009,48.008],[15.001,48.007],[15,48]],[[15.004,48.003],[15.004,48.005],[15.006,48.0045],[15.004,48.003]]],[[[15.012,48],[15.014,48],[15.013,48.004],[15.012,48]]]]}`)
	site := overlays.NewShape(read(
		`{"type":"MultiPolygon","coordinates":[[[[15.003,47.999],[15.013,48.002],[15.011,48.01],[15.0025,48.0065],[15.003,47.999]],[[15.0045,48.0042],[15.0075,48.006],[15.0075,48.0035],[15.0045,48.0042]]]]}`))
	p := newPlace(placed{Kind: "area"}, place)
	got, ok, err := p.of(site)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	const step = 400 // of the grid: 3 by 4.4 m
	inside, border, cell := 0.0, 0.0, 0.0
	in := geom.NewIndex(place)
	for x := int32(150_000_000 + step/2); x < 150_150_000; x += step {
		for y := int32(480_000_000 - 10_000 + step/2); y < 480_110_000; y += step {
			corner := geom.MultiPolygon{{geom.Ring{{X: x - step/2, Y: y - step/2}, {X: x + step/2, Y: y - step/2},
				{X: x + step/2, Y: y + step/2}, {X: x - step/2, Y: y + step/2}}}}
			if cell == 0 {
				cell = corner.Area(crs.EqualArea)
			}
			both := func(q geom.Point) bool { return in.Contains(q) && site.Contains(q) }
			n := 0
			for _, q := range corner[0][0] {
				if both(q) {
					n++
				}
			}
			switch n {
			case 4:
				inside += cell
			case 0:
			default:
				border += cell
			}
		}
	}
	// Cells on the border count half; what they are wrong by in the mean falls with their number.
	n := border / cell
	if want, bound := inside+border/2, 3*cell*math.Sqrt(n)/2+2e-4*inside; math.Abs(got.Sqm-want) > bound || n < 100 {
		t.Errorf("%.0f m², cells count %.0f ± %.0f", got.Sqm, want, bound)
	}
}

// TestSmallPlaces: a place, or a site, of less than a square metre shares what it shares; the sliver along a border does not count,
// however small the place.
func TestSmallPlaces(t *testing.T) {
	h := world(t, true)
	const cell = 74.6 // m, of a cell's width; it is 111.2 m high
	for _, c := range []struct {
		x0, y0, x1, y1 float64 // m
		want           string
	}{
		{100, 150, 100.9, 150.9, "Park 100"}, {100, 150, 100.1, 150.1, "Park 100"}, {100, 150, 101.1, 151.1, "Park 100"},
		{cell - 0.45, 150, cell + 0.45, 150.9, "Park 50"}, // half of it
		{cell - 2.99, 150, cell + 0.01, 153, ""},          // a centimetre over the border of 9 m²
	} {
		body := rect(c.x0/cell, c.y0/111.2, c.x1/cell, c.y1/111.2)
		got := ""
		if said := strings.Fields(lyingLoosely(t, h, body)); len(said) > 1 {
			got = said[0] + " " + said[1]
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	tree := overlays.NewShape(geom.MultiPolygon{{fixture.Rect(1, 1, 1.01, 1.005)}}) // 0.4 m²
	p := newPlace(placed{}, geom.MultiPolygon{{fixture.Rect(0, 0, 2, 2)}})
	if in, ok, err := p.of(tree); !ok || err != nil || in.SelfPct != 100 || in.Sqm > 0.5 {
		t.Errorf("a site of 0.4 m²: %+v %v %v", in, ok, err)
	}
}

// TestLongBordersAreShared: those who share a long oblique border, each of which runs along it in its own direction, share no sliver
// and leave none, and vertices lie as near to the border as the grid lets them.
func TestLongBordersAreShared(t *testing.T) {
	for _, b := range []geom.Point{{X: 132_791_237, Y: 473_313_571}, {X: 132_400_002, Y: 473_800_017}, {X: 131_300_000, Y: 473_091_003}} {
		a := geom.Point{X: 132_000_003, Y: 473_000_001}
		over, under := geom.MultiPolygon{{geom.Ring{a, b, {X: a.X, Y: b.Y}}}}, geom.MultiPolygon{{geom.Ring{b, a, {X: b.X, Y: a.Y}}}}
		box := geom.MultiPolygon{{boxRing(geom.Box{MinX: min(a.X, b.X), MinY: a.Y, MaxX: max(a.X, b.X), MaxY: b.Y})}}
		work := int64(1 << 40)
		if sqm, ok := CoverOf(over).CommonWithin(CoverOf(under), &work); !ok || sqm > 1e-3 {
			t.Errorf("%v: two sides of a border share %.3f m²", b, sqm)
		}
		if sum, whole := CoverOf(over).Area()+CoverOf(under).Area(), CoverOf(box).Area(); math.Abs(sum-whole) > 1e-3 {
			t.Errorf("%v: two halves have %.3f m², the whole %.3f", b, sum, whole)
		}
		n := 0
		for _, v := range divided(over[0][0]) {
			if v.X == a.X || v.Y == b.Y {
				continue // on the other sides
			}
			n++
			if f := float64(v.X-a.X) * float64(b.Y-a.Y) / float64(b.X-a.X); math.Abs(f-float64(v.Y-a.Y)) > 0.5+
				0.5*math.Abs(float64(b.Y-a.Y)/float64(b.X-a.X)) {
				t.Errorf("%v lies %.2f steps of the grid from the border to %v", v, f-float64(v.Y-a.Y), b)
			}
		}
		if n < 10 {
			t.Errorf("%d vertices", n)
		}
	}
}

// TestBordersThatAreTooLong: a comb whose teeth are kilometres long is refused before its edges are divided.
func TestBordersThatAreTooLong(t *testing.T) {
	var ring []string
	at := func(x, y float64) { ring = append(ring, fmt.Sprintf("[%.7f,%.7f]", 15+x/75000, 48+y/111200)) }
	const teeth = 2400
	at(0, 0)
	for i := range teeth {
		y := 2 * float64(i)
		at(4900, y)
		at(4900, y+1)
		at(1, y+1)
		at(1, y+2)
	}
	at(0, 2*teeth)
	at(0, 0)
	body := `{"type":"Polygon","coordinates":[[` + strings.Join(ring, ",") + `]]}`
	h := world(t, true)
	if w := fixture.Ask(h, "POST", "/api/v1/natura2000/search", body); w.Code != 413 || !strings.Contains(w.Body.String(), "too long") {
		t.Errorf("%d %.300s", w.Code, w.Body)
	}
	if w := fixture.Ask(h, "GET", "/api/v1/natura2000/search?bbox=14.5,47,16.5,49", ""); w.Code != 200 {
		t.Errorf("a large box: %d %.300s", w.Code, w.Body)
	}
}

// lyingLoosely is what protected areas share with an area, in tens of percent of it.
func lyingLoosely(t *testing.T, h http.Handler, body string) string {
	t.Helper()
	w := fixture.Ask(h, "POST", "/api/v1/search/protected_area", body)
	var a struct {
		Data []struct {
			Name  string
			Place float64 `json:"overlap_of_place_pct"`
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
		t.Fatalf("%d %.300s", w.Code, w.Body)
	}
	var said strings.Builder
	for _, r := range a.Data {
		fmt.Fprintf(&said, "%s %.0f ", r.Name, 10*math.Round(r.Place/10))
	}
	return said.String()
}

// FuzzPlaceBody: whatever the body, it is answered or refused.
func FuzzPlaceBody(f *testing.F) {
	for _, s := range []string{`{"params":{"kg":"88801"}}`, `{"params":null}`, rect(0, 0, 1, 1), `{"geometry":null,"params":{}}`, "15,48",
		`{"params":{"kg":{}}}`} {
		f.Add(s)
	}
	h := world(f, true)
	f.Fuzz(func(t *testing.T, body string) {
		if w := fixture.Ask(h, "POST", "/api/v1/natura2000/search?q="+url.QueryEscape("a"), body); w.Code >= 500 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	})
}
