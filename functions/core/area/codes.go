package area

import (
	"errors"
	"slices"
	"strings"

	"mappe/artefacts/register"
	"mappe/functions/core/states"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// Gemeinde is a parameter that names a municipality; what says which: "Only KGs of this municipality".
func Gemeinde(name, what string, opts ...endpoint.Option) *endpoint.Param[string] {
	return endpoint.String(name, what+": its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits.",
		append([]endpoint.Option{endpoint.Between(1, 100), endpoint.Example("59902")}, opts...)...)
}

// District is a parameter that names a district.
func District(name, what string, opts ...endpoint.Option) *endpoint.Param[string] {
	return endpoint.String(name, what+": its name, in any usual spelling, or its code, 3 digits.",
		append([]endpoint.Option{endpoint.Between(1, 100), endpoint.Example("599")}, opts...)...)
}

// State is a parameter that names a state.
func State(name, what string, opts ...endpoint.Option) *endpoint.Param[austria.StateCode] {
	return endpoint.Parsed(name, what+": its name, in any usual spelling, or its code 1 to 9.", states.Parse,
		append([]endpoint.Option{endpoint.Example("5")}, opts...)...)
}

// Level is the administrative level of what is named: municipalities or districts.
type Level struct {
	one, several string
	parse        func(string) error
	of           func(k *register.KG) (code, name string)
}

// The levels whose areas have names and codes.
var (
	Municipalities = Level{"municipality", "municipalities", func(s string) error { _, err := austria.ParseGemeindeCode(s); return err },
		func(k *register.KG) (string, string) { return string(k.GemeindeCode), k.GemeindeName }}
	Districts = Level{"district", "districts", func(s string) error { _, err := austria.ParseDistrictCode(s); return err },
		func(k *register.KG) (string, string) { return string(k.DistrictCode), k.DistrictName }}
)

// Chosen are the areas of one level that a request names. The zero value is a request that names none, and has all.
type Chosen struct {
	given bool
	codes []string
}

// Has says whether an area is one of them.
func (c Chosen) Has(code string) bool { return !c.given || slices.Contains(c.codes, code) }

// Choose reads a parameter: a code stands for itself, whether there is such an area or not, a name for all areas that bear it. A
// number that is no code is a fault.Invalid, a name that no area bears a fault.NotFound. of are the areas, n of them, each as often as
// it comes.
func (l Level) Choose(r *endpoint.Request, p *endpoint.Param[string], n int, of func(i int) (code, name string)) (Chosen, error) {
	if !p.Given(r) {
		return Chosen{}, nil
	}
	codes, err := l.codes(p.Name(), p.Of(r), n, of)
	return Chosen{true, codes}, err
}

// Among is Choose among the areas of a register.
func (l Level) Among(reg *register.Register, r *endpoint.Request, p *endpoint.Param[string]) (Chosen, error) {
	return l.Choose(r, p, len(reg.KGs()), l.areas(reg))
}

// One is the area that a text names; field names the parameter in faults. A name that several bear is refused with their codes.
func (l Level) One(reg *register.Register, field, text string) (string, error) {
	codes, err := l.codes(field, text, len(reg.KGs()), l.areas(reg))
	if err == nil && len(codes) > 1 {
		err = fault.BadValue(field, text, "the code of one of the "+l.several+" of this name: "+strings.Join(codes, ", "))
	}
	if err != nil {
		return "", err
	}
	return codes[0], nil
}

func (l Level) areas(reg *register.Register) func(i int) (code, name string) {
	all := reg.KGs()
	return func(i int) (string, string) { return l.of(&all[i]) }
}

// unreadable refuses a number that cannot be a code of the level, as err says: no area ever has it, as one may have a name. Blanks
// are no number; they name nothing.
func (l Level) unreadable(field, text string, err error) error {
	var bad *austria.Error
	if text == "" || !errors.As(err, &bad) {
		return fault.Of(fault.NotFound, field, text, "the name or the code of a "+l.one)
	}
	return fault.BadValue(field, text, "the name of a "+l.one+", or its code: "+bad.Expected)
}

func (l Level) codes(field, text string, n int, of func(i int) (code, name string)) (codes []string, err error) {
	text = strings.TrimSpace(text)
	if isNumber(text) {
		if err := l.parse(text); err != nil {
			return nil, l.unreadable(field, text, err)
		}
		return []string{text}, nil
	}
	name := func(i int) string { _, name := of(i); return name }
	for _, i := range named(text, n, name) {
		code, _ := of(i)
		codes = append(codes, code)
	}
	if codes == nil {
		names := make([]string, n)
		for i := range names {
			names[i] = name(i)
		}
		slices.Sort(names)
		return nil, fault.Of(fault.NotFound, field, text, "the name of a "+l.one+" that has KGs"+
			fault.DidYouMean(text, slices.Compact(names)))
	}
	slices.Sort(codes)
	return slices.Compact(codes), nil
}
