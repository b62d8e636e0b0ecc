package process

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime/debug"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/builders/archive"
	"mappe/builders/landscape/index"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/onplane"
)

// Worker analyses the KGs whose turn it is. Any number of processes may have one: one of them works at a time.
type Worker struct {
	Library *library.Library
	Store   store.Store
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
}

func (w *Worker) now() time.Time {
	if w.Now != nil {
		return w.Now()
	}
	return time.Now()
}

// One takes a KG and does it. landprocess.ErrIdle: there is none; landprocess.ErrBusy: another worker works. What became of
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
	return w.do(ctx, v, owner, &taken)
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

// upToDate says which KGs were analysed in the state that the data has.
func (w *Worker) upToDate(ctx context.Context, v *library.View) (func(austria.KGCode) bool, error) {
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
	return func(last austria.KGCode, region austria.StateCode, skip func(austria.KGCode) bool) (best austria.KGCode, found bool) {
		kgs := v.Register().KGs()
		from := v.Register().KG(last)
		least := math.Inf(1)
		for i := range kgs {
			k := &kgs[i]
			if k.Snapshot.Key == "" || region != "" && k.State() != region || skip(k.Code) {
				continue
			}
			d := float64(i)
			if from != nil {
				p, q := onplane.XY(from.Centroid), onplane.XY(k.Centroid)
				d = math.Hypot(p.X-q.X, p.Y-q.Y)
			}
			if d < least && !upToDate(k.Code) {
				best, least, found = k.Code, d, true
			}
		}
		return best, found
	}
}

// do analyses a KG that was taken and notes what became of it.
func (w *Worker) do(ctx context.Context, v *library.View, owner string, c *landprocess.Current) (*Outcome, error) {
	limit := landprocess.KGTime - c.Spent
	inner, cancel := context.WithTimeoutCause(ctx, limit, errLong)
	defer cancel()
	stop := w.renewing(inner, owner)
	out, text, err := w.make(inner, v, owner, c)
	stop()
	if errors.Is(context.Cause(inner), errLong) {
		err = errLong
	}
	// What follows has to be written although the process ends.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return out, w.end(after, ctx, owner, c, out, text, err)
}

// grace is how long a record is written although the process ends.
const grace = 10 * time.Second

// make analyses a KG, keeps what came of it, and makes its files. What is kept is not done again when its files fail.
func (w *Worker) make(ctx context.Context, v *library.View, owner string, c *landprocess.Current) (*Outcome, string, error) {
	out, err := w.analyse(ctx, v, owner, c)
	if err != nil {
		return nil, "", err
	}
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	text, err := w.keep(after, v, c, out)
	cancel()
	if err != nil || !w.Products {
		return out, text, err
	}
	made, err := w.products(ctx, v, owner, c)
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
func (w *Worker) analyse(ctx context.Context, v *library.View, owner string, c *landprocess.Current) (out *Outcome, err error) {
	defer w.guarded(ctx, c.KG, &err)
	before, _, err := w.Records.Entry(ctx, c.KG)
	if err != nil {
		return nil, err
	}
	if before.Key != "" {
		if _, err := w.Store.Head(ctx, before.Key); errors.Is(err, store.ErrNotFound) {
			before.Fingerprint = "" // somebody has deleted it: it is made again
		} else if err != nil {
			return nil, err
		}
	}
	return Analyse(ctx, v, w.Store, c.KG, before.Fingerprint, w.telling(owner, c))
}

// telling notes how far a KG is, and lets it go when the slice is over.
func (w *Worker) telling(owner string, c *landprocess.Current) Progress {
	return func(ctx context.Context, step string, done, of int) error {
		if w.Slice > 0 && w.now().Sub(c.Since) > w.Slice {
			return landprocess.ErrHeld
		}
		return w.tell(ctx, owner, step, done, of)
	}
}

func (w *Worker) tell(ctx context.Context, owner, step string, done, of int) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	_, err := w.Records.Change(ctx, func(s *landprocess.State) error { return s.Tell(owner, step, done, of, w.now()) }, landprocess.ErrHeld)
	return err
}

