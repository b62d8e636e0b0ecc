package exact

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"mappe/shared/cloud/stack"
	"mappe/shared/web/endpoint"
)

// Config says what to run.
type Config struct {
	Template   string            // path of template.yaml
	Parameters map[string]string // of the template; the rest takes its defaults
	DataDir    string            // stands for the folder artefacts/ of the bucket: MAPPE_STORE of the functions
	Objects    http.Handler      // answers what a behaviour sends to the bucket; nil answers 404
	StateDir   string            // stands for tables and other buckets, in .exact; "" is DataDir
	Servers    Servers           // are filled with both directories, which then stay as they are
	// bootstraps are built here; "" is Bootstraps(Template), or .exact/bin in StateDir where that cannot be written
	WorkDir  string
	Built    bool           // those that are there are of these sources, and not built again
	Faults   *Faults        // what goes wrong from the beginning; nil: nothing ever does in what Servers are asked
	Progress func(Building) // told of each bootstrap when it begins, every second and at its end; nil: nobody
	Filling  func(Filling)  // told of what is copied into Servers
	// MaxProcesses of one function; more requests wait. 0 is two for each processor. The template's
	// reserved concurrency throttles (429) where it is lower.
	MaxProcesses int
	Logs         io.Writer // the functions' output, each line with the function's name; nil is os.Stderr
	Log          *slog.Logger
}

// Edge is the distribution of the template. It is an http.Handler for the whole path, prefixes included.
type Edge struct {
	stack   *stack.Stack                // as it was started
	served  atomic.Pointer[stack.Stack] // whose distribution is served
	config  Config
	secrets *secrets
	objects http.Handler
	runners map[string]*runner
	log     *slog.Logger
	// ready builds a function; n of how many is what Progress is told.
	ready     func(f stack.Function, n, of int) (*runner, error)
	faults    atomic.Pointer[Faults]
	injected  injected
	late      sync.Mutex
	scheduled map[string]*runner // of functions that only schedules invoke
}

