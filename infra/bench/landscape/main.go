// Command landscape measures the search over all KGs over HTTP: a made-up country of 7,850 processed KGs with small files, and a
// Natura 2000 site over one in fifty of them, asked by one client and by 16, one after the other. Times are those of whole requests
// over 127.0.0.1 in one process, clients with it; "CPU" is the processor time of the process by the request.
//
//	go run ./infra/bench/landscape -kgs 7850 -seconds 3
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/landscape/index"
	"mappe/infra/bench/cputime"
	"mappe/shared/cloud/store/dir"
)

func main() {
	kgs := flag.Int("kgs", 7850, "KGs of the country")
	folder := flag.String("dir", "", "where the country is kept between runs; default: a temporary folder")
	seconds := flag.Float64("seconds", 3, "how long each load takes")
	only := flag.String("only", "", "ask only the questions whose name holds this text")
	profile := flag.String("profile", "", "write a profile of the processor time of all questions here")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	if err := run(context.Background(), *folder, *kgs, *only, time.Duration(*seconds*float64(time.Second))); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, folder string, kgs int, only string, long time.Duration) error {
	if folder == "" {
		tmp, err := os.MkdirTemp("", "mappe-bench-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		folder = tmp
	}
	st, err := dir.Open(filepath.Join(folder, "store"))
	if err != nil {
		return err
	}
	if _, err := st.Head(ctx, "current.json"); err != nil {
		if err := generate(ctx, st, kgs); err != nil {
			return err
		}
	}
	lib, err := library.Open(ctx, st, library.Options{})
	if err != nil {
		return err
	}
	h, err := index.New(index.Deps{Library: lib}).Handler()
	if err != nil {
		return err
	}
	server := httptest.NewServer(h)
	defer server.Close()
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "question\tfirst\tp50, 1 client\tp99, 1\tp50, 16 clients\tp99, 16\tp99 16 / p99 1\ta second, 16\tCPU, 1\t")
	for _, q := range questions(kgs) {
		if !strings.Contains(q.name, only) {
			continue
		}
		first, err := load(server.URL, q, 1, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		one, err := load(server.URL, q, 1, long)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		many, err := load(server.URL, q, 16, long)
		if err != nil {
			return fmt.Errorf("%s, 16 clients: %w", q.name, err)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%.1f\t%.0f\t%s\t\n", q.name, short(first.p50), short(one.p50), short(one.p99),
			short(many.p50), short(many.p99), float64(many.p99)/float64(one.p99), many.perSecond, short(one.cpu))
	}
	return t.Flush()
}

func short(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000) }

// question is a request that differs with its number.
type question struct {
	name string
	path func(n int) string
}

func questions(kgs int) []question {
	code := func(n int) string { return string(codeOf(n * 7919 % kgs)) }
	return []question{
		{"index look-up", func(n int) string { return "/api/v1/kg/" + code(n) + "?index_only=true" }},
		{"compound, all, sorted", func(n int) string { return "/api/v1/query/compound?sort=quality_score&limit=20" }},
		{"compound, four filters", func(n int) string {
			return fmt.Sprintf("/api/v1/query/compound?min_slope_mean_deg=%d&max_ndvi_mean=0.9&min_tree_count=1&"+
				"landcover_filters=tree:1:0.01&sort=tree_count&limit=20", n%5)
		}},
		{"crop areas", func(n int) string { return "/api/v1/query?type=crop&metric=area&limit=20" }},
		{"heightfield", func(n int) string { return "/api/v1/kg/" + code(n) + "/heightfield?cell=100" }},
		{"buildings/search of a KG", func(n int) string { return "/api/v1/buildings/search?min_height=5&kg=" + code(n) }},
		{"buildings/search, high ones", func(n int) string { return fmt.Sprintf("/api/v1/buildings/search?min_height=%d", 40+n%5) }},
		{"buildings/search, many", func(n int) string { return "/api/v1/buildings/search?min_height=5&limit=50" }},
		{"nature, a page", func(n int) string {
			return fmt.Sprintf("/api/v1/query/nature?min_vegetated_fraction=0.%d&limit=5", 3+n%5)
		}},
		{"habitat_count", func(n int) string { return "/api/v1/query/habitat_count?sitetype=C&breakdown=true" }},
	}
}

// result is how a load went.
type result struct {
	p50, p99, cpu time.Duration
	perSecond     float64
}

// load asks for so long, of 0 once.
func load(base string, q question, clients int, long time.Duration) (result, error) {
	var mu sync.Mutex
	var all []time.Duration
	var failed error
	var group sync.WaitGroup
	before, start := cputime.Used(), time.Now()
	for i := range clients {
		group.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			var took []time.Duration
			for n := i; n == i || time.Since(start) < long; n += clients {
				d, err := ask(client, base+q.path(n))
				if err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
					return
				}
				if took = append(took, d); long == 0 {
					break
				}
			}
			mu.Lock()
			all = append(all, took...)
			mu.Unlock()
		})
	}
	group.Wait()
	elapsed := time.Since(start)
	if failed != nil {
		return result{}, failed
	}
	slices.Sort(all)
	return result{p50: all[len(all)/2], p99: all[len(all)*99/100], perSecond: float64(len(all)) / elapsed.Seconds(),
		cpu: (cputime.Used() - before) / time.Duration(len(all))}, nil
}

func ask(client *http.Client, address string) (time.Duration, error) {
	start := time.Now()
	a, err := client.Get(address)
	if err != nil {
		return 0, err
	}
	body, err := io.ReadAll(a.Body)
	a.Body.Close()
	took := time.Since(start)
	if err == nil && a.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %.300s", address, a.Status, body)
	}
	return took, err
}
