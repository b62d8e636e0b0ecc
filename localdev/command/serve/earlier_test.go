package serve

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/families"
	"mappe/localdev/command/build"
	"mappe/localdev/demo"
	"mappe/shared/cloud/store/dir"
)

// classes are the cells' classes of the uses that the demo country's edits name.
var classes = map[string]string{"48": "acker", "52": "bau", "56": "wald", "57": "gruen"}

// The country at its three dates has the changes of land use that its truth names: those of the second date confirmed,
// those of the last one candidates.
func TestTheDemoCountryChanged(t *testing.T) {
	source, data := filepath.Join(t.TempDir(), "source"), filepath.Join(t.TempDir(), "data")
	if _, err := demo.Generate(t.Context(), source, demo.Options{Without: []string{"terrain", "laser scans"}}); err != nil {
		t.Fatal(err)
	}
	if err := buildEarlier(t.Context(), io.Discard, source, data); err != nil {
		t.Fatal(err)
	}
	quiet, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer quiet.Close()
	if err := build.Run(t.Context(), quiet, build.Options{Source: source, Data: data}); err != nil {
		t.Fatal(err)
	}
	h := contextOf(t, data)
	for kg, dates := range editsOf(t, source) {
		var a struct {
			Data struct {
				Change struct {
					Confirmed, Candidate struct {
						Transitions map[string]float64 `json:"transitions_m2"`
					}
				}
			}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/context/api/v1/ne/stats?kg="+kg, nil))
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != http.StatusOK {
			t.Fatalf("KG %s: %d %.300s %v", kg, w.Code, w.Body, err)
		}
		for date, got := range map[string]map[string]float64{demo.Dates[1]: a.Data.Change.Confirmed.Transitions,
			demo.Dates[2]: a.Data.Change.Candidate.Transitions} {
			for change, want := range dates[date] {
				if math.Abs(got[change]-want) > 0.002*want {
					t.Errorf("KG %s, %s at %s: %.1f m², want %.1f", kg, change, date, got[change], want)
				}
			}
			for change, m2 := range got {
				if dates[date][change] == 0 && m2 > 100 {
					t.Errorf("KG %s at %s: %s of %.1f m², which nobody made", kg, date, change, m2)
				}
			}
		}
	}
}

// contextOf is the context service over a directory of artefacts.
func contextOf(t *testing.T, data string) http.Handler {
	t.Helper()
	st, err := dir.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), st, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range families.All(families.Deps{Library: lib}) {
		if s.Prefix == "/context" {
			h, err := s.Handler()
			if err != nil {
				t.Fatal(err)
			}
			return h
		}
	}
	t.Fatal("there is no context service")
	return nil
}

// editsOf are the m² of each change of land use of the truth, by KG and date.
func editsOf(t *testing.T, source string) map[string]map[string]map[string]float64 {
	t.Helper()
	f, err := os.Open(filepath.Join(source, "truth", "land-use-edits.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]map[string]float64{}
	for _, r := range rows[1:] { // kg_code, parcel_id, before, now, first_date, area_sqm
		m2, err := strconv.ParseFloat(r[5], 64)
		if err != nil {
			t.Fatal(err)
		}
		if out[r[0]] == nil {
			out[r[0]] = map[string]map[string]float64{}
		}
		if out[r[0]][r[4]] == nil {
			out[r[0]][r[4]] = map[string]float64{}
		}
		out[r[0]][r[4]][classes[r[2]]+">"+classes[r[3]]] += m2
	}
	if len(out) != 2 {
		t.Fatalf("edits in %d KGs", len(out))
	}
	return out
}
