package spatial

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mappe/functions/fixture"
	"mappe/shared/austria"
)

// tableOf asks for points in a table and gives the rows of the answer by column.
func tableOf(t *testing.T, body, query string) []map[string]string {
	t.Helper()
	w := fixture.Ask(world(t), "POST", "/api/v1/spatial/points?format=csv"+query, body, "Content-Type", "text/csv")
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
		t.Fatalf("%d %v\n%s", w.Code, w.Header(), w.Body)
	}
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(w.Body.String(), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestPointsInATable: a table comes back with a row for each of its lines, in their order, whatever stands in them.
func TestPointsInATable(t *testing.T) {
	in, out, cold := fixture.At(0.5, 0.5), fixture.At(20, 20), fixture.At(1, -1)
	body := fmt.Sprintf("\ufeffid,Lat,LON,note\r\nhouse,%.7f,%.7f,\"a, b\"\r\n,%.7f,%.7f\r\n=1+1,%.7f,%.7f,\r\nempty,,,\r\nfar,91,15\r\nswapped,15,48\r\nshort\r\n", in.Lat(), in.Lon(), out.Lat(), out.Lon(), cold.Lat(), cold.Lon())
	rows := tableOf(t, body, "")
	if len(rows) != 7 {
		t.Fatalf("%d rows of 7 lines: %v", len(rows), rows)
	}
	for i, want := range []map[string]string{
		{"id": "house", "matched": "true", "parcel_id": "88801-1", "kg_code": "88801", "kg_name": "Westdorf", "error": "",
			"gemeinde_code": "38801", "gemeinde_name": "Gemeinde 38801", "district_code": "388", "district_name": "Bezirk 388", "pending": "false"},
		{"id": "1", "matched": "false", "parcel_id": "", "kg_code": "", "gemeinde_code": "", "error": ""},
		{"id": "'=1+1", "matched": "false", "pending": "true", "kg_code": "88803", "area_sqm": ""},
		{"id": "empty", "error": `lon "" is no number from -180 to 180`, "lon": "", "matched": "false"},
		{"id": "far", "error": `lat "91" is no number from -90 to 90`},
		{"id": "swapped", "error": "lon and lat look swapped, " + austria.Where},
		{"id": "short", "error": `lon "" is no number from -180 to 180`},
	} {
		for name, value := range want {
			if rows[i][name] != value {
				t.Errorf("row %d: %s is %q, want %q", i, name, rows[i][name], value)
			}
		}
	}
	if some := tableOf(t, body, "&fields=id,parcel_id"); len(some[0]) != 2 || some[0]["parcel_id"] != "88801-1" {
		t.Errorf("two fields: %v", some[0])
	}
}

// TestTablesOfOtherCountries: semicolons and tabs between cells, a comma in numbers, other names of columns.
func TestTablesOfOtherCountries(t *testing.T) {
	p := fixture.At(0.5, 0.5)
	lon, lat := strings.Replace(fmt.Sprintf("%.7f", p.Lon()), ".", ",", 1), strings.Replace(fmt.Sprintf("%.7f", p.Lat()), ".", ",", 1)
	for _, body := range []string{
		"name;x;y\nA;" + lon + ";" + lat + "\n",
		"name\tlongitude\tlatitude\nA\t" + lon + "\t" + lat,
		"Latitude ; Longitude; ID\n" + lat + ";" + lon + ";A",
	} {
		if rows := tableOf(t, body, ""); rows[0]["parcel_id"] != "88801-1" || rows[0]["id"] != "A" {
			t.Errorf("%q: %v", body, rows)
		}
	}
}

// TestTheSameInEachForm: JSON in and CSV in say the same, in every form out.
func TestTheSameInEachForm(t *testing.T) {
	h := world(t)
	p := fixture.At(0.5, 0.5)
	asJSON := fmt.Sprintf(`{"points":[{"lon":%.7f,"lat":%.7f,"id":"A"}]}`, p.Lon(), p.Lat())
	asCSV := fmt.Sprintf("lon,lat,id\n%.7f,%.7f,A\n", p.Lon(), p.Lat())
	for _, body := range []string{asJSON, asCSV} {
		w := fixture.Ask(h, "POST", "/api/v1/spatial/points", body)
		var a struct {
			Results []struct {
				ID     any
				Parcel struct {
					ID string `json:"parcel_id"`
				}
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || len(a.Results) != 1 || a.Results[0].ID != "A" ||
			a.Results[0].Parcel.ID != "88801-1" {
			t.Errorf("%s: %v %s", body, err, w.Body)
		}
		w = fixture.Ask(h, "POST", "/api/v1/spatial/points?format=geojson", body)
		if !strings.Contains(w.Body.String(), `"Point"`) || !strings.Contains(w.Body.String(), `"parcel_id":"88801-1"`) {
			t.Errorf("%s as GeoJSON: %s", body, w.Body)
		}
	}
	if w := fixture.Ask(h, "POST", "/api/v1/spatial/points?fields=landuse_summary,gnr", asJSON); w.Code != 200 ||
		!strings.Contains(w.Body.String(), `"parcel":{"gnr":"1","landuse_summary":`) {
		t.Errorf("fields of the parcel: %d %s", w.Code, w.Body)
	}
}

func TestTablesThatAreNone(t *testing.T) {
	h := world(t)
	for body, want := range map[string]string{
		"hello":              "columns named lon and lat",
		"lon,lat\n":          "0 points",
		"lon;lat\n\"15;48\n": "neither JSON nor CSV",
		"a,b\n1,2\n":         "columns named lon and lat",
		"lon,lat\n" + strings.Repeat("15,48\n", 1001): "more than 1000 points",
	} {
		w := fixture.Ask(h, "POST", "/api/v1/spatial/points", body)
		if w.Code < 400 || w.Code >= 500 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%.30q: %d %s", body, w.Code, w.Body)
		}
	}
	if w := fixture.Ask(h, "POST", "/api/v1/spatial/points", "lon,lat\n"+strings.Repeat("15,48\n", 1000)); w.Code != 200 {
		t.Errorf("1,000 points: %d %s", w.Code, w.Body)
	}
}
