package context

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	artefact "mappe/artefacts/headcache"
	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/builders/headcache"
	"mappe/builders/stage"
	"mappe/functions/context/place"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// part makes the country of the benchmarks thinner: go test ./infra/bench/context -bench . -part 20
var part = flag.Int("part", 1, "benchmarks take one of so many of the features of a country of Austria's size")

func benched() Country { return Make(1, National.Part(*part)) }

// published is the country in a store, made once.
var published = sync.OnceValues(func() (store.Store, error) {
	s := mem.New()
	return s, publish(s, benched())
})

// publish gives a store a generation with the country.
func publish(s store.Store, c Country) error {
	if err := fixture.Publish(s, fixture.Snapshots()); err != nil {
		return err
	}
	return further(s, c)
}

// further gives the published generation what lies around places.
func further(s store.Store, c Country) error {
	return errors.Join(fixture.AddOver(s, c.Over), fixture.AddPrices(s, fixture.Snapshots(), fixture.PriceRows()),
		fixture.AddMap(s, c.World), fixture.AddNames(s, c.Names),
		fixture.AddCells(s, fixture.Snapshots(), fixture.CellsOf{Changes: changes()}), addFronts(s))
}

// changes are one in each KG of the made-up world, so that what changed is read too.
func changes() map[austria.KGCode][]ne.Change {
	of := map[austria.KGCode][]ne.Change{}
	for _, snap := range fixture.Snapshots() {
		row := ne.ParseLU(fixture.CellRows(snap)[0].Chunks[0].Rows)
		before := row
		before.Use = [9]uint8{4: 255}
		of[snap.KG.Code] = []ne.Change{{Cell: row.Cell, Status: ne.Confirmed, Since: fixture.Stichtag, LastChange: fixture.Stichtag,
			Before: ne.StatOf(&before), After: ne.StatOf(&row)}}
	}
	return of
}

// addFronts makes the fronts of what is published, as a publication does.
func addFronts(s store.Store) error {
	raw, _, err := store.ReadAll(context.Background(), s, keys.Current{}.String(), 1<<20, store.GetOptions{})
	if err != nil {
		return err
	}
	p, err := manifest.ParsePointer(raw)
	if err != nil {
		return err
	}
	o, err := headcache.Stage().Make(context.Background(), &stage.Country{Store: s, Made: p.Artefacts})
	if err != nil {
		return err
	}
	return fixture.Name(s, artefact.Artefact, o)
}

// counting is a store that counts what is read from it, by kind of object.
type counting struct {
	store.Store
	mu    sync.Mutex
	reads map[string]int
}

// digests are the parts of keys that differ between two objects of a kind.
var digests = regexp.MustCompile(`[-./][0-9a-f]{16,64}|[0-9]{4}-[0-9]{2}-[0-9]{2}`)

func (c *counting) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	c.mu.Lock()
	c.reads[digests.ReplaceAllString(key, "")]++
	c.mu.Unlock()
	return c.Store.Get(ctx, key, o)
}

func serve(b *testing.B, s store.Store) http.Handler {
	b.Helper()
	lib, err := library.Open(b.Context(), s, library.Options{BudgetBytes: 512 << 20})
	if err != nil {
		b.Fatal(err)
	}
	h, err := place.New(place.Deps{Library: lib}).Handler()
	if err != nil {
		b.Fatal(err)
	}
	return h
}

func open(b *testing.B) store.Store {
	b.Helper()
	s, err := published()
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// target is a question with all blocks at a random place of the country, the same for the same number.
func target(n uint64) string {
	r := rand.New(rand.NewPCG(7, n))
	return fmt.Sprintf("/api/v1/context?lon=%.7f&lat=%.7f&area_sqm=800", West+0.01+r.Float64()*(East-West-0.02),
		South+0.01+r.Float64()*(North-South-0.02))
}

func ask(tb testing.TB, h http.Handler, target string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"osm":{`) || !strings.Contains(w.Body.String(), `"gemeinde_code":"3`) {
		tb.Errorf("%s: %d %.600s", target, w.Code, w.Body)
	}
}

// warm asks for 20,000 places, after which most of the country is in memory.
func warm(b *testing.B, h http.Handler) {
	b.Helper()
	for n := range uint64(20_000) {
		ask(b, h, target(1<<40+n))
	}
}

// timed keeps how long the service takes for each request.
type timed struct {
	http.Handler
	mu    sync.Mutex
	times []time.Duration
}

func (t *timed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	t.Handler.ServeHTTP(w, r)
	took := time.Since(began)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.times = append(t.times, took)
}

// BenchmarkContext is /context with all blocks at random places, asked through sockets by 16 clients without a pause: the
// time of a request in the service, as p50-ms and p99-ms.
func BenchmarkContext(b *testing.B) {
	const clients = 16
	h := serve(b, open(b))
	warm(b, h)
	service := &timed{Handler: h}
	b.ResetTimer()
	askAll(b, service, clients, func(n uint64) bool { return n <= uint64(b.N) })
	b.StopTimer()
	report(b, service.times)
}

// askAll has clients ask for random places through sockets, without a pause, as long as the number of the next request
// is one to ask.
func askAll(b *testing.B, h http.Handler, clients int, more func(n uint64) bool) {
	b.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	var next atomic.Uint64
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			client := &http.Client{Transport: transport}
			for n := next.Add(1); more(n); n = next.Add(1) {
				res, err := client.Get(server.URL + target(n))
				if err != nil {
					b.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, res.Body)
				res.Body.Close()
				if err != nil || res.StatusCode != 200 {
					b.Error(res.Status, err)
				}
			}
		})
	}
	wg.Wait()
}

