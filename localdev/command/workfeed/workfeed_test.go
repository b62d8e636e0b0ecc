package workfeed

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mappe/localdev/state"
)

// run gives what the command prints on both streams, and its error.
func run(t *testing.T, args ...string) string {
	t.Helper()
	c := &cobra.Command{Use: "localdev", SilenceUsage: true, SilenceErrors: true}
	c.AddCommand(Commands()...)
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(args)
	if err := c.ExecuteContext(t.Context()); err != nil {
		out.WriteString("error: " + err.Error())
	}
	return out.String()
}

// TestTokens: a token is printed once, opens the feed for its boards, and is listed until long after it ended.
func TestTokens(t *testing.T) {
	ledger := "sqlite:" + filepath.ToSlash(filepath.Join(t.TempDir(), "ledger.db"))
	if got := run(t, "work-token", "add", "--ledger", ledger, "--name", " "); !strings.Contains(got, "error: --name") {
		t.Errorf("no name: %s", got)
	}
	made := run(t, "work-token", "add", "--ledger", ledger, "--name", "poller", "--board", "Atlas")
	text, _, _ := strings.Cut(made, "\n")
	_, id, _ := strings.Cut(made, "token ")
	id, _, _ = strings.Cut(id, " ")
	l, err := state.OpenWorkLog(t.Context(), ledger)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if token, err := l.Bearer(t.Context(), text); err != nil || token.Name != "poller" {
		t.Errorf("%q: %+v, %v", text, token, err)
	}
	if got := run(t, "work-token", "list", "--ledger", ledger); !strings.Contains(got, id) || !strings.Contains(got, "Atlas") ||
		strings.Contains(got, text) {
		t.Errorf("want the token without its text, got %s", got)
	}
	if got := run(t, "work-token", "revoke", id, "--ledger", ledger); !strings.Contains(got, "is revoked") {
		t.Errorf("got %s", got)
	}
	if _, err := l.Bearer(t.Context(), text); err == nil {
		t.Error("a revoked token opens the feed")
	}
	if got := run(t, "work-token", "revoke", "nonsense", "--ledger", ledger); !strings.Contains(got, `no token "nonsense"`) {
		t.Errorf("got %s", got)
	}
}

// TestPollNeedsAToken: it is asked for before the export is read, and taken from the environment.
func TestPollNeedsAToken(t *testing.T) {
	t.Setenv(tokenVariable, "")
	if got := run(t, "work-poll", "--board", "none.json"); !strings.Contains(got, "no token") || !strings.Contains(got, "work-token add") {
		t.Errorf("got %s", got)
	}
	t.Setenv(tokenVariable, "mwf_x")
	if got := run(t, "work-poll", "--board", "none.json"); !strings.Contains(got, "none.json") || strings.Contains(got, "no token") {
		t.Errorf("got %s", got)
	}
}
