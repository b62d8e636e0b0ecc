package austria

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// LandUse is a land-use code (Nutzungscode, ns) of the cadastral map, 30 to 98; 0 means none.
type LandUse uint8

// LandUseBuilding is the code of building outlines.
const LandUseBuilding LandUse = 41

// The table: one row a code of the cadastral map as valid since the reform of 2012, with the codes deleted
// then. "abbr" is the abbreviation shown; "also" lists further abbreviations that select the code in a filter
// (48 holds arable land and meadows together since 2012, so A selects it).
// So (others) and R (legal overlay, no use of land) complete the fourteen abbreviations of the
// specification; class is one of the nine cell classes; name_en is our translation of the name, for pages.
//
//go:embed landuse.csv
var landUseCSV string

// LandUseState says whether a code is still given.
type LandUseState uint8

// The states of a code.
const (
	LandUseUnknown LandUseState = iota
	LandUseCurrent
	LandUseDeleted // given up in 2012, still met in the data
	LandUseLegal   // legal overlay (forest law, vineyard law), not a use
)

// LandUseClass is one of the nine classes of the cells.
type LandUseClass uint8

// The nine classes in the order of the cell record, after the unset value.
const (
	ClassNone LandUseClass = iota
	ClassBuilding
	ClassBuiltUp
	ClassArable
	ClassGrass
	ClassForest
	ClassWater
	ClassTraffic
	ClassAlpine
	ClassOther
)

var classNames = [...]string{"", "geb", "bau", "acker", "gruen", "wald", "wasser", "verkehr", "alpen", "sonst"}

// AllLandUseClasses lists the nine classes.
func AllLandUseClasses() []LandUseClass {
	return []LandUseClass{ClassBuilding, ClassBuiltUp, ClassArable, ClassGrass, ClassForest, ClassWater, ClassTraffic, ClassAlpine,
		ClassOther}
}

func (c LandUseClass) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return ""
}

// LandUseRow is one row of the code table.
type LandUseRow struct {
	Code       LandUse
	State      LandUseState
	Group      string // Benützungsart
	Name       string // Nutzung, German
	NameBefore string // name before 2012, "" when none or unknown
	Abbr       string
	Also       []string // further abbreviations that select the code
	Class      LandUseClass
	English    string // Name in English: ours, the survey office gives none
}

var landUseTable = sync.OnceValue(func() (t struct {
	rows  []LandUseRow
	index [256]uint8 // row + 1
	abbrs []string   // in order of first appearance by code
	sets  map[string]LandUseSet
}) {
	recs, err := csv.NewReader(strings.NewReader(landUseCSV)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("austria: embedded land-use table: %v", err)) // part of the program, held by a test
	}
	states := map[string]LandUseState{"current": LandUseCurrent, "deleted": LandUseDeleted, "legal": LandUseLegal}
	t.sets = map[string]LandUseSet{}
	for _, r := range recs[1:] {
		n, _ := strconv.ParseUint(r[0], 10, 8)
		row := LandUseRow{Code: LandUse(n), State: states[r[1]], Group: r[2], Name: r[3], NameBefore: r[4], Abbr: r[5],
			Also: strings.Fields(r[6]), English: r[8]}
		for c, name := range classNames {
			if c > 0 && name == r[7] {
				row.Class = LandUseClass(c)
			}
		}
		t.rows = append(t.rows, row)
		t.index[n] = uint8(len(t.rows))
		for _, a := range append([]string{row.Abbr}, row.Also...) {
			k := foldAbbr(a)
			s, known := t.sets[k]
			if !known {
				t.abbrs = append(t.abbrs, a)
			}
			s.Add(row.Code)
			t.sets[k] = s
		}
	}
	return t
})

// foldAbbr makes abbreviations comparable: letter case and the two spellings of Ö do not count.
func foldAbbr(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), "ö", "oe")
}

// AllLandUses lists the table by rising code. The rows are shared: do not change them.
func AllLandUses() []LandUseRow { return landUseTable().rows }

// AllLandUseAbbrs lists the abbreviations in the order in which the codes name them first.
func AllLandUseAbbrs() []string { return landUseTable().abbrs }

// Row is the code's row, false when the table does not know the code.
func (l LandUse) Row() (LandUseRow, bool) {
	t := landUseTable()
	if i := t.index[l]; i > 0 {
		return t.rows[i-1], true
	}
	return LandUseRow{}, false
}

// Known says whether the table holds the code.
func (l LandUse) Known() bool { return landUseTable().index[l] > 0 }

// Name is the German name, "" for an unknown code.
func (l LandUse) Name() string { r, _ := l.Row(); return r.Name }

// Abbr is the abbreviation, "" for an unknown code.
func (l LandUse) Abbr() string { r, _ := l.Row(); return r.Abbr }

// State says whether the code is still given.
func (l LandUse) State() LandUseState { r, _ := l.Row(); return r.State }

// Class is the code's cell class: ClassOther for a code the table does not know, ClassNone for 0.
func (l LandUse) Class() LandUseClass {
	if r, ok := l.Row(); ok {
		return r.Class
	}
	if l == 0 {
		return ClassNone
	}
	return ClassOther
}

// String is the code in two digits, "" for 0.
func (l LandUse) String() string {
	if l == 0 {
		return ""
	}
	if l < 10 {
		return "0" + strconv.Itoa(int(l))
	}
	return strconv.Itoa(int(l))
}

// ParseLandUse reads a code of the table ("41") or an abbreviation that stands for exactly one code
// ("WG"). For abbreviations in general use ParseLandUseSet.
func ParseLandUse(s string) (LandUse, error) {
	set, err := parseLandUseItem(s)
	if err != nil {
		return 0, err
	}
	codes := set.Codes()
	if len(codes) != 1 {
		return 0, &Error{"land use", s, fmt.Sprintf("one code: this abbreviation stands for %d (%s)", len(codes), set)}
	}
	return codes[0], nil
}

// ParseLandUseSet reads a comma list of codes and abbreviations: "W", "41", "LN,53". At most 64 items.
func ParseLandUseSet(s string) (LandUseSet, error) {
	var set LandUseSet
	items := strings.SplitN(s, ",", 65)
	if len(items) > 64 {
		return set, &Error{"land-use list", s, "at most 64 codes or abbreviations"}
	}
	for _, it := range items {
		one, err := parseLandUseItem(strings.TrimSpace(it))
		if err != nil {
			return LandUseSet{}, err
		}
		set = set.Union(one)
	}
	return set, nil
}

func parseLandUseItem(s string) (LandUseSet, error) {
	t := landUseTable()
	if digits(s) && len(s) == 2 {
		if n := LandUse((s[0]-'0')*10 + s[1] - '0'); n.Known() {
			var set LandUseSet
			set.Add(n)
			return set, nil
		}
	} else if len(s) <= 8 {
		if set, ok := t.sets[foldAbbr(s)]; ok {
			return set, nil
		}
	}
	return LandUseSet{}, &Error{"land use", s, "a code of the table, 30 to 98 (usual 40 to 97), or an abbreviation: " +
		strings.Join(t.abbrs, ", ")}
}
