package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/functions/expander"
	"mappe/infra/bench/cputime"
	"mappe/shared/cloud/pay"
)

// free is the gate of the bench: it lets everything through.
type free struct{ *pay.Gate }

func (free) Wrap(next http.Handler) http.Handler { return next }
func (free) OpenAPIExtensions() map[string]any   { return nil }

// serveExpander serves until the context ends; /cpu is the CPU time used so far in seconds.
func serveExpander(ctx context.Context) error {
	h, err := expander.New(expander.Deps{Gate: free{}}).Handler()
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", h)
	mux.HandleFunc("GET /cpu", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, cputime.Used().Seconds())
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr().(*net.TCPAddr).Port)
	s := &http.Server{Handler: mux}
	go func() { <-ctx.Done(); s.Close() }()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// server is a running one.
type server struct {
	url  string
	http http.Client
	stop func()
}

func startOwn(ctx context.Context) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, self, "--serve")
	c.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=800") // as the function runs
	return start(c)
}

func startPeers(ctx context.Context) (*server, error) {
	dir := filepath.Join("infra", "bench", "expander")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "rrule-temporal")); err != nil {
		return nil, fmt.Errorf("npm install --no-save --prefix %s was not run", dir)
	}
	c := exec.CommandContext(ctx, "node", "peers.mjs")
	c.Dir = dir
	return start(c)
}

// start runs a server that prints its port.
func start(c *exec.Cmd) (*server, error) {
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		c.Process.Kill()
		c.Wait() // it was killed
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return nil, fmt.Errorf("%s printed no port: %w", c.Path, err)
	}
	return &server{url: "http://127.0.0.1:" + strings.TrimSpace(line), stop: stop}, nil
}

func (s *server) post(path string, body []byte) ([]byte, error) {
	r, err := s.http.Post(s.url+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %.300s", r.StatusCode, b)
	}
	return b, err
}

// cpu is the CPU time the server has used.
func (s *server) cpu() (time.Duration, error) {
	r, err := s.http.Get(s.url + "/cpu")
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, err
	}
	seconds, err := strconv.ParseFloat(string(b), 64)
	return time.Duration(seconds * float64(time.Second)), err
}

// figures of a load.
type figures struct {
	requests       int
	mean, p50, p99 time.Duration
	cpu            time.Duration // of the server, a request
	bytes          int64
}

// measure sends one request after the other.
func (s *server) measure(ctx context.Context, l *load, d time.Duration) (f figures, err error) {
	if _, err := s.post(l.path, l.body); err != nil { // warm
		return f, err
	}
	before, err := s.cpu()
	if err != nil {
		return f, err
	}
	var took []time.Duration
	var sum time.Duration
	for begun := time.Now(); time.Since(begun) < d || len(took) < 2; {
		if ctx.Err() != nil {
			return f, ctx.Err()
		}
		sent := time.Now()
		req, err := http.NewRequest(http.MethodPost, s.url+l.path, bytes.NewReader(l.body))
		if err != nil {
			return f, err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept-Encoding", "identity")
		r, err := s.http.Do(req)
		if err != nil {
			return f, err
		}
		f.bytes, err = io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK {
			return f, errors.Join(err, fmt.Errorf("status %d", r.StatusCode))
		}
		took = append(took, time.Since(sent))
		sum += took[len(took)-1]
	}
	after, err := s.cpu()
	slices.Sort(took)
	f.requests = len(took)
	f.mean, f.p50, f.p99 = sum/time.Duration(len(took)), took[len(took)/2], took[len(took)*99/100]
	f.cpu = (after - before) / time.Duration(len(took))
	return f, err
}
