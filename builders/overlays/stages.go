package overlays

import (
	"context"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/overlays"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/austria"
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
		{Artefact: overlays.SourceArtefact, Recipe: sourceRecipe + " " + s.Sum, Make: s.writeSource},
		{Artefact: overlays.GridArtefact, Recipe: gridRecipe + " " + s.Sum, Make: s.writeGrid},
		s.kgStage(),
	}
}

func (s *Source) writeSource(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	return c.WriteParts(ctx, overlays.SourceArtefact, overlays.SourceFamily, nil, s.Fill)
}

func (s *Source) writeGrid(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	head, err := s.GridHead().Encode()
	if err != nil {
		return manifest.Object{}, err
	}
	return c.WriteParts(ctx, overlays.GridArtefact, overlays.GridFamily, head, s.FillGrid)
}

// kgStage makes the sections of the KGs.
func (s *Source) kgStage() stage.Stage {
	return stage.Reading(overlays.KGArtefact, kgRecipe+" "+s.Sum, s.beginKGs)
}

// kgReader makes the sections of KGs, or takes over the served ones. They are held in their encoded form, some 10 bytes a
// parcel that lies in a site, because the directory of KGs stands before them.
type kgReader struct {
	*maker
	live     live
	number   map[austria.KGCode]int
	sections []kgSection // by KG of the country
}

// kgSection is the section of a KG.
type kgSection struct {
	near  []site
	made  overlays.Fingerprint // what it is to be made from
	body  []byte               // nil: nothing lies over the KG
	index overlays.Index
}

func (s *Source) beginKGs(ctx context.Context, c *stage.Country) (stage.Reader, error) {
	r := &kgReader{maker: newMaker(&s.Source, c), live: openLive(ctx, c), number: map[austria.KGCode]int{},
		sections: make([]kgSection, len(c.KGs))}
	for i := range c.KGs {
		r.number[c.KGs[i].Entry.Code] = i
	}
	return r, nil
}

// Wants implements stage.Reader.
func (r *kgReader) Wants(_ context.Context, k *stage.KG) (bool, error) {
	x := &r.sections[r.number[k.Entry.Code]]
	x.near = r.nearOf(k)
	refs := r.refs[k.Entry.Code]
	if len(x.near) == 0 && len(refs) == 0 {
		return false, nil
	}
	var err error
	if x.made, err = r.fingerprint(k, x.near, refs); err != nil {
		return false, err
	}
	if body := r.live.section(k.Entry.Code, x.made); body != nil {
		return false, x.set(k, body)
	}
	return true, nil
}

// Take implements stage.Reader.
func (r *kgReader) Take(_ context.Context, k *stage.KG, f *kgfile.File) error {
	x := &r.sections[r.number[k.Entry.Code]]
	body, err := r.section(k, f, x)
	if err != nil {
		return err
	}
	return x.set(k, body)
}

// set takes a body when it reads as readers will.
func (x *kgSection) set(k *stage.KG, body []byte) error {
	of, _, err := overlays.DecodeKG(body)
	if err != nil {
		return err
	}
	x.near, x.body, x.index = nil, body, of.Index(k.Entry.Code)
	return nil
}

// Finish implements stage.Reader.
func (r *kgReader) Finish(ctx context.Context) (manifest.Object, error) {
	return r.country.WriteParts(ctx, overlays.KGArtefact, overlays.KGFamily, nil, func(b *sectionfile.Builder) error {
		var index []overlays.Index
		for i := range r.sections {
			if r.sections[i].body != nil {
				index = append(index, r.sections[i].index)
			}
		}
		body, err := overlays.EncodeIndex(index)
		if err != nil {
			return err
		}
		if err := b.Add(overlays.IndexSection, body); err != nil {
			return err
		}
		for i := range r.sections {
			if r.sections[i].body == nil {
				continue
			}
			if err := b.Add(overlays.KGSection(r.country.KGs[i].Entry.Code), r.sections[i].body); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close implements stage.Reader.
func (r *kgReader) Close() {}
