package spatial

import (
	"encoding/json"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

// Every member of an answer beside its rows, and of each row, is in the description of the service.
func TestAnswersAreDescribed(t *testing.T) {
	h := world(t)
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema map[string]any }
			}
		}
		Components struct{ Schemas map[string]map[string]any }
	}
	if err := json.Unmarshal(call(h, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	// shapes are the plain schemas that a schema is made of.
	var shapes func(s map[string]any) []map[string]any
	shapes = func(s map[string]any) []map[string]any {
		if ref, ok := s["$ref"].(string); ok {
			return shapes(doc.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")])
		}
		list := []map[string]any{s}
		for _, of := range []string{"allOf", "anyOf"} {
			parts, _ := s[of].([]any)
			for _, p := range parts {
				list = append(list, shapes(p.(map[string]any))...)
			}
		}
		return list
	}
	var check func(path string, s []map[string]any, v any)
	check = func(path string, s []map[string]any, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				var inner []map[string]any
				for _, shape := range s {
					properties, _ := shape["properties"].(map[string]any)
					if p, ok := properties[name].(map[string]any); ok {
						inner = append(inner, shapes(p)...)
					}
				}
				if inner == nil {
					t.Errorf("%s.%s is not described", path, name)
				} else if name != "geometry" && name != "landuse_summary" { // of any form, and of any codes
					check(path+"."+name, inner, member)
				}
			}
		case []any:
			var inner []map[string]any
			for _, shape := range s {
				if items, ok := shape["items"].(map[string]any); ok {
					inner = append(inner, shapes(items)...)
				}
			}
			for _, element := range v {
				check(path+"[]", inner, element)
			}
		}
	}
	box, polygon := cells(0, -1, 8, 4), polygonJSON(fixture.Rect(0, -1, 8, 4))
	for _, c := range []struct{ method, path, query, body string }{
		{"GET", "spatial/bbox", box + "&layers=parcels,buildings,kg", ""},
		{"GET", "spatial/bbox", box + "&version=2026-10-01&format=geojson", ""},
		{"GET", "spatial/point", lonlat(1, 1) + "&radius=500&layers=parcels,buildings,kg", ""},
		{"POST", "spatial/point", "", `{"layers":["parcels","buildings"],` + pointsBodyOf(fixture.At(1, 1))[1:]},
		{"POST", "spatial/points", "", pointsBodyOf(fixture.At(0.5, 0.5), fixture.At(0.5, -0.5))},
		{"POST", "spatial/polygon", "layers=parcels,buildings,kg", polygon},
		{"POST", "spatial/polygon", "", `{"layers":["parcels","buildings"],"polygons":[` + polygon + `]}`},
		{"GET", "spatial/kgs", box, ""},
		{"GET", "spatial/parcels", box, ""},
		{"GET", "spatial/footprints", box + "&format=geojson", ""},
		{"GET", "parcels/geometry/batch", "ids=88801-1,88803-1,88801-999", ""},
		{"POST", "footprints/geometry/batch", "", `["88801_fp_1"]`},
		{"GET", "spatial/geom_cache/stats", "", ""},
	} {
		w := call(h, c.method, "/api/v1/"+c.path+"?"+c.query, c.body)
		var v any
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code != 200 {
			t.Fatalf("%s %s: %d %v %s", c.method, c.path, w.Code, err, w.Body)
		}
		op := doc.Paths["/api/v1/"+c.path][strings.ToLower(c.method)]
		schema := op.Responses["200"].Content[w.Header().Get("Content-Type")].Schema
		check(c.method+" "+c.path, shapes(schema), v)
	}
}

// A generator of clients learns from the description that nothing asks for credentials, what a body of polygons
// is, and where the files are.
func TestClientsLearnTheWholeContract(t *testing.T) {
	h := world(t)
	var doc struct {
		Info     struct{ Description string }
		Security *[]any
		Paths    map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
		}
		Components struct {
			Schemas map[string]struct {
				Properties           map[string]any
				AdditionalProperties any
			}
		}
	}
	if err := json.Unmarshal(call(h, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Security == nil || len(*doc.Security) != 0 {
		t.Errorf("security: want [], got %v", doc.Security)
	}
	if !strings.Contains(doc.Info.Description, "/artefacts/") {
		t.Error("the files are not mentioned")
	}
	for path, member := range map[string]string{"/api/v1/spatial/polygon": "polygons", "/api/v1/spatial/kgs": "coordinates"} {
		ref := doc.Paths[path]["post"].RequestBody.Content["application/json"].Schema.Ref
		if s := doc.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]; s.Properties[member] == nil {
			t.Errorf("%s: the body %q has no member %s: %v", path, ref, member, s.Properties)
		}
	}
}
