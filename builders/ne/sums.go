package ne

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/sectionfile"
	"mappe/builders/objects"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

const (
	// sumsRecipe names what decides the sums of changes.
	sumsRecipe = "cell sums 3"
	// readWidth is how many objects of changes are read at once: they are small, and waiting is what they take.
	readWidth = 16
	// keptChanges is how many changes stay in memory between the first reading and the second: some 100 MB.
	keptChanges = 1 << 20
)

// summing is one run of the stage of sums.
type summing struct {
	c     *stage.Country
	list  *ne.Index
	same  map[int]*ne.Part    // by number of the KG; taken out of the served sums
	anew  []int               // numbers of the KGs whose changes are read
	kept  map[int]*ne.Changes // of them; the others are read again
	keep  int                 // how many more changes may be kept
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
	s := &summing{c: c, list: list, same: map[int]*ne.Part{}, kept: map[int]*ne.Changes{}, keep: keep}
	if err := s.noteAll(ctx); err != nil {
		return none, err
	}
	if err := s.add(ctx); err != nil {
		return none, err
	}
	sections, err := s.sums.Sections()
	if err != nil {
		return none, err
	}
	return c.WriteParts(ctx, ne.SumsArtefact, ne.SumsFamily, []byte(sumsRecipe), func(b *sectionfile.Builder) error {
		for _, x := range sections {
			if err := b.Add(x.Name, x.Body); err != nil {
				return err
			}
		}
		return nil
	})
}

// noteAll takes over what the served sums have of KGs whose changes are what they were, and notes the cells of the others. In a cell
// of resolution 9 in which changes of a KG are not what they were, those of all KGs are read: cells may be shared that were not.
func (s *summing) noteAll(ctx context.Context) error {
	defer func() { s.sums = s.noted.Sums() }()
	changed := s.changed()
	if len(changed) == 0 { // nothing is read
		return nil
	}
	was := servedParts(ctx, s.c)
	other := s.take(changed, was)
	touched := map[hexgrid.Cell]bool{}
	for _, p := range was {
		for c := range p.SharedChunks() {
			touched[c] = true
		}
	}
	if err := s.note(ctx, other, touched); err != nil {
		return err
	}
	if err := s.note(ctx, s.giveBack(touched), touched); err != nil {
		return err
	}
	for _, p := range s.same {
		s.noted.NotePart(p)
	}
	return nil
}

// changed are the numbers of the KGs with changes.
func (s *summing) changed() (kgs []int) {
	for i := range s.c.KGs {
		if s.of(i) != nil {
			kgs = append(kgs, i)
		}
	}
	return kgs
}

// take moves the served parts of KGs whose changes are what they were, and gives the other KGs.
func (s *summing) take(kgs []int, served map[austria.KGCode]*ne.Part) (other []int) {
	for _, i := range kgs {
		code := s.c.KGs[i].Entry.Code
		p := served[code]
		if p == nil || hex.EncodeToString(p.Of[:]) != s.c.KGs[i].Made[ne.ChangesArtefact].SHA256 {
			other = append(other, i)
			continue
		}
		delete(served, code)
		s.same[i] = p
	}
	return other
}

// giveBack are the KGs whose parts cannot be taken over, since they have changes in a touched cell of resolution 9.
func (s *summing) giveBack(touched map[hexgrid.Cell]bool) (kgs []int) {
	for i, p := range s.same {
		for c := range p.Chunks() {
			if touched[c] {
				kgs = append(kgs, i)
				delete(s.same, i)
				break
			}
		}
	}
	slices.Sort(kgs)
	return kgs
}

