package endpoint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/web/fault"
	"mappe/shared/web/jsonin"
)

// Enum is one of a closed set of values.
func Enum[T ~string](name, doc string, allowed []T, opts ...Option) *Param[T] {
	s := newSpec(name, doc, opts, reading{"string", func(s *spec, text string) (any, error) {
		v, err := s.oneOf(text)
		return T(v), err
	}, func(_ *spec, v any, _ string) string { return string(v.(T)) }})
	s.enum = texts(allowed)
	return &Param[T]{s}
}

// EnumList is a comma list of values of a closed set; repeated values count once, the order is kept.
func EnumList[T ~string](name, doc string, allowed []T, opts ...Option) *Param[[]T] {
	s := newSpec(name, doc, append([]Option{Between(1, float64(len(allowed)))}, opts...),
		reading{"string", func(s *spec, text string) (any, error) {
			var list []T
			items, err := s.items(text, false)
			if err != nil {
				return nil, err
			}
			for _, item := range items {
				v, err := s.oneOf(item)
				if err != nil {
					return nil, err
				}
				if !slices.Contains(list, T(v)) {
					list = append(list, T(v))
				}
			}
			return list, nil
		}, func(_ *spec, v any, _ string) string { return strings.Join(texts(v.([]T)), ",") }})
	s.enum, s.list = texts(allowed), true
	return &Param[[]T]{s}
}

// Parsed is a value that a parse function reads: a KG code, a land-use code, a polygon.
func Parsed[T any](name, doc string, parse func(string) (T, error), opts ...Option) *Param[T] {
	s := newSpec(name, doc, append([]Option{Between(1, maxText)}, opts...), reading{"string", func(s *spec, text string) (any, error) {
		if _, err := readText(s, text); err != nil {
			return nil, err
		}
		v, err := parse(text)
		if err != nil {
			return nil, s.explain(text, err)
		}
		return v, nil
	}, func(_ *spec, v any, text string) string { return canonOf(v, text) }})
	return &Param[T]{s}
}

// ParsedList is a comma list of parsed values, at most 1000 (Between sets other bounds). The order is
// kept, and so are repeated values.
func ParsedList[T any](name, doc string, parse func(string) (T, error), opts ...Option) *Param[[]T] {
	s := newSpec(name, doc, append([]Option{Between(1, maxItems)}, opts...), reading{"string", func(s *spec, text string) (any, error) {
		items, err := s.items(text, true)
		if err != nil {
			return nil, err
		}
		list := make([]T, 0, len(items))
		for _, item := range items {
			v, err := parse(item)
			if err != nil {
				return nil, s.explain(item, err)
			}
			list = append(list, v)
		}
		return list, nil
	}, func(s *spec, v any, text string) string {
		items, _ := s.items(text, true) // it was read from the same text
		if _, plain := v.([]string); plain {
			return strings.Join(items, ",")
		}
		for i, item := range v.([]T) {
			items[i] = canonOf(item, items[i])
		}
		return strings.Join(items, ",")
	}})
	s.list = true
	return &Param[[]T]{s}
}

// Strings is a comma list of texts of at most 200 bytes each.
func Strings(name, doc string, opts ...Option) *Param[[]string] {
	return ParsedList(name, doc, func(t string) (string, error) {
		if len(t) > 200 {
			return "", errors.New("texts of at most 200 bytes, separated by commas")
		}
		return t, nil
	}, opts...)
}

// items splits a comma list; empty items are refused, blanks around an item are not part of it. Only
// a counted list is held to its bounds here: an enum list repeats itself harmlessly.
func (s *spec) items(text string, counted bool) ([]string, error) {
	var items []string
	n := 0
	if s.object != nil && strings.Contains(text, "{") {
		items = beyondObjects(text)
		n = len(items)
	} else if n = strings.Count(text, ",") + 1; !counted || float64(n) <= s.max {
		items = strings.Split(text, ",")
	}
	if counted && float64(n) > s.max {
		return nil, fault.Of(fault.TooLarge, s.name, fmt.Sprintf("%d values", n), "at most "+number(s.max)+" values, separated by commas")
	} else if !counted && n > 10*len(s.enum) {
		return nil, fault.BadValue(s.name, text, "a comma list of "+strings.Join(s.enum, ", "))
	}
	for i, item := range items {
		items[i] = strings.TrimSpace(item)
		if items[i] == "" {
			return nil, fault.BadValue(s.name, text, "values separated by single commas, without empty ones")
		}
	}
	return items, nil
}

// beyondObjects splits a text at the commas that stand in no object of JSON.
func beyondObjects(text string) (items []string) {
	from, depth, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"' && depth > 0:
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth <= 0:
			items = append(items, text[from:i])
			from = i + 1
		}
	}
	return append(items, text[from:])
}

func (s *spec) oneOf(text string) (string, error) {
	if v, ok := s.synonyms[text]; ok {
		return v, nil
	}
	if slices.Contains(s.enum, text) {
		return text, nil
	}
	expected := "one of "
	if s.list {
		expected = "a comma list of "
	}
	expected += strings.Join(s.enum, ", ")
	return "", fault.BadValue(s.name, text, expected+fault.DidYouMean(text, s.enum))
}

// explain turns the error of a parse function into a fault of this parameter.
func (s *spec) explain(text string, err error) error {
	var f *fault.Fault
	var id *austria.Error
	var in *jsonin.Error
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &in):
		return in.Fault(strings.TrimSuffix(s.name+"."+in.Member, "."))
	case errors.As(err, &id):
		return fault.BadValue(s.name, id.Value, id.Expected)
	}
	return fault.BadValue(s.name, text, err.Error())
}

// canonOf is the one spelling of a value: padded codes; a list keeps its order. Values without a text of their
// own keep the client's.
func canonOf(v any, text string) string {
	if st, ok := v.(fmt.Stringer); ok {
		return st.String()
	}
	switch v.(type) {
	case austria.KGCode, austria.GemeindeCode, austria.DistrictCode, austria.StateCode, austria.PLZ, austria.GNR, austria.LandUse,
		austria.EZ:
		return fmt.Sprint(v)
	}
	return text
}

func texts[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
