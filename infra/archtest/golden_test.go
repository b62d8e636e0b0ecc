package archtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"mappe/infra/golden"
)

// TestTheTemplateAsItIs: functions, routes and rights as a list that a review reads: go test ./infra/archtest -update writes it.
func TestTheTemplateAsItIs(t *testing.T) {
	s := declared(t)
	resources := value(template(t).Content[0], "Resources")
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, f := range s.Functions {
		kind := "worker"
		if f.HasURL {
			kind = "public"
		}
		add("function %s: %s, %d MB, %d s", f.Name, kind, f.MemoryMB, f.TimeoutS)
		addRights(add, "right", f.Name, rightsOf(value(resources, f.Name)))
		for _, schedule := range schedulesOf(value(resources, f.Name)) {
			add("schedule %s: %s", f.Name, schedule)
		}
	}
	for name := range machines {
		addRights(add, "right", name, rightsOf(value(resources, name)))
		for _, schedule := range schedulesOf(value(resources, name)) {
			add("schedule %s: %s", name, schedule)
		}
	}
	slices.Sort(lines) // but routes, whose order decides
	for i, b := range s.Behaviours {
		to := b.Function
		if to == "" {
			to = "the bucket" + b.Prefix
		}
		add("route %02d %s: %s to %s", i+1, b.Pattern, strings.Join(b.Methods, " "), to)
	}
	golden.Check(t, "template.golden", []byte(strings.Join(lines, "\n")+"\n"))
}

func addRights(add func(string, ...any), what, name string, granted map[string]bool) {
	for right := range granted {
		add("%s %s: %s", what, name, right)
	}
}

// schedulesOf are the schedules and events of a resource: when, and with what input.
func schedulesOf(resource *yaml.Node) (out []string) {
	events := value(value(resource, "Properties"), "Events")
	if events == nil {
		return nil
	}
	for i := 0; i+1 < len(events.Content); i += 2 {
		kind, p := value(events.Content[i+1], "Type"), value(events.Content[i+1], "Properties")
		text := events.Content[i].Value + ", " + kind.Value
		for _, name := range []string{"ScheduleExpression", "State", "Input"} {
			if v := value(p, name); v != nil {
				text += ", " + name + " " + strings.TrimPrefix(v.Tag, "!!str") + v.Value
			}
		}
		out = append(out, text)
	}
	return out
}
