package austria

import (
	"errors"
	"strings"
	"testing"
)

func TestParseCodes(t *testing.T) {
	type parse func(string) (string, error)
	kg := func(s string) (string, error) { v, err := ParseKGCode(s); return string(v), err }
	gem := func(s string) (string, error) { v, err := ParseGemeindeCode(s); return string(v), err }
	dist := func(s string) (string, error) { v, err := ParseDistrictCode(s); return string(v), err }
	plz := func(s string) (string, error) { v, err := ParsePLZ(s); return string(v), err }
	gnr := func(s string) (string, error) { v, err := ParseGNR(s); return string(v), err }
	par := func(s string) (string, error) { v, err := ParseParcelID(s); return v.String(), err }
	fp := func(s string) (string, error) { v, err := ParseFootprintID(s); return v.String(), err }
	bld := func(s string) (string, error) { v, err := ParseBuildingID(s); return v.String(), err }
	st := func(s string) (string, error) { v, err := ParseStatus(s); return v.String(), err }
	for _, c := range []struct {
		name  string
		parse parse
		in    string
		want  string // "" means refused
	}{
		{"KG padded", kg, "01004", "01004"},
		{"KG unpadded", kg, "1004", "01004"},
		{"KG one digit", kg, "7", "00007"},
		{"KG six digits", kg, "014168", ""},
		{"KG empty", kg, "", ""},
		{"KG sign", kg, "-1004", ""},
		{"KG space", kg, " 1004", ""},
		{"KG full-width digits", kg, "１００４", ""},
		{"municipality", gem, "90001", "90001"},
		{"municipality state 0", gem, "1004", ""},
		{"municipality text", gem, "Wien", ""},
		{"district", dist, "315", "315"},
		{"district state 0", dist, "015", ""},
		{"district two digits", dist, "15", ""},
		{"postal code", plz, "6080", "6080"},
		{"postal code 0", plz, "0608", ""},
		{"postal code five digits", plz, "60801", ""},
		{"parcel number", gnr, "20", "20"},
		{"building plot", gnr, ".17", ".17"},
		{"sub-number", gnr, "123/4", "123/4"},
		{"building plot with sub-number", gnr, ".3/2", ".3/2"},
		{"two dots", gnr, "..3", ""},
		{"two slashes", gnr, "1/2/3", ""},
		{"slash at the end", gnr, "1/", ""},
		{"slash at the start", gnr, "/1", ""},
		{"only a dot", gnr, ".", ""},
		{"letters", gnr, "12a", ""},
		{"17 bytes", gnr, strings.Repeat("1", 17), ""},
		{"parcel id", par, "1004-123/4", "01004-123/4"},
		{"parcel id of a building plot", par, "01004-.17", "01004-.17"},
		{"parcel id without number", par, "01004-", ""},
		{"parcel id without KG", par, "-20", ""},
		{"parcel id without hyphen", par, "0100420", ""},
		{"parcel id encoded twice", par, "01004-123%2F4", ""},
		{"footprint", fp, "1004_fp_17", "01004_fp_17"},
		{"footprint negative", fp, "01004_fp_-1", ""},
		{"footprint plus", fp, "01004_fp_+1", ""},
		{"footprint too great", fp, "01004_fp_4294967296", ""},
		{"building", bld, "5000090-1", "5000090-001"},
		{"building of four digits", bld, "5000090-1234", "5000090-1234"},
		{"building without sub-code", bld, "5000090", ""},
		{"building empty parts", bld, "-", ""},
		{"building too great", bld, "99999999999999999999-1", ""},
		{"status", st, "g", "G"},
		{"status unknown", st, "X", ""},
	} {
		got, err := c.parse(c.in)
		if c.want == "" {
			var e *Error
			if !errors.As(err, &e) || e.Value != c.in || e.Expected == "" {
				t.Errorf("%s: %q must be refused with value and expectation, got %q, %v", c.name, c.in, got, err)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%s: %q: want %q, got %q, %v", c.name, c.in, c.want, got, err)
		}
	}
}

func TestGemeindeParts(t *testing.T) {
	g := GemeindeCode("31507")
	if g.District() != "315" || g.State() != "3" || g.State().Name() != "Niederösterreich" {
		t.Errorf("got %v %v %v", g.District(), g.State(), g.State().Name())
	}
	if g := GemeindeCode(""); g.District() != "" || g.State() != "" || g.State().Name() != "" {
		t.Error("parts of no code are not empty")
	}
	for _, s := range AllStates() {
		if s.Name() == "" {
			t.Errorf("state %v has no name", s)
		}
	}
}

func TestLongValuesAreCut(t *testing.T) {
	_, err := ParseGNR(strings.Repeat("x", 1<<20))
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("want a short message, got %d bytes", len(err.Error()))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1004", "01004-123/4", ".3/2", "01004_fp_17", "5000090-001", "LN,41", "Öd", "E", "W, 30"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// What is accepted comes back from its own spelling.
		if v, err := ParseKGCode(s); err == nil {
			if w, err := ParseKGCode(string(v)); err != nil || w != v {
				t.Fatalf("KG %q: %v, %v", s, w, err)
			}
		}
		if v, err := ParseGNR(s); err == nil && string(v) != s {
			t.Fatalf("parcel number %q became %q", s, v)
		}
		if v, err := ParseParcelID(s); err == nil {
			if w, err := ParseParcelID(v.String()); err != nil || w != v {
				t.Fatalf("parcel %q: %v, %v", s, w, err)
			}
		}
		if v, err := ParseFootprintID(s); err == nil {
			if w, err := ParseFootprintID(v.String()); err != nil || w != v {
				t.Fatalf("footprint %q: %v, %v", s, w, err)
			}
		}
		if v, err := ParseBuildingID(s); err == nil {
			if w, err := ParseBuildingID(v.String()); err != nil || w != v {
				t.Fatalf("building %q: %v, %v", s, w, err)
			}
		}
		if v, err := ParseLandUseSet(s); err == nil {
			if w, err := ParseLandUseSet(v.String()); err != nil || w != v {
				t.Fatalf("land use %q: %v, %v", s, w, err)
			}
		}
		if v, err := ParseLandUse(s); err == nil && !v.Known() {
			t.Fatalf("land use %q: %v is not in the table", s, v)
		}
	})
}
