package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/infra/oracles/dynalite"
	"mappe/localdev/exact"
	"mappe/localdev/exact/servers"
)

// logged collects what the functions print.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// faulty is the functions of the template over servers of their own, in this process, so that what goes wrong can be changed.
type faulty struct {
	edge   *exact.Edge
	base   string
	logs   *logged
	ledger string // without faults
}

// startFaulty fills two servers with published data and runs the functions over them, which up --exact has built before.
func startFaulty(t *testing.T, data string, parameters map[string]string) *faulty {
	t.Helper()
	dynalite.Installed(t)
	programs, err := servers.Find(root(t))
	if err != nil {
		t.Skip("skipped: no S3 server for the functions: make tools installs versitygw")
	}
	ctx := t.Context()
	given, stop, err := servers.Start(ctx, programs, filepath.Join(t.TempDir(), "s3"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	f := &faulty{logs: &logged{}}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.edge.ServeHTTP(w, r) }))
	f.base = "http://" + server.Listener.Addr().String()
	parameters["PublicUrl"], parameters["ClientLimits"] = f.base, "no"
	f.edge, err = exact.Start(ctx, exact.Config{Template: filepath.Join(root(t), "template.yaml"), DataDir: data, Servers: given,
		Built: true, Faults: &exact.Faults{}, Parameters: parameters, Logs: f.logs, MaxProcesses: 2})
	if err != nil {
		t.Fatal(err)
	}
	f.ledger = f.edge.Ledgers()[0]
	server.Start()
	t.Cleanup(server.Close)
	return f
}

// total adds the counts of all functions.
func (f *faulty) total() (sum exact.Stats) {
	for _, s := range f.edge.Stats() {
		sum.TimedOut += s.TimedOut
		sum.OutOfMemory += s.OutOfMemory
		sum.Processes += s.Processes
		sum.Invocations += s.Invocations
	}
	return sum
}

// round is a time in which something goes wrong.
type round struct {
	name   string
	faults exact.Faults
	every  int  // each so manieth exchange is asked
	dies   bool // functions end in the middle: the platform answers, or breaks the answer off
	least  func(*testing.T, *faulty)
}

func count(what string, n func(*faulty) int64) func(*testing.T, *faulty) {
	return func(t *testing.T, f *faulty) {
		t.Helper()
		if n(f) == 0 {
			t.Errorf("no fault was met: %s", what)
		}
	}
}

var rounds = []round{
	{name: "throttled servers and lost answers", faults: exact.Faults{Cold: true, Store: 0.1, Ledger: 0.2, Lost: 0.1}, every: 2,
		least: count("requests of both servers", func(f *faulty) int64 {
			return min(f.edge.Injected().Store, f.edge.Injected().Ledger)
		})},
	{name: "cold starts", faults: exact.Faults{Cold: true}, every: 8},
	{name: "no objects", faults: exact.Faults{Cold: true, Store: 1}, every: 16},
	{name: "no records", faults: exact.Faults{Cold: true, Ledger: 1}, every: 4},
	{name: "killed functions", faults: exact.Faults{Kill: 0.5}, every: 2, dies: true,
		least: count("killed invocations", func(f *faulty) int64 { return f.edge.Injected().Killed })},
	{name: "too little memory", faults: exact.Faults{Cold: true, MemoryMB: 1}, every: 16, dies: true,
		least: func(t *testing.T, f *faulty) {
			if f.total().OutOfMemory == 0 || !strings.Contains(f.logs.String(), "Runtime exited with error: signal: killed") {
				t.Errorf("want functions out of memory, and the log to say so as Lambda does: %+v", f.total())
			}
		}},
	{name: "too little time", faults: exact.Faults{Cold: true, Timeout: 20 * time.Millisecond}, every: 16, dies: true,
		least: func(t *testing.T, f *faulty) {
			if f.total().TimedOut == 0 || !strings.Contains(f.logs.String(), "Task timed out after 0.02 seconds") {
				t.Errorf("want functions that took too long, and the log to say so as Lambda does: %+v", f.total())
			}
		}},
	{name: "afterwards", every: 1},
}

// faults asks the functions the script while something goes wrong with their servers or with them. Each answer is the right one, or
// says that it is not available now; afterwards all are right.
func faults(t *testing.T, data string, script []Exchange, right []Answer) {
	money := newMoney(t)
	f := startFaulty(t, data, money.parameters())
	once := f.order(t, money)
	for _, r := range rounds {
		t.Run(r.name, func(t *testing.T) {
			began, before := time.Now(), f.total()
			f.edge.SetFaults(r.faults)
			answered, refused := f.ask(t, r, script, right)
			f.edge.SetFaults(exact.Faults{})
			if r.least != nil {
				r.least(t, f)
			}
			if n := f.total().Processes - before.Processes; r.faults.Cold && n < answered {
				t.Errorf("want a process for each of %d answers, got %d", answered, n)
			}
			if answered == 0 && !r.dies || r.name == "afterwards" && refused > 0 {
				t.Errorf("%d answered, %d refused", answered, refused)
			}
			t.Logf("%d answered, %d refused, %d invocations, %.1f s; so far %+v", answered, refused,
				f.total().Invocations-before.Invocations, time.Since(began).Seconds(), f.edge.Injected())
		})
	}
	t.Run("once", once)
}

// ask sends the exchanges of a round, some at a time.
func (f *faulty) ask(t *testing.T, r round, script []Exchange, right []Answer) (answered, refused int) {
	t.Helper()
	client := &http.Client{Timeout: time.Minute}
	var mu sync.Mutex
	var group sync.WaitGroup
	next := make(chan int)
	for range 4 {
		group.Go(func() {
			for i := range next {
				good, err := judge(client, f.base, r, script[i], right[i])
				mu.Lock()
				if good {
					answered++
				} else {
					refused++
				}
				mu.Unlock()
				if err != nil {
					t.Errorf("%s: %v", script[i].Name, err)
				}
			}
		})
	}
	n := 0
	for i, e := range script {
		if e.Compare {
			if n%r.every == 0 {
				next <- i
			}
			n++
		}
	}
	close(next)
	group.Wait()
	return answered, refused
}

// judge sends one exchange. An error is an answer that is neither right nor an honest refusal.
func judge(client *http.Client, base string, r round, e Exchange, right Answer) (answered bool, err error) {
	req, err := http.NewRequest(e.Method, base+e.Path, bytes.NewReader(e.Body))
	if err != nil {
		return false, err
	}
	for name, values := range e.Header {
		req.Header[name] = values
	}
	if len(e.Body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	a, err := client.Do(req)
	if err != nil {
		return false, brokenOff(r, err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		return false, brokenOff(r, err)
	}
	kind, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	switch {
	case a.StatusCode == right.Status && kind == right.Type && Stable(body) == Stable(right.Body):
		return true, nil
	case a.StatusCode == http.StatusBadGateway && r.dies:
		return false, nil
	case a.StatusCode == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != "":
		return false, nil
	}
	return false, fmt.Errorf("want %d %.300s, or a 503 with Retry-After, got %d %v %.500s", right.Status, right.Body, a.StatusCode,
		a.Header, body)
}

// brokenOff is nil where an answer may be broken off.
func brokenOff(r round, err error) error {
	if r.dies {
		return nil
	}
	return err
}