// Start reads the template, builds the bootstraps of every function with a URL, or that another
// invokes, and gives the edge. The
// processes start with the first requests and end with the context.
func Start(ctx context.Context, c Config) (*Edge, error) {
	values := newSecrets()
	declared, err := stack.Load(c.Template, stack.Options{Parameters: c.Parameters, Secret: values.current})
	if err != nil {
		return nil, err
	}
	if len(declared.Behaviours) == 0 {
		return nil, fmt.Errorf("%s: no AWS::CloudFront::Distribution", c.Template)
	}
	c, err = c.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(c.StateDir, ".exact"), 0o755); err != nil { // ledgers stand there
		return nil, err
	}
	e := &Edge{stack: declared, config: c, secrets: values, objects: c.Objects, runners: map[string]*runner{},
		scheduled: map[string]*runner{}, log: c.Log}
	e.served.Store(declared)
	e.SetFaults(*cmp.Or(c.Faults, &Faults{}))
	lines := &lineWriter{out: c.Logs}
	built := map[string]string{} // a program that several functions run is built once
	api, err := e.startInvokeAPI(ctx)
	if err != nil {
		return nil, err
	}
	adapt, err := e.addresses(ctx)
	if err != nil {
		return nil, err
	}
	manager, err := values.start(ctx)
	if err != nil {
		return nil, err
	}
	run := declared.Run()
	e.ready = func(f stack.Function, n, of int) (*runner, error) {
		if f, err = adapt(f); err != nil {
			return nil, err
		}
		binary := built[f.Main]
		if binary == "" {
			binary = filepath.Join(c.WorkDir, f.Name, "bootstrap")
			if err := c.build(ctx, f, binary, n, of); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			built[f.Main] = binary
		}
		r := newRunner(ctx, f, binary, e, lines)
		r.env = append(r.env, "AWS_ENDPOINT_URL_LAMBDA="+api, "AWS_ENDPOINT_URL_SECRETS_MANAGER="+manager)
		return r, nil
	}
	for i, f := range run {
		if e.runners[f.Name], err = e.ready(f, i+1, len(run)); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func (c Config) withDefaults() (Config, error) {
	if err := c.Servers.check(); err != nil {
		return c, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Logs == nil {
		c.Logs = os.Stderr
	}
	if c.MaxProcesses == 0 {
		c.MaxProcesses = 2 * runtime.NumCPU()
	}
	if c.Objects == nil {
		c.Objects = http.NotFoundHandler()
	}
	var err error
	if c.DataDir, err = filepath.Abs(c.DataDir); err != nil {
		return c, err
	}
	if c.StateDir == "" {
		c.StateDir = c.DataDir
	}
	if c.StateDir, err = filepath.Abs(c.StateDir); err != nil {
		return c, err
	}
	if c.WorkDir == "" {
		c.WorkDir = Bootstraps(c.Template)
		if !writable(c.WorkDir) {
			c.WorkDir = filepath.Join(c.StateDir, ".exact", "bin")
		}
	}
	if c.Progress == nil {
		c.Progress = func(Building) {}
	}
	if c.Filling == nil {
		c.Filling = func(Filling) {}
	}
	c.WorkDir, err = filepath.Abs(c.WorkDir)
	return c, err
}

// writable says whether files can be made in a directory, which is made where it is missing.
func writable(dir string) bool {
	if os.MkdirAll(dir, 0o755) != nil {
		return false
	}
	f, err := os.CreateTemp(dir, "writable-*")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}

// Prefixes are the first path segments that go to functions: "/cadastre" for the pattern /cadastre/*.
func (e *Edge) Prefixes() []string {
	var out []string
	for _, b := range e.stack.Behaviours {
		first, _, below := strings.Cut(strings.TrimPrefix(b.Pattern, "/"), "/")
		if prefix := "/" + first; below && b.Function != "" && !slices.Contains(out, prefix) {
			out = append(out, prefix)
		}
	}
	return out
}

// Artefacts is the address of what stands for the folder artefacts/ of the bucket, for programs of this machine.
func (e *Edge) Artefacts() string {
	for _, f := range e.stack.Functions {
		for _, address := range f.Environment {
			if folder, local := folderOf(address, e.config); local && folder == e.config.DataDir && e.config.Servers.given() {
				return e.config.Servers.at(address)
			}
		}
	}
	return e.config.DataDir
}

// Ledgers are the addresses of what stands for the template's tables, for programs of this machine.
func (e *Edge) Ledgers() []string {
	var out []string
	for _, t := range e.stack.Tables {
		if e.config.Servers.given() {
			out = append(out, e.config.Servers.at("dynamodb://"+t.Name))
		} else {
			out = append(out, "sqlite:"+ledgerOf(t.Name, e.config))
		}
	}
	return out
}

// PutSecret gives a secret of the template a new value, as aws secretsmanager put-secret-value does. Functions
// read it while they run; the distribution sends what it was deployed with.
func (e *Edge) PutSecret(logical, value string) { e.secrets.put(stack.SecretARN(logical), value) }

// Deploy evaluates the template again, with some parameters changed, and serves its distribution from then
// on. Functions are not deployed anew: a change of theirs is refused.
func (e *Edge) Deploy(parameters map[string]string) error {
	all := maps.Clone(e.config.Parameters)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, parameters)
	next, err := stack.Load(e.config.Template, stack.Options{Parameters: all, Secret: e.secrets.current})
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(next.Functions, e.stack.Functions) {
		return fmt.Errorf("%s: the parameters change functions, which are not deployed while they run", e.config.Template)
	}
	e.served.Store(next)
	return nil
}

// Wait returns when every process has ended, after the context has.
func (e *Edge) Wait() {
	var group sync.WaitGroup
	for _, r := range e.all() {
		group.Go(r.wait)
	}
	group.Wait()
}

// all are the functions that run, by name.
func (e *Edge) all() map[string]*runner {
	e.late.Lock()
	defer e.late.Unlock()
	all := maps.Clone(e.runners)
	maps.Copy(all, e.scheduled)
	return all
}

// Stats of the functions in the template's order.
func (e *Edge) Stats() []Stats {
	var out []Stats
	all := e.all()
	for _, f := range e.stack.Functions {
		if r := all[f.Name]; r != nil {
			out = append(out, r.stats())
		}
	}
	return out
}

// The limits of CloudFront and Function URLs.
const (
	maxURL     = 8192
	maxHeaders = 20480
	maxEvent   = 6 << 20 // of the event, in which a binary body is base64
)

// maxAnswer of a streamed function; a variable for the tests.
var maxAnswer int64 = 200 << 20

// ServeHTTP routes a request as the distribution does.
func (e *Edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if n := len(r.RequestURI); n > maxURL {
		refuse(w, http.StatusRequestURITooLong, fmt.Sprintf("the address has %d bytes, the CDN takes at most %d: send long lists with POST",
			n, maxURL))
		return
	}
	if n := headerBytes(r.Header); n > maxHeaders {
		refuse(w, http.StatusRequestHeaderFieldsTooLarge, fmt.Sprintf("the headers have %d bytes, the CDN takes at most %d", n, maxHeaders))
		return
	}
	path := endpoint.PlainPath(rawPath(r)) // functions are chosen by it; they are handed the path as it was sent
	for _, b := range e.served.Load().Behaviours {
		if b.Matches(path) {
			e.serve(w, r, b)
			return
		}
	}
}

func (e *Edge) serve(w http.ResponseWriter, r *http.Request, b stack.Behaviour) {
	allowed := false
	for _, m := range b.Methods {
		allowed = allowed || m == r.Method
	}
	if !allowed {
		refuse(w, http.StatusForbidden, fmt.Sprintf("the CDN does not allow %s for %s: allowed are %s", r.Method, b.Pattern,
			strings.Join(b.Methods, ", ")))
		return
	}
	if b.Function == "" {
		e.objects.ServeHTTP(w, withPrefix(r, b.Prefix))
		return
	}
	event, err := newEvent(r, b)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, "the body is over what a function takes: 6 MB as text, about 4.5 MB as binary")
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body could not be read")
		return
	}
	e.runners[b.Function].serve(w, r, event, b)
}

// withPrefix is the request with OriginPath in front of its path.
func withPrefix(r *http.Request, prefix string) *http.Request {
	if prefix == "" {
		return r
	}
	u := *r.URL
	u.Path, u.RawPath = prefix+u.Path, ""
	out := *r
	out.URL = &u
	return &out
}

// rawPath is the path as the client wrote it.
func rawPath(r *http.Request) string {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	if !strings.HasPrefix(path, "/") {
		return r.URL.EscapedPath()
	}
	return path
}

func headerBytes(h http.Header) int {
	n := 0
	for name, values := range h {
		for _, v := range values {
			n += len(name) + len(v) + 4
		}
	}
	return n
}

// refuse is an answer of the edge itself.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	body, err := json.Marshal(struct {
		Error  string `json:"error"`
		Status int    `json:"status"`
	}{message, status})
	if err == nil {
		w.Write(body)
	}
}
