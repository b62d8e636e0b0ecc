package national

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/manifest"
	"mappe/shared/cloud/store"
)

// present proves that the further artefacts of a publication are in the store, whole: nothing is served that
// names what is not there.
func (p *Publication) present(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readWidth)
	for _, kind := range p.Artefacts.Kinds() {
		o := p.Artefacts[kind]
		g.Go(func() error { return p.there(ctx, kind, o) })
	}
	return g.Wait()
}

func (p *Publication) there(ctx context.Context, kind string, o manifest.Object) error {
	if err := o.Check(); err != nil {
		return fmt.Errorf("artefact %s: %w", kind, err)
	}
	info, err := store.Stat(ctx, p.Store, o.Key)
	if err != nil {
		return fmt.Errorf("artefact %s: %w", kind, err)
	}
	if info.Size != o.Bytes {
		return fmt.Errorf("artefact %s: %s has %d bytes, expected %d", kind, o.Key, info.Size, o.Bytes)
	}
	return nil
}
