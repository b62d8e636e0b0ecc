package books

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/localdev/state"
)

// TestOperatorsCommands walks from a client to a token that is revoked.
func TestOperatorsCommands(t *testing.T) {
	ledger := "sqlite:" + filepath.ToSlash(filepath.Join(t.TempDir(), "ledger.db"))
	run := func(holds string, args ...string) string {
		t.Helper()
		c := booksCommand()
		var out bytes.Buffer
		c.SetOut(&out)
		c.SetErr(&bytes.Buffer{})
		c.SetArgs(append(args, "--ledger", ledger))
		c.SilenceUsage, c.SilenceErrors = true, true
		if err := c.ExecuteContext(t.Context()); err != nil {
			out.WriteString("error: " + err.Error())
		}
		if !strings.Contains(out.String(), holds) {
			t.Errorf("%v: want %q in %s", args, holds, out.String())
		}
		return strings.TrimSpace(out.String())
	}
	run("error: there is no client", "project", "add", "demo", "atlas")
	run("client demo", "client", "add", "demo", "--name", "Demo House")
	run("error: there is a client", "client", "add", "demo")
	run("error: slug", "client", "add", "Demo House")
	run("Demo House", "client", "list")
	first := run("mbk_", "project", "add", "demo", "atlas", "--title", "The Atlas")
	run("error: the client", "project", "add", "demo", "atlas")
	run("none", "project", "list")
	run("3 of 3 finals left, add-ons index", "pass", "grant", "demo/atlas", "--builds", "3", "--customer", "Mira", "--expires",
		"2027-12-31", "--addon", "index")
	run("until 2028-01-01T00:00:00Z", "pass", "grant", "1", "--extra", "2")
	run("5 of 5", "project", "list", "demo")
	run("no add-ons", "pass", "grant", "1", "--no-addon", "index", "--expires", "never")
	run("error: builds", "pass", "grant", "1", "--extra", "-9")
	run("error: add-on", "pass", "grant", "1", "--addon", "gold")
	run("error: --expires", "pass", "grant", "1", "--expires", "soon")
	run("error: there is no project", "pass", "grant", "demo/none")
	run("suspended", "pass", "suspend", "1")
	run("active", "pass", "resume", "1")
	second := run("mbk_", "token", "rotate", "demo/atlas")
	s, err := state.OpenBookRecords(t.Context(), ledger)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Open(t.Context(), first); err == nil {
		t.Error("a token that was rotated away opens")
	}
	p, err := s.Open(t.Context(), second)
	if err != nil || p.ID != 1 || time.Since(p.Created) > time.Minute {
		t.Errorf("%+v, %v", p, err)
	}
	run("done", "token", "revoke", "1")
	if _, err := s.Open(t.Context(), second); err == nil {
		t.Error("a revoked token opens")
	}
	run("error: the project has no token", "token", "revoke", "1", "nonsense")
}

// Files of the store without a record are listed and removed, and projects are numbered beyond those that the store has folders of.
func TestStrays(t *testing.T) {
	ledger, files := "sqlite:"+filepath.ToSlash(filepath.Join(t.TempDir(), "ledger.db")), t.TempDir()
	run := func(holds string, args ...string) {
		t.Helper()
		c := booksCommand()
		var out bytes.Buffer
		c.SetOut(&out)
		c.SetErr(&out)
		c.SetArgs(append(args, "--ledger", ledger))
		c.SilenceUsage, c.SilenceErrors = true, true
		if err := c.ExecuteContext(t.Context()); err != nil {
			out.WriteString("error: " + err.Error())
		}
		if !strings.Contains(out.String(), holds) {
			t.Errorf("%v: want %q in %s", args, holds, out.String())
		}
	}
	source := filepath.Join(files, "projects", "7", "books", "123456789", "source")
	if err := os.MkdirAll(filepath.Dir(source), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, []byte("Once"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-100 * time.Hour)
	if err := os.Chtimes(source, old, old); err != nil {
		t.Fatal(err)
	}
	run("7        123456789  none    1      4", "strays", "--files", files)
	run("error: --remove has the value 1s: expected 1h or more", "strays", "--files", files, "--remove", "1s")
	run("none    1      4", "strays", "--files", files, "--remove", "200h")
	run("removed", "strays", "--files", files, "--remove", "99h")
	run("all files of books have their records", "strays", "--files", files)
	run("client demo", "client", "add", "demo")
	run("project 8, demo/atlas", "project", "add", "demo", "atlas")
}
