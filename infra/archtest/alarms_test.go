package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEachAlarmHasItsLine: docs/operation.md says of each alarm of the stack what to look at, by its name or by the end of it, and of no
// other.
func TestEachAlarmHasItsLine(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(root, "docs", "operation.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(raw), "\n## Alarms of the stack\n")
	table, _, _ = strings.Cut(table, "\n## ")
	if !ok {
		t.Fatal("docs/operation.md has no section Alarms of the stack")
	}
	used := map[string]bool{}
	for row := range strings.Lines(table) {
		if cells := strings.Split(row, "|"); len(cells) > 3 {
			for _, name := range regexp.MustCompile("`[^`]+`").FindAllString(cells[1], -1) {
				used[strings.Trim(name, "`")] = false
			}
		}
	}
	resources := value(template(t).Content[0], "Resources")
	alarms := 0
	for i := 0; i+1 < len(resources.Content); i += 2 {
		name := resources.Content[i].Value
		if kind := value(resources.Content[i+1], "Type"); kind == nil || kind.Value != "AWS::CloudWatch::Alarm" {
			continue
		}
		alarms++
		found := false
		for line := range used {
			if end, any := strings.CutPrefix(line, "..."); line == name || any && strings.HasSuffix(name, end) {
				used[line], found = true, true
			}
		}
		if !found {
			t.Errorf("docs/operation.md says nothing of the alarm %s", name)
		}
	}
	for line, is := range used {
		if !is {
			t.Errorf("docs/operation.md speaks of the alarm %s, which the stack does not have", line)
		}
	}
	if alarms < 50 {
		t.Errorf("only %d alarms were found", alarms)
	}
}
