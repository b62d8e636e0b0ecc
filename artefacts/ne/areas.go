package ne

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

// SumsArtefact is the kind by which a generation names the sums of what changed: an artefact in parts (SumsFamily) with
//
//	c        the changed ground by cell of resolution 9 (EncodeGround)
//	d g k n s and a code   the JSON of Sums of each area in which something changed, under the name of the area
//	x and the code of a KG the JSON of KGSums of each KG in which something changed
//	y and the code what a later publication needs beside it, so that it need not read the changes again (Part.Rest)
//
// Sums of an area are what is shown. They are rounded and have border cells once, so that those of several KGs do not add
// up; KGSums do.
const SumsArtefact = "cell-sums"

// GroundSection is the name of the section of the changed ground.
const GroundSection = "c"

// SumsKind is what the parts of SumsArtefact are. Its digit is the version of the sections.
var SumsFamily = sectionfile.Family{'n', 'e', 's', '1'}

// Area is the name of an area.
type Area string

// Nation is the whole country.
const Nation Area = "n"

// StateArea is a state.
func StateArea(c austria.StateCode) Area { return "s" + Area(c) }

// DistrictArea is a district.
func DistrictArea(c austria.DistrictCode) Area { return "d" + Area(c) }

// GemeindeArea is a municipality.
func GemeindeArea(c austria.GemeindeCode) Area { return "g" + Area(c) }

// KGArea is a KG.
func KGArea(c austria.KGCode) Area { return "k" + Area(c) }

// AddableSection is the name of the section with the KGSums of a KG.
func AddableSection(c austria.KGCode) string { return "x" + string(c) }

// PlacedKG is a KG and what it belongs to, by the register. A code that is not known is "".
type PlacedKG struct {
	Code     austria.KGCode
	Gemeinde austria.GemeindeCode
	District austria.DistrictCode
}

// around are the areas that a KG is a part of.
func (k *PlacedKG) around() []Area {
	out := []Area{Nation}
	if k.Gemeinde != "" {
		out = append(out, StateArea(k.Gemeinde.State()), GemeindeArea(k.Gemeinde))
	}
	if k.District != "" {
		out = append(out, DistrictArea(k.District))
	}
	return out
}

// Noted are the cells that changed in KGs. The changes of the KGs are read twice, so that memory holds no more of them than
// the names of the cells and the changes of shared cells: those of all KGs are noted, then Sums adds the Part of each up.
type Noted struct {
	cells  []hexgrid.Cell
	shared map[hexgrid.Cell]bool
}

// Note says that a KG has changes of these cells, each once.
func (n *Noted) Note(cells []hexgrid.Cell) { n.cells = append(n.cells, cells...) }

// NotePart says that a KG has the changes of a part that was kept.
func (n *Noted) NotePart(p *Part) {
	for i := range p.sums.Shared {
		n.share(p.sums.Shared[i].Cell)
	}
}

func (n *Noted) share(c hexgrid.Cell) {
	if n.shared == nil {
		n.shared = map[hexgrid.Cell]bool{}
	}
	n.shared[c] = true
}

// Sums are those of the KGs that were noted, before one of them is added. It empties n.
func (n *Noted) Sums() *AreaSums {
	slices.Sort(n.cells)
	for i := 1; i < len(n.cells); i++ {
		if n.cells[i] == n.cells[i-1] {
			n.share(n.cells[i])
		}
	}
	s := &AreaSums{shared: n.shared, areas: map[Area]*Adder{}, parts: map[austria.KGCode]*Part{}, ground: map[hexgrid.Cell]*Ground{}}
	*n = Noted{}
	return s
}

// AreaSums adds the changes of KGs up by area. A cell that several KGs of an area have counts once there: as the KG with
// the largest share of it has it, of equal ones the first by code.
type AreaSums struct {
	shared map[hexgrid.Cell]bool
	held   []heldChange // of shared cells
	areas  map[Area]*Adder
	parts  map[austria.KGCode]*Part
	ground map[hexgrid.Cell]*Ground // by cell of resolution 9
}

// heldChange is what a KG has of a shared cell.
type heldChange struct {
	kg     PlacedKG
	change CellChange
}

