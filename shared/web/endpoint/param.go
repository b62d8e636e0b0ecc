package endpoint

import (
	"math"
	"strconv"
	"strings"

	"mappe/shared/web/fault"
)

// Param is a declared parameter and the typed way to its value: West.Of(req). One value may be part
// of many endpoints.
type Param[T any] struct{ s *spec }

// Of is the parameter's value: as given, else its default, else the zero value.
func (p *Param[T]) Of(r *Request) T {
	v, _ := r.lookup(p.s)
	t, _ := v.(T)
	return t
}

// Given says whether the client named the parameter.
func (p *Param[T]) Given(r *Request) bool {
	_, given := r.lookup(p.s)
	return given
}

// Name is the parameter's name.
func (p *Param[T]) Name() string { return p.s.name }

// Bad is the fault of a value that only the handler can judge.
func (p *Param[T]) Bad(r *Request, expected string) error {
	return fault.BadValue(r.place(p.s), r.rawText(p.s), expected)
}

// Clash is the fault of a value that does not go together with what else was given.
func (p *Param[T]) Clash(r *Request, expected string) error {
	return fault.Of(fault.Conflict, r.place(p.s), r.rawText(p.s), expected)
}

func (p *Param[T]) spec() *spec { return p.s }

// AnyParam is a *Param of any type.
type AnyParam interface{ spec() *spec }

// Names are the names of some parameters, and those that stand for them.
func Names(params ...AnyParam) map[string]bool {
	all := map[string]bool{}
	for _, p := range params {
		all[p.spec().name] = true
		for _, alias := range p.spec().aliases {
			all[alias] = true
		}
	}
	return all
}

// With is the parameter with other options: another default, another bound. The result is a handle of
// its own.
func (p *Param[T]) With(opts ...Option) *Param[T] {
	c := *p.s
	c.aliases = append([]string(nil), c.aliases...)
	c.apply(opts)
	return &Param[T]{&c}
}

// spec is what is declared of a parameter.
type spec struct {
	name, doc, unit string
	aliases         []string
	required        bool
	def, example    string
	hasDefault      bool
	min, max        float64 // bounds of the number, of the text's length, of the list's length
	typ             string  // OpenAPI type: number, integer, boolean, string
	list            bool
	array           bool // in a body its text may be an array of its parts
	object          any  // a Go value whose type is the shape of an item that may be written as an object of JSON; nil: none may
	repeated        bool // the parameter may be given several times: its lists are joined
	enum            []string
	synonyms        map[string]string
	read            func(s *spec, text string) (value any, err error)
	canon           func(s *spec, value any, text string) string // the one spelling of a value that was read
	hidden          bool                                         // a common parameter: it shapes the answer's form, not which rows it holds
}

// Option is a property of a parameter.
type Option func(*spec)

// Required makes the parameter's absence a fault.
func Required(s *spec) { s.required = true }

// Alias gives the parameter further names; using two names of one parameter is a fault.
func Alias(names ...string) Option {
	return func(s *spec) { s.aliases = append(s.aliases, names...) }
}

// Default is the value, as a client would write it, that stands where none is given.
func Default(text string) Option {
	return func(s *spec) { s.def, s.hasDefault = text, true }
}

// Between are the closed bounds of a number, of a text's length in bytes or of a list's length.
func Between(least, most float64) Option {
	return func(s *spec) { s.min, s.max = least, most }
}

// Repeated lets a list be given in several parameters of the same name, as forms and many clients write it:
// tag=a&tag=b is tag=a,b.
func Repeated(s *spec) { s.repeated = true }

// Parts lets a body give the parameter as an array of the parts that commas divide in the address: a box of four numbers.
func Parts(s *spec) { s.array = true }

// Objects lets items of a list be written as objects of JSON, whose shape the type of a Go value tells: in the address beside others
// with commas between, in a body as an array. The parser of the list is given the text of the object.
func Objects(shape any) Option { return func(s *spec) { s.object = shape } }

// AtLeast is a lower bound.
func AtLeast(least float64) Option { return func(s *spec) { s.min = least } }

// Unit names the unit of a number: "m", "m²".
func Unit(u string) Option { return func(s *spec) { s.unit = u } }

// Example is a value to try.
func Example(text string) Option { return func(s *spec) { s.example = text } }

