package archtest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"mappe/localdev/asl"
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

// machines are those of the template, by the resource of each: its definition, and the tasks that its states run.
var machines = map[string]struct {
	file  string
	tasks []string
}{
	"Rebuild":   {"infra/rebuild.asl.json", []string{"list", "kg", "publish"}},
	"Landscape": {"infra/landscape.asl.json", []string{"plan", "kg", "reduce"}},
}

func TestTheStateMachinesResolve(t *testing.T) {
	resources := value(template(t).Content[0], "Resources")
	for i := 0; i+1 < len(resources.Content); i += 2 {
		if kind := value(resources.Content[i+1], "Type"); kind.Value == "AWS::Serverless::StateMachine" &&
			machines[resources.Content[i].Value].file == "" {
			t.Errorf("no test knows the state machine %s", resources.Content[i].Value)
		}
	}
	for name, want := range machines {
		raw := text(t, want.file)
		var m machine
		if err := json.Unmarshal([]byte(raw), &m); err != nil {
			t.Fatal(err)
		}
		m.check(t, name)
		properties := value(value(resources, name), "Properties")
		if got := value(properties, "DefinitionUri"); got == nil || got.Value != want.file {
			t.Errorf("%s: want the definition %s, got %v", name, want.file, got)
		}
		given := value(properties, "DefinitionSubstitutions")
		values := map[string]string{}
		for i := 0; i+1 < len(given.Content); i += 2 {
			values[given.Content[i].Value] = "1"
			if !strings.Contains(raw, "${"+given.Content[i].Value+"}") {
				t.Errorf("the template gives a value for %s, which %s does not use", given.Content[i].Value, want.file)
			}
		}
		if _, err := asl.Parse([]byte(raw), values); err != nil {
			t.Errorf("%s: %v", want.file, err)
		}
		for _, task := range want.tasks {
			if !strings.Contains(raw, `"task": "`+task+`"`) {
				t.Errorf("%s: no state runs the task %s", want.file, task)
			}
		}
		checkInvoked(t, name, &m, given)
	}
}

// checkInvoked: what a machine calls are functions of the template by their ARNs, and it may call no others.
func checkInvoked(t *testing.T, name string, m *machine, given *yaml.Node) {
	t.Helper()
	var calls []string
	var collect func(*machine)
	collect = func(m *machine) {
		for _, s := range m.States {
			if s.ItemProcessor != nil {
				collect(s.ItemProcessor)
			}
			var p struct{ FunctionName string }
			if s.Type != "Task" {
				continue
			}
			if err := json.Unmarshal(s.Parameters, &p); err != nil {
				t.Fatal(err)
			}
			v := value(given, strings.Trim(p.FunctionName, "${}"))
			if v == nil || v.Tag != "!GetAtt" || !strings.HasSuffix(v.Value, "Function.Arn") {
				t.Errorf("%s: %s is no function of the template", name, p.FunctionName)
				continue
			}
			calls = append(calls, v.Value)
		}
	}
	collect(m)
	slices.Sort(calls)
	var may []string
	walk(value(value(template(t).Content[0], "Resources"), name), func(n *yaml.Node) {
		if slices.Contains(list(value(n, "Action")), "lambda:InvokeFunction") {
			may = append(may, list(value(n, "Resource"))...)
		}
	})
	slices.Sort(may)
	if calls = slices.Compact(calls); !slices.Equal(calls, may) {
		t.Errorf("%s calls %v and may call %v", name, calls, may)
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
		if s.Resource != "arn:aws:states:::lambda:invoke" {
			t.Errorf("%s: want a call of a function, got %s", where, s.Resource)
		}
	case "Map":
		if s.ItemProcessor == nil || s.ItemReader == nil || s.ResultWriter == nil {
			t.Errorf("%s: a distributed map reads its items and writes its results", where)
			return
		}
		s.ItemProcessor.check(t, where)
	}
}
