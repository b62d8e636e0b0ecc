package landuse

import (
	"net/http"
	"strings"
	"testing"

	"mappe/functions/core"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/endpoint"
)

// served answers from the world with land use; KG 88803 is cold.
func served(t *testing.T) http.Handler {
	t.Helper()
	s := mem.New()
	if err := fixture.Publish(s, fixture.WithLandUse(), "88803"); err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, core.Deps{Library: lib}.Service("land use", "", []endpoint.Endpoint{Distribution()}))
}

func TestDistribution(t *testing.T) {
	h := served(t)
	const fields = "&format=ndjson&fields=area_code,code,polygon_count,point_count,total_area_sqm,landuse_areas_source"
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"kg=88801", []string{ // the buildings of the use layer are footprints: the area is that of /query
			`{"area_code":"88801","code":41,"polygon_count":2,"point_count":0,"total_area_sqm":500,"landuse_areas_source":"polygons"}`,
			`{"area_code":"88801","code":52,"polygon_count":2,"point_count":1,"total_area_sqm":200.5,"landuse_areas_source":"polygons"}`,
			`{"area_code":"88801","code":56,"polygon_count":1,"point_count":0,"total_area_sqm":100.25,"landuse_areas_source":"polygons"}`,
			`{"area_code":"88801","code":59,"polygon_count":0,"point_count":1,"total_area_sqm":null,"landuse_areas_source":"none"}`}},
		{"kg=88801&code=59", []string{
			`{"area_code":"88801","code":59,"polygon_count":0,"point_count":1,"total_area_sqm":null,"landuse_areas_source":"none"}`}},
		{"group_by=gemeinde&code=52", []string{
			`{"area_code":"38801","code":52,"polygon_count":4,"point_count":2,"total_area_sqm":401,"landuse_areas_source":"polygons"}`,
			`{"area_code":"48804","code":52,"polygon_count":1,"point_count":1,"total_area_sqm":100.25,"landuse_areas_source":"polygons"}`}},
		{"group_by=state&code=56&abbr=W", []string{
			`{"area_code":"3","code":56,"polygon_count":3,"point_count":0,"total_area_sqm":300.75,"landuse_areas_source":"polygons"}`,
			`{"area_code":"4","code":56,"polygon_count":1,"point_count":0,"total_area_sqm":100.25,"landuse_areas_source":"polygons"}`}},
		{"group_by=district&limit=1&offset=4",
			[]string{`{"area_code":"488","code":52,"polygon_count":1,"point_count":1,"total_area_sqm":100.25,"landuse_areas_source":"polygons"}`}},
		{"gemeinde=Nirgendwo", []string{}},
	} {
		w := fixture.Ask(h, "GET", "/api/v1/landuse/distribution?"+c.query+fields, "")
		if got := strings.TrimSpace(w.Body.String()); got != strings.Join(c.want, "\n") {
			t.Errorf("%s: want\n%s\ngot %d\n%s", c.query, strings.Join(c.want, "\n"), w.Code, got)
		}
	}
	if w := fixture.Ask(h, "GET", "/api/v1/landuse/distribution?kg=88803", ""); w.Header().Get("X-Data-Ready") != "false" {
		t.Errorf("a cold KG: %v", w.Header())
	}
}
