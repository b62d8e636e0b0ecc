// Package area is how a request names an area of the cadastre by its KGs, a municipality, a district, a state or a
// postal code: the parameters, and the KGs they select. functions/cadastre/export and functions/cadastre/query
// take it; it opens no KG.
package area

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
)

var (
	kgs      = endpoint.ParsedList("kg", "Codes of KGs.", austria.ParseKGCode, endpoint.Repeated, endpoint.Example("99101"))
	gemeinde = endpoint.String("gemeinde",
		"Name of a municipality, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code; all of the name are taken.",
		endpoint.Between(1, 100))
	gemeindeCode = params.Gemeinde("gemeinde_code", "The municipality")
	district     = endpoint.String("district", "Name of a district, in any usual spelling, or its code; all of the name are taken.",
		endpoint.Between(1, 100))
	state = endpoint.String("state", "Name of a state, in any usual spelling, or its code 1 to 9.", endpoint.Between(1, 100))
	plz   = endpoint.Parsed("plz", "Postal code. "+PLZRule+" Postal codes and KGs do not share their borders.", austria.ParsePLZ)
)

// Params are the parameters; several narrow each other.
var Params = []endpoint.AnyParam{kgs, gemeinde, gemeindeCode, district, state, plz}

// Doc is what the description of an endpoint says of the area that it needs.
const Doc = `The area is named by at least one of kg (a comma list), gemeinde, gemeinde_code, district, state and plz; several narrow
each other: only KGs that all of them name are in the answer. A name or code that names nothing is a 404, a number that cannot be a
code a 400.
`

// Required is the KGs that a request names, by rising code. A request that names none is a fault.
func Required(reg *register.Register, r *endpoint.Request) ([]austria.KGCode, error) {
	codes, given, err := Of(reg, r)
	if err == nil && !given {
		err = fault.New(fault.Missing, "an area is missing: expected at least one of kg, gemeinde, gemeinde_code, district, state, plz")
	}
	return codes, err
}

// Name names the area of a request: two requests of one name have the same KGs.
func Name(r *endpoint.Request) string {
	return fmt.Sprintf("%q %q %q %q %q %q", kgs.Of(r), gemeinde.Of(r), gemeindeCode.Of(r), district.Of(r), state.Of(r), plz.Of(r))
}

// Of is the KGs that a request names, by rising code; given says whether it names an area at all. A name or code
// that names nothing is a fault.NotFound. The list may be the register's own: it must not be changed.
func Of(reg *register.Register, r *endpoint.Request) (codes []austria.KGCode, given bool, err error) {
	narrow := func(list []austria.KGCode, err error) error {
		if !given {
			codes, given = list, true
			return err
		}
		both := make([]austria.KGCode, 0, min(len(codes), len(list)))
		for _, c := range codes {
			if _, ok := slices.BinarySearch(list, c); ok {
				both = append(both, c)
			}
		}
		codes = both
		return err
	}
	text := func(p *endpoint.Param[string]) string { return strings.TrimSpace(p.Of(r)) }
	for _, s := range []struct {
		given bool
		list  func() ([]austria.KGCode, error)
	}{
		{kgs.Given(r), func() ([]austria.KGCode, error) { return known(reg, kgs.Of(r)) }},
		{gemeinde.Given(r), func() ([]austria.KGCode, error) { return ofGemeinde(reg, text(gemeinde)) }},
		{gemeindeCode.Given(r), func() ([]austria.KGCode, error) { return ofGemeindeCode(reg, gemeindeCode, gemeindeCode.Of(r)) }},
		{district.Given(r), func() ([]austria.KGCode, error) { return ofDistrict(reg, text(district)) }},
		{state.Given(r), func() ([]austria.KGCode, error) { return ofState(reg, text(state)) }},
		{plz.Given(r), func() ([]austria.KGCode, error) { return ofPLZ(reg, plz.Of(r)) }},
	} {
		if !s.given {
			continue
		}
		if err := narrow(s.list()); err != nil {
			return nil, true, err
		}
	}
	return codes, given, nil
}

// Found is Of where a name or code that names nothing finds nothing.
func Found(reg *register.Register, r *endpoint.Request) (codes []austria.KGCode, given bool, err error) {
	codes, given, err = Of(reg, r)
	if f := (*fault.Fault)(nil); errors.As(err, &f) && f.Code == fault.NotFound {
		return nil, given, nil
	}
	return codes, given, err
}

