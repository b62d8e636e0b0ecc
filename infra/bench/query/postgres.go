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

// askPostgres makes a throw-away cluster, loads the parcels and asks every question; the medians are by group
// and name.
func askPostgres(ctx context.Context, folder string, rounds int) (out map[string]time.Duration, err error) {
	pg, err := postgres.Start(ctx, postgres.Options{TCP: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, pg.Close()) }()
	load := tables + fmt.Sprintf("\n\\copy parcels from '%s'\n\\copy uses from '%s'\n", filepath.Join(folder, "parcels.tsv"), filepath.Join(folder, "uses.tsv")) + strings.Join(indexes, ";\n") + ";\n"
	if _, err := pg.Psql(ctx, load); err != nil {
		return nil, err
	}
	out = map[string]time.Duration{}
	for _, q := range questions {
		if out[q.group+q.name], err = median(ctx, pg, q, rounds); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// median is that of the time of all statements of a question; the first round does not count.
func median(ctx context.Context, pg *postgres.Cluster, q question, rounds int) (time.Duration, error) {
	list := q.sql()
	script := "\\timing on\n" + strings.Repeat(strings.Join(list, ";\n")+";\n", rounds+1)
	out, err := pg.Psql(ctx, script)
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
