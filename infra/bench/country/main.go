// Command country builds a made-up country of any size from raw sources, as `localdev build` does, and says what a
// parcel takes beside a build of eight KGs, what the artefacts of the country take, and how much memory.
//
//	go run ./infra/bench/country -kgs 785 [-dir DIR] [-jobs 2] [-register FILE]
//
// 785 KGs have 1,000,000 parcels. The sources stay in DIR for another run. Each build is a process of its own. With -change
// the sources become those of a later date; -build N builds them then over what DIR/data-N serves.
//
// With -proof DIR the whole country goes from its raw sources to its answers as an operator has it: build, first answers,
// PostGIS beside it with the parcels of one state, 64 clients, a later date at which one KG in a hundred changed, built and
// published while clients ask, some snapshots taken away and put back, the mirror of the cells, verify, sizes. What was done
// is not done again. With -answers too, a comma list of programs that were built of ./localdev, it says instead what an
// answer of each costs in processor time, beside that of a server which does nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"mappe/builders/kgbuild"
	"mappe/builders/national"
	"mappe/infra/bench/cputime"
	"mappe/infra/bench/postgres"
	"mappe/shared/austria"
	"mappe/shared/cloud/memlimit"
	"mappe/shared/cloud/store/dir"
)

func main() {
	log.SetFlags(0)
	var (
		kgs   = flag.Int("kgs", 785, "KGs of the country")
		where = flag.String("dir", "", "folder of the sources; a temporary one where none is given")
		whole = flag.String("proof", "", "folder in which the whole country is proven")
		peer  = flag.String("peer", "3", "with -proof: code of the state whose parcels PostGIS gets; none for no PostGIS")
		load  = flag.Duration("load", 10*time.Minute, "with -proof: how long 64 clients ask")
		list  = flag.String("register", "", "file of the statistics office with the KGs' codes and names; made-up ones where none is given")
		jobs  = flag.Int("jobs", 2, "KGs that are built at once")
		costs = flag.String("answers", "", "with -proof: programs whose answers are compared")
		again = flag.Bool("change", false, "give one KG in a hundred other ground in the sources of DIR, and do nothing else")
		addr  = flag.String("bare", "", "serve at this address and do nothing else; what the command starts itself with")
		child = flag.String("build", "", "build so many KGs of the sources and print what it took; what the command starts itself with")
	)
	flag.Parse()
	ctx := context.Background()
	if *addr != "" {
		log.Fatal(bare(*addr))
	}
	if *child != "" {
		n, err := strconv.Atoi(*child)
		if err != nil {
			log.Fatal(err)
		}
		if err := build(ctx, *where, n, *jobs); err != nil {
			log.Fatal(err)
		}
		return
	}
	c := &country{kgs: made(*kgs)}
	if *list != "" {
		var err error
		if c.kgs, err = registered(*list, *kgs); err != nil {
			log.Fatal(err)
		}
	}
	if *again {
		if _, err := c.changeSources(*where); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *whole != "" {
		if err := (&proof{c: c, where: *whole, jobs: *jobs, peer: *peer, load: *load}).prove(ctx, *costs); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := run(ctx, c, *where, *jobs); err != nil {
		log.Fatal(err)
	}
}

// prove has all steps done that are not, or the answers of programs compared. Peer may be none.
func (p *proof) prove(ctx context.Context, programs string) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if p.self, err = os.Executable(); err != nil {
		return err
	}
	if _, _, err := postgres.Find(); err != nil || p.peer == "none" {
		p.peer = ""
	}
	if programs != "" {
		p.truth, p.data = map[string][]spot{}, dataOf(p.where, len(p.c.kgs))
		return p.answers(ctx, strings.Split(programs, ","))
	}
	p.truth, p.data, p.program = map[string][]spot{}, dataOf(p.where, len(p.c.kgs)), filepath.Join(p.where, "localdev")
	if _, _, err := command(ctx, "go", "build", "-o", p.program, "./localdev"); err != nil {
		return err
	}
	return p.run(ctx)
}

// dataOf is the store that so many KGs are built into.
func dataOf(where string, kgs int) string { return filepath.Join(where, fmt.Sprintf("data-%d", kgs)) }

// run makes the sources and builds eight KGs of them, then all.
func run(ctx context.Context, c *country, where string, jobs int) error {
	if where == "" {
		tmp, err := os.MkdirTemp("", "mappe-country-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		where = tmp
	}
	began := time.Now()
	if err := c.writeSources(where); err != nil {
		return err
	}
	fmt.Printf("sources of %d KGs written in %.0f s\n", len(c.kgs), time.Since(began).Seconds())
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, n := range []int{sizes, len(c.kgs)} {
		if err := os.RemoveAll(dataOf(where, n)); err != nil { // what an earlier run has built would not be built again
			return err
		}
		out, cost, err := command(ctx, self, "-dir", where, "-jobs", strconv.Itoa(jobs), "-build", strconv.Itoa(n))
		if err != nil {
			return err
		}
		fmt.Printf("%s\n  %s\n", out, cost)
	}
	return nil
}

// build builds the first n KGs of the sources into the store data-n, or what is missing there.
func build(ctx context.Context, where string, n, jobs int) error {
	defer memlimit.Machine(1536 << 20)() // as localdev build
	source, err := national.OpenSource(ctx, national.SourceOptions{Dir: where})
	if err != nil {
		return err
	}
	defer source.Close() // read only
	st, err := dir.Open(dataOf(where, n))
	if err != nil {
		return err
	}
	codes := make([]austria.KGCode, 0, n)
	for _, k := range source.KGs[:min(n, len(source.KGs))] {
		codes = append(codes, k.Code)
	}
	t := &timed{all: len(codes), used: cputime.Used()}
	began := time.Now()
	s, err := national.Run(ctx, national.Options{Store: st, Source: source, KGs: codes, Jobs: jobs, AcceptGaps: true, Observer: t,
		Now: time.Now})
	if err != nil {
		return err
	}
	end := time.Now()
	if bad := s.Count(kgbuild.Failed) + s.Count(kgbuild.Refused); bad > 0 {
		for _, r := range s.Results {
			if r.Err != nil {
				return fmt.Errorf("%d KGs were not built, the first: KG %s: %w", bad, r.Code, r.Err)
			}
		}
		return errors.New("KGs were not built")
	}
	fmt.Printf("%d KGs, %d parcels: %.1f s; KGs %.1f s (processor %.1f), %.3f ms a parcel and worker; the country %.1f s", len(codes),
		t.parcels, end.Sub(began).Seconds(),
		t.national.Sub(began).Seconds(), t.kgs.Seconds(), t.took.Seconds()*1000/float64(t.parcels), end.Sub(t.national).Seconds())
	t.Phase("")
	var all []string
	for _, p := range t.phases {
		if p.took > 100*time.Millisecond || p.used > 100*time.Millisecond {
			all = append(all, fmt.Sprintf("%s %.1f (processor %.1f)", p.name, p.took.Seconds(), p.used.Seconds()))
		}
	}
	fmt.Printf(" (%s)\n", strings.Join(all, ", "))
	return nil
}

// timed is told how far a build is and notes the time.
type timed struct {
	all, done int
	parcels   int
	took      time.Duration // of the KGs, summed over workers
	national  time.Time     // when the first step of the country began
	kgs       time.Duration // processor time until then
	phases    []phase
	begun     time.Time
	used      time.Duration // processor time when the step began
}

// phase is a step of the country; the tiles are joined beside the steps, and their processor time counts to those.
type phase struct {
	name       string
	took, used time.Duration
}

// Plan does nothing.
func (t *timed) Plan(int) {}

// Done counts a KG.
func (t *timed) Done(r kgbuild.Result) {
	t.parcels, t.took, t.done = t.parcels+r.Parcels, t.took+r.Took, t.done+1
	progress("KGs", t.done, t.all)
}

// Phase ends the step before it.
func (t *timed) Phase(name string) {
	now, used := time.Now(), cputime.Used()
	if t.national.IsZero() {
		t.national, t.kgs = now, used-t.used
	}
	if n := len(t.phases); n > 0 {
		t.phases[n-1].took, t.phases[n-1].used = now.Sub(t.begun), used-t.used
	}
	t.phases, t.begun, t.used = append(t.phases, phase{name: name}), now, used
}

// Step shows how far a step of the country is.
func (t *timed) Step(done, all int) { progress(t.phases[len(t.phases)-1].name, done, all) }

// Abolished does nothing.
func (t *timed) Abolished(national.Abolished) {}

// exists says whether a file is there.
func exists(parts ...string) bool {
	_, err := os.Stat(filepath.Join(parts...))
	return err == nil
}
