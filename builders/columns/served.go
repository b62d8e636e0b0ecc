package columns

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"mappe/artefacts/columns"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// served is the artefact of the served generation; nil where no readable artefact is served.
type served struct {
	file *sectionfile.File
	head []columns.Part
	kgs  func() (map[austria.DistrictCode]summaries, error)
}

// openServed opens the served artefact.
func openServed(ctx context.Context, c *stage.Country) *served {
	o, ok := c.Live[columns.Artefact]
	if !ok {
		return nil
	}
	f, err := sectionfile.Open(store.InPlace(ctx, c.Store, o.Key), o.Bytes)
	if err != nil || f.Family() != columns.Family {
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
func (s *served) summaries() (map[austria.DistrictCode]summaries, error) {
	body, err := s.section(columns.Summary)
	if err != nil {
		return nil, err
	}
	list, _, err := columns.DecodeKGs(body)
	if err != nil {
		return nil, err
	}
	if body, err = s.section(columns.BuiltSummary); err != nil {
		return nil, err
	}
	built, _, err := columns.DecodeBuilt(list, body)
	if err != nil {
		return nil, err
	}
	kgs := map[austria.DistrictCode]summaries{}
	for i, k := range list {
		d := kgs[k.District]
		kgs[k.District] = summaries{append(d.kgs, k), append(d.built, built[i])}
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
	all, err := s.kgs()
	if err != nil {
		return nil
	}
	d := &district{part: s.head[i], kgs: all[code].kgs, built: all[code].built, sections: map[columns.Group][]byte{}}
	for _, g := range columns.AllGroups() {
		body, err := s.section(g.Section(code))
		if err != nil {
			return nil
		}
		d.sections[g] = body
	}
	return d
}

// has says whether the served artefact names a district that was made from the same.
func (s *served) has(code austria.DistrictCode, sum string) bool {
	return s != nil && slices.ContainsFunc(s.head, func(p columns.Part) bool { return p.District == code && p.Fingerprint == sum })
}

// kept names the rows of a KG: its code and the sum of the file that they were made from.
func kept(e manifest.Entry) string { return string(e.Code) + " " + e.Forms.KGS.SHA256 }

// known are the entries of a district's KGs as the served artefact was made from them, and its summaries; nil where it has
// not the district, or was made from something else than what is served.
func (s *served) known(c *stage.Country, code austria.DistrictCode) (was []manifest.Entry, kgs []columns.KG, n int) {
	if s == nil {
		return nil, nil, 0
	}
	i := slices.IndexFunc(s.head, func(p columns.Part) bool { return p.District == code })
	all, err := s.kgs()
	if i < 0 || err != nil {
		return nil, nil, 0
	}
	for _, k := range all[code].kgs {
		was = append(was, c.Was[k.Code])
		n += k.Parcels
	}
	if fingerprint(code, was) != s.head[i].Fingerprint || n != s.head[i].Rows {
		return nil, nil, 0
	}
	return was, all[code].kgs, n
}

// keeps names the rows of a district that the served artefact says it has.
func (s *served) keeps(c *stage.Country, code austria.DistrictCode) map[string]bool {
	out := map[string]bool{}
	was, _, _ := s.known(c, code)
	for _, e := range was {
		out[kept(e)] = true
	}
	return out
}

// rows are those of a district in the served artefact; nil where it has not the district, was made from something else than
// what is served, or cannot be read.
func (s *served) rows(c *stage.Country, code austria.DistrictCode) map[string]kgRows {
	was, kgs, n := s.known(c, code)
	if was == nil {
		return nil
	}
	t := &columns.Table{}
	for _, g := range columns.AllGroups() {
		body, err := s.section(g.Section(code))
		if err != nil {
			return nil
		}
		part, _, err := columns.Decode(g, n, body)
		if err != nil {
			return nil
		}
		t = t.With(part)
	}
	out := map[string]kgRows{}
	at := 0
	for j, k := range kgs {
		out[kept(was[j])] = kgRows{t.Part(at, at+k.Parcels), k}
		at += k.Parcels
	}
	return out
}

// section reads a section of the served artefact.
func (s *served) section(name string) ([]byte, error) {
	i, ok := s.file.Find(name)
	if !ok {
		return nil, fmt.Errorf("no section %q", name)
	}
	return s.file.Section(i)
}
