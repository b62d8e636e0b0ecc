// Package remote takes a part of a large raster that another server holds: the office's files of 50 km have 12 GB each, a
// town needs some MB of them. It reads by range, with at most two requests at once, keeps what it has read so that a run that
// was stopped goes on, and asks whether a file has changed before it reads it again. What it writes is a file of a raw source
// (builders/source/rasters).
package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// atOnce is how many requests are under way: the office's servers are shared.
	atOnce = 2
	// blockBytes is what is asked for at a time, some tiles of a raster.
	blockBytes = 256 << 10
	// attempts of a request that failed for a reason that passes.
	attempts = 5
	// maxFile bounds a remote file.
	maxFile = 1 << 40
	// maxWait bounds what a server may ask to wait.
	maxWait = time.Minute
)

// ErrMissing says that the server has no file of the name.
var ErrMissing = errors.New("the server has no such file")

// errChanged says that the file is another one than when its reading began.
var errChanged = errors.New("the file has changed while it was read: start again")

// errSame says that a file is the one that is known.
var errSame = errors.New("the file has not changed")

// Client reads remote files.
type Client struct {
	HTTP  *http.Client  // nil: http.DefaultClient
	Cache string        // folder of what has been read of files that are not done yet
	Pause time.Duration // before the second attempt, twice as long before each further one; 0: a second
	gate  chan struct{}
	once  sync.Once
}

// file is a remote file. It is an io.ReaderAt, safe for concurrent use.
type file struct {
	c      *Client
	ctx    context.Context // of the run that reads
	url    string
	mark   string // entity tag, or the time of the last change
	size   int64
	folder string // of its blocks
	mu     sync.Mutex
	held   map[int64][]byte // blocks in memory
	order  []int64          // oldest first
}

// heldBlocks bounds the blocks in memory: 32 MB.
const heldBlocks = 128

// open asks for the beginning of a file. known is the mark of the file that is at hand, "" if no file is: errSame says
// that it is that one still.
func (c *Client) open(ctx context.Context, url, known string) (*file, error) {
	f := &file{c: c, ctx: ctx, url: url, held: map[int64][]byte{}}
	b, err := f.ask(0, func(r *http.Request) {
		if strings.HasPrefix(known, `"`) || strings.HasPrefix(known, "W/") {
			r.Header.Set("If-None-Match", known)
		} else if known != "" {
			r.Header.Set("If-Modified-Since", known)
		}
	})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(url + "\n" + f.mark + "\n" + strconv.FormatInt(f.size, 10)))
	f.folder = filepath.Join(c.Cache, hex.EncodeToString(sum[:12]))
	if f.mark == "" {
		return nil, fmt.Errorf("%s: the server tells neither an entity tag nor a date of the file: what is read cannot be held together",
			url)
	}
	if err := os.MkdirAll(f.folder, 0o755); err != nil {
		return nil, err
	}
	return f, f.keep(0, b)
}

