package query

import (
	"fmt"
	"testing"

	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
)

// BenchmarkQuery asks a country of 300 small KGs; the figures of a country of a million parcels are those of
// infra/bench/query.
func BenchmarkQuery(b *testing.B) {
	h := serve(b, published(b, fixture.Many(300)))
	for _, q := range []string{"kg=81001", "state=3", "q=3", "min_area=8002&with_stats=1", "landuse=52&sort=gnr"} {
		for _, fresh := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/fresh=%v", q, fresh), func(b *testing.B) {
				target := "/api/v1/query?" + q
				if fresh {
					target += "&nocache=1"
				}
				b.ReportAllocs()
				for b.Loop() {
					if w := fixture.Ask(h, "GET", target, ""); w.Code != 200 {
						b.Fatal(w.Body)
					}
				}
			})
		}
	}
}

// BenchmarkPartlyBuilt asks a country of three KGs beside others that are not built: what those cost.
func BenchmarkPartlyBuilt(b *testing.B) {
	for _, unbuilt := range []int{0, 7845} {
		s := mem.New()
		if err := fixture.PublishOver(s, fixture.AddUnbuilt(unbuilt)); err != nil {
			b.Fatal(err)
		}
		h := serve(b, s)
		for _, q := range partlyBuilt {
			b.Run(fmt.Sprintf("%s/unbuilt=%d", q, unbuilt), func(b *testing.B) {
				b.ReportAllocs()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if w := fixture.Ask(h, "GET", "/api/v1/query?nocache=1&"+q, ""); w.Code != 200 {
							b.Fatal(w.Body)
						}
					}
				})
			})
		}
	}
}
