package ogc

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
	"mappe/shared/web/format"
)

// TestIDs: the spellings of ids; another spelling of a number of a land-use area is no id.
func TestIDs(t *testing.T) {
	for _, tt := range []struct {
		id                     string
		parcel, footprint, use bool
	}{
		{"88801-1", true, false, false},
		{"88801-.6/1", true, false, false},
		{"88801_fp_1", false, true, false},
		{"88801_lu_1", false, false, true},
		{"88801_lu_01", false, false, false},
		{"88801_lu_+1", false, false, false},
		{"88801_lu_x", false, false, false},
		{"88801_lu_", false, false, false},
		{"88801", false, false, false},
		{"8880x_lu_1", false, false, false},
		{"", false, false, false},
	} {
		_, _, parcel := parcelOf(tt.id)
		_, _, footprint := footprintOf(tt.id)
		_, _, use := useOf(tt.id)
		if parcel != tt.parcel || footprint != tt.footprint || use != tt.use {
			t.Errorf("%q: want a parcel, footprint, land-use area: %v %v %v, got %v %v %v", tt.id, tt.parcel, tt.footprint, tt.use, parcel,
				footprint, use)
		}
	}
	if in, _, ok := addressOf("8880101-001"); !ok || in != nil {
		t.Errorf("8880101-001: want an address point of any KG, got %v in %v", ok, in)
	}
	if _, _, ok := addressOf("8880101"); ok {
		t.Error("8880101: want no id of an address point")
	}
}

// TestEveryFeatureIsFoundByItsID, and no other one comes in its place.
func TestEveryFeatureIsFoundByItsID(t *testing.T) {
	h := overWorld(t)
	counts := map[string]int{}
	for _, c := range all {
		page, _ := get(t, h, "/ogc/collections/"+c.id+"/items?limit=1000", 200)
		for _, id := range ids(page) {
			f, _ := get(t, h, "/ogc/collections/"+c.id+"/items/"+url.PathEscape(id), 200)
			if f["id"] != id {
				t.Errorf("%s: want the feature %s, got %v", c.id, id, f["id"])
			}
			counts[c.id]++
		}
	}
	// As the comments of the world say: 3 sites, 2 areas; buildings stand on Westdorf 1 and .6/1 and Ostdorf 1, and one beside it.
	for id, want := range map[string]int{"parcels": 38, "natura2000": 3, "protected_areas": 2, "footprints": 3, "address_points": 4} {
		if counts[id] != want {
			t.Errorf("%s: want %d features, got %d", id, want, counts[id])
		}
	}
	for _, missing := range []string{"footprints/items/88801_fp_3", "footprints/items/88801_fp_0", "landuse/items/88801_lu_0",
		"address_points/items/8880199-001", "natura2000/items/AT0000004", "protected_areas/items/3", "protected_areas/items/0",
		"protected_areas/items/-1", "landuse/items/88801_lu_1000"} {
		get(t, h, "/ogc/collections/"+missing, 404)
	}
}

// overWorld is the world with what lies over it, all KGs loaded.
func overWorld(t testing.TB) http.Handler {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishOver(s, func(c *register.Contents) {
		c.Municipalities = []register.Municipality{{Code: "38801", Name: "Gemeinde 38801", At: fixture.At(4, 2),
			Outline: geom.MultiPolygon{{fixture.Rect(0, 0, 8, 4)}}}, {Code: "38809", Name: "Ohne Umriss"}}
	}, "88803"); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, New(Deps{Library: lib, Version: "test", BaseURL: "https://land.example/cadastre", Now: fixture.Now}))
}

