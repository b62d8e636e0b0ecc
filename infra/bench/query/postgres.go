package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	programs = "/usr/lib/postgresql/15/bin"
	port     = "55439"
)

var timing = regexp.MustCompile(`Time: ([0-9.]+) ms`)

// askPostgres makes a throw-away cluster, loads the parcels and asks every question; the medians are by group
// and name.
func askPostgres(ctx context.Context, folder string, rounds int) (map[string]time.Duration, error) {
	place, err := os.MkdirTemp("", "mappe-pg-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(place)
	var as []string
	if u, err := user.Current(); err == nil && u.Uid == "0" {
		as = []string{"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"}
		if err := exec.CommandContext(ctx, "chown", "-R", "postgres", place).Run(); err != nil {
			return nil, err
		}
	}
	run := func(args ...string) error {
		args = append(slices.Clone(as), args...)
		c := exec.CommandContext(ctx, args[0], args[1:]...)
		c.Dir = place
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", args, err, out)
		}
		return nil
	}
	data := filepath.Join(place, "data")
	if err := run(filepath.Join(programs, "initdb"), "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C", "-U", "postgres"); err != nil {
		return nil, err
	}
	opts := "-p " + port + " -k " + place + " -c listen_addresses=127.0.0.1 -c shared_buffers=512MB -c work_mem=64MB -c fsync=off"
	if err := run(filepath.Join(programs, "pg_ctl"), "-D", data, "-o", opts, "-w", "-l", filepath.Join(place, "log"), "start"); err != nil {
		return nil, err
	}
	defer func() { _ = run(filepath.Join(programs, "pg_ctl"), "-D", data, "-m", "immediate", "stop") }()
	load := tables + fmt.Sprintf("\n\\copy parcels from '%s'\n\\copy uses from '%s'\n", filepath.Join(folder, "parcels.tsv"), filepath.Join(folder, "uses.tsv")) + strings.Join(indexes, ";\n") + ";\n"
	if _, err := psql(ctx, load); err != nil {
		return nil, err
	}
	out := map[string]time.Duration{}
	for _, q := range questions {
		if out[q.group+q.name], err = median(ctx, q, rounds); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// psql runs a script in one session; the rows are thrown away.
func psql(ctx context.Context, script string) (string, error) {
	c := exec.CommandContext(ctx, filepath.Join(programs, "psql"), "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-qAt")
	c.Stdin = strings.NewReader(script)
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("psql: %w: %s", err, out[max(len(out)-2000, 0):])
	}
	return string(out), nil
}

// median is that of the time of all statements of a question; the first round does not count.
func median(ctx context.Context, q question, rounds int) (time.Duration, error) {
	list := q.sql()
	script := "\\timing on\n" + strings.Repeat(strings.Join(list, ";\n")+";\n", rounds+1)
	out, err := psql(ctx, script)
	if err != nil {
		return 0, err
	}
	found := timing.FindAllStringSubmatch(out, -1)
	if len(found) != len(list)*(rounds+1) {
		return 0, fmt.Errorf("%s: %d times of %d", q.name, len(found), len(list)*(rounds+1))
	}
	var all []float64
	for r := 1; r <= rounds; r++ {
		sum := 0.0
		for k := range list {
			v, err := strconv.ParseFloat(found[r*len(list)+k][1], 64)
			if err != nil {
				return 0, err
			}
			sum += v
		}
		all = append(all, sum)
	}
	slices.Sort(all)
	return time.Duration(all[len(all)/2] * float64(time.Millisecond)), nil
}

// matches is the number of matches that an answer says.
func matches(body string) string {
	if m := regexp.MustCompile(`"total":([0-9]+)`).FindStringSubmatch(body); m != nil {
		return m[1]
	}
	return "?"
}
