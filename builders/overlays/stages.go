package overlays

import (
	"context"

	"mappe/artefacts/manifest"
	"mappe/artefacts/overlays"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
)

// The recipes name what in the program decides the bytes beside the inputs.
const (
	sourceRecipe = "overlays-1"
	gridRecipe   = "overlays-grid-1"
	kgRecipe     = "kg-overlays-1"
)

// Stages make the artefacts of a source; none of no source.
func Stages(s *Source) []stage.Stage {
	if s == nil {
		return nil
	}
	return []stage.Stage{
		{Kind: overlays.SourceArtefact, Recipe: sourceRecipe + " " + s.Sum, Make: s.writeSource},
		{Kind: overlays.GridArtefact, Recipe: gridRecipe + " " + s.Sum, Make: s.writeGrid},
		{Kind: overlays.KGArtefact, Recipe: kgRecipe + " " + s.Sum, Make: s.writeKGs},
	}
}

func (s *Source) writeSource(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	return c.WriteParts(ctx, overlays.SourceArtefact, overlays.SourceKind, nil, s.Fill)
}

func (s *Source) writeGrid(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	head, err := s.GridHead().Encode()
	if err != nil {
		return manifest.Object{}, err
	}
	return c.WriteParts(ctx, overlays.GridArtefact, overlays.GridKind, head, s.FillGrid)
}

// writeKGs writes the directory of KGs first: sections stand in the order of their names. So the KGs' sections
// are made before it, and held in their encoded form, some 10 bytes a parcel that lies in a site.
func (s *Source) writeKGs(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	m := newMaker(&s.Source, c)
	live := openLive(ctx, c)
	type made struct {
		body  []byte
		index overlays.Index
	}
	sections := make([]made, len(c.KGs))
	err := stage.InOrder(ctx, len(c.KGs), c.Workers, func(ctx context.Context, i int) (made, error) {
		body, err := m.section(ctx, &c.KGs[i], live)
		if err != nil || body == nil {
			return made{}, err
		}
		k, _, err := overlays.DecodeKG(body) // what readers will do
		if err != nil {
			return made{}, err
		}
		return made{body, k.Index(c.KGs[i].Entry.Code)}, nil
	}, func(i int, x made) error {
		sections[i] = x
		return nil
	})
	if err != nil {
		return manifest.Object{}, err
	}
	return c.WriteParts(ctx, overlays.KGArtefact, overlays.KGKind, nil, func(b *sectionfile.Builder) error {
		var index []overlays.Index
		for _, x := range sections {
			if x.body != nil {
				index = append(index, x.index)
			}
		}
		body, err := overlays.EncodeIndex(index)
		if err != nil {
			return err
		}
		if err := b.Add(overlays.IndexSection, body); err != nil {
			return err
		}
		for i, x := range sections {
			if x.body == nil {
				continue
			}
			if err := b.Add(overlays.KGSection(c.KGs[i].Entry.Code), x.body); err != nil {
				return err
			}
		}
		return nil
	})
}
