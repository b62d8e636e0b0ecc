package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
)

const (
	// maxGap is how many bytes between two sections are read for nothing rather than asked for apart: what
	// comes over the wire in the time of a request's first byte.
	maxGap = 64 << 10
	// maxRun bounds the sections that are read together, so that a run is not what a reading waits for.
	maxRun = 2 << 20
)

// Layout says where the sections of an artefact lie, and how what is stored becomes their bytes.
type Layout interface {
	Len() int
	Range(i int) (offset, length int64)
	Decode(i int, stored []byte) ([]byte, error) // the result may share the memory of stored
	Name(i int) string
	Size() int64 // of the object
}

// opened is an artefact that is too large to hold: its layout is in memory, its sections are read by range.
type opened struct {
	Layout
	l     *Library
	key   string
	whole []byte // of an object that was small after all; nil: it is read by range
}

func (p *opened) sections() *opened { return p }

// Sectioned is an artefact whose sections Sections reads: *Parts, *Cells or *Ranged.
type Sectioned interface{ sections() *opened }

// Sections gives values made of sections, in the order in which their numbers are given: from memory, or read
// by range, neighbours together. Requests at the same time share the reads, and each value counts against the
// library's one budget; decode is that of a Decoder and is told the section's number. A request that is
// cancelled spoils no other's sections, and what nobody waits for any more is not read. The errors are those
// of Get; the first one ends it.
func Sections[T any](ctx context.Context, a Sectioned, sections []int, decode func(section int, body []byte) (value T, cost int64,
	err error)) ([]T, error) {
	p := a.sections()
	for _, i := range sections {
		if i < 0 || i >= p.Len() {
			return nil, fmt.Errorf("library: %s has no section %d, it has %d", p.key, i, p.Len())
		}
	}
	room := roomOf(ctx)
	calls := p.take(ctx, sections, func(i int, body []byte) (any, int64, error) { return decode(i, body) })
	out := make([]T, len(sections))
	for k, s := range calls {
		got, err := p.l.cache.wait(ctx, s)
		if err == nil {
			out[k], err = as[T](name{p.key, sections[k]}, got)
			if s.flight != nil {
				room.put(&entry{name{p.key, sections[k]}, got, s.flight.cost})
			}
		}
		if err != nil {
			for _, s := range calls[k+1:] {
				p.l.cache.leave(s)
			}
			return nil, err
		}
	}
	return out, nil
}

// sectionDecoder is a decode function without its type.
type sectionDecoder func(section int, body []byte) (any, int64, error)

// claim is a section that this request has to read.
type claim struct {
	section int
	flight  *flight
}

// take finds a call for each section and starts to read those that nobody reads yet.
func (p *opened) take(ctx context.Context, sections []int, decode sectionDecoder) []call {
	calls := make([]call, len(sections))
	var mine []claim
	c, room := &p.l.cache, roomOf(ctx)
	c.mu.Lock()
	for k, i := range sections {
		if v := room.get(name{p.key, i}); v != nil {
			calls[k] = call{value: v}
			continue
		}
		if calls[k] = c.join(name{p.key, i}); calls[k].mine {
			mine = append(mine, claim{i, calls[k].flight})
		}
		if f := calls[k].flight; f != nil {
			f.passing = room != nil && (f.passing || calls[k].mine)
		}
	}
	c.mu.Unlock()
	if len(mine) == 0 {
		return calls
	}
	runs := p.runs(mine)
	var next atomic.Int64
	for range min(p.l.opt.Width, len(runs)) {
		go func() {
			for i := next.Add(1) - 1; i < int64(len(runs)); i = next.Add(1) - 1 {
				p.run(context.WithoutCancel(ctx), runs[i], decode)
			}
		}()
	}
	return calls
}

// runs puts sections together that are read at once.
func (p *opened) runs(claims []claim) [][]claim {
	slices.SortFunc(claims, func(a, b claim) int { return cmp.Compare(a.section, b.section) })
	var runs [][]claim
	var from, to int64 // of the last run
	for i, c := range claims {
		offset, length := p.Range(c.section)
		if i == 0 || offset-to > maxGap || offset+length-from > maxRun {
			runs = append(runs, nil)
			from = offset
		}
		last := len(runs) - 1
		runs[last], to = append(runs[last], c), offset+length
	}
	return runs
}

// run reads a run of sections and finishes every flight of it.
func (p *opened) run(ctx context.Context, run []claim, decode sectionDecoder) {
	c := &p.l.cache
	c.places <- struct{}{}
	defer func() { <-c.places }()
	run = p.wanted(run)
	if len(run) == 0 {
		return
	}
	from, _ := p.Range(run[0].section)
	to, length := p.Range(run[len(run)-1].section)
	var body []byte
	err := Guarded(func() error { return p.readRun(ctx, from, to+length-from, &body) })
	c.mu.Lock()
	c.counted.Loads++
	if err != nil { // all at once: a request that comes after the first failure begins anew and does not fail of it too
		for _, s := range run {
			c.finish(name{p.key, s.section}, s.flight, nil, 0, err)
		}
	}
	c.mu.Unlock()
	if err != nil {
		return
	}
	for _, s := range run {
		p.finish(s, body, from, decodes{decode, len(run) > 1})
	}
}

// readRun reads a range that the directory says is there.
func (p *opened) readRun(ctx context.Context, from, length int64, body *[]byte) error {
	if length == 0 {
		return nil // empty sections: there is nothing to ask for
	}
	if p.whole != nil {
		*body = p.whole[from : from+length : from+length]
		return nil
	}
	b, size, err := p.l.readRange(ctx, p.key, from, length)
	if err == nil && (int64(len(b)) != length || size != p.Size()) {
		err = fmt.Errorf("%s: %w: it has %d bytes, its head says %d", p.key, ErrDamaged, size, p.Size())
	}
	*body = b
	return err
}

// decodes is how the sections of a run become values.
type decodes struct {
	decode sectionDecoder
	shared bool // the run holds several sections
}

// finish decodes one section of a run.
func (p *opened) finish(s claim, body []byte, from int64, how decodes) {
	var value any
	var cost int64
	err := Guarded(func() (err error) {
		offset, length := p.Range(s.section)
		part := body[offset-from : offset-from+length : offset-from+length]
		raw, err := p.Decode(s.section, part)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if how.shared && int64(len(raw)) == length {
			raw = slices.Clone(raw) // a value that keeps its bytes must not keep those of the run
		}
		if value, cost, err = how.decode(s.section, raw); err != nil {
			return fmt.Errorf("section %q: %w: %w", p.Name(s.section), ErrDamaged, err)
		}
		return nil
	})
	if err != nil && errors.Is(err, ErrDamaged) {
		err = fmt.Errorf("%s: %w", p.key, err)
	}
	c := &p.l.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finish(name{p.key, s.section}, s.flight, value, max(cost, 0)+entryBytes, err)
}

// wanted leaves out the sections that nobody waits for any more.
func (p *opened) wanted(run []claim) []claim {
	c := &p.l.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(run, func(s claim) bool {
		if s.flight.waiting > 0 {
			return false
		}
		delete(c.flights, name{p.key, s.section})
		s.flight.err = context.Canceled
		close(s.flight.done)
		return true
	})
}
