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

// absent takes the snapshots of some KGs away, asks for points in them, in others and for the list of what is missing, puts
// them back and asks again: what is missing is said, nothing else changes, and the same requests are answered afterwards.
func (p *proof) absent(ctx context.Context) (lines []string, err error) {
	if err := p.putBack(); err != nil { // of a run that was stopped
		return nil, err
	}
	gone, there := p.halves(p.spots(""))
	defer func() { err = errors.Join(err, p.putBack()) }()
	if err := p.takeAway(gone); err != nil {
		return nil, err
	}
	s, err := p.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	ask := func(name string, spots []spot) error {
		said, err := s.answers(ctx, spots)
		lines = append(lines, fmt.Sprintf("points %s: %v", name, said))
		return err
	}
	if err := errors.Join(ask("in KGs without a snapshot", gone), ask("in others", there)); err != nil {
		return lines, err
	}
	began := time.Now()
	body, err := s.get(ctx, "/cadastre/api/v1/kg_versions?missing=true")
	if err != nil {
		return lines, err
	}
	took := time.Since(began)
	var list struct {
		Total int `json:"total"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return lines, err
	}
	lines = append(lines, fmt.Sprintf("kg_versions lists %d as missing, of %d that were taken, after %.0f ms", list.Total, taken,
		1000*took.Seconds()))
	if err := p.putBack(); err != nil {
		return lines, err
	}
	return lines, ask("in the same KGs, put back, without a restart", gone)
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

// aside is the folder of snapshots that were taken away.
func (p *proof) aside() string { return filepath.Join(p.where, "aside") }

// takeAway moves the snapshots of the KGs of spots aside.
func (p *proof) takeAway(spots []spot) error {
	if err := os.MkdirAll(p.aside(), 0o755); err != nil {
		return err
	}
	for _, s := range spots {
		files, err := filepath.Glob(filepath.Join(p.data, "kg", s.parcel[:5], "*.kgs"))
		if err != nil {
			return err
		}
		for _, from := range files {
			if err := os.Rename(from, filepath.Join(p.aside(), filepath.Base(from))); err != nil {
				return err
			}
		}
	}
	return nil
}

// putBack moves what lies aside to where it was: a snapshot's name begins with the code of its KG.
func (p *proof) putBack() error {
	files, err := filepath.Glob(filepath.Join(p.aside(), "*.kgs"))
	if err != nil {
		return err
	}
	for _, from := range files {
		name := filepath.Base(from)
		if err := os.Rename(from, filepath.Join(p.data, "kg", name[:5], name)); err != nil {
			return err
		}
	}
	return nil
}

// answers counts what is said of spots by status, and of 200 whether the parcel is the right one.
func (s *served) answers(ctx context.Context, spots []spot) (map[string]int, error) {
	said := map[string]int{}
	for i, at := range spots {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s%s&nocache=%d", s.host, at.at(), i), nil)
		if err != nil {
			return said, err
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			return said, err
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			return said, err
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
	return said, nil
}
