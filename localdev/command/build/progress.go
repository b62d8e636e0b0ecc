package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/national"
	"mappe/builders/source/tiles"
	"mappe/localdev/terminal"
)

// newObserver shows a build on a terminal as a bar with an estimate, elsewhere as one line per KG.
func newObserver(out *os.File) national.Observer {
	if terminal.Is(out) {
		return &barObserver{out: out}
	}
	return &lineObserver{out: out}
}

type lineObserver struct {
	out         io.Writer
	total, done int
	phase       string
}

func (o *lineObserver) Plan(total int) { o.total = total }

func (o *lineObserver) Phase(name string) {
	o.phase = name
	fmt.Fprintf(o.out, "national: %s\n", name)
}

// Step says each twentieth of what takes long.
func (o *lineObserver) Step(done, all int) {
	const least = 200
	if all >= least && done*20/all > (done-1)*20/all {
		fmt.Fprintf(o.out, "national: %s, %d of %d KGs\n", o.phase, done, all)
	}
}

func (o *lineObserver) Done(r kgbuild.Result) {
	if errors.Is(r.Err, context.Canceled) {
		return // it did not fail: the build was ended
	}
	o.done++
	fmt.Fprintf(o.out, "[%d/%d] %s %s: %s, %d parcels, %s\n", o.done, o.total, r.Code, r.Name, r.Outcome, r.Parcels,
		r.Took.Round(time.Millisecond))
	if r.Err != nil {
		fmt.Fprintf(o.out, "        %v\n", r.Err)
	}
}

func (o *lineObserver) Abolished(a national.Abolished) { fmt.Fprintln(o.out, a) }

// barObserver draws a bar of the KGs, and in a national phase that takes long another one; each is cleared at its end.
type barObserver struct {
	out   *os.File
	mu    sync.Mutex
	group *mpb.Progress
	bar   *mpb.Bar
	last  string
	phase string
}

func (o *barObserver) Plan(total int) {
	o.begin("KGs", total, decor.Any(func(decor.Statistics) string {
		o.mu.Lock()
		defer o.mu.Unlock()
		return " " + o.last
	}))
}

// begin draws a bar of so many KGs.
func (o *barObserver) begin(name string, total int, more ...decor.Decorator) {
	o.group = mpb.New(mpb.WithOutput(o.out), mpb.WithWidth(48))
	o.bar = o.group.AddBar(int64(total), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(name+" "), decor.CountersNoUnit("%d/%d")),
		mpb.AppendDecorators(append([]decor.Decorator{decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 7})}, more...)...))
}

// end clears the bar.
func (o *barObserver) end() {
	if o.group != nil {
		o.bar.Abort(true)
		o.group.Wait()
		o.group = nil
	}
}

func (o *barObserver) Done(r kgbuild.Result) {
	o.mu.Lock()
	o.last = fmt.Sprintf("%s %s", r.Code, r.Name)
	o.mu.Unlock()
	if r.Err != nil && !errors.Is(r.Err, context.Canceled) {
		fmt.Fprintf(o.group, "%s %s: %s: %v\n", r.Code, r.Name, r.Outcome, r.Err)
	}
	o.bar.Increment()
}

func (o *barObserver) Phase(name string) {
	o.end()
	o.phase = name
	fmt.Fprintf(o.out, "national: %s\n", name)
}

func (o *barObserver) Step(done, all int) {
	if o.group == nil {
		o.begin("national: "+o.phase, all)
	}
	o.bar.SetCurrent(int64(done))
	if done == all {
		o.end()
	}
}

func (o *barObserver) Abolished(a national.Abolished) { fmt.Fprintln(o.out, a) }

// incomplete says whether a KG is held back for what its source lacks.
func incomplete(r kgbuild.Result) bool {
	return errors.Is(r.Err, tiles.ErrBroken) || slices.ContainsFunc(r.Quality.Reasons, func(q rowschema.Reason) bool {
		return q.Verdict == rowschema.Refuse && (q.Code == "missing_tile" || q.Code == "missing_landuse_tile" || q.Code == "outline_gap" &&
			r.Quality.Live == nil)
	})
}

// printSummary is the table at the end of a build: the KGs that need a look first, then the totals.
func printSummary(w io.Writer, s national.Summary) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "KG\tname\toutcome\tparcels\trepaired\tgaps m²\toverlaps m²\tMB\tseconds\t")
	parcels, bytes := 0, int64(0)
	for _, r := range s.Results {
		parcels += r.Parcels
		bytes += r.Bytes
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%.1f\t%.1f\t%.2f\t%.2f\t\n", r.Code, r.Name, r.Outcome, r.Parcels,
			r.Repaired, r.Gap, r.Overlap, float64(r.Bytes)/1e6, r.Took.Seconds())
	}
	t.Flush()
	for _, r := range s.Results {
		for _, why := range r.Quality.Reasons {
			if why.Verdict == rowschema.Warn && r.Err == nil { // what was refused is printed with its KG
				fmt.Fprintf(w, "warning: %s %s: %s\n", r.Code, r.Name, why.Message)
			}
		}
	}
	fmt.Fprintf(w, "%d KGs: %d built, %d reused, %d refused, %d failed, %d dropped; %d parcels, %.1f MB, %s\n", len(s.Results),
		s.Count(kgbuild.Built), s.Count(kgbuild.Reused), s.Count(kgbuild.Refused), s.Count(kgbuild.Failed), s.Count(kgbuild.Dropped),
		parcels, float64(bytes)/1e6, s.Took.Round(time.Millisecond))
	if slices.ContainsFunc(s.Results, incomplete) {
		fmt.Fprintln(w, "KGs are held back because the source is incomplete: fetch the tiles that are missing, or, if there are none, look at the reports and pass --accept-gaps")
	}
	switch {
	case s.Published:
		fmt.Fprintf(w, "generation %s is served\n", s.Generation)
	case s.Generation != "":
		fmt.Fprintf(w, "nothing new: generation %s stays served\n", s.Generation)
	default:
		fmt.Fprintln(w, "nothing was published")
	}
}
