package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/shared/cloud/store"
)

// generation is one published state, never changed once made but for what it has learned of its versions and of its
// KGs without a snapshot.
type generation struct {
	etag     string // of the pointer; "" for one that was read by its name
	pointer  manifest.Pointer
	register *register.Register
	versions *versionIndex // grows while the generation is held
	unbuilt  unbuiltList
}

const (
	maxPointer  = 1 << 20
	maxRegister = 64 << 20
	// heldBefore bounds the earlier generations kept for the cursors of walks under way: each is a register,
	// some megabytes for the country, and shares it with its neighbours where nothing in it changed.
	heldBefore = 3
)

// load reads the pointer, conditionally when a generation is held, and its register unless that is
// the one held. An unchanged pointer gives the held generation.
func (l *Library) load(ctx context.Context, held *generation) (*generation, error) {
	var opt store.GetOptions
	if held != nil {
		opt.IfNoneMatch = held.etag
	}
	body, etag, err := l.readTagged(ctx, keys.Current{}.String(), opt, maxPointer)
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
	return g, l.loadRegister(ctx, g, held)
}

// loadRegister fills in the register, that of held where it is the same.
func (l *Library) loadRegister(ctx context.Context, g, held *generation) error {
	if held != nil && held.pointer.Register == g.pointer.Register && held.pointer.RegisterSHA256 == g.pointer.RegisterSHA256 {
		g.register = held.register
		return nil
	}
	body, err := l.read(ctx, g.pointer.Register, maxRegister)
	if err != nil {
		return err
	}
	if err := checkSum(g.pointer.Register, body, g.pointer.RegisterSHA256); err != nil {
		return err
	}
	g.register, err = register.Open(body)
	return err
}

func checkSum(key string, body []byte, want string) error {
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != want {
		return fmt.Errorf("%s has SHA-256 %x, expected %s", key, sum, want)
	}
	return nil
}

// look is one look at the pointer, shared by those who wait for it.
type look struct {
	began time.Time
	done  chan struct{}
	err   error // set before done is closed
}

// View pins the current generation for one request. When the pointer was last read longer than
// Options.Refresh ago it is read again in the background, and later views see what came of it; when that
// is longer ago than Options.MaxAge, as after idle time, the request waits for it. Where it cannot be read
// for so long the error is ErrStore: nothing older than MaxAge is served.
func (l *Library) View(ctx context.Context) (*View, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g, wait := l.now(ctx)
	if wait == nil {
		return &View{l, g}, nil
	}
	select {
	case <-wait.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if wait.err != nil {
		return nil, fmt.Errorf("library: the pointer: %w", wait.err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return &View{l, l.current}, nil
}

// now gives the current generation, and the look to wait for where it is too old to be served.
func (l *Library) now(ctx context.Context) (*generation, *look) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.opt.Now()
	age := now.Sub(l.checked)
	if age < l.opt.Refresh {
		return l.current, nil
	}
	// A look that began long ago stood still with the process, its connection is not to be trusted.
	if l.looking == nil || now.Sub(l.looking.began) >= l.opt.Refresh {
		l.looking = &look{began: now, done: make(chan struct{})}
		go l.refresh(context.WithoutCancel(ctx), l.current, l.looking)
	}
	if age < l.opt.MaxAge {
		return l.current, nil
	}
	return nil, l.looking
}

// Refresh reads the pointer now and waits for the outcome.
func (l *Library) Refresh(ctx context.Context) error {
	l.mu.Lock()
	held := l.current
	k := &look{began: l.opt.Now(), done: make(chan struct{})}
	l.mu.Unlock()
	l.refresh(ctx, held, k)
	return k.err
}

func (l *Library) refresh(ctx context.Context, held *generation, k *look) {
	var g *generation
	if held == nil { // as Open
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.opt.OpenWithin)
		defer cancel()
	}
	k.err = Guarded(func() (err error) { g, err = l.load(ctx, held); return err })
	l.mu.Lock()
	defer l.mu.Unlock()
	defer close(k.done)
	l.refreshErr = k.err
	if l.looking == k {
		l.looking = nil
	}
	if k.err != nil {
		return
	}
	if k.began.After(l.checked) {
		l.checked = k.began
	}
	if l.current == held && g != held {
		l.current = g
		if held != nil {
			l.hold(held)
		}
	}
}

// hold keeps an earlier generation for the cursors made in it. The caller holds the lock.
func (l *Library) hold(g *generation) {
	l.before = append([]*generation{g}, l.before[:min(len(l.before), heldBefore-1)]...)
}

// known finds a generation that is in memory.
func (l *Library) known(id string) *generation {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, g := range append([]*generation{l.current}, l.before...) {
		if g != nil && g.pointer.Generation == id {
			return g
		}
	}
	return nil
}

// ViewOf pins a generation that was current once, for who goes on with a walk begun in it. It costs up to two
// reads where the generation is not in memory. ErrGone says that the store has it no more.
func (l *Library) ViewOf(ctx context.Context, id string) (*View, error) {
	if g := l.known(id); g != nil {
		return &View{l, g}, nil
	}
	key := keys.Manifest{Generation: id}
	if _, err := keys.Parse(key.String()); err != nil {
		return nil, fmt.Errorf("generation %q: %w", id, ErrGone)
	}
	g, err := l.former(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("generation %s: %w (%w)", id, ErrGone, err)
	}
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hold(g)
	return &View{l, g}, nil
}

// former reads a generation by its manifest.
func (l *Library) former(ctx context.Context, key keys.Manifest) (*generation, error) {
	body, err := l.read(ctx, key.String(), maxManifest)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	if keys.Sum(body) != key.Generation {
		return nil, fmt.Errorf("%s has SHA-256 %x", key, sum)
	}
	head, err := manifest.ParseManifest(body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	g := &generation{versions: newVersionIndex(), pointer: manifest.Pointer{
		Format: head.Format, Generation: key.Generation, Manifest: key.String(), ManifestSHA256: hex.EncodeToString(sum[:]),
		Register: head.Register.Key, RegisterSHA256: head.Register.SHA256, Tiles: head.Tiles.Key, Places: head.Places.Key,
		Stichtag:    head.Stichtag,
		Attribution: head.Attribution, KGCount: head.KGCount, UniverseHash: head.UniverseHash, Artefacts: head.Artefacts,
	}}
	l.mu.Lock()
	held := l.current
	l.mu.Unlock()
	return g, l.loadRegister(ctx, g, held)
}
