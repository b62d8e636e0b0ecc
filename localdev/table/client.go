package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	maxAnswer = 64 << 20
	patience  = 2 * time.Minute
	tries     = 6
	maxPause  = 2 * time.Minute // that a server may ask for
)

// client asks one server. A server that asks for a pause gets it from all requests.
type client struct {
	base  string
	http  *http.Client
	sleep func(context.Context, time.Duration) error
	note  func(string)

	mu    sync.Mutex
	until time.Time
	noted map[string]bool
}

func newClient(base string, note func(string)) *client {
	return &client{base: base, http: &http.Client{Timeout: patience}, sleep: sleep, note: note, noted: map[string]bool{}}
}

// sleep waits, or until the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// refused is an answer that says no in the service's words.
type refused struct {
	status int
	says   string
}

func (r *refused) Error() string { return r.says }

// ask posts a question and decodes the answer. It tries again what a server says will pass: too many requests (429), not
// available (503 with Retry-After), and a connection that broke; no longer than the bounds above.
func (c *client) ask(ctx context.Context, path string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		if err := c.wait(ctx); err != nil {
			return err
		}
		pause, err := c.once(ctx, path, body, answer)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case pause == 0:
			return err
		case n == tries || pause > maxPause:
			return fmt.Errorf("%w (asked %d times)", err, n)
		}
		c.pause(pause, err)
	}
}

func (c *client) wait(ctx context.Context) error {
	c.mu.Lock()
	left := time.Until(c.until)
	c.mu.Unlock()
	if left <= 0 {
		return ctx.Err()
	}
	return c.sleep(ctx, left)
}

func (c *client) pause(d time.Duration, why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := time.Now().Add(d); at.After(c.until) {
		c.until = at
		c.note(fmt.Sprintf("waiting %s: %v", d.Round(time.Second), why))
	}
}

// noteOnce tells a person something the first time.
func (c *client) noteOnce(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.noted[text] {
		c.noted[text] = true
		c.note(text)
	}
}

// once asks; a pause says that it may be asked again after it.
func (c *client) once(ctx context.Context, path string, body []byte, answer any) (pause time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	res, err := c.http.Do(r)
	if err != nil {
		return 2 * time.Second, fmt.Errorf("no answer of %s: %w", c.base, errors.Unwrap(err))
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return 2 * time.Second, fmt.Errorf("an answer of %s ended before its end: %w", c.base, err)
	case len(raw) > maxAnswer:
		return 0, fmt.Errorf("an answer of %s is larger than %d MB", c.base, maxAnswer>>20)
	case res.StatusCode >= http.StatusBadRequest:
		return pauseOf(res), &refused{res.StatusCode, says(res, raw)}
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return 0, fmt.Errorf("%s answers what no service of Mappe does: is --server right?", c.base+path)
	}
	return 0, nil
}

// pauseOf is the pause that a failed answer asks for; 0: asking again does not help.
func pauseOf(res *http.Response) time.Duration {
	after := res.Header.Get("Retry-After")
	if n, err := strconv.Atoi(after); err == nil && n >= 0 && n < 1<<20 {
		return max(time.Duration(n)*time.Second, 100*time.Millisecond)
	}
	if at, err := http.ParseTime(after); err == nil {
		return max(time.Until(at), 100*time.Millisecond)
	}
	switch res.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusGatewayTimeout:
		return 2 * time.Second
	}
	return 0
}

func says(res *http.Response, raw []byte) string {
	var f struct{ Error string }
	if json.Unmarshal(raw, &f) != nil || f.Error == "" {
		return "the server answers " + res.Status + ": is --server the address of a Mappe?"
	}
	return f.Error
}