// TestWhatLiesOverThem: sites and areas by box and by column. A box finds what its shape reaches into, not what its box does.
func TestWhatLiesOverThem(t *testing.T) {
	h := overWorld(t)
	for _, tt := range []struct {
		path string
		want []string
	}{
		{"natura2000/items", []string{"AT0000001", "AT0000002", "AT0000003"}},
		{"natura2000/items?bbox=" + box(0.2, 0.2, 0.8, 0.8), []string{"AT0000001"}},
		{"natura2000/items?bbox=" + box(1.5, 0.2, 3.5, 0.8), []string{"AT0000001", "AT0000002"}},
		{"natura2000/items?bbox=" + box(7.2, 3, 7.8, 4), []string{}}, // in the box of Nebenmoor, within its angle
		{"natura2000/items?bbox=" + box(7.2, 4, 7.8, 5.2), []string{"AT0000003"}},
		{"natura2000/items?bbox=" + box(30, 30, 31, 31), []string{}},
		{"natura2000/items?bbox=" + box(0, 0, 9, 6) + "&sitename=Grenzwald", []string{"AT0000002"}},
		{"natura2000/items?sitename=Grenzwald", []string{"AT0000002"}},
		{"natura2000/items?sitename=Grenzwald&bbox=" + box(0.2, 0.2, 0.8, 0.8), []string{}},
		{"protected_areas/items", []string{"1", "2"}},
		{"protected_areas/items?bbox=" + box(1.7, 1.7, 2.3, 2.3), []string{}}, // the hole of the park
		{"protected_areas/items?bbox=" + box(1.2, 1.2, 1.4, 1.4), []string{"1"}},
		{"protected_areas/items?iucn_cat=IV", []string{"2"}},
		{"municipalities/items?bbox=" + box(7, 3, 7.5, 3.5), []string{"38801"}},
		{"municipalities/items?bbox=" + box(9, 3, 9.5, 3.5), []string{}},
		{"municipalities/items?bbox=-1,-1,1,1", []string{}}, // where no position lies
		{"municipalities/items?bbox=" + box(7, 3, 7.5, 3.5) + "&name=Ohne%20Umriss", []string{}},
		{"municipalities/items?name=Ohne%20Umriss", []string{"38809"}},
		{"address_points/items?bbox=" + box(0.4, 0.4, 0.6, 0.6), []string{"8880101-001"}},
	} {
		o, _ := get(t, h, "/ogc/collections/"+tt.path, 200)
		if got := ids(o); !slices.Equal(got, tt.want) {
			t.Errorf("%s: want %q, got %q", tt.path, tt.want, got)
		}
	}
}

// TestManyShapes: shapes are tested some at a time, and none is passed over at the seams.
func TestManyShapes(t *testing.T) {
	for _, n := range []int{shapesAtOnce - 1, shapesAtOnce, shapesAtOnce + 1, 2*shapesAtOnce + 1} {
		s := mem.New()
		if err := fixture.Publish(s, fixture.Snapshots()); err != nil {
			t.Fatal(err)
		}
		source := fixture.Over()
		source.Sites = nil
		for i := range n {
			x := float64(i) / 100
			g := geom.MultiPolygon{{fixture.Rect(x, 0, x+0.005, 1)}}
			source.Sites = append(source.Sites, overlays.Site{Code: fmt.Sprintf("AT%07d", i), Name: "Streifen", Type: overlays.Birds,
				Geometry: g, Box: g.Bounds()})
		}
		if err := fixture.AddOver(s, source); err != nil {
			t.Fatal(err)
		}
		h := fixture.Handler(t, New(Deps{Library: fixture.Library(t, s), Now: fixture.Now}))
		o, _ := get(t, h, "/ogc/collections/natura2000/items?limit=1000&bbox="+box(-1, 0, 9, 1), 200)
		if got := ids(o); len(got) != n || len(slices.Compact(got)) != n {
			t.Errorf("want %d sites, got %d: %q", n, len(got), got)
		}
	}
}

func TestMeets(t *testing.T) {
	area := region.OfBox(geom.Box{MinX: -10, MinY: -10, MaxX: 10, MaxY: 10})
	point := func(x, y int32) format.Geometry {
		return format.Geometry{Shape: format.ShapePoint, Point: geom.Point{X: x, Y: y}}
	}
	shape := func(x int32) format.Geometry {
		return format.Geometry{Shape: format.ShapeMultiPolygon, Polygons: geom.MultiPolygon{
			{{{X: x, Y: 0}, {X: x + 4, Y: 0}, {X: x + 4, Y: 4}}}}}
	}
	for _, tt := range []struct {
		name string
		area *region.Area
		g    format.Geometry
		want bool
	}{
		{"everywhere", nil, point(100, 100), true},
		{"everywhere, without a place", nil, format.Geometry{}, true},
		{"a point within", area, point(5, 5), true},
		{"a point outside", area, point(50, 5), false},
		{"a position that is not known", area, point(0, 0), false},
		{"a shape within", area, shape(1), true},
		{"a shape across the border", area, shape(8), true},
		{"a shape outside", area, shape(50), false},
		{"no shape", area, format.Geometry{Shape: format.ShapeNone, Point: geom.Point{X: 5, Y: 5}}, false},
	} {
		if got := meets(tt.area, tt.g); got != tt.want {
			t.Errorf("%s: want %v, got %v", tt.name, tt.want, got)
		}
	}
}

