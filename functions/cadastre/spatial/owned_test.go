package spatial

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

// TestOfTheseKGs: kg= and gemeinde_code= leave of every spatial list what belongs to those KGs.
func TestOfTheseKGs(t *testing.T) {
	h := world(t)
	lo, hi := fixture.At(2.5, 0.5), fixture.At(5.5, 3.5)
	box := fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", lo.Lon(), lo.Lat(), hi.Lon(), hi.Lat())
	polygon := fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f]]]}`, lo.Lon(), lo.Lat(),
		hi.Lon(), lo.Lat(), hi.Lon(), hi.Lat(), lo.Lon(), hi.Lat())
	mid := fixture.At(4, 2)
	for path, body := range map[string]string{
		"/api/v1/spatial/bbox?" + box:                                                           "",
		"/api/v1/spatial/parcels?" + box:                                                        "",
		"/api/v1/spatial/polygon?geojson=" + url.QueryEscape(polygon):                           "",
		"/api/v1/spatial/polygon?":                                                              polygon,
		"/api/v1/spatial/polygon?fields=kg_code":                                                `{"polygons":[` + polygon + `]}`,
		fmt.Sprintf("/api/v1/spatial/point?lon=%.7f&lat=%.7f&radius=200", mid.Lon(), mid.Lat()): "",
	} {
		method := "GET"
		if body != "" {
			method = "POST"
		}
		kgs := func(query string) []string {
			w := fixture.Ask(h, method, path+query, body)
			if w.Code != 200 {
				t.Fatalf("%s%s: %d %s", path, query, w.Code, w.Body)
			}
			var a struct {
				Data []struct {
					KG string `json:"kg_code"`
				}
				Results []struct {
					Parcels []struct {
						KG string `json:"kg_code"`
					}
				}
			}
			if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
				t.Fatal(err)
			}
			var list []string
			for _, p := range a.Data {
				list = append(list, p.KG)
			}
			for _, r := range a.Results {
				for _, p := range r.Parcels {
					list = append(list, p.KG)
				}
			}
			slices.Sort(list)
			return slices.Compact(list)
		}
		for query, want := range map[string]string{
			"": "88801 88802", "&kg=88801": "88801", "&kg=88802,88801": "88801 88802", "&kg=804": "", "&gemeinde_code=38801": "88801 88802",
			"&gemeinde_code=48804": "", "&gemeinde_code=38801&kg=88802": "88802",
		} {
			if got := strings.Join(kgs(query), " "); got != want {
				t.Errorf("%.60s%s: KGs %q, want %q", path, query, got, want)
			}
		}
	}
	if w := fixture.Ask(h, "GET", "/api/v1/spatial/bbox?"+box+"&kg=abc", ""); w.Code != 400 {
		t.Errorf("an invalid code: %d", w.Code)
	}
}
