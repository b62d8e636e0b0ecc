package ne

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mappe/shared/geo/hexgrid"
)

// KGSums are the changes of a KG in a form that adds up: SumKGs makes the sums of any KGs of them, each cell once.
type KGSums struct {
	Own    Adder    `json:"own"`    // cells that no other KG has
	Shared []Change `json:"shared"` // of cells that others have too, by rising cell, a confirmed one before a candidate
}

// changes are those of the cell in the order of Changes.
func (x CellChange) changes() []Change {
	if x.Earlier == nil {
		return []Change{*x.Newest}
	}
	return []Change{*x.Earlier, *x.Newest}
}

// ParseKGSums reads the sums of a KG, and tells about what they take in memory.
func ParseKGSums(b []byte) (*KGSums, int64, error) {
	if len(b) > maxChanges {
		return nil, 0, fmt.Errorf("sums of a KG's cells: %d bytes, at most %d", len(b), maxChanges)
	}
	k := &KGSums{}
	if err := json.Unmarshal(b, k); err != nil {
		return nil, 0, fmt.Errorf("sums of a KG's cells: %w", err)
	}
	if err := checkChanges(k.Shared); err != nil {
		return nil, 0, fmt.Errorf("sums of a KG's cells: %w", err)
	}
	return k, 4096 + 120*int64(len(k.Shared)), nil
}

// SumKGs are the sums of KGs, which come by rising code: a cell that several have counts once, as the one with the
// largest share of it has it, of equal ones the first.
func SumKGs(kgs []*KGSums) *Sums {
	var all Adder
	shared := map[hexgrid.Cell]CellChange{}
	for _, k := range kgs {
		all.merge(&k.Own)
		for x := range (&Changes{Cells: k.Shared}).ByCell() {
			if known, ok := shared[x.Newest.Cell]; !ok || x.Share() > known.Share() {
				shared[x.Newest.Cell] = x
			}
		}
	}
	for _, x := range shared {
		all.Add(x)
	}
	return all.Sums()
}

func (a *Adder) empty() bool { return a.confirmed.cells == 0 && a.candidate.cells == 0 }

// merge adds what another has added up.
func (a *Adder) merge(o *Adder) {
	if a.since == "" || o.since != "" && o.since < a.since {
		a.since = o.since
	}
	a.confirmed.merge(&o.confirmed)
	a.candidate.merge(&o.candidate)
	for name, d := range o.days {
		day := a.day(name)
		day.confirmed += d.confirmed
		day.candidate += d.candidate
		day.changed += d.changed
	}
}

func (s *statusAdder) merge(o *statusAdder) {
	s.cells += o.cells
	s.strN += o.strN
	s.strCover += o.strCover
	for i := range s.use {
		s.use[i] += o.use[i]
		for j := range s.transitions[i] {
			s.transitions[i][j] += o.transitions[i][j]
		}
	}
}

// exactSums is the JSON of an Adder: its whole numbers, areas in 255ths of a cm².
type exactSums struct {
	Since     string              `json:"since"`
	Confirmed exactStatus         `json:"confirmed"`
	Candidate exactStatus         `json:"candidate"`
	Days      map[string][3]int64 `json:"days"` // confirmed, candidate, changed
}

type exactStatus struct {
	Cells       int              `json:"cells"`
	StrN        int              `json:"str_n"`
	StrCover    int64            `json:"str_cover"`
	Use         [10]int64        `json:"use"`
	Transitions map[string]int64 `json:"transitions"`
}

// MarshalJSON writes the whole numbers.
func (a Adder) MarshalJSON() ([]byte, error) {
	x := exactSums{a.since, a.confirmed.exact(), a.candidate.exact(), map[string][3]int64{}}
	for day, d := range a.days {
		x.Days[day] = [3]int64{int64(d.confirmed), int64(d.candidate), d.changed}
	}
	return json.Marshal(x)
}

func (s *statusAdder) exact() exactStatus {
	x := exactStatus{s.cells, s.strN, s.strCover, s.use, map[string]int64{}}
	for i := range s.transitions {
		for j, v := range s.transitions[i] {
			if v != 0 {
				x.Transitions[ClassName(i)+">"+ClassName(j)] = v
			}
		}
	}
	return x
}

// UnmarshalJSON reads them.
func (a *Adder) UnmarshalJSON(b []byte) error {
	var x exactSums
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	*a = Adder{since: x.Since}
	for name, d := range x.Days {
		day := a.day(name)
		day.confirmed, day.candidate, day.changed = int(d[0]), int(d[1]), d[2]
	}
	var err error
	if a.confirmed, err = x.Confirmed.adder(); err != nil {
		return err
	}
	a.candidate, err = x.Candidate.adder()
	return err
}

func (x *exactStatus) adder() (statusAdder, error) {
	s := statusAdder{cells: x.Cells, strN: x.StrN, strCover: x.StrCover, use: x.Use}
	for name, v := range x.Transitions {
		from, to, _ := strings.Cut(name, ">")
		i, j := classOf(from), classOf(to)
		if i < 0 || j < 0 || i == j {
			return s, fmt.Errorf("a transition %.40q", name)
		}
		s.transitions[i][j] = v
	}
	return s, nil
}

// classOf is the inverse of ClassName; -1 for what is no class.
func classOf(name string) int {
	if name == Unclassed {
		return len(Uses)
	}
	return slices.Index(Uses[:], name)
}