// Part adds up what a KG has. sum is the SHA-256 of the object that its changes were read from. It may be called by several
// goroutines at once.
func (s *AreaSums) Part(kg PlacedKG, sum Sum, c *Changes) *Part {
	p := &Part{KG: kg, Of: sum}
	ground := map[hexgrid.Cell]*Ground{}
	for x := range c.ByCell() {
		if s.shared[x.Newest.Cell] {
			p.sums.Shared = append(p.sums.Shared, x.changes()...)
			continue
		}
		area := wholeArea(x.Newest.Cell)
		p.sums.Own.add(x, area)
		changed(ground, x, area)
	}
	for _, cell := range slices.Sorted(maps.Keys(ground)) {
		p.ground = append(p.ground, *ground[cell])
	}
	return p
}

// Add adds what a KG has; each KG once, in any order.
func (s *AreaSums) Add(p *Part) {
	s.parts[p.KG.Code] = p
	if own := &p.sums.Own; !own.empty() {
		for _, a := range append(p.KG.around(), KGArea(p.KG.Code)) {
			s.of(a).merge(own)
		}
	}
	for x := range (&Changes{Cells: p.sums.Shared}).ByCell() {
		s.of(KGArea(p.KG.Code)).Add(x)
		s.held = append(s.held, heldChange{p.KG, x})
	}
	for _, g := range p.ground {
		if known := s.ground[g.Cell]; known != nil {
			known.merge(&g)
			continue
		}
		s.ground[g.Cell] = &g
	}
}

// changed adds what changed in a cell to the ground of the one of resolution 9 above it.
func changed(ground map[hexgrid.Cell]*Ground, x CellChange, area int64) {
	above, err := x.Newest.Cell.Parent(ChunkRes)
	if err != nil {
		return // ParseChanges lets no such cell in
	}
	g := ground[above]
	if g == nil {
		g = &Ground{Cell: above}
		ground[above] = g
	}
	g.add(x, area)
}

func (s *AreaSums) of(a Area) *Adder {
	adder := s.areas[a]
	if adder == nil {
		adder = &Adder{}
		s.areas[a] = adder
	}
	return adder
}

// settle adds the shared cells to their areas.
func (s *AreaSums) settle() {
	slices.SortFunc(s.held, func(a, b heldChange) int {
		return cmp.Or(cmp.Compare(a.change.Newest.Cell, b.change.Newest.Cell), cmp.Compare(a.kg.Code, b.kg.Code))
	})
	for from := 0; from < len(s.held); {
		to := from + 1
		for to < len(s.held) && s.held[to].change.Newest.Cell == s.held[from].change.Newest.Cell {
			to++
		}
		best := map[Area]CellChange{}
		for _, h := range s.held[from:to] {
			for _, a := range h.kg.around() {
				if b, ok := best[a]; !ok || h.change.Share() > b.Share() {
					best[a] = h.change
				}
			}
		}
		for a, x := range best {
			s.of(a).Add(x)
		}
		x := best[Nation]
		changed(s.ground, x, wholeArea(x.Newest.Cell))
		from = to
	}
	s.held = nil
}

// Sections are those of SumsArtefact, by rising name; none where nothing changed.
func (s *AreaSums) Sections() ([]sectionfile.Section, error) {
	s.settle()
	if len(s.areas) == 0 {
		return nil, nil
	}
	out := []sectionfile.Section{{Name: GroundSection, Body: EncodeGround(slices.Collect(maps.Values(s.ground)))}}
	add := func(name string, v any) error {
		body, err := json.Marshal(v)
		out = append(out, sectionfile.Section{Name: name, Body: body})
		return err
	}
	for _, a := range slices.Sorted(maps.Keys(s.areas)) {
		if err := add(string(a), s.areas[a].Sums()); err != nil {
			return nil, err
		}
	}
	codes := slices.DeleteFunc(slices.Sorted(maps.Keys(s.parts)), func(c austria.KGCode) bool { return s.parts[c].empty() })
	for _, code := range codes {
		if err := add(AddableSection(code), &s.parts[code].sums); err != nil {
			return nil, err
		}
	}
	for _, code := range codes {
		out = append(out, sectionfile.Section{Name: RestSection(code), Body: s.parts[code].Rest()})
	}
	return out, nil
}
