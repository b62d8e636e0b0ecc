package columns

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"mappe/artefacts/columns"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// served is the artefact of the served generation; nil where there is none that can be read.
type served struct {
	file *sectionfile.File
	head []columns.Part
	kgs  func() (map[austria.DistrictCode][]columns.KG, error)
}

// openServed opens the served artefact.
func openServed(ctx context.Context, c *stage.Country) *served {
	o, ok := c.Live[columns.Artefact]
	if !ok {
		return nil
	}
	f, err := sectionfile.Open(store.InPlace(ctx, c.Store, o.Key), o.Bytes)
	if err != nil || f.Kind() != columns.Kind {
		return nil
	}
	s := &served{file: f}
	if s.head, err = columns.DecodeHead(f.Head()); err != nil {
		return nil
	}
	s.kgs = sync.OnceValues(s.summaries)
	return s
}

// whole says whether the artefact is of districts with exactly these fingerprints, which name the districts too.
func (s *served) whole(sums []string) bool {
	return s != nil && slices.EqualFunc(s.head, sums, func(p columns.Part, sum string) bool { return p.Fingerprint == sum })
}

// summaries are the KGs by district.
func (s *served) summaries() (map[austria.DistrictCode][]columns.KG, error) {
	body, err := s.section(columns.Summary)
	if err != nil {
		return nil, err
	}
	list, _, err := columns.DecodeKGs(body)
	if err != nil {
		return nil, err
	}
	kgs := map[austria.DistrictCode][]columns.KG{}
	for _, k := range list {
		kgs[k.District] = append(kgs[k.District], k)
	}
	return kgs, nil
}

// take gives a district as the served artefact has it; nil where it has not, or it was made from something else.
func (s *served) take(ctx context.Context, code austria.DistrictCode, sum string) *district {
	if s == nil || ctx.Err() != nil {
		return nil
	}
	i := slices.IndexFunc(s.head, func(p columns.Part) bool { return p.District == code && p.Fingerprint == sum })
	if i < 0 {
		return nil
	}
	kgs, err := s.kgs()
	if err != nil {
		return nil
	}
	d := &district{part: s.head[i], kgs: kgs[code], sections: map[columns.Group][]byte{}}
	for _, g := range columns.AllGroups() {
		body, err := s.section(g.Section(code))
		if err != nil {
			return nil
		}
		d.sections[g] = body
	}
	return d
}

// section reads a section of the served artefact.
func (s *served) section(name string) ([]byte, error) {
	i, ok := s.file.Find(name)
	if !ok {
		return nil, fmt.Errorf("no section %q", name)
	}
	return s.file.Section(i)
}