// renewing keeps the lease while a square takes its time.
func (w *Worker) renewing(ctx context.Context, owner string) (stop func()) {
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
				_, _ = w.Records.Change(ctx, func(s *landprocess.State) error { return s.Renew(owner, w.now()) })
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// end notes what became of a KG.
func (w *Worker) end(ctx, outer context.Context, owner string, c *landprocess.Current, out *Outcome, text string, err error) error {
	var change func(s *landprocess.State) error
	switch {
	case err == nil:
		tiles := out.Squares
		change = func(s *landprocess.State) error { return s.Finish(owner, tiles, w.now()) }
	case errors.Is(err, landprocess.ErrLost):
		return err
	case errors.Is(err, landprocess.ErrHeld), outer.Err() != nil:
		text = "let go"
		change = func(s *landprocess.State) error { return s.LetGo(owner, w.now()) }
	default:
		never := errors.Is(err, ErrNever) || errors.Is(err, library.ErrDamaged)
		text = "failed: " + err.Error()
		change = func(s *landprocess.State) error { return s.Fail(owner, err.Error(), never, w.now()) }
	}
	if _, err := w.Records.Change(ctx, change); err != nil {
		return err
	}
	w.line(ctx, c.KG, text)
	return nil
}

// keep writes the entry of a KG: before it leaves the records as the current one, so that a death in between does it again, which
// finds that nothing has changed.
func (w *Worker) keep(ctx context.Context, v *library.View, c *landprocess.Current, out *Outcome) (string, error) {
	e, _, err := w.Records.Entry(ctx, c.KG)
	if err != nil {
		return "", err
	}
	e.Inputs = Inputs(v, c.KG)
	if out.Unchanged {
		return "unchanged", w.Records.Put(ctx, e)
	}
	seconds := c.Time(w.now()).Seconds()
	e = landprocess.Entry{KG: c.KG, Fingerprint: out.Fingerprint, Inputs: e.Inputs, Key: out.File.Key, Bytes: out.File.Bytes,
		SHA256: out.File.SHA256, Tiles: out.Squares,
		Km2: math.Round(out.Km2*1000) / 1000, Seconds: math.Round(seconds*10) / 10, Missing: out.Missing, Counts: out.Counts, At: w.now().UTC()}
	return fmt.Sprintf("done: %d squares in %.1f s, %d segments, %d trees", out.Squares, seconds, out.Counts["segments"],
		out.Counts["trees"]), w.Records.Put(ctx, e)
}

// indexEvery is how long new results wait for the index at most while the processor works.
const indexEvery = 15 * time.Minute

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
	names := []string{v.Pointer().Register}
	for _, e := range list {
		if e.Key != "" && v.Register().KG(e.KG) != nil {
			p := e.Products
			f := index.File{Key: e.Key, JSONURL: p.URL("summary.json"), LightURL: p.URL("light.gpkg"), FullURL: p.URL("full.gpkg")}
			files[e.KG] = f
			names = append(names, f.Key+f.JSONURL+f.LightURL+f.FullURL)
		}
	}
	name := keys.Sum([]byte(strings.Join(names, " ")))
	had, err := w.Records.Indexed(ctx)
	if err != nil || had == name {
		return err
	}
	if _, err := index.Publish(ctx, w.Store, files, 2, w.Now); err != nil {
		return err
	}
	w.line(ctx, "", fmt.Sprintf("search index of %d KGs published", len(files)))
	return w.Records.SetIndexed(ctx, name)
}

// Run works until the context ends: when there is nothing to do it publishes the index and looks again after a pause.
func (w *Worker) Run(ctx context.Context, pause time.Duration) {
	indexed := w.now()
	for ctx.Err() == nil {
		_, err := w.One(ctx)
		if err == nil && w.now().Sub(indexed) < indexEvery {
			continue
		}
		if err == nil || errors.Is(err, landprocess.ErrIdle) {
			if failed := w.Index(ctx); failed != nil {
				err = failed
			}
			indexed = w.now()
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
