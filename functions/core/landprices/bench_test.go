package landprices

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/prices"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/landprice"
)

// BenchmarkBatchOf1000 asks for 1,000 described parcels in one POST; the bound is 5 ms.
func BenchmarkBatchOf1000(b *testing.B) {
	h := serve(b)
	var in strings.Builder
	in.WriteString(`{"year":2024,"inputs":[`)
	for i := range 1000 {
		if i > 0 {
			in.WriteByte(',')
		}
		fmt.Fprintf(&in, `{"gemeinde_code":"38801","area_sqm":%d,"building_count":%d,"compactness":0.7,"landuse_codes":"50,57","typology":"suburban"}`, 300+i, i%2)
	}
	in.WriteString(`]}`)
	b.ReportAllocs()
	for b.Loop() {
		w := &counting{header: http.Header{}}
		h.ServeHTTP(w, httptest.NewRequest("POST", "/api/v1/land_prices/batch", strings.NewReader(in.String())))
		if w.status != 200 || w.bytes < 100_000 {
			b.Fatal(w.status, w.bytes)
		}
	}
}

// counting counts an answer: a recorder that keeps it takes as long as making it.
type counting struct {
	header        http.Header
	status, bytes int
}

func (c *counting) Header() http.Header    { return c.header }
func (c *counting) WriteHeader(status int) { c.status = status }

func (c *counting) Write(b []byte) (int, error) {
	if c.status == 0 {
		c.status = 200
	}
	c.bytes += len(b)
	return len(b), nil
}

// wholeCountry is a service over as many municipalities as Austria has, each of four KGs with a tally.
func wholeCountry(b *testing.B) http.Handler {
	b.Helper()
	s := mem.New()
	list := fixture.Snapshots()
	if err := fixture.Publish(s, list); err != nil {
		b.Fatal(err)
	}
	var rows []prices.Row
	var kgs []*kgfile.Snapshot
	for i := range 2100 {
		g := fmt.Sprintf("%05d", 10101+i*38)
		for y := 2015; y <= 2024; y++ {
			rows = append(rows, prices.Row{Level: landprice.Gemeinde, Code: g, Kind: landprice.BuildingLand, Year: y,
				EUR: 80 + math.Round(float64(i%400)) + float64(y-2015)})
		}
		k := *list[1]
		k.KG.Code, k.KG.GemeindeCode = austria.KGCode(fmt.Sprintf("%05d", 1001+i)), austria.GemeindeCode(g)
		kgs = append(kgs, &k)
	}
	prices.Sort(rows)
	if err := fixture.AddPrices(s, kgs, rows); err != nil {
		b.Fatal(err)
	}
	return serveStore(b, s)
}

func benchmark(b *testing.B, h http.Handler, target string) {
	b.ReportAllocs()
	for b.Loop() {
		if w := get(h, target); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
}

// The bounds are 20 ms for a municipality and 1 s for the country.
func BenchmarkGemeinde(b *testing.B) { benchmark(b, wholeCountry(b), "/gemeinde/10101") }

func BenchmarkBezirk(b *testing.B) { benchmark(b, wholeCountry(b), "/bezirk/388") }

func BenchmarkCountry(b *testing.B) { benchmark(b, wholeCountry(b), "/bundesland/AT?aggregate=true") }

func BenchmarkValidate(b *testing.B) {
	benchmark(b, wholeCountry(b), "/validate?min_parcels_per_gemeinde=1&limit=5000")
}
