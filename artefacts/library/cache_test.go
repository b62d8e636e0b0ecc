package library

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// gate holds every Get of a KG file or a national artefact until it is opened, and can fail them.
type gate struct {
	store.Store
	open          chan struct{}
	fail          atomic.Bool
	gets, at, top atomic.Int64
}

func (g *gate) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	if strings.HasPrefix(key, "kg/") || strings.HasPrefix(key, "national/") {
		g.gets.Add(1)
		if n := g.at.Add(1); n > g.top.Load() {
			g.top.Store(n)
		}
		<-g.open
		g.at.Add(-1)
	}
	if g.fail.Load() {
		return nil, errors.New("wire cut")
	}
	return g.Store.Get(ctx, key, opt)
}

// A decoder that panics costs one KG, not the process, and the damaged object is not read with every request.
func TestAPanicIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c cache
		c.init(1<<20, 1)
		reads := 0
		load := func(context.Context) (any, int64, error) { reads++; panic("index out of range") }
		for range 3 {
			if _, err := c.get(t.Context(), name{"kg/a", whole}, load); !errors.Is(err, ErrDamaged) ||
				!strings.Contains(err.Error(), "index out of range") {
				t.Errorf("want ErrDamaged, got %v", err)
			}
		}
		if reads != 1 {
			t.Errorf("the damaged object was read %d times", reads)
		}
		time.Sleep(damagedFor)
		if _, err := c.get(t.Context(), name{"kg/a", whole}, load); err == nil || reads != 2 {
			t.Errorf("after a while: %v, read %d times", err, reads)
		}
	})
}

func TestLoadsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &gate{Store: mem.New(), open: make(chan struct{})}
		publish(t, s, 1)
		l := must[*Library](t)(Open(t.Context(), s, Options{}))
		v := must[*View](t)(l.View(t.Context()))
		impatient, give := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		var ok, gone atomic.Int64
		for i := range 50 {
			ctx := t.Context()
			if i == 0 {
				ctx = impatient
			}
			wg.Go(func() {
				switch _, err := v.KG(ctx, warm); {
				case err == nil:
					ok.Add(1)
				case errors.Is(err, context.Canceled):
					gone.Add(1)
				}
			})
			synctest.Wait()
		}
		if st := l.Stats(); st.Pending != 1 {
			t.Errorf("want one load under way, got %d", st.Pending)
		}
		give()
		synctest.Wait()
		close(s.open)
		wg.Wait()
		if s.gets.Load() != 1 || ok.Load() != 49 || gone.Load() != 1 {
			t.Errorf("%d reads, %d answers, %d given up: want 1, 49, 1", s.gets.Load(), ok.Load(), gone.Load())
		}
	})
}

func TestLoadsAtOnceAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &gate{Store: mem.New(), open: make(chan struct{})}
		publish(t, s, 1)
		l := must[*Library](t)(Open(t.Context(), s, Options{Loads: 1}))
		v := must[*View](t)(l.View(t.Context()))
		var wg sync.WaitGroup
		for _, c := range []austria.KGCode{warm, twin} {
			wg.Go(func() {
				if _, err := v.KG(t.Context(), c); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(s.open)
		wg.Wait()
		if s.top.Load() != 1 {
			t.Errorf("%d loads at once, want 1", s.top.Load())
		}
	})
}

func TestErrorsAreNotKept(t *testing.T) {
	s := &gate{Store: mem.New(), open: make(chan struct{})}
	close(s.open)
	publish(t, s, 1)
	l := must[*Library](t)(Open(t.Context(), s, Options{}))
	v := must[*View](t)(l.View(t.Context()))
	s.fail.Store(true)
	if _, err := v.KG(t.Context(), warm); err == nil || !strings.Contains(err.Error(), "kg/99001/") {
		t.Errorf("want an error that names the key, got %v", err)
	}
	if err := l.Refresh(t.Context()); err == nil || l.Stats().RefreshErr == nil {
		t.Error("a failed look at the pointer is not told")
	}
	s.fail.Store(false)
	must[*kgfile.File](t)(v.KG(t.Context(), warm))
	if err := l.Refresh(t.Context()); err != nil || l.Stats().RefreshErr != nil {
		t.Errorf("after the store came back: %v", err)
	}
	if st := l.Stats(); st.Failures != 1 || st.Entries != 1 {
		t.Errorf("stats: %+v", st)
	}
}

func TestEvictsTheLeastRecentlyUsed(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	ctx := t.Context()
	l := must[*Library](t)(Open(ctx, s, Options{}))
	f := must[*kgfile.File](t)(must[*View](t)(l.View(ctx)).KG(ctx, warm))
	l = must[*Library](t)(Open(ctx, s, Options{BudgetBytes: f.Bytes() * 3 / 2}))
	v := must[*View](t)(l.View(ctx))
	for _, c := range []austria.KGCode{warm, twin, twin, warm} {
		must[*kgfile.File](t)(v.KG(ctx, c))
	}
	if st := l.Stats(); st.Evictions != 2 || st.Entries != 1 || st.Hits != 1 || st.Misses != 3 || st.Bytes > st.BudgetBytes {
		t.Errorf("stats: %+v", st)
	}
	l = must[*Library](t)(Open(ctx, s, Options{BudgetBytes: 1}))
	must[*kgfile.File](t)(must[*View](t)(l.View(ctx)).KG(ctx, warm))
	if st := l.Stats(); st.Entries != 0 || st.Bytes != 0 {
		t.Errorf("a file above the budget was kept: %+v", st)
	}
}
