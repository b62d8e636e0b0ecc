package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestContractRows: a row that nobody has cut by fields= has every column of its kind; a column that is dropped from the
// rows of an answer, and not from its description, is seen here. Columns that are left out where they say nothing are
// omitted in all rows of a kind, or null.
func TestContractRows(t *testing.T) {
	rows := 0
	for _, d := range contract(t) {
		kinds := d.endpoint.Answer.Rows
		if len(kinds) == 0 || d.endpoint.Answer.Body != nil || d.endpoint.Answer.ContentType != "" || d.endpoint.Method != "GET" &&
			d.endpoint.ExampleBody == "" {
			continue
		}
		w := d.ask(t, nil)
		var body struct {
			Data []map[string]any `json:"data"`
		}
		if w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &body) != nil {
			continue // data is no list, which other tests hold
		}
		for _, row := range body.Data {
			rows++
			var least []string
			for i, k := range kinds {
				var missing []string
				for _, c := range k.Columns {
					if _, ok := row[c.Name]; !ok {
						missing = append(missing, c.Name)
					}
				}
				if i == 0 || len(missing) < len(least) {
					least = missing
				}
			}
			least = slices.DeleteFunc(least, func(c string) bool { return slices.Contains(omitted[d.name()], c) })
			if len(least) > 0 {
				t.Errorf("%s: a row lacks %s", d.name(), strings.Join(least, ", "))
				break
			}
		}
	}
	required := 0
	for _, d := range contract(t) {
		for _, k := range d.endpoint.Answer.Rows {
			for name, s := range d.doc.Components.Schemas {
				names, _ := s["required"].([]any)
				if columns, _ := s["properties"].(map[string]any); strings.EqualFold(name, strings.ReplaceAll(k.Name, "_", "")) &&
					len(columns) > 0 {
					required += len(names)
				}
			}
		}
	}
	if required < 200 {
		t.Errorf("descriptions of rows require %d members: they hold nothing", required)
	}
	if rows < 50 {
		t.Errorf("only %d rows were seen", rows)
	}
}

// ofLaws and ofOverlays stand on parcels that a law names, and where overlays are asked for.
var (
	ofLaws     = []string{"legal_ref_count", "legal_contexts", "legal_refs"}
	ofOverlays = append([]string{"in_natura2000", "natura2000_sites"}, ofLaws...)
	ofPlaces   = []string{"overlap_sqm", "overlap_of_place_pct", "overlap_of_site_pct"}
	ofPolygons = append([]string{"overlap_sqm", "overlap_pct"}, ofLaws...)
)

// omitted are the columns that an endpoint leaves out of the rows of its example, because they say nothing there.
var omitted = map[string][]string{
	"GET /api/v1/spatial/bbox":                   ofLaws,
	"GET /api/v1/spatial/point":                  ofLaws,
	"GET /api/v1/parcels/{id}/neighbours":        ofLaws,
	"GET /api/v1/spatial/polygon":                ofPolygons,
	"POST /api/v1/spatial/polygon":               ofPolygons,
	"GET /api/v1/spatial/parcels":                ofOverlays,
	"GET /api/v1/parcels/geometry/batch":         ofOverlays,
	"POST /api/v1/parcels/geometry/batch":        ofOverlays,
	"GET /api/v1/natura2000/site_parcels/{code}": ofPolygons,
	"GET /api/v1/search/gnr":                     ofLaws,
	"GET /api/v1/search/parcel":                  ofLaws,
	"GET /api/v1/query":                          ofLaws,
	"GET /api/v1/query/protected_area":           append([]string{"distance_to_boundary_m"}, ofLaws...),
	"GET /api/v1/natura2000/search":              ofPlaces,
	"GET /api/v1/search/protected_area":          append([]string{"distance_m"}, ofPlaces...),
	"POST /api/v1/search/protected_area":         {"distance_m"},
	"GET /api/v1/cadastre/protected_areas":       append([]string{"distance_m"}, ofPlaces...),
	"GET /api/v1/search/ez":                      {"parcels", "buildings", "landuse_area_breakdown", "landuse_breakdown"}, // with ez=
	"GET /api/v1/search/kg":                      {"ingest_fixes_missing"},
	"GET /api/v1/land_prices/stats":              {"latest_source_year"},
	"GET /api/v1/land_prices/parcel/{parcel_id}": {"item", "interval", "combined_value_eur", "alternatives", "notes", "error"},
	"GET /api/v1/land_prices/predict": {"item", "parcel_id", "interval", "building", "combined_value_eur", "alternatives",
		"notes", "error"},
	"GET /api/v1/land_prices/batch": {"interval", "combined_value_eur", "alternatives", "notes", "explanation", "error"},
	"POST /api/v1/land_prices/batch": {"parcel_id", "interval", "building", "combined_value_eur", "alternatives", "notes",
		"explanation", "error"},
	"GET /api/v1/land_prices/gemeinde/{gemeinde_code}": {"statistik_austria", "baseline", "bauland_cagr"},
	"GET /api/v1/land_prices/bundesland/{state_code}":  {"kg_count", "by_class", "validation", "buildings"},
	"GET /api/v1/toponyms/near":                        {"score"},
	"GET /api/v1/toponyms/search":                      {"distance_m"},
	"GET /api/v1/kg/{kg_code}/toponyms":                {"distance_m", "score"},
}
