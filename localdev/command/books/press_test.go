package books

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/localdev/terminal"
	"mappe/shared/book/press"
	"mappe/shared/book/spec"
)

// runPress runs the command.
func runPress(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	c := pressCommand()
	var out, notes bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&notes)
	c.SetArgs(args)
	c.SilenceUsage, c.SilenceErrors = true, true
	err = c.ExecuteContext(t.Context())
	return out.String(), notes.String(), err
}

func TestPressMakesReportAndFiles(t *testing.T) {
	dir := t.TempDir()
	file, spec := filepath.Join(dir, "lantern.md"), filepath.Join(dir, "spec.json")
	text := "# The Lantern\n\n" + strings.Repeat("It swung above the harbour, and nobody came. ", 80)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(spec, []byte(`{"trim":"A5","title":"The Lantern","author":"Ida Example"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"proof", "final"} {
		out := filepath.Join(dir, kind)
		text, steps, err := runPress(t, file, "--out", out, "--kind", kind, "--spec", spec, "--json", "--date", "2026-11-21")
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Status string
			Pages  int
			Files  []madeFile
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Status != "ready" || got.Pages < 2 || len(got.Files) != 4 {
			t.Errorf("%v: %s", err, text)
		}
		if !strings.Contains(steps, press.StepSet) || !strings.Contains(steps, "100 %  done") {
			t.Errorf("progress: %s", steps)
		}
		for name, magic := range map[string]string{"preflight.html": "<!", "preflight.json": "{", "lantern.pdf": "%PDF-",
			"lantern.epub": "PK"} {
			if b, err := os.ReadFile(filepath.Join(out, name)); err != nil || !bytes.HasPrefix(b, []byte(magic)) {
				t.Errorf("%s: %v, %.20q", name, err, b)
			}
		}
	}
}

// TestPressSparesWhatItReads: by any spelling of its path.
func TestPressSparesWhatItReads(t *testing.T) {
	dir := t.TempDir()
	text := "<h1>One</h1><p>It swung above the harbour.</p>"
	page, spec, link := filepath.Join(dir, "preflight.html"), filepath.Join(dir, "book.epub"), filepath.Join(dir, "here")
	for path, text := range map[string]string{page: text, spec: `{"trim":"A5"}`, filepath.Join(dir, "book.html"): text} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{page, "--out", dir}, {page, "--out", link}, {filepath.Join(dir, "book.html"), "--spec", spec, "--out",
		dir}} {
		if _, _, err := runPress(t, args...); err == nil || !strings.Contains(err.Error(), "would be written over") {
			t.Errorf("%v: got %v", args, err)
		}
	}
	if b, err := os.ReadFile(page); err != nil || string(b) != text {
		t.Errorf("%v, %.40q", err, b)
	}
	if _, _, err := runPress(t, filepath.Join(dir, "book.html"), "--out", filepath.Join(dir, "out")); err != nil {
		t.Error(err)
	}
}

// TestPressEndsWithTheServicesText: in words with status 1, or as JSON.
func TestPressEndsWithTheServicesText(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "book.doc")
	if err := os.WriteFile(file, []byte("%PDF-1.7"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, want := press.Open("book.doc", []byte("%PDF-1.7"), spec.Default())
	_, _, err := runPress(t, file, "--out", dir)
	var f *press.Fault
	if !errors.As(err, &f) || f.Error() != want.Error() {
		t.Errorf("got %v, want %v", err, want)
	}
	out, _, err := runPress(t, file, "--out", dir, "--json")
	var got struct{ Status, Error string }
	if !errors.Is(err, terminal.ErrSilent) || json.Unmarshal([]byte(out), &got) != nil || got.Status != "error" ||
		got.Error != want.Error() {
		t.Errorf("%v: %s", err, out)
	}
	for _, args := range [][]string{{"--kind", "draft"}, {"--format", "mobi"}, {"--date", "today"},
		{"--spec", filepath.Join(dir, "none.json")}} {
		if _, _, err := runPress(t, append([]string{file, "--out", dir}, args...)...); err == nil ||
			!strings.Contains(err.Error(), args[0]) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// TestReportsArePrivate: what is written of a manuscript nobody else may read, also over files that were there.
func TestReportsArePrivate(t *testing.T) {
	dir := t.TempDir()
	manuscript := filepath.Join(dir, "a.md")
	out := filepath.Join(dir, "out")
	if err := errors.Join(os.WriteFile(manuscript, []byte("# One\n\nText.\n"), 0o600), os.Mkdir(out, 0o755),
		os.WriteFile(filepath.Join(out, reportPage), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	c := pressCommand()
	c.SetArgs([]string{manuscript, "--out", out, "--format", "pdf"})
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	if err := c.Execute(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{reportPage, reportData, "a.pdf"} {
		i, err := os.Stat(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if i.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, want 0600", name, i.Mode())
		}
	}
}
