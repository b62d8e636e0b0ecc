package exact

import (
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// Stack is what the template declares of functions and the edge, with every intrinsic evaluated.
type Stack struct {
	File       string
	Functions  []Function
	Behaviours []Behaviour // in the order they are tried; the last matches everything
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

// Load reads a template; parameters override defaults.
func Load(name string, parameters map[string]string) (*Stack, error) {
	return load(name, parameters, newSecrets())
}

func load(name string, parameters map[string]string, secrets *secrets) (*Stack, error) {
	f, err := readFile(name)
	if err != nil {
		return nil, err
	}
	return evaluate(f, parameters, secrets)
}

func evaluate(f *file, parameters map[string]string, secrets *secrets) (*Stack, error) {
	s := &scope{file: f, parameters: map[string]string{}, secrets: secrets}
	if err := s.readParameters(parameters); err != nil {
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
		case kind.Value == "AWS::SecretsManager::Secret":
			secrets.current(secretARN(name.Value))
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
	for _, prefix := range []string{"AWS::IAM::", "AWS::Logs::", "AWS::CloudWatch::", "AWS::SNS::", "AWS::Budgets::", "AWS::Serverless::StateMachine"} {
		if strings.HasPrefix(kind, prefix) {
			return true
		}
	}
	switch kind {
	case "AWS::S3::Bucket", "AWS::S3::BucketPolicy", "AWS::Lambda::Permission", "AWS::CloudFront::OriginAccessControl",
		"AWS::CloudFront::CachePolicy", "AWS::CloudFront::ResponseHeadersPolicy", "AWS::CloudFront::Function", "AWS::DynamoDB::Table":
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
	globals, err := s.globals()
	if err != nil {
		return err
	}
	p := child(resource, "Properties")
	err = s.onlyKeys(p, name.Value, "Description", "CodeUri", "Runtime", "Handler", "Architectures", "MemorySize", "Timeout", "EphemeralStorage",
		"ReservedConcurrentExecutions", "LoggingConfig", "Tracing", "FunctionUrlConfig", "Environment", "Policies", "Events")
	if err != nil {
		return err
	}
	property := func(key string) *yaml.Node {
		n := child(p, key)
		if n == nil {
			n = child(globals, key)
		}
		if n != nil && err == nil {
			n, err = s.chosen(n)
		}
		return n
	}
	f := Function{Name: name.Value, MemoryMB: 128, TimeoutS: 3, Environment: map[string]string{}, Line: name.Line}
	if r := property("Runtime"); r == nil || r.Value != "provided.al2023" {
		return s.errorf(name, "%s: want Runtime provided.al2023", name.Value)
	}
	main := child(child(resource, "Metadata"), "Main")
	if main == nil {
		return s.errorf(name, "%s: Metadata.Main is missing: want the directory of the function's Go program", name.Value)
	}
	if f.Main, err = filepath.Abs(filepath.Join(filepath.Dir(s.name), filepath.FromSlash(main.Value))); err != nil {
		return s.errorf(main, "%v", err)
	}
	if code := property("CodeUri"); code != nil {
		f.Archive = code.Value
	}
	for _, b := range []struct {
		key         string
		to          *int
		least, most int
	}{{"MemorySize", &f.MemoryMB, 128, 10240}, {"Timeout", &f.TimeoutS, 1, 900}, {"ReservedConcurrentExecutions", &f.Concurrency, 1, 100000}} {
		if n := property(b.key); n != nil && err == nil {
			if *b.to, err = s.number(n, f.Name+"."+b.key, b.least, b.most); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return err
	}
	if err := s.functionURL(&f, child(p, "FunctionUrlConfig")); err != nil {
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
		fn := st.function(b.Function)
		if fn == nil || !fn.HasURL {
			return f.errorf(&yaml.Node{Line: b.Line}, "behaviour %s: %s has no FunctionUrlConfig", b.Pattern, b.Function)
		}
	}
	return nil
}

func (st *Stack) function(name string) *Function {
	for i := range st.Functions {
		if st.Functions[i].Name == name {
			return &st.Functions[i]
		}
	}
	return nil
}
