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

// SumsArtefact is the kind by which a generation names the sums of what changed: an artefact in parts (SumsKind) with
//
//	c        the changed ground by cell of resolution 9 (EncodeGround)
//	d g k n s and a code   the JSON of Sums of each area in which something changed, under the name of the area
//	x and the code of a KG the JSON of KGSums of each KG in which something changed
//
// Sums of an area are what is shown. They are rounded and have border cells once, so that those of several KGs do not add
// up; KGSums do.
const SumsArtefact = "cell-sums"

// GroundSection is the name of the section of the changed ground.
const GroundSection = "c"

// SumsKind is what the parts of SumsArtefact are. Its digit is the version of the sections.
var SumsKind = sectionfile.Kind{'n', 'e', 's', '1'}

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

// AreaSums adds the changes of KGs up by area. A cell that several KGs of an area have counts once there: as the KG with
// the largest share of it has it, of equal ones the first by code. The changes are read twice, so that memory holds
// no more of them than the names of the cells and the changes of shared cells: Note those of all KGs, Share, and Add the
// Part of each.
type AreaSums struct {
	noted  []hexgrid.Cell
	shared map[hexgrid.Cell]bool
	held   []heldChange // of shared cells
	areas  map[Area]*Adder
	kgs    map[austria.KGCode]*KGSums
	ground map[hexgrid.Cell]*Ground // by cell of resolution 9
}

// heldChange is what a KG has of a shared cell.
type heldChange struct {
	kg              PlacedKG
	newest, earlier Change
	both            bool
}

func (h *heldChange) change() CellChange {
	if h.both {
		return CellChange{&h.newest, &h.earlier}
	}
	return CellChange{&h.newest, nil}
}

// Note says that a KG has these changes.
func (s *AreaSums) Note(c *Changes) {
	for x := range c.ByCell() {
		s.noted = append(s.noted, x.Newest.Cell)
	}
}

// Part is what the changes of one KG add.
type Part struct {
	kg     PlacedKG
	own    Adder // cells that no other KG has
	common Adder // cells that others have too
	shared []Change
	held   []heldChange
	ground map[hexgrid.Cell]*Ground // of own
}

// Share is called once, when all KGs were noted: it finds the cells that several have.
func (s *AreaSums) Share() {
	slices.Sort(s.noted)
	s.shared = map[hexgrid.Cell]bool{}
	for i := 1; i < len(s.noted); i++ {
		if s.noted[i] == s.noted[i-1] {
			s.shared[s.noted[i]] = true
		}
	}
	s.noted = nil
}

// Part adds up what a KG has. It may be called by several goroutines at once, after Share.
func (s *AreaSums) Part(kg PlacedKG, c *Changes) *Part {
	p := &Part{kg: kg, ground: map[hexgrid.Cell]*Ground{}}
	for x := range c.ByCell() {
		area := wholeArea(x.Newest.Cell)
		if !s.shared[x.Newest.Cell] {
			p.own.add(x, area)
			changed(p.ground, x, area)
			continue
		}
		p.common.add(x, area)
		p.shared = append(p.shared, x.changes()...)
		h := heldChange{kg: kg, newest: *x.Newest, both: x.Earlier != nil}
		if h.both {
			h.earlier = *x.Earlier
		}
		p.held = append(p.held, h)
	}
	return p
}

// Add adds what a KG has; each KG once, in any order.
func (s *AreaSums) Add(p *Part) {
	if s.kgs == nil {
		s.kgs, s.ground = map[austria.KGCode]*KGSums{}, map[hexgrid.Cell]*Ground{}
	}
	s.kgs[p.kg.Code] = &KGSums{Own: p.own, Shared: p.shared}
	s.held = append(s.held, p.held...)
	if !p.own.empty() || !p.common.empty() {
		own := s.of(KGArea(p.kg.Code))
		own.merge(&p.own)
		own.merge(&p.common)
	}
	if !p.own.empty() {
		for _, a := range p.kg.around() {
			s.of(a).merge(&p.own)
		}
	}
	for cell, g := range p.ground {
		if known := s.ground[cell]; known != nil {
			known.merge(g)
			continue
		}
		s.ground[cell] = g
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
	if s.areas == nil {
		s.areas = map[Area]*Adder{}
	}
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
		return cmp.Or(cmp.Compare(a.newest.Cell, b.newest.Cell), cmp.Compare(a.kg.Code, b.kg.Code))
	})
	for from := 0; from < len(s.held); {
		to := from + 1
		for to < len(s.held) && s.held[to].newest.Cell == s.held[from].newest.Cell {
			to++
		}
		best := map[Area]*heldChange{}
		for i := from; i < to; i++ {
			h := &s.held[i]
			for _, a := range h.kg.around() {
				if b := best[a]; b == nil || h.change().Share() > b.change().Share() {
					best[a] = h
				}
			}
		}
		for a, h := range best {
			s.of(a).Add(h.change())
		}
		x := best[Nation].change()
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
	for _, code := range slices.Sorted(maps.Keys(s.kgs)) {
		k := s.kgs[code]
		if len(k.Shared) == 0 && k.Own.empty() {
			continue
		}
		if err := add(AddableSection(code), k); err != nil {
			return nil, err
		}
	}
	return out, nil
}
