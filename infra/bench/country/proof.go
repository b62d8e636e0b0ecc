package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// proof is the country from its raw sources to its answers. What a step has said stands in its folder: a run that was
// stopped goes on with the first that has not ended.
type proof struct {
	c           *country
	where, data string
	self        string // this program
	program     string // localdev
	jobs        int
	load        time.Duration     // of 64 clients
	peer        string            // the state whose parcels PostGIS gets; "" for none
	truth       map[string][]spot // by state; of "" those of all
	peers       []int             // KGs of that state
}

// A step gives lines for the report.
type step struct {
	name string
	do   func(context.Context) ([]string, error)
}

func (p *proof) run(ctx context.Context) error {
	for _, s := range []step{
		{"sources", p.sources}, {"build", p.build}, {"cold", p.cold}, {"beside-postgis", p.beside}, {"load", p.clients},
		{"change", p.change}, {"absent", p.absent}, {"mirror", p.mirror}, {"verify", p.verify},
		{"sizes", p.sizes},
	} {
		file := filepath.Join(p.where, "steps", s.name)
		said, err := os.ReadFile(file)
		if err != nil {
			lines, err := s.do(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			said = []byte(strings.Join(lines, "\n") + "\n")
			if err := write(p.where, "steps/"+s.name, said); err != nil {
				return err
			}
		}
		fmt.Printf("%s\n%s\n", strings.ToUpper(s.name), said)
	}
	return nil
}

// took is what a process took that has ended.
func took(s *os.ProcessState, wall time.Duration) string {
	line := fmt.Sprintf("%.0f s; processor %.0f s", wall.Seconds(), (s.UserTime() + s.SystemTime()).Seconds())
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		line += fmt.Sprintf(", at most %d MB of memory", u.Maxrss/1024)
	}
	return line
}

// command runs a program to its end, with the memory that localdev build keeps to, and gives what it printed and what it took.
func command(ctx context.Context, name string, args ...string) (out, cost string, err error) {
	var b strings.Builder
	c := exec.CommandContext(ctx, name, args...)
	c.Stdout, c.Stderr = &b, os.Stderr
	c.Env = append(os.Environ(), "GOMEMLIMIT=1536MiB")
	began := time.Now()
	if err := c.Run(); err != nil {
		return b.String(), "", fmt.Errorf("%s: %w: %s", strings.Join(append([]string{filepath.Base(name)}, args...), " "), err,
			last(b.String()))
	}
	return strings.TrimSpace(b.String()), took(c.ProcessState, time.Since(began)), nil
}

// last is the end of a program's words.
func last(s string) string { return s[max(0, len(s)-500):] }

func (p *proof) sources(context.Context) ([]string, error) {
	began, u := time.Now(), own()
	if err := p.c.writeSources(p.where); err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("%d KGs; %.0f s; processor %.0f s", len(p.c.kgs), time.Since(began).Seconds(), (own() - u).Seconds())}, nil
}

// own is the processor time of this program.
func own() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// build builds what is not built, and publishes it.
func (p *proof) build(ctx context.Context) ([]string, error) {
	out, cost, err := command(ctx, p.self, "-dir", p.where, "-jobs", fmt.Sprint(p.jobs), "-build", fmt.Sprint(len(p.c.kgs)))
	return []string{out, cost}, err
}

func (p *proof) verify(ctx context.Context) ([]string, error) {
	out, cost, err := command(ctx, p.program, "verify", "--data", p.data)
	passed, warned := strings.Count(out, " pass "), strings.Count(out, " warn ")
	_, counts, _ := strings.Cut(out, "\n{\n")
	return []string{fmt.Sprintf("%d KGs pass, %d with a warning", passed, warned), strings.Join(strings.Fields("{ "+counts), " "),
		cost}, err
}

// cold says how long a new process takes to its first answers.
func (p *proof) cold(ctx context.Context) (lines []string, err error) {
	began := time.Now()
	s, err := p.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	lines = append(lines, fmt.Sprintf("ready after %.2f s, %s", time.Since(began).Seconds(), s.memory()))
	for _, q := range p.firsts() {
		began := time.Now()
		body, err := s.get(ctx, q)
		if err != nil {
			return lines, err
		}
		lines = append(lines, fmt.Sprintf("%s: first answer %.0f ms, %d bytes", q, 1000*time.Since(began).Seconds(), len(body)))
	}
	return append(lines, s.memory()), nil
}

// change gives one KG in a hundred another ground at a later date, builds and publishes it while 16 clients ask.
func (p *proof) change(ctx context.Context) (lines []string, err error) {
	s, err := p.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	began := time.Now()
	n, err := p.c.changeSources(p.where)
	if err != nil {
		return nil, err
	}
	lines = append(lines, fmt.Sprintf("sources of %d KGs changed in %.0f s", n, time.Since(began).Seconds()))
	asked, stop := context.WithCancel(ctx)
	type loaded struct {
		line string
		err  error
	}
	end := make(chan loaded, 1)
	go func() {
		line, err := p.points(asked, s, 16, time.Hour)
		end <- loaded{line, err}
	}()
	built, err := p.build(ctx)
	stop()
	l := <-end
	return append(append(lines, built...), "meanwhile "+l.line), errors.Join(err, l.err)
}

// mirror copies the cells of the country, and looks again.
func (p *proof) mirror(ctx context.Context) (lines []string, err error) {
	s, err := p.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	for range 2 {
		out, cost, err := command(ctx, p.program, "cells", "mirror", "http://"+s.host+"/context", filepath.Join(p.where, "mirror"))
		if err != nil {
			return lines, err
		}
		all := strings.Split(out, "\n")
		lines = append(lines, all[len(all)-1], cost)
	}
	return lines, os.RemoveAll(filepath.Join(p.where, "mirror"))
}

// sizes are those of the folders, each file counted once.
func (p *proof) sizes(ctx context.Context) ([]string, error) {
	out, _, err := command(ctx, "du", "-sm", filepath.Join(p.where, "tiles"), filepath.Join(p.data, "kg"), filepath.Join(p.data, "latest"),
		filepath.Join(p.data, "cells"),
		filepath.Join(p.data, "national"), p.data)
	return []string{strings.ReplaceAll(out, p.where, "")}, err
}
