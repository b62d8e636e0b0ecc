package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// taken is how many KGs' snapshots are taken away.
const taken = 20

// absent takes the snapshots of some KGs away, asks for points in them, for the country's list and for other KGs, puts
// them back and asks again: what is missing is said, nothing else changes, and the same requests are answered afterwards.
func (p *proof) absent(ctx context.Context) (lines []string, err error) {
	gone, there := p.halves(p.spots(""))
	aside := filepath.Join(p.where, "aside")
	back, err := p.takeAway(gone, aside)
	if err != nil {
		return nil, errors.Join(err, back())
	}
	s, err := p.serve(ctx)
	if err != nil {
		return nil, errors.Join(err, back())
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	for _, q := range []struct {
		name  string
		spots []spot
	}{{"in KGs without a snapshot", gone}, {"in others", there}} {
		said, err := s.answers(ctx, q.spots)
		if err != nil {
			return lines, errors.Join(err, back())
		}
		lines = append(lines, fmt.Sprintf("points %s: %s", q.name, said))
	}
	var versions struct {
		Meta struct {
			Total int `json:"total"`
		} `json:"meta"`
	}
	began := time.Now()
	body, err := s.get(ctx, "/cadastre/api/v1/kg_versions?missing=true")
	if err == nil {
		err = json.Unmarshal(body, &versions)
	}
	if err = errors.Join(err, back()); err != nil {
		return lines, err
	}
	lines = append(lines, fmt.Sprintf("kg_versions lists %d of %d as missing, after %.0f ms", versions.Meta.Total, taken,
		1000*time.Since(began).Seconds()))
	said, err := s.answers(ctx, gone)
	return append(lines, "points in the same KGs, put back, without a restart: "+said), err
}

// halves parts spots into those of the KGs that are taken away and the others, some of each KG.
func (p *proof) halves(all []spot) (gone, there []spot) {
	var codes []string
	for i, s := range all {
		code := s.parcel[:5]
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
		switch n := slices.Index(codes, code); {
		case i%8 != 0:
		case n < taken:
			gone = append(gone, s)
		default:
			there = append(there, s)
		}
	}
	return gone, there
}

// takeAway moves the snapshots of the KGs of spots aside; back brings them back.
func (p *proof) takeAway(spots []spot, aside string) (back func() error, err error) {
	moved := map[string]string{}
	back = func() error {
		for to, from := range moved {
			if err := os.Rename(to, from); err != nil {
				return err
			}
		}
		clear(moved)
		return os.RemoveAll(aside)
	}
	for _, s := range spots {
		code := s.parcel[:5]
		files, err := filepath.Glob(filepath.Join(p.data, "kg", code, "*.kgs"))
		if err != nil {
			return back, err
		}
		for _, from := range files {
			to := filepath.Join(aside, filepath.Base(from))
			if err := os.MkdirAll(aside, 0o755); err != nil {
				return back, err
			}
			if err := os.Rename(from, to); err != nil {
				return back, err
			}
			moved[to] = from
		}
	}
	return back, nil
}

// answers counts what is said of spots by status, and of 200 whether the parcel is the right one.
func (s *served) answers(ctx context.Context, spots []spot) (string, error) {
	said := map[string]int{}
	for i, at := range spots {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s%s&nocache=%d", s.host, at.at(), i), nil)
		if err != nil {
			return "", err
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", err
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			return "", err
		}
		ready := res.Header.Get("X-Data-Ready") != "false"
		switch {
		case res.StatusCode != http.StatusOK:
			said[res.Status]++
		case !ready:
			said["200, said to be missing something"]++
		case only(body, at.parcel):
			said["200 with the parcel"]++
		default:
			said["200 with another answer"]++
		}
	}
	return fmt.Sprint(said), nil
}
