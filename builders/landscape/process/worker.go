package process

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/builders/archive"
	"mappe/builders/landscape/index"
	"mappe/shared/austria"
	"mappe/shared/cloud/gauge"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
)

// Worker analyses the KGs whose turn it is. Any number of processes may have one: one of them works at a time.
type Worker struct {
	Library *library.Library
	Store   store.Store
	Runs    store.Store // what runs of the state machine note about themselves; nil: nothing is noted
	Records landprocess.Records
	Log     *slog.Logger
	Now     func() time.Time
	// Slice is how long a KG is worked on before it is let go for the next call, for functions that end after some minutes; 0: as
	// long as it takes. What is not done then is begun anew.
	Slice time.Duration
	// Products says that the files are made, too, that a KG is handed out as (builders/landscape/products).
	Products bool
	// Archive is the research repository that they are uploaded into; nil: none.
	Archive *archive.Archive
	// Gauges tells figures to whoever watches the stack; nil: nobody does.
	Gauges func(map[string]gauge.Figure) error
	// Analysis is what makes the file of a KG; nil: Analyse. Tests of what happens around it give another one.
	Analysis func(ctx context.Context, v *library.View, st store.Store, o Order, tell Progress) (*Outcome, error)
}

func (w *Worker) now() time.Time {
	if w.Now != nil {
		return w.Now()
	}
	return time.Now()
}

// One takes a KG and does it. landprocess.ErrIdle: no KG waits; landprocess.ErrBusy: another worker works. What became of
// the KG the records say.
func (w *Worker) One(ctx context.Context) (*Outcome, error) {
	owner := newOwner()
	v, err := w.Library.View(ctx)
	if err != nil {
		return nil, err
	}
	upToDate, err := w.upToDate(ctx, v)
	if err != nil {
		return nil, err
	}
	var taken landprocess.Current
	_, err = w.Records.Change(ctx, func(s *landprocess.State) error {
		c, err := s.Take(owner, w.now(), nearestOf(v, upToDate))
		if err == nil {
			taken = *c
		}
		return err
	}, landprocess.ErrIdle)
	if err != nil {
		return nil, err
	}
	w.line(ctx, taken.KG, fmt.Sprintf("begun (%s, attempt %d)", taken.From, taken.Attempt))
	_, out, err := w.do(ctx, v, landprocess.Assignment{Records: w.Records, Owner: owner}, &taken)
	return out, err
}

func newOwner() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// line adds to the log; that it cannot is not worth a KG.
func (w *Worker) line(ctx context.Context, code austria.KGCode, text string) {
	if err := w.Records.Log(ctx, landprocess.Line{At: w.now().UTC(), KG: code, Text: text}); err != nil && w.Log != nil {
		w.Log.WarnContext(ctx, "log of the processor", "error", err)
	}
}

// upToDate says which KGs were analysed in the state that the data has, and have their files.
func (w *Worker) upToDate(ctx context.Context, v *library.View) (func(austria.KGCode) bool, error) {
	if err := w.look(ctx, v); err != nil {
		return nil, err
	}
	list, err := w.Records.Entries(ctx)
	if err != nil {
		return nil, err
	}
	entries := make(map[austria.KGCode]*landprocess.Entry, len(list))
	for i := range list {
		entries[list[i].KG] = &list[i]
	}
	return func(code austria.KGCode) bool {
		was := entries[code]
		return was != nil && was.Inputs == Inputs(v, code) && (!w.Products || was.Products != nil && (w.Archive == nil ||
			was.Products.Published()))
	}, nil
}

// nearestOf finds the KG nearest to the last one by their centroids, of those with a snapshot that are not up to date; without a last
// one the first by code. Of two that are equally near it is the one with the lesser code.
func nearestOf(v *library.View, upToDate func(austria.KGCode) bool) landprocess.Nearest {
	kgs := v.Register().KGs()
	at := make([]raster.XY, len(kgs)) // on the plane: a pass of a run asks hundreds of times
	places := make(map[austria.KGCode]int, len(kgs))
	for i := range kgs {
		at[i], places[kgs[i].Code] = onplane.XY(kgs[i].Centroid), i
	}
	return func(last austria.KGCode, region austria.StateCode, skip func(austria.KGCode) bool) (best austria.KGCode, found bool) {
		from, near := places[last]
		least := math.Inf(1)
		for i := range kgs {
			k := &kgs[i]
			if k.Snapshot.Key == "" || region != "" && k.State() != region {
				continue
			}
			d := float64(i)
			if near {
				d = math.Hypot(at[from].X-at[i].X, at[from].Y-at[i].Y)
			}
			if d < least && !skip(k.Code) && !upToDate(k.Code) {
				best, least, found = k.Code, d, true
			}
		}
		return best, found
	}
}

