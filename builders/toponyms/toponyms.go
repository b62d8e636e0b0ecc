// Package toponyms makes the artefact of the geographical names (artefacts/toponyms): which KG each name lies in.
// builders/source/toponyms reads the names, builders/national runs the stage.
//
// A name is in the KG whose outline in the register holds its place: that of a few metres' tolerance, while names are
// placed within some 50 m. Where outlines leave a gap it is in none.
package toponyms

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"slices"

	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/toponyms"
	"mappe/builders/source/table"
	source "mappe/builders/source/toponyms"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// recipe names what in the program decides the bytes beside the names and the outlines.
const recipe = "toponyms-2"

// Source are the names of a raw source.
type Source struct {
	Names       []toponyms.Name
	Stichtag    string
	Attribution string
	Sum         string // of all of it
}

// Read reads the folder names; nil if the folder does not exist.
func Read(files fs.FS, stichtag, attribution string, p *table.Problems) (*Source, error) {
	names, err := source.Read(files, p)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	s := &Source{Names: source.Sorted(names), Stichtag: stichtag, Attribution: attribution}
	h := sha256.New()
	err = json.NewEncoder(h).Encode(s)
	s.Sum = hex.EncodeToString(h.Sum(nil))
	return s, err
}

// Stages make the artefact of a source; none of no source.
func Stages(s *Source) []stage.Stage {
	if s == nil {
		return nil
	}
	return []stage.Stage{{Artefact: toponyms.Artefact, Recipe: recipe + " " + s.Sum, Also: []string{toponyms.BaseArtefact}, Make: s.write}}
}

func (s *Source) write(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	country := toponyms.Country{Stichtag: s.Stichtag, Attribution: s.Attribution, Names: slices.Clone(s.Names)}
	within := holder(c.Register.KGs)
	for i := range country.Names {
		country.Names[i].KG = within(country.Names[i].At)
	}
	if err := writeBase(ctx, c, &country); err != nil {
		return manifest.Object{}, err
	}
	h, err := country.Head()
	if err != nil {
		return manifest.Object{}, err
	}
	head, err := h.Encode()
	if err != nil {
		return manifest.Object{}, err
	}
	return c.WriteParts(ctx, toponyms.Artefact, toponyms.Family, head, country.Fill)
}

// holder finds the KG that holds a place, "" where none does; of several, which outlines within their tolerance may be,
// the first.
func holder(kgs []register.KG) func(geom.Point) austria.KGCode {
	boxes := make([]geom.Box, len(kgs))
	for i := range kgs {
		boxes[i] = kgs[i].Outline.Bounds()
	}
	tree := packtree.Pack(boxes)
	return func(p geom.Point) austria.KGCode {
		best := -1
		tree.Search(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, func(i int) bool {
			if (best < 0 || i < best) && kgs[i].Outline.Contains(p) {
				best = i
			}
			return true
		})
		if best < 0 {
			return ""
		}
		return kgs[best].Code
	}
}
