package area

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// registered is a register of six KGs in three states: two municipalities are Sankt Georgen, two differ in ß and ss, two districts
// are Nord, and one KG knows neither its municipality's name nor its district's.
func registered(t *testing.T) *register.Register {
	t.Helper()
	c := register.Contents{ToleranceM: 5,
		Municipalities: []register.Municipality{{Code: "10101", Name: "Sankt Georgen", DistrictCode: "101"},
			{Code: "40404", Name: "Ohne", DistrictCode: "404"}},
		PLZ: []register.PostalPlace{{PLZ: "1010", Place: "A", GemeindeCode: "10101"}, {PLZ: "1010", Place: "B", GemeindeCode: "30301"}}}
	for _, k := range []struct {
		code               austria.KGCode
		gemeinde           austria.GemeindeCode
		municipality, name string
	}{
		{"01001", "10101", "Sankt Georgen", "Nord"}, {"01002", "10101", "Sankt Georgen", "Nord"}, {"01003", "10102", "Weiß", "Nord"},
		{"02001", "20201", "Sankt Georgen", "Süd"}, {"02002", "20202", "", ""}, {"03001", "30301", "Weiss", "Nord"},
	} {
		c.KGs = append(c.KGs, register.KG{DistrictCode: k.gemeinde.District(), KG: kgfile.KG{Code: k.code, GemeindeCode: k.gemeinde,
			GemeindeName: k.municipality, DistrictName: k.name}})
	}
	body, err := register.Encode(&c)
	if err != nil {
		t.Fatal(err)
	}
	reg, err := register.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

// asked is what a request with these parameters selects: "given" and the codes, or the status and the text of the fault.
func asked(t *testing.T, query string, of func(r *endpoint.Request) (codes []austria.KGCode, given bool, err error)) (int, string) {
	t.Helper()
	service := &endpoint.Service{System: "t", Title: "t", Version: "1", Endpoints: []endpoint.Endpoint{{
		Method: "GET", Path: "/kgs", ID: "kgs", Tag: "t", Summary: "KGs", Doc: "KGs of an area.", Params: Params, Example: "/kgs?kg=1001",
		Answer: endpoint.Answer{Body: map[string]any{}},
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			codes, given, err := of(r)
			if err != nil {
				return nil, err
			}
			text := "none"
			if given {
				text = "given"
			}
			for _, c := range codes {
				text += " " + string(c)
			}
			return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error { j.Member("data", text); return j.Err() }}, nil
		}}}}
	w := fixture.Ask(fixture.Handler(t, service), "GET", "/kgs?"+strings.ReplaceAll(query, " ", "%20"), "")
	body := w.Body.String()
	if _, text, ok := strings.Cut(body, `"data":"`); ok && w.Code == 200 {
		body, _, _ = strings.Cut(text, `"`)
	}
	return w.Code, body
}

// Each parameter selects KGs by rising code, each once; several narrow each other.
func TestKGsOfAnArea(t *testing.T) {
	reg := registered(t)
	for query, want := range map[string]string{
		"":                               "none",
		"kg=2001,1002,01001,1002":        "given 01001 01002 02001",
		"kg=3001&kg=1001":                "given 01001 03001",
		"gemeinde=St. Georgen":           "given 01001 01002 02001",
		"gemeinde=SANKT GEORGEN":         "given 01001 01002 02001",
		"gemeinde=Weiß":                  "given 01003", // as it is written before as it is folded
		"gemeinde=WEISS":                 "given 03001",
		"gemeinde=We-iss":                "given 01003 03001",
		"gemeinde=10101":                 "given 01001 01002",
		"gemeinde= 10101 ":               "given 01001 01002",
		"gemeinde= weiß ":                "given 01003",
		"gemeinde_code=20202":            "given 02002",
		"district=nord":                  "given 01001 01002 01003 03001",
		"district=Sued":                  "given 02001",
		"district=202":                   "given 02001 02002",
		"district= 202":                  "given 02001 02002",
		"state=1":                        "given 01001 01002 01003",
		"state= 1 ":                      "given 01001 01002 01003",
		"state=kaernten":                 "given 02001 02002",
		"state=9":                        "given",
		"plz=1010":                       "given 01001 01002 03001",
		"gemeinde=St Georgen&state=2":    "given 02001",
		"kg=1003,2001,3001&district=101": "given 01003",
		"state=1&plz=1010&kg=1002,3001":  "given 01002",
		"kg=1001&state=2":                "given",
	} {
		code, got := asked(t, query, func(r *endpoint.Request) ([]austria.KGCode, bool, error) { return Of(reg, r) })
		if code != 200 || got != want {
			t.Errorf("%s: want %s, got %d %s", query, want, code, got)
		}
	}
}

