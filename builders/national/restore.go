package national

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/manifest"
	"mappe/builders/kgbuild"
	"mappe/shared/cloud/store"
)

// Restore brings a served snapshot that is not in the store back, for a publication that reads it: by archive, the research repository
// (nil: without one), else by building it of this source, where that has the same data of the KG as when it was built.
func (s *Source) Restore(st store.Store, archive func(context.Context, manifest.Entry) error) func(context.Context, manifest.Entry) error {
	return func(ctx context.Context, e manifest.Entry) error {
		refused := errors.New("there is no research repository")
		if archive != nil {
			if refused = archive(ctx, e); refused == nil {
				return nil
			}
			refused = fmt.Errorf("the research repository did not give it: %w", refused)
		}
		if err := s.rebuild(ctx, st, e); err != nil {
			return fmt.Errorf("%w; %w", refused, err)
		}
		return nil
	}
}

// rebuild writes the objects of a served entry again.
func (s *Source) rebuild(ctx context.Context, st store.Store, e manifest.Entry) error {
	f, err := s.Facts(e.Code)
	if err != nil {
		return err
	}
	task, err := s.Task(f, st)
	if err != nil {
		return err
	}
	made, err := kgbuild.Build(ctx, task)
	if err == nil && made.Digest.Entry.Forms != e.Forms {
		err = fmt.Errorf("the source has other data of KG %s than it was built of", e.Code)
	}
	return err
}
