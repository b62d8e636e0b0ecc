package process_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/builders/landscape/process"
	"mappe/functions/fixture"
	"mappe/functions/landscape/changes"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
)

// What a KG is processed into names the same changes as the service does of the same area: by the same hints of the cadastre and of
// orthophotos.
func TestChangesOfAKGAreThoseOfTheService(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots()); err != nil { // of all KGs the cadastre is there
		t.Fatal(err)
	}
	x0, y0, err := fixture.AddVillage(s)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	processed, served := processedChanges(t, s, lib), servedChanges(t, lib, x0, y0)
	slices.Sort(processed)
	slices.Sort(served)
	all := strings.Join(served, "\n")
	for _, hint := range []string{"; a building of the cadastre", "no building of the cadastre", "vegetation index fell"} {
		if !strings.Contains(all, hint) {
			t.Errorf("nothing is told by %q:\n%s", hint, all)
		}
	}
	if !slices.Equal(processed, served) || len(served) != 2 {
		t.Errorf("processed\n%s\nserved\n%s", strings.Join(processed, "\n"), all)
	}
}

// processedChanges are the changes of the KG as it is stored.
func processedChanges(t *testing.T, s store.Store, lib *library.Library) (processed []string) {
	t.Helper()
	for _, c := range processedKG(t, s, lib).Changes {
		processed = append(processed, fmt.Sprintf("%s: %s (%.2f) by %s", c.ID, c.Type, c.Confidence, c.Evidence))
	}
	return processed
}

// processedKG is the KG of the village as it is stored.
func processedKG(t *testing.T, s store.Store, lib *library.Library) *landscape.KG {
	t.Helper()
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	quiet := func(context.Context, string, int, int) error { return nil }
	out, err := process.Analyse(t.Context(), v, s, process.Order{KG: "88801"}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	body, _, err := store.ReadAll(t.Context(), s, out.File.Key, 64<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := landscape.Open(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Whole()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// servedChanges are those that the service names around the two houses: the wood lies beyond the KG.
func servedChanges(t *testing.T, lib *library.Library, x0, y0 float64) (served []string) {
	t.Helper()
	h, err := changes.New(changes.Deps{Library: lib, Now: fixture.Now, Started: fixture.Noon}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	var ring []string
	for _, c := range [][2]float64{{-20, -25}, {90, -25}, {90, 25}, {-20, 25}, {-20, -25}} {
		lon, lat := crs.LAEA.Inverse(x0+c[0], y0+c[1])
		ring = append(ring, fmt.Sprintf("[%.7f,%.7f]", lon, lat))
	}
	w := fixture.Ask(h, "POST", "/api/v1/changes?date_a=20220915&date_b=20240915",
		`{"type":"Polygon","coordinates":[[`+strings.Join(ring, ",")+`]]}`)
	var answer struct {
		Data []struct {
			ID         string  `json:"change_id"`
			Type       string  `json:"type"`
			Confidence float64 `json:"confidence"`
			Evidence   []string
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
		t.Fatalf("%d %v %.300s", w.Code, err, w.Body)
	}
	for _, c := range answer.Data {
		served = append(served, fmt.Sprintf("%s: %s (%.2f) by %s", c.ID, c.Type, c.Confidence, strings.Join(c.Evidence, "; ")))
	}
	return served
}

// A building of a processed KG says how sure the model is of the segments on it: of each type that lies there.
func TestBuildingsSayHowSureTheModelIs(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fixture.AddVillage(s); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddClassifier(s, fixture.ClassifierArtefact); err != nil {
		t.Fatal(err)
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	judged := 0.0
	k := processedKG(t, s, lib)
	for i := range k.Buildings {
		b := &k.Buildings[i]
		var lie, sure []string
		for _, s := range b.Types {
			lie = append(lie, s.Type.String())
		}
		for _, c := range b.Classification {
			sure = append(sure, c.Type.String())
			judged += c.RFCount
			if !(c.RFMin > 0 && c.RFMean >= c.RFMin && c.RFMean <= 1) || c.RFCount < 1 || c.DivergedCount > c.RFCount {
				t.Errorf("%s: %+v", b.ID, c)
			}
		}
		slices.Sort(lie)
		slices.Sort(sure)
		if !slices.Equal(lie, sure) {
			t.Errorf("%s: segments of %v, sure of %v", b.ID, lie, sure)
		}
	}
	all := 0.0
	for _, c := range k.Classification {
		all += c.RFCount
	}
	if judged == 0 || judged > all {
		t.Errorf("%.0f segments of buildings, %.0f of the KG", judged, all)
	}
}
