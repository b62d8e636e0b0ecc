package e2e

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// fits says how a value departs from a schema, nil when it fits. It knows the part of JSON Schema that
// the descriptions use. Beyond it, an object whose members are described holds no other member: the
// descriptions are open, because members are added to answers, but an answer of today has none that its
// description lacks.
func (doc *document) fits(s map[string]any, v any, at string) error {
	s, err := doc.resolved(s, at)
	if err != nil {
		return err
	}
	if choices, ok := s["anyOf"].([]any); ok {
		var errs []string
		for _, one := range choices {
			err := doc.fits(one.(map[string]any), v, at)
			if err == nil {
				return nil
			}
			errs = append(errs, err.Error())
		}
		return fmt.Errorf("none of %d schemas fits: %s", len(choices), strings.Join(errs, " | "))
	}
	if !ofType(s["type"], v) {
		return fmt.Errorf("%s: %v is not of type %v", at, v, s["type"])
	}
	if enum, ok := s["enum"].([]any); ok && !slices.ContainsFunc(enum, func(e any) bool { return reflect.DeepEqual(e, v) }) {
		return fmt.Errorf("%s: %v is not one of %v", at, v, enum)
	}
	switch v := v.(type) {
	case []any:
		items, _ := s["items"].(map[string]any)
		for i, x := range v {
			if err := doc.fits(items, x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		return doc.fitsObject(s, v, at)
	}
	return nil
}

// resolved follows a reference, and makes one schema of those that hold together.
func (doc *document) resolved(s map[string]any, at string) (map[string]any, error) {
	if ref, ok := s["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		if s = doc.Components.Schemas[name]; s == nil {
			return nil, fmt.Errorf("%s: schema %s does not exist", at, name)
		}
	}
	all, ok := s["allOf"].([]any)
	if !ok {
		return s, nil
	}
	properties, required := map[string]any{}, []any{}
	for _, one := range all {
		part, err := doc.resolved(one.(map[string]any), at)
		if err != nil {
			return nil, err
		}
		if len(all) == 1 {
			return part, nil
		}
		own, _ := part["properties"].(map[string]any)
		maps.Copy(properties, own)
		names, _ := part["required"].([]any)
		required = append(required, names...)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}, nil
}

func (doc *document) fitsObject(s, v map[string]any, at string) error {
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok && !doc.chosen {
			return fmt.Errorf("%s: %s is missing", at, name)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	extra, _ := s["additionalProperties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		p, ok := properties[name].(map[string]any)
		if !ok {
			if p = extra; p == nil && len(properties) > 0 {
				return fmt.Errorf("%s: %s is not described", at, name)
			}
		}
		if err := doc.fits(p, v[name], at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

// ofType says whether a value is of the type, or of one of the types, that a schema names.
func ofType(types, v any) bool {
	switch t := types.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(t, func(one any) bool { return ofType(one, v) })
	}
	switch x := v.(type) {
	case nil:
		return types == "null"
	case bool:
		return types == "boolean"
	case string:
		return types == "string"
	case float64:
		return types == "number" || types == "integer" && x == float64(int64(x))
	case []any:
		return types == "array"
	}
	return types == "object"
}
