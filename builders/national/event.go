package national

import (
	"time"

	"mappe/builders/kgbuild"
)

// Summary is the end of a run. Results are in rising KG order.
type Summary struct {
	Results    []kgbuild.Result
	Generation string // served when the run ended; empty when nothing was ever published
	Published  bool   // the pointer moved in this run
	Took       time.Duration
	Warnings   []string // what of the earlier snapshots could not be read, for a person to read
}

// Count is the number of KGs with an outcome.
func (s Summary) Count(o kgbuild.Outcome) int {
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
	Done(kgbuild.Result)
	// Phase names the national step that begins: "compare", "register", "tiles", "manifest", "pointer", "latest".
	Phase(name string)
	// Step says how far the phase is that began last, where it takes long: so many of all KGs.
	Step(done, all int)
	// Abolished is called for each KG that the registers have no more, after the pointer.
	Abolished(Abolished)
}

// silent is an Observer that says nothing.
type silent struct{}

// Plan does nothing.
func (silent) Plan(int) {}

// Done does nothing.
func (silent) Done(kgbuild.Result) {}

// Phase does nothing.
func (silent) Phase(string) {}

// Step does nothing.
func (silent) Step(int, int) {}

// Abolished does nothing.
func (silent) Abolished(Abolished) {}
