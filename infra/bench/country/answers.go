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
// one that answers as many bytes with net/http and does nothing else. They are asked in turn, so that what else the machine
// does falls on all of them.
func (p *proof) answers(ctx context.Context, programs []string) (err error) {
	names, servers := append(slices.Clone(programs), "net/http alone"), []*served{}
	for _, name := range programs {
		p.program = name
		s, err := p.serve(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.stop()) }()
		servers = append(servers, s)
	}
	floor, err := p.serveBare(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, floor.stop()) }()
	servers = append(servers, floor)
	p.spots(p.peer) // made before anybody waits for them
	for _, q := range questions {
		if err := p.cost(ctx, q, names, servers); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
	}
	return nil
}

// cost puts one question to all servers, the last of which is bare.
func (p *proof) cost(ctx context.Context, q question, names []string, servers []*served) error {
	took := make([][]float64, len(servers))
	size := int64(0)
	for round := range 1 + answersRounds { // the first only fills what they keep in memory
		for i, s := range servers {
			next := func(n int) (string, string, []byte) {
				return "GET", q.path(p, n) + fmt.Sprintf("&nocache=%d", 1+n), nil
			}
			if i == len(servers)-1 {
				next = func(int) (string, string, []byte) { return "GET", "/" + strconv.FormatInt(size, 10), nil }
			}
			before, err := s.processor()
			if err != nil {
				return err
			}
			r, err := load.Load{Host: s.host, Clients: answersClients, Duration: answersSeconds * time.Second, Next: next}.Polled(ctx)
			if err != nil {
				return err
			}
			after, err := s.processor()
			if err != nil {
				return err
			}
			if size = r.Bytes; round > 0 {
				took[i] = append(took[i], (after-before).Seconds()*1e6/float64(r.Answers))
			}
		}
	}
	fmt.Printf("%s, %d bytes:", q.name, size)
	for i, all := range took {
		slices.Sort(all)
		fmt.Printf(" %s %.0f µs of processor time (%.0f to %.0f);", names[i], all[len(all)/2], all[0], all[len(all)-1])
	}
	fmt.Println()
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