// report gives the middle and the slow end of times, and what they were measured on.
func report(b *testing.B, times []time.Duration) {
	b.Helper()
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(runtime.NumCPU()), "cores")
}

// BenchmarkOneClient is the same by one client: the work of a request without waiting for a core.
func BenchmarkOneClient(b *testing.B) {
	h := serve(b, open(b))
	warm(b, h)
	times := make([]time.Duration, 0, b.N)
	b.ReportAllocs()
	b.ResetTimer()
	for n := range b.N {
		began := time.Now()
		ask(b, h, target(uint64(n)))
		times = append(times, time.Since(began))
	}
	report(b, times)
}

// BenchmarkThousandPoints is POST /context with 1,000 places and all blocks, as a table in and out.
func BenchmarkThousandPoints(b *testing.B) {
	h := serve(b, open(b))
	warm(b, h)
	for n := 0; b.Loop(); n++ {
		r := rand.New(rand.NewPCG(9, uint64(n)))
		var body strings.Builder
		body.WriteString("id,lon,lat,area_sqm\n")
		for i := range 1000 {
			fmt.Fprintf(&body, "%d,%.7f,%.7f,800\n", i, West+0.01+r.Float64()*(East-West-0.02), South+0.01+r.Float64()*(North-South-0.02))
		}
		q := httptest.NewRequest("POST", "/api/v1/context", strings.NewReader(body.String()))
		q.Header.Set("Content-Type", "text/csv")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		if w.Code != 200 || strings.Count(w.Body.String(), "\r\n") != 1001 || !strings.Contains(w.Body.String(), "osm.dist_road_m") {
			b.Fatalf("%d %.600s", w.Code, w.Body)
		}
	}
}

// BenchmarkFirstAnswer is the first /context of a function that has just started, without the network: reads of the store
// in the mean and of the hundredth with the most, and time.
func BenchmarkFirstAnswer(b *testing.B) {
	firstAnswers(b, open(b), func(n int) string { return target(uint64(n)) })
}

// BenchmarkFirstAnswerWithCells is the same at places that have cells of the land statistics too: in the few KGs of the
// made-up world, which lie in the country.
func BenchmarkFirstAnswerWithCells(b *testing.B) {
	firstAnswers(b, open(b), func(n int) string {
		r := rand.New(rand.NewPCG(11, uint64(n)))
		p := fixture.At(0.2+7.6*r.Float64(), 0.2+3.6*r.Float64())
		return fmt.Sprintf("/api/v1/context?lon=%.7f&lat=%.7f&area_sqm=800", p.Lon(), p.Lat())
	})
}

func firstAnswers(b *testing.B, s store.Store, target func(n int) string) {
	b.Helper()
	var each []int
	kinds := map[string]int{}
	for n := 0; b.Loop(); n++ {
		c := &counting{Store: s, reads: map[string]int{}}
		ask(b, serve(b, c), target(n))
		sum := 0
		for kind, reads := range c.reads {
			sum += reads
			kinds[kind] += reads
		}
		each = append(each, sum)
	}
	sum := 0
	for _, n := range each {
		sum += n
	}
	slices.Sort(each)
	b.ReportMetric(float64(sum)/float64(len(each)), "reads")
	b.ReportMetric(float64(each[len(each)*99/100]), "p99-reads")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		b.Logf("%-40s %.2f", kind, float64(kinds[kind])/float64(len(each)))
	}
}
