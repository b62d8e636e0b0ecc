package landprices

import (
	"math"
	"testing"

	"mappe/artefacts/prices"
	"mappe/functions/fixture"
)

// FuzzBatch reads bodies of any bytes: an item has a problem, or an estimate of numbers that can be written.
func FuzzBatch(f *testing.F) {
	f.Add([]byte(`{"year":2024,"inputs":[{"gemeinde_code":"38801","area_sqm":600,"building_count":1,"compactness":0.5,"landuse_codes":"50,W","typology":"urban","footprint_area_sqm":90,"building_period":"post1991"}]}`))
	f.Add([]byte(`{"inputs":[{"bezirk_code":"388","landuse_areas":"48:1,56:2","area_sqm":1e9},{"state_code":"Wien","area_sqm":0.01},{"area_sqm":null}]}`))
	f.Add([]byte(`{"parcel_ids":["88801-1","88801-.6/1"],"year":1990}`))
	book, err := prices.Book(fixture.PriceRows())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		b, err := readBatch(in)
		if err != nil {
			return
		}
		if n := len(b.ids) + len(b.items); n == 0 || n > maxItems {
			t.Fatalf("%d items", n)
		}
		for i := range b.items {
			it := &b.items[i]
			if it.problem != "" {
				continue
			}
			it.in.Year, it.reasons = firstYear+len(in)%(lastYear-firstYear+1), true
			it.e = book.Estimate(&it.in)
			if math.IsInf(it.e.BuyTotal, 0) || it.e.BuyTotal < 0 || it.e.Combined < 0 {
				t.Fatalf("%+v gives %+v", it.in, it.e)
			}
			if r := appendReasons(nil, it); string(r) == "null" {
				t.Fatalf("the explanation of %+v cannot be written", it.in)
			}
		}
	})
}
