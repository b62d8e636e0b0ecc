package overlays

import (
	"fmt"
	"slices"

	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
)

// The names of sections.
const (
	AreasSection          = "areas"
	LawsSection           = "laws"
	MunicipalitiesSection = "municipalities"
	SitesSection          = "sites"
	IndexSection          = "index"
)

// ShapeSection is the section of the shape of a row.
func ShapeSection(l Layer, row int) string { return fmt.Sprintf("shape/%c%06d", l, row) }

// RefsSection is the section of a KG's references.
func RefsSection(code austria.KGCode) string { return "refs/" + string(code) }

// KGSection is the section of a KG.
func KGSection(code austria.KGCode) string { return "k" + string(code) }

// Fill writes the sections of the artefact of the sources.
func (s *Source) Fill(b *sectionfile.Builder) error {
	list, err := s.sections()
	if err != nil {
		return err
	}
	for _, x := range list {
		body, err := x.body()
		if err != nil {
			return err
		}
		if err := b.Add(x.name, body); err != nil {
			return err
		}
	}
	return nil
}

// section is one that is encoded when its turn comes, so that one body is held at a time.
type section struct {
	name string
	body func() ([]byte, error)
}

func (s *Source) sections() ([]section, error) {
	list := []section{
		{AreasSection, func() ([]byte, error) { return encodeAreas(s.Areas) }},
		{LawsSection, func() ([]byte, error) { return encodeLaws(s.Laws) }},
		{MunicipalitiesSection, func() ([]byte, error) { return encodeMunicipalities(s.Municipalities) }},
		{SitesSection, func() ([]byte, error) { return encodeSites(s.Sites) }},
	}
	for i := range s.Refs {
		r := &s.Refs[i]
		for _, f := range r.Refs {
			if f.Law < 0 || f.Law >= len(s.Laws) {
				return nil, fmt.Errorf("overlays: KG %s refers to law %d of %d", r.KG, f.Law, len(s.Laws))
			}
		}
		list = append(list, section{RefsSection(r.KG), func() ([]byte, error) { return encodeRefs(r.Refs) }})
	}
	for i := range s.Areas {
		list = append(list, section{ShapeSection(AreaShapes, i), func() ([]byte, error) { return encodeShape(s.Areas[i].Geometry), nil }})
	}
	for i := range s.Municipalities {
		list = append(list, section{ShapeSection(MunicipalityShapes, i), func() ([]byte, error) {
			return encodeShape(s.Municipalities[i].Geometry), nil
		}})
	}
	for i := range s.Sites {
		list = append(list, section{ShapeSection(SiteShapes, i), func() ([]byte, error) { return encodeShape(s.Sites[i].Geometry), nil }})
	}
	slices.SortFunc(list, func(a, b section) int {
		if a.name < b.name {
			return -1
		}
		return 1
	})
	return list, nil
}
