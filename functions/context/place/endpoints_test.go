package place

import (
	"fmt"
	"strings"
	"testing"
)

// What each endpoint says of the made-up world: a path into the answer and the value there.
func TestEndpoints(t *testing.T) {
	h := over(t, world(t))
	for _, c := range []struct{ target, path, want string }{
		// on the border exactly one
		{"search/municipalities?" + cell(1, 0, "contains_lon", "contains_lat"), "data.0.gemeinde_code", "38801"},
		{"search/municipalities?list=all", "meta.total", "3"},
		{"search/municipalities?list=all", "meta.license.dataset", "Municipality outlines"},
		{"search/gadm?" + cell(1, -1, "contains_lon", "contains_lat"), "data.0.gid_3", "38802"},
		{"lookup?q=Westdorf", "data.0.kg_code", "88801"},
		{"lookup?q=Westdorf", "meta.total", "1"},
		{"lookup?kg=88801", "data.0.type", "kg"},
		{"lookup?q=38801&type=kg", "meta.total", "2"},
		{"natura2000/point?" + at(1, 1), "data.0.sitecode", "AT0000001"},
		{"natura2000/point?" + at(1, 1), "in_natura2000", "true"},
		{"natura2000/point?" + at(1, 1), "meta.license.dataset", "Natura 2000 sites"},
		{"natura2000/site/AT0000001", "data.sitename", "Westau"},
		{"natura2000/site/AT0000001", "data.habitats.0", "floodplain"},
		{"natura2000/site/AT0000001", "data.geometry", "<nil>"},
		{"natura2000/site/AT0000001?geometry=1", "data.geometry.type", "MultiPolygon"},
		{"natura2000/search?type=A", "meta.total", "2"}, // C counts for A
		{"natura2000/search?q=moor", "data.0.sitecode", "AT0000003"},
		{"search/protected_area?" + cell(1.2, 1.2, "contains_lon", "contains_lat"), "data.0.name", "Park"},
		{"search/protected_area?" + cell(2, 2, "contains_lon", "contains_lat"), "meta.total", "0"}, // its hole
		{"context?include=protected_area&" + at(1.2, 1.2), "data.protected_area.in_protected_area", "true"},
		{"context?include=protected_area&" + at(2, 2), "data.protected_area.in_protected_area", "false"},
		{"context?include=protected_area&" + at(2, 2), "data.protected_area.sites", "[]"},
		{"context?include=natura2000&" + at(1, 1), "data.natura2000.in_natura2000", "true"},
		{"context?include=natura2000&" + at(1, -1), "data.natura2000.in_natura2000", "false"},
		{"search/protected_area?" + cell(20, 0.5, "near_lon", "near_lat"), "data.0.name", "Fernschutz"},
		{"legal/kg/88801", "data.total_refs", "4"},
		{"legal/kg/88801", "data.unique_laws", "2"},
		{"legal/kg/88801", "data.legal_contexts.1", "admin_boundary"},
		{"legal/kg/88801?type=boundary_walk", "data.total_refs", "2"},
		{"legal/kg/88801?context=nature_protection", "data.refs.0.grundstueck", "1"},
		{"legal/kg/88801?law=8", "data.refs.0.law", "Grenzverordnung"},
		{"legal/kg/88802", "data.refs.0.grundstueck", "<nil>"},
		{"legal/kg/00804", "data.total_refs", "0"},
		{"legal/search", "meta.total", "5"},
		{"legal/search?q=999", "data.0.kg_code", "88801"},
		{"legal/search?bundesland=3&context=admin_boundary", "meta.total", "3"},
		{"legal/search?bundesland=Wien", "meta.total", "0"},
		{"legal/search?kg=88802", "data.0.ris_url", "<nil>"},
		{"legal/search?limit=1&offset=1", "data.0.grundstueck", "2"},
		{"legal/stats", "data.total_refs", "5"},
		{"legal/stats", "data.kgs", "2"},
		{"legal/stats", "data.by_context.admin_boundary", "3"},
		{"land_prices/point?area_sqm=800&building_count=1&" + at(1, 1), "data.municipality.gemeinde_code", "38801"},
		{"land_prices/point?area_sqm=800&building_count=1&" + at(1, 1), "data.estimate.class", "bauland_built"},
		{"land_prices/point?area_sqm=800&building_count=1&" + at(1, 1), "data.estimate.baseline_eur_per_sqm", "150"},
		{"land_prices/point?area_sqm=800&building_count=1&" + at(1, -1), "data.estimate.baseline_source", "bezirk"},
		{"land_prices/point?area_sqm=800&" + at(15, 15), "data.municipality", "<nil>"},
		{"land_prices/point?area_sqm=800&" + at(15, 15), "data.estimate", "<nil>"},
		{"land_prices/predict?gemeinde_code=38801&area_sqm=600&landuse_areas=52:500,48:100", "data.class", "ackerland"},
		{"land_prices/predict?gemeinde_code=38801&area_sqm=10000&landuse_codes=52", "data.rent_eur_per_year", "350"},
		{"land_prices/predict?gemeinde_code=38801&area_sqm=600&footprint_area_sqm=100&building_period=pre1960",
			"data.building.house_price_eur_per_sqm", "1600"},
		{"land_prices/predict?gemeinde_code=38801&area_sqm=600", "meta.license.attribution", "made-up prices"},
		{"land_prices/gemeinde/38801", "data.statistik_austria.value", "150"},
		{"land_prices/gemeinde/38801", "data.statistik_austria.year", "2024"},
		{"land_prices/gemeinde/38801?year=2019", "data.statistik_austria.value", "110"}, // √(100·121)
		{"land_prices/gemeinde/38801?year=2019", "data.statistik_austria.method", "interpolated"},
		{"land_prices/gemeinde/38801", "data.series.baugrund.2020", "121"},
		{"land_prices/gemeinde/38802", "data.statistik_austria", "<nil>"},
		{"land_prices/gemeinde/38802", "data.name", "Südgemeinde"},
		{"land_prices/bezirk/388", "data.published.haus_pre1960.value", "1600"},
		{"land_prices/bezirk/388", "data.statistik_austria.value", "110"},
		{"land_prices/bundesland/3", "data.published.acker_pacht.value", "350"},
		{"land_prices/bundesland/Nieder%C3%B6sterreich", "data.series.gruenland.2024", "3"},
		{"land_prices/bundesland/AT", "data.name", "Österreich"},
		{"osm/point?" + at(2, 2), "data.dist_road_m", "0"},
		{"osm/point?" + at(2, 2), "data.road_name", "Dorfstraße"},
		{"osm/point?" + at(2, 2), "data.road_on_parcel", "<nil>"},
		{"osm/point?area_sqm=100&" + at(2, 2), "data.road_on_parcel", "true"},
		{"osm/point?area_sqm=100&" + at(2.5, 2.5), "data.road_on_parcel", "false"},
		{"osm/point?" + at(2, 2), "data.major_road_ref", "B1"},
		{"osm/point?" + at(2, 2), "data.dist_major_road_m", "166.8"}, // 0.0015 degrees of latitude
		{"osm/point?" + at(2, 2), "data.train_station_name", "Westdorf Bahnhof"},
		{"osm/point?" + at(2, 2), "data.settlement_fclass", "village"},
		{"osm/point?" + at(2, 2), "data.dist_settlement_m", "0"},
		{"osm/point?" + at(2, 0.9), "data.transit_name", "Dorfplatz"},
		{"osm/point?" + at(3.5, 3.5), "data.dist_water_m", "0"}, // in the lake
		{"osm/point?" + at(3.5, 3.5), "data.water_name", "Teich"},
		{"osm/point?" + at(5, 0), "data.water_name", "Bach"},
		{"osm/point?" + at(2, 2), "meta.license.license", "ODbL 1.0"},
		{"osm/point?" + at(2, 2), "meta.license.attribution", "made-up contributors"},
		{"osm/point?lon=9.5&lat=47.1", "data.dist_road_m", "<nil>"},
		{"osm/point?lon=9.5&lat=47.1", "data.remoteness", "100"},
		{"osm/stats", "data.import_date", "2026-09-30"},
		{"osm/stats", "data.counts.road.primary", "1"},
		{"osm/stats", "data.total", "8"},
		{"osm/geometry?bbox=14.995,47.995,15.015,48.015", "meta.total", "8"},
		{"osm/geometry?bbox=14.995,47.995,15.015,48.015&cat=road", "meta.total", "2"},
		{"osm/geometry?bbox=14.995,47.995,15.015,48.015&cat=road&major=1", "features.0.properties.ref", "B1"},
		{"osm/geometry?bbox=14.995,47.995,15.015,48.015&major=1", "meta.total", "7"}, // all but the village street
		{"osm/geometry?bbox=14.995,47.995,15.015,48.015&cat=transit&limit=1", "features.0.properties.fclass", "bus_stop"},
		{"osm/geometry?bbox=14.995,47.995,15.015,48.015&cat=transit", "features.1.properties.train_station", "true"},
		{"osm/geometry?bbox=14.995,47.995,15.015,48.015&cat=place", "features.0.properties.population", "1204"},
		{"osm/geometry?bbox=14.995,47.995,15.015,48.015&cat=water", "features.0.geometry.type", "LineString"},
		{"osm/geometry?bbox=9,46,9.1,46.1", "meta.total", "0"},
		{"toponyms/near?radius=200&" + at(2, 2), "data.0.id", "siedlung-1"},
		{"toponyms/near?radius=200&" + at(2, 2), "meta.total", "3"},
		{"toponyms/near?radius=200&" + at(2, 2), "data.0.geometry", "<nil>"}, // lon and lat say it
		{"toponyms/search?q=sonnleiten&format=geojson", "features.0.geometry.type", "Point"},
		{"toponyms/near?radius=200&" + at(2, 2), "data.0.distance_m", "0"},
		{"toponyms/near?radius=200&" + at(2, 2), "data.0.minority_names.0.name", "Zahodna vas"},
		{"toponyms/near?radius=200&" + at(2, 2), "data.0.kg_name", "Westdorf"},
		{"toponyms/near?radius=200&" + at(2, 2), "data.0.state_name", "Niederösterreich"},
		{"toponyms/near?radius=200&" + at(2, 2), "data.0.currency_year", "2022"},
		{"toponyms/near?radius=2000&layer=ried,gelaende&" + at(2, 2), "meta.total", "3"},
		{"toponyms/near?radius=2000&f_code=7302&" + at(2, 2), "data.0.elevation_m", "812"},
		{"toponyms/near?radius=2000&f_code=7302&" + at(2, 2), "meta.license.dataset", "Geographical names"},
		{"toponyms/near?" + at(30, 30), "meta.total", "0"},
		{"toponyms/near?format=geojson&" + at(2, 2), "features.0.geometry.type", "Point"},
		{"toponyms/search?q=sonnleiten", "meta.total", "3"},
		{"toponyms/search?q=sonnleiten", "data.0.score", "1"},
		{"toponyms/search?q=sonnleiten", "data.0.layer", "ried"},
		{"toponyms/search?q=sonnleiten", "data.2.id", "gelaende-1"},
		{"toponyms/search?q=sonnleiten&min_score=0.9", "meta.total", "2"},
		{"toponyms/search?q=Sonnlaiten", "meta.total", "2"}, // 6 of 10 trigrams: 0.6
		{"toponyms/search?q=sunnleiten", "data.0.id", "ried-1"},
		{"toponyms/search?q=ZAHODNA+VAS", "data.0.name", "Westdorf"},
		{"toponyms/search?q=sonnleiten&kg=88802", "data.0.id", "ried-2"},
		{"toponyms/search?q=sonnleiten&gemeinde=38801&layer=gelaende", "meta.total", "1"},
		{"toponyms/search?q=sonnleiten&gemeinde=38801", "meta.total", "3"},
		{"toponyms/search?q=sonnleiten&gemeinde=38802", "meta.total", "0"},
		{"toponyms/search?q=sonnleiten&gemeinde=gemeinde%2038801&district=Bezirk-388", "meta.total", "3"},
		{"toponyms/search?q=sonnleiten&district=388", "meta.total", "3"},
		{"toponyms/search?q=sonnleiten&district=999", "meta.total", "0"},
		{"toponyms/search?q=sonnleiten&state=3", "meta.total", "3"},
		{"toponyms/search?q=sonnleiten&state=4", "meta.total", "0"},
		{"toponyms/search?q=fernkees&state=3", "meta.total", "0"},
		{"toponyms/search?q=fernkees", "data.0.kg_code", "<nil>"},
		{"toponyms/search?q=sonnleiten&near=15.005,48.001&radius=10", "data.0.id", "ried-2"},
		{"toponyms/search?q=sonnleiten&bbox=14.9,47.9,15.002,48.002", "data.0.id", "ried-1"},
		{"toponyms/search?q=sonnleiten&limit=1&offset=1", "data.0.id", "ried-2"},
		{"toponyms/gelaende-1", "data.name", "Sonnleitenkogel"},
		{"toponyms/gelaende-1", "data.positional_accuracy_m", "50"},
		{"toponyms/gelaende-1", "data.parcel", "<nil>"},
		{"kg/88801/toponyms", "data.0.layer", "ried"}, // field names first
		{"kg/88801/toponyms", "data.1.layer", "siedlung"},
		{"kg/88801/toponyms?layer=gelaende", "meta.total", "1"},
		{"kg/00804/toponyms", "meta.total", "0"},
		{"toponyms/stats", "data.total", "6"},
		{"toponyms/stats", "data.layers.ried", "2"},
		{"toponyms/stats", "data.layers.gebiet", "0"},
		{"toponyms/stats", "data.f_codes.1.f_name", "Berggipfel"},
		{"toponyms/stats", "data.stichtag", "2026-10-01"},
		{"lookup?q=Sonnleiten&type=toponym", "data.0.code", "ried-1"},
		{"lookup?q=Sonnleiten&type=toponym", "data.0.kg_number", "88801"},
		{"lookup?q=Sonnleiten", "meta.total", "0"}, // register data alone, unless asked for
		{"lookup?kg=Sonnleiten", "meta.total", "0"},
	} {
		if got := fmt.Sprint(dig(ask(t, h, c.target, 200), c.path)); got != c.want {
			t.Errorf("%s: %s: want %s, got %s", c.target, c.path, c.want, got)
		}
	}
	cagr, _ := dig(ask(t, h, "land_prices/gemeinde/38801", 200), "data.bauland_cagr").(float64)
	if cagr < 0.06 || cagr > 0.08 { // 100 in 2018 to 150 in 2024 by regression
		t.Errorf("bauland_cagr: got %v", cagr)
	}
	// (110/90)^(1/4)
	if g, _ := dig(ask(t, h, "land_prices/bezirk/388", 200), "data.trends_cagr.baugrund").(float64); g < 0.05 || g > 0.053 {
		t.Errorf("trends_cagr: got %v", g)
	}
}

