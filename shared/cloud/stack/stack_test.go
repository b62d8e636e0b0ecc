package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testTemplate is the small template that the exact mode is tested with too.
var testTemplate = filepath.Join("..", "..", "..", "localdev", "exact", "testdata", "template.yaml")

func base(t testing.TB) string {
	t.Helper()
	raw, err := os.ReadFile(testTemplate)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestWhatIsUnknownStops: a template that would behave otherwise in the cloud is refused with its line.
func TestWhatIsUnknownStops(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"an unknown function property", "MemorySize: 512", "VpcConfig: {}", ":25: EchoFunction: property VpcConfig is not emulated"},
		{"an unknown intrinsic", `!If [IsNotTest, wrong, !Sub "${Stage}-${!literal}"]`, "!ImportValue x",
			"intrinsic !ImportValue is not emulated"},
		{"a reference to nothing", "!Ref Copies", "!Ref Kopies", ":26: !Ref Kopies"},
		{"another attribute", "Bucket.RegionalDomainName", "Bucket.WebsiteURL", "WebsiteURL"},
		{"another auth type", "AuthType: NONE", "AuthType: AWS_IAM", "only AuthType NONE"},
		{"a buffered URL", "InvokeMode: RESPONSE_STREAM", "InvokeMode: BUFFERED", "only InvokeMode RESPONSE_STREAM"},
		{"another runtime", "provided.al2023", "nodejs22.x", "provided.al2023"},
		{"too long a time-out", "Timeout: 2", "Timeout: 901", "want a number from 1 to 900"},
		{"another resource", "AWS::SecretsManager::Secret", "AWS::EC2::Instance", ":17: resource type AWS::EC2::Instance"},
		{"another forwarding", "b689b0a8-53d0-40ab-baf2-68738e2966ac", "216adef6-5c7f-47e4-b989-5492eafa07d3", "AllViewerExceptHostHeader"},
		{"a Lambda at the edge", "TargetOriginId: bucket", "TargetOriginId: bucket, LambdaFunctionAssociations: []",
			"LambdaFunctionAssociations"},
		{"an unknown origin", "{ TargetOriginId: bucket }", "{ TargetOriginId: bukket }", "no origin has the id bukket"},
		{"no program", "Metadata: { Main: ./echo }", "Metadata: {}", "Metadata.Main"},
		{"an undeclared condition", "!If [IsNotTest,", "!If [IsTset,", `"IsTset" is not declared`},
	} {
		text := strings.Replace(base(t), c.from, c.to, 1)
		if text == base(t) {
			t.Errorf("%s: the template has no %q", c.name, c.from)
			continue
		}
		_, err := Parse("t.yaml", []byte(text), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "t.yaml:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with the line and %q, got %v", c.name, c.want, err)
		}
	}
}

func TestParametersReachTheFunctions(t *testing.T) {
	s, err := Load(testTemplate, Options{Parameters: map[string]string{"Stage": "live", "Copies": "7"}})
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Function("EchoFunction"); f.Concurrency != 7 || f.Environment["STAGE"] != "wrong" || f.TimeoutS != 2 {
		t.Errorf("got %+v", f)
	}
	if _, err := Load(testTemplate, Options{Parameters: map[string]string{"Sage": "live"}}); err == nil ||
		!strings.Contains(err.Error(), "no parameter Sage") {
		t.Errorf("want an error naming Sage, got %v", err)
	}
}

// TestTheProjectsTemplate: every function and path of template.yaml is understood.
func TestTheProjectsTemplate(t *testing.T) {
	project := filepath.Join("..", "..", "..", "template.yaml")
	value := func(arn string) string { return "value of " + arn }
	s, err := Load(project, Options{Secret: value})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Load(project, Options{Parameters: map[string]string{"ActiveOriginSecret": "B"}, Secret: value})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Functions {
		if ids := f.Environment["MAPPE_ORIGIN_SECRETS"]; f.HasURL != (ids == SecretARN("OriginSecretA")+","+SecretARN("OriginSecretB")) {
			t.Errorf("%s: a public function, and no other, reads both origin secrets, got %q", f.Name, ids)
		}
		for name, value := range f.Environment {
			if strings.Contains(name, "ORIGIN_SECRET") && !strings.HasPrefix(value, "arn:") {
				t.Errorf("%s: %s holds a value that a deployment has read: it does not change with the secret", f.Name, name)
			}
		}
		if f.Environment["MAPPE_ORIGIN_OPEN"] != "" {
			t.Errorf("%s: the template opens the function to everybody", f.Name)
		}
	}
	for i, behaviour := range s.Behaviours {
		if behaviour.Function == "" {
			continue
		}
		if a, c := behaviour.Headers["X-Origin-Verify"], b.Behaviours[i].Headers["X-Origin-Verify"]; a != value(
			SecretARN("OriginSecretA")) || c != value(SecretARN("OriginSecretB")) {
			t.Errorf("%s: the edge sends neither secret that %s accepts", behaviour.Pattern, behaviour.Function)
		}
		if !behaviour.Viewer {
			t.Errorf("%s: %s is not told the client's address", behaviour.Pattern, behaviour.Function)
		}
	}
}

// TestABombIsRefused: nine lines of aliases that would be evaluated ten to the ninth times.
func TestABombIsRefused(t *testing.T) {
	text := strings.Builder{}
	text.WriteString("X:\n  - &a0 !Select [0, [a, a]]\n")
	for i := range 9 {
		fmt.Fprintf(&text, "  - &a%d !Select [0, [%s*a%d]]\n", i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	text.WriteString(base(t))
	bomb := strings.Replace(text.String(), "STAGE: !If [IsNotTest", "STAGE: !Select [0, [*a9]]\n          OTHER: !If [IsNotTest", 1)
	_, err := Parse("t.yaml", []byte(bomb), Options{})
	if err == nil || !strings.Contains(err.Error(), "100000 in all") {
		t.Errorf("want a refusal, got %v", err)
	}
}

func TestWildcard(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"*", "/", true}, {"*", "/a/b", true}, {"/a/*", "/a/", true}, {"/a/*", "/a", false}, {"/a/*", "/a/b/c", true},
		{"a/*", "/a/b", true},
		{"/a/*", "/A/b", false}, {"*.json", "/x/y.json", true}, {"*.json", "/x/y.jsonl", false}, {"/a?c", "/abc", true},
		{"/a?c", "/ac", false},
		{"/*a*b", "/xaxbxb", true}, {"/*a*b", "/xaxbxbx", false}, {"/a/*", "/a%2Fb", false},
	} {
		if got := (Behaviour{Pattern: c.pattern}).Matches(c.path); got != c.want {
			t.Errorf("%s on %s: want %v, got %v", c.pattern, c.path, c.want, got)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add(base(f))
	f.Add("Resources: {A: &a {Type: AWS::Serverless::Function, Properties: *a}}")
	f.Add("Conditions: {A: !Not [!Not []]}\nResources: {}")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = Parse("t.yaml", []byte(text), Options{})
	})
}
