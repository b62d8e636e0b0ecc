package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/infra/bench/postgres"
)

var timing = regexp.MustCompile(`Time: ([0-9.]+) ms`)

// times are those of a question. The fastest is what other work on the machine disturbs least.
type times struct{ median, fastest time.Duration }

// timesOf are those of all times, which it sorts.
func timesOf(all []time.Duration) times {
	slices.Sort(all)
	return times{all[len(all)/2], all[0]}
}

// askPostgres makes a throw-away cluster, loads the parcels and asks every question; the times are by group
// and name.
func askPostgres(ctx context.Context, folder string, rounds int) (out map[string]times, err error) {
	pg, err := postgres.Start(ctx, postgres.Options{TCP: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, pg.Close()) }()
	load := tables + fmt.Sprintf("\n\\copy parcels from '%s'\n\\copy uses from '%s'\n", filepath.Join(folder, "parcels.tsv"),
		filepath.Join(folder, "uses.tsv")) + strings.Join(indexes, ";\n") + ";\n"
	if _, err := pg.Psql(ctx, load); err != nil {
		return nil, err
	}
	out = map[string]times{}
	for _, q := range questions {
		if out[q.group+q.name], err = timed(ctx, pg, q, rounds); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// timed are the times of all statements of a question together; the first round does not count.
func timed(ctx context.Context, pg *postgres.Cluster, q question, rounds int) (times, error) {
	list := q.sql()
	script := "\\timing on\n" + strings.Repeat(strings.Join(list, ";\n")+";\n", rounds+1)
	out, err := pg.Psql(ctx, script)
	if err != nil {
		return times{}, err
	}
	found := timing.FindAllStringSubmatch(out, -1)
	if len(found) != len(list)*(rounds+1) {
		return times{}, fmt.Errorf("%s: %d times of %d", q.name, len(found), len(list)*(rounds+1))
	}
	var all []time.Duration
	for r := 1; r <= rounds; r++ {
		sum := 0.0
		for k := range list {
			v, err := strconv.ParseFloat(found[r*len(list)+k][1], 64)
			if err != nil {
				return times{}, err
			}
			sum += v
		}
		all = append(all, time.Duration(sum*float64(time.Millisecond)))
	}
	return timesOf(all), nil
}

// matches is the number of matches that an answer says.
func matches(body string) string {
	if m := regexp.MustCompile(`"total":([0-9]+)`).FindStringSubmatch(body); m != nil {
		return m[1]
	}
	return "?"
}
