// Package library opens artefacts from an object store and keeps them ready: the served generation,
// its national register, and the KG files last used within a budget of bytes. It is what functions
// read through. It knows no request and no answer, and it writes nothing.
//
// After Open (two reads: pointer and register) an answer about a KG costs one read when its file is
// not in memory and none when it is. A request takes one View and sees one generation throughout,
// whatever is published meanwhile.
package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// The outcomes a caller decides on.
var (
	// ErrUnknownKG: the register has no KG with the code.
	ErrUnknownKG = errors.New("no such KG")
	// ErrCold: the KG exists, but no snapshot of it is in the object store; a warm-up was asked for.
	ErrCold = errors.New("KG is not loaded yet")
)

// Options tune a Library; the zero value of a field means its default.
type Options struct {
	BudgetBytes int64            // memory for KG files, default 256 MiB
	Refresh     time.Duration    // least time between two looks at the pointer, default 5 s
	Loads       int              // KG files read at once, default 16
	LoadTimeout time.Duration    // for one object, default 20 s
	Now         func() time.Time // default time.Now
	// Warmup is told of each cold KG a request touched; it must return at once. nil where nobody makes
	// cold KGs warm.
	Warmup func(austria.KGCode)
}

func (o Options) withDefaults() Options {
	if o.BudgetBytes == 0 {
		o.BudgetBytes = 256 << 20
	}
	if o.Refresh == 0 {
		o.Refresh = 5 * time.Second
	}
	if o.Loads == 0 {
		o.Loads = 16
	}
	if o.LoadTimeout == 0 {
		o.LoadTimeout = 20 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Library is the cached reader of one store. All methods are safe for concurrent use.
type Library struct {
	store store.Store
	opt   Options
	files cache

	mu         sync.Mutex
	current    *generation
	checked    time.Time // when the pointer was last looked at
	refreshing bool
	refreshErr error
}

// generation is one published state, never changed once made but for what it has learned of its versions.
type generation struct {
	etag     string
	pointer  manifest.Pointer
	register *register.Register
	versions *versionIndex // grows while the generation is held
}

// Warms says whether somebody makes cold KGs warm: where nobody does, waiting for one is in vain.
func (l *Library) Warms() bool { return l.opt.Warmup != nil }

// warmUp asks for a cold KG.
func (l *Library) warmUp(code austria.KGCode) {
	if l.Warms() {
		l.opt.Warmup(code)
	}
}

const maxPointer = 1 << 20

// Open reads the pointer and the register it names.
func Open(ctx context.Context, s store.Store, o Options) (*Library, error) {
	l := &Library{store: s, opt: o.withDefaults()}
	l.files.init(l.opt.BudgetBytes, l.opt.Loads)
	g, err := l.load(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("library: %w", err)
	}
	l.current, l.checked = g, l.opt.Now()
	return l, nil
}

// load reads the pointer, conditionally when a generation is held, and its register unless that is
// the one held. An unchanged pointer gives the held generation.
func (l *Library) load(ctx context.Context, held *generation) (*generation, error) {
	var opt store.GetOptions
	if held != nil {
		opt.IfNoneMatch = held.etag
	}
	body, etag, err := l.read(ctx, keys.Current{}.String(), opt, maxPointer)
	if held != nil && errors.Is(err, store.ErrNotModified) {
		return held, nil
	}
	if err != nil {
		return nil, err
	}
	g := &generation{etag: etag, versions: newVersionIndex()}
	if g.pointer, err = manifest.ParsePointer(body); err != nil {
		return nil, err
	}
	if held != nil && held.pointer.Register == g.pointer.Register && held.pointer.RegisterSHA256 == g.pointer.RegisterSHA256 {
		g.register = held.register
		return g, nil
	}
	body, _, err = l.read(ctx, g.pointer.Register, store.GetOptions{}, maxRegister)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != g.pointer.RegisterSHA256 {
		return nil, fmt.Errorf("%s has SHA-256 %x, the pointer says %s", g.pointer.Register, sum, g.pointer.RegisterSHA256)
	}
	g.register, err = register.Open(body)
	return g, err
}

const maxRegister = 64 << 20

// read gives a whole object of at most limit bytes.
func (l *Library) read(ctx context.Context, key string, opt store.GetOptions, limit int64) ([]byte, string, error) {
	ctx, cancel := context.WithTimeout(ctx, l.opt.LoadTimeout)
	defer cancel()
	obj, err := l.store.Get(ctx, key, opt)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", key, err)
	}
	defer obj.Body.Close()
	if obj.Size > limit {
		return nil, "", fmt.Errorf("%s has %d bytes: at most %d are read", key, obj.Size, limit)
	}
	body := make([]byte, obj.Size)
	if _, err := io.ReadFull(obj.Body, body); err != nil {
		return nil, "", fmt.Errorf("%s: %w", key, err)
	}
	return body, obj.ETag, nil
}

// View pins the held generation for one request. It never waits: when the pointer was last looked at
// longer than Options.Refresh ago, it is looked at again in the background, and later views see what
// came of it. Where a look fails the held generation goes on being served and Stats says why.
func (l *Library) View(ctx context.Context) (*View, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.opt.Now(); !l.refreshing && now.Sub(l.checked) >= l.opt.Refresh {
		l.refreshing, l.checked = true, now
		go l.refresh(context.WithoutCancel(ctx), l.current)
	}
	return &View{l, l.current}, nil
}

// Refresh looks at the pointer now and waits for the outcome.
func (l *Library) Refresh(ctx context.Context) error {
	l.mu.Lock()
	held := l.current
	l.checked = l.opt.Now()
	l.mu.Unlock()
	return l.refresh(ctx, held)
}

func (l *Library) refresh(ctx context.Context, held *generation) error {
	g, err := l.load(ctx, held)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refreshing, l.refreshErr = false, err
	if err == nil && l.current == held {
		l.current = g
	}
	return err
}

// Stats are the figures of the library at one moment.
type Stats struct {
	Generation   string
	Entries      int
	Bytes        int64
	BudgetBytes  int64
	Hits, Misses uint64 // a request that joins a load under way is a miss
	Loads        uint64 // objects read
	Failures     uint64
	Evictions    uint64
	Pending      int   // loads under way or waiting for a place
	RefreshErr   error // of the last look at the pointer
}

// Stats counts.
func (l *Library) Stats() Stats {
	s := l.files.stats()
	l.mu.Lock()
	defer l.mu.Unlock()
	s.Generation, s.RefreshErr = l.current.pointer.Generation, l.refreshErr
	return s
}
