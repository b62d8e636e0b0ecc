package view

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// Absence is why an answer lacks a KG. What follows from it is decided here alone: consequences is the table,
// docs/absence.md explains it to clients and operators.
type Absence uint8

// The kinds of absence. Of a KG that was read none holds.
const (
	Unbuilt     Absence = iota + 1 // it has no snapshot, and nothing builds one: KGs are not loaded here, or its last build failed
	Cold                           // it has no snapshot here; it is loaded from the source or the archive when a request asks for it
	Evicted                        // its snapshot left the store, and is brought back when a request asks for it
	Lost                           // its snapshot left the store, and nothing brings it back
	Damaged                        // its snapshot cannot be read
	Unversioned                    // it has no snapshot on or before the date of version=
)

// consequence is what follows from an absence.
type consequence struct {
	reason  string // its name in answers
	exists  bool   // data that exists is missing: ready is false, and the answer is not cached
	coming  bool   // the KG is in kgs_warming, not in kgs_unavailable; what is about it alone is 503 with Retry-After, not 404
	message string // of an error about the KG alone
}

var consequences = [...]consequence{
	Unbuilt:     {"unbuilt", true, false, "KG %s was not built here: what it has is not known, and repeating does not help"},
	Cold:        {"cold", true, true, "KG %s is being loaded: try again in a few seconds"},
	Evicted:     {"evicted", true, true, "KG %s is being brought back: try again in a few seconds"},
	Lost:        {"lost", true, false, "the snapshot of KG %s is no longer in the store: repeating does not help until it is built again"},
	Damaged:     {"damaged", true, false, "the snapshot of KG %s is damaged: repeating does not help until it is built again"},
	Unversioned: {"without_version", false, false, "KG %s has no snapshot on or before the date"},
}

// AllAbsences lists the kinds.
func AllAbsences() []Absence { return []Absence{Unbuilt, Cold, Evicted, Lost, Damaged, Unversioned} }

// String is the name in answers.
func (a Absence) String() string { return consequences[a].reason }

// ParseAbsence reads a name.
func ParseAbsence(text string) (Absence, error) {
	for _, a := range AllAbsences() {
		if a.String() == text {
			return a, nil
		}
	}
	return 0, fmt.Errorf("absence %q is unknown", text)
}

// Coming says that the identical request is complete a little later.
func (a Absence) Coming() bool { return consequences[a].coming }

// Exists says that data which exists is missing. A KG that has no snapshot of a date misses nothing.
func (a Absence) Exists() bool { return consequences[a].exists }

// retryAfter is when a KG that is being loaded is worth another try.
const retryAfter = 3 * time.Second

// Fault is the answer of an endpoint about one thing of a KG that is absent.
func (a Absence) Fault(code austria.KGCode) *fault.Fault {
	c := consequences[a]
	f := fault.New(fault.NotFound, c.message, code)
	if c.coming {
		f = fault.Retry(fault.Unavailable, retryAfter, c.message, code)
	}
	f.Members = map[string]any{"reason": c.reason}
	if c.exists {
		f.Members["ready"] = false
		list := "kgs_unavailable"
		if c.coming {
			list = "kgs_warming"
		}
		f.Members[list] = []austria.KGCode{code}
	}
	return f
}

// absence is why a KG could not be read; 0 where the error is of another kind.
func (v *View) absence(ctx context.Context, code austria.KGCode, err error) Absence {
	switch {
	case errors.Is(err, library.ErrNoVersion):
		return Unversioned
	case errors.Is(err, library.ErrDamaged):
		return Damaged
	case !errors.Is(err, library.ErrCold):
		return 0
	case v.Warm(code) && v.Serves(code):
		return v.gone(ctx, code)
	case v.Warm(code): // the served snapshot alone is brought back, and this is an earlier one
		return Lost
	}
	return v.unbuilt(ctx, code)
}

// unbuilt is the absence of a KG without a snapshot.
func (v *View) unbuilt(ctx context.Context, code austria.KGCode) Absence {
	if v.Warming(ctx, code) {
		return Cold
	}
	return Unbuilt
}

// gone is the absence of a KG whose served snapshot is not in the store.
func (v *View) gone(ctx context.Context, code austria.KGCode) Absence {
	if v.Warming(ctx, code) {
		return Evicted
	}
	return Lost
}

