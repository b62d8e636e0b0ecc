package asl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// Machine is a state machine, or the one inside a Map.
type Machine struct {
	Comment        string
	StartAt        string
	TimeoutSeconds int // 0: none
	QueryLanguage  string
	States         map[string]*State

	ProcessorConfig *struct{ Mode, ExecutionType string } // of the one inside a Map
}

// State is one of them, with the fields of all types: check refuses those that are not of its own.
type State struct {
	Type, Comment    string
	Next             string
	End              bool
	Resource         string
	InputPath        path
	OutputPath       path
	ResultPath       path
	Parameters       json.RawMessage
	ResultSelector   json.RawMessage
	TimeoutSeconds   int
	Retry            []retrier
	Catch            []catcher
	Choices          []choice
	Default          string
	Seconds          *float64
	SecondsPath      string
	Result           json.RawMessage
	Error, Cause     string
	ItemsPath        string
	ItemReader       *access
	ItemSelector     json.RawMessage
	ItemBatcher      *batcher
	ItemProcessor    *Machine
	ResultWriter     *access
	MaxConcurrency   int
	MaxConcurrencyOf string  `json:"MaxConcurrencyPath"`
	ToleratedPercent float64 `json:"ToleratedFailurePercentage"`
	ToleratedCount   int     `json:"ToleratedFailureCount"`
	Label            string
}

// path is a reference path that may be null, which is not the same as absent.
type path struct {
	given bool
	text  string // "": null
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *path) UnmarshalJSON(b []byte) error {
	p.given = true
	return json.Unmarshal(b, &p.text)
}

type access struct {
	Resource     string
	ReaderConfig *struct{ InputType string }
	Parameters   json.RawMessage
}

type batcher struct {
	MaxItemsPerBatch int
	BatchInput       json.RawMessage
}

// fields are those that the states of a type may have beside Type and Comment.
var fields = map[string][]string{
	"Task": {"Next", "End", "Resource", "InputPath", "OutputPath", "ResultPath", "Parameters", "ResultSelector", "TimeoutSeconds", "Retry",
		"Catch"},
	"Map": {"Next", "End", "InputPath", "OutputPath", "ResultPath", "ResultSelector", "Retry", "Catch", "ItemsPath", "ItemReader",
		"ItemSelector", "ItemBatcher", "ItemProcessor", "ResultWriter", "MaxConcurrency", "MaxConcurrencyPath",
		"ToleratedFailurePercentage",
		"ToleratedFailureCount", "Label"},
	"Choice":  {"Choices", "Default", "InputPath", "OutputPath"},
	"Wait":    {"Next", "End", "InputPath", "OutputPath", "Seconds", "SecondsPath"},
	"Pass":    {"Next", "End", "InputPath", "OutputPath", "ResultPath", "Parameters", "Result"},
	"Succeed": {"InputPath", "OutputPath"},
	"Fail":    {"Error", "Cause"},
}

var substituted = regexp.MustCompile(`\$\{(\w+)\}`)

// Parse reads a definition. Every ${Name} of it is replaced as DefinitionSubstitutions of a template are; one without a value, and
// every field, state, path or function that the package does not know, is an error.
func Parse(definition []byte, substitutions map[string]string) (*Machine, error) {
	var missing string
	definition = substituted.ReplaceAllFunc(definition, func(b []byte) []byte {
		name := string(b[2 : len(b)-1])
		value, ok := substitutions[name]
		if !ok {
			missing = name
		}
		quoted, _ := json.Marshal(value)
		return quoted[1 : len(quoted)-1]
	})
	if missing != "" {
		return nil, fmt.Errorf("no value is given for ${%s}", missing)
	}
	var m Machine
	d := json.NewDecoder(bytes.NewReader(definition))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("state machine: %w", err)
	}
	var raw map[string]any
	if err := json.Unmarshal(definition, &raw); err != nil {
		return nil, err
	}
	return &m, m.check("", raw)
}

