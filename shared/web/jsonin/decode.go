package jsonin

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/web/fault"
)

// Decode reads a body of exactly one JSON value into *v, which is made of structs with json tags. It takes what
// encoding/json takes, and less where that guesses: the names of members are exact, unknown members are refused, and
// every member stands once, in free JSON too. The error is a *fault.Fault with the path of the member
// ("points[3].lon"), the value as it was sent and what is allowed.
//
// null leaves a member as it is, as if it were absent.
func Decode(b []byte, v any) error {
	r := decoder{New(b), map[reflect.Type][]field{}}
	if r.Peek() == 0 {
		return notJSON(r.syntax("a JSON value"))
	}
	err := r.into("", reflect.ValueOf(v).Elem())
	if err == nil && r.End() != nil {
		return fault.New(fault.BadBody, "the body holds more than one JSON value: something follows byte %d", r.i)
	}
	return told(err)
}

// decoder reads one body; the fields of each type are looked up once.
type decoder struct {
	*Reader
	fields map[reflect.Type][]field
}

// field is a member of an object and the field of the struct that it is read into.
type field struct {
	name string
	at   []int
}

// told is an error of the reader as a fault.
func told(err error) error {
	var e *Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Member == "":
		return notJSON(e)
	}
	return e.Fault(e.Member)
}

// notJSON says where a text stops being JSON.
func notJSON(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	return fault.New(fault.BadBody, "the body is not JSON: expected %s, found %s", e.Expected, fault.Shorten(e.Value))
}

