package stage

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
)

// Reader is what a stage takes of the snapshots of KGs, in the pass over them that all such stages share. Wants and Take
// are called by several goroutines, KGs of a district shortly one after the other.
type Reader interface {
	// Wants says whether the file of a KG has to be read. It is asked once of each KG.
	Wants(ctx context.Context, k *KG) (bool, error)
	// Take reads the file of a KG that is wanted. The file is not to be kept: what it decodes is shared with other stages
	// and freed behind them.
	Take(ctx context.Context, k *KG, f *kgfile.File) error
	// Finish gives the artefact, when the pass is over.
	Finish(ctx context.Context) (manifest.Object, error)
	// Close frees what the reader holds, whatever came of the pass.
	Close()
}

// Reading is a stage that reads snapshots. Its Make goes over them alone.
func Reading(kind, recipe string, read func(ctx context.Context, c *Country) (Reader, error)) Stage {
	return Stage{Artefact: kind, Recipe: recipe, Read: read, Make: func(ctx context.Context, c *Country) (manifest.Object, error) {
		r, err := read(ctx, c)
		if err != nil {
			return manifest.Object{}, err
		}
		defer r.Close()
		if err := c.Pass(ctx, r); err != nil {
			return manifest.Object{}, err
		}
		return r.Finish(ctx)
	}}
}

// readWidth is how many snapshots are read at once at least: in the cloud most of what it takes is waiting for them.
const readWidth = 8

// Pass reads each snapshot that a reader wants, once, district by district. Memory is that of the files under way, and what
// the readers keep.
func (c *Country) Pass(ctx context.Context, readers ...Reader) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(c.Workers, readWidth))
	var told sync.Mutex
	done := 0
	for _, d := range c.Districts() {
		for _, k := range d.KGs {
			if ctx.Err() != nil {
				break
			}
			g.Go(func() error {
				if err := c.pass(ctx, k, readers); err != nil {
					return fmt.Errorf("KG %s: %w", k.Entry.Code, err)
				}
				told.Lock()
				defer told.Unlock()
				done++
				c.Tell(done, len(c.KGs))
				return nil
			})
		}
	}
	return g.Wait()
}

// pass gives the snapshot of a KG to those who want it.
func (c *Country) pass(ctx context.Context, k *KG, readers []Reader) error {
	var want []Reader
	for _, r := range readers {
		if ok, err := r.Wants(ctx, k); err != nil {
			return err
		} else if ok {
			want = append(want, r)
		}
	}
	if len(want) == 0 {
		return ctx.Err()
	}
	f, err := c.Open(ctx, k)
	if err != nil {
		return err
	}
	for _, r := range want {
		if err := r.Take(ctx, k, f); err != nil {
			return err
		}
	}
	return nil
}

// Run runs stages in their order, of which those that read snapshots go over them together before the first. begin is told
// of the pass, "snapshots", and of each stage. What they give stands in c.Made.
func (c *Country) Run(ctx context.Context, list []Stage, begin func(kind string)) error {
	readers := make([]Reader, len(list))
	defer func() {
		for _, r := range readers {
			if r != nil {
				r.Close()
			}
		}
	}()
	var all []Reader
	for i, s := range list {
		if s.Read == nil {
			continue
		}
		r, err := s.Read(ctx, c)
		if err != nil {
			return fmt.Errorf("stage %s: %w", s.Artefact, err)
		}
		readers[i], all = r, append(all, r)
	}
	begin("snapshots")
	if err := c.Pass(ctx, all...); err != nil {
		return err
	}
	clear(all)
	for i, s := range list {
		begin(s.Artefact)
		o, err := c.finish(ctx, s, readers[i])
		if err != nil {
			return fmt.Errorf("stage %s: %w", s.Artefact, err)
		}
		if o.Key != "" {
			c.Note(s.Artefact, o)
		}
		if readers[i] != nil { // what it took of the whole country is not held while the other stages run
			readers[i].Close()
			readers[i] = nil
		}
	}
	return nil
}

// finish makes the artefact of a stage, of what its reader took if it has one.
func (c *Country) finish(ctx context.Context, s Stage, r Reader) (manifest.Object, error) {
	if r != nil {
		return r.Finish(ctx)
	}
	return s.Make(ctx, c)
}
