package tiles

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mappe/shared/geo/mvt"
)

var tile = mvt.TileID{Z: 15, X: 17830, Y: 11387}

// pauses records what a reader would have slept.
type pauses struct {
	mu  sync.Mutex
	all []time.Duration
	now time.Time
}

func (p *pauses) options(o Options) Options {
	p.now = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	o.Jitter = func() float64 { return 0 }
	o.Now = func() time.Time { p.mu.Lock(); defer p.mu.Unlock(); return p.now }
	o.Sleep = func(ctx context.Context, d time.Duration) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.all = append(p.all, d)
		p.now = p.now.Add(d)
		return ctx.Err()
	}
	return o
}

func serve(t *testing.T, o Options, h http.HandlerFunc) (*Reader, *pauses) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	p := &pauses{}
	r, err := Open(s.URL+"/{tileset}/{z}/{x}/{y}.pbf", p.options(o))
	if err != nil {
		t.Fatal(err)
	}
	return r, p
}

func zip(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(b)
	w.Close()
	return z.Bytes()
}

func TestDirectory(t *testing.T) {
	root := t.TempDir()
	if _, err := Open(root, Options{}); err == nil || !strings.Contains(err.Error(), "tiles") {
		t.Errorf("a directory without tiles must be refused, got %v", err)
	}
	name := filepath.Join(root, "tiles", "kataster", "15", "17830", "11387.pbf")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, zip([]byte("tile")), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Open(root, Options{MaxBytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := r.Tile(t.Context(), "kataster", tile); err != nil || string(b) != "tile" {
		t.Errorf("want the unzipped tile, got %q %v", b, err)
	}
	if b, err := r.Tile(t.Context(), "kataster", mvt.TileID{Z: 15}); err != nil || b != nil {
		t.Errorf("a missing file is the empty tile, got %q %v", b, err)
	}
	if _, err := r.Tile(t.Context(), "../x", tile); err == nil {
		t.Error("a tileset that leaves the folder must be refused")
	}
	os.WriteFile(name, make([]byte, 101), 0o644)
	var e *Error
	if _, err := r.Tile(t.Context(), "kataster", tile); !errors.As(err, &e) || e.Tile != tile ||
		!strings.Contains(err.Error(), "100 bytes") {
		t.Errorf("a large file must be refused with tile and limit, got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Tile(ctx, "kataster", tile); !errors.Is(err, context.Canceled) {
		t.Errorf("want canceled, got %v", err)
	}
}

func TestTemplateIsChecked(t *testing.T) {
	for _, s := range []string{"ftp://x/{z}/{x}/{y}", "https://x/{z}/{x}"} {
		if _, err := Open(s, Options{}); err == nil {
			t.Errorf("%s: want an error", s)
		}
	}
}

func TestEmptyTiles(t *testing.T) {
	for _, status := range []int{204, 404} {
		r, _ := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		if b, err := r.Tile(t.Context(), "kataster", tile); b != nil || err != nil {
			t.Errorf("status %d: want the empty tile, got %q %v", status, b, err)
		}
	}
}

// A download that failed leaves 0 bytes or a page: that is asked for again, never kept, and told at last.
func TestAFailedDownloadIsNoEmptyTile(t *testing.T) {
	page := []byte("\n <!DOCTYPE html><title>503</title>")
	for name, body := range map[string][]byte{"0 bytes": nil, "a page": page, "a zipped page": zip(page),
		"JSON": []byte(`{"error":"busy"}`)} {
		cache := t.TempDir()
		n, broken := 0, 3
		r, p := serve(t, Options{CacheDir: cache}, func(w http.ResponseWriter, _ *http.Request) {
			if n++; n <= broken {
				w.Write(body)
				return
			}
			w.Write([]byte("\x1atile"))
		})
		if b, err := r.Tile(t.Context(), "kataster", tile); err != nil || string(b) != "\x1atile" || len(p.all) != broken {
			t.Errorf("%s: want the tile after %d pauses, got %q %v after %d", name, broken, b, err, len(p.all))
		}
		n, broken = 0, 100
		var e *Error
		if b, err := r.Tile(t.Context(), "kataster", tile); !errors.Is(err, ErrBroken) || !errors.As(err, &e) || e.Tile != tile {
			t.Errorf("%s: want a failed download, got %q %v", name, b, err)
		}
		root := t.TempDir()
		file := filepath.Join(root, "tiles", "kataster", "15", "17830", "11387.pbf")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, body, 0o644); err != nil {
			t.Fatal(err)
		}
		d, err := Open(root, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if b, err := d.Tile(t.Context(), "kataster", tile); !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s in a file: want a failed download, got %q %v", name, b, err)
		}
	}
}

func TestRetriesWithGrowingPauses(t *testing.T) {
	n := 0
	r, p := serve(t, Options{}, func(w http.ResponseWriter, q *http.Request) {
		if n++; n <= 3 {
			w.WriteHeader([]int{500, 502, 429}[n-1])
			return
		}
		fmt.Fprint(w, q.URL.Path)
	})
	b, err := r.Tile(t.Context(), "kataster", tile)
	if err != nil || string(b) != "/kataster/15/17830/11387.pbf" {
		t.Fatalf("got %q %v", b, err)
	}
	want := []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second}
	if fmt.Sprint(p.all) != fmt.Sprint(want) {
		t.Errorf("pauses: want %v, got %v", want, p.all)
	}
}

func TestGivesUp(t *testing.T) {
	n := 0
	r, _ := serve(t, Options{Attempts: 4}, func(w http.ResponseWriter, _ *http.Request) { n++; w.WriteHeader(503) })
	_, err := r.Tile(t.Context(), "kataster", tile)
	var e *Error
	if !errors.As(err, &e) || n != 4 || !strings.Contains(err.Error(), "after 4 attempts") || !strings.Contains(err.Error(), "503") {
		t.Errorf("want an error after 4 requests, got %v after %d", err, n)
	}
	n = 0
	r, _ = serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) { n++; w.WriteHeader(403) })
	if _, err := r.Tile(t.Context(), "kataster", tile); err == nil || n != 1 {
		t.Errorf("403 is asked once, got %d requests, %v", n, err)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for _, h := range []string{"7", "Thu, 01 Oct 2026 12:00:07 GMT"} {
		n := 0
		r, p := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
			if n++; n == 1 {
				w.Header().Set("Retry-After", h)
				w.WriteHeader(429)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		})
		if _, err := r.Tile(t.Context(), "kataster", tile); err != nil {
			t.Fatal(err)
		}
		if len(p.all) != 1 || p.all[0] != 7*time.Second {
			t.Errorf("Retry-After %q: want one pause of 7 s, got %v", h, p.all)
		}
	}
}

