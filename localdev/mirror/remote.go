package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

// The most that is read of an answer.
const (
	maxManifest  = 64 << 20
	maxContainer = 256 << 20
	maxError     = 64 << 10
)

const (
	attempts = 5               // of one request, where the service is busy or the connection breaks
	maxWait  = 2 * time.Minute // between two of them
)

// remote asks a service.
type remote struct {
	base   string
	client *http.Client
	now    func() time.Time
}

func newRemote(base string, client *http.Client, now func() time.Time) remote {
	if client == nil {
		client = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: time.Minute,
			MaxIdleConnsPerHost: 16}}
	}
	return remote{base, client, now}
}

// busy is an answer after which the request is repeated.
type busy struct {
	err  error
	wait time.Duration
}

func (b *busy) Error() string { return b.err.Error() }
func (b *busy) Unwrap() error { return b.err }

// refused is an answer of a status that was not wanted.
type refused struct {
	status int
	err    error
}

func (r *refused) Error() string { return r.err.Error() }
func (r *refused) Unwrap() error { return r.err }

// refusedWith is the status of a refusal, 0 for other errors.
func refusedWith(err error) int {
	var r *refused
	if errors.As(err, &r) {
		return r.status
	}
	return 0
}

// again repeats what fails because the service is busy or the connection broke.
func again(ctx context.Context, do func() error) error {
	for attempt := 1; ; attempt++ {
		err := do()
		var b *busy
		if err == nil || attempt == attempts || ctx.Err() != nil || !errors.As(err, &b) {
			return err
		}
		select {
		case <-time.After(min(max(b.wait, time.Duration(attempt*attempt)*100*time.Millisecond), maxWait)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// get sends a request; the answer has one of the wanted statuses.
func (r remote) get(ctx context.Context, path string, header http.Header, want ...int) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, r.base+path, nil)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		q.Header[name] = values
	}
	a, err := r.client.Do(q)
	if err != nil {
		return nil, &busy{err: err}
	}
	for _, status := range want {
		if a.StatusCode == status {
			return a, nil
		}
	}
	defer a.Body.Close()
	said := struct {
		Error string `json:"error"`
	}{}
	b, _ := io.ReadAll(io.LimitReader(a.Body, maxError)) // the status says enough where it cannot be read
	_ = json.Unmarshal(b, &said)
	err = &refused{a.StatusCode, fmt.Errorf("GET %s: %s %.300s", r.base+path, a.Status, said.Error)}
	if a.StatusCode == http.StatusTooManyRequests || a.StatusCode >= 500 {
		seconds, _ := strconv.Atoi(a.Header.Get("Retry-After"))
		return nil, &busy{err, time.Duration(seconds) * time.Second}
	}
	return nil, err
}

// pastCaches asks for an answer of the service itself.
func pastCaches(h http.Header, fresh bool) http.Header {
	if fresh {
		h.Set("Cache-Control", "no-cache, no-store")
		h.Set("Pragma", "no-cache")
	}
	return h
}

// read gives a small body.
func (r remote) read(ctx context.Context, path string, most int64, fresh bool) (body []byte, err error) {
	return body, again(ctx, func() error {
		a, err := r.get(ctx, path, pastCaches(http.Header{}, fresh), http.StatusOK)
		if err != nil {
			return err
		}
		defer a.Body.Close()
		if body, err = io.ReadAll(io.LimitReader(a.Body, most+1)); err != nil {
			return &busy{err: err}
		}
		if int64(len(body)) > most {
			return fmt.Errorf("GET %s: more than %d bytes", r.base+path, most)
		}
		return nil
	})
}

// download writes a body to a file and tells how many bytes came. A file that is there already is continued where the
// service still has the same body; its tag stands beside it.
func (r remote) download(ctx context.Context, path, file string, fresh bool) (n int64, err error) {
	err = again(ctx, func() error {
		m, err := r.part(ctx, path, file, fresh)
		n += m
		return err
	})
	if err == nil {
		os.Remove(file + ".tag")
	}
	return n, err
}

// part is one attempt of a download.
func (r remote) part(ctx context.Context, path, file string, fresh bool) (int64, error) {
	have, header := int64(0), pastCaches(http.Header{"Accept-Encoding": {"identity"}}, fresh)
	tag, err := os.ReadFile(file + ".tag")
	if fi, statErr := os.Stat(file); err == nil && statErr == nil && fi.Size() > 0 {
		have = fi.Size()
		header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		header.Set("If-Range", string(tag))
	}
	a, err := r.get(ctx, path, header, http.StatusOK, http.StatusPartialContent, http.StatusRequestedRangeNotSatisfiable)
	if err != nil {
		return 0, err
	}
	defer a.Body.Close()
	mode := os.O_CREATE | os.O_WRONLY
	switch a.StatusCode {
	case http.StatusRequestedRangeNotSatisfiable: // all of it was here
		return 0, nil
	case http.StatusOK:
		mode |= os.O_TRUNC
		if err := os.WriteFile(file+".tag", []byte(a.Header.Get("ETag")), 0o644); err != nil {
			return 0, err
		}
	default:
		mode |= os.O_APPEND
	}
	f, err := os.OpenFile(file, mode, 0o644)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, io.LimitReader(a.Body, maxContainer-have+1))
	if closed := f.Close(); closed != nil {
		return n, closed
	}
	switch {
	case err != nil:
		return n, &busy{err: err}
	case have+n > maxContainer:
		return n, fmt.Errorf("GET %s: more than %d bytes", r.base+path, maxContainer)
	}
	return n, nil
}
