// Package stack reads template.yaml: what it declares of functions and of the edge before them, with every
// intrinsic evaluated as for a stack called "local". The exact mode runs what it gives, the tests of the
// deployment compare it with the families' declarations. What it does not know and what would change how a
// request is answered is an error with file and line; nothing is silently left out.
package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// Stack is what the template declares of functions, the edge, buckets and tables, with every intrinsic evaluated.
type Stack struct {
	File       string
	Functions  []Function
	Behaviours []Behaviour // in the order they are tried; the last matches everything
	Buckets    []string    // their names
	Tables     []Table
}

// Function is an AWS::Serverless::Function.
type Function struct {
	Name        string // logical id
	Main        string // directory of the Go package, absolute
	Archive     string // CodeUri as written
	MemoryMB    int
	TimeoutS    int
	Concurrency int // ReservedConcurrentExecutions; 0 means not limited
	Environment map[string]string
	HasURL      bool
	Schedules   []Schedule
	Line        int
}

// Behaviour is a cache behaviour with its origin.
type Behaviour struct {
	Pattern  string // "*" for the default
	Methods  []string
	Function string // logical id, or "" for the bucket
	Bucket   string // name of the bucket, or ""
	Prefix   string // OriginPath
	Headers  map[string]string
	TimeoutS int  // OriginReadTimeout
	Viewer   bool // a function of the CDN sets X-Viewer-Address
	Line     int
}

// Options are what a deployment brings to the template.
type Options struct {
	Parameters map[string]string // override the defaults
	// Secret is the value of a secret by its ARN; it is also told of every secret that the template makes.
	// nil: a value made of the ARN.
	Secret func(arn string) string
}

// Load reads a template from a file.
func Load(name string, o Options) (*Stack, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	return Parse(name, raw, o)
}

// Parse reads a template of at most 1 MB; name stands in errors, and paths in the template are relative to it.
func Parse(name string, raw []byte, o Options) (*Stack, error) {
	f, err := parseFile(name, raw)
	if err != nil {
		return nil, err
	}
	if o.Secret == nil {
		o.Secret = func(arn string) string { return "secret of " + arn }
	}
	s := &scope{file: f, parameters: map[string]string{}, secret: o.Secret}
	if err := s.readParameters(o.Parameters); err != nil {
		return nil, err
	}
	st := &Stack{File: f.name}
	for name, resource := range pairs(child(f.root, "Resources")) {
		kind := child(resource, "Type")
		if kind == nil {
			return nil, f.errorf(name, "resource %s has no Type", name.Value)
		}
		var err error
		switch {
		case kind.Value == "AWS::Serverless::Function":
			err = s.function(st, name, resource)
		case kind.Value == "AWS::CloudFront::Distribution":
			if len(st.Behaviours) > 0 {
				return nil, f.errorf(name, "a second distribution is not emulated")
			}
			err = s.distribution(st, child(child(resource, "Properties"), "DistributionConfig"))
		case kind.Value == "AWS::S3::Bucket":
			st.Buckets = append(st.Buckets, bucketName(name.Value))
		case kind.Value == "AWS::DynamoDB::Table":
			err = s.table(st, name, resource)
		case kind.Value == "AWS::SecretsManager::Secret":
			o.Secret(SecretARN(name.Value))
		case !harmless(kind.Value):
			err = f.errorf(kind, "resource type %s is not emulated", kind.Value)
		}
		if err != nil {
			return nil, err
		}
	}
	return st, st.check(f)
}

// harmless are the types that change nothing of how a request is answered on this machine.
func harmless(kind string) bool {
	for _, prefix := range []string{"AWS::IAM::", "AWS::Logs::", "AWS::CloudWatch::", "AWS::SNS::", "AWS::Budgets::",
		"AWS::Serverless::StateMachine"} {
		if strings.HasPrefix(kind, prefix) {
			return true
		}
	}
	switch kind {
	case "AWS::S3::BucketPolicy", "AWS::Lambda::Permission", "AWS::CloudFront::OriginAccessControl",
		"AWS::CloudFront::CachePolicy", "AWS::CloudFront::ResponseHeadersPolicy", "AWS::CloudFront::Function":
		return true
	}
	return false
}

// globals are the function properties that the template gives once.
func (s *scope) globals() (*yaml.Node, error) {
	g := child(child(s.root, "Globals"), "Function")
	return g, s.onlyKeys(g, "Globals.Function", "Runtime", "Handler", "Architectures", "Tracing", "LoggingConfig", "Timeout", "MemorySize")
}

