// Package overlayindex is how functions read what lies over the parcels (artefacts/overlays) of one generation: Natura
// 2000 sites, protected areas, true outlines of municipalities, laws, and what of them each KG has. It owns the
// reading by range and the questions that several families ask: which shapes hold a point, which KGs and parcels
// pass a filter, how far a point is from a protected area.
//
//	o := overlayindex.Of(v)                       // reads nothing: directories are read when they are asked
//	here := o.Here(p)                        // what holds a point: two reads, none when they are in memory
//	sites, err := here.Sites(ctx)
//	k, err := o.KG(ctx, code)                // nil: nothing lies over the KG
//
// A generation without overlays has none of everything; Has tells that from a place where there is nothing. Memory
// is the library's budget: rows and shapes stay in it while they are used.
package overlayindex

import (
	"context"
	"strings"

	"mappe/artefacts/library"
	"mappe/artefacts/overlays"
	"mappe/artefacts/sectionfile"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
)

// Overlays are those of one generation.
type Overlays struct {
	view *library.View
}

// Of are the overlays of a generation.
func Of(v *library.View) *Overlays { return &Overlays{v} }

// open opens an artefact of the generation, from memory or with one read; nil where it has none.
func (o *Overlays) open(ctx context.Context, name string, family sectionfile.Family) (*library.Parts, error) {
	key, ok := o.view.Artefact(name)
	if !ok {
		return nil, nil
	}
	p, err := o.view.Parts(ctx, key, family)
	return p, generation.Fault(ctx, err)
}

func (o *Overlays) source(ctx context.Context) (*library.Parts, error) {
	return o.open(ctx, overlays.SourceArtefact, overlays.SourceFamily)
}

func (o *Overlays) kgs(ctx context.Context) (*library.Parts, error) {
	return o.open(ctx, overlays.KGArtefact, overlays.KGFamily)
}

func (o *Overlays) has(name string) bool {
	_, ok := o.view.Artefact(name)
	return ok
}

// Has says whether the generation has overlays.
func (o *Overlays) Has() bool { return o.has(overlays.SourceArtefact) }

// HasKGs says whether the generation says of its KGs what lies over them.
func (o *Overlays) HasKGs() bool { return o.has(overlays.KGArtefact) }

// file opens an artefact.
type file func(context.Context) (*library.Parts, error)

// table reads a section of rows; perRow is what one takes in memory.
func table[T any](ctx context.Context, open file, name string, perRow int64, decode func([]byte) ([]T, error)) ([]T, error) {
	p, err := open(ctx)
	if err != nil || p == nil {
		return nil, err
	}
	i, ok := p.Find(name)
	if !ok {
		return nil, nil
	}
	got, err := library.Sections(ctx, p, []int{i}, func(_ int, body []byte) ([]T, int64, error) {
		rows, err := decode(body)
		return rows, int64(len(rows))*perRow + 64, err
	})
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	return got[0], nil
}

// The memory of rows in bytes, about, texts included.
const (
	perSite         = 220
	perArea         = 320
	perMunicipality = 120
	perLaw          = 320
	perRef          = 64
	perIndex        = 160
)

// Sites are the Natura 2000 sites by code, without their shapes.
func (o *Overlays) Sites(ctx context.Context) ([]overlays.Site, error) {
	return table(ctx, o.source, overlays.SitesSection, perSite, overlays.DecodeSites)
}

// Areas are the protected areas, without their shapes.
func (o *Overlays) Areas(ctx context.Context) ([]overlays.Area, error) {
	return table(ctx, o.source, overlays.AreasSection, perArea, overlays.DecodeAreas)
}

// Municipalities are those with an outline, by code, without their shapes.
func (o *Overlays) Municipalities(ctx context.Context) ([]overlays.Municipality, error) {
	return table(ctx, o.source, overlays.MunicipalitiesSection, perMunicipality, overlays.DecodeMunicipalities)
}

// Laws are the laws that name parcels.
func (o *Overlays) Laws(ctx context.Context) ([]overlays.Law, error) {
	return table(ctx, o.source, overlays.LawsSection, perLaw, overlays.DecodeLaws)
}

// Index says of each KG that has any what lies over it, by code.
func (o *Overlays) Index(ctx context.Context) ([]overlays.Index, error) {
	return table(ctx, o.kgs, overlays.IndexSection, perIndex, overlays.DecodeIndex)
}

// Refs are the references of a KG, as its laws write them, whether it has such parcels or not.
func (o *Overlays) Refs(ctx context.Context, code austria.KGCode, laws int) ([]overlays.Ref, error) {
	return table(ctx, o.source, overlays.RefsSection(code), perRef, func(b []byte) ([]overlays.Ref, error) {
		return overlays.DecodeRefs(b, laws)
	})
}

// KGsWithRefs are the KGs that laws name, by code.
func (o *Overlays) KGsWithRefs(ctx context.Context) (codes []austria.KGCode, err error) {
	p, err := o.source(ctx)
	if err != nil || p == nil {
		return nil, err
	}
	prefix := overlays.RefsSection("")
	for i := range p.Len() {
		if code, ok := strings.CutPrefix(p.Name(i), prefix); ok {
			codes = append(codes, austria.KGCode(code))
		}
	}
	return codes, nil
}

// Shapes are the geometries of rows of a layer.
func (o *Overlays) Shapes(ctx context.Context, l overlays.Layer, rows []int) ([]*overlays.Shape, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	p, err := o.source(ctx)
	if err != nil {
		return nil, err
	}
	sections := make([]int, len(rows))
	for i, row := range rows {
		sections[i], _ = p.Find(overlays.ShapeSection(l, row)) // rows come from the same file
	}
	shapes, err := library.Sections(ctx, p, sections, func(_ int, body []byte) (*overlays.Shape, int64, error) {
		return overlays.DecodeShape(body)
	})
	return shapes, generation.Fault(ctx, err)
}

// KG is what lies over the parcels of a KG's served snapshot, nil where nothing does. Rows of another snapshot than
// the served one, which a publication without the sources leaves behind, are nothing too.
func (o *Overlays) KG(ctx context.Context, code austria.KGCode) (*overlays.KG, error) {
	list, err := o.Over(ctx, []austria.KGCode{code})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// Over is KG for many at once: sections that lie together are read together.
func (o *Overlays) Over(ctx context.Context, codes []austria.KGCode) ([]*overlays.KG, error) {
	out := make([]*overlays.KG, len(codes))
	p, err := o.kgs(ctx)
	if err != nil || p == nil {
		return out, err
	}
	var sections, at []int
	for i, code := range codes {
		if n, ok := p.Find(overlays.KGSection(code)); ok {
			sections, at = append(sections, n), append(at, i)
		}
	}
	got, err := library.Sections(ctx, p, sections, func(_ int, body []byte) (*overlays.KG, int64, error) { return overlays.DecodeKG(body) })
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	for i, k := range got {
		if r := o.view.Register().KG(codes[at[i]]); r != nil && r.Snapshot.SHA256 == k.Snapshot {
			out[at[i]] = k
		}
	}
	return out, nil
}