var (
	jsonReader = reflect.TypeFor[json.Unmarshaler]()
	textReader = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// whole is the name of the body in errors about it.
const whole = "body"

// into reads the next value into to.
func (r *decoder) into(member string, to reflect.Value) error {
	t := to.Type()
	if r.Null() {
		return nil
	}
	switch {
	case t.Kind() == reflect.Pointer:
		if to.IsNil() {
			to.Set(reflect.New(t.Elem()))
		}
		return r.into(member, to.Elem())
	case reflect.PointerTo(t).Implements(jsonReader), t.Kind() == reflect.Interface:
		return r.free(member, to)
	case reflect.PointerTo(t).Implements(textReader):
		return r.leaf(member, to, "a text")
	}
	switch t.Kind() {
	case reflect.Struct:
		return r.structure(member, to)
	case reflect.Slice:
		return r.list(member, to)
	case reflect.Map:
		return r.table(member, to)
	}
	return r.leaf(member, to, describe(t))
}

// expect refuses a value of another kind than the one whose first byte is given.
func (r *decoder) expect(member string, first byte, expected string) error {
	if r.Peek() == first {
		return nil
	}
	if member == "" {
		probe := *r.Reader
		if err := probe.Skip(); err != nil {
			return err // no JSON at all
		}
		member = whole
	}
	return r.Bad(member, expected)
}

// structure reads an object whose members are the fields of a struct.
func (r *decoder) structure(member string, to reflect.Value) error {
	if err := r.expect(member, '{', "an object"); err != nil {
		return err
	}
	fields := r.fieldsOf(to.Type())
	seen := make([]bool, len(fields))
	return r.Object(member, func(key string) error {
		at := join(member, fault.Shorten(key))
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
		switch {
		case i < 0:
			known := make([]string, len(fields))
			for i, f := range fields {
				known[i] = f.name
			}
			return fault.Of(fault.Unknown, at, r.next(), "one of "+strings.Join(known, ", ")+fault.DidYouMean(key, known))
		case seen[i]:
			return fault.Of(fault.Duplicate, at, r.next(), "it once")
		}
		seen[i] = true
		return r.into(at, to.FieldByIndex(fields[i].at))
	})
}

// next is the start of the value that comes next, for errors.
func (r *decoder) next() string {
	r.ws()
	return r.show(r.i)
}

// fieldsOf are the members of an object that is read into a struct; those of an embedded struct are its own.
func (r *decoder) fieldsOf(t reflect.Type) []field {
	list, known := r.fields[t]
	if known {
		return list
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && name != "" && name != "-" {
			list = append(list, field{name, f.Index})
		}
	}
	r.fields[t] = list
	return list
}

func (r *decoder) list(member string, to reflect.Value) error {
	expected := describe(to.Type())
	if err := r.expect(member, '[', expected); err != nil {
		return err
	}
	list := reflect.MakeSlice(to.Type(), 0, 0)
	err := r.Array(member, func(n int) error {
		item := reflect.New(to.Type().Elem()).Elem()
		err := r.into(index(member, n), item)
		list = reflect.Append(list, item)
		return err
	})
	to.Set(list)
	return err
}

// table reads an object of any names.
func (r *decoder) table(member string, to reflect.Value) error {
	if err := r.expect(member, '{', "an object"); err != nil {
		return err
	}
	table := reflect.MakeMap(to.Type())
	to.Set(table)
	return r.Object(member, func(key string) error {
		name := reflect.ValueOf(strings.Clone(key)).Convert(to.Type().Key())
		if table.MapIndex(name).IsValid() {
			return fault.Of(fault.Duplicate, join(member, fault.Shorten(key)), r.next(), "it once")
		}
		value := reflect.New(to.Type().Elem()).Elem()
		err := r.into(join(member, fault.Shorten(key)), value)
		table.SetMapIndex(name, value)
		return err
	})
}

// free reads a value of any shape.
func (r *decoder) free(member string, to reflect.Value) error {
	r.ws()
	start, outside := r.i, r.depth
	r.depth = 0 // of the value alone
	if err := r.once(member); err != nil {
		if r.depth > MaxDepth {
			err = bad(member, r.show(start), "a value that nests at most "+strconv.Itoa(MaxDepth)+" deep")
		}
		return err
	}
	r.depth = outside
	if err := json.Unmarshal(r.b[start:r.i], to.Addr().Interface()); err != nil {
		var f *fault.Fault
		if errors.As(err, &f) {
			return f
		}
		return bad(member, r.show(start), describe(to.Type()))
	}
	return nil
}

// once reads over a value each of whose members stands once.
func (r *decoder) once(member string) error {
	switch r.Peek() {
	case '{':
		seen := map[string]bool{}
		return r.Object(member, func(key string) error {
			at := join(member, fault.Shorten(key))
			if seen[key] {
				return fault.Of(fault.Duplicate, at, r.next(), "it once")
			}
			seen[key] = true
			return r.once(at)
		})
	case '[':
		return r.Array(member, func(n int) error { return r.once(index(member, n)) })
	}
	return r.Skip()
}

// leaf reads a text, a number or a truth value.
func (r *decoder) leaf(member string, to reflect.Value, expected string) error {
	at := member
	if at == "" {
		at = whole
	}
	r.ws()
	start := r.i
	if c := r.Peek(); c == '{' || c == '[' {
		return r.Bad(at, expected)
	}
	raw, err := r.Raw()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, to.Addr().Interface()); err != nil {
		var typ *json.UnmarshalTypeError
		if !errors.As(err, &typ) && reflect.PointerTo(to.Type()).Implements(textReader) {
			expected = err.Error() // the type's own words, as everywhere
		}
		return bad(at, r.show(start), expected)
	}
	return nil
}

func describe(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return describe(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number, not negative"
	case reflect.String:
		return "a text"
	case reflect.Slice, reflect.Array:
		switch elem := t.Elem(); elem.Kind() {
		case reflect.Struct, reflect.Map:
			return "an array of objects"
		case reflect.String:
			return "an array of texts"
		case reflect.Float64, reflect.Int, reflect.Int64:
			return "an array of numbers"
		}
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a JSON value"
}

// Members gives the texts of the members of an object that are named, by their exact names. Other members, which
// GeoJSON calls foreign, are read over and listed. A named member that stands twice is refused. At is the path of the
// object.
func Members(b []byte, at string, names ...string) (named map[string]json.RawMessage, others []string, err error) {
	r := New(b)
	named = map[string]json.RawMessage{}
	err = r.Object(at, func(key string) error {
		if !slices.Contains(names, key) {
			others = append(others, key)
			return r.Skip()
		}
		if _, twice := named[key]; twice {
			r.ws()
			return fault.Of(fault.Duplicate, join(at, key), r.show(r.i), "it once")
		}
		text, err := r.Raw()
		named[strings.Clone(key)] = text
		return err
	})
	if err == nil {
		err = r.End()
	}
	return named, others, err
}
