package ne

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"mappe/artefacts/parts"
	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

// SumsArtefact is the kind by which a generation names the sums of what changed: an artefact in parts (SumsKind) with a
// section for each area in which something changed, the JSON of Sums under the name of the area.
const SumsArtefact = "cell-sums"

// SumsKind is what the parts of SumsArtefact are. Its digit is the version of the sections.
var SumsKind = parts.Kind{'n', 'e', 's', '1'}

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
// no more of them than the names of the cells and the changes of shared cells: Note those of all KGs, then Add them.
type AreaSums struct {
	noted  []hexgrid.Cell
	shared map[hexgrid.Cell]bool
	held   []heldChange // of shared cells
	areas  map[Area]*Adder
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

// Add adds the changes of a KG. All KGs must have been noted before.
func (s *AreaSums) Add(kg PlacedKG, c *Changes) {
	if s.shared == nil {
		s.share()
	}
	around := kg.around()
	for x := range c.ByCell() {
		area := wholeArea(x.Newest.Cell)
		s.of(KGArea(kg.Code)).add(x, area)
		if s.shared[x.Newest.Cell] {
			h := heldChange{kg: kg, newest: *x.Newest, both: x.Earlier != nil}
			if h.both {
				h.earlier = *x.Earlier
			}
			s.held = append(s.held, h)
			continue
		}
		for _, a := range around {
			s.of(a).add(x, area)
		}
	}
}

// share finds the cells that were noted more than once.
func (s *AreaSums) share() {
	slices.Sort(s.noted)
	s.shared = map[hexgrid.Cell]bool{}
	for i := 1; i < len(s.noted); i++ {
		if s.noted[i] == s.noted[i-1] {
			s.shared[s.noted[i]] = true
		}
	}
	s.noted = nil
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
		from = to
	}
	s.held = nil
}

// Sections are the sums of the areas in which something changed, by rising name.
func (s *AreaSums) Sections() ([]parts.Section, error) {
	s.settle()
	var out []parts.Section
	for _, a := range slices.Sorted(maps.Keys(s.areas)) {
		body, err := json.Marshal(s.areas[a].Sums())
		if err != nil {
			return nil, err
		}
		out = append(out, parts.Section{Name: string(a), Body: body})
	}
	return out, nil
}
