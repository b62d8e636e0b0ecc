package outlines

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/builders/source/features"
	"mappe/builders/source/table"
	"mappe/infra/realdata"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

func TestRealKGOutlines(t *testing.T) {
	f, err := os.Open(realdata.Path(t, "admin/salzburg_kg_vgd50_wgs84.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p table.Problems
	kgs, err := readKGs(f, "salzburg.geojson", &p)
	if err != nil || p.Total > 0 {
		t.Fatalf("%v, %+v", err, p)
	}
	if len(kgs) != 381 {
		t.Errorf("want 381 KGs, got %d", len(kgs))
	}
	for _, k := range kgs {
		if f := k.Geometry.Check(); len(f) > 0 {
			t.Errorf("%s: %v", k.Code, f)
		}
		if c, ok := k.Geometry.Inside(); !ok || !k.Geometry.Contains(c) {
			t.Errorf("%s: no point inside", k.Code)
		}
		// The register area is of the full outline, the file's lines are generalised.
		if a := k.Geometry.Area(crs.EqualArea); math.Abs(a/k.AreaSqm-1) > 0.1 {
			t.Errorf("%s: drawn %.0f m², register %.0f m²", k.Code, a, k.AreaSqm)
		}
		if k.GemeindeCode.State() != "5" || k.Name == "" {
			t.Errorf("%s: %q in municipality %s", k.Code, k.Name, k.GemeindeCode)
		}
	}
}

func TestRealGemeinden(t *testing.T) {
	f, err := os.Open(realdata.Path(t, "admin/at2021_gemeinden_999_geo.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p table.Problems
	gs, err := readGemeinden(f, "gemeinden.geojson", &p)
	if err != nil {
		t.Fatal(err)
	}
	area, repaired := 0.0, 0
	for _, g := range gs {
		area += g.Geometry.Area(crs.EqualArea)
		if len(g.Repaired) > 0 {
			repaired++
		}
		if f := g.Geometry.Check(); len(f) > 0 {
			t.Errorf("%s: %v", g.Code, f)
		}
	}
	t.Logf("%d municipalities, %d repaired, %d problems %v, %.0f km²", len(gs), repaired, p.Total, p.First, area/1e6)
	if len(gs)+p.Total != 2118 {
		t.Errorf("want 2118 municipalities, got %d and %d problems", len(gs), p.Total)
	}
	if math.Abs(area/83_879e6-1) > 0.005 { // Austria
		t.Errorf("want 83,879 km², got %.0f", area/1e6)
	}
}

func read(t *testing.T, features string) ([]KG, table.Problems, error) {
	t.Helper()
	var p table.Problems
	k, err := readKGs(strings.NewReader(`{"type":"FeatureCollection","features":[`+features+`]}`), "kg.geojson", &p)
	return k, p, err
}

const props = `{"type":"Feature","properties":{"kg_code":"1","kg_name":"A"},"geometry":`

func TestForms(t *testing.T) {
	for _, c := range []struct {
		name, features string
		parts, rings   int
		repaired       bool
	}{
		{"polygon", props + `{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1],[15,48]]]}}`, 1, 1, false},
		{"clockwise, with heights, blanks",
			props + `{"type":"Polygon","coordinates": [ [ [15,48,300], [15.1,48.1,3e2], [15.1, 48 ,1] , [15,48,300] ] ] } }`, 1, 1, false},
		{"numeric code", `{"properties":{"kg_code":1},"geometry":{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1]]]}}`, 1, 1,
			false},
		{"multipolygon with hole", props +
			`{"type":"MultiPolygon","coordinates":[[[[15,48],[16,48],[16,49],[15,49],[15,48]],[[15.2,48.2],[15.4,48.2],[15.4,48.4],[15.2,48.2]]],[[[17,48],[17.1,48],[17.1,48.1],[17,48]]]]}}`, 2, 3, false},
		{"two features of one code", props + `{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1],[15,48]]]}},` + props +
			`{"type":"Polygon","coordinates":[[[16,48],[16.1,48],[16.1,48.1],[16,48]]]}}`, 2, 2, false},
		{"one drawn twice", props + `{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1],[15,48]]]}},` + props +
			`{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1],[15,48]]]}}`, 1, 1, true},
		{"bow-tie", props + `{"type":"Polygon","coordinates":[[[15,48],[15.1,48.1],[15.1,48],[15,48.1],[15,48]]]}}`, 2, 2, true},
		{"inverted rings", props + `{"type":"Polygon","coordinates":[[[15,48],[15.001,48],[15,48.001],[15,48]],[[16,48],[17,48],[17,49],[16,48]]]}}`, 2, 2, true},
	} {
		k, p, err := read(t, c.features)
		if err != nil || p.Total > 0 || len(k) != 1 {
			t.Errorf("%s: %d KGs, %+v, %v", c.name, len(k), p, err)
			continue
		}
		if g := k[0].Geometry; len(g) != c.parts || len(g.Rings()) != c.rings || (len(k[0].Repaired) > 0) != c.repaired ||
			k[0].Code != "00001" {
			t.Errorf("%s: want %d parts, %d rings, repaired %v, got %+v", c.name, c.parts, c.rings, c.repaired, k[0])
		}
	}
}

func TestBadFeaturesAreReported(t *testing.T) {
	good := `,{"properties":{"kg_code":"2"},"geometry":{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1]]]}}`
	for _, c := range []struct{ feature, want string }{
		{`{"properties":{"kg_code":"x"}}`, `kg.geojson feature 1: kg_code "x": expected 1 to 5 digits`},
		{`{"properties":null,"geometry":null}`, `feature 1: kg_code ""`},
		{`7`, `feature 1: row "": expected a GeoJSON feature`},
		{props + `null}`, `expected a Polygon or MultiPolygon, not null`},
		{props + `{"type":"Point","coordinates":[1,2]}}`, `not "Point"`},
		{props + `{"type":"Polygon"}}`, `nested`},
		{props + `{"type":"Polygon","coordinates":[[1,2]]}}`, `nested`},
		{props + `{"type":"Polygon","coordinates":[[["a","b"]]]}}`, `numbers`},
		{props + `{"type":"Polygon","coordinates":[[[15]]]}}`, `positions of longitude and latitude`},
		{props + `{"type":"Polygon","coordinates":[[[1500000,480000]]]}}`, `in degrees, not 1.5e+06 480000`},
		{props + `{"type":"Polygon","coordinates":[[[48.1,15.2],[48.2,15.2],[48.2,15.3]]]}}`, `looks turned round`},
		{props + `{"type":"Polygon","coordinates":[[[15,48],[15.1,48]]]}}`, `polygons with an area`},
		{props + `{"type":"MultiPolygon","coordinates":[]}}`, `polygons with an area`},
	} {
		k, p, err := read(t, c.feature+good)
		if err != nil || len(k) != 1 || k[0].Code != "00002" {
			t.Errorf("%s: the good feature must come through: %v, %v", c.feature, k, err)
		} else if p.Total != 1 || !strings.Contains(p.First[0].Error(), c.want) {
			t.Errorf("%s: want %q, got %v", c.feature, c.want, p.First)
		}
	}
}

func TestNoFeatureCollection(t *testing.T) {
	for _, text := range []string{"", "[]", "{}", "null", `{"features":7}`, `{"features":[{"a":1}`, `{"features":[{}]`, `{"features":[{`,
		"\ufeff"} {
		var p table.Problems
		if _, err := readKGs(strings.NewReader(text), "kg.geojson", &p); err == nil || !strings.Contains(err.Error(), "kg.geojson") {
			t.Errorf("%q: want an error that names the file, got %v", text, err)
		}
	}
	var p table.Problems
	if k, err := readKGs(strings.NewReader("\ufeff{\"type\":\"FeatureCollection\",\"features\":[],\"bbox\":[1]}"), "kg.geojson",
		&p); err != nil || len(k) != 0 {
		t.Errorf("an empty collection with byte-order mark: %v, %v", k, err)
	}
}

func TestReadSource(t *testing.T) {
	kg := `{"features":[` + props + `{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1]]]}}]}`
	gem := `{"features":[{"properties":{"iso":"31507","name":"D"},"geometry":{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1]]]}}]}`
	s := fstest.MapFS{"kg.geojson": {Data: []byte(kg)}}
	if k, g, _, err := Read(s); err != nil || len(k) != 1 || g != nil {
		t.Errorf("without municipalities: %v %v %v", k, g, err)
	}
	s["gemeinden.geojson"] = &fstest.MapFile{Data: []byte(gem)}
	if _, g, _, err := Read(s); err != nil || len(g) != 1 || g[0].Code != "31507" || g[0].Name != "D" {
		t.Errorf("municipalities: %v %v", g, err)
	}
	if k, g, _, err := Read(fstest.MapFS{}); err != nil || k != nil || g != nil {
		t.Errorf("without files: %v %v %v", k, g, err)
	}
}

func FuzzKGs(f *testing.F) {
	f.Add(`{"features":[` + props + `{"type":"Polygon","coordinates":[[[15,48],[15.1,48],[15.1,48.1]]]}}]}`)
	f.Add(`{"features":[` + props + `{"type":"MultiPolygon","coordinates":[[[[15,48],[15.1,48.1],[15.1,48],[15,48.1]]]]}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var p table.Problems
		kgs, err := readKGs(strings.NewReader(text), "kg.geojson", &p)
		if err != nil {
			return
		}
		for _, k := range kgs {
			if f := k.Geometry.Check(); len(f) > 0 {
				t.Fatalf("%v in %v", f, k.Geometry)
			}
		}
	})
}

func BenchmarkReadKGs(b *testing.B) {
	text, err := os.ReadFile(realdata.Path(b, "admin/salzburg_kg_vgd50_wgs84.geojson"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var p table.Problems
		if _, err := readKGs(strings.NewReader(string(text)), "kg.geojson", &p); err != nil {
			b.Fatal(err)
		}
	}
}

// The drawn parcels of a whole KG and its outline, against the published sum in EPSG:3035.
func TestRealParcelAreas(t *testing.T) {
	const want = 765205.1
	for _, name := range []string{"cadastre/kg14168_parcels_datum_corrected_wgs84.geojson",
		"cadastre/kg14168_kg_datum_corrected_wgs84.geojson"} {
		f, err := os.Open(realdata.Path(t, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		sum, n := 0.0, 0
		var p table.Problems
		err = features.Walk(f, name, &p, func(f *features.Feature) {
			m, repaired, ok := f.Geometry()
			if !ok || len(repaired) > 0 {
				t.Errorf("%s: %v", f.Text("parcel_id"), repaired)
			}
			n++
			a := m.Area(crs.EqualArea)
			sum += a
			// The survey plane stretches 0.061 % here, the drawn areas are in it, and the file's coordinates
			// are rounded to a centimetre.
			if drawn, ok := table.Decimal([]byte(f.Text("area_shape_sqm"))); ok &&
				math.Abs(a*1.00061-drawn) > 0.01*m.Perimeter(crs.EqualArea) {
				t.Errorf("%s: want %.2f m², got %.2f", f.Text("parcel_id"), drawn, a*1.00061)
			}
			c := geom.NewCover(m, crs.EqualArea)
			if d := math.Abs(c.Common(c) - a); d > 1e-6*a {
				t.Errorf("%s: common area with itself is off by %g", f.Text("parcel_id"), d)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(sum-want) > 2 {
			t.Errorf("%s: want %.1f m², got %.1f of %d features", name, want, sum, n)
		}
	}
}

func TestRealKGsLieInTheirMunicipality(t *testing.T) {
	open := func(name string) *os.File {
		f, err := os.Open(realdata.Path(t, name))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	kf, gf := open("admin/salzburg_kg_vgd50_wgs84.geojson"), open("admin/at2021_gemeinden_999_geo.json")
	defer kf.Close()
	defer gf.Close()
	var p table.Problems
	kgs, err1 := readKGs(kf, "kg", &p)
	gs, err2 := readGemeinden(gf, "gemeinden", &p)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	own, right := 0, 0
	for _, k := range kgs {
		c, ok := k.Geometry.Centroid()
		if !ok || !k.Geometry.Contains(c) {
			continue
		}
		own++
		for _, g := range gs {
			if g.Geometry.Contains(c) && g.Code == k.GemeindeCode {
				right++
			}
		}
	}
	// The two files generalise their lines differently: five small KGs at a municipality's border (56232,
	// 56405, 56503, 56544, 56547) fall beyond it.
	if own != 375 || right != 370 {
		t.Errorf("want 375 centroids in their own KG and 370 in their municipality, got %d and %d", own, right)
	}
}

// A file that draws Vienna only by districts gives the one municipality of the registers.
func TestViennaByDistricts(t *testing.T) {
	square := func(x float64) string {
		return fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%g,48],[%g,48],[%g,48.1],[%g,48.1],[%g,48]]]}`, x, x+0.1, x+0.1, x, x)
	}
	file := func(codes ...string) (out string) {
		for i, c := range codes {
			out += fmt.Sprintf(`,{"type":"Feature","properties":{"iso":"%s","name":"%s"},"geometry":%s}`, c, c, square(16+0.1*float64(i)))
		}
		return `{"type":"FeatureCollection","features":[` + out[1:] + `]}`
	}
	for _, tt := range []struct{ codes, want []string }{
		{[]string{"90101", "90201", "92301", "30001"}, []string{"30001 1", "90001 3"}},
		{[]string{"90101", "90001"}, []string{"90001 1", "90101 1"}},
	} {
		var p table.Problems
		rows, err := readGemeinden(strings.NewReader(file(tt.codes...)), "gemeinden.geojson", &p)
		if err != nil || p.Total > 0 {
			t.Fatal(err, p)
		}
		var got []string
		for _, g := range rows {
			got = append(got, fmt.Sprintf("%s %.0f", g.Code, g.Geometry.Area(crs.EqualArea)/8.29e7))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: want %v, got %v", tt.codes, tt.want, got)
		}
	}
}