// check refuses what could not be run; where is the path of the Map that the machine is in.
func (m *Machine) check(where string, raw map[string]any) error {
	if m.QueryLanguage != "" && m.QueryLanguage != "JSONPath" {
		return fmt.Errorf("%squery language %s is not known", where, m.QueryLanguage)
	}
	if m.States[m.StartAt] == nil {
		return fmt.Errorf("%sStartAt: there is no state %q", where, m.StartAt)
	}
	states, _ := raw["States"].(map[string]any)
	for name, s := range m.States {
		given, _ := states[name].(map[string]any)
		if err := m.checkState(where+name, s, given); err != nil {
			return err
		}
	}
	return nil
}

func (m *Machine) checkState(at string, s *State, given map[string]any) error {
	may, ok := fields[s.Type]
	if !ok {
		return fmt.Errorf("%s: states of the type %q are not known", at, s.Type)
	}
	for f := range given {
		if f != "Type" && f != "Comment" && !slices.Contains(may, f) {
			return fmt.Errorf("%s: a %s with %s is not known", at, s.Type, f)
		}
	}
	if slices.Contains(may, "Next") && s.End == (s.Next != "") {
		return fmt.Errorf("%s: want either Next or End", at)
	}
	next := []string{s.Next, s.Default}
	for _, c := range s.Choices {
		next = append(next, c.Next)
	}
	for _, c := range s.Catch {
		next = append(next, c.Next)
	}
	for _, n := range next {
		if n != "" && m.States[n] == nil {
			return fmt.Errorf("%s: there is no state %q", at, n)
		}
	}
	for _, template := range []json.RawMessage{s.Parameters, s.ResultSelector, s.ItemSelector} {
		if err := checkTemplate(template); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	for _, p := range []path{s.InputPath, s.OutputPath, s.ResultPath} {
		if p.text != "" {
			if _, err := parsePath(p.text); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
		}
	}
	switch s.Type {
	case "Task":
		if s.Resource != "arn:aws:states:::lambda:invoke" {
			return fmt.Errorf("%s: resource %q is not known", at, s.Resource)
		}
	case "Choice":
		for i := range s.Choices {
			if err := s.Choices[i].check(true); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
		}
	case "Map":
		return s.checkMap(at, given)
	}
	return nil
}

func (s *State) checkMap(at string, given map[string]any) error {
	p := s.ItemProcessor
	if p == nil {
		return fmt.Errorf("%s: a Map without ItemProcessor", at)
	}
	mode := "INLINE"
	if p.ProcessorConfig != nil && p.ProcessorConfig.Mode != "" {
		mode = p.ProcessorConfig.Mode
	}
	switch mode {
	case "INLINE":
		if s.ItemReader != nil || s.ResultWriter != nil || s.ItemBatcher != nil || s.ToleratedPercent != 0 || s.ToleratedCount != 0 {
			return fmt.Errorf("%s: a Map that is not distributed reads, writes, batches and tolerates nothing", at)
		}
	case "DISTRIBUTED":
		if t := p.ProcessorConfig.ExecutionType; t != "STANDARD" && t != "EXPRESS" {
			return fmt.Errorf("%s: executions of the type %q are not known", at, t)
		}
	default:
		return fmt.Errorf("%s: the mode %q is not known", at, mode)
	}
	if r := s.ItemReader; r != nil && (r.Resource != "arn:aws:states:::s3:getObject" || r.ReaderConfig == nil ||
		r.ReaderConfig.InputType != "JSON") {
		return fmt.Errorf("%s: want an ItemReader of a JSON object of S3", at)
	}
	if w := s.ResultWriter; w != nil && (w.Resource != "arn:aws:states:::s3:putObject" || w.ReaderConfig != nil) {
		return fmt.Errorf("%s: want a ResultWriter to S3", at)
	}
	if b := s.ItemBatcher; b != nil && b.MaxItemsPerBatch < 1 {
		return fmt.Errorf("%s: batches of %d items", at, b.MaxItemsPerBatch)
	}
	raw, _ := given["ItemProcessor"].(map[string]any)
	return p.check(at+".", raw)
}
