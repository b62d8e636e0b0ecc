package endpoint

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"mappe/shared/web/format"
)

// queryTime is the member of meta that tells how long an answer took.
const queryTime = "query_time_ms"

// timed says whether the body of a request tells a time, so that no two answers have the same bytes: the one that it took, or
// that of a GeoPackage which is written for the request. That file has to name the date of its last change, which is the start
// of the process that wrote it: the same rows are other bytes in another process, and the date of the data would not do, as
// it moves when a KG is published of which the answer has nothing. Files that are stored keep their bytes and strong tags.
func (o *operation) timed(r *Request) bool {
	a, form := &o.e.Answer, r.Format
	switch {
	case form == format.FormGeoPackage && !a.Ranges:
		return true
	case a.Timed != nil:
		return a.Timed(r)
	case a.Ranges:
		return false
	case len(a.Rows) > 0 && form == format.FormGeoJSON:
		return true
	case form != format.FormJSON && len(a.Rows) > 0:
		return false
	}
	return o.tellsTime
}

// tellsTime says whether the declared JSON of an answer has the member.
func tellsTime(a *Answer) bool {
	if a.Body == nil {
		return len(a.Rows) > 0
	}
	if s, ok := a.Body.(*huma.Schema); ok {
		return schemaHas(s, map[*huma.Schema]bool{})
	}
	return typeHas(reflect.TypeOf(a.Body), map[reflect.Type]bool{})
}

func typeHas(t reflect.Type, seen map[reflect.Type]bool) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return false
	}
	seen[t] = true
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == queryTime || name != "-" && typeHas(f.Type, seen) {
			return true
		}
	}
	return false
}

func schemaHas(s *huma.Schema, seen map[*huma.Schema]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	for name, p := range s.Properties {
		if name == queryTime || schemaHas(p, seen) {
			return true
		}
	}
	for _, list := range [][]*huma.Schema{s.AnyOf, s.AllOf, s.OneOf} {
		for _, p := range list {
			if schemaHas(p, seen) {
				return true
			}
		}
	}
	return schemaHas(s.Items, seen)
}
