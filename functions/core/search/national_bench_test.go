package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// nationalKGs is the size of the country of the benchmarks; MAPPE_BENCH_KGS changes it. A KG has 1,274 parcels
// and 318 addresses, as in all of Austria in the mean.
func nationalKGs(b *testing.B) int {
	if s := os.Getenv("MAPPE_BENCH_KGS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			b.Fatalf("MAPPE_BENCH_KGS %q: want a number of KGs", s)
		}
		return n
	}
	return 785
}

const (
	benchParcels   = 1274
	benchAddresses = 318
)

// countryOf makes n KGs: parcel numbers and streets of their own on one KG's parcels. One street in 15 has a name
// that most places have.
func countryOf(n int) []*kgfile.Snapshot {
	base := kgtest.Snapshot(kgtest.Options{Code: "10000", Parcels: benchParcels, Segments: 3, AreaKm2: 10.7, Seed: 1})
	rng := rand.New(rand.NewPCG(11, 11))
	heads := []string{"Haupt", "Kirchen", "Bahnhof", "Schul", "Dorf", "Linden", "Garten", "Mühl", "Berg", "Wald", "Feld", "Bach", "Sonnen",
		"Wiesen", "Ring"}
	syllables := []string{"Mar", "lin", "Ober", "unter", "eichen", "Sankt ", "franz", "josef", "weiß", "rohr", "Gras", "müh", "stein",
		"kar", "perl", "gunt", "hof", "au", "leiten", "Alt", "Neu", "brunn"}
	tails := []string{"straße", "gasse", "weg", "platz", "allee", "siedlung", "zeile", "steig"}
	pick := func(s []string) string { return s[rng.IntN(len(s))] }
	out := make([]*kgfile.Snapshot, n)
	for i := range out {
		s := *base
		s.KG.Code = austria.KGCode(fmt.Sprintf("%05d", 10_000+i))
		s.KG.GemeindeCode = austria.GemeindeCode(fmt.Sprintf("%05d", 10_101+i/4))
		s.KG.Name, s.KG.GemeindeName = pick(syllables)+pick(syllables)+pick(syllables)+"dorf",
			fmt.Sprintf("Gemeinde %s%d", pick(syllables), i/4)
		s.KG.DistrictName = "Bezirk " + string(s.KG.GemeindeCode.District())
		s.Parcels = slices.Clone(base.Parcels)
		main, sub := 1, 0
		for k := range s.Parcels {
			s.Parcels[k].GNR = austria.GNR(strconv.Itoa(main))
			if sub > 0 {
				s.Parcels[k].GNR += austria.GNR("/" + strconv.Itoa(sub))
			}
			if sub++; rng.IntN(3) > 0 {
				main, sub = main+1, 0
			}
		}
		s.Buildings, s.Footprints, s.Labels, s.Symbols, s.LandUse = nil, nil, nil, nil, nil
		for len(s.Buildings) < benchAddresses {
			street := pick(syllables) + pick(syllables) + pick(syllables) + pick(tails)
			if rng.IntN(15) == 0 {
				street = pick(heads) + tails[rng.IntN(2)]
			}
			for h := range min(6+rng.IntN(20), benchAddresses-len(s.Buildings)) {
				at := rng.IntN(len(s.Parcels))
				s.Buildings = append(s.Buildings,
					kgfile.Building{ID: austria.BuildingID{ADRCD: uint64(5_000_000 + i*1000 + len(s.Buildings)), SUBCD: 1},
						Parcel: int32(at), Street: street,
						HouseNumber: strconv.Itoa(h + 1), PLZ: austria.PLZ(strconv.Itoa(1010 + i*2)), Ort: s.KG.Name,
						ObjectType: "Wohngebäude",
						At:         s.Parcels[at].Inside})
			}
		}
		s.KG.BuildingCount, s.KG.FootprintCount, s.KG.LandUseCount = len(s.Buildings), 0, 0
		out[i] = &s
	}
	return out
}

// built is the country of the benchmarks, made once.
type builtCountry struct {
	store     *storetest.Counting
	snapshots []*kgfile.Snapshot
	took      time.Duration // to make the directory
	bytes     int64
}

var builtOnce = sync.OnceValues(func() (*builtCountry, error) {
	n := 785
	if v, err := strconv.Atoi(os.Getenv("MAPPE_BENCH_KGS")); err == nil {
		n = v
	}
	c := &builtCountry{snapshots: countryOf(n)}
	s := mem.New()
	if err := fixture.PublishWith(s, c.snapshots, func(r *register.Contents) {
		for i := range r.KGs {
			r.KGs[i].Outline = nil // one outline for all of them would be one place
		}
	}); err != nil {
		return nil, err
	}
	start := time.Now()
	if err := fixture.AddDirectory(s, c.snapshots); err != nil {
		return nil, err
	}
	c.took = time.Since(start)
	for info, err := range s.List(context.Background(), "national/") {
		if err != nil {
			return nil, err
		}
		c.bytes += info.Size
	}
	c.store = &storetest.Counting{Store: s}
	return c, nil
})