func TestFaultsNameWhatIsWrong(t *testing.T) {
	h := over(t, world(t))
	for _, c := range []struct {
		target string
		status int
		want   string
	}{
		{"context?lon=13", 400, "parameter lat is required"},
		{"context?lon=48.0&lat=15.0", 400, "lon and lat look swapped"},
		{"context?lon=181&lat=48", 400, "a number from -180 to 180"},
		{"context?lon=NaN&lat=48", 400, "parameter lon"},
		{"context?lon=15&lat=48&include=osmm", 400, "did you mean osm?"},
		{"context?lon=15&lat=48&area_sqm=0", 400, "area_sqm"},
		{"context?lon=15&lat=48&typology=city", 400, "suburban"},
		{"context?lon=15&lat=48&landuse_areas=48", 400, "landuse_areas"},
		{"context?lon=15&lat=48&kg=123456", 400, "kg"},
		{"context?lon=15&lat=48&years=2024", 400, "did you mean year?"},
		{"natura2000/point?lon=48.0&lat=15.0", 400, "look swapped"},
		{"search/municipalities?contains_lon=48.0&contains_lat=15.0", 400, "look swapped"},
		{"search/protected_area?near_lon=15", 400, "near_lat"},
		{"natura2000/site/AT9", 404, "there is no Natura 2000 site AT9"},
		{"natura2000/site/AT0000001?format=csv", 400, "format"},
		{"natura2000/site/AT0000001?limit=1", 400, "limit"},
		{"toponyms/gelaende-1?format=csv", 400, "format"},
		{"toponyms/gelaende-1?limit=1", 400, "limit"},
		{"land_prices/point?area_sqm=800&format=csv&" + at(1, 1), 400, "format"},
		{"land_prices/point?area_sqm=800&limit=1&" + at(1, 1), 400, "limit"},
		{"land_prices/predict?gemeinde_code=38801&area_sqm=800&format=csv", 400, "format"},
		{"land_prices/predict?gemeinde_code=38801&area_sqm=800&limit=1", 400, "limit"},
		{"legal/kg/99999", 404, "there is no KG 99999"},
		{"legal/search?bundesland=Bayern", 400, "a state, by digit or name"},
		{"legal/search?context=natur", 400, "nature_protection"},
		{"land_prices/predict?area_sqm=100", 400, "gemeinde_code is required"},
		{"land_prices/predict?gemeinde_code=38801", 400, "area_sqm is required"},
		{"land_prices/gemeinde/12345", 404, "12345 does not exist"},
		{"land_prices/bezirk/123", 404, "123 does not exist"},
		{"land_prices/bundesland/Bayern", 400, "a state, by digit or name"},
		{"land_prices/gemeinde/38801?year=1989", 400, "from 1990 to 2050"},
		{"osm/geometry", 400, "bbox is required"},
		{"osm/geometry?bbox=15,48,15.2,48.1", 400, "at most 0.1 degrees wide and high"},
		{"osm/geometry?bbox=48,15,48.1,15.1", 400, "look swapped"},
		{"osm/geometry?bbox=15,48,15.1", 400, "west,south,east,north"},
		{"osm/geometry?bbox=15,48,15.1,48.1&limit=20001", 400, "from 1 to 20000"},
		{"osm/geometry?bbox=15,48,15.1,48.1&cat=roads", 400, "did you mean road?"},
		{"osm/point?lon=15", 400, "lat is required"},
		{"toponyms/near?radius=2001&" + at(1, 1), 400, "from 1 to 2000"},
		{"toponyms/near?radius=0&" + at(1, 1), 400, "from 1 to 2000"},
		{"toponyms/near?layer=berge&" + at(1, 1), 400, "siedlung, gebiet, gelaende"},
		{"toponyms/search", 400, "q is required"},
		{"toponyms/search?q=a&min_score=0.5", 400, "from 0.55 to 1"},
		{"toponyms/search?q=a&near=48.0,15.0", 400, "look swapped"},
		{"toponyms/search?q=a&near=15", 400, "lon,lat in degrees"},
		{"toponyms/search?q=a&radius=100", 400, "together with near"},
		{"toponyms/search?q=a&bbox=15,48,14,47", 400, "west,south,east,north"},
		{"toponyms/nothing", 404, "there is no geographical name nothing"},
		{"kg/99999/toponyms", 404, "there is no KG 99999"},
		{"context?radius_m=2001&" + at(1, 1), 400, "from 1 to 2000"},
		{"context?limit=51&" + at(1, 1), 400, "from 1 to 50"},
		{"lookup", 400, "one of kg, plz, gemeinde, ortschaft"},
		{"lookup?q=a&kg=b", 400, "one of q, kg"},
		{"lookup?kg=a&type=plz", 400, "no other type"},
	} {
		if got, _ := ask(t, h, c.target, c.status)["error"].(string); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q in %q", c.target, c.want, got)
		}
	}
}
