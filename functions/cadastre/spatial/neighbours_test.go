package spatial

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
)

type neighbourList struct {
	Data []struct {
		ID     string  `json:"parcel_id"`
		Shared float64 `json:"shared_border_m"`
	}
	Meta struct {
		Total  int     `json:"total"`
		Border float64 `json:"border_m"`
	}
}

func neighboursOf(t *testing.T, target string) (l neighbourList) {
	t.Helper()
	w := call(world(t), "GET", "/api/v1/parcels/"+target, "")
	if w.Code != 200 {
		t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// The parcels of a square grid have up to four neighbours, those at corners do not count; what lies in a hole is one, and what
// lies beyond the border of the KG.
func TestNeighbours(t *testing.T) {
	for id, want := range map[string]string{
		"88801-1":      "88801-2 88801-5",                               // a corner of the country
		"88801-6":      "88801-.6%2F1 88801-2 88801-5 88801-7 88801-10", // with a hole that another fills
		"88801-.6%2F1": "88801-6",
		"88801-8":      "88801-4 88801-7 88801-12 88802-5", // at the border of the KG
	} {
		got := neighboursOf(t, id+"/neighbours")
		ids := map[string]float64{}
		sum := 0.0
		for i, n := range got.Data {
			ids[n.ID] = n.Shared
			sum += n.Shared
			if i > 0 && n.Shared > got.Data[i-1].Shared {
				t.Errorf("%s: %v is not by the length of the border", id, got.Data)
			}
		}
		for _, n := range strings.Fields(want) {
			n = strings.ReplaceAll(n, "%2F", "/")
			if ids[n] < 1 {
				t.Errorf("%s: %s is missing in %v", id, n, ids)
			}
			delete(ids, n)
		}
		if len(ids) > 0 {
			t.Errorf("%s: %v are no neighbours", id, ids)
		}
		if inland := id == "88801-6"; inland && math.Abs(sum-got.Meta.Border) > 0.6 {
			t.Errorf("%s shares %.1f m of %.1f m", id, sum, got.Meta.Border)
		}
	}
	page := neighboursOf(t, "88801-6/neighbours?limit=2&offset=1")
	if all := neighboursOf(t, "88801-6/neighbours"); len(page.Data) != 2 || page.Data[0] != all.Data[1] ||
		page.Meta.Total != len(all.Data) {
		t.Errorf("a page: %+v", page)
	}
	h := world(t)
	for target, status := range map[string]int{"88801-999/neighbours": 404, "99999-1/neighbours": 404, "88801/neighbours": 400,
		"88801-1/neighbours?format=csv": 200} {
		if w := call(h, "GET", "/api/v1/parcels/"+target, ""); w.Code != status {
			t.Errorf("%s: %d %.200s, expected %d", target, w.Code, w.Body, status)
		}
	}
	if w := call(h, "GET", "/api/v1/parcels/88803-1/neighbours", ""); !strings.Contains(w.Body.String(), `"kgs_unavailable":["88803"]`) {
		t.Errorf("a KG without a snapshot: %d %.200s", w.Code, w.Body)
	}
}

// A KG that only its box brings near is not missed, one whose ground meets the parcel is.
func TestNeighboursOfKGsThatAreNotThere(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots(), "88801", "88803"); err != nil {
		t.Fatal(err)
	}
	h := serve(t, s, library.Options{})
	for id, ready := range map[string]string{"88802-6": `"ready":true`, "88802-5": `"ready":false`} {
		if w := call(h, "GET", "/api/v1/parcels/"+id+"/neighbours", ""); w.Code != 200 || !strings.Contains(w.Body.String(), ready) {
			t.Errorf("%s: %d %.300s, expected %s", id, w.Code, w.Body, ready)
		}
	}
}
