package floors

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// machine is a state machine, or the one inside a Map.
type machine struct {
	StartAt string
	States  map[string]state
}

type state struct {
	Type, Next, Resource string
	End                  bool
	Default              string
	Catch                []struct{ Next string }
	Choices              []struct{ Next string }
	ItemProcessor        *machine
	ItemReader           *struct{ Resource string }
	ResultWriter         *struct{ Resource string }
	Parameters           json.RawMessage
}

func TestTheStateMachineResolves(t *testing.T) {
	raw := text(t, "infra/rebuild.asl.json")
	var m machine
	if err := json.Unmarshal([]byte(raw), &m); err != nil {
		t.Fatal(err)
	}
	m.check(t, "rebuild")

	_, given, _ := strings.Cut(text(t, "template.yaml"), "DefinitionSubstitutions:\n")
	given, _, _ = strings.Cut(given, "Policies:")
	names := map[string]bool{}
	for _, match := range regexp.MustCompile(`\$\{(\w+)\}`).FindAllStringSubmatch(raw, -1) {
		names[match[1]] = true
		if !strings.Contains(given, " "+match[1]+":") {
			t.Errorf("the template gives no value for ${%s}", match[1])
		}
	}
	for _, match := range regexp.MustCompile(`(?m)^ +(\w+):`).FindAllStringSubmatch(given, -1) {
		if !names[match[1]] {
			t.Errorf("the template gives a value for %s, which the machine does not use", match[1])
		}
	}
	for _, task := range []string{"list", "kg", "publish"} {
		if !strings.Contains(raw, `"task": "`+task+`"`) {
			t.Errorf("no state runs the task %s", task)
		}
	}
}

// check: every name leads to a state, every state is reached, every path ends.
func (m *machine) check(t *testing.T, where string) {
	t.Helper()
	reached := map[string]bool{}
	ends := false
	for queue := []string{m.StartAt}; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		s, ok := m.States[name]
		if !ok {
			t.Errorf("%s: there is no state %q", where, name)
			continue
		}
		if reached[name] {
			continue
		}
		reached[name] = true
		queue = append(queue, s.leads()...)
		if s.End || s.Type == "Succeed" || s.Type == "Fail" {
			ends = true
		} else if s.Next == "" && s.Type != "Choice" {
			t.Errorf("%s.%s: neither Next nor End", where, name)
		}
		s.checkResources(t, where+"."+name)
	}
	for name := range m.States {
		if !reached[name] {
			t.Errorf("%s: state %s is never reached", where, name)
		}
	}
	if !ends {
		t.Errorf("%s: no state ends it", where)
	}
}

func (s state) leads() []string {
	var out []string
	for _, next := range []string{s.Next, s.Default} {
		if next != "" {
			out = append(out, next)
		}
	}
	for _, c := range append(s.Catch, s.Choices...) {
		out = append(out, c.Next)
	}
	return out
}

func (s state) checkResources(t *testing.T, where string) {
	t.Helper()
	switch s.Type {
	case "Task":
		if s.Resource != "arn:aws:states:::lambda:invoke" || !strings.Contains(string(s.Parameters), "${BuildFunctionArn}") && !strings.Contains(string(s.Parameters), "${PublishFunctionArn}") {
			t.Errorf("%s: want a call of a builders' function, got %s", where, s.Resource)
		}
	case "Map":
		if s.ItemProcessor == nil || s.ItemReader == nil || s.ResultWriter == nil {
			t.Errorf("%s: a distributed map reads its items and writes its results", where)
			return
		}
		s.ItemProcessor.check(t, where)
	}
}
