package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"mappe/infra/bench/load"
)

// served is the program that a user starts, in a process of its own.
type served struct {
	cmd  *exec.Cmd
	host string
}

// serve starts it and waits until it is ready.
func (p *proof) serve(ctx context.Context) (*served, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &served{host: l.Addr().String()}
	l.Close()
	s.cmd = exec.CommandContext(ctx, p.program, "up", "--data", p.data, "--addr", s.host, "--budget", "0")
	s.cmd.Stderr = os.Stderr
	return s, s.started(ctx, "/cadastre/api/v1/license")
}

// started starts the process and waits until it answers a path.
func (s *served) started(ctx context.Context, path string) error {
	err := s.cmd.Start()
	if err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < 2*time.Minute; time.Sleep(5 * time.Millisecond) {
		if _, err = s.get(ctx, path); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("the server was not ready within two minutes: %w", err)
}

func (s *served) stop() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	_ = s.cmd.Wait() // ended by the signal
	return nil
}

// get is an answer of status 200.
func (s *served) get(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.host+path, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close() // read only
	b, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %.300s", path, res.Status, b)
	}
	return b, err
}

// memory says what the process holds and has held at most, on Linux.
func (s *served) memory() string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return ""
	}
	var now, most int
	for line := range strings.Lines(string(b)) {
		_, _ = fmt.Sscanf(line, "VmRSS: %d kB", &now) // other lines are passed over
		_, _ = fmt.Sscanf(line, "VmHWM: %d kB", &most)
	}
	return fmt.Sprintf("%d MB of memory, at most %d", now/1024, most/1024)
}

// spot is a place of which is known in which parcel it lies.
type spot struct {
	lon, lat float64
	parcel   string
}

// spots are places in parcels of KGs drawn from all, or from those of a state, never of KGs that change.
func (p *proof) spots(state string) []spot {
	const kgs, each = 200, 40
	if have, ok := p.truth[state]; ok {
		return have
	}
	r := rand.New(rand.NewPCG(1, 2))
	var from []int
	for i, k := range p.c.kgs {
		if !changes(i) && (state == "" || string(k.GemeindeCode.State()) == state) {
			from = append(from, i)
		}
	}
	var out []spot
	for range min(kgs, len(from)) {
		s := p.c.snapshot(from[r.IntN(len(from))])
		for range each {
			k := &s.Parcels[r.IntN(len(s.Parcels))]
			out = append(out, spot{k.Inside.Lon(), k.Inside.Lat(), string(s.KG.Code) + "-" + string(k.GNR)})
		}
	}
	p.truth[state] = out
	return out
}

// at asks for the parcel at a spot.
func (s spot) at() string {
	return fmt.Sprintf("/cadastre/api/v1/spatial/point?lon=%.7f&lat=%.7f&radius=0&attrs_only=true&fields=parcel_id,gnr,ez,status,area_sqm",
		s.lon, s.lat)
}

// points has clients ask for the parcels at spots, and counts answers with another parcel.
func (p *proof) points(ctx context.Context, s *served, clients int, d time.Duration) (string, error) {
	spots, wrong, first := p.spots(""), 0, ""
	next := func(n int) (string, string, []byte) {
		return "GET", spots[n*7919%len(spots)].at() + fmt.Sprintf("&nocache=%d", n), nil
	}
	check := func(n int, body []byte) error {
		if want := spots[n*7919%len(spots)].parcel; !only(body, want) {
			if wrong++; first == "" {
				first = fmt.Sprintf("; the first: expected %s, got %.300s", want, body)
			}
		}
		return nil
	}
	r, err := load.Load{Host: s.host, Clients: clients, Duration: d, Next: next, Check: check}.Polled(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d clients, points in %d KGs: %d answers, %.0f a second, median %.2f ms, 99 of 100 within %.2f ms; wrong: %d%s; %s",
		clients, len(spots)/40, r.Answers, r.PerSecond,
		r.P50.Seconds()*1000, r.P99.Seconds()*1000, wrong, first, s.memory()), nil
}

// only says whether an answer has one parcel, this one.
func only(body []byte, parcel string) bool {
	var a struct {
		Data []struct {
			ParcelID string `json:"parcel_id"`
		} `json:"data"`
	}
	return json.Unmarshal(body, &a) == nil && len(a.Data) == 1 && a.Data[0].ParcelID == parcel
}

// clients is the load of 64.
func (p *proof) clients(ctx context.Context) (lines []string, err error) {
	s, err := p.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	line, err := p.points(ctx, s, 64, p.load)
	return []string{line}, err
}

// firsts are one question of each kind, as the first of a new process.
func (p *proof) firsts() []string {
	k, s := p.c.kgs[len(p.c.kgs)/2], p.spots("")[0]
	return []string{
		s.at(),
		"/cadastre/api/v1/query?kg=" + string(k.Code),
		"/cadastre/api/v1/query?gemeinde_code=" + string(k.GemeindeCode),
		"/cadastre/api/v1/query?has_buildings=true",
		"/cadastre/api/v1/search/kg?q=" + url.QueryEscape(k.Name),
		"/cadastre/api/v1/search/text?q=" + url.QueryEscape(k.Name),
		"/cadastre/api/v1/search/address?q=" + url.QueryEscape("Hauptstraße 3, "+k.Name),
		"/cadastre/api/v1/search/gnr?gnr=" + url.QueryEscape("123/1"),
		fmt.Sprintf("/context/api/v1/context?lon=%.6f&lat=%.6f", s.lon, s.lat),
		"/context/api/v1/ne/" + string(k.Code) + "/head",
		fmt.Sprintf("/context/api/v1/ne/cells?lon=%.6f&lat=%.6f&k=1", s.lon, s.lat),
	}
}
