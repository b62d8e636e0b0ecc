package exact

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"mappe/shared/cloud/awsenv"
	"mappe/shared/cloud/stack"
)

// runner is one function: its processes, at most so many, each with one invocation at a time.
type runner struct {
	stack.Function
	ctx    context.Context
	binary string
	env    []string
	lines  *lineWriter
	log    *slog.Logger
	edge   *Edge // whose faults hit

	slots    chan struct{} // a token for each process that may be busy
	throttle bool          // no slot: 429 instead of waiting

	mu    sync.Mutex
	idle  []*process
	all   sync.WaitGroup
	count Stats
}

// Stats is what a function did so far.
type Stats struct {
	Function    string
	MemoryMB    int // of the template
	Processes   int // started
	Invocations int
	Throttled   int
	TimedOut    int
	OutOfMemory int           // ended for want of memory
	Failed      int           // function errors and processes that ended
	SlowestInit time.Duration // from process start to the beginning of its first answer
	MaxRSS      int64         // bytes, of the largest process; 0 where the system does not tell
}

func newRunner(ctx context.Context, f stack.Function, binary string, e *Edge, lines *lineWriter) *runner {
	c := e.config
	r := &runner{Function: f, ctx: ctx, binary: binary, lines: lines, log: c.Log, edge: e}
	most := c.MaxProcesses
	if f.Concurrency > 0 && f.Concurrency <= most {
		most, r.throttle = f.Concurrency, true
	}
	r.slots = make(chan struct{}, most)
	r.env = environment(f)
	r.count = Stats{Function: f.Name, MemoryMB: f.MemoryMB}
	return r
}

// environment is that of the Lambda runtime and the template's.
func environment(f stack.Function) []string {
	key, secret := awsenv.OrLocal()
	env := []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=en_US.UTF-8", "TZ=:UTC",
		"_HANDLER=bootstrap", "LAMBDA_TASK_ROOT=.",
		"AWS_LAMBDA_FUNCTION_NAME=local-" + strings.ToLower(f.Name),
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=" + strconv.Itoa(f.MemoryMB),
		"AWS_LAMBDA_INITIALIZATION_TYPE=on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME=/aws/lambda/local-" + strings.ToLower(f.Name),
		"AWS_LAMBDA_LOG_FORMAT=JSON", "AWS_LAMBDA_LOG_LEVEL=INFO",
		"AWS_REGION=" + stack.Region, "AWS_DEFAULT_REGION=" + stack.Region,
		"AWS_ACCESS_KEY_ID=" + key, "AWS_SECRET_ACCESS_KEY=" + secret,
	}
	for name, value := range f.Environment {
		env = append(env, name+"="+value)
	}
	return env
}

var errThrottled = errors.New("throttled")

// acquire gives a process that nobody else has: an idle one or a new one.
func (r *runner) acquire(ctx context.Context) (*process, error) {
	select {
	case r.slots <- struct{}{}:
	default:
		if r.throttle {
			return nil, errThrottled
		}
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-r.ctx.Done():
			return nil, r.ctx.Err()
		}
	}
	for {
		p := r.takeIdle()
		if p == nil {
			break
		}
		if p.alive() {
			return p, nil
		}
	}
	p, err := r.startProcess()
	if err != nil {
		<-r.slots
		return nil, err
	}
	return p, nil
}

func (r *runner) takeIdle() *process {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.idle) == 0 {
		return nil
	}
	p := r.idle[len(r.idle)-1] // the warmest
	r.idle = r.idle[:len(r.idle)-1]
	return p
}

func (r *runner) release(p *process) {
	rss := p.peakRSS()
	if r.edge.faults.Load().Cold {
		p.kill("a process has one invocation")
		<-p.dead
	}
	r.mu.Lock()
	r.count.MaxRSS = max(r.count.MaxRSS, rss)
	if p.alive() {
		r.idle = append(r.idle, p)
	}
	r.mu.Unlock()
	<-r.slots
}

func (r *runner) tally(change func(s *Stats)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.count)
}

func (r *runner) stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

func (r *runner) wait() { r.all.Wait() }

// serve answers one request by one invocation.
func (r *runner) serve(w http.ResponseWriter, req *http.Request, e event, b stack.Behaviour) {
	p, err := r.acquire(req.Context())
	switch {
	case errors.Is(err, errThrottled):
		r.tally(func(s *Stats) { s.Throttled++ })
		refuse(w, http.StatusTooManyRequests, "Rate Exceeded.")
		return
	case err != nil:
		r.log.Error("no process", "function", r.Name, "error", err)
		refuse(w, http.StatusBadGateway, "the function could not be started; its log says why")
		return
	}
	r.tally(func(s *Stats) { s.Invocations++ })
	inv := newInvocation(e, r.timeout())
	unwatch := r.watch(p, inv)
	begun := make(chan outcome, 1)
	go func() { begun <- p.invoke(inv) }()
	select {
	case o := <-begun:
		done := sync.OnceFunc(func() {
			unwatch()
			r.release(p)
		})
		defer done()
		stop := p.afterDeath(done) // a client who reads no more does not hold the copy of a process that has ended
		defer stop()
		r.answer(w, req, p, inv, o)
	case <-time.After(time.Duration(b.TimeoutS) * time.Second):
		refuse(w, http.StatusGatewayTimeout, "the function did not begin to answer within the CDN's time")
		go func() { // the invocation goes on, as in the cloud
			(<-begun).drain()
			unwatch()
			r.release(p)
		}()
	}
}

// answer sends what the function streams, or 502 where it failed before its first byte.
func (r *runner) answer(w http.ResponseWriter, req *http.Request, p *process, inv *invocation, o outcome) {
	if first := p.firstAnswer(); first > 0 {
		r.tally(func(s *Stats) { s.SlowestInit = max(s.SlowestInit, first) })
	}
	var err error
	if o.err == nil {
		err = o.forward(w, req.Method)
	} else if err = o.err; !inv.timedOut.Load() {
		r.log.Error("invocation", "function", r.Name, "request", inv.id, "error", err)
	}
	if err == nil {
		return
	}
	r.tally(func(s *Stats) { s.Failed++ })
	if !o.begun {
		refuse(w, http.StatusBadGateway, "Internal Server Error")
		return
	}
	panic(http.ErrAbortHandler) // half an answer must look like one
}
