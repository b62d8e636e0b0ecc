package ogc

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"mappe/artefacts/pmt"
	"mappe/functions/fixture"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// TestOffsetsOfLinks: a page of three, of the 17 parcels of a KG.
func TestOffsetsOfLinks(t *testing.T) {
	h := world(t)
	for _, tt := range []struct{ offset, prev, next string }{ // "-": no link, "": a link without an offset
		{"0", "-", "3"}, {"1", "", "4"}, {"3", "", "6"}, {"5", "2", "8"}, {"14", "11", "-"}, {"20", "17", "-"},
	} {
		o, _ := get(t, h, "/ogc/collections/parcels/items?kg_code=88801&limit=3&offset="+tt.offset, 200)
		for rel, want := range map[string]string{"prev": tt.prev, "next": tt.next, "self": tt.offset} {
			got, href := "-", linked(o, rel, geoJSON)
			if u, err := url.Parse(href); href != "" && err == nil {
				got = u.Query().Get("offset")
				if u.Query().Get("limit") != "3" || u.Query().Get("kg_code") != "88801" {
					t.Errorf("from %s, %s: want the conditions kept, got %s", tt.offset, rel, href)
				}
			}
			if rel == "self" && want == "0" {
				want = ""
			}
			if got != want {
				t.Errorf("from %s: want the link %s to offset %q, got %q", tt.offset, rel, want, got)
			}
		}
	}
}

// TestAPageOfDataThatIsGone is refused: its position means nothing in other data.
func TestAPageOfDataThatIsGone(t *testing.T) {
	h := world(t)
	o, _ := get(t, h, "/ogc/collections/parcels/items?limit=3", 200)
	next := local(t, linked(o, "next", geoJSON))
	get(t, h, next, 200)
	u, err := url.Parse(next)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	_, position, _ := strings.Cut(q.Get("page"), ".")
	q.Set("page", "0123456789abcdef."+position)
	u.RawQuery = q.Encode()
	if o, _ := get(t, h, u.String(), 400); !strings.Contains(fmt.Sprint(o), "begin again") {
		t.Errorf("want a refusal that says how to go on, got %v", o)
	}
}

// TestWhatPeopleSee: links stand where a reader expects them, units where a value is, and a page says what it lacks.
func TestWhatPeopleSee(t *testing.T) {
	h := world(t)
	page := func(path string) string {
		w := fixture.Ask(h, "GET", path, "", "Accept", "text/html")
		if w.Code != 200 {
			t.Fatalf("%s: %d", path, w.Code)
		}
		return w.Body.String()
	}
	const missing = "KGs are missing from this page"
	one := page("/ogc/collections/parcels/items?kg_code=88801&limit=1&f=html")
	if strings.Count(one, "/items/88801-1?f=html") != 1 || strings.Count(one, "<th scope=\"row\"") > 1 {
		t.Errorf("want one link to the feature, in the first column:\n%s", one)
	}
	if strings.Contains(one, "/items/88801?") || strings.Contains(one, missing) {
		t.Errorf("want no links in other columns and nothing said to be missing:\n%s", one)
	}
	if country := page("/ogc/collections/parcels/items?limit=1&f=html"); !strings.Contains(country, missing) {
		t.Errorf("want it said that KGs are missing:\n%s", country)
	}
	if feature := page("/ogc/collections/parcels/items/88801-1?f=html"); !strings.Contains(feature, " m²") ||
		strings.Contains(feature, "– m²") || strings.Contains(feature, "– m<") || strings.Contains(feature, "– °") {
		t.Errorf("want units behind values and behind nothing else:\n%s", feature)
	}
	if about := page("/ogc/collections/kgs?f=html"); !strings.Contains(about, "Extent") {
		t.Errorf("want the extent of the collection:\n%s", about)
	}
	for want, v := range map[string]format.Value{"1.25": format.Float(1.25, 2), "7": format.Int(7), "–": format.Null,
		"a": format.String("a")} {
		if got := shown(v); got != want {
			t.Errorf("want %s, got %s", want, got)
		}
	}
}

