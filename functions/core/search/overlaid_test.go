package search

import (
	"fmt"
	"net/http"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
)

// overWorld is the world with what lies over it. The register's own outline of the municipality reaches farther than the
// true one.
func overWorld(t testing.TB) http.Handler {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishOver(s, func(c *register.Contents) {
		further(c)
		c.Municipalities = append(c.Municipalities, register.Municipality{Code: "38802", Name: "Gemeinde 38802", DistrictCode: "388",
			DistrictName: "Bezirk 388"})
	}, "88803"); err != nil {
		t.Fatal(err)
	}
	return serve(t, s, library.Options{})
}

func TestParcelsShowWhatLiesOverThem(t *testing.T) {
	h := overWorld(t)
	for _, c := range []struct{ target, column, want string }{
		{"search/gnr?kg=88801&gnr=1", "in_natura2000", "true"},
		{"search/gnr?kg=88801&gnr=3", "in_natura2000", "false"},
		{"search/gnr?kg=88801&gnr=3", "natura2000_sites", "<nil>"},
		{"search/gnr?kg=88801&gnr=2", "legal_ref_count", "2"},
		{"search/gnr?kg=88801&gnr=2", "legal_contexts", "[nature_protection admin_boundary]"},
		{"search/gnr?kg=88801&gnr=3", "legal_refs", "<nil>"},
		{"search/parcel?id=88802-1", "natura2000_sites",
			"[map[area_ha:1.7 site_type_label:Special Protection Area (Birds Directive) " +
				"sitecode:AT0000002 sitename:Grenzwald sitetype:A]]"},
		{"search/feature?id=88802-1", "in_natura2000", "true"},
		{"search/parcel?id=00804-1", "in_natura2000", "false"}, // nothing lies over the KG
		{"search/kg?code=88801", "natura2000_parcel_count", "10"},
		{"search/kg?code=88801", "natura2000_site_codes", "[AT0000001 AT0000002]"},
		{"search/kg?code=88801", "natura2000_near_only_count", "1"},
		{"search/kg?code=88802", "legal_contexts", "[admin_boundary]"},
		{"search/kg?code=804", "natura2000_overlap_count", "0"},
		{"search/kg?code=804", "natura2000_inside_sites", "<nil>"},
		{"search/kg?code=88803", "legal_ref_count", "<nil>"}, // cold
	} {
		l := getList(t, h, c.target)
		if len(l.Data) != 1 {
			t.Errorf("%s: want a row, got %v", c.target, l.Data)
			continue
		}
		if got := fmt.Sprint(l.Data[0][c.column]); got != c.want {
			t.Errorf("%s: %s: want %s, got %s", c.target, c.column, c.want, got)
		}
	}
}

// Municipalities that share a border: exactly one holds a point on it.
func TestMunicipalityIsExact(t *testing.T) {
	h := overWorld(t)
	for _, c := range []struct {
		y    float64
		want string
	}{{0, "38801"}, {-0.001, "38802"}, {0.001, "38801"}} {
		p := fixture.At(3, c.y)
		l := getList(t, h, fmt.Sprintf("search/municipalities?contains_lon=%.7f&contains_lat=%.7f", float64(p.X)/1e7, float64(p.Y)/1e7))
		if len(l.Data) != 1 || l.Data[0]["gemeinde_code"] != c.want {
			t.Errorf("y = %g: want %s, got %v", c.y, c.want, l.Data)
		}
	}
}

// A row's ETag changes with what lies over its KG.
func TestETagOfOverlays(t *testing.T) {
	const path = "search/gnr?kg=88801&gnr=1"
	with, without := get(overWorld(t), path).Header().Get("ETag"), get(world(t), path).Header().Get("ETag")
	if with == "" || with == without {
		t.Errorf("want two ETags, got %s and %s", with, without)
	}
}
