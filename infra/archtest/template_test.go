package archtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"gopkg.in/yaml.v3"

	"mappe/functions/families"
	"mappe/infra/pack"
	"mappe/shared/cloud/clientlimit"
	"mappe/shared/cloud/funcurl"
	"mappe/shared/cloud/stack"
)

// template is the document of template.yaml.
func template(t *testing.T) *yaml.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text(t, "template.yaml")), &doc); err != nil {
		t.Fatal(err)
	}
	return &doc
}

func TestEveryFunctionIsPackedAndBuilt(t *testing.T) {
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range declared(t).Functions {
		want, err := pack.Archive(abs, f.Main, pack.Arches()[0])
		if err != nil {
			t.Fatal(err)
		}
		if got, want := f.Archive, "build/"+want; got != want {
			t.Errorf("%s: CodeUri is %s, make build writes %s", f.Name, got, want)
		}
		if _, err := os.Stat(filepath.Join(f.Main, "main.go")); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// TestRoutesReachTheirFunction walks the endpoint table: a system that has a function gets all its rows.
func TestRoutesReachTheirFunction(t *testing.T) {
	s := declared(t)
	table, err := os.Open(filepath.Join(root, "infra", "endpoints.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	rows, reached := 0, map[string]bool{}
	served := map[string]bool{}
	for _, b := range s.Behaviours {
		served[strings.Trim(strings.TrimSuffix(b.Pattern, "*"), "/")] = b.Function != ""
	}
	for lines := bufio.NewScanner(table); lines.Scan(); {
		cells := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(lines.Text(), "#") || len(cells) < 3 {
			continue
		}
		rows++
		system, method, path := cells[0], cells[1], cells[2]
		if !served[system] {
			continue
		}
		b := behaviour(s, "/"+system+path)
		allowed := false
		for _, m := range b.Methods {
			allowed = allowed || m == method
		}
		if b.Function == "" || !allowed {
			t.Errorf("%s %s of %s: the template sends it to %q, method allowed: %v", method, path, system, b.Function, allowed)
		}
		reached[b.Function] = true
	}
	if rows < 150 {
		t.Errorf("the endpoint table has only %d rows", rows)
	}
	// Additions of the project's own are no rows of the table.
	for _, service := range families.All(families.Deps{}) {
		for _, m := range service.Members {
			for _, e := range m.Service.Endpoints {
				reached[behaviour(s, service.Prefix+e.Path).Function] = true
			}
		}
	}
	for _, f := range s.Functions {
		if f.HasURL && !reached[f.Name] {
			t.Errorf("%s: no endpoint is routed to it", f.Name)
		}
	}
}

// walk visits every mapping once.
func walk(n *yaml.Node, visit func(*yaml.Node)) {
	if n.Kind == yaml.MappingNode {
		visit(n)
	}
	for _, c := range n.Content {
		walk(c, visit)
	}
}

func value(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			if v := n.Content[i+1]; v.Kind == yaml.AliasNode {
				return v.Alias
			}
			return n.Content[i+1]
		}
	}
	return nil
}

func list(n *yaml.Node) []string {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return []string{n.Value}
	}
	var out []string
	for _, c := range n.Content {
		out = append(out, c.Value)
	}
	return out
}

// TestPublicFunctionsAreLookedAfter: a log that ends, alarms, a rate for each client. What no request waits for
// has an alarm too.
func TestPublicFunctionsAreLookedAfter(t *testing.T) {
	raw := text(t, "template.yaml")
	for _, f := range declared(t).Functions {
		if rate, err := clientlimit.Parse(f.Environment[funcurl.ClientLimit]); f.HasURL && (err != nil || rate.PerSecond == 0) {
			t.Errorf("%s: want a rate of a client address, got %q, %v", f.Name, f.Environment[funcurl.ClientLimit], err)
		}
		if filter := "LogGroupName: !Ref " + strings.TrimSuffix(f.Name, "Function") +
			"Log\n      FilterPattern: "; f.HasURL != strings.Contains(raw, filter) {
			t.Errorf("%s: want a public function's refusals counted, for the alarm OriginRefused", f.Name)
		}
		if dimension := "Dimensions: [{ Name: FunctionName, Value: !Ref " + f.Name + " }]"; f.HasURL && strings.Count(raw, dimension) < 2 {
			t.Errorf("%s: want an alarm for errors and one for throttles", f.Name)
		} else if !strings.Contains(raw, "MetricName: Errors\n      "+dimension) && !f.HasURL {
			t.Errorf("%s: want an alarm for errors", f.Name)
		}
		if log := strings.TrimSuffix(f.Name, "Function") + "Log"; !strings.Contains(raw, "LogGroup: !Ref "+log) {
			t.Errorf("%s: want its own log group %s with a retention", f.Name, log)
		}
	}
	if groups, ends := strings.Count(raw, "AWS::Logs::LogGroup"), strings.Count(raw, "RetentionInDays:"); groups != ends {
		t.Errorf("%d log groups, %d with a retention", groups, ends)
	}
}

// A new account has 10 concurrent executions, of which AWS keeps all unreserved, and 3,008 MB a function
// (Lambda Developer Guide, "Lambda quotas").
const newAccountMemory = 3008

// TestANewAccountCanDeploy: with no parameter given, the template asks for nothing that a new account has not.
func TestANewAccountCanDeploy(t *testing.T) {
	for _, f := range declared(t).Functions {
		if f.Concurrency != 0 {
			t.Errorf("%s: reserves %d executions of an account that may have 10 and must keep 10", f.Name, f.Concurrency)
		}
		if f.MemoryMB > newAccountMemory {
			t.Errorf("%s: %d MB, a new account has at most %d", f.Name, f.MemoryMB, newAccountMemory)
		}
	}
	for _, n := range []string{"FunctionConcurrency", "PublishMemory", "TaskMemory", "BuildConcurrency", "LandscapeConcurrency"} {
		if p := value(value(template(t).Content[0], "Parameters"), n); p == nil || value(p, "Default") == nil {
			t.Errorf("a larger account has no parameter %s", n)
		}
	}
	s, err := stack.Load(filepath.Join(root, "template.yaml"),
		stack.Options{Parameters: map[string]string{"FunctionConcurrency": "50", "PublishMemory": "5307"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"ReconcileFunction": 1, "BooksWorkerFunction": 10, "ExportWorkerFunction": 8, "LandscapeWorkerFunction": 8,
		"LandscapeProcessorFunction": 2, "ProcessFunction": 2, "BuildFunction": 0, "LandscapeKGFunction": 0, "PublishFunction": 1}
	public, fixed := 0, 0
	for _, f := range s.Functions {
		most, ok := want[f.Name]
		if !ok {
			most = 50
			public++
		}
		if f.Concurrency != most {
			t.Errorf("%s: FunctionConcurrency=50 reserves %d, want %d", f.Name, f.Concurrency, most)
		}
		fixed += want[f.Name]
	}
	p := value(value(template(t).Content[0], "Parameters"), "FunctionConcurrency")
	if told := fmt.Sprintf("takes %d times itself and %d from", public, fixed); !strings.Contains(value(p, "Description").Value, told) {
		t.Errorf("FunctionConcurrency does not say that it %s the account's", told)
	}
}

// TestWhatHoldsDataIsKept: deleting the stack, or a property that replaces a resource, deletes no data.
func TestWhatHoldsDataIsKept(t *testing.T) {
	kept := 0
	for _, r := range value(template(t).Content[0], "Resources").Content {
		kind := value(r, "Type")
		if kind == nil || kind.Value != "AWS::S3::Bucket" && kind.Value != "AWS::DynamoDB::Table" {
			continue
		}
		kept++
		for _, policy := range []string{"DeletionPolicy", "UpdateReplacePolicy"} {
			if p := value(r, policy); p == nil || p.Value != "Retain" {
				t.Errorf("template.yaml:%d: a %s without %s: Retain", r.Line, kind.Value, policy)
			}
		}
		if kind.Value != "AWS::DynamoDB::Table" {
			continue
		}
		p := value(r, "Properties")
		if v := value(p, "DeletionProtectionEnabled"); v == nil || v.Value != "true" {
			t.Errorf("template.yaml:%d: a table that can be deleted by one call", r.Line)
		}
		if v := value(p, "PointInTimeRecoverySpecification"); v == nil || value(v, "PointInTimeRecoveryEnabled").Value != "true" {
			t.Errorf("template.yaml:%d: a table without point-in-time recovery", r.Line)
		}
	}
	if kept < 4 {
		t.Errorf("only %d buckets and tables were found", kept)
	}
}

// TestSecretsAreReadAtRunTime: a deployment puts no secret into a function's environment, where a new value
// would not come before the next deployment of that function. The CDN alone is given one: it cannot read.
func TestSecretsAreReadAtRunTime(t *testing.T) {
	resources := value(template(t).Content[0], "Resources")
	for i := 0; i+1 < len(resources.Content); i += 2 {
		name, resource := resources.Content[i], resources.Content[i+1]
		if name.Value == "Distribution" {
			continue
		}
		walk(resource, func(n *yaml.Node) {
			for _, v := range n.Content {
				if strings.Contains(v.Value, "{{resolve:") {
					t.Errorf("template.yaml:%d: %s holds the value that a secret had when it was deployed", v.Line, name.Value)
				}
			}
		})
	}
}

// TestWhatRunsIsLogged: requests of the CDN, and what a rebuild failed at.
func TestWhatRunsIsLogged(t *testing.T) {
	resources := value(template(t).Content[0], "Resources")
	config := value(value(value(resources, "Distribution"), "Properties"), "DistributionConfig")
	if l := value(config, "Logging"); l == nil || value(l, "Bucket") == nil {
		t.Error("the distribution logs nothing")
	}
	for name := range machines {
		if l := value(value(value(resources, name), "Properties"), "Logging"); l == nil || value(l, "Destinations") == nil {
			t.Errorf("the state machine %s logs nothing", name)
		}
		for _, metric := range []string{"ExecutionsFailed", "ExecutionsTimedOut"} {
			if !strings.Contains(text(t, "template.yaml"),
				"MetricName: "+metric+"\n      Dimensions: [{ Name: StateMachineArn, Value: !Ref "+name+" }]") {
				t.Errorf("the state machine %s has no alarm for %s", name, metric)
			}
		}
	}
}

// TestSampleEvents: what sam local invoke is given is what a Function URL delivers.
func TestSampleEvents(t *testing.T) {
	s := declared(t)
	files, err := filepath.Glob(filepath.Join(root, "infra", "events", "*.json"))
	if err != nil || len(files) < 3 {
		t.Fatalf("want at least three sample events, got %v, %v", files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var e events.LambdaFunctionURLRequest
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if e.RawPath == "" { // a task of the rebuild
			var task struct{ Task, Run string }
			if err := json.Unmarshal(raw, &task); err != nil || task.Task == "" || task.Run == "" {
				t.Errorf("%s: neither a request nor a task", file)
			}
			continue
		}
		if b := behaviour(s, e.RawPath); b.Function == "" || e.RequestContext.HTTP.Method == "" {
			t.Errorf("%s: %s is no function's", file, e.RawPath)
		}
	}
}