// TestSchemas: the id is the first column, lists and objects stand in the schema and are no queryables.
func TestSchemas(t *testing.T) {
	h := world(t)
	for _, c := range all {
		queryables, _ := get(t, h, "/ogc/collections/"+c.id+"/queryables", 200)
		schema, _ := get(t, h, "/ogc/collections/"+c.id+"/schema", 200)
		of := schema["properties"].(object)
		columns := of["properties"].(object)["properties"].(object)
		if len(columns) != len(c.rowType.Columns) {
			t.Errorf("%s: want %d columns in the schema, got %d", c.id, len(c.rowType.Columns), len(columns))
		}
		for i, column := range c.rowType.Columns {
			want := any(nil)
			if i == 0 {
				want = "id"
			}
			if got := columns[column.Name].(object)["x-ogc-role"]; got != want {
				t.Errorf("%s.%s: want the role %v, got %v", c.id, column.Name, want, got)
			}
			if _, there := queryables["properties"].(object)[column.Name]; there == (column.Type == format.TypeJSON) {
				t.Errorf("%s.%s: want it among the queryables: %v", c.id, column.Name, !there)
			}
		}
		shape := "geometry-polygon-or-multipolygon"
		if c.id == "address_points" {
			shape = "geometry-point"
		}
		if got := of["geometry"].(object)["format"]; got != shape {
			t.Errorf("%s: want the shape %s, got %v", c.id, shape, got)
		}
	}
}

// TestNamesOfOtherParameters: a column that is called like a parameter of every list is not that parameter.
func TestNamesOfOtherParameters(t *testing.T) {
	k := &format.RowType{Columns: []format.Column{{Name: "limit"}, {Name: "f"}, {Name: "lists", Type: format.TypeJSON}, {Name: "area"}}}
	got := propertiesOf(k)
	if len(got) != 1 || got[0].column != 3 {
		t.Errorf("want the column 3 alone, got %+v", got)
	}
}

// TestTilesAsTheyAreStored: a tile that is stored with gzip is sent so to who takes it, and unpacked to others.
func TestTilesAsTheyAreStored(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("a tile"))
	z.Close()
	for _, tt := range []struct {
		name    string
		gzip    bool
		accepts string
		stored  []byte
		want    []byte
		coding  string
	}{
		{"plain", false, "gzip", []byte("a tile"), []byte("a tile"), ""},
		{"taken as it is", true, "gzip", packed.Bytes(), packed.Bytes(), "gzip"},
		{"unpacked", true, "identity", packed.Bytes(), []byte("a tile"), ""},
	} {
		q := httptest.NewRequest(http.MethodGet, "/", nil)
		q.Header.Set("Accept-Encoding", tt.accepts)
		a := &pmt.Archive{}
		if tt.gzip {
			a.Header.TileCompression = pmt.Gzip
		}
		answer, err := tileAnswer(&endpoint.Request{HTTP: q}, a, tt.stored)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		b := answer.(*reply.Bytes)
		if !bytes.Equal(b.Body, tt.want) || b.Header.Get("Content-Encoding") != tt.coding ||
			b.ContentType != "application/vnd.mapbox-vector-tile" {
			t.Errorf("%s: want %q as %q, got %q as %q, %s", tt.name, tt.want, tt.coding, b.Body,
				b.Header.Get("Content-Encoding"), b.ContentType)
		}
	}
	if _, err := tileAnswer(&endpoint.Request{HTTP: httptest.NewRequest(http.MethodGet, "/", nil)},
		&pmt.Archive{Header: pmt.Header{TileCompression: pmt.Gzip}}, []byte("no gzip")); err == nil {
		t.Error("a damaged tile: want an error")
	}
}
