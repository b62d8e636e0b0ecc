package ne

import (
	"context"
	"fmt"

	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/geo/hexgrid"
)

const (
	// sumsRecipe names what decides the sums of changes.
	sumsRecipe = "cell sums 2"
	// readWidth is how many objects of changes are read at once: they are small, and waiting is what they take.
	readWidth = 16
	// keptChanges is how many changes stay in memory between the first reading and the second: some 100 MB.
	keptChanges = 1 << 20
)

// summing is one run of the stage of sums.
type summing struct {
	c     *stage.Country
	list  *ne.Index
	kept  []*ne.Changes // by number of the KG; nil where they are read again
	keep  int           // how many changes are kept
	noted ne.Noted
	sums  *ne.AreaSums
}

// makeSums adds up what changed by KG, municipality, district, state and in the country.
func makeSums(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	return sumUp(ctx, c, keptChanges)
}

// sumUp keeps so many changes in memory.
func sumUp(ctx context.Context, c *stage.Country, keep int) (manifest.Object, error) {
	var none manifest.Object
	body, err := readObject(ctx, c.Store, c.Made[ne.Artefact].Key)
	if err != nil {
		return none, err
	}
	list, err := ne.ParseIndex(body)
	if err != nil {
		return none, err
	}
	s := &summing{c: c, list: list, kept: make([]*ne.Changes, len(c.KGs)), keep: keep}
	if err := s.note(ctx); err != nil {
		return none, err
	}
	if err := s.add(ctx); err != nil {
		return none, err
	}
	sections, err := s.sums.Sections()
	if err != nil {
		return none, err
	}
	return c.WriteParts(ctx, ne.SumsArtefact, ne.SumsFamily, nil, func(b *sectionfile.Builder) error {
		for _, x := range sections {
			if err := b.Add(x.Name, x.Body); err != nil {
				return err
			}
		}
		return nil
	})
}

// note reads the changes of all KGs for their cells, and keeps those of the first KGs.
func (s *summing) note(ctx context.Context) error {
	last := 0 // of the KGs whose changes are kept
	for kept := 0; last < len(s.c.KGs); last++ {
		if k := s.of(last); k != nil {
			if kept += k.Candidates + k.Confirmed; kept > s.keep {
				break
			}
		}
	}
	err := stage.InOrder(ctx, len(s.c.KGs), readWidth, func(ctx context.Context, i int) ([]hexgrid.Cell, error) {
		k, b, err := s.read(ctx, i)
		if k == nil || err != nil {
			return nil, err
		}
		if i < last {
			if s.kept[i], err = parseChanges(k, b); err != nil {
				return nil, err
			}
			return s.kept[i].Changed(), nil
		}
		cells, err := ne.ChangedCells(b, k.Candidates+k.Confirmed)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Changes, err)
		}
		return cells, nil
	}, func(_ int, cells []hexgrid.Cell) error {
		s.noted.Note(cells)
		return nil
	})
	s.sums = s.noted.Sums()
	return err
}

// of is a KG in the list of cells; nil for one in which nothing changed.
func (s *summing) of(i int) *ne.IndexKG {
	if k := s.list.Find(s.c.KGs[i].Entry.Code); k != nil && k.Changes != "" {
		return k
	}
	return nil
}

// read is what a KG has in the list, and its changes as they are stored; nil for a KG without.
func (s *summing) read(ctx context.Context, i int) (k *ne.IndexKG, b []byte, err error) {
	if k = s.of(i); k != nil {
		b, err = readObject(ctx, s.c.Store, k.Changes)
	}
	return k, b, err
}

func parseChanges(k *ne.IndexKG, b []byte) (*ne.Changes, error) {
	x, err := ne.ParseChanges(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Changes, err)
	}
	return x, nil
}

// add adds up the changes of all KGs.
func (s *summing) add(ctx context.Context) error {
	return stage.InOrder(ctx, len(s.c.KGs), readWidth, func(ctx context.Context, i int) (*ne.Part, error) {
		x, err := s.changes(ctx, i)
		if x == nil || err != nil {
			return nil, err
		}
		k := s.c.KGs[i].Register
		return s.sums.Part(ne.PlacedKG{Code: k.Code, Gemeinde: k.GemeindeCode, District: k.DistrictCode}, x), nil
	}, func(_ int, p *ne.Part) error {
		if p != nil {
			s.sums.Add(p)
		}
		return nil
	})
}

// changes are those of a KG, kept or read; nil for a KG without.
func (s *summing) changes(ctx context.Context, i int) (*ne.Changes, error) {
	if s.kept[i] != nil {
		return s.kept[i], nil
	}
	k, b, err := s.read(ctx, i)
	if k == nil || err != nil {
		return nil, err
	}
	return parseChanges(k, b)
}