// TestTimes of RFC 3339, and intervals of OGC 17-069r4, 7.15.3.
func TestTimes(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-10-01T00:00:00Z": true, "2026-10-01T02:00:00+02:00": true, "2026-10-01": true,
		"2026-01-01/2026-02-01": true, "2026-01-01/2026-01-01": true, "2026-01-01/..": true,
		"../2026-01-01": true, "/2026-01-01": true, "2026-01-01/": true,
		"": false, "..": false, "../..": false, "/": false, "yesterday": false, "2026-13-01": false, "2026-02-01/2026-01-01": false,
		"x/2026-01-01": false, "2026-01-01/x": false, "x/..": false, "../x": false, "2026-01-01/2026-02-01/2026-03-01": false,
	} {
		if got, err := parseTime(text); (err == nil) != want || want && got != text {
			t.Errorf("%q: want it taken: %v, got %q, %v", text, want, got, err)
		}
	}
}

// TestProjectedBoxes: the same box in systems whose first axis goes north. The corners are gdaltransform's of 15.0002 48.0002 and
// 15.0008 48.0008.
func TestProjectedBoxes(t *testing.T) {
	h := world(t)
	for code, bbox := range map[string]string{"31287": "456983.67,524400.96,457051.30,524444.29",
		"3035": "2777805.6,4694012.8,2777875.1,4694053.1"} {
		o, _ := get(t, h, "/ogc/collections/parcels/items?bbox="+bbox+"&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/"+code, 200)
		if got := ids(o); !slices.Equal(got, []string{"88801-1"}) {
			t.Errorf("EPSG:%s: want 88801-1 alone, got %q", code, got)
		}
	}
	for bbox, says := range map[string]string{
		"1669881,6106890,1669814,6106970": "lower corner", "1669814,6106970,1669881,6106890": "lower corner",
		"1669814,6106890,1669814,6106970": "has an area", "1669814,6106890,1669881,6106890": "has an area",
	} {
		o, _ := get(t, h, "/ogc/collections/parcels/items?bbox="+bbox+"&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857", 400)
		if !strings.Contains(fmt.Sprint(o), says) {
			t.Errorf("%s: want an error that says %q, got %v", bbox, says, o)
		}
	}
}

// TestNumbersAsConditions: three parcels of the world have one building, the others none.
func TestNumbersAsConditions(t *testing.T) {
	h := world(t)
	for query, want := range map[string]float64{"building_count=1": 3, "building_count=1.0": 3, "building_count=0": 35,
		"building_count=2":               0,
		"kg_code=88801&building_count=1": 2, "bbox=" + box(0.2, 0.2, 0.8, 0.8) + "&building_count=1": 1,
		"bbox=" + box(0.2, 0.2, 0.8, 0.8) + "&building_count=0": 0} {
		if o, _ := get(t, h, "/ogc/collections/parcels/items?"+query, 200); o["numberMatched"] != want {
			t.Errorf("%s: want %v features, got %v", query, want, o["numberMatched"])
		}
	}
}

// TestLandUseByNumber: the first and the last area of a KG are found, what lies beside them is not; a number with fractions has its point
// in one feature as in a list.
func TestLandUseByNumber(t *testing.T) {
	snapshots := fixture.Snapshots()
	const n = 3
	for i := range n {
		at := geom.MultiPolygon{{fixture.Rect(float64(i), 0, float64(i)+1, 1)}}
		snapshots[0].LandUse = append(snapshots[0].LandUse, kgfile.LandUseArea{NS: 48, Geometry: at, AreaSqm: 100,
			Inside: fixture.At(float64(i)+0.5, 0.5)})
	}
	s := mem.New()
	if err := fixture.Publish(s, snapshots); err != nil {
		t.Fatal(err)
	}
	h := fixture.Handler(t, New(Deps{Library: fixture.Library(t, s), Version: "test", Now: fixture.Now}))
	kg := string(snapshots[0].KG.Code)
	for _, tt := range []struct{ number, code int }{{0, 404}, {1, 200}, {n, 200}, {n + 1, 404}, {-1, 404}} {
		id := fmt.Sprintf("%s_lu_%d", kg, tt.number)
		if o, _ := get(t, h, "/ogc/collections/landuse/items/"+id, tt.code); tt.code == 200 && o["id"] != id {
			t.Errorf("%s: got %v", id, o["id"])
		}
	}
	page := fixture.Ask(h, "GET", "/ogc/collections/parcels/items?kg_code=88801&limit=1", "").Body.String()
	one := fixture.Ask(h, "GET", "/ogc/collections/parcels/items/88801-1", "").Body.String()
	area := regexp.MustCompile(`"area_sqm":[0-9.]+`)
	if a, b := area.FindString(page), area.FindString(one); a != b || !strings.Contains(a, ".") {
		t.Errorf("a list has %s, a feature %s", a, b)
	}
}
