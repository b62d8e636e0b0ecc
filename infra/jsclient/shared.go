package jsclient

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// declarations are the types of a service by name: those of the parameters of its calls and of its schemas.
func (s *Service) declarations() map[string]string {
	all := map[string]string{}
	for _, op := range s.ops {
		name := pascal(op.ID) + "Parameters"
		all[name] = fmt.Sprintf("export interface %s {\n%s}\n", name, op.parameters())
	}
	for name, sch := range s.doc.Components.Schemas {
		all[typeName(name)] = fmt.Sprintf("%sexport type %s = %s;\n", doc(sch.Description, ""), typeName(name), sch.typescript(""))
	}
	return all
}

// remark is a comment of a declaration.
var remark = regexp.MustCompile(`/\*\*.*?\*/|"[^"]*"`)

// word is a name that a declaration may use.
var word = regexp.MustCompile(`\b[A-Z]\w*\b`)

// uses are the types that a text of declarations names.
func uses(text string, of map[string]string) map[string]bool {
	out := map[string]bool{}
	for _, name := range word.FindAllString(remark.ReplaceAllString(text, ""), -1) {
		if _, ok := of[name]; ok {
			out[name] = true
		}
	}
	return out
}

// Types are the declarations of services: a file each, and one with those that several have alike, which the services' files
// give as their own.
func Types(services ...*Service) map[string][]byte {
	all := make([]map[string]string, len(services))
	for i, s := range services {
		all[i] = s.declarations()
	}
	common := shared(all)
	files := map[string][]byte{"shared.d.ts": sharedFile(common)}
	for i, s := range services {
		files[s.name+".d.ts"] = s.types(all[i], common)
	}
	return files
}

// shared are the declarations that at least two services have word for word, as far as all that they use is shared too.
func shared(all []map[string]string) map[string]string {
	texts := map[string][]string{}
	for _, of := range all {
		for name, text := range of {
			texts[name] = append(texts[name], text)
		}
	}
	common := map[string]string{}
	for name, list := range texts {
		if len(list) > 1 && len(slices.Compact(list)) == 1 {
			common[name] = list[0]
		}
	}
	known := merged(all)
	for changed := true; changed; {
		changed = false
		for name, text := range common {
			for used := range uses(text, known) {
				if _, ok := common[used]; !ok {
					delete(common, name)
					changed = true
					break
				}
			}
		}
	}
	return common
}

func merged(all []map[string]string) map[string]string {
	out := map[string]string{}
	for _, of := range all {
		maps.Copy(out, of)
	}
	return out
}

func sharedFile(common map[string]string) []byte {
	var b strings.Builder
	b.WriteString(made)
	text := joinDeclarations(common)
	if strings.Contains(text, "GeoJSONGeometry") {
		b.WriteString("import type { GeoJSONGeometry } from \"./index.d.ts\";\n")
	}
	b.WriteString(text)
	return []byte(b.String())
}

func joinDeclarations(of map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(of)) {
		b.WriteString("\n" + of[name])
	}
	return b.String()
}

// types is the file of the service.
func (s *Service) types(all, common map[string]string) []byte {
	own, theirs := map[string]string{}, map[string]string{}
	for name, text := range all {
		if common[name] == text {
			theirs[name] = text
		} else {
			own[name] = text
		}
	}
	body := s.calls() + joinDeclarations(own)
	var b strings.Builder
	b.WriteString(made + "import type { Call, FreeCall, GeoJSONGeometry } from \"./index.d.ts\";\n")
	if used := slices.Sorted(maps.Keys(uses(body, theirs))); len(used) > 0 {
		fmt.Fprintf(&b, "import type {\n  %s,\n} from \"./shared.d.ts\";\n", strings.Join(used, ",\n  "))
	}
	if len(theirs) > 0 {
		fmt.Fprintf(&b, "\nexport type {\n  %s,\n} from \"./shared.d.ts\";\n", strings.Join(slices.Sorted(maps.Keys(theirs)), ",\n  "))
	}
	b.WriteString("\n" + body)
	return []byte(b.String())
}

// calls is the interface of the service's client.
func (s *Service) calls() string {
	var b strings.Builder
	fmt.Fprintf(&b, "export interface %sCalls {\n", pascal(s.name))
	for _, op := range s.ops {
		kind := "Call"
		if !op.demands() {
			kind = "FreeCall"
		}
		fmt.Fprintf(&b, "%s  %s: %s<%s, %s>;\n", doc(op.Summary, "  "), camel(op.ID), kind, pascal(op.ID)+"Parameters", op.answer())
	}
	b.WriteString("}\n")
	return b.String()
}