func (s *scope) function(st *Stack, name, resource *yaml.Node) error {
	p := child(resource, "Properties")
	err := s.onlyKeys(p, name.Value, "Description", "CodeUri", "Runtime", "Handler", "Architectures", "MemorySize", "Timeout",
		"EphemeralStorage",
		"ReservedConcurrentExecutions", "LoggingConfig", "Tracing", "FunctionUrlConfig", "Environment", "Policies", "Events")
	if err != nil {
		return err
	}
	f := Function{Name: name.Value, MemoryMB: 128, TimeoutS: 3, Environment: map[string]string{}, Line: name.Line}
	main := child(child(resource, "Metadata"), "Main")
	if main == nil {
		return s.errorf(name, "%s: Metadata.Main is missing: want the directory of the function's Go program", name.Value)
	}
	if f.Main, err = filepath.Abs(filepath.Join(filepath.Dir(s.name), filepath.FromSlash(main.Value))); err != nil {
		return s.errorf(main, "%v", err)
	}
	if err := s.functionProperties(&f, name, p); err != nil {
		return err
	}
	if err := s.functionURL(&f, child(p, "FunctionUrlConfig")); err != nil {
		return err
	}
	if err := s.schedules(&f, child(p, "Events")); err != nil {
		return err
	}
	environment := child(p, "Environment")
	if err := s.onlyKeys(environment, f.Name+".Environment", "Variables"); err != nil {
		return err
	}
	for k, v := range pairs(child(environment, "Variables")) {
		if f.Environment[k.Value], err = s.text(v); err != nil {
			return err
		}
	}
	st.Functions = append(st.Functions, f)
	return nil
}

// functionProperties reads the properties that a function has itself or of Globals.
func (s *scope) functionProperties(f *Function, name, p *yaml.Node) error {
	globals, err := s.globals()
	if err != nil {
		return err
	}
	property := func(key string) (*yaml.Node, error) {
		n := child(p, key)
		if n == nil {
			n = child(globals, key)
		}
		if n == nil {
			return nil, nil
		}
		return s.chosen(n)
	}
	runtime, err := property("Runtime")
	if err != nil {
		return err
	}
	if runtime == nil || runtime.Value != "provided.al2023" {
		return s.errorf(name, "%s: want Runtime provided.al2023", name.Value)
	}
	code, err := property("CodeUri")
	if err != nil {
		return err
	}
	if code != nil {
		f.Archive = code.Value
	}
	for _, b := range []struct {
		key         string
		to          *int
		least, most int
	}{{"MemorySize", &f.MemoryMB, 128, 10240}, {"Timeout", &f.TimeoutS, 1, 900}, {"ReservedConcurrentExecutions", &f.Concurrency, 1,
		100000}} {
		n, err := property(b.key)
		if err != nil {
			return err
		}
		if n == nil {
			continue
		}
		if *b.to, err = s.number(n, f.Name+"."+b.key, b.least, b.most); err != nil {
			return err
		}
	}
	return nil
}

func (s *scope) functionURL(f *Function, n *yaml.Node) error {
	if n == nil {
		return nil
	}
	if err := s.onlyKeys(n, f.Name+".FunctionUrlConfig", "AuthType", "InvokeMode"); err != nil {
		return err
	}
	for key, want := range map[string]string{"AuthType": "NONE", "InvokeMode": "RESPONSE_STREAM"} {
		if v := child(n, key); v == nil || v.Value != want {
			return s.errorf(n, "%s.FunctionUrlConfig: only %s %s is emulated", f.Name, key, want)
		}
	}
	f.HasURL = true
	return nil
}

// check holds together what the resources say of each other.
func (st *Stack) check(f *file) error {
	for _, b := range st.Behaviours {
		if b.Function == "" {
			continue
		}
		fn := st.Function(b.Function)
		if fn == nil || !fn.HasURL {
			return f.errorf(&yaml.Node{Line: b.Line}, "behaviour %s: %s has no FunctionUrlConfig", b.Pattern, b.Function)
		}
	}
	return nil
}

// Function finds a function by its logical id; nil if the template does not declare it.
func (st *Stack) Function(name string) *Function {
	for i := range st.Functions {
		if st.Functions[i].Name == name {
			return &st.Functions[i]
		}
	}
	return nil
}

// invoked says whether another function has this one's name in its environment: it invokes it.
func (st *Stack) invoked(name string) bool {
	for _, f := range st.Functions {
		for _, value := range f.Environment {
			if f.Name != name && value == "local-"+strings.ToLower(name) {
				return true
			}
		}
	}
	return false
}

// Run are the functions that requests reach, or that another invokes.
func (st *Stack) Run() []Function {
	var out []Function
	for _, f := range st.Functions {
		if f.HasURL || st.invoked(f.Name) {
			out = append(out, f)
		}
	}
	return out
}
