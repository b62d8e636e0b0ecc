package spatial

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// An area that is named finds what its outline finds where it is drawn.
func TestPickedAreas(t *testing.T) {
	h := overWorld(t)
	west := polygonJSON(fixture.Rect(0, 0, 4, 4))
	apart := polygonJSON(fixture.Rect(6, 6, 7, 7))
	for area, drawn := range map[string]string{
		"kg:88801":                `{"type":"GeometryCollection","geometries":[` + west + "," + apart + "]}",
		"kg:88802":                polygonJSON(fixture.Rect(4, 0, 8, 4)),
		"parcel:88801-2":          polygonJSON(fixture.Rect(1, 0, 2, 1)),
		"gemeinde:38801":          polygonJSON(fixture.Rect(0, 0, 8, 4)),
		"municipality:38801":      polygonJSON(fixture.Rect(0, 0, 8, 4)),
		"gemeinde:gemeinde 38801": polygonJSON(fixture.Rect(0, 0, 8, 4)),
		"natura2000:at0000002":    polygonJSON(fixture.Rect(3, 0, 5, 1)),
		"site:AT0000002":          polygonJSON(fixture.Rect(3, 0, 5, 1)),
		"protected:park":          polygonJSON(fixture.Rect(1, 1, 3, 3), fixture.Rect(1.5, 1.5, 2.5, 2.5)),
		"protected_area:PARK":     polygonJSON(fixture.Rect(1, 1, 3, 3), fixture.Rect(1.5, 1.5, 2.5, 2.5)),
	} {
		for _, more := range []string{"", "&relation=within", "&kg=88801", "&buffer=20&layers=parcels,buildings,kg"} {
			got := getList(t, h, "/api/v1/spatial/polygon?limit=1000&fields=parcel_id&area="+url.QueryEscape(area)+more)
			want := getList(t, h, "/api/v1/spatial/polygon?limit=1000&fields=parcel_id&geojson="+url.QueryEscape(drawn)+more)
			if got.ids("parcel_id") != want.ids("parcel_id") || got.total() != want.total() || got.total() == 0 && more == "" {
				t.Errorf("%s%s: %d: %s, want %d: %s", area, more, got.total(), got.ids("parcel_id"), want.total(), want.ids("parcel_id"))
			}
			posted := readList(t, call(h, "POST", "/api/v1/spatial/polygon?limit=1000&fields=parcel_id"+more, `{"area":"`+area+`"}`))
			if posted.ids("parcel_id") != want.ids("parcel_id") || posted.total() != want.total() {
				t.Errorf("POST %s%s: %d: %s, want %d", area, more, posted.total(), posted.ids("parcel_id"), want.total())
			}
		}
	}
	told := fixture.Ask(h, "GET", "/api/v1/spatial/polygon?limit=1&include=parcels&area=parcel:88801-2", "")
	var a toldArea
	if err := json.Unmarshal(told.Body.Bytes(), &a); err != nil || a.Area == nil || a.Area.Parcels.Whole != 1 {
		t.Errorf("include: %v %s", err, told.Body)
	}
}

// Protected areas of one name are one area.
func TestPickedAreasOfOneName(t *testing.T) {
	s := mem.New()
	if err := fixture.PublishOver(s, func(*register.Contents) {}); err != nil {
		t.Fatal(err)
	}
	source := fixture.Over()
	source.Areas[1].Name, source.Areas[1].Geometry = "Park", geom.MultiPolygon{{fixture.Rect(0, 3, 2, 4)}}
	source.Areas[1].Box = source.Areas[1].Geometry.Bounds()
	if err := fixture.AddOver(s, source); err != nil {
		t.Fatal(err)
	}
	got := getList(t, serve(t, s, library.Options{}), "/api/v1/spatial/polygon?limit=1000&fields=gnr&area=protected_area:park")
	if ids := " " + got.ids("gnr") + " "; !strings.Contains(ids, " 13 ") || !strings.Contains(ids, " 6 ") || strings.Contains(ids, " 15 ") {
		t.Errorf("%q", ids)
	}
}

// A KG that was not built is taken by the outline of the register, and told as missing; what there is not is told.
func TestPickedAreasThatAreMissing(t *testing.T) {
	h := overWorld(t)
	for target, want := range map[string]struct {
		status int
		says   string
	}{
		"area=kg:99999":                {404, "KG 99999"},
		"area=parcel:88801-777":        {404, "parcel 88801-777"},
		"area=parcel:88802-99":         {404, "no area left"},
		"area=gemeinde:99999":          {404, "municipality"},
		"area=natura2000:AT9":          {404, "site"},
		"area=protected_area:Parkk":    {404, "Park"},
		"area=kg:x":                    {400, "kg:CODE"},
		"area=district:599":            {400, "kg:CODE"},
		"area=kg:":                     {400, "kg:CODE"},
		"area=parcel:88801":            {400, "parcel:ID"},
		"area=kg:88801&geojson=%7B%7D": {400, "GeoJSON"},
		"":                             {400, "geojson"},
		"area=kg:88801&geojson=" + url.QueryEscape(polygonJSON(fixture.Rect(0, 0, 1, 1))): {400, "either geojson or area"},
	} {
		w := fixture.Ask(h, "GET", "/api/v1/spatial/polygon?"+target, "")
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.says) {
			t.Errorf("%s: %d %s, want %d with %q", target, w.Code, w.Body, want.status, want.says)
		}
	}
}

// The name of an area in a body is read as in the URL, and stands alone.
func TestPickedAreasInABody(t *testing.T) {
	h := overWorld(t)
	for body, want := range map[string]struct {
		status int
		says   string
	}{
		`{"area":"kg:99999"}`:     {404, "KG 99999"},
		`{"area":"district:599"}`: {400, "kg:CODE"},
		`{"area":""}`:             {400, "kg:CODE"},
		`{"area":"gemeinde:` + strings.Repeat("ä", 192) + `"}`:   {400, "1 to 200"},
		`{"area":"gemeinde:` + strings.Repeat("x", 1<<20) + `"}`: {400, "1 to 200"},
		`{"area":7}`:                               {400, "a text in double quotes"},
		`{"area":"kg:88801","area":"kg:88801"}`:    {400, "it once"},
		`{"area":"kg:88801","layers":["parcels"]}`: {400, "it alone"},
		`{"layers":["parcels"],"area":"kg:88801"}`: {400, "it alone"},
		`{"area":"kg:88801","polygons":[` + polygonJSON(fixture.Rect(0, 0, 1, 1)) + `]}`: {400, "it alone"},
		`{"areas":"kg:88801"}`: {400, "area"},
		`{}`:                   {400, "area"},
	} {
		w := fixture.Ask(h, "POST", "/api/v1/spatial/polygon", body)
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.says) || w.Body.Len() > 2000 {
			t.Errorf("%.100s: %d %.2000s, want %d with %q", body, w.Code, w.Body, want.status, want.says)
		}
	}
}
