package search

import (
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/austria"
)

// The number of parcels and folios of a KG is known while its file is not in the store: totals are kept.
func TestTotalsOfAnEvictedKG(t *testing.T) {
	s := fixture.Store(t)
	key := fixture.View(t, s).Register().KG("88801").Snapshot.Key
	for _, gone := range []bool{false, true} {
		if gone {
			if err := s.Delete(t.Context(), key); err != nil {
				t.Fatal(err)
			}
		}
		h := serve(t, s, library.Options{Warmup: func(austria.KGCode) {}})
		for target, total := range map[string]int{"parcel?kg=88801": 17, "ez?kg=88801": 1} {
			a := fixture.Decode[struct {
				Meta struct {
					Total   int
					Ready   bool
					Warming []string `json:"kgs_warming"`
				}
			}](t, fixture.Ask(h, "GET", "/api/v1/search/"+target, ""), 200)
			if a.Meta.Total != total || a.Meta.Ready == gone || gone != (strings.Join(a.Meta.Warming, " ") == "88801") {
				t.Errorf("%s, gone %v: want %d, got %+v", target, gone, total, a.Meta)
			}
		}
	}
}
