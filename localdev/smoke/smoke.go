// Package smoke asks a running Mappe, on this machine or deployed, some requests of every service and says in one table what is well.
// It only reads. What it asks for it learns from the answers: which KGs have data, a parcel of one, where that lies. It knows the
// services from their contract alone and shares no code with them.
package smoke

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// State is how a check ended.
type State string

// The states.
const (
	Well    State = "well"
	Failed  State = "failed"
	Skipped State = "skipped" // what it needs is not there, which is no fault of the deployment
)

// Result is one check.
type Result struct {
	Service string  `json:"service"`
	Check   string  `json:"check"`
	Path    string  `json:"path"` // that was asked
	State   State   `json:"state"`
	Status  int     `json:"status,omitempty"`
	MS      float64 `json:"ms,omitempty"`
	Bytes   int     `json:"bytes,omitempty"`
	Says    string  `json:"says,omitempty"` // why it failed or was skipped, or what was seen
}

// Options are how a deployment is asked.
type Options struct {
	Client *http.Client // nil: one of 60 seconds, which is a cold start and a KG that is loaded
	Tell   func(Result) // is given each result as it is there; nil: nobody
}

const (
	maxBody  = 64 << 20
	patience = 60 * time.Second
)

// Run asks the deployment at a base address, "https://maps.example". The error is about an invalid address.
func Run(ctx context.Context, base string, o Options) ([]Result, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("%q: want the address of a deployment, such as https://maps.example or http://127.0.0.1:8080", base)
	}
	if o.Client == nil {
		o.Client = &http.Client{Timeout: patience}
	}
	r := &run{ctx: ctx, base: u.Scheme + "://" + u.Host, client: o.Client, tell: o.Tell}
	for _, c := range checks {
		if ctx.Err() != nil {
			return r.results, ctx.Err()
		}
		r.do(c)
	}
	return r.results, nil
}

// IsWell says that no check failed.
func IsWell(results []Result) bool {
	return !slices.ContainsFunc(results, func(r Result) bool { return r.State == Failed })
}

// check is a request and what its answer must be.
type check struct {
	service, name string
	// path is what is asked: with the learned {kg}, {parcel}, {lon}, {lat}; "METHOD path" where it is not GET.
	path   string
	body   string
	header [2]string // one more
	status []int     // that are well; nil: 200
	// holds says what is wrong with an answer, "" of nothing; nil: it is JSON, of an object that is not empty.
	holds func(r *run, a *answer) string
}

// answer is what came.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// object is the body as a JSON object; nil of another.
func (a *answer) object() map[string]any {
	var o map[string]any
	if json.Unmarshal(a.body, &o) != nil {
		return nil
	}
	return o
}

// run is one run over a deployment.
type run struct {
	ctx     context.Context
	base    string
	client  *http.Client
	tell    func(Result)
	known   map[string]string // kg, parcel, lon, lat, as far as they were learned
	results []Result
}

func (r *run) learn(name, value string) {
	if r.known == nil {
		r.known = map[string]string{}
	}
	r.known[name] = value
}

// fill puts what was learned into a text; missing names what was not.
func (r *run) fill(text string) (out, missing string) {
	for _, name := range []string{"kg", "parcel", "lon", "lat", "etag"} {
		place := "{" + name + "}"
		if !strings.Contains(text, place) {
			continue
		}
		v, ok := r.known[name]
		if !ok {
			return text, name
		}
		text = strings.ReplaceAll(text, place, v)
	}
	return text, ""
}

func (r *run) do(c check) {
	method, path, ok := strings.Cut(c.path, " ")
	if !ok {
		method, path = http.MethodGet, c.path
	}
	out := Result{Service: c.service, Check: c.name, State: Well}
	path, missing := r.fill(path)
	if missing == "" && c.header[1] != "" {
		c.header[1], missing = r.fill(c.header[1])
	}
	if out.Path = path; missing != "" {
		out.State, out.Says = Skipped, "no "+wanted[missing]+" is known"
	} else {
		r.ask(c, method, &out)
	}
	r.results = append(r.results, out)
	if r.tell != nil {
		r.tell(out)
	}
}

// wanted are the words for what a check needs.
var wanted = map[string]string{"kg": "KG with data", "parcel": "parcel", "lon": "place of a parcel", "lat": "place of a parcel",
	"etag": "ETag"}

func (r *run) ask(c check, method string, out *Result) {
	began := time.Now()
	a, err := r.send(method, out.Path, c)
	out.MS = float64(time.Since(began).Microseconds()) / 1000
	if err != nil {
		out.State, out.Says = Failed, err.Error()
		return
	}
	out.Status, out.Bytes = a.status, len(a.body)
	want := c.status
	if want == nil {
		want = []int{http.StatusOK}
	}
	holds := c.holds
	if holds == nil {
		holds = isObject
	}
	switch {
	case !slices.Contains(want, a.status):
		out.State, out.Says = Failed, fmt.Sprintf("status %d, expected %s: %s", a.status, join(want), excerpt(a.body))
	default:
		if wrong := holds(r, a); strings.HasPrefix(wrong, skip) {
			out.State, out.Says = Skipped, strings.TrimPrefix(wrong, skip)
		} else if wrong != "" {
			out.State, out.Says = Failed, wrong
		}
	}
}

// skip begins what a check says that cannot judge.
const skip = "skip: "

func join(list []int) string {
	var out []string
	for _, n := range list {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, " or ")
}

// excerpt is the beginning of a body on one line.
func excerpt(b []byte) string {
	text := strings.Join(strings.Fields(string(b[:min(len(b), 200)])), " ")
	if len(b) > 200 {
		text += " ..."
	}
	return text
}

func (r *run) send(method, path string, c check) (*answer, error) {
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, r.base+path, strings.NewReader(c.body))
	if err != nil {
		return nil, err
	}
	if c.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.header[0] != "" {
		req.Header.Set(c.header[0], c.header[1])
	}
	res, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxBody {
		return nil, fmt.Errorf("an answer of more than %d bytes", maxBody)
	}
	return &answer{res.StatusCode, res.Header, body}, nil
}

func isObject(_ *run, a *answer) string {
	if o := a.object(); len(o) == 0 {
		return "no JSON object: " + excerpt(a.body)
	}
	return ""
}

func isText(word string) func(*run, *answer) string {
	return func(_ *run, a *answer) string {
		if !bytes.Contains(a.body, []byte(word)) {
			return fmt.Sprintf("the text has no %q: %s", word, excerpt(a.body))
		}
		return ""
	}
}

// has holds an answer to a member that is there and not empty.
func has(path ...string) func(*run, *answer) string {
	return func(_ *run, a *answer) string {
		if v := at(a.object(), path...); v == nil || v == "" || v == false {
			return "the answer has no " + strings.Join(path, ".") + ": " + excerpt(a.body)
		}
		return ""
	}
}

// at is a member of members, or nil. A number in the path is a place in a list.
func at(v any, path ...string) any {
	for _, name := range path {
		switch of := v.(type) {
		case map[string]any:
			v = of[name]
		case []any:
			if len(of) == 0 {
				return nil
			}
			v = of[0]
		default:
			return nil
		}
	}
	return v
}