// A pause that one request was told holds back every other request of the limiter.
func TestPauseIsShared(t *testing.T) {
	l := NewLimiter(2)
	p := &pauses{}
	o := p.options(Options{})
	l.pause(p.now.Add(3 * time.Second))
	if err := l.enter(t.Context(), o.Now, o.Sleep); err != nil {
		t.Fatal(err)
	}
	if len(p.all) != 1 || p.all[0] != 3*time.Second {
		t.Errorf("want a pause of 3 s before the next request, got %v", p.all)
	}
}

func TestTruncatedBodyIsAskedAgain(t *testing.T) {
	n := 0
	r, _ := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("half"))
			return
		}
		w.Write([]byte("whole"))
	})
	if b, err := r.Tile(t.Context(), "kataster", tile); err != nil || string(b) != "whole" || n != 2 {
		t.Errorf("got %q %v after %d requests", b, err, n)
	}
}

func TestSlowServerTimesOut(t *testing.T) {
	var n atomic.Int32
	r, _ := serve(t, Options{Timeout: time.Second, Attempts: 2}, func(w http.ResponseWriter, q *http.Request) {
		if n.Add(1) == 1 {
			<-q.Context().Done()
			return
		}
		w.Write([]byte("late"))
	})
	if b, err := r.Tile(t.Context(), "kataster", tile); err != nil || string(b) != "late" {
		t.Errorf("want the second answer, got %q %v", b, err)
	}
}

