package austria

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"mappe/infra/realdata"
)

func set(codes ...LandUse) (s LandUseSet) {
	for _, c := range codes {
		s.Add(c)
	}
	return s
}

func TestLandUseTable(t *testing.T) {
	count := map[LandUseState]int{}
	last := LandUse(0)
	for _, r := range AllLandUses() {
		count[r.State]++
		if r.Code <= last {
			t.Errorf("code %v stands after %v", r.Code, last)
		}
		last = r.Code
		if r.Name == "" || r.Group == "" || r.Abbr == "" || r.Class == ClassNone || r.State == LandUseUnknown {
			t.Errorf("row %v is not complete: %+v", r.Code, r)
		}
		if got, err := ParseLandUse(r.Code.String()); err != nil || got != r.Code {
			t.Errorf("ParseLandUse(%q): got %v, %v", r.Code.String(), got, err)
		}
		for _, a := range append([]string{r.Abbr}, r.Also...) {
			if s, err := ParseLandUseSet(a); err != nil || !s.Has(r.Code) {
				t.Errorf("%q does not select %v: %v", a, r.Code, err)
			}
		}
	}
	if count[LandUseCurrent] != 26 || count[LandUseDeleted] != 16 || count[LandUseLegal] != 4 {
		t.Errorf("want 26 current, 16 deleted, 4 legal codes, got %v", count)
	}
	if LandUse(43).Known() || LandUse(0).Known() || LandUse(255).Known() {
		t.Error("a code outside the table is known")
	}
}

// The nine classes as decided for the cells.
func TestLandUseClasses(t *testing.T) {
	want := map[LandUseClass]LandUseSet{
		ClassBuilding: set(41),
		ClassBuiltUp:  set(83, 52, 63, 98),
		ClassArable:   set(40, 48, 49, 53),
		ClassGrass:    set(44, 45, 46, 47, 50, 51, 57, 89),
		ClassForest:   set(30, 55, 56, 58),
		ClassWater:    set(59, 60, 61, 64),
		ClassTraffic:  set(42, 65, 90, 91, 92, 95),
		ClassAlpine:   set(54),
		ClassOther:    set(62, 72, 73, 74, 77, 78, 84, 85, 86, 87, 88, 94, 96, 97),
	}
	got := map[LandUseClass]LandUseSet{}
	for _, r := range AllLandUses() {
		got[r.Class] = got[r.Class].Union(set(r.Code))
	}
	for _, c := range AllLandUseClasses() {
		if got[c] != want[c] {
			t.Errorf("class %v: want %v, got %v", c, want[c], got[c])
		}
	}
	if LandUse(0).Class() != ClassNone || LandUse(43).Class() != ClassOther {
		t.Error("0 must have no class, an unknown code the class of the others")
	}
}

func TestLandUseAbbreviations(t *testing.T) {
	for _, a := range []string{"B", "V", "W", "LN", "A", "GW", "WG", "GA", "OG", "Alpe", "Oed", "Fe", "Gl", "Su"} {
		if !slices.Contains(AllLandUseAbbrs(), a) {
			t.Errorf("abbreviation %q of the specification is missing", a)
		}
	}
	for _, c := range []struct {
		in   string
		want LandUseSet
	}{
		{"W", set(30, 55, 56, 58)},
		{"w", set(30, 55, 56, 58)},
		{"A", set(48, 49)},
		{"Öd", set(62)},
		{"Öed", LandUseSet{}},
		{"OED", set(62)},
		{"öd", set(62)},
		{"GW", set(59, 60, 61, 64)},
		{"Su", set(61)},
		{"41", set(41)},
		{"WG, 41 ,Fe", set(53, 41, 87)},
		{"", LandUseSet{}},
		{"41,", LandUseSet{}},
		{"43", LandUseSet{}},
		{"99", LandUseSet{}},
		{"041", LandUseSet{}},
		{"4", LandUseSet{}},
		{"-1", LandUseSet{}},
		{strings.Repeat("41,", 64) + "41", LandUseSet{}},
		{strings.Repeat("W", 100000), LandUseSet{}},
	} {
		got, err := ParseLandUseSet(c.in)
		if got != c.want || (err == nil) == c.want.Empty() {
			t.Errorf("ParseLandUseSet(%.20q): want %v, got %v, %v", c.in, c.want, got, err)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("message of %d bytes", len(err.Error()))
		}
	}
	if got, err := ParseLandUse("wg"); err != nil || got != 53 {
		t.Errorf("want 53, got %v, %v", got, err)
	}
	if _, err := ParseLandUse("W"); err == nil || !strings.Contains(err.Error(), "30,55,56,58") {
		t.Errorf("want an error that lists the codes, got %v", err)
	}
}

func TestLandUseTableAgainstPublishedCodes(t *testing.T) {
	f, err := os.Open(realdata.Path(t, "cadastre/dkm_nutzung_codes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	recs, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(recs)-1 != len(AllLandUses()) {
		t.Errorf("want %d codes, got %d", len(recs)-1, len(AllLandUses()))
	}
	for _, r := range recs[1:] {
		l, err := ParseLandUse(r[0])
		if err != nil {
			t.Error(err)
			continue
		}
		name, state := r[5], LandUseCurrent
		switch {
		case strings.HasPrefix(r[1], "deleted"):
			name, state = r[7], LandUseDeleted
			name = strings.TrimSuffix(name, " (layer SB)")
		case strings.HasPrefix(r[1], "NS_RECHT"):
			state = LandUseLegal
		}
		if l.Name() != name || l.State() != state {
			t.Errorf("%v: want %q state %d, got %q state %d", l, name, state, l.Name(), l.State())
		}
	}
}