// ReadAt reads a range.
func (f *file) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) && at < f.size {
		b, err := f.block(at / blockBytes)
		if err != nil {
			return n, err
		}
		k := copy(p[n:], b[min(at%blockBytes, int64(len(b))):])
		if k == 0 {
			return n, io.ErrUnexpectedEOF
		}
		n, at = n+k, at+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// block is a block from memory, from the folder or from the server.
func (f *file) block(i int64) ([]byte, error) {
	f.mu.Lock()
	b := f.held[i]
	f.mu.Unlock()
	if b != nil {
		return b, nil
	}
	want := min(blockBytes, f.size-i*blockBytes)
	b, err := os.ReadFile(f.name(i))
	if err != nil || int64(len(b)) != want {
		if b, err = f.ask(i, func(r *http.Request) {
			if strings.HasPrefix(f.mark, `"`) {
				r.Header.Set("If-Match", f.mark)
			}
		}); err != nil {
			return nil, err
		}
		if int64(len(b)) != want {
			return nil, fmt.Errorf("%s: %d bytes of block %d, expected %d", f.url, len(b), i, want)
		}
		if err := f.keep(i, b); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.held[i]; !ok {
		f.held[i], f.order = b, append(f.order, i)
		if len(f.order) > heldBlocks {
			delete(f.held, f.order[0])
			f.order = f.order[1:]
		}
	}
	return b, nil
}

func (f *file) name(i int64) string {
	return filepath.Join(f.folder, strconv.FormatInt(i, 10))
}

// keep writes a block whole or not at all.
func (f *file) keep(i int64, b []byte) error {
	t, err := os.CreateTemp(f.folder, "part-*")
	if err != nil {
		return err
	}
	_, err = t.Write(b)
	if err = errors.Join(err, t.Close()); err != nil {
		return err
	}
	return os.Rename(t.Name(), f.name(i))
}

// fetch reads blocks ahead that are not at hand, two at a time.
func (f *file) fetch(blocks []int64) error {
	var wait sync.WaitGroup
	next := make(chan int64)
	errs := make([]error, atOnce)
	for k := range atOnce {
		wait.Go(func() {
			for i := range next {
				if errs[k] == nil {
					_, errs[k] = f.block(i)
				}
			}
		})
	}
	for _, i := range blocks {
		next <- i
	}
	close(next)
	wait.Wait()
	return errors.Join(errs...)
}

// ask asks for a block until the server answers.
func (f *file) ask(i int64, header func(*http.Request)) ([]byte, error) {
	f.c.once.Do(func() { f.c.gate = make(chan struct{}, atOnce) })
	pause := f.c.Pause
	if pause == 0 {
		pause = time.Second
	}
	for attempt := 1; ; attempt++ {
		b, again, err := f.once(i, header)
		if err == nil || again < 0 || attempt == attempts {
			return b, err
		}
		select {
		case <-time.After(max(again, pause<<(attempt-1))):
		case <-f.ctx.Done():
			return nil, f.ctx.Err()
		}
	}
}

// once is one attempt; again is negative where another one is of no use, else how long the server asks to wait.
func (f *file) once(i int64, header func(*http.Request)) (b []byte, again time.Duration, err error) {
	f.c.gate <- struct{}{}
	defer func() { <-f.c.gate }()
	r, err := http.NewRequestWithContext(f.ctx, http.MethodGet, f.url, nil)
	if err != nil {
		return nil, -1, err
	}
	r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", i*blockBytes, (i+1)*blockBytes-1))
	header(r)
	client := f.c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	a, err := client.Do(r)
	if err != nil {
		if f.ctx.Err() != nil {
			return nil, -1, f.ctx.Err()
		}
		return nil, 0, err
	}
	defer a.Body.Close()
	switch {
	case a.StatusCode == http.StatusPartialContent:
	case a.StatusCode == http.StatusNotModified:
		return nil, -1, errSame
	case a.StatusCode == http.StatusNotFound, a.StatusCode == http.StatusGone:
		return nil, -1, fmt.Errorf("%s: %w", f.url, ErrMissing)
	case a.StatusCode == http.StatusPreconditionFailed:
		return nil, -1, fmt.Errorf("%s: %w", f.url, errChanged)
	case a.StatusCode == http.StatusOK:
		return nil, -1, fmt.Errorf("%s: the server does not answer ranges of the file", f.url)
	case a.StatusCode == http.StatusTooManyRequests, a.StatusCode >= 500:
		seconds, _ := strconv.Atoi(a.Header.Get("Retry-After")) // a date, or nothing, is 0
		return nil, min(time.Duration(max(seconds, 0))*time.Second, maxWait), fmt.Errorf("%s: the server answers %s", f.url, a.Status)
	default:
		return nil, -1, fmt.Errorf("%s: the server answers %s", f.url, a.Status)
	}
	if err := f.take(a.Header, i); err != nil {
		return nil, -1, err
	}
	b, err = io.ReadAll(io.LimitReader(a.Body, blockBytes))
	if err == nil && int64(len(b)) != min(blockBytes, f.size-i*blockBytes) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil { // the connection broke
		return nil, 0, fmt.Errorf("%s: %w", f.url, err)
	}
	return b, -1, nil
}

// take holds an answer to the file that is read, which the first one names.
func (f *file) take(h http.Header, i int64) error {
	var from, to, size int64
	if _, err := fmt.Sscanf(h.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &size); err != nil || from != i*blockBytes ||
		size < 1 || size > maxFile {
		return fmt.Errorf("%s: the server answers the range %.60q", f.url, h.Get("Content-Range"))
	}
	mark := h.Get("ETag")
	if mark == "" || strings.HasPrefix(mark, "W/") {
		if changed := h.Get("Last-Modified"); changed != "" {
			mark = changed
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.size == 0 {
		f.size, f.mark = size, mark
	}
	if f.size != size || f.mark != mark {
		return fmt.Errorf("%s: %w", f.url, errChanged)
	}
	return nil
}