// do analyses a KG that was taken and notes what became of it.
func (w *Worker) do(ctx context.Context, v *library.View, assigned landprocess.Assignment, c *landprocess.Current) (Verdict,
	*Outcome, error) {
	limit := landprocess.KGTime - c.Spent
	inner, cancel := context.WithTimeoutCause(ctx, limit, errLong)
	defer cancel()
	stop := w.renewing(inner, assigned)
	out, text, err := w.make(inner, v, assigned, c)
	stop()
	if errors.Is(context.Cause(inner), errLong) {
		err = errLong
	}
	// What follows has to be written although the process ends.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	became, err := w.end(after, ctx, assigned, c, produced{out, text, err})
	return became, out, err
}

// grace is how long a record is written although the process ends.
const grace = 10 * time.Second

// make analyses a KG, keeps what came of it, and makes its files. What is kept is not done again when its files fail.
func (w *Worker) make(ctx context.Context, v *library.View, assigned landprocess.Assignment, c *landprocess.Current) (*Outcome,
	string, error) {
	out, err := w.analyse(ctx, v, assigned, c)
	if err != nil {
		return nil, "", err
	}
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	text, err := w.keep(after, v, c, out)
	cancel()
	if err != nil || !w.Products {
		return out, text, err
	}
	made, err := w.products(ctx, v, assigned, c)
	return out, text + made, err
}

// errLong is the error of a KG that took too long.
var errLong = errors.New("the KG took more than 90 minutes")

// guarded says of a panic that it is an error of the KG.
func (w *Worker) guarded(ctx context.Context, code austria.KGCode, err *error) {
	if p := recover(); p != nil {
		if w.Log != nil {
			w.Log.ErrorContext(ctx, "analysis of a KG", "kg", code, "panic", p, "stack", string(debug.Stack()))
		}
		*err = fmt.Errorf("%w: the program failed", ErrNever)
	}
}

// analyse is Analyse; a panic is an error of the KG.
func (w *Worker) analyse(ctx context.Context, v *library.View, assigned landprocess.Assignment, c *landprocess.Current) (out *Outcome,
	err error) {
	defer w.guarded(ctx, c.KG, &err)
	before, _, err := w.Records.Entry(ctx, c.KG)
	if err != nil {
		return nil, err
	}
	had := Made{before.Fingerprint, before.Key, before.Bytes}
	analysis := w.Analysis
	if analysis == nil {
		analysis = Analyse
	}
	return analysis(ctx, v, w.Store, Order{c.KG, had}, w.telling(assigned, c))
}

