package ogc

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mappe/shared/geo/crs"
	"mappe/shared/web/cql"
)

// TestKGsOfAFilter: a condition on the code of the KG says which files are read, whichever way it is written; what says nothing of it
// reads all.
func TestKGsOfAFilter(t *testing.T) {
	rowType := parcelRows.RowType
	column := rowType.Index("kg_code")
	for _, tt := range []struct {
		wanted []string
		cql    string
		want   string // "all": every KG
	}{
		{nil, "", "all"}, {[]string{"88801"}, "", "88801"}, {[]string{"00804"}, "", "00804"},
		{[]string{"804"}, "", ""}, // another spelling of 00804 is another text
		{nil, "kg_code = '88802'", "88802"}, {nil, "kg_code IN ('88802','88801','88802')", "88801 88802"},
		{nil, "area_sqm > 1", "all"}, {nil, "kg_code = '88802' OR area_sqm > 1", "all"},
		{nil, "kg_code = '88802' AND area_sqm > 1", "88802"}, {[]string{"88801"}, "kg_code = '88802'", "88801"},
	} {
		f := &filter{rowType: rowType}
		for _, w := range tt.wanted {
			f.wanted = append(f.wanted, wanted{column: 0, text: "x", texts: true}, wanted{column: column, text: w, texts: true})
		}
		if tt.cql != "" {
			var err error
			if f.cql, err = cql.Parse(tt.cql, rowType); err != nil {
				t.Fatal(err)
			}
		}
		codes, err := f.kgs("kg_code")
		got := strings.Trim(fmt.Sprint(codes), "[]")
		if codes == nil {
			got = "all"
		}
		if err != nil || got != tt.want {
			t.Errorf("%v, %q: want %q, got %q, %v", tt.wanted, tt.cql, tt.want, got, err)
		}
	}
	if _, err := (&filter{rowType: rowType, wanted: []wanted{{column: column, text: "88x", texts: true}}}).kgs("kg_code"); err == nil ||
		!strings.Contains(err.Error(), "88x") {
		t.Errorf("want a refusal of 88x, got %v", err)
	}
	if codes, err := (*filter)(nil).kgs("kg_code"); codes != nil || err != nil {
		t.Errorf("no filter: %v, %v", codes, err)
	}
}

// TestSystems: CRS84 first, each by its own URI, and each draws a position where crs has it, in the order of its axes.
func TestSystems(t *testing.T) {
	var uris []string
	for _, s := range systems() {
		uri := s.String()
		if slices.Contains(uris, uri) {
			t.Errorf("%s stands twice", uri)
		}
		uris = append(uris, uri)
		if got, err := parseCRS(uri); err != nil || got != s {
			t.Errorf("%s: %+v, %v", uri, got, err)
		}
		p := s.projection()
		if uri == crs84 {
			if p.Forward != nil || p.EPSG != 0 {
				t.Errorf("CRS84 is drawn as it is stored, got %+v", p)
			}
			continue
		}
		x, y := s.Forward(13.25, 47.5)
		if s.System == crs.WGS84 {
			x, y = 13.25, 47.5
			if p.Decimals == 0 {
				t.Errorf("%s: degrees have decimals", uri)
			}
		} else if p.Decimals != 0 {
			t.Errorf("%s: %d decimals, want those of the system", uri, p.Decimals)
		}
		if s.System != crs.WebMercator {
			x, y = y, x
		}
		if a, b := p.Forward(13.25, 47.5); a != x || b != y {
			t.Errorf("%s: want %v, %v, got %v, %v", uri, x, y, a, b)
		}
		if lon, lat := s.degrees(x, y); max(lon-13.25, 13.25-lon, lat-47.5, 47.5-lat) > 1e-7 {
			t.Errorf("%s: back at %v, %v", uri, lon, lat)
		}
	}
	if uris[0] != crs84 || len(uris) < 9 {
		t.Errorf("got %q", uris)
	}
	if _, err := parseCRS("EPSG:4326"); err == nil || !strings.Contains(err.Error(), crs84+", http://www.opengis.net/def/crs/EPSG/0/4326") {
		t.Errorf("a short name: %v", err)
	}
}
