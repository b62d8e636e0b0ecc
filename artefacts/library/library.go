// Package library opens artefacts from an object store and keeps them ready: the served generation,
// its national register, and within one budget of bytes what was used last: KG files, objects of any kind
// (Get), and sections of artefacts that are too large to hold (View.Parts, Sections). It is what functions
// read through. It knows no request and no answer, and it writes nothing.
//
// After Open (two reads: pointer and register) an answer about a KG costs one read when its file is
// not in memory and none when it is. A request takes one View and sees one generation throughout,
// whatever is published meanwhile.
package library

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// The outcomes a caller decides on.
var (
	// ErrUnknownKG: the register has no KG with the code.
	ErrUnknownKG = errors.New("no such KG")
	// ErrCold: the KG exists, but no snapshot of it is in the object store; a warm-up was asked for where
	// somebody makes KGs warm.
	ErrCold = errors.New("KG is not loaded yet")
	// ErrDamaged: an object is not what the generation says. Repeating does not help.
	ErrDamaged = errors.New("object is damaged")
	// ErrStore: the store did not answer, or not in time. Repeating may help.
	ErrStore = errors.New("the object store cannot be read")
	// ErrGone: the generation, or an object that it names, is in the store no more.
	ErrGone = errors.New("the generation is no longer kept")
)

// Unread says whether an object of a generation cannot be read although the store answers: it is lost or damaged.
// Repeating does not help.
func Unread(err error) bool { return errors.Is(err, ErrGone) || errors.Is(err, ErrDamaged) }

// Options tune a Library; the zero value of a field means its default.
type Options struct {
	// Used is told of each KG that a request reads, from several goroutines; nil: nobody is.
	Used        func(austria.KGCode)
	BudgetBytes int64            // memory for all that is kept, default 256 MiB
	Refresh     time.Duration    // least time between two looks at the pointer, default 5 s
	MaxAge      time.Duration    // no answer is made from a generation that was current longer ago, default 60 s
	Loads       int              // reads of the store at once, default 16
	Width       int              // of them for the sections that one request asks for, default 4
	LoadTimeout time.Duration    // for one read, default 20 s
	OpenWithin  time.Duration    // Open gives a library that has nothing yet when the store is silent for so long; 0: it fails
	Now         func() time.Time // default time.Now
	// Warmup is told of each cold KG a request touched; it must return at once. nil where nobody makes
	// cold KGs warm.
	Warmup func(austria.KGCode)
	// RestoreOnly says that Warmup brings back what left the store and builds nothing: a KG without a snapshot is not warming.
	RestoreOnly bool
	Log         *slog.Logger // of damaged objects, which an operator has to replace; default: silent
}

func (o Options) withDefaults() Options {
	if o.BudgetBytes == 0 {
		o.BudgetBytes = 256 << 20
	}
	if o.Refresh == 0 {
		o.Refresh = 5 * time.Second
	}
	if o.MaxAge == 0 {
		o.MaxAge = time.Minute
	}
	if o.Loads == 0 {
		o.Loads = 16
	}
	if o.Width == 0 {
		o.Width = 4
	}
	if o.LoadTimeout == 0 {
		o.LoadTimeout = 20 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Library is the cached reader of one store. All methods are safe for concurrent use.
type Library struct {
	store   store.Store
	opt     Options
	cache   cache
	present presence
	// archived is what is in the research repository.
	archived archived
	failures failures

	mu         sync.Mutex
	current    *generation
	before     []*generation // that requests still walk through, newest use first
	checked    time.Time     // when the pointer was last read
	looking    *look         // under way; nil: none
	refreshErr error         // of the last look
}

// Warms says whether somebody makes cold KGs warm: where nobody does, waiting for one is in vain.
func (l *Library) Warms() bool { return l.opt.Warmup != nil }

// Builds says whether somebody builds KGs that have no snapshot.
func (l *Library) Builds() bool { return l.Warms() && !l.opt.RestoreOnly }

// warmUp asks for a cold KG.
func (l *Library) warmUp(code austria.KGCode) {
	if l.Warms() {
		l.opt.Warmup(code)
	}
}

// Open reads the pointer and the register it names. With OpenWithin a store that gives no answer is asked again by each View,
// which fails with ErrStore meanwhile: who serves says so, instead of not beginning to serve.
func Open(ctx context.Context, s store.Store, o Options) (*Library, error) {
	l := &Library{store: s, opt: o.withDefaults()}
	l.cache.init(l.opt.BudgetBytes, l.opt.Loads)
	l.cache.log = l.opt.Log
	opening, cancel := ctx, func() {}
	if o.OpenWithin > 0 {
		opening, cancel = context.WithTimeout(ctx, o.OpenWithin)
	}
	defer cancel()
	g, err := l.load(opening, nil)
	if o.OpenWithin > 0 && errors.Is(err, ErrStore) && ctx.Err() == nil {
		l.refreshErr = err
		l.opt.Log.ErrorContext(ctx, "opened without a generation", "error", err)
		return l, nil
	}
	if err != nil {
		return nil, fmt.Errorf("library: %w", err)
	}
	l.current, l.checked = g, l.opt.Now()
	return l, nil
}

// read gives the bytes of a whole object of at most limit bytes. Where it cannot be read the error is ErrStore, or the
// store's own where that is an answer.
func (l *Library) read(ctx context.Context, key string, limit int64) ([]byte, error) {
	body, _, err := l.readTagged(ctx, key, store.GetOptions{Plain: true}, limit)
	return body, err
}

// readTagged is read with the ETag.
func (l *Library) readTagged(ctx context.Context, key string, opt store.GetOptions, limit int64) ([]byte, string, error) {
	ctx, cancel := context.WithTimeout(ctx, l.opt.LoadTimeout)
	defer cancel()
	body, info, err := store.ReadAll(ctx, l.store, key, limit, opt)
	if err != nil {
		return nil, "", storeError(key, err)
	}
	return body, info.ETag, nil
}

// storeError tells a store that gave an answer (there is no such object) from one that did not.
func storeError(key string, err error) error {
	for _, answer := range []error{store.ErrNotFound, store.ErrNotModified, store.ErrTooLarge, context.Canceled} {
		if errors.Is(err, answer) {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return fmt.Errorf("%s: %w: %w", key, ErrStore, err)
}

// Guarded turns a panic into an error: a decoder that fails on an object of foreign bytes must not end the
// process, and goroutines that read for a request are watched by no server.
func Guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v\n%s", ErrDamaged, p, debug.Stack())
		}
	}()
	return f()
}

// Stats are the figures of the library at one moment.
type Stats struct {
	Generation   string
	Entries      int
	Bytes        int64
	BudgetBytes  int64
	Hits, Misses uint64 // a request that joins a load under way is a miss
	Loads        uint64 // reads of objects, directories and runs of sections
	Failures     uint64
	Evictions    uint64
	Pending      int   // loads under way or waiting for a place
	RefreshErr   error // of the last look at the pointer
}

// Stats counts.
func (l *Library) Stats() Stats {
	s := l.cache.stats()
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.RefreshErr = l.refreshErr; l.current != nil {
		s.Generation = l.current.pointer.Generation
	}
	return s
}
