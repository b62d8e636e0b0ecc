package index

import (
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"

	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/reply"
)

func TestDetail(t *testing.T) {
	h := world(t, true)
	type detail struct {
		Processed    bool           `json:"processed"`
		Cadastre     map[string]any `json:"cadastre"`
		Landscape    map[string]any `json:"landscape"`
		Legal        []legalBody    `json:"legal_references"`
		Conservation scoreBody      `json:"conservation"`
	}
	d := fixture.Decode[detail](t, fixture.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", ""), 200)
	if !d.Processed || d.Cadastre["gnr"] != "6" || d.Landscape["slope_mean_deg"] != 3.5 || *d.Conservation.Vegetation != 16 ||
		*d.Conservation.NDVI != 11.72 || d.Conservation.Score != 40.4 {
		t.Errorf("%+v", d)
	}
	d = fixture.Decode[detail](t, fixture.Ask(h, "GET", "/api/v1/parcel/88802-1/detail", ""), 200)
	if d.Processed || d.Landscape != nil || d.Cadastre["parcel_id"] != "88802-1" || d.Conservation != (scoreBody{}) {
		t.Errorf("%+v", d)
	}
	get(t, h, "/api/v1/parcel/88801-77/detail", 404)
	w := fixture.Ask(h, "GET", "/api/v1/kg/88801/profile", "")
	p := fixture.Decode[struct {
		Use       []useBody      `json:"landuse"`
		Cadastre  map[string]any `json:"cadastre"`
		Landscape map[string]any `json:"landscape"`
	}](t, w, 200)
	if len(p.Use) != 4 || p.Use[0].Code != 52 || p.Cadastre["kg_name"] != "Westdorf" || p.Landscape["processed"] != true {
		t.Errorf("%s", w.Body)
	}
	if w := fixture.Ask(h, "GET", "/api/v1/kg/88803/profile", ""); w.Code != 200 || w.Header().Get("X-Data-Ready") != "false" {
		t.Errorf("a cold KG: %d %v", w.Code, w.Header())
	}
	l := fixture.Decode[layersBody](t, fixture.Ask(h, "GET", "/api/v1/kg/88801/layers?variant=full", ""), 200)
	if len(l.Layers) != 8 || l.Layers[0].Rows != 6 || l.Layers[7].Rows != 40 || l.Download != nil {
		t.Errorf("%+v", l)
	}
}

// The community map is named where it told ways, under its licence, and nowhere else.
func TestCredits(t *testing.T) {
	h := over(t, func(s store.Store, _ *landscape.KG, _ string) {
		if err := fixture.AddMap(s, fixture.Community()); err != nil {
			t.Fatal(err)
		}
	})
	type signed struct {
		Meta struct {
			License        reply.LicenseObject `json:"license"`
			Infrastructure string              `json:"infrastructure"`
		} `json:"meta"`
	}
	for path, want := range map[string][2]string{ // licence of the answer and of the ways in it
		"kg/88801/infrastructure": {"ODbL 1.0", ""}, "query?top_features=infrastructure": {"ODbL 1.0", ""},
		"kg/88801/segments":                    {"CC BY 4.0", "ODbL 1.0"},
		"query?top_features=objects&type=road": {"CC BY 4.0", "ODbL 1.0"}, "kg/88801/buildings": {"CC BY 4.0", ""},
		"query?top_features=trees": {"CC BY 4.0", ""},
	} {
		w := fixture.Ask(h, "GET", "/api/v1/"+path, "")
		got := fixture.Decode[signed](t, w, 200).Meta
		named := strings.Contains(got.License.Attribution, "made-up contributors") && strings.Contains(w.Header().Get("X-Data-Attribution"),
			"made-up contributors")
		if got.License.License != want[0] || got.Infrastructure != want[1] || !strings.Contains(got.License.Attribution, "BEV") ||
			named != (want != [2]string{"CC BY 4.0", ""}) {
			t.Errorf("%s: %v %+v", path, w.Header(), got)
		}
	}
}

func TestConservationScore(t *testing.T) {
	none := float32(math.NaN())
	for name, c := range map[string]struct {
		p                   *landscape.Parcel
		legal, inside, near bool
		want                float64
	}{
		"nothing known": {nil, false, false, false, 0}, "law and area": {nil, true, true, true, 50}, "near": {nil, false, false, true, 10},
		"all":     {&landscape.Parcel{VegetatedFraction: 1, NDVIMean: 0.9, TreeCanopySqm: 10_000}, true, true, false, 100},
		"unknown": {&landscape.Parcel{VegetatedFraction: none, NDVIMean: none, TreeCanopySqm: math.NaN()}, false, false, false, 0},
		"large":   {&landscape.Parcel{TreeCanopySqm: 1e9}, false, false, false, 15},
		"half":    {&landscape.Parcel{VegetatedFraction: 0.5, NDVIMean: 0.4, TreeCanopySqm: 99}, false, false, false, 25},
	} {
		if got := conservation(c.p, protection{true, c.legal, c.inside, c.near}).Score; got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// overlaid is the service over the world with what lies over it.
func overlaid(t *testing.T) http.Handler {
	t.Helper()
	s := mem.New()
	if err := errors.Join(fixture.PublishOver(s, nil, "88803"), fixture.AddOver(s, fixture.Over())); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddLandscape(s, fixture.View(t, s).Register()); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Deps{Library: lib}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Sites are those of the cadastre: what its own code says of a parcel is counted.
func TestHabitatCount(t *testing.T) {
	h := overlaid(t)
	for query, want := range map[string][3]int{ // parcels, of them processed, KGs
		"sitecode=AT0000001": {9, 9, 1}, "sitecode=AT0000002": {2, 1, 2}, "sitetype=A": {11, 10, 2}, "sitetype=C": {9, 9, 1},
		"sitetype=B": {9, 9, 1}, "habitat=moor": {0, 0, 0}, "habitat=forest": {2, 1, 2},
		"sitetype=A&has_buildings=true": {3, 2, 2}, "sitetype=A&state=4": {0, 0, 0}, "sitetype=A&landuse=56": {2, 2, 1},
		"sitetype=A&gemeinde=38801":                                  {11, 10, 2},
		"sitetype=A&gemeinde=gemeinde%2038801&district=Bezirk%20388": {11, 10, 2}, "sitecode=nowhere": {0, 0, 0},
	} {
		w := fixture.Ask(h, "GET", "/api/v1/query/habitat_count?breakdown=true&sample=4&"+query, "")
		b := fixture.Decode[habitatBody](t, w, 200)
		kgs, states := 0, 0
		for _, k := range b.ByKG {
			kgs += k.Cadastre
		}
		for _, st := range b.ByState {
			states += st.Cadastre
		}
		if b.Cadastre != want[0] || b.Processed != want[1] || b.KGs != want[2] || b.Unprocessed != want[0]-want[1] || kgs != want[0] ||
			states != want[0] || len(b.Parcels) != min(4, want[0]) || b.Truncated != (want[0] > 4) {
			t.Errorf("%s: want %v: %s", query, want, w.Body)
		}
	}
	get(t, h, "/api/v1/query/habitat_count?state=3", 400)
	get(t, h, "/api/v1/query/habitat_count?sitetype=D", 400)
	d := fixture.Decode[detailBody](t, fixture.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", ""), 200)
	if *d.Conservation.Area != 10 || len(*d.Areas) != 1 || len(*d.Legal) != 0 { // its centroid lies on the border of the hole
		t.Errorf("%+v", d)
	}
	d = fixture.Decode[detailBody](t, fixture.Ask(h, "GET", "/api/v1/parcel/88801-1/detail", ""), 200)
	if *d.Conservation.Legal != 30 || *d.Conservation.Area != 10 || len(*d.Legal) != 1 || *(*d.Legal)[0].Parcel != "1" {
		t.Errorf("%+v", d)
	}
}
