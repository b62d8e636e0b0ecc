package archtest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"mappe/functions/families"
	"mappe/functions/family"
	"mappe/shared/cloud/stack"
)

// maxBehaviours is CloudFront's quota of cache behaviours for a distribution, which an account has without asking
// (Developer Guide, "Quotas on distributions").
const maxBehaviours = 75

// functionOf is the function of the template that runs a program.
func functionOf(s *stack.Stack, program string) *stack.Function {
	i := slices.IndexFunc(s.Functions, func(f stack.Function) bool {
		return strings.HasSuffix(filepath.ToSlash(f.Main), "/"+program)
	})
	if i < 0 {
		return nil
	}
	return &s.Functions[i]
}

func members() (all []family.Member) {
	for _, s := range families.All(families.Deps{}) {
		all = append(all, s.Members...)
	}
	return all
}

// TestTheTemplateRoutesEveryFamily: the CDN's patterns are those of the families, in an order in which each
// endpoint reaches the function of its own family.
func TestTheTemplateRoutesEveryFamily(t *testing.T) {
	s := declared(t)
	routed := map[string]string{} // pattern to function
	for _, m := range members() {
		f := functionOf(s, m.Program)
		if f == nil || !f.HasURL {
			t.Errorf("family %s: no function of the template with a URL has the Main ./%s", m.Name, m.Program)
			continue
		}
		for _, p := range m.Patterns() {
			routed[p] = f.Name
		}
		for _, e := range m.Service.Endpoints {
			b := behaviour(s, m.Prefix+e.Path)
			if b.Function != f.Name || !slices.Contains(b.Methods, e.Method) {
				t.Errorf("%s %s%s: the template sends it to %q by the pattern %s with %v, want %s", e.Method, m.Prefix, e.Path, b.Function,
					b.Pattern, b.Methods, f.Name)
			}
		}
	}
	for _, b := range s.Behaviours {
		if want := routed[b.Pattern]; b.Function != want {
			t.Errorf("template.yaml:%d: the pattern %s goes to %q, want %q as the families declare", b.Line, b.Pattern, b.Function, want)
		}
		delete(routed, b.Pattern)
	}
	for p, f := range routed {
		t.Errorf("template.yaml: the pattern %s of %s is missing", p, f)
	}
	if n := len(s.Behaviours); n > maxBehaviours {
		t.Errorf("%d cache behaviours, CloudFront takes %d", n, maxBehaviours)
	}
}

// TestTheTemplateGivesWhatFamiliesNeed: environment and rights of a function follow from its family's needs.
func TestTheTemplateGivesWhatFamiliesNeed(t *testing.T) {
	s := declared(t)
	resources := value(template(t).Content[0], "Resources")
	for _, m := range members() {
		f := functionOf(s, m.Program)
		if f == nil {
			continue // told above
		}
		for name, needed := range map[string]bool{
			"MAPPE_STORE": m.Needs.Store, "MAPPE_WARMUP": m.Needs.Warmup, "MAPPE_LEDGER": len(m.Needs.Ledger) > 0,
			"MAPPE_BOOKS": m.Needs.Files, "MAPPE_WORKER": m.Needs.Worker != "", "MAPPE_SHARES": m.Needs.Results,
		} {
			if _, given := f.Environment[name]; given != needed {
				t.Errorf("%s of the template: %s is set: %v; the family %s needs it: %v", f.Name, name, given, m.Name, needed)
			}
		}
		if w := m.Needs.Worker; w != "" && functionOf(s, w) == nil {
			t.Errorf("family %s: no function has the Main ./%s", m.Name, w)
		}
		granted := rightsOf(value(resources, f.Name))
		if m.Needs.Store != granted["s3:GetObject ${ArtefactBucket.Arn}/artefacts/current.json"] {
			t.Errorf("%s: may read the pointer: %v", f.Name, !m.Needs.Store)
		}
		for _, folder := range []string{"archive", "cells", "prices", "rasters"} {
			if needed := slices.Contains(m.Needs.Reads, folder); needed != granted["s3:GetObject ${ArtefactBucket.Arn}/artefacts/"+folder+
				"/*"] {
				t.Errorf("%s: may read %s: %v; the family %s needs it: %v", f.Name, folder, !needed, m.Name, needed)
			}
		}
		if m.Needs.Warmup != granted["s3:PutObject ${ArtefactBucket.Arn}/artefacts/requests/warm/*"] {
			t.Errorf("%s: may ask for KGs: %v", f.Name, !m.Needs.Warmup)
		}
		for right := range granted {
			key, ok := strings.CutPrefix(right, "ledger ")
			if ok && !slices.ContainsFunc(m.Needs.Ledger, func(p string) bool {
				return key == p || strings.HasSuffix(p, "*") && strings.HasPrefix(key, p[:len(p)-1])
			}) {
				t.Errorf("%s: may use the partitions %s, which the family %s does not name", f.Name, key, m.Name)
			}
		}
		for _, p := range m.Needs.Ledger {
			if !granted["ledger "+p] {
				t.Errorf("%s: may not use the partitions %s", f.Name, p)
			}
		}
	}
}

// rightsOf are the allowed "action resource" of a function's policies, and "ledger partition" of those bound to
// partitions.
func rightsOf(function *yaml.Node) map[string]bool {
	granted := map[string]bool{}
	statement := func(n *yaml.Node) {
		if e := value(n, "Effect"); e == nil || e.Value != "Allow" {
			return
		}
		for _, action := range list(value(n, "Action")) {
			for _, resource := range list(value(n, "Resource")) {
				granted[action+" "+resource] = true
			}
		}
		if c := value(n, "Condition"); c != nil && value(c, "ForAllValues:StringLike") != nil {
			for _, key := range list(value(value(c, "ForAllValues:StringLike"), "dynamodb:LeadingKeys")) {
				granted["ledger "+key] = true
			}
		}
	}
	for _, p := range value(value(function, "Properties"), "Policies").Content {
		if p.Kind == yaml.AliasNode {
			p = p.Alias
		}
		if s := value(p, "Statement"); s != nil {
			walk(s, statement)
		}
	}
	return granted
}