func TestHugeAndGzippedBodies(t *testing.T) {
	n := 0
	r, _ := serve(t, Options{MaxBytes: 1000}, func(w http.ResponseWriter, _ *http.Request) { n++; w.Write(make([]byte, 5000)) })
	if _, err := r.Tile(t.Context(), "kataster", tile); err == nil || !strings.Contains(err.Error(), "1000 bytes") || n != 1 {
		t.Errorf("a huge tile is refused at once: %v after %d requests", err, n)
	}
	r, _ = serve(t, Options{MaxBytes: 1000}, func(w http.ResponseWriter, _ *http.Request) { w.Write(zip(make([]byte, 5000))) })
	if _, err := r.Tile(t.Context(), "kataster", tile); err == nil || !strings.Contains(err.Error(), "1000 bytes") {
		t.Errorf("a tile that unzips to more is refused: %v", err)
	}
	r, _ = serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(zip([]byte("coded")))
	})
	if b, err := r.Tile(t.Context(), "kataster", tile); err != nil || string(b) != "coded" {
		t.Errorf("content coding: got %q %v", b, err)
	}
}

func TestCacheAsksConditionally(t *testing.T) {
	var seen []string
	version := "1"
	o := Options{CacheDir: t.TempDir()}
	r, _ := serve(t, o, func(w http.ResponseWriter, q *http.Request) {
		seen = append(seen, q.Header.Get("If-None-Match"))
		etag := `"v` + version + `"`
		w.Header().Set("ETag", etag)
		if q.Header.Get("If-None-Match") == etag {
			w.WriteHeader(304)
			return
		}
		fmt.Fprint(w, "tile ", version)
	})
	read := func(want string) {
		t.Helper()
		if b, err := r.Tile(t.Context(), "kataster", tile); err != nil || string(b) != want {
			t.Errorf("want %q, got %q %v", want, b, err)
		}
	}
	read("tile 1")
	read("tile 1")
	version = "2"
	read("tile 2")
	// A damaged entry is not used: the tile is asked for without a condition.
	name := filepath.Join(o.CacheDir, path("kataster", tile))
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(name, b[:len(b)-1], 0o644)
	read("tile 2")
	if want := `["" "\"v1\"" "\"v1\"" ""]`; fmt.Sprintf("%q", seen) != want {
		t.Errorf("conditions sent: want %s, got %q", want, seen)
	}
	r.opt.Trust = true
	read("tile 2")
	if len(seen) != 4 {
		t.Errorf("a trusted cache must not ask: %d requests", len(seen))
	}
}

func TestNeverMoreThanEightAtOnce(t *testing.T) {
	var now, most atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(3 * time.Millisecond)
		now.Add(-1)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer s.Close()
	limiter := NewLimiter(100)
	var wg sync.WaitGroup
	for range 3 { // three readers of one server share the limiter
		r, err := Open(s.URL+"/{z}/{x}/{y}", Options{Limiter: limiter})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			wg.Go(func() {
				if _, err := r.Tile(context.Background(), "kataster", mvt.TileID{Z: 15, X: uint32(i)}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	if most.Load() > MaxRequests || most.Load() < 2 {
		t.Errorf("want 2 to %d requests at once, got %d", MaxRequests, most.Load())
	}
}

func TestCancelStopsWaiting(t *testing.T) {
	r, _ := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	ctx, cancel := context.WithCancel(t.Context())
	r.opt.Sleep = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	if _, err := r.Tile(ctx, "kataster", tile); !errors.Is(err, context.Canceled) {
		t.Errorf("want canceled, got %v", err)
	}
}