// nothing is the fault of a selector that names nothing.
func nothing(p interface{ Name() string }, value, what string, names []string) error {
	return fault.Of(fault.NotFound, p.Name(), value, what+fault.DidYouMean(value, names))
}

// known are the KGs themselves, in a list of its own.
func known(reg *register.Register, codes []austria.KGCode) ([]austria.KGCode, error) {
	for _, c := range codes {
		if reg.KG(c) == nil {
			return nil, fault.Missed("KG", string(c))
		}
	}
	codes = slices.Clone(codes)
	slices.Sort(codes)
	return slices.Compact(codes), nil
}

func ofGemeindeCode(reg *register.Register, p interface{ Name() string }, code austria.GemeindeCode) ([]austria.KGCode, error) {
	list := reg.ByGemeinde(code)
	if len(list) == 0 {
		return nil, nothing(p, string(code), "a municipality that has KGs", nil)
	}
	return list, nil
}

func ofGemeinde(reg *register.Register, name string) (list []austria.KGCode, err error) {
	if isNumber(name) {
		code, err := austria.ParseGemeindeCode(name)
		if err != nil {
			return nil, Municipalities.unreadable(gemeinde.Name(), name, err)
		}
		return ofGemeindeCode(reg, gemeinde, code)
	}
	// The KGs name their municipality, whether the register lists municipalities or not.
	all := reg.KGs()
	for _, i := range named(name, len(all), func(i int) string { return all[i].GemeindeName }) {
		list = append(list, all[i].Code)
	}
	if list == nil {
		return nil, nothing(gemeinde, name, "the name of a municipality that has KGs", distinct(all, func(k *register.KG) string {
			return k.GemeindeName
		}))
	}
	return list, nil
}

// Municipality is the municipality of a name, in any usual spelling, or of a code; field names the parameter in faults. A name
// that several bear is refused with their codes.
func Municipality(reg *register.Register, field, text string) (austria.GemeindeCode, error) {
	one, err := Municipalities.One(reg, field, text)
	code := austria.GemeindeCode(one)
	if err == nil && reg.Municipality(code) == nil && len(reg.ByGemeinde(code)) == 0 {
		return "", fault.Of(fault.NotFound, field, text, "the name or the code of a municipality")
	}
	return code, err
}

func ofDistrict(reg *register.Register, name string) (list []austria.KGCode, err error) {
	if isNumber(name) {
		code, err := austria.ParseDistrictCode(name)
		if err != nil {
			return nil, Districts.unreadable(district.Name(), name, err)
		}
		if list = reg.ByDistrict(code); len(list) == 0 {
			return nil, nothing(district, name, "the code of a district that has KGs", nil)
		}
		return list, nil
	}
	all := reg.KGs()
	for _, i := range named(name, len(all), func(i int) string { return all[i].DistrictName }) {
		list = append(list, all[i].Code)
	}
	if list == nil {
		return nil, nothing(district, name, "the name of a district that has KGs", distinct(all, func(k *register.KG) string {
			return k.DistrictName
		}))
	}
	return list, nil
}

func ofState(reg *register.Register, name string) ([]austria.KGCode, error) {
	states := austria.AllStates()
	var names []string
	for _, s := range states {
		names = append(names, s.Name())
	}
	for _, i := range named(name, len(states), func(i int) string { return names[i] }) {
		return reg.ByState(states[i]), nil
	}
	if i := slices.Index(states, austria.StateCode(name)); i >= 0 {
		return reg.ByState(states[i]), nil
	}
	const expected = "the name of a state, or its code 1 to 9"
	if name != "" && isNumber(name) {
		return nil, fault.BadValue(state.Name(), name, expected)
	}
	return nil, nothing(state, name, expected, names)
}

func ofPLZ(reg *register.Register, code austria.PLZ) (list []austria.KGCode, err error) {
	in, err := InPLZ(reg, code)
	if err != nil {
		return nil, err
	}
	all := reg.KGs()
	for i := range all {
		if in(&all[i]) {
			list = append(list, all[i].Code)
		}
	}
	if list == nil {
		return nil, nothing(plz, string(code), "a postal code of KGs", nil)
	}
	return list, nil
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// distinct are the names of KGs of one sort. Most KGs of one name stand side by side: they are compared once.
func distinct(all []register.KG, name func(*register.KG) string) []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = name(&all[i])
	}
	return slices.Compact(names)
}
