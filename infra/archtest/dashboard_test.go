package archtest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mappe/builders/landscape/process"
	"mappe/shared/cloud/gauge"
)

// shown are the figures that an operator has to see, by what the dashboard calls them.
var shown = map[string][]string{
	"Requests": {"AWS/CloudFront Requests", "AWS/Lambda Invocations"},
	"Errors": {"AWS/CloudFront 5xxErrorRate", "AWS/CloudFront 4xxErrorRate", "AWS/Lambda Errors", "AWS/Lambda Throttles",
		"AWS/States ExecutionsFailed"},
	"Latency":         {"AWS/Lambda Duration"},
	"Cost a day":      {"AWS/Billing EstimatedCharges"},
	"Age of the data": {gauge.Namespace + " DataAgeDays"},
	"Queue lengths": {gauge.Namespace + " LandscapeQueue", gauge.Namespace + " LandscapeRetrying", gauge.Namespace + " LandscapeFailed",
		"AWS/Lambda AsyncEventAge"},
}

// abroad are namespaces whose figures CloudWatch has in us-east-1 alone.
var abroad = []string{"AWS/CloudFront", "AWS/Billing"}

// searched finds functions by a part of their names: a term in quotes is the whole value, one without them a part of it (CloudWatch User
// Guide, search expression syntax).
var searched = regexp.MustCompile(
	`^SEARCH\('\{AWS/Lambda,FunctionName\} MetricName="(\w+)" FunctionName=\$\{AWS::StackName\}', '(Sum|Maximum|p50|p99)', \d+\)$`)

// TestTheDashboard: it is JSON that CloudWatch draws, of a row and a column each, it shows what an operator has to see, and the figures
// of the project's own are those that the functions tell.
func TestTheDashboard(t *testing.T) {
	body := value(value(value(value(template(t).Content[0], "Resources"), "Dashboard"), "Properties"), "DashboardBody")
	if body == nil || body.Tag != "!Sub" {
		t.Fatal("there is no dashboard")
	}
	for _, m := range regexp.MustCompile(`\$\{([\w:]+)\}`).FindAllStringSubmatch(body.Value, -1) {
		if !slices.Contains([]string{"AWS::Region", "AWS::StackName"}, m[1]) && value(value(template(t).Content[0], "Resources"),
			m[1]) == nil {
			t.Errorf("the dashboard names %s, which the template does not have", m[1])
		}
	}
	var board struct {
		Widgets []struct {
			Type                string
			X, Y, Width, Height int
			Properties          struct {
				Title, Region, View string
				Metrics             [][]any
			}
		}
	}
	if err := json.Unmarshal([]byte(body.Value), &board); err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	taken := map[[2]int]bool{}
	for _, w := range board.Widgets {
		if w.X+w.Width > 24 || w.Type != "metric" || w.Properties.View == "" || taken[[2]int{w.X, w.Y}] {
			t.Errorf("the widget %q cannot be drawn", w.Properties.Title)
		}
		taken[[2]int{w.X, w.Y}] = true
		for _, m := range w.Properties.Metrics {
			name, region := metricOf(t, m)
			if name == "" {
				continue
			}
			if region = cmpRegion(region); w.Properties.Region != region {
				t.Errorf("the widget %q shows %s of %s, which is in %s", w.Properties.Title, name, w.Properties.Region, region)
			}
			for title := range shown {
				if strings.HasPrefix(w.Properties.Title, title) {
					found[title] = append(found[title], name)
				}
			}
		}
	}
	for title, want := range shown {
		for _, name := range want {
			if !slices.Contains(found[title], name) {
				t.Errorf("the dashboard shows no %s under %q", name, title)
			}
		}
	}
	for _, name := range process.Figures {
		if !strings.Contains(body.Value, `"`+gauge.Namespace+`", "`+name+`", "Stack"`) {
			t.Errorf("the dashboard does not show %s, which the processor tells", name)
		}
	}
}

func cmpRegion(abroad string) string {
	if abroad != "" {
		return abroad
	}
	return "${AWS::Region}"
}

// metricOf is "namespace name" of a line of a widget, and its region where that is not the stack's; "" of arithmetic.
func metricOf(t *testing.T, m []any) (name, region string) {
	t.Helper()
	if e, ok := m[0].(map[string]any); ok {
		text, _ := e["expression"].(string)
		if s := searched.FindStringSubmatch(text); s != nil {
			return "AWS/Lambda " + s[1], ""
		}
		if !strings.HasPrefix(text, "DIFF(") {
			t.Errorf("the dashboard has the expression %q", text)
		}
		return "", ""
	}
	namespace, _ := m[0].(string)
	if slices.Contains(abroad, namespace) {
		region = "us-east-1"
	}
	metric, _ := m[1].(string)
	return namespace + " " + metric, region
}
