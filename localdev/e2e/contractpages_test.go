package e2e

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/infra/oracles"
)

// TestContractPages asks every list for pages at random, past its end too: no page is a failure of the service, and a
// page past the end is an empty one, never a state of the data.
func TestContractPages(t *testing.T) {
	var lists []described
	for _, d := range contract(t) {
		named := func(name string) bool {
			return slices.ContainsFunc(d.op.Parameters, func(p parameter) bool { return p.Name == name && p.In == "query" })
		}
		if named("offset") && named("limit") && d.endpoint.Method == "GET" {
			lists = append(lists, d)
		}
	}
	if len(lists) < 20 {
		t.Fatalf("%d lists have pages, want at least 20: the descriptions lost their parameters", len(lists))
	}
	offsets := []int{0, 1, 2, 7, 49, 50, 99, 100, 101, 499, 500, 1_000, 9_999, 100_000}
	for i := range oracles.Rounds(t, 15*len(lists)) {
		d, rng := lists[i%uint64(len(lists))], rand.New(rand.NewPCG(17, i))
		page := map[string]string{"offset": plain(float64(offsets[rng.IntN(len(offsets))])), "limit": plain(float64(1 + rng.IntN(50)))}
		if w := d.ask(t, page); w.Code >= 500 {
			t.Errorf("%s %v: status %d, want a page: %.300s", d.name(), page, w.Code, w.Body)
		}
	}
}
