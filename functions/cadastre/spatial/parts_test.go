package spatial

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// square is a rectangle of the world as WKT.
func square(x0, y0, x1, y1 float64) string {
	var list []string
	for _, p := range fixture.Rect(x0, y0, x1, y1) {
		list = append(list, fmt.Sprintf("%.7f %.7f", p.Lon(), p.Lat()))
	}
	return "POLYGON ((" + strings.Join(append(list, list[0]), ", ") + "))"
}

// kmlSquare is a rectangle of the world as a placemark.
func kmlSquare(x0, y0, x1, y1 float64) string {
	_, ring, _ := strings.Cut(square(x0, y0, x1, y1), "((")
	return "<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>" +
		strings.NewReplacer(", ", "\n", " ", ",", "))", "").Replace(ring) + "</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>"
}

type toldArea struct {
	Data []map[string]any
	Area *areaBody
	Meta struct{ Total int }
}

func toldOf(t *testing.T, h http.Handler, target, body string) (a toldArea) {
	t.Helper()
	w := fixture.Ask(h, "POST", "/api/v1/spatial/polygon?"+target, body)
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %.400s", target, w.Code, w.Body)
	}
	return a
}

// TestPartsOfAnArea: what lies in half a parcel, one, and half another: the parts have the area's figures, rows what they share.
func TestPartsOfAnArea(t *testing.T) {
	h := sheetWorld(t)
	// Westdorf 1 from x 0.5 on (its house stands at 0.4 to 0.6), 2 whole, 3 up to 2.5; y 0 to 1.
	text := square(0.5, 0, 2.5, 1)
	a := toldOf(t, h, "include=all&attrs_only=1", text)
	want := geom.MultiPolygon{{fixture.Rect(0.5, 0, 2.5, 1)}}.Area(crs.EqualArea)
	near := func(what string, got, want, off float64) {
		t.Helper()
		if math.Abs(got-want) > off {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("the area", a.Area.AreaSqm, want, 0.01)
	// The world states areas of 8,000 m² for parcels of 8,297 m², which shares of parcels are of.
	if p := a.Area.Parcels; p.Count != 3 || p.Whole != 1 {
		t.Errorf("parcels: %+v", p)
	}
	near("of parcels", a.Area.Parcels.OverlapSqm, want, 0.1)
	for i, pct := range []float64{51.85, 100, 51.84} {
		near("share of a row", a.Data[i]["overlap_pct"].(float64), pct, 0.1)
	}
	if s := *a.Area.Natura; len(s) != 1 || s[0].Code != "AT0000001" || math.Abs(s[0].OfArea-75) > 0.01 ||
		math.Abs(s[0].OfSite-18.75) > 0.01 {
		t.Errorf("sites: %+v", s)
	}
	if s := *a.Area.Protected; len(s) != 0 {
		t.Errorf("protected areas: %+v", s)
	}
	if b := a.Area.Buildings; b.Points != 1 || b.Footprints != 1 || math.Abs(b.OverlapSqm-want*0.02/2) > 0.2 {
		t.Errorf("buildings: %+v, of %v", b, want)
	}
	if u := a.Area.LandUse; len(u.Uses) != 2 || u.Uses[0].Code != 52 || u.Uses[1].Code != 56 || u.Classes[1].Class != "wald" ||
		u.Classes[1].Pct > 26 || u.Classes[1].Pct < 24 {
		t.Errorf("land use: %+v", u)
	}
	if p := a.Area.Prices; len(p.Classes) == 0 || p.Attribution == "" || p.Year == 0 || p.Classes[0].Parcels == 0 {
		t.Errorf("prices: %+v", p)
	}
	for _, c := range a.Area.Prices.Classes {
		if c.Priced > 0 && !(*c.Low <= *c.Median && *c.Median <= *c.High) {
			t.Errorf("the range of %+v", c)
		}
	}
	// One page of rows, or none that pass a filter, change nothing of the parts.
	for _, more := range []string{"limit=1", "min_area=9000", "layers=buildings"} {
		b := toldOf(t, h, "include=all&attrs_only=1&"+more, text)
		if fmt.Sprint(b.Area.Parcels, b.Area.Buildings, b.Area.LandUse) != fmt.Sprint(a.Area.Parcels, a.Area.Buildings, a.Area.LandUse) {
			t.Errorf("%s: %+v", more, b.Area)
		}
	}
	if b := toldOf(t, h, "attrs_only=1", text); b.Area != nil || b.Data[0]["overlap_sqm"] != nil {
		t.Errorf("without include: %+v", b)
	}
	if csv := fixture.Ask(h, "POST", "/api/v1/spatial/polygon?include=parcels&format=csv&fields=parcel_id,overlap_sqm,overlap_pct",
		text).Body.String(); strings.Count(csv, "\n") != 4 || !strings.Contains(csv, "88801-2,8297.51,100") {
		t.Errorf("as CSV: %s", csv)
	}
}

// TestPartsOfALine: a line with a buffer is the band around it; the figures add up over the border of two KGs.
func TestPartsOfALine(t *testing.T) {
	h := sheetWorld(t)
	p, q := fixture.At(3.4, 1.5), fixture.At(4.6, 1.5)
	line := fmt.Sprintf("LINESTRING (%.7f %.7f, %.7f %.7f)", p.Lon(), p.Lat(), q.Lon(), q.Lat())
	a := toldOf(t, h, "include=parcels,landuse&buffer=20", line)
	band := crs.Distance(p, q)*40 + math.Pi*400
	if math.Abs(a.Area.AreaSqm-band) > 0.02*band || a.Area.Parcels.Count != 2 || a.Area.Parcels.Whole != 0 ||
		math.Abs(a.Area.Parcels.OverlapPct-100) > 0.1 {
		t.Errorf("%+v of %.0f m²: %+v", a.Area, band, a.Area.Parcels)
	}
	if a.Area.Natura != nil || a.Area.Prices != nil {
		t.Errorf("parts that nobody asked for: %+v", a.Area)
	}
}

// TestLandUseOfAreas: where the survey drew land-use areas they and the footprints, which they leave out, are the land use.
func TestLandUseOfAreas(t *testing.T) {
	snaps := fixture.Snapshots()
	for _, s := range snaps {
		if s.KG.Code != "88801" {
			continue
		}
		house := s.Footprints[0].Geometry[0][0]
		around := geom.MultiPolygon{{fixture.Rect(0, 0, 1, 1), geom.Ring{house[3], house[2], house[1], house[0]}}}
		s.LandUse = []kgfile.LandUseArea{{NS: 48, Geometry: around, AreaSqm: around.Area(crs.EqualArea), Inside: fixture.At(0.1, 0.1)}}
		kgfile.Quantise(s)
	}
	s := mem.New()
	if err := fixture.Publish(s, snaps, "88803"); err != nil {
		t.Fatal(err)
	}
	a := toldOf(t, fixture.Handler(t, New(Deps{Library: fixture.Library(t, s)})), "include=landuse", square(0.5, 0, 1, 1))
	u := a.Area.LandUse.Uses
	if len(u) != 2 || u[0].Code != 48 || u[1].Code != 41 || math.Abs(u[0].Pct-96) > 0.1 || math.Abs(u[1].Pct-4) > 0.1 ||
		a.Area.Buildings != nil {
		t.Errorf("%+v", a.Area.LandUse)
	}
}

// TestPartsOfABatch: each polygon of a batch, and of a file, has its own area and the shares of its rows.
func TestPartsOfABatch(t *testing.T) {
	h := sheetWorld(t)
	one, two := square(0.5, 0, 2.5, 1), square(2, 0, 2.5, 1)
	p := fixture.At(1.5, 0.5)
	point := fmt.Sprintf("<Placemark><Point><coordinates>%.7f,%.7f</coordinates></Point></Placemark>", p.Lon(), p.Lat())
	w := fixture.Ask(h, "POST", "/api/v1/spatial/polygon?include=all&attrs_only=1", "<kml><Document>"+kmlSquare(0.5, 0, 2.5, 1)+
		kmlSquare(2, 0, 2.5, 1)+point+"</Document></kml>")
	var got struct {
		Results []struct {
			Parcels []map[string]any
			Area    *areaBody
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || len(got.Results) != 3 {
		t.Fatalf("%d %.400s", w.Code, w.Body)
	}
	for i, text := range []string{one, two} {
		want := toldOf(t, h, "include=all&attrs_only=1", text)
		a, b := got.Results[i], want
		x, _ := json.Marshal(a.Area)
		y, _ := json.Marshal(b.Area)
		if string(x) != string(y) || len(a.Parcels) != len(b.Data) || a.Parcels[0]["overlap_sqm"] != b.Data[0]["overlap_sqm"] ||
			a.Parcels[0]["overlap_sqm"] == nil {
			t.Errorf("polygon %d: %s with %v, want %s with %v", i, x, a.Parcels, y, b.Data)
		}
	}
	if r := got.Results[2]; r.Area != nil || len(r.Parcels) != 1 {
		t.Errorf("a point: %+v", r)
	}
}

// TestPartsRefused: what is no area, or too large.
func TestPartsRefused(t *testing.T) {
	h := sheetWorld(t)
	many := make([]string, 0, 20_010)
	for i := range 20_005 {
		a := 2 * math.Pi * float64(i) / 20_005
		many = append(many, fmt.Sprintf("%.7f %.7f", 15+0.02*math.Cos(a), 48+0.02*math.Sin(a)))
	}
	for body, want := range map[string]string{
		"LINESTRING (15.001 48.001, 15.002 48.001)":                                          "with buffer",
		square(0, 0, 100, 100):                                                               "at most 25 km²",
		"POLYGON ((" + strings.Join(append(many, many[0]), ", ") + "))":                      "20000 together with include",
		"<kml><Document>" + strings.Repeat(kmlSquare(0, 0, 60, 40), 6) + "</Document></kml>": "together: send fewer",
	} {
		w := fixture.Ask(h, "POST", "/api/v1/spatial/polygon?include=all", body)
		if w.Code < 400 || w.Code >= 500 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%.40s: want %q, got %d %.300s", body, want, w.Code, w.Body)
		}
	}
	if w := fixture.Ask(h, "GET", "/api/v1/spatial/polygon?include=alles&geojson={}", ""); w.Code != 400 {
		t.Errorf("include=alles: %d", w.Code)
	}
	if !slices.Contains(partNames(), "all") {
		t.Error("the parts")
	}
}

func partNames() (names []string) {
	e := polygonPost()
	in, _ := e.Inputs()
	for _, p := range in {
		if p.Name == "include" {
			names = append(names, p.Enum...)
		}
	}
	return names
}
