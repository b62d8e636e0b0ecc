package server

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"mappe/artefacts/library"
	"mappe/localdev/disk"
	"mappe/shared/cloud/processing"
)

// metrics count what the server answers, for collectors of the Prometheus text format. The zero value is ready.
type metrics struct {
	mu       sync.Mutex
	requests map[served]*timing
	panics   uint64
	failures uint64 // records of the log at the level of errors, but panics
}

// served is what requests are counted by: all values are of closed sets.
type served struct{ service, status string }

// bounds of the durations in seconds.
var bounds = [...]float64{0.005, 0.025, 0.1, 0.5, 2.5, 10}

type timing struct {
	count   uint64
	seconds float64
	within  [len(bounds)]uint64
}

// metered counts the requests of a handler by the service under whose prefix their path lies, and by status.
func (m *metrics) metered(services map[string]http.Handler, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l := &line{ResponseWriter: w}
		began := time.Now()
		defer func() { m.note(serviceOf(services, r.URL.Path), l.status, time.Since(began)) }()
		h.ServeHTTP(l, r)
	})
}

func serviceOf(services map[string]http.Handler, path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if services["/"+first] == nil {
		return "site"
	}
	return first
}

func (m *metrics) note(service string, status int, took time.Duration) {
	if status == 0 { // nothing was written: the server answers 200, or the connection was cut
		status = http.StatusOK
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requests == nil {
		m.requests = map[served]*timing{}
	}
	k := served{service, strconv.Itoa(status)}
	t := m.requests[k]
	if t == nil {
		t = &timing{}
		m.requests[k] = t
	}
	t.count++
	t.seconds += took.Seconds()
	for i, most := range bounds {
		if took.Seconds() <= most {
			t.within[i]++
		}
	}
}

// counting is a log handler that counts panics and errors.
type counting struct {
	slog.Handler
	m *metrics
}

func (c counting) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		c.m.mu.Lock()
		if r.Message == "panic" {
			c.m.panics++
		} else {
			c.m.failures++
		}
		c.m.mu.Unlock()
	}
	return c.Handler.Handle(ctx, r)
}

// Enabled lets errors through to be counted, whatever is printed.
func (c counting) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelError || c.Handler.Enabled(ctx, l)
}

func (c counting) WithAttrs(attrs []slog.Attr) slog.Handler {
	return counting{c.Handler.WithAttrs(attrs), c.m}
}
func (c counting) WithGroup(name string) slog.Handler {
	return counting{c.Handler.WithGroup(name), c.m}
}

// page writes metrics in the text format.
type page struct{ bytes.Buffer }

func (p *page) family(name, kind, help string) {
	fmt.Fprintf(p, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (p *page) value(name, labels string, v float64) {
	if labels != "" {
		labels = "{" + labels + "}"
	}
	fmt.Fprintf(p, "%s%s %s\n", name, labels, strconv.FormatFloat(v, 'g', -1, 64))
}

func (p *page) single(name, kind, help string, v float64) {
	p.family(name, kind, help)
	p.value(name, "", v)
}

// write answers a collector.
func (m *metrics) write(c Config, lib *library.Library) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var p page
		m.answers(&p)
		s := lib.Stats()
		p.single("mappe_cache_bytes", "gauge", "Bytes of artefacts held in memory.", float64(s.Bytes))
		p.single("mappe_cache_budget_bytes", "gauge", "Bytes that artefacts in memory may take.", float64(s.BudgetBytes))
		p.single("mappe_cache_hits_total", "counter", "Reads answered from memory.", float64(s.Hits))
		p.single("mappe_cache_misses_total", "counter", "Reads that asked the object store.", float64(s.Misses))
		p.single("mappe_store_failures_total", "counter", "Reads of the object store that failed.", float64(s.Failures))
		c.state(r.Context(), &p)
		_, open := c.inflight.List()
		p.single("mappe_requests_in_flight", "gauge", "Requests that are being answered.", float64(open))
		var mem runtime.MemStats
		runtime.ReadMemStats(&mem)
		p.single("process_heap_bytes", "gauge", "Bytes of the heap in use.", float64(mem.HeapInuse))
		p.single("process_goroutines", "gauge", "Goroutines.", float64(runtime.NumGoroutine()))
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(p.Bytes()) // the client's own doing when it stops reading
	}
}

// answers writes the counts of requests.
func (m *metrics) answers(p *page) {
	m.mu.Lock()
	defer m.mu.Unlock()
	keys := make([]served, 0, len(m.requests))
	for k := range m.requests {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b served) int { return strings.Compare(a.service+a.status, b.service+b.status) })
	p.family("mappe_request_duration_seconds", "histogram", "Requests by service and status, and how long they took.")
	for _, k := range keys {
		t, of := m.requests[k], fmt.Sprintf("service=%q,status=%q", k.service, k.status)
		for i, most := range bounds {
			p.value("mappe_request_duration_seconds_bucket", of+`,le="`+strconv.FormatFloat(most, 'g', -1, 64)+`"`, float64(t.within[i]))
		}
		p.value("mappe_request_duration_seconds_bucket", of+`,le="+Inf"`, float64(t.count))
		p.value("mappe_request_duration_seconds_sum", of, t.seconds)
		p.value("mappe_request_duration_seconds_count", of, float64(t.count))
	}
	p.single("mappe_panics_total", "counter", "Requests that ended with a panic: each is a fault of the program.", float64(m.panics))
	p.single("mappe_errors_logged_total", "counter", "Errors that were logged, but panics.", float64(m.failures))
}

// state writes the state of the data, the disks and the queue. What cannot be read has no value: a collector alarms on
// its absence.
func (c Config) state(ctx context.Context, p *page) {
	if g, err := pointer(ctx, c.Store); err == nil {
		p.single("mappe_kgs", "gauge", "KGs with a snapshot in the served generation.", float64(g.KGCount))
		if at, err := time.Parse(time.DateOnly, g.Stichtag); err == nil {
			p.single("mappe_data_age_days", "gauge", "Days since the date of the data.", float64(int(time.Since(at).Hours()/24)))
		}
	}
	if len(c.Disks) > 0 {
		p.family("mappe_disk_free_bytes", "gauge", "Free bytes of the file systems of the data and the state.")
		for _, d := range c.Disks {
			if s, err := disk.Of(d.Dir); err == nil {
				p.value("mappe_disk_free_bytes", fmt.Sprintf("of=%q", d.Name), float64(s.Free))
			}
		}
	}
	if c.Processing == nil {
		return
	}
	p.family("mappe_jobs", "gauge", "Jobs on KGs by kind and state.")
	for _, kind := range []string{processing.Process, processing.Repair, processing.Archive} {
		if queued, running, err := c.Processing.Count(ctx, kind); err == nil {
			p.value("mappe_jobs", fmt.Sprintf(`kind=%q,state="queued"`, kind), float64(queued))
			p.value("mappe_jobs", fmt.Sprintf(`kind=%q,state="running"`, kind), float64(running))
		}
	}
}
