package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mappe/artefacts/register"
	"mappe/builders/national"
	"mappe/localdev/demo"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
	"mappe/shared/geo/geom"
)

// warmAnswer is what an answer to a box says of rows and warming KGs.
type warmAnswer struct {
	Data []json.RawMessage `json:"data"`
	Meta struct {
		Ready       *bool    `json:"ready"`
		Warming     []string `json:"kgs_warming"`
		Unavailable []string `json:"kgs_unavailable"`
	} `json:"meta"`
}

// TestAColdKGWarmsUp: of the demo country one KG is built; a request that touches another gets the flags as
// they are written, and after some seconds the same request gets the rows. A KG of which the source has no parcels is said to
// be unavailable where it is asked for, and keeps no other place waiting. So with the real bootstraps.
func TestAColdKGWarmsUp(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the whole-system test")
	}
	bin, folder := program(t), t.TempDir()
	source := filepath.Join(folder, "source")
	if _, err := demo.Generate(t.Context(), source, demo.Options{Without: []string{"terrain", "laser scans"},
		Unsourced: true}); err != nil {
		t.Fatal(err)
	}
	src, err := national.OpenSource(t.Context(), national.SourceOptions{Dir: source})
	if err != nil {
		t.Fatal(err)
	}
	built, cold := src.KGs[0].Code, src.KGs[1]
	never, err := src.Facts(demo.UnsourcedKG)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("schedules", func(t *testing.T) {
		data := filepath.Join(t.TempDir(), "data")
		run(t, bin, "build", "--source", source, "--data", data, "--kg", string(built))
		schedules(t, source, data, cold.Code)
	})
	for _, flags := range [][]string{nil, {"--exact"}} {
		t.Run(fmt.Sprint(flags), func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			run(t, bin, "build", "--source", source, "--data", data, "--kg", string(built))
			base := up(t, bin, append([]string{"up", "--data", data, "--source", source}, flags...)...)
			around := func(m geom.MultiPolygon) string {
				at := inside(t, m)
				return fmt.Sprintf("%s/cadastre/api/v1/spatial/bbox?west=%.7f&south=%.7f&east=%.7f&north=%.7f&limit=20", base,
					at.Lon()-0.001, at.Lat()-0.001, at.Lon()+0.001, at.Lat()+0.001)
			}
			url := around(cold.Outline)
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(300 * time.Millisecond) { // its build is tried once
				a := ask(t, around(never.Outline))
				if a.Meta.Ready == nil || *a.Meta.Ready || time.Now().After(deadline) {
					t.Fatalf("want KG %s unavailable, got %+v", demo.UnsourcedKG, a.Meta)
				}
				if slices.Equal(a.Meta.Unavailable, []string{demo.UnsourcedKG}) && len(a.Meta.Warming) == 0 {
					break
				}
			}

			first := ask(t, url)
			if first.Meta.Ready == nil || *first.Meta.Ready || !slices.Contains(first.Meta.Warming, string(cold.Code)) {
				t.Fatalf("want ready false and KG %s warming, got %+v", cold.Code, first.Meta)
			}
			deadline := time.Now().Add(4 * time.Minute)
			for {
				a := ask(t, url)
				if a.Meta.Ready != nil && *a.Meta.Ready {
					if len(a.Data) <= len(first.Data) {
						t.Errorf("ready, but no more rows than before: %d", len(a.Data))
					}
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("KG %s is still warming: %+v", cold.Code, a.Meta)
				}
				time.Sleep(300 * time.Millisecond)
			}
			left, err := os.ReadDir(filepath.Join(data, "requests", "warm"))
			for _, e := range left {
				if e.Name() == string(cold.Code) {
					t.Errorf("the request stays: %v, %v", e.Name(), err)
				}
			}
			if k := served(t, data).KG(cold.Code); k == nil || k.Snapshot.Key == "" {
				t.Errorf("KG %s is not in the register as built", cold.Code)
			}
		})
	}
}

// inside is a point in the middle of an outline.
func inside(t *testing.T, m geom.MultiPolygon) geom.Point {
	t.Helper()
	p, ok := m.Centroid()
	if !ok {
		t.Fatal("the outline has no centroid")
	}
	return p
}

func ask(t *testing.T, url string) warmAnswer {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v: %.300s", url, r.StatusCode, err, b)
	}
	var a warmAnswer
	if err := json.Unmarshal(b, &a); err != nil {
		t.Fatalf("%v: %.300s", err, b)
	}
	return a
}

func served(t *testing.T, address string) *register.Register {
	t.Helper()
	st, err := storeurl.Open(address)
	if err != nil {
		t.Fatal(err)
	}
	live, err := national.ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := store.ReadAll(t.Context(), st, live.Pointer.Register, 64<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := register.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
