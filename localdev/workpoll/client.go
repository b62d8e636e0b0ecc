package workpoll

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"mappe/functions/workfeed/worklog"
	"mappe/shared/cloud/pause"
)

// client posts completions to a feed.
type client struct {
	url, token string
	http       *http.Client
	wait       func(context.Context, time.Duration) error
	tries      int
	say        func(string) // what keeps a completion waiting; nil: silence
}

func newClient(address, token string) (*client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return nil, fmt.Errorf("--url is %q: want the address of the feed, such as http://127.0.0.1:8080/workfeed", address)
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--url is %q: a token goes to another machine over https only", address)
	}
	return &client{
		url: strings.TrimSuffix(address, "/"), token: token, wait: pause.For, tries: 6,
		http: &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}, nil
}

// outcome is what became of a completion.
type outcome int

const (
	recorded outcome = iota
	already          // recorded before, with the same content
	differs          // recorded before, with other content
	refused          // not recorded, and no use to try again
)

// errUnauthorized: the token does not open the feed.
var errUnauthorized = errors.New("the feed does not take this token")

// errBusy: the feed did not answer, or asked to wait, as often as it was tried.
var errBusy = errors.New("the feed could not be reached")

// post reports one completion. It tries again after answers that ask for it and after none: the feed
// records a task once. The text says why a completion is refused or differs.
func (f *client) post(ctx context.Context, c worklog.Completion) (outcome, string, error) {
	body := map[string]string{"task_id": c.TaskID, "board": c.Board, "title": c.Title, "assignee": c.Assignee, "summary": c.Summary}
	if !c.CompletedAt.IsZero() {
		body["completed_at"] = c.CompletedAt.UTC().Format(time.RFC3339Nano)
	}
	data, err := json.Marshal(body)
	if err != nil {
		return refused, "", err
	}
	pause := 500 * time.Millisecond
	last := ""
	for try := 1; ; try++ {
		status, message, after, err := f.send(ctx, data)
		switch {
		case ctx.Err() != nil:
			return refused, "", ctx.Err()
		case err != nil:
			last = err.Error()
		case status == 201:
			return recorded, "", nil
		case status == 200:
			return already, "", nil
		case status == 409:
			return differs, message, nil
		case status == 401, status == 403:
			return refused, "", fmt.Errorf("%w: %s", errUnauthorized, message)
		case status != 429 && status < 500:
			return refused, fmt.Sprintf("%d: %s", status, message), nil
		default:
			last = fmt.Sprintf("%d: %s", status, message)
		}
		if f.say != nil && try < f.tries {
			f.say(fmt.Sprintf("%s; try %d of %d in %v", last, try+1, f.tries, max(pause, after)))
		}
		if try == f.tries {
			return refused, "", fmt.Errorf("%w: %s", errBusy, last)
		}
		if err := f.wait(ctx, max(pause, after)); err != nil {
			return refused, "", err
		}
		pause = min(2*pause, 30*time.Second)
	}
}

// send is one request. after is what the answer's Retry-After asks for, at most ten minutes.
func (f *client) send(ctx context.Context, data []byte) (status int, message string, after time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, "POST", f.url+"/work/complete", bytes.NewReader(data))
	if err != nil {
		return 0, "", 0, err
	}
	r.Header.Set("Authorization", "Bearer "+f.token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := f.http.Do(r)
	if err != nil {
		return 0, "", 0, err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if err != nil {
		return 0, "", 0, err
	}
	var problem struct{ Error string }
	if json.Unmarshal(b, &problem) != nil || problem.Error == "" {
		problem.Error = answer.Status
	}
	return answer.StatusCode, problem.Error, retryAfter(answer.Header.Get("Retry-After"), time.Now()), nil
}

func retryAfter(text string, now time.Time) time.Duration {
	var d time.Duration
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		d = time.Duration(min(n, 3600)) * time.Second
	} else if t, err := http.ParseTime(text); err == nil {
		d = t.Sub(now)
	}
	return max(0, min(d, 10*time.Minute))
}
