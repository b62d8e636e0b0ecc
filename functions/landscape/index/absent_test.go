package index

import (
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
)

// A country without an index is answered with what the register knows.
func TestWithoutAnIndex(t *testing.T) {
	h := world(t, false)
	st := fixture.Decode[statusBody](t, fixture.Ask(h, "GET", "/api/v1/index/status", ""), 200)
	if st.Available || st.KGs != 4 || st.Processed != 0 || st.Index != nil {
		t.Errorf("%+v", st)
	}
	if got := get(t, h, "/api/v1/query?q=dorf", 200); strings.Join(got.codes("kg_code"), " ") != "88801 88802" {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"query?top_features=trees", "query?parcels_by_type=grass", "buildings/search", "query/parcels?kg=88801",
		"query/compound?min_slope_mean_deg=0"} {
		if got := get(t, h, "/api/v1/"+path, 200); got.Total != 0 {
			t.Errorf("%s: %+v", path, got)
		}
	}
	get(t, h, "/api/v1/kg/88801/segments", 404)
}

// What is not at hand is null and no zero: laws and areas of a country without them, and what analysis does not have of a parcel.
func TestNotKnownIsNull(t *testing.T) {
	h := world(t, true)
	d := fixture.Decode[detailBody](t, fixture.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", ""), 200)
	if d.Legal != nil || d.Areas != nil || d.Conservation.Legal != nil || d.Conservation.Area != nil || d.Conservation.Vegetation == nil {
		t.Errorf("%+v", d)
	}
	if p := fixture.Decode[profileBody](t, fixture.Ask(h, "GET", "/api/v1/kg/88801/profile", ""), 200); p.Legal != nil {
		t.Errorf("%+v", p.Legal)
	}
	none := math.NaN()
	if s := conservation(&landscape.Parcel{VegetatedFraction: float32(none), NDVIMean: float32(none), TreeCanopySqm: none},
		protection{known: true}); s.Vegetation != nil || s.NDVI != nil || s.Canopy != nil || *s.Legal != 0 {
		t.Errorf("%+v", s)
	}
}

// over is the service over a world whose index, and files, edit has changed.
func over(t *testing.T, edit func(s store.Store, k *landscape.KG, file string)) http.Handler {
	t.Helper()
	s, err := fixture.World()
	if err != nil {
		t.Fatal(err)
	}
	reg := fixture.View(t, s).Register()
	k, err := fixture.Processed(reg)
	if err == nil {
		err = fixture.AddProcessed(s, reg, k)
	}
	if err != nil {
		t.Fatal(err)
	}
	body, err := landscape.Encode(k)
	if err != nil {
		t.Fatal(err)
	}
	edit(s, k, keys.Landscape{Code: k.Code(), Date: fixture.Stichtag, Sum: keys.Sum(body)}.String())
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

// named names an index of one processed KG.
func named(t *testing.T, s store.Store, k *landscape.KG, file string) {
	t.Helper()
	x := landscape.NewIndexBuilder()
	err := x.Add(k, file)
	var b []byte
	if err == nil {
		b, err = x.Encode()
	}
	if err == nil {
		err = fixture.AddLandscapeIndex(s, b)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A KG that is newer than the index was not analysed: it is found, with what the cadastre knows.
func TestOlderIndex(t *testing.T) {
	h := over(t, func(s store.Store, k *landscape.KG, file string) { named(t, s, k, file) })
	if got := get(t, h, "/api/v1/query?district=388", 200); strings.Join(got.codes("kg_code"), " ") != "88801 88802 88803" ||
		got.Results[1]["processed"] != false || got.Results[1]["kg_name"] != "Ostdorf" {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"query?kg=88802", "kg/88802", "query/parcels?kg=88802", "parcel/88802-1/detail"} {
		get(t, h, "/api/v1/"+path, 200)
	}
	w := fixture.Ask(h, "GET", "/api/v1/kg/88802/segments", "")
	if got := fixture.Decode[map[string]any](t, w, 404); got["processed"] != false || got["reason"] != notAnalysed {
		t.Errorf("%s", w.Body)
	}
	get(t, h, "/api/v1/kg/12345", 404)
}

// A parcel that is newer than the analysis of its KG was not analysed.
func TestNewerParcel(t *testing.T) {
	h := over(t, func(s store.Store, k *landscape.KG, _ string) {
		k.Parcels = slices.DeleteFunc(k.Parcels, func(p landscape.Parcel) bool { return p.ID == "88801-6" })
		body, err := landscape.Encode(k)
		if err != nil {
			t.Fatal(err)
		}
		key := keys.Landscape{Code: k.Code(), Date: fixture.Stichtag, Sum: keys.Sum(body)}
		if _, err := s.Put(t.Context(), key.String(), body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		named(t, s, k, key.String())
	})
	w := fixture.Ask(h, "GET", "/api/v1/parcel/88801-6", "")
	if got := fixture.Decode[map[string]any](t, w, 404); got["processed"] != false || got["reason"] != notAnalysed {
		t.Errorf("%s", w.Body)
	}
	d := fixture.Decode[map[string]any](t, fixture.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", ""), 200)
	one := fixture.Decode[map[string]any](t, fixture.Ask(h, "GET", "/api/v1/query?parcel=88801-6", ""), 200)
	if d["landscape"] != nil || d["cadastre"] == nil || one["parcel"] != nil || one["kg"] == nil {
		t.Errorf("%v, %v", d, one)
	}
	for _, path := range []string{"parcel/88801-77", "parcel/88801-77/detail", "query?parcel=88801-77"} {
		if w := fixture.Ask(h, "GET", "/api/v1/"+path, ""); w.Code != 404 || strings.Contains(w.Body.String(), notAnalysed) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// An index that is missing or damaged is 503, and no country without an analysed KG.
func TestUnreadIndex(t *testing.T) {
	for name, spoil := range map[string]func(s store.Store, key string) error{
		"missing": func(s store.Store, key string) error { return s.Delete(t.Context(), key) },
		"damaged": func(s store.Store, key string) error {
			_, err := s.Put(t.Context(), key, []byte("damaged"), store.PutOptions{})
			return err
		},
	} {
		h := over(t, func(s store.Store, _ *landscape.KG, _ string) {
			key, _ := fixture.View(t, s).Artefact(landscape.Artefact)
			if err := spoil(s, key.String()); err != nil {
				t.Fatal(err)
			}
		})
		for _, path := range []string{"query?q=dorf", "kg/88801", "kg/88802/segments", "index/status"} {
			if w := fixture.Ask(h, "GET", "/api/v1/"+path, ""); w.Code != 503 || w.Header().Get("Retry-After") == "" {
				t.Errorf("%s, %s: %d %s", name, path, w.Code, w.Body)
			}
		}
	}
}

// A file that is missing or damaged is 404 with the reason, as docs/absence.md has it; what the cadastre knows is answered.
func TestUnreadFiles(t *testing.T) {
	for reason, spoil := range map[string]func(s store.Store, file string) error{
		"lost": func(s store.Store, file string) error { return s.Delete(t.Context(), file) },
		"damaged": func(s store.Store, file string) error {
			_, err := s.Put(t.Context(), file, []byte("damaged"), store.PutOptions{})
			return err
		},
	} {
		h := over(t, func(s store.Store, _ *landscape.KG, file string) {
			if err := spoil(s, file); err != nil {
				t.Fatal(err)
			}
		})
		for _, path := range []string{"kg/88801/buildings", "kg/88801/segments?type=tree", "kg/88801/layers", "kg/88801/heightfield",
			"parcel/88801-6"} {
			w := fixture.Ask(h, "GET", "/api/v1/"+path, "")
			if got := fixture.Decode[map[string]any](t, w, 404); got["reason"] != reason || got["ready"] != false ||
				got["processed"] != true || w.Header().Get("Retry-After") != "" {
				t.Errorf("%s, %s: %s", reason, path, w.Body)
			}
		}
		w := fixture.Ask(h, "GET", "/api/v1/parcel/88801-6/detail", "")
		if got := fixture.Decode[map[string]any](t, w, 200); got["landscape"] != nil || got["cadastre"] == nil ||
			w.Header().Get("X-Data-Ready") != "false" {
			t.Errorf("%s: %v %s", reason, w.Header(), w.Body)
		}
		get(t, h, "/api/v1/kg/88801", 200)
	}
}
