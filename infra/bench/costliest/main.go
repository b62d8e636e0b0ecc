// Command costliest searches the parameters of all services for the requests that cost most: processor time, bytes of
// memory, reads of the store, bytes of the answer. It asks the handlers in this process, one request at a time, over a
// store that was built before. Each endpoint is asked with what its declaration names (examples, enumerated values, both
// bounds of numbers, left out), in random combinations; then the costliest are varied further.
//
//	go run ./localdev demo --out build/raw && go run ./localdev build --source build/raw --data build/data
//	go run ./infra/bench/costliest -store build/data -rounds 40
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"mappe/artefacts/library"
	"mappe/functions/families"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/storetest"
)

func main() {
	folder := flag.String("store", "", "folder of the store")
	rounds := flag.Int("rounds", 30, "random requests to each endpoint, and as many variations of the costliest")
	seed := flag.Uint64("seed", 1, "of the random choices")
	only := flag.String("only", "", "ask only the endpoints whose service and name hold this text")
	shown := flag.Int("shown", 20, "requests that are listed for each measure")
	flag.Parse()
	if err := run(context.Background(), *folder, search{rounds: *rounds, seed: *seed, only: *only}, *shown); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, folder string, s search, shown int) error {
	st, err := dir.Open(folder)
	if err != nil {
		return err
	}
	s.reads = &storetest.Counting{Store: st}
	lib, err := library.Open(ctx, s.reads, library.Options{})
	if err != nil {
		return err
	}
	for _, service := range families.All(families.Deps{Library: lib}) {
		for _, m := range service.Members {
			h, err := m.Service.Handler()
			if err != nil {
				return err
			}
			for _, e := range m.Service.Endpoints {
				t, err := targetOf(service.Members[0].Service.System, h, e)
				if err != nil {
					return err
				}
				if strings.Contains(t.name, s.only) {
					s.endpoint(t)
				}
			}
		}
	}
	s.vary()
	return s.list(shown)
}

// list prints the costliest by each measure.
func (s *search) list(shown int) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, by := range measures {
		fmt.Fprintf(w, "\n%s\tstatus\tCPU ms\tMB\treads\tKB out\trequest\n", by.name)
		slices.SortStableFunc(s.found, func(a, b *request) int { return cmp.Compare(by.of(b.cost), by.of(a.cost)) })
		seen := map[string]int{}
		n := 0
		for _, r := range s.found {
			// Three of an endpoint are enough to see which of its parameters costs.
			if seen[r.target.name]++; seen[r.target.name] > 3 {
				continue
			}
			if n++; n > shown {
				break
			}
			c := r.cost
			fmt.Fprintf(w, "%s\t%d\t%.0f\t%.0f\t%d\t%.0f\t%.160s\n", r.target.name, c.status, c.cpu.Seconds()*1000, float64(c.memory)/1e6,
				c.reads, float64(c.out)/1e3, r)
		}
	}
	return w.Flush()
}

// taken counts the bytes of an answer.
type taken struct {
	header http.Header
	status int
	n      int64
}

// Header are the headers.
func (w *taken) Header() http.Header { return w.header }

// WriteHeader takes the status.
func (w *taken) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write counts.
func (w *taken) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.n += int64(len(b))
	return len(b), nil
}
