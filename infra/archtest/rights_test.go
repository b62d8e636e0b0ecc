package archtest

import (
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"mappe/functions/cadastre/export"
	"mappe/functions/core/tasks"
	"mappe/functions/landscape/analysis"
	"mappe/functions/landscape/results"
)

// TestTheMapsMayWriteTheirResults: the rights that Step Functions documents for ItemReader and ResultWriter, and for the executions
// of a distributed map.
func TestTheMapsMayWriteTheirResults(t *testing.T) {
	doc := template(t)
	for name := range machines {
		may := map[string]bool{}
		walk(value(value(doc.Content[0], "Resources"), name), func(n *yaml.Node) {
			if value(n, "Effect") != nil {
				for _, action := range list(value(n, "Action")) {
					may[action] = true
				}
			}
		})
		for _, want := range []string{"s3:GetObject", "s3:PutObject", "s3:ListMultipartUploadParts", "s3:AbortMultipartUpload",
			"states:StartExecution"} {
			if !may[want] {
				t.Errorf("the state machine %s may not %s", name, want)
			}
		}
	}
}

// logDelivery are the actions by which Step Functions sets up its logs; AWS documents them with every resource
// (Step Functions Developer Guide, "Logging using CloudWatch Logs").
var logDelivery = []string{"logs:CreateLogDelivery", "logs:GetLogDelivery", "logs:UpdateLogDelivery", "logs:DeleteLogDelivery",
	"logs:ListLogDeliveries",
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
			narrow := strings.TrimSuffix(r, "/*")
			for name := range machines {
				own := "-" + strings.ToLower(name)
				narrow = strings.TrimSuffix(strings.TrimSuffix(narrow, own+":*"), own)
			}
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

// TestOnlyPublishingMovesThePointer: of the functions three alone may write what is served: all publish by builders/national,
// with If-Match. The processor publishes the search index.
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
	slices.Sort(may)
	if !slices.Equal(may, []string{"LandscapeProcessorFunction", "ProcessFunction", "PublishFunction"}) {
		t.Errorf("%v may write the pointer, want LandscapeProcessorFunction, ProcessFunction and PublishFunction alone", may)
	}
}

// TestTheWorkerOfExportsWritesExports: it writes files of exports and requests for KGs, no other object, and no record
// but those of its jobs; of the others only publishing, which deletes them, may write below exports/.
func TestTheWorkerOfExportsWritesExports(t *testing.T) {
	const folder = "${ArtefactBucket.Arn}/artefacts/exports/*"
	s := declared(t)
	resources := value(template(t).Content[0], "Resources")
	worker := functionOf(s, export.Family.Needs.Worker)
	if worker == nil {
		t.Fatalf("no function has the Main ./%s", export.Family.Needs.Worker)
	}
	var writes, records []string
	for right := range rightsOf(value(resources, worker.Name)) {
		action, resource, _ := strings.Cut(right, " ")
		switch {
		case action == "ledger":
			records = append(records, resource)
		case strings.HasPrefix(action, "s3:") && action != "s3:GetObject" && action != "s3:ListBucket":
			writes = append(writes, right)
		case strings.HasPrefix(action, "lambda:"):
			t.Errorf("the worker may %s", right)
		}
	}
	slices.Sort(writes)
	slices.Sort(records)
	if want := []string{"s3:AbortMultipartUpload " + folder, "s3:PutObject " + folder,
		"s3:PutObject ${ArtefactBucket.Arn}/artefacts/requests/warm/*"}; !slices.Equal(writes, want) {
		t.Errorf("the worker may write %v, want %v", writes, want)
	}
	if want := slices.Sorted(slices.Values(export.Family.Needs.Ledger)); !slices.Equal(records, want) {
		t.Errorf("the worker may use the partitions %v, want %v", records, want)
	}
	for _, f := range s.Functions {
		if f.Name != worker.Name && rightsOf(value(resources, f.Name))["s3:PutObject "+folder] {
			t.Errorf("%s may write exports", f.Name)
		}
	}
	properties := value(value(resources, worker.Name), "Properties")
	if disk := value(value(properties, "EphemeralStorage"), "Size"); disk == nil || disk.Value != "10240" || worker.TimeoutS != 900 {
		t.Errorf("the worker has %+v of disk and %d s, want 10240 and 900", disk, worker.TimeoutS)
	}
	if !rightsOf(value(resources, "PublishFunction"))["s3:DeleteObject "+folder] {
		t.Error("what prunes may not delete exports")
	}
}

// TestTheWorkerOfTasksWritesResults: it writes results, no other object, and no record but those of tasks and shares; the
// functions that answer write nothing but questions that are too large for a record.
func TestTheWorkerOfTasksWritesResults(t *testing.T) {
	const shares = "${ArtefactBucket.Arn}/shares/"
	s := declared(t)
	resources := value(template(t).Content[0], "Resources")
	for program, want := range map[string][]string{
		analysis.Family.Needs.Worker: {"s3:AbortMultipartUpload " + shares + "auto/*", "s3:DeleteObject " + shares + "auto/*",
			"s3:DeleteObject " + shares + "jobs/*", "s3:PutObject " + shares + "auto/*"},
		analysis.Family.Program: {"s3:DeleteObject " + shares + "jobs/*", "s3:PutObject " + shares + "jobs/*"},
		results.Family.Program:  nil,
	} {
		f := functionOf(s, program)
		if f == nil {
			t.Fatalf("no function has the Main ./%s", program)
		}
		var writes, records []string
		for right := range rightsOf(value(resources, f.Name)) {
			action, resource, _ := strings.Cut(right, " ")
			switch {
			case action == "ledger":
				records = append(records, resource)
			case strings.HasPrefix(action, "s3:") && action != "s3:GetObject" && action != "s3:ListBucket":
				writes = append(writes, right)
			}
		}
		slices.Sort(writes)
		slices.Sort(records)
		if !slices.Equal(writes, want) {
			t.Errorf("%s may write %v, want %v", f.Name, writes, want)
		}
		if want := slices.Sorted(slices.Values(tasks.Partitions)); !slices.Equal(records, want) {
			t.Errorf("%s may use the partitions %v, want %v", f.Name, records, want)
		}
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