// note reads the changes of KGs for their cells, and keeps those of the first of them. The cells of resolution 9 above are touched.
func (s *summing) note(ctx context.Context, kgs []int, touched map[hexgrid.Cell]bool) error {
	s.anew = append(s.anew, kgs...)
	last := 0 // of those that are kept
	for ; last < len(kgs); last++ {
		k := s.of(kgs[last])
		if s.keep -= k.Candidates + k.Confirmed; s.keep < 0 {
			break
		}
	}
	type read struct {
		cells   []hexgrid.Cell
		changes *ne.Changes // nil: not kept
	}
	return stage.InOrder(ctx, len(kgs), readWidth, func(ctx context.Context, n int) (r read, err error) {
		k, b, err := s.read(ctx, kgs[n])
		if err != nil {
			return r, err
		}
		if n < last {
			if r.changes, err = parseChanges(k, b); err == nil {
				r.cells = r.changes.Changed()
			}
			return r, err
		}
		if r.cells, err = ne.ChangedCells(b, k.Candidates+k.Confirmed); err != nil {
			return r, fmt.Errorf("%s: %w", k.Changes, err)
		}
		return r, nil
	}, func(n int, r read) error {
		if r.changes != nil {
			s.kept[kgs[n]] = r.changes
		}
		s.noted.Note(r.cells)
		for _, c := range r.cells {
			if above, err := c.Parent(ne.ChunkRes); err == nil {
				touched[above] = true
			}
		}
		return nil
	})
}

// of is a KG in the list of cells; nil for one in which nothing changed.
func (s *summing) of(i int) *ne.IndexKG {
	if k := s.list.Find(s.c.KGs[i].Entry.Code); k != nil && k.Changes != "" {
		return k
	}
	return nil
}

// read is what a KG with changes has in the list, and its changes as they are stored.
func (s *summing) read(ctx context.Context, i int) (k *ne.IndexKG, b []byte, err error) {
	k = s.of(i)
	b, err = readObject(ctx, s.c.Store, k.Changes)
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
	for i, p := range s.same {
		p.KG = placed(&s.c.KGs[i])
		s.sums.Add(p)
	}
	return stage.InOrder(ctx, len(s.anew), readWidth, func(ctx context.Context, n int) (*ne.Part, error) {
		i := s.anew[n]
		x, err := s.changes(ctx, i)
		if err != nil {
			return nil, err
		}
		sum, err := hex.DecodeString(s.c.KGs[i].Made[ne.ChangesArtefact].SHA256)
		if err != nil || len(sum) != len(ne.Sum{}) {
			return nil, fmt.Errorf("KG %s: changes with the sum %.80q", s.c.KGs[i].Entry.Code, s.c.KGs[i].Made[ne.ChangesArtefact].SHA256)
		}
		return s.sums.Part(placed(&s.c.KGs[i]), ne.Sum(sum), x), nil
	}, func(_ int, p *ne.Part) error {
		s.sums.Add(p)
		return nil
	})
}

func placed(k *stage.KG) ne.PlacedKG {
	r := k.Register
	return ne.PlacedKG{Code: r.Code, Gemeinde: r.GemeindeCode, District: r.DistrictCode}
}

// changes are those of a KG that has some, kept or read.
func (s *summing) changes(ctx context.Context, i int) (*ne.Changes, error) {
	if x := s.kept[i]; x != nil {
		return x, nil
	}
	k, b, err := s.read(ctx, i)
	if err != nil {
		return nil, err
	}
	return parseChanges(k, b)
}

// servedParts are what the served sums have of each KG; empty where there are none by this recipe, or they are gone or damaged.
func servedParts(ctx context.Context, c *stage.Country) map[austria.KGCode]*ne.Part {
	o, ok := c.Live[ne.SumsArtefact]
	if !ok {
		return nil
	}
	b, err := readObject(ctx, c.Store, o.Key)
	if err != nil || objects.Sum(b) != o.SHA256 {
		return nil
	}
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil || f.Family() != ne.SumsFamily || string(f.Head()) != sumsRecipe {
		return nil
	}
	out := map[austria.KGCode]*ne.Part{}
	for i := range f.Len() {
		code, ok := strings.CutPrefix(f.Name(i), ne.RestSection(""))
		if !ok {
			continue
		}
		sums, ok := f.Find(ne.AddableSection(austria.KGCode(code)))
		if !ok {
			return nil
		}
		a, err := f.Section(sums)
		if err != nil {
			return nil
		}
		r, err := f.Section(i)
		if err != nil {
			return nil
		}
		p, err := ne.ParsePart(ne.PlacedKG{Code: austria.KGCode(code)}, a, r)
		if err != nil {
			return nil
		}
		out[p.KG.Code] = p
	}
	return out
}
