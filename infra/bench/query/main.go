// Command query measures /query over a made-up country beside PostgreSQL with the same parcels, in one run: 30
// questions, each asked several times one after the other, medians. Mappe answers in this process, PostgreSQL over
// its own protocol to psql, which times each statement. The page, the count and the sums are asked of both. Box
// questions are about centroids, for which PostgreSQL's own point type has an index: PostGIS is not needed.
//
//	go run ./infra/bench/query -kgs 785 -dir country
//
// With -partly it measures a register of 7,850 KGs of which five are built, beside PostGIS.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/cadastre/query"
	"mappe/shared/cloud/store/dir"
)

func main() {
	kgs := flag.Int("kgs", 785, "KGs of the country")
	folder := flag.String("dir", "", "where the country is kept between runs; default: a temporary folder")
	rounds := flag.Int("rounds", 7, "times each question is asked")
	pg := flag.Bool("postgres", true, "ask PostgreSQL too")
	only := flag.String("only", "", "ask only the questions whose group and name hold this text")
	unbuilt := flag.Bool("partly", false,
		"ask about a register of 7,850 KGs of which five are built, over HTTP beside PostGIS, with wrk and pgbench")
	seconds := flag.Int("seconds", 2, "with -partly: how long each load takes")
	data := flag.String("serve", "", "serve the country in this folder: what -partly does in a process of its own")
	flag.Parse()
	if *unbuilt || *data != "" {
		ask := func() error { return partly(context.Background(), *seconds) }
		if *data != "" {
			ask = func() error { return serve(context.Background(), *data) }
		}
		if err := ask(); err != nil {
			log.Fatal(err)
		}
		return
	}
	questions = slices.DeleteFunc(questions, func(q question) bool { return !strings.Contains(q.group+", "+q.name, *only) })
	if err := run(context.Background(), *folder, *kgs, *rounds, *pg); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, folder string, kgs, rounds int, pg bool) error {
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
	if _, err := os.Stat(filepath.Join(folder, "parcels.tsv")); err != nil {
		if err := generate(ctx, st, folder, kgs); err != nil {
			return err
		}
	}
	lib, err := library.Open(ctx, st, library.Options{})
	if err != nil {
		return err
	}
	h, err := query.New(query.Deps{Library: lib}).Handler()
	if err != nil {
		return err
	}
	peer := map[string]times{}
	if pg {
		if peer, err = askPostgres(ctx, folder, rounds); err != nil {
			return err
		}
	}
	return report(h, peer, rounds)
}

// generate writes the country, and its parcels for PostgreSQL.
func generate(ctx context.Context, st *dir.Store, folder string, kgs int) error {
	c := &country{store: st, scale: 1}
	if err := c.fill(ctx, folder, kgs); err != nil {
		return err
	}
	_, err := c.publish(ctx)
	return err
}

// fill makes the KGs, and their tables for PostgreSQL.
func (c *country) fill(ctx context.Context, folder string, kgs int) error {
	files := []**bufio.Writer{&c.rows, &c.uses, &c.shapes}
	names := []string{"parcels.tsv", "uses.tsv", "shapes.tsv"}
	if c.scale == 1 { // of a million parcels PostgreSQL is asked for no geometry
		names = names[:2]
	}
	for i, name := range names {
		f, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		defer f.Close()
		*files[i] = bufio.NewWriter(f)
	}
	for i := range kgs {
		if err := c.add(ctx, i); err != nil {
			return err
		}
	}
	for i := range names {
		if err := (*files[i]).Flush(); err != nil {
			return err
		}
	}
	return nil
}

// report asks Mappe and prints the medians, and behind them the fastest of each.
func report(h http.Handler, peer map[string]times, rounds int) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "group\tquestion\tfirst ms\tmedian ms\tPostgreSQL ms\tratio\tmatches\tfastest ms\tPostgreSQL ms\tratio")
	var ratios []float64
	for _, q := range questions {
		var all []time.Duration
		first, total := time.Duration(0), ""
		for i := range rounds + 1 {
			again := ""
			if q.group != "snapshot" {
				again = "&nocache=1" // what an instance remembers of the request is passed over
			}
			start := time.Now()
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, httptest.NewRequest("GET", "/api/v1/query?"+q.query+again, nil))
			took := time.Since(start)
			if rec.Code != 200 {
				return fmt.Errorf("%s: %d %s", q.query, rec.Code, rec.Body)
			}
			if i == 0 {
				first, total = took, matches(rec.Body.String())
				continue
			}
			all = append(all, took)
		}
		mine, theirs := timesOf(all), peer[q.group+q.name]
		if theirs.median > 0 {
			ratios = append(ratios, theirs.median.Seconds()/mine.median.Seconds())
		}
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.2f\t%.2f\t%.1f\t%s\t%.2f\t%.2f\t%.1f\n", q.group, q.name, ms(first), ms(mine.median),
			ms(theirs.median), theirs.median.Seconds()/mine.median.Seconds(), total,
			ms(mine.fastest), ms(theirs.fastest), theirs.fastest.Seconds()/mine.fastest.Seconds())
	}
	if len(ratios) > 0 {
		slices.Sort(ratios)
		fmt.Fprintf(w, "median ratio %.1f, least %.2f\n", ratios[len(ratios)/2], ratios[0])
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Fprintf(w, "memory of the process from the system: %d MB\n", m.Sys>>20)
	return w.Flush()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