// counted is the absence of a KG whose rows are only counted and that Missing has listed.
func (v *View) counted(ctx context.Context, code austria.KGCode) Absence {
	switch {
	case !v.Warm(code):
		return v.unbuilt(ctx, code)
	case v.Damaged(code):
		return Damaged
	}
	return v.gone(ctx, code)
}

// AbsentKG is a KG with the reason why it cannot be read.
type AbsentKG struct {
	Code austria.KGCode
	Why  Absence
}

// Absent lists the KGs of the country that cannot be read at present, by rising code. Nothing is asked to be loaded. Of the
// damaged and lost ones it knows those that were read.
func (v *View) Absent(ctx context.Context) ([]AbsentKG, error) {
	kgs := v.Register().KGs()
	codes := make([]austria.KGCode, len(kgs))
	for i := range kgs {
		codes[i] = kgs[i].Code
	}
	return v.AbsentOf(ctx, codes)
}

// AbsentOf is Absent of some KGs, in their order.
func (v *View) AbsentOf(ctx context.Context, codes []austria.KGCode) ([]AbsentKG, error) {
	missing, err := v.Unread(ctx, codes)
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	list := make([]AbsentKG, len(missing))
	for i, code := range missing {
		list[i] = AbsentKG{code, v.counted(ctx, code)}
	}
	return list, nil
}

// Need gives the file of a KG that an answer is about as a whole: where it cannot be read the error is the answer.
func (v *View) Need(ctx context.Context, code austria.KGCode) (*kgfile.File, error) {
	f, err := v.KG(ctx, code)
	switch a := v.absence(ctx, code, err); {
	case err == nil:
		return f, nil
	case errors.Is(err, library.ErrUnknownKG):
		return nil, fault.Missed("KG", string(code))
	case a != 0:
		return nil, a.Fault(code).Because(err)
	}
	return nil, generation.Fault(ctx, err)
}

// Known is a KG of the register; the fault of a code that it does not have is the answer.
func Known(v *library.View, code austria.KGCode) (*register.KG, error) {
	if k := v.Register().KG(code); k != nil {
		return k, nil
	}
	return nil, fault.Missed("KG", string(code))
}

// Parcel gives the file of a parcel's KG and its row in it. Where they cannot be read the error is the answer: that there is
// no such parcel is said only of a KG that was read.
func (v *View) Parcel(ctx context.Context, id austria.ParcelID) (*kgfile.File, int, error) {
	f, err := v.Need(ctx, id.KG)
	if err != nil {
		return nil, 0, err
	}
	row, ok, err := f.ParcelByGNR(id.GNR)
	if err == nil && !ok {
		err = fault.Missed("parcel", id.String())
	}
	return f, row, err
}

// maxAsked is how many KGs a request that concerns many has loaded.
const maxAsked = 64

// WarmupBudget bounds what a request over many KGs sets in motion: the first cold KGs are asked to be loaded, the others
// when the request is repeated.
type WarmupBudget struct{ n int }

// Note notes a KG without a snapshot in the gaps.
func (a *WarmupBudget) Note(ctx context.Context, v *View, code austria.KGCode, g *Missing) {
	why := v.unbuilt(ctx, code)
	g.add(code, why)
	if why.Coming() && a.n < maxAsked {
		a.n++
		v.Ask(code)
	}
}

// Country notes all KGs without a snapshot in the gaps, from a list that is made once for a generation, and has the first
// of them loaded.
func (v *View) Country(ctx context.Context, g *Missing) { v.Part(v.Unbuilt(ctx), g) }

// Part is Country for a part of that list.
func (v *View) Part(u *library.Unbuilt, g *Missing) {
	g.country(u)
	for _, code := range u.Coming[:min(len(u.Coming), maxAsked)] {
		v.Ask(code)
	}
}

// Rest notes all KGs without a snapshot in the gaps, and has none loaded: for what may be in any of them.
func (v *View) Rest(ctx context.Context, g *Missing) { g.country(v.Unbuilt(ctx)) }

// first are the first codes of a list that answers name; the number of all stands beside it.
const first = 20

func firstOf(codes []austria.KGCode) []austria.KGCode {
	return slices.Clip(codes[:min(len(codes), first)])
}