// telling notes how far a KG is, and lets it go when the slice is over.
func (w *Worker) telling(assigned landprocess.Assignment, c *landprocess.Current) Progress {
	return func(ctx context.Context, step string, done, of int) error {
		if w.Slice > 0 && w.now().Sub(c.Since) > w.Slice {
			return landprocess.ErrHeld
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		return assigned.Tell(ctx, step, done, of, w.now())
	}
}

// renewing keeps the lease while a square takes its time.
func (w *Worker) renewing(ctx context.Context, assigned landprocess.Assignment) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(landprocess.Lease / 3)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				_ = assigned.Renew(ctx, w.now())
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// Verdict is what became of a KG when a worker has ended with it.
type Verdict string

// The verdicts. Those that come again are found by whoever looks next.
const (
	Done   Verdict = "done"
	LetGo  Verdict = "let_go" // before its end: the worker's time is over, or the processor is told to pause
	Waits  Verdict = "waits"  // for its data, or for the research repository
	Failed Verdict = "failed" // it comes again, or is listed
	Lost   Verdict = "lost"   // another worker has it
)

// produced is what the work on a KG came to.
type produced struct {
	out  *Outcome
	text string // for the log
	err  error
}

// end notes what became of a KG. Outer is the context of the worker, which is over when the worker's time is.
func (w *Worker) end(ctx, outer context.Context, assigned landprocess.Assignment, c *landprocess.Current, r produced) (Verdict, error) {
	became, text, err := Done, r.text, r.err
	noted := func(change func(s *landprocess.State) error) error { return assigned.End(ctx, w.now(), change) }
	switch {
	case err == nil:
		err = noted(func(s *landprocess.State) error { return s.Finish(assigned.Owner, r.out.Squares, w.now()) })
	case errors.Is(err, landprocess.ErrLost):
		return Lost, err
	case errors.Is(err, landprocess.ErrHeld), outer.Err() != nil:
		became, text = LetGo, "let go"
		err = assigned.LetGo(ctx, w.now())
	case errors.Is(err, library.ErrCold), errors.Is(err, repository.ErrUnavailable), errors.Is(err, repository.ErrUnknown):
		became, text = Waits, told(err)
		err = noted(func(s *landprocess.State) error { return s.Wait(assigned.Owner, text, w.now()) })
	default:
		if w.Log != nil {
			w.Log.ErrorContext(ctx, "analysis of a KG", "kg", c.KG, "error", err)
		}
		never, why := errors.Is(err, ErrNever) || errors.Is(err, library.ErrDamaged), told(err)
		became, text = Failed, "failed: "+why
		err = noted(func(s *landprocess.State) error { return s.Fail(assigned.Owner, why, never, w.now()) })
	}
	if err != nil {
		return "", err
	}
	w.line(ctx, c.KG, text)
	return became, nil
}

// told is what everybody may read of an error: keys, addresses and what other programs say stand in the worker's own log alone.
func told(err error) string {
	switch {
	case errors.Is(err, ErrNever), errors.Is(err, errLong), errors.Is(err, errSlow):
		return err.Error() // of this package
	case errors.Is(err, library.ErrCold):
		return "waits: its snapshot, or one beside it, is not in the store at present"
	case errors.Is(err, repository.ErrUnavailable), errors.Is(err, repository.ErrUnknown):
		return "waits: it is analysed, and the research repository gave no answer"
	case errors.Is(err, library.ErrDamaged):
		return "data that it needs is damaged"
	case errors.Is(err, library.ErrGone):
		return "data that it needs is no longer in the store"
	case errors.Is(err, library.ErrStore):
		return "the store gave no answer"
	}
	return "it could not be analysed: the log of the worker says why"
}

// keep writes the entry of a KG: before it leaves the records as the current one, so that a death in between does it again, which
// finds that nothing has changed.
func (w *Worker) keep(ctx context.Context, v *library.View, c *landprocess.Current, out *Outcome) (string, error) {
	e, _, err := w.Records.Entry(ctx, c.KG)
	if err != nil {
		return "", err
	}
	e.Inputs = Inputs(v, c.KG)
	text := "unchanged"
	if !out.Unchanged {
		e, text = w.entry(c, out, e.Inputs)
	}
	if err := w.Records.Put(ctx, e); err != nil {
		return "", err
	}
	if err := clearKept(ctx, w.Store, c.KG); err != nil && w.Log != nil {
		w.Log.WarnContext(ctx, "squares of a KG that is done", "kg", c.KG, "error", err)
	}
	return text, nil
}

// entry is that of a KG that was made, with the line of the log.
func (w *Worker) entry(c *landprocess.Current, out *Outcome, inputs string) (landprocess.Entry, string) {
	seconds := c.Time(w.now()).Seconds()
	e := landprocess.Entry{KG: c.KG, Fingerprint: out.Fingerprint, Inputs: inputs, Key: out.File.Key, Bytes: out.File.Bytes,
		SHA256: out.File.SHA256, Tiles: out.Squares,
		Km2: math.Round(out.Km2*1000) / 1000, Seconds: math.Round(seconds*10) / 10, Missing: out.Missing, Counts: out.Counts,
		At: w.now().UTC()}
	return e, fmt.Sprintf("done: %d squares in %.1f s, %d segments, %d trees", out.Squares, seconds, out.Counts["segments"],
		out.Counts["trees"])
}

const (
	// indexEvery is how long new results wait for the index at least while the processor works; and ten times what the last index took.
	indexEvery = 15 * time.Minute
	// readAll is after how long an index is made of the files of all KGs again, and not of those that have changed: one that was damaged
	// is noticed then, as when an operator asks for an index.
	readAll = 7 * 24 * time.Hour
)

// IndexInTime is Index where new results have waited long enough.
func (w *Worker) IndexInTime(ctx context.Context) error {
	had, err := w.Records.Indexed(ctx)
	if err != nil || !had.Due() && w.now().Sub(had.At) < max(indexEvery, 10*had.Took) {
		return err
	}
	return w.Index(ctx)
}

// Index makes the search index of all results and publishes it, where they, or the register, are others than those that it was
// made of.
func (w *Worker) Index(ctx context.Context) error {
	v, err := w.Library.View(ctx)
	if err != nil {
		return err
	}
	list, err := w.Records.Entries(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	files := index.Files{}
	for _, e := range list {
		if e.Fingerprint != "" && v.Register().KG(e.KG) != nil {
			p := e.Products
			files[e.KG] = index.File{Key: e.Key, JSONURL: p.URL("summary.json"), LightURL: p.URL("light.gpkg"), FullURL: p.URL("full.gpkg")}
		}
	}
	had, err := w.Records.Indexed(ctx)
	if err != nil || !had.Due() && had.Name == nameOf(v.Pointer().Register, files) {
		return err
	}
	begun := w.now()
	// A build that dies is not tried at each look: it is taken for one that took as long as a function may.
	if err := w.Records.SetIndexed(ctx, landprocess.Indexed{Name: had.Name, At: begun, Took: indexEvery, Whole: had.Whole}); err != nil {
		return err
	}
	how := index.Changed
	if had.Due() || begun.Sub(had.Whole) > readAll {
		how = index.Whole
	}
	_, made, err := index.Publish(ctx, w.Store, files, how, w.Now)
	if err != nil {
		return err
	}
	for _, u := range made.Unread {
		if err := w.lost(ctx, u, files[u.KG].Key); err != nil {
			return err
		}
		delete(files, u.KG)
	}
	w.line(ctx, "", fmt.Sprintf("search index of %d KGs published; files of %d read", len(files), made.Read))
	now := landprocess.Indexed{Name: nameOf(v.Pointer().Register, files), At: begun, Took: w.now().Sub(begun), Whole: had.Whole}
	if how == index.Whole {
		now.Whole = begun
	}
	return w.Records.SetIndexed(ctx, now)
}

// nameOf names what an index is made of.
func nameOf(register string, files index.Files) string {
	var names []string
	for _, f := range files {
		names = append(names, f.Key+f.JSONURL+f.LightURL+f.FullURL)
	}
	slices.Sort(names)
	return keys.Sum([]byte(register + " " + strings.Join(names, " ")))
}

// lost notes that the file of a KG cannot be read: it is analysed anew.
func (w *Worker) lost(ctx context.Context, u index.Unread, key string) error {
	if w.Log != nil {
		w.Log.ErrorContext(ctx, "file of a KG", "kg", u.KG, "error", u.Err)
	}
	e, ok, err := w.Records.Entry(ctx, u.KG)
	if err != nil || !ok || e.Key != key {
		return err // another worker has made it anew
	}
	e.Fingerprint, e.Inputs = "", ""
	if err := w.Records.Put(ctx, e); err != nil {
		return err
	}
	w.line(ctx, u.KG, "its file cannot be read: it is left out of the index and analysed anew")
	return nil
}

// Run works until the context ends: when there is nothing to do it publishes the index and looks again after a pause.
func (w *Worker) Run(ctx context.Context, pause time.Duration) {
	for ctx.Err() == nil {
		_, err := w.One(ctx)
		switch {
		case err == nil:
			err = w.IndexInTime(ctx)
		case errors.Is(err, landprocess.ErrIdle):
			err = cmp.Or(w.Index(ctx), err)
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, landprocess.ErrIdle) && !errors.Is(err, landprocess.ErrBusy) && ctx.Err() == nil && w.Log != nil {
			w.Log.WarnContext(ctx, "processor of KGs", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}
