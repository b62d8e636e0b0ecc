package national

import (
	"time"

	"mappe/artefacts/kgdocs"
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
	Dropped                // no more in the registers: it was served or listed, and is no longer
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
	Quality      kgdocs.Quality // empty when reused
	Err          error          // of Failed, and the reasons of Refused; names KG, tile and feature
}

// Summary is the end of a run. Results are in rising KG order.
type Summary struct {
	Results    []Result
	Generation string // served when the run ended; empty when nothing was ever published
	Published  bool   // the pointer moved in this run
	Took       time.Duration
	Warnings   []string // what of the earlier snapshots could not be read, for a person to read
}

// Count is the number of KGs with an outcome.
func (s Summary) Count(o Outcome) int {
	n := 0
	for _, r := range s.Results {
		if r.Outcome == o {
			n++
		}
	}
	return n
}

// Observer is told how far a run is. Calls come from one goroutine at a time.
type Observer interface {
	// Plan is called once, before the first KG, with the number of KGs to build.
	Plan(total int)
	// Done is called at the end of each KG, in the order they finish.
	Done(Result)
	// Phase names the national step that begins: "compare", "register", "tiles", "manifest", "pointer", "latest".
	Phase(name string)
	// Abolished is called for each KG that the registers have no more, after the pointer.
	Abolished(Abolished)
}

// silent is an Observer that says nothing.
type silent struct{}

// Plan does nothing.
func (silent) Plan(int) {}

// Done does nothing.
func (silent) Done(Result) {}

// Phase does nothing.
func (silent) Phase(string) {}

// Abolished does nothing.
func (silent) Abolished(Abolished) {}
