// Command mutate asks whether the tests notice: it changes one operator of a package, runs the quick tests of
// the package and of the packages that import it, and notes whether any of them fails. It draws the changes
// at random, writes a table of them and fails when too few are noticed.
//
//	go run ./infra/mutate -n 200 -seed 7 -out build/mutants.tsv
//
// A change that makes no difference (an equivalent mutant) is listed in equivalent.tsv with the reason and
// is not run. The sources are never written: go test sees the change through -overlay.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"mappe/infra/golist"
)

// packages are those whose faults cost most: what is read, written, sold and computed.
const packages = "shared/geo/region,artefacts/kgfile,builders/kg,shared/cloud/pay,shared/recurrence,functions/core/view," +
	"functions/core/rows,functions/cadastre/spatial,shared/cloud/jobs,shared/web/endpoint,artefacts/columns,artefacts/kgdiff," +
	"artefacts/ne,builders/ne,functions/cadastre/query,functions/context/place,functions/core/area,functions/core/drawn," +
	"functions/landscape/analysis"

type options struct {
	n, workers                int
	seed                      uint64
	packages, out, equivalent string
	only                      string
	alone                     bool
	least                     float64
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 200, "mutants to run")
	flag.IntVar(&o.workers, "parallel", 2, "mutants at a time")
	flag.Uint64Var(&o.seed, "seed", 1, "which mutants are drawn")
	flag.StringVar(&o.packages, "packages", packages, "folders of the packages, with commas between them")
	flag.StringVar(&o.only, "only", "", "only mutants whose key contains this text")
	flag.BoolVar(&o.alone, "alone", false, "run the tests of the package itself only")
	flag.StringVar(&o.out, "out", "build/mutants.tsv", "the table")
	flag.StringVar(&o.equivalent, "equivalent", "infra/mutate/equivalent.tsv", "the mutants that make no difference, with the reason")
	flag.Float64Var(&o.least, "least", 0.85, "share of the mutants that has to be noticed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func (o options) run(ctx context.Context) error {
	known, err := readEquivalent(o.equivalent)
	if err != nil {
		return err
	}
	m, err := loadModule()
	if err != nil {
		return err
	}
	var all []mutant
	for _, folder := range strings.Split(o.packages, ",") {
		found, err := m.mutants(golist.Module + folder)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	if unused := known.unused(all); len(unused) > 0 {
		return fmt.Errorf("%s lists what is no mutant of these packages any more:\n%s", o.equivalent, strings.Join(unused, "\n"))
	}
	draw := make([]mutant, 0, len(all))
	for _, i := range rand.New(rand.NewPCG(o.seed, 0)).Perm(len(all)) {
		if strings.Contains(all[i].key(), o.only) {
			draw = append(draw, all[i])
		}
	}
	fmt.Printf("%d mutants, %d are run, seed %d\n", len(all), min(o.n, len(draw)), o.seed)
	if err := os.MkdirAll(filepath.Dir(o.out), 0o755); err != nil {
		return err
	}
	table, err := os.Create(o.out)
	if err != nil {
		return err
	}
	defer table.Close()
	bench := &bench{module: m, known: known, want: o.n, table: table, alone: o.alone}
	if err := bench.run(ctx, draw, o.workers); err != nil {
		return err
	}
	return bench.verdict(o.least)
}
