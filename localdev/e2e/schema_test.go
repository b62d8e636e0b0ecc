package e2e

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// fits says how a value departs from a schema, nil when it fits. It knows the part of JSON Schema that
// the descriptions use. Beyond it, a resource (a schema of its own) that is not declared open holds no
// member that is not described.
func (doc *document) fits(s map[string]any, v any, at string) error {
	resource := false
	if ref, ok := s["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		if s = doc.Components.Schemas[name]; s == nil {
			return fmt.Errorf("%s: schema %s does not exist", at, name)
		}
		resource = true
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
		return fmt.Errorf("%s: %v is none of %v", at, v, enum)
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
		return doc.fitsObject(s, v, at, resource)
	}
	return nil
}

func (doc *document) fitsObject(s, v map[string]any, at string, resource bool) error {
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			return fmt.Errorf("%s: %s is missing", at, name)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	extra, declared := s["additionalProperties"]
	for _, name := range slices.Sorted(maps.Keys(v)) {
		p, ok := properties[name].(map[string]any)
		if !ok {
			p, _ = extra.(map[string]any)
			if p == nil && (extra == false || resource && !declared && len(properties) > 0) {
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
