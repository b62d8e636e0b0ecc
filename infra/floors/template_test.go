package floors

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"gopkg.in/yaml.v3"

	"mappe/infra/judges"
	"mappe/infra/pack"
	"mappe/shared/cloud/clientlimit"
	"mappe/shared/cloud/funcurl"
	"mappe/shared/cloud/stack"
	"mappe/shared/web/coding"
)

// behaviour is the first that takes the path, as CloudFront picks it.
func behaviour(s *stack.Stack, path string) stack.Behaviour {
	for _, b := range s.Behaviours {
		if b.Matches(path) {
			return b
		}
	}
	return stack.Behaviour{}
}

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
	for _, f := range s.Functions {
		if f.HasURL && !reached[f.Name] {
			t.Errorf("%s: no endpoint is routed to it", f.Name)
		}
	}
}

// TestCacheKeysAreTaken: CloudFront does not cache by the values of these headers (Developer Guide, "HTTP
// request headers and CloudFront behavior"); one of them would be told only by a failed deployment.
func TestCacheKeysAreTaken(t *testing.T) {
	doc := template(t)
	policies := 0
	walk(doc, func(n *yaml.Node) {
		headers := value(n, "HeadersConfig")
		if headers == nil {
			return
		}
		policies++
		for _, h := range list(value(headers, "Headers")) {
			switch strings.ToLower(h) {
			case "cache-control", "connection", "content-length", "cookie", "max-forwards", "pragma", "proxy-authenticate", "proxy-authorization",
				"proxy-connection", "request-range", "te", "trailer", "transfer-encoding", "upgrade", "x-amz-cf-id", "x-forwarded-proto", "x-real-ip":
				t.Errorf("line %d: CloudFront does not take %s into a cache key", headers.Line, h)
			}
		}
	})
	if policies == 0 {
		t.Error("the template has no cache policy")
	}
}

// TestMissingArtefactsAreNotFound: S3 answers 404 only to those who may list; the local server answers 404.
func TestMissingArtefactsAreNotFound(t *testing.T) {
	doc := template(t)
	var actions []string
	walk(doc, func(n *yaml.Node) {
		if p := value(n, "Principal"); p != nil && value(p, "Service") != nil && value(p, "Service").Value == "cloudfront.amazonaws.com" {
			actions = append(actions, list(value(n, "Action"))...)
			if value(n, "Condition") == nil {
				t.Errorf("line %d: every distribution of anybody may do this", n.Line)
			}
		}
	})
	if got, want := strings.Join(actions, " "), "s3:GetObject s3:ListBucket"; got != want {
		t.Errorf("CloudFront may %s, want %s", got, want)
	}
}

// TestTheMapMayWriteItsResults: the rights that Step Functions documents for ItemReader and ResultWriter.
func TestTheMapMayWriteItsResults(t *testing.T) {
	doc := template(t)
	may := map[string]bool{}
	walk(value(value(doc.Content[0], "Resources"), "Rebuild"), func(n *yaml.Node) {
		if value(n, "Effect") != nil {
			for _, action := range list(value(n, "Action")) {
				may[action] = true
			}
		}
	})
	for _, want := range []string{"s3:GetObject", "s3:PutObject", "s3:ListMultipartUploadParts", "s3:AbortMultipartUpload", "states:StartExecution"} {
		if !may[want] {
			t.Errorf("the state machine may not %s", want)
		}
	}
}

// logDelivery are the actions by which Step Functions sets up its logs; AWS documents them with every resource
// (Step Functions Developer Guide, "Logging using CloudWatch Logs").
var logDelivery = []string{"logs:CreateLogDelivery", "logs:GetLogDelivery", "logs:UpdateLogDelivery", "logs:DeleteLogDelivery", "logs:ListLogDeliveries",
	"logs:PutResourcePolicy", "logs:DescribeResourcePolicies", "logs:DescribeLogGroups"}

