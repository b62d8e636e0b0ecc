package ogc

import (
	"fmt"
	"net/http"
	"testing"

	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
)

// partlyBuilt are pages whose features are the same however many KGs are not built.
var partlyBuilt = []string{
	"/ogc/collections/parcels/items?limit=5", "/ogc/collections/parcels/items?limit=5&kg_code=88801",
	"/ogc/collections/parcels/items?limit=5&bbox=15.0001,48.0001,15.0059,48.0039", "/ogc/collections/footprints/items?limit=5",
}

// partly is a country of four KGs beside others that are not built.
func partly(t testing.TB, unbuilt int) http.Handler {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishWith(s, fixture.Snapshots(), fixture.AddUnbuilt(unbuilt)); err != nil {
		t.Fatal(err)
	}
	return fixture.Handler(t, New(Deps{Library: fixture.Library(t, s), Now: fixture.Now}))
}

func ask(t testing.TB, h http.Handler, target string) {
	if w := fixture.Ask(h, "GET", target, ""); w.Code != http.StatusOK {
		t.Fatal(target, w.Body)
	}
}

func TestUnbuiltKGsCostNothingPerPage(t *testing.T) {
	few, many := partly(t, 100), partly(t, 4000)
	for _, target := range partlyBuilt {
		a := testing.AllocsPerRun(20, func() { ask(t, few, target) })
		if b := testing.AllocsPerRun(20, func() { ask(t, many, target) }); b > a+10 {
			t.Errorf("%s: %.0f allocations with 100 KGs that are not built, %.0f with 4,000", target, a, b)
		}
	}
}

func BenchmarkPartlyBuilt(b *testing.B) {
	for _, unbuilt := range []int{0, 7845} {
		h := partly(b, unbuilt)
		for _, target := range partlyBuilt {
			b.Run(fmt.Sprintf("%s/unbuilt=%d", target, unbuilt), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					ask(b, h, target)
				}
			})
		}
	}
}
