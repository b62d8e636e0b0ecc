// Command process measures the analysis of KGs (builders/landscape/process): each is analysed anew in several rounds, from a folder of
// published artefacts that is left as it is. It tells the processor time of the process by KG, of the fastest round, the most memory that
// the process had (GOGC=20 leaves little garbage in it), and the digest of the files that were made: the same before and after a change
// that is to change nothing.
//
//	go run ./localdev demo --out source && go run ./localdev build --source source --data data
//	go run ./infra/bench/process -data data -rounds 5 09901
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime/pprof"
	"time"

	"mappe/artefacts/library"
	"mappe/builders/landscape/process"
	"mappe/infra/bench/cputime"
	"mappe/infra/bench/peak"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/mem"
)

func main() {
	data := flag.String("data", ".localdev/data", "folder of published artefacts")
	rounds := flag.Int("rounds", 3, "rounds of each KG")
	profile := flag.String("cpuprofile", "", "write a profile of the processor into this file")
	flag.Parse()
	if err := run(context.Background(), *data, *profile, *rounds, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, data, profile string, rounds int, kgs []string) error {
	published, err := dir.Open(data)
	if err != nil {
		return err
	}
	lib, err := library.Open(ctx, published, library.Options{})
	if err != nil {
		return err
	}
	v, err := lib.View(ctx)
	if err != nil {
		return err
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	for _, text := range kgs {
		code, err := austria.ParseKGCode(text)
		if err != nil {
			return err
		}
		if err := measure(ctx, v, code, rounds); err != nil {
			return fmt.Errorf("KG %s: %w", code, err)
		}
	}
	return nil
}

// measure analyses a KG in several rounds, each into a store of its own.
func measure(ctx context.Context, v *library.View, code austria.KGCode, rounds int) error {
	quiet := func(context.Context, string, int, int) error { return nil }
	var best time.Duration
	var first *process.Outcome
	for i := range rounds {
		var st store.Store = mem.New()
		before := cputime.Used()
		out, err := process.Analyse(ctx, v, st, process.Order{KG: code}, quiet)
		if err != nil {
			return err
		}
		if used := cputime.Used() - before; i == 0 || used < best {
			best = used
		}
		if first == nil {
			first = out
		} else if first.File.SHA256 != out.File.SHA256 {
			return errors.New("two rounds differ")
		}
	}
	fmt.Printf("%s  %.2f km² in %d squares  %.3f s  %v  missing %v  %d bytes  %s  the process held at most %.0f MB\n",
		code, first.Km2, first.Squares, best.Seconds(), first.Counts,
		first.Missing, first.File.Bytes, first.File.SHA256[:16], peak.MB())
	return nil
}
