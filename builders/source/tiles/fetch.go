package tiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"mappe/shared/geo/mvt"
)

// The pauses between attempts: from firstPause doubling to lastPause, each shortened by chance to
// between half and the whole, so that workers do not come back in step. A server's own Retry-After
// counts up to maxRetryAfter.
const (
	firstPause    = 500 * time.Millisecond
	lastPause     = 30 * time.Second
	maxRetryAfter = 5 * time.Minute
)

// permanent marks a failure that asking again cannot mend.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// again is a failure worth another attempt, after at least the pause the server asked for.
type again struct {
	error
	after time.Duration
}

func (a again) Unwrap() error { return a.error }

func (r *Reader) fetch(ctx context.Context, url, tileset string, id mvt.TileID) ([]byte, error) {
	old := r.cached(url, tileset, id)
	if old != nil && r.opt.Trust {
		return old.body, nil
	}
	for attempt := 1; ; attempt++ {
		body, err := r.attempt(ctx, url, tileset, id, old)
		if err == nil {
			return body, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var stop permanent
		if errors.As(err, &stop) {
			return nil, err
		}
		if attempt >= r.opt.Attempts {
			return nil, fmt.Errorf("given up after %d attempts: %w", attempt, err)
		}
		pause := min(firstPause<<min(attempt-1, 10), lastPause)
		pause = pause/2 + time.Duration(r.opt.Jitter()*float64(pause/2))
		var a again
		if errors.As(err, &a) && a.after > 0 {
			pause = max(pause, a.after)
			r.opt.Limiter.pause(r.opt.Now().Add(a.after))
		}
		if err := r.opt.Sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

func (r *Reader) attempt(ctx context.Context, url, tileset string, id mvt.TileID, old *entry) ([]byte, error) {
	if err := r.opt.Limiter.enter(ctx, r.opt.Now, r.opt.Sleep); err != nil {
		return nil, err
	}
	defer r.opt.Limiter.leave()
	ctx, cancel := context.WithTimeout(ctx, r.opt.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, permanent{err}
	}
	req.Header.Set("Accept", "application/vnd.mapbox-vector-tile, application/x-protobuf, */*;q=0.5")
	if old != nil {
		if old.ETag != "" {
			req.Header.Set("If-None-Match", old.ETag)
		} else if old.LastModified != "" {
			req.Header.Set("If-Modified-Since", old.LastModified)
		}
	}
	res, err := r.opt.Client.Do(req)
	if err != nil {
		return nil, again{error: err}
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusOK:
		body, err := readBounded(res.Body, r.opt.MaxBytes)
		if err != nil {
			return nil, err // cut short: asked again; too large: permanent
		}
		if err := Whole(body); err != nil {
			return nil, again{error: err}
		}
		r.keep(url, tileset, id, &entry{ETag: res.Header.Get("ETag"), LastModified: res.Header.Get("Last-Modified"), body: body})
		return body, nil
	case res.StatusCode == http.StatusNotModified && old != nil:
		return old.body, nil
	case res.StatusCode == http.StatusNoContent || res.StatusCode == http.StatusNotFound:
		return nil, nil
	}
	// A short error body is read so that the connection can be used again.
	_, _ = io.CopyN(io.Discard, res.Body, 4096)
	err = fmt.Errorf("HTTP status %d", res.StatusCode)
	switch res.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
	default:
		if res.StatusCode < 500 {
			return nil, permanent{err}
		}
	}
	return nil, again{error: err, after: r.retryAfter(res.Header.Get("Retry-After"))}
}

// retryAfter reads seconds or an HTTP date.
func (r *Reader) retryAfter(h string) time.Duration {
	if s, err := strconv.Atoi(h); err == nil && s > 0 {
		return min(time.Duration(min(s, 1<<20))*time.Second, maxRetryAfter)
	}
	if t, err := http.ParseTime(h); err == nil {
		return max(0, min(t.Sub(r.opt.Now()), maxRetryAfter))
	}
	return 0
}
