package tasks

import (
	"context"
	"sync"
)

// Progress is how a computation tells how far it is: in steps with a name each, of which it says beforehand how many units
// they have. A nil Progress tells nobody: the same computation answers at once. It is safe for concurrent use.
type Progress struct {
	tell func(ctx context.Context, step string, fraction float64) error
	note func(ctx context.Context, text string) error

	mu    sync.Mutex
	step  string
	done  int
	units int
}

// Step begins a step of so many units; the one before is over. The error says that the computation has to end.
func (p *Progress) Step(ctx context.Context, name string, units int) error {
	if p == nil {
		return ctx.Err()
	}
	p.mu.Lock()
	p.step, p.done, p.units = name, 0, units
	p.mu.Unlock()
	return p.Add(ctx, 0)
}

// Add says that units of the step are done. It is called between two units: its error, that the task is aborted, the time
// is over or another worker has it, ends the computation.
func (p *Progress) Add(ctx context.Context, units int) error {
	if p == nil || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	p.mu.Lock()
	p.done += units
	step, fraction := p.step, 1.0
	if p.units > 0 {
		fraction = min(1, float64(p.done)/float64(p.units))
	}
	p.mu.Unlock()
	return p.tell(ctx, step, fraction)
}

// Tell says how much of a step is done, for a computation that counts by itself.
func (p *Progress) Tell(ctx context.Context, step string, fraction float64) error {
	if p == nil || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return p.tell(ctx, step, fraction)
}

// Detail says more of the step, for a person: "row 512 of 5,000".
func (p *Progress) Detail(ctx context.Context, text string) error {
	if p == nil || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return p.note(ctx, text)
}
