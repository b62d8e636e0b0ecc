package endpoint

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

func init() {
	huma.DefaultArrayNullable = false // the library's only switch; a list that may be null is tagged nullable:"true"
}

// schemaNamer names schemas as the library does, in the letters that OpenAPI allows for a component: the
// library keeps the " {}" of a type's argument interface {}.
func schemaNamer(t reflect.Type, hint string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.') {
			return r
		}
		return -1
	}, huma.DefaultSchemaNamer(t, hint))
}

// registry enters with each type the members that it has from embedded structs of unexported types:
// encoding/json writes them, and the library leaves them out.
type registry struct {
	huma.Registry
	complete map[string]bool // schemas by name
}

func newRegistry() *registry {
	return &registry{huma.NewMapRegistry("#/components/schemas/", schemaNamer), map[string]bool{}}
}

// MarshalJSON writes the schemas by name.
func (r *registry) MarshalJSON() ([]byte, error) { return json.Marshal(r.Map()) }

// Schema is the schema of a type, with the members of what it embeds.
func (r *registry) Schema(t reflect.Type, allowRef bool, hint string) *huma.Schema {
	s := r.Registry.Schema(t, allowRef, hint)
	for again := true; again; { // the types of members may be new
		again = false
		for _, name := range slices.Sorted(maps.Keys(r.Map())) {
			if !r.complete[name] {
				r.complete[name], again = true, true
				r.promote(name)
			}
		}
	}
	return s
}

// Open, embedded in the shape of an object, says that it has members that nobody can list: those that the client gave.
type Open struct{}

var openType = reflect.TypeOf(Open{})

// promote completes one schema.
func (r *registry) promote(name string) {
	s, t := r.Map()[name], r.TypeFromRef("#/components/schemas/"+name)
	if t == nil || t.Kind() != reflect.Struct || s.Properties == nil {
		return
	}
	for _, f := range embedded(t, false) {
		member, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if member == "-" || s.Properties[member] != nil { // what stands further out hides what is embedded
			continue
		}
		p := huma.SchemaFromField(r.Registry, f.StructField, t.Name()+f.Name+"Struct")
		s.Properties[member] = p
		optional := strings.Contains(options, "omit")
		if optional && f.Type.Kind() == reflect.Pointer && f.Tag.Get("nullable") != "true" {
			p.Nullable = false
		}
		if !optional && !f.absent && f.Tag.Get("required") != "false" {
			s.Required = append(s.Required, member)
		}
	}
	if f, ok := t.FieldByName(openType.Name()); ok && f.Anonymous && f.Type == openType {
		s.AdditionalProperties = &huma.Schema{}
	}
	s.PrecomputeMessages()
}

// embeddedField is a member that a struct has by embedding another.
type embeddedField struct {
	reflect.StructField
	absent bool // with its struct, of which there is a pointer
}

// embedded lists the members of the embedded structs of unexported types, at any depth; inside says that t itself is
// one of them.
func embedded(t reflect.Type, inside bool) []embeddedField {
	var list []embeddedField
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			of := f.Type
			if of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if of.Kind() != reflect.Struct {
				continue
			}
			for _, e := range embedded(of, inside || !f.IsExported()) {
				e.absent = e.absent || f.Type.Kind() == reflect.Pointer
				list = append(list, e)
			}
		case inside && f.IsExported() && name != "":
			list = append(list, embeddedField{StructField: f})
		}
	}
	return list
}
