package kgbuild

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
)

// Outcome says how the build of one KG ended.
type Outcome uint8

// The outcomes of one KG.
const (
	Built   Outcome = iota // assembled, written, verified
	Reused                 // the same input was built before: nothing to do
	Refused                // verified worse than the live build: the live one stays
	Failed                 // could not be built: the live one stays
	Dropped                // no more in the registers: it was served or listed, and is no longer; a publication says so
)

func (o Outcome) String() string {
	return [...]string{"built", "reused", "refused", "failed", "dropped"}[o]
}

// Result is the end of one KG's build.
type Result struct {
	Code         austria.KGCode
	Name         string
	Outcome      Outcome
	Parcels      int
	Tiles        int
	Bytes        int64   // of the five forms
	Repaired     int     // parcels with a repair, counted once per kind
	Gap, Overlap float64 // m²
	Took         time.Duration
	Quality      rowschema.Quality // empty when reused
	Err          error             // of Failed, and the reasons of Refused; names KG, tile and feature
}

// ResultOf is how the build of a KG ended, as Build has given it.
func ResultOf(f Facts, m Made, err error) Result {
	r := Result{Code: f.Code, Name: f.Name, Parcels: m.Digest.Entry.Parcels, Tiles: m.Digest.Build.SourceTiles, Quality: m.Quality,
		Err: err}
	for _, o := range m.Digest.Entry.Forms.All() {
		r.Bytes += o.Bytes
	}
	for _, c := range m.Digest.Build.Repairs {
		r.Repaired += c.N
	}
	r.Gap, r.Overlap = m.Digest.GapSqm, m.Digest.OverlapSqm
	switch {
	case err != nil:
		r.Outcome = Failed
	case m.Reused:
		r.Outcome = Reused
	case m.Quality.Verdict == rowschema.Refuse:
		r.Outcome = Refused
		reasons := make([]string, len(m.Quality.Reasons))
		for i, q := range m.Quality.Reasons {
			reasons[i] = q.Message
		}
		against := "not fit to be served"
		if m.Quality.Live != nil {
			against = "not fit to replace what is served"
		}
		r.Err = fmt.Errorf("%s: %s", against, strings.Join(reasons, "; "))
		if report := m.Digest.Entry.Quality.Key; report != "" {
			r.Err = fmt.Errorf("%w (see %s)", r.Err, report)
		}
	}
	return r
}

// ErrRefused: what was built is not fit to be served; the error is a *Refusal.
var ErrRefused = errors.New("the build is refused")

// Refusal says why a build is not published. It is ErrRefused.
type Refusal struct {
	KG      austria.KGCode
	Quality rowschema.Quality
}

func (r *Refusal) Error() string { return fmt.Sprintf("KG %s: %v: %s", r.KG, ErrRefused, r.Reasons()) }

// Is makes it ErrRefused.
func (r *Refusal) Is(target error) bool { return target == ErrRefused }

// Reasons are sentences on the data.
func (r *Refusal) Reasons() string {
	var all []string
	for _, q := range r.Quality.Reasons {
		if q.Verdict == rowschema.Refuse {
			all = append(all, q.Message)
		}
	}
	return strings.Join(all, "; ")
}