// Synonym lets an enum value be written another way: a singular, an older name.
func Synonym(spelling, value string) Option {
	return func(s *spec) {
		m := map[string]string{spelling: value}
		for k, v := range s.synonyms {
			m[k] = v
		}
		s.synonyms = m
	}
}

// Bounds of texts and lists that declare none.
const (
	maxText  = 1000
	maxItems = 1000
)

// reading is how the text of a parameter becomes its value.
type reading struct {
	typ   string // OpenAPI type
	read  func(*spec, string) (any, error)
	canon func(*spec, any, string) string
}

func newSpec(name, doc string, opts []Option, how reading) *spec {
	s := &spec{name: name, doc: doc, typ: how.typ, read: how.read, canon: how.canon, min: math.Inf(-1), max: math.Inf(1)}
	s.apply(opts)
	return s
}

func (s *spec) apply(opts []Option) {
	for _, o := range opts {
		o(s)
	}
}

// Float is a finite number in C locale.
func Float(name, doc string, opts ...Option) *Param[float64] {
	return &Param[float64]{newSpec(name, doc, opts, reading{"number", readFloat, canonFloat})}
}

func readFloat(s *spec, text string) (any, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(text, "xX_pPiI") {
		return nil, fault.BadValue(s.name, text, "a number"+s.bounds())
	}
	if v < s.min || v > s.max {
		return nil, fault.Of(fault.OutOfRange, s.name, text, "a number"+s.bounds())
	}
	return v, nil
}

func canonFloat(_ *spec, v any, _ string) string {
	return strconv.FormatFloat(v.(float64)+0, 'g', -1, 64)
}

// Int is a whole number.
func Int(name, doc string, opts ...Option) *Param[int] {
	return &Param[int]{newSpec(name, doc, opts, reading{"integer", readInt, canonInt})}
}

func readInt(s *spec, text string) (any, error) {
	v, err := strconv.Atoi(text)
	if err != nil {
		code := fault.Invalid
		if e, ok := err.(*strconv.NumError); ok && e.Err == strconv.ErrRange {
			code = fault.OutOfRange
		}
		return nil, fault.Of(code, s.name, text, "a whole number"+s.bounds())
	}
	if float64(v) < s.min || float64(v) > s.max {
		return nil, fault.Of(fault.OutOfRange, s.name, text, "a whole number"+s.bounds())
	}
	return v, nil
}

func canonInt(_ *spec, v any, _ string) string { return strconv.Itoa(v.(int)) }

// Bool is true, false, 1, 0, yes or no, in any case.
func Bool(name, doc string, opts ...Option) *Param[bool] {
	return &Param[bool]{newSpec(name, doc, opts, reading{"boolean", readBool, canonBool})}
}

func readBool(s *spec, text string) (any, error) {
	switch strings.ToLower(text) {
	case "true", "1", "yes":
		return true, nil
	case "false", "0", "no":
		return false, nil
	}
	return nil, fault.BadValue(s.name, text, "true, false, 1, 0, yes or no")
}

func canonBool(_ *spec, v any, _ string) string { return strconv.FormatBool(v.(bool)) }

// String is a text of 1 to 1000 bytes (Between sets other bounds).
func String(name, doc string, opts ...Option) *Param[string] {
	s := newSpec(name, doc, append([]Option{Between(1, maxText)}, opts...), reading{"string", readText, canonText})
	return &Param[string]{s}
}

func readText(s *spec, text string) (any, error) {
	if n := float64(len(text)); n < s.min || n > s.max {
		return nil, fault.Of(fault.OutOfRange, s.name, text, "a text of "+number(s.min)+" to "+number(s.max)+" bytes")
	}
	return text, nil
}

func canonText(_ *spec, _ any, text string) string { return text }

// bounds says what numbers are allowed: " from 1 to 100000".
func (s *spec) bounds() string {
	lo, hi := !math.IsInf(s.min, -1), !math.IsInf(s.max, 1)
	unit := ""
	if s.unit != "" {
		unit = " " + s.unit
	}
	switch {
	case lo && hi:
		return " from " + number(s.min) + " to " + number(s.max) + unit
	case lo:
		return " of at least " + number(s.min) + unit
	case hi:
		return " of at most " + number(s.max) + unit
	}
	return ""
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
