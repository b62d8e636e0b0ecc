package spec

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestApply: values as people and programs write them, and what the specification then says.
func TestApply(t *testing.T) {
	for _, c := range []struct {
		field string
		value any
		want  any
	}{
		{"title", " Die Mappe ", "Die Mappe"},
		{"author", "Anna Huber", "Anna Huber"},
		{"language", "DE", "de"},
		{"language", "en-gb", "en-GB"},
		{"size_pt", 10.5, 10.5},
		{"size_pt", "10.5", 10.5},
		{"size_pt", 11, 11.0},
		{"leading_pt", 14.00004, 14.0}, // kept to the thousandth
		{"bleed_mm", 3.0, 3.0},
		{"hyphenate", false, false},
		{"page_multiple", 4.0, 4},
		{"page_multiple", "2", 2},
		{"isbn", "978-3-16-148410-0", "978-3-16-148410-0"},
		{"scene_mark", "* * *", "* * *"},
		{"size_pt", nil, Default().SizePt}, // null leaves what was
	} {
		s, err := Apply(Default(), map[string]any{c.field: c.value})
		if err != nil {
			t.Errorf("%s %v: %v", c.field, c.value, err)
			continue
		}
		if got := s.Data()[c.field]; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %v: got %v (%T), want %v", c.field, c.value, got, got, c.want)
		}
	}
}

// TestEveryChoiceIsTaken: each value that a field says it allows is taken and given back, another is refused with
// the list of them.
func TestEveryChoiceIsTaken(t *testing.T) {
	for _, f := range Fields() {
		if f.Form != "choice" {
			continue
		}
		for _, value := range f.Allowed {
			if _, err := Apply(Default(), map[string]any{f.Name: value}); err != nil {
				t.Errorf("%s %q: %v", f.Name, value, err)
			}
		}
		_, err := Apply(Default(), map[string]any{f.Name: "no such thing"})
		var fe *FieldError
		if !errors.As(err, &fe) || fe.Field != f.Name {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		for _, value := range f.Allowed {
			if !strings.Contains(fe.Allowed, value) {
				t.Errorf("%s: the refusal names %q and not %q", f.Name, fe.Allowed, value)
			}
		}
	}
}

// TestBoundsOfNumbers: a number outside of its bounds is refused with them.
func TestBoundsOfNumbers(t *testing.T) {
	for _, f := range Fields() {
		if f.Form != "number" {
			continue
		}
		for _, value := range []any{f.Least - 0.01, f.Most + 0.01, "much", true, []any{1.0}} {
			_, err := Apply(Default(), map[string]any{f.Name: value})
			var fe *FieldError
			if !errors.As(err, &fe) || fe.Field != f.Name {
				t.Errorf("%s %v: %v", f.Name, value, err)
			}
		}
	}
}

func TestFieldsAreNamedOnce(t *testing.T) {
	var names []string
	for _, f := range Fields() {
		if f.Name == "" || f.Label == "" || f.Form == "" || slices.Contains(names, f.Name) {
			t.Errorf("field %q (%q, %q)", f.Name, f.Label, f.Form)
		}
		names = append(names, f.Name)
	}
	data := Default().Data()
	for name := range data {
		if !slices.Contains(names, name) {
			t.Errorf("the data hold %q, which is no field", name)
		}
	}
}

// TestISBN: thirteen digits whose check digit is right, or nothing.
func TestISBN(t *testing.T) {
	for isbn, ok := range map[string]bool{
		"": true, "9783161484100": true, "978-3-16-148410-0": true, "978 3 16 148410 0": true,
		"978-3-16-148410-1": false, "3-16-148410-X": false, "978316148410": false, "97831614841000": false, "978316148410O": false,
	} {
		if _, err := Apply(Default(), map[string]any{"isbn": isbn}); (err == nil) != ok {
			t.Errorf("%q: %v, want taken: %v", isbn, err, ok)
		}
	}
}