func builtNational(b *testing.B) *builtCountry {
	b.Helper()
	nationalKGs(b)
	c, err := builtOnce()
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// asked are random requests of the kinds that the figures are for.
func (c *builtCountry) asked(kind string, rng *rand.Rand) string {
	s := c.snapshots[rng.IntN(len(c.snapshots))]
	p, a := &s.Parcels[rng.IntN(len(s.Parcels))], &s.Buildings[rng.IntN(len(s.Buildings))]
	q := url.QueryEscape
	switch kind {
	case "lookup":
		return "lookup?q=" + q(s.KG.Name)
	case "id":
		return "search/parcel?id=" + q(austria.ParcelID{KG: s.KG.Code, GNR: p.GNR}.String())
	case "feature_building":
		return "search/feature?id=" + a.ID.String()
	case "gnr":
		return "search/gnr?gnr=" + q(string(p.GNR))
	case "gnr_prefix":
		return "search/gnr?gnr=" + q(string(p.GNR)[:1]+"*") + "&limit=10"
	case "address":
		return "search/address?q=" + q(fmt.Sprintf("%s %s, %s %s", a.Street, a.HouseNumber, a.PLZ, a.Ort))
	case "address_street":
		return "search/address?q=" + q(a.Street+" "+a.HouseNumber)
	case "address_typo":
		return "search/address?q=" + q(string(slices.Delete([]rune(a.Street), 2, 3))+" "+a.HouseNumber)
	case "text":
		return "search/text?q=" + q(a.Street+" "+a.HouseNumber+" "+a.Ort)
	case "text_parcel":
		return "search/text?q=" + q(string(p.GNR)+" "+s.KG.Name)
	case "suggest":
		return "search/text?suggest=true&q=" + q(string([]rune(a.Street)[:1+rng.IntN(5)]))
	case "geocode":
		return "search/address_osm?q=" + q(fmt.Sprintf("%s %d, %s %s", a.Street, 1+rng.IntN(30), a.PLZ, a.Ort))
	}
	panic(kind)
}

var nationalKinds = []string{"lookup", "id", "feature_building", "gnr", "gnr_prefix", "address", "address_street", "address_typo", "text",
	"text_parcel", "suggest", "geocode"}

// BenchmarkNational asks a country of 785 KGs, 1,000,000 parcels and 250,000 addresses random questions, when a
// parcel of each KG has been asked for. p50 and p99 are of the second half.
func BenchmarkNational(b *testing.B) {
	c := builtNational(b)
	b.Logf("directory: %.1f MB made in %v", float64(c.bytes)/1e6, c.took)
	lib, err := library.Open(b.Context(), c.store, library.Options{BudgetBytes: 900 << 20}) // of the 1.5 GB that a process may take
	if err != nil {
		b.Fatal(err)
	}
	h := handler(b, Deps{Library: lib})
	for _, s := range c.snapshots {
		get(h, "search/gnr?gnr=1&kg="+string(s.KG.Code))
	}
	st := lib.Stats()
	b.Logf("in memory: %d objects of %.0f MB, %d evicted", st.Entries, float64(st.Bytes)/1e6, st.Evictions)
	for _, kind := range nationalKinds {
		b.Run(kind, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 3))
			var took []time.Duration
			for b.Loop() {
				path := c.asked(kind, rng)
				start := time.Now()
				if w := get(h, path); w.Code != 200 {
					b.Fatal(path, w.Body)
				}
				took = append(took, time.Since(start))
			}
			took = took[len(took)/2:]
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1e3, "p99-ms")
		})
	}
}

// BenchmarkFirstSearch is the first answer of a function that has just started, with the object reads it takes.
func BenchmarkFirstSearch(b *testing.B) {
	c := builtNational(b)
	for _, kind := range nationalKinds {
		b.Run(kind, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(5, 5))
			var reads, most int64
			n := int64(0)
			for b.Loop() {
				c.store.Reset()
				lib, err := library.Open(b.Context(), c.store, library.Options{})
				if err != nil {
					b.Fatal(err)
				}
				var h http.Handler = handler(b, Deps{Library: lib})
				if w := get(h, c.asked(kind, rng)); w.Code != 200 {
					b.Fatal(w.Body)
				}
				r := c.store.Reads()
				reads += r.Gets + r.Heads
				most = max(most, r.Gets+r.Heads)
				n++
			}
			b.ReportMetric(float64(reads)/float64(n), "reads/op")
			b.ReportMetric(float64(most), "most-reads")
		})
	}
}
