package query

import (
	"fmt"
	"testing"

	"mappe/functions/worldtest"
)

// BenchmarkQuery asks a country of 300 small KGs; the figures of a country of a million parcels are those of
// infra/bench/query.
func BenchmarkQuery(b *testing.B) {
	h := serve(b, published(b, worldtest.Many(300)))
	for _, q := range []string{"kg=81001", "state=3", "q=3", "min_area=8002&with_stats=1", "landuse=52&sort=gnr"} {
		for _, fresh := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/fresh=%v", q, fresh), func(b *testing.B) {
				target := "/api/v1/query?" + q
				if fresh {
					target += "&nocache=1"
				}
				b.ReportAllocs()
				for b.Loop() {
					if w := worldtest.Ask(h, "GET", target, ""); w.Code != 200 {
						b.Fatal(w.Body)
					}
				}
			})
		}
	}
}
