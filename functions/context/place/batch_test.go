package place

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mappe/functions/fixture"
)

func point(x, y float64) string {
	p := fixture.At(x, y)
	return fmt.Sprintf(`"lon":%.7f,"lat":%.7f`, p.Lon(), p.Lat())
}

// Each point of a batch has what it has alone.
func TestBatchIsTheSameAsOneByOne(t *testing.T) {
	h := over(t, world(t))
	body := `{"points":[{"id":"a",` + point(1, 1) + `,"area_sqm":800},{` + point(5, -2) + `},{"id":7,` + point(1.2,
		1.2) + `,"kg":"88801"},{"lon":0,"lat":0}]}`
	w := fixture.Ask(h, "POST", "/api/v1/context?building_count=1", body, "Content-Type", "application/json")
	got := read(t, w)
	if w.Code != 200 || dig(got, "meta.total") != 4.0 || dig(got, "meta.license.license") != "ODbL 1.0" ||
		len(dig(got, "meta.licenses").(map[string]any)) != 7 {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	for i, query := range []string{at(1, 1) + "&area_sqm=800", at(5, -2), at(1.2, 1.2) + "&kg=88801", "lon=0&lat=0"} {
		one := ask(t, h, "context?building_count=1&"+query, 200)["data"].(map[string]any)
		of := dig(got, fmt.Sprint("data.", i)).(map[string]any)
		if want := []string{"a", "1", "7", "3"}[i]; of["id"] != want {
			t.Errorf("point %d: want id %s, got %v", i, want, of["id"])
		}
		delete(of, "id")
		a, _ := json.Marshal(one)
		b, _ := json.Marshal(of)
		if !bytes.Equal(a, b) {
			t.Errorf("point %d: want %s, got %s", i, a, b)
		}
	}
}

// A table in is answered by a table, rows in their order.
func TestBatchTables(t *testing.T) {
	h := over(t, world(t))
	in := "id;lon;lat;area_sqm\r\n=1+1;15.0012;48.0012;800\r\n;0;0;\r\n"
	w := fixture.Ask(h, "POST", "/api/v1/context", in, "Content-Type", "text/csv")
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") || !strings.HasPrefix(w.Body.String(), "\ufeff") {
		t.Fatalf("got %d %v %s", w.Code, w.Header(), w.Body)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(w.Body.String(), "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatal(err, rows)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for name, want := range map[string]string{"id": "'=1+1", "municipality.name": "Westgemeinde", "osm.road_name": "Dorfstraße",
		"natura2000.sites": "1", "natura2000.sites.names": "Westau",
		"land_price.class": "wald", "toponyms.rows.names": "Sonnleiten; Westdorf; Sonnleitenkogel; Sonnleiten; Bach"} {
		if i, ok := column[name]; !ok || rows[1][i] != want {
			t.Errorf("%s: want %q, got %q", name, want, rows[1][i])
		}
	}
	if got := rows[2][column["missing"]]; !strings.Contains(got, "osm: "+outsideAustria) || rows[2][column["municipality.name"]] != "" {
		t.Errorf("outside: got %q", got)
	}
	if w := fixture.Ask(h, "POST", "/api/v1/context?format=json", in, "Content-Type",
		"text/csv"); !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		t.Errorf("format=json: got %v", w.Header())
	}
	if w := fixture.Ask(h, "POST", "/api/v1/context?format=csv&include=municipality",
		`{"points":[{`+point(1, 1)+`}]}`); !strings.Contains(w.Body.String(), "municipality.gemeinde_code") {
		t.Errorf("format=csv: got %s", w.Body)
	}
}

