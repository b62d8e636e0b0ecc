package export

import (
	"context"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/functions/core/area"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// plan is what a request asks for: which KGs can be read, what is missing, and whether a stored form is the answer.
type plan struct {
	view  *view.View
	named []austria.KGCode // what the request names
	kgs   []*register.KG   // what can be read, by rising code
	gaps  view.Missing
	// assembly are the assembly versions of what can be read, stichtag is the newest date of a snapshot.
	assembly map[austria.KGCode]string
	stichtag string
	sources  []string // whom to name, each once
	// stored is the answer as the builders wrote it; nil where it has to be written.
	stored *manifest.Object
	// job says that the answer is a job's: nothing was read.
	job bool
	// step is told of each KG that a layer is done with; nil where nobody asks. Its error ends the writing.
	step func(ctx context.Context, layer string) error
	// opened is told how many KGs read has opened; nil where nobody asks.
	opened func(ctx context.Context, n int) error
}

// want is what an endpoint wants of the KGs.
type want struct {
	form   keys.Form // that may be stored
	asMade bool      // it may be the answer
	layers []layer   // of the file, for its size alone
	size   estimate
	job    bool  // a job is asked for, whatever the size
	jobs   bool  // there are jobs here
	most   int64 // bytes that a job of the form writes; 0: those of inJob
}

// inJob are the limits of a job of the form.
func (w want) inJob() limits {
	l := inJob
	if w.most > 0 {
		l.bytes = w.most
	}
	return l
}

// prepared is the plan of a request; what finds out its ETag has it found out for Serve.
func prepared(ctx context.Context, r *endpoint.Request, w want) (*plan, error) {
	if p, ok := r.Memo.(*plan); ok {
		return p, nil
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	p := &plan{view: v}
	if p.named, err = area.Required(v.Register(), r); err != nil {
		return nil, err
	}
	if p.job, err = w.forJob(v.Register(), p.named); err != nil {
		return nil, err
	}
	if p.job {
		r.Memo = p
		return p, nil
	}
	if w.asMade && len(p.named) == 1 && v.Serves(p.named[0]) {
		if err := p.look(ctx, w.form); err != nil {
			return nil, err
		}
	}
	if p.stored == nil {
		err = p.read(ctx)
	}
	if err != nil {
		return nil, err
	}
	r.Memo = p
	return p, nil
}

// forJob says whether KGs are exported by a job, and refuses what is too large for where it would be written.
func (w want) forJob(reg *register.Register, codes []austria.KGCode) (bool, error) {
	switch {
	case !w.jobs && w.job:
		return false, fault.New(fault.Unavailable, "there are no jobs here: leave job out")
	case !w.jobs:
		return false, w.size.check(reg, codes, inAnswer)
	case !w.job && w.size.check(reg, codes, inAnswer) == nil:
		return false, nil
	}
	return true, w.size.check(reg, codes, w.inJob())
}

// look finds the stored form of the one KG. One that the store has lost is written anew.
func (p *plan) look(ctx context.Context, form keys.Form) error {
	o, ok, err := p.view.Form(ctx, p.named[0], form)
	if err == nil && ok {
		ok, err = p.view.Has(ctx, o)
	}
	if err == nil && ok {
		p.stored = &o
	}
	return generation.Fault(ctx, err)
}

// read opens the KGs, a few at once: only then is it known what is missing and whom to name, which the head of
// the answer says. Their rows are drawn later, from memory where it suffices.
func (p *plan) read(ctx context.Context) error {
	p.assembly = map[austria.KGCode]string{}
	ahead := p.view.Ahead(p.named)
	for i, code := range p.named {
		if p.opened != nil {
			if err := p.opened(ctx, i); err != nil {
				return err
			}
		}
		ahead.Next(ctx)
		f, err := p.view.Read(ctx, code, &p.gaps)
		if err != nil {
			return err
		}
		if f != nil {
			p.kgs = append(p.kgs, p.view.Register().KG(code))
			b := f.Build()
			p.assembly[code] = b.AssemblyVersion
			p.stichtag = max(p.stichtag, b.Stichtag)
			if b.Source != "" && !slices.Contains(p.sources, b.Source) {
				p.sources = append(p.sources, b.Source)
			}
		}
	}
	return nil
}

// codes are those of the KGs that can be read.
func (p *plan) codes() []austria.KGCode {
	codes := make([]austria.KGCode, len(p.kgs))
	for i, k := range p.kgs {
		codes[i] = k.Code
	}
	return codes
}

// rows streams the rows of a table over the KGs, each feature once, and adds to count. One KG stands open at a
// time; the next are being read.
func (p *plan) rows(ctx context.Context, t table, count *int) format.Seq {
	return func(yield func(format.Row, error) bool) {
		codes, seen := p.codes(), newOnce(t, p.kgs)
		ahead := p.view.Ahead(codes)
		for _, code := range codes {
			ahead.Next(ctx)
			f, err := p.view.Open(ctx, code)
			n := 0
			if err == nil {
				n, err = t.Open(f)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range n {
				r := t.Row(i)
				if !seen.first(code, r) {
					continue
				}
				*count++
				if !yield(r, nil) {
					return
				}
			}
			if p.step != nil {
				if err := p.step(ctx, t.RowType().Name); err != nil {
					yield(nil, err)
					return
				}
			}
		}
	}
}