// A name or code of nothing is a 404 that names the parameter and what it may be; no area at all is a 400 where one is needed.
func TestAreasThatNameNothing(t *testing.T) {
	reg := registered(t)
	required := func(r *endpoint.Request) ([]austria.KGCode, bool, error) {
		codes, err := Required(reg, r)
		return codes, true, err
	}
	for query, want := range map[string]string{
		"kg=1001,9999":             "there is no KG 09999",
		"gemeinde=Weisz":           "did you mean Weiss?",
		"gemeinde=Sankt Georgem":   "did you mean Sankt Georgen?",
		"gemeinde=99999":           "expected a municipality that has KGs",
		"gemeinde= ":               "parameter gemeinde",
		"gemeinde=-":               "parameter gemeinde",
		"gemeinde_code=40404":      "parameter gemeinde_code",
		"district=Nort":            "did you mean Nord?",
		"district=999":             "expected the code of a district that has KGs",
		"district= ":               "parameter district",
		"state=Tirrol":             "did you mean Tirol?",
		"state= ":                  "parameter state",
		"plz=1020":                 "expected a postal code of KGs",
		"kg=1001&gemeinde=Nirgend": "parameter gemeinde",
	} {
		for name, of := range map[string]func(r *endpoint.Request) ([]austria.KGCode, bool, error){"Required": required,
			"Of": func(r *endpoint.Request) ([]austria.KGCode, bool, error) {
				codes, given, err := Of(reg, r)
				if !given {
					t.Errorf("%s is taken for the name of an area", query)
				}
				return codes, given, err
			}} {
			code, got := asked(t, query, of)
			if code != 404 || !strings.Contains(got, want) {
				t.Errorf("%s of %s: want 404 with %q, got %d %s", name, query, want, code, got)
			}
		}
	}
	for query, want := range map[string]string{"": "expected at least one of kg, gemeinde"} {
		if code, got := asked(t, query, required); code != 400 || !strings.Contains(got, want) {
			t.Errorf("%q: want 400 with %q, got %d %s", query, want, code, got)
		}
	}
	if code, got := asked(t, "state=9", required); code != 200 || got != "given" {
		t.Errorf("a state without KGs is an area: got %d %s", code, got)
	}
}

// A number that cannot be a code is a 400 that says what one looks like, also where what names nothing finds nothing.
func TestNumbersThatAreNoCodes(t *testing.T) {
	reg := registered(t)
	for query, want := range map[string]string{
		"gemeinde=1":           "the name of a municipality, or its code: 5 digits, the first 1 to 9, for example 31507",
		"gemeinde= 1010 ":      "its code: 5 digits",
		"gemeinde=01010":       "its code: 5 digits",
		"gemeinde=123456":      "its code: 5 digits",
		"district=1":           "the name of a district, or its code: 3 digits, for example 315",
		"district=10101":       "its code: 3 digits",
		"district=012":         "its code: 3 digits",
		"state=0":              "its code 1 to 9",
		"state=10":             "its code 1 to 9",
		"kg=1001&district=12":  "parameter district",
		"state=1&gemeinde=101": "parameter gemeinde",
	} {
		for name, of := range map[string]func(*register.Register, *endpoint.Request) ([]austria.KGCode, bool, error){"Of": Of,
			"Found": Found} {
			code, got := asked(t, query, func(r *endpoint.Request) ([]austria.KGCode, bool, error) { return of(reg, r) })
			if code != 400 || !strings.Contains(got, want) {
				t.Errorf("%s of %s: want 400 with %q, got %d %s", name, query, want, code, got)
			}
		}
	}
}

// Two requests have one name only where they name the same KGs.
func TestNamesOfAreas(t *testing.T) {
	names := map[string]string{}
	for _, query := range []string{"", "kg=1001", "kg=1001,1002", "gemeinde=10101", "gemeinde_code=10101", "district=101", "state=1",
		"plz=1010", "state=1&plz=1010"} {
		asked(t, query, func(r *endpoint.Request) ([]austria.KGCode, bool, error) {
			if other, ok := names[Name(r)]; ok {
				t.Errorf("%q and %q have the name %s", query, other, Name(r))
			}
			names[Name(r)] = query
			return nil, false, nil
		})
	}
	asked(t, "kg=01001", func(r *endpoint.Request) ([]austria.KGCode, bool, error) {
		if names[Name(r)] != "kg=1001" {
			t.Errorf("one KG in two spellings has two names: %s", Name(r))
		}
		return nil, false, nil
	})
}

// One municipality is named by its code, or by a name that no other bears.
func TestMunicipality(t *testing.T) {
	reg := registered(t)
	for text, want := range map[string]austria.GemeindeCode{"10102": "10102", " 10102 ": "10102", "weiß": "10102", " Weiss": "30301",
		"40404": "40404", "20202": "20202"} {
		if got, err := Municipality(reg, "in", text); err != nil || got != want {
			t.Errorf("%q: want %s, got %s, %v", text, want, got, err)
		}
	}
	for text, want := range map[string]string{
		"sankt georgen": "the code of one of the municipalities of this name: 10101, 20201",
		"we iss":        "10102, 30301",
		"99999":         "the name or the code of a municipality",
		"1":             "the name of a municipality, or its code: 5 digits",
		"":              "the name or the code of a municipality",
		"Ohne":          "the name of a municipality that has KGs", // of the register's list, without KGs
		"Weist":         "did you mean Weiss?",
	} {
		got, err := Municipality(reg, "in", text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "in") || got != "" {
			t.Errorf("%q: want %q, got %s, %v", text, want, got, err)
		}
	}
}

// What is asked for leaves the register's lists as they are.
func TestListsOfTheRegisterStay(t *testing.T) {
	reg := registered(t)
	before := slices.Clone(reg.ByState("1"))
	query := url.Values{"state": {"1"}, "kg": {"1003"}}.Encode()
	if _, got := asked(t, query, func(r *endpoint.Request) ([]austria.KGCode, bool, error) { return Of(reg, r) }); got != "given 01003" {
		t.Errorf("got %s", got)
	}
	if !slices.Equal(reg.ByState("1"), before) {
		t.Errorf("the register's KGs of state 1 are %v now", reg.ByState("1"))
	}
}