func TestBatchFaults(t *testing.T) {
	h := over(t, world(t))
	many := `{"points":[` + strings.TrimSuffix(strings.Repeat(`{"lon":15,"lat":48},`, 1001), ",") + `]}`
	for _, c := range []struct {
		body, want string
		status     int
	}{
		{`{"points":[]}`, "0 points", 400},
		{many, "1001 points", 413},
		{"lon,lat\n" + strings.Repeat("15,48\n", 1001), "1001 points", 413},
		{`{"points":[{"lon":15}]}`, "points[0].lat", 400},
		{`{"points":[{"lon":15,"lat":48},{"lon":15,"LAT":48}]}`, "points[1].LAT", 400},
		{`{"points":[{"lon":15,"lat":48,"lon":16}]}`, "points[0].lon", 400},
		{`{"points":[],"points":[{"lon":15,"lat":48}]}`, "points is given more than once", 400},
		{`{"points":[{"lon":15,"lat":48,"id":{"a":1}}]}`, "points[0].id", 400},
		{`{"points":[{"lon":15,"lat":48,"area_sqm":"8 ha"}]}`, "points[0].area_sqm", 400},
		{`{"points":[{"lon":15,"lat":48},{"lon":48,"lat":15}]}`, "points[1].lon", 400},
		{`{"points":[{"lon":190,"lat":48}]}`, "points[0].lon", 400},
		{`{"points":[{"lon":15,"lat":48,"area_sqm":-1}]}`, "points[0].area_sqm", 400},
		{`{"points":[{"lon":15,"lat":48,"kg":"x"}]}`, "points[0].kg", 400},
		{`{"points":[{"lon":15,"lat":48,"x":1}]}`, "points[0].x", 400},
		{`{"points":[{"lon":"15","lat":48}]}`, "expected a number", 400},
		{"x,y\n1,2\n", "columns lon and lat", 400},
		{"lon,lat\nabc,2\n", "points[0].lon", 400},
		{"", "the body is empty", 400},
		{strings.Repeat(" ", batchBytes+1), "larger than", 413},
	} {
		w := fixture.Ask(h, "POST", "/api/v1/context", c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%.60s: want %d %q, got %d %s", c.body, c.status, c.want, w.Code, w.Body)
		}
	}
}

func FuzzPoints(f *testing.F) {
	f.Add([]byte(`{"points":[{"id":"a","lon":15,"lat":48,"area_sqm":1,"kg":"88801"}]}`))
	f.Add([]byte("id;lon;lat\n1;15;48\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := readPoints(b)
		if err == nil && (len(list) == 0 || len(list) > maxPoints) {
			t.Errorf("%d points", len(list))
		}
	})
}

// A body that cannot be read is explained by its member, its value and what is allowed.
func TestBatchBodiesAreExplained(t *testing.T) {
	for body, want := range map[string]string{
		`[]`: "an object",
		`{"points":[{"lon":13.2,"lat":47.3,"lonn":1}]}`: "did you mean lon?",
		`{"points":[{"lon":"east","lat":47.3}]}`:        "a number",
		`{"points":`:                                    "end of the body",
	} {
		_, err := readPoints([]byte(body))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go ") ||
			strings.Contains(err.Error(), "json:") {
			t.Errorf("%s: want an error that says %q, got %v", body, want, err)
		}
	}
}

// The columns of a table depend on the blocks that are asked for, never on the points; every member of a block has one.
func TestBatchColumns(t *testing.T) {
	h := over(t, world(t))
	header := func(query, in string) []string {
		w := fixture.Ask(h, "POST", "/api/v1/context"+query, in, "Content-Type", "text/csv")
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(w.Body.String(), "\ufeff"))).ReadAll()
		if w.Code != 200 || err != nil {
			t.Fatalf("got %d %v %s", w.Code, err, w.Body)
		}
		return rows[0]
	}
	const within, outside, plain = "lon;lat;area_sqm;kg\n15.0012;48.0012;800;88801\n", "lon;lat;area_sqm;kg\n0;0;;\n",
		"lon;lat\n15.0502;48.0012\n"
	for _, query := range []string{"", "?include=osm,ne", "?include=land_price", "?include=legal,toponyms"} {
		want := strings.Join(header(query, within), ",")
		for _, in := range []string{outside, plain, within + "0;0;;\n"} {
			if got := strings.Join(header(query, in), ","); got != want {
				t.Errorf("%s: want %s, got %s", query, want, got)
			}
		}
	}
	known := map[string]bool{}
	for _, b := range allBlocks() {
		for _, c := range columnsOf(b) {
			if known[c] {
				t.Errorf("two columns %s", c)
			}
			known[c] = true
		}
	}
	whole := ask(t, h, "context?building_count=1&kg=88801&area_sqm=800&"+at(1, 1), 200)["data"].(map[string]any)
	for _, b := range allBlocks() {
		members, ok := whole[string(b)].(map[string]any)
		if !ok {
			continue
		}
		for name := range members {
			column := string(b) + "." + name
			nested := false
			for c := range known {
				nested = nested || strings.HasPrefix(c, column+".")
			}
			if !known[column] && !nested {
				t.Errorf("no column %s", column)
			}
		}
	}
}
