package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/infra/bench/load"
)

// answersSeconds is how long each load of a round takes, answersRounds how often each server is asked each question.
const (
	answersSeconds = 2
	answersRounds  = 3
	answersClients = 16
)

// answers says what an answer to each question costs the processes of some programs that serve the same data, and beside them
// one that answers as many bytes with net/http and does nothing else. Only one process may serve a folder: the programs are
// started in turn, several times, so that what else the machine does falls on all of them.
func (p *proof) answers(ctx context.Context, programs []string) error {
	p.spots(p.peer) // made before anybody waits for them
	names := append(slices.Clone(programs), "net/http alone")
	took, sizes := make([][][]float64, len(names)), make([]int64, len(questions))
	for range answersRounds {
		for i := range names {
			if err := p.costs(ctx, names[i], i == len(programs), &took[i], sizes); err != nil {
				return err
			}
		}
	}
	for k, q := range questions {
		fmt.Printf("%s, %d bytes:", q.name, sizes[k])
		for i := range names {
			var all []float64
			for _, round := range took[i] {
				all = append(all, round[k])
			}
			slices.Sort(all)
			fmt.Printf(" %s %.0f µs of processor time (%.0f to %.0f);", names[i], all[len(all)/2], all[0], all[len(all)-1])
		}
		fmt.Println()
	}
	return nil
}

// costs starts a server and puts all questions to it. took gets the microseconds of each.
func (p *proof) costs(ctx context.Context, name string, bare bool, took *[][]float64, sizes []int64) (err error) {
	start := p.serve
	if bare {
		start = p.serveBare
	}
	p.program = name
	s, err := start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	round := make([]float64, len(questions))
	for k, q := range questions {
		next := func(n int) (string, string, []byte) {
			return "GET", q.path(p, n) + fmt.Sprintf("&nocache=%d", 1+n), nil
		}
		if bare {
			next = func(int) (string, string, []byte) { return "GET", "/" + strconv.FormatInt(sizes[k], 10), nil }
		}
		for _, d := range []time.Duration{time.Second, answersSeconds * time.Second} { // the first fills what is kept in memory
			before, err := s.processor()
			if err != nil {
				return err
			}
			r, err := load.Load{Host: s.host, Clients: answersClients, Duration: d, Next: next}.Polled(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", q.name, err)
			}
			after, err := s.processor()
			if err != nil {
				return err
			}
			sizes[k], round[k] = r.Bytes, (after-before).Seconds()*1e6/float64(r.Answers)
		}
	}
	*took = append(*took, round)
	return nil
}

// processor is the time that the process has taken, of the program and of the system for it; on Linux.
func (s *served) processor() (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(b), ") ") // the name before may hold anything
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0, errors.New("/proc/PID/stat has too few fields")
	}
	ticks := 0
	for _, text := range f[11:13] {
		n, err := strconv.Atoi(text)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil // USER_HZ is 100 on all of Linux's architectures that we have
}

// serveBare starts this program as the server that does nothing else.
func (p *proof) serveBare(ctx context.Context) (*served, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &served{host: l.Addr().String()}
	l.Close()
	s.cmd = exec.CommandContext(ctx, p.self, "-bare", s.host)
	s.cmd.Stderr = os.Stderr
	return s, s.started(ctx, "/2")
}

// bare answers /N with N bytes.
func bare(addr string) error {
	body := []byte(strings.Repeat(" ", 1<<20))
	return http.ListenAndServe(addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || n < 0 || n > len(body) {
			http.NotFound(w, r)
			return
		}
		w.Header()["Content-Length"] = []string{strconv.Itoa(n)}
		_, _ = w.Write(body[:n]) // the client's own doing when it stops reading
	}))
}