// TestRightsAreNarrow: an allowed statement names its actions and its resources. A star may only end a
// resource behind a folder or the executions of one machine.
func TestRightsAreNarrow(t *testing.T) {
	doc := template(t)
	allowed := 0
	walk(doc, func(n *yaml.Node) {
		if value(n, "Effect") == nil {
			return
		}
		if value(n, "Effect").Value != "Allow" {
			return
		}
		allowed++
		if slices.Equal(list(value(n, "Action")), logDelivery) && value(n, "Resource").Value == "*" {
			return
		}
		for _, action := range list(value(n, "Action")) {
			if strings.Contains(action, "*") {
				t.Errorf("template.yaml:%d: action %s: name each one", n.Line, action)
			}
		}
		resources := list(value(n, "Resource"))
		if len(resources) == 0 {
			t.Errorf("template.yaml:%d: an allowed statement without Resource", n.Line)
		}
		for _, r := range resources {
			narrow := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(r, "/*"), "-rebuild:*"), "-rebuild/*")
			if r == "*" || strings.Contains(narrow, "*") {
				t.Errorf("template.yaml:%d: resource %s is wider than a folder", n.Line, r)
			}
		}
		if p := value(n, "Principal"); p != nil && p.Kind == yaml.ScalarNode {
			t.Errorf("template.yaml:%d: allowed to everybody", n.Line)
		}
	})
	if allowed < 5 {
		t.Errorf("only %d allowed statements were found", allowed)
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

// TestOnlyPublishingMovesThePointer: of the functions one alone may write what is served.
func TestOnlyPublishingMovesThePointer(t *testing.T) {
	const pointer = "${ArtefactBucket.Arn}/artefacts/current.json"
	resources := value(template(t).Content[0], "Resources")
	var may []string
	for _, f := range declared(t).Functions {
		walk(value(resources, f.Name), func(n *yaml.Node) {
			if e := value(n, "Effect"); e == nil || e.Value != "Allow" || !slices.Contains(list(value(n, "Action")), "s3:PutObject") {
				return
			}
			for _, r := range list(value(n, "Resource")) {
				if folder, all := strings.CutSuffix(r, "*"); r == pointer || all && strings.HasPrefix(pointer, folder) {
					may = append(may, f.Name)
				}
			}
		})
	}
	if !slices.Equal(may, []string{"PublishFunction"}) {
		t.Errorf("%v may write the pointer, want PublishFunction alone", may)
	}
}

// TestRecordsBelongToTheirService: every right to the ledger is bound to partitions.
func TestRecordsBelongToTheirService(t *testing.T) {
	bound := 0
	walk(template(t), func(n *yaml.Node) {
		if e := value(n, "Effect"); e == nil || !strings.HasPrefix(strings.Join(list(value(n, "Action")), " "), "dynamodb:") {
			return
		}
		bound++
		c := value(n, "Condition")
		if c == nil || value(c, "ForAllValues:StringLike") == nil {
			t.Errorf("template.yaml:%d: all of the ledger's partitions", n.Line)
			return
		}
		keys := list(value(value(c, "ForAllValues:StringLike"), "dynamodb:LeadingKeys"))
		if len(keys) == 0 || slices.Contains(keys, "*") {
			t.Errorf("template.yaml:%d: partitions %v", n.Line, keys)
		}
	})
	if bound < 4 {
		t.Errorf("only %d statements about the ledger were found", bound)
	}
}

// TestPublicFunctionsAreLookedAfter: a log that ends, alarms, a rate for each client. What no request waits for
// has an alarm too.
func TestPublicFunctionsAreLookedAfter(t *testing.T) {
	raw := text(t, "template.yaml")
	for _, f := range declared(t).Functions {
		if rate, err := clientlimit.Parse(f.Environment[funcurl.ClientLimit]); f.HasURL && (err != nil || rate.PerSecond == 0) {
			t.Errorf("%s: want a rate of a client address, got %q, %v", f.Name, f.Environment[funcurl.ClientLimit], err)
		}
		if filter := "LogGroupName: !Ref " + strings.TrimSuffix(f.Name, "Function") + "Log\n      FilterPattern: "; f.HasURL != strings.Contains(raw, filter) {
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
	for _, n := range []string{"FunctionConcurrency", "PublishMemory", "BuildConcurrency"} {
		if p := value(value(template(t).Content[0], "Parameters"), n); p == nil || value(p, "Default") == nil {
			t.Errorf("a larger account has no parameter %s", n)
		}
	}
	s, err := stack.Load(filepath.Join(root, "template.yaml"), stack.Options{Parameters: map[string]string{"FunctionConcurrency": "50", "PublishMemory": "5307"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"ReconcileFunction": 1, "BooksWorkerFunction": 10, "BuildFunction": 0, "PublishFunction": 1}
	for _, f := range s.Functions {
		most, ok := want[f.Name]
		if !ok {
			most = 50
		}
		if f.Concurrency != most {
			t.Errorf("%s: FunctionConcurrency=50 reserves %d, want %d", f.Name, f.Concurrency, most)
		}
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
	machine := value(value(value(resources, "Rebuild"), "Properties"), "Logging")
	if machine == nil || value(machine, "Destinations") == nil {
		t.Error("the state machine logs nothing")
	}
}

// TestTheEdgeTellsTheClientsAddress runs the code of the CDN's function: the address is the one the CDN knows,
// whatever a client has sent.
func TestTheEdgeTellsTheClientsAddress(t *testing.T) {
	node := judges.Program(t, "node")
	got := serviceRequest(t, node, "/x", `{"x-viewer-address":{"value":"198.51.100.1"},"accept":{"value":"*/*"}}`)
	if want := `{"x-viewer-address":{"value":"2001:db8::7"},"accept":{"value":"*/*"}}`; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
	if !strings.EqualFold(funcurl.ViewerHeader, "x-viewer-address") {
		t.Errorf("the functions read %s", funcurl.ViewerHeader)
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

// serviceRequest is what the CDN's function makes of a request's headers, in JSON.
func serviceRequest(t *testing.T, node, uri, headers string) string {
	t.Helper()
	code := value(value(value(value(template(t).Content[0], "Resources"), "ServiceRequest"), "Properties"), "FunctionCode").Value
	c := exec.Command(node, "-e", code+`
const request = { uri: '`+uri+`', headers: `+headers+` };
console.log(JSON.stringify(handler({ viewer: { ip: '2001:db8::7' }, request }).headers));`)
	got, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	return strings.TrimSpace(string(got))
}

// TestTheEdgeNamesOneCoding: copies are kept by the coding that is answered, not by the header's spelling, and
// the functions choose the same of what is left.
func TestTheEdgeNamesOneCoding(t *testing.T) {
	node := judges.Program(t, "node")
	for sent, want := range map[string]string{
		"gzip, deflate, br, zstd": "zstd", "gzip, deflate, br": "gzip", "GZIP": "gzip", "zstd;q=0, gzip": "gzip", "zstd; q=0.0,gzip;q=0": "", "zstd;q=0.1": "zstd",
		"br": "", "identity": "", "*": "", "xzstd": "",
	} {
		var headers map[string]struct{ Value string }
		if err := json.Unmarshal([]byte(serviceRequest(t, node, "/x", `{"accept-encoding":{"value":"`+sent+`"}}`)), &headers); err != nil {
			t.Fatal(err)
		}
		got := headers["accept-encoding"].Value
		if got != want {
			t.Errorf("%q: want %q, got %q", sent, want, got)
		}
		if c := coding.Accepted(http.Header{"Accept-Encoding": {got}}); got != "" && c.String() != got {
			t.Errorf("%q: the functions answer %v", got, c)
		}
	}
}

// TestTheEdgeAsksForStoredExports: a KG as GeoJSON is stored with gzip, so gzip is what the function is told of
// wherever the client takes it.
func TestTheEdgeAsksForStoredExports(t *testing.T) {
	node := judges.Program(t, "node")
	for sent, want := range map[string]string{"gzip, deflate, br, zstd": `"gzip"`, "zstd": `"zstd"`, "gzip;q=0, zstd": `"zstd"`} {
		if got := serviceRequest(t, node, "/cadastre/api/v1/export/geojson", `{"accept-encoding":{"value":"`+sent+`"}}`); !strings.Contains(got, `"accept-encoding":{"value":`+want+`}`) {
			t.Errorf("%q: want %s, got %s", sent, want, got)
		}
	}
}
