package cells

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mappe/functions/context/contrib/observers"
	"mappe/shared/cloud/ledger/ledgerurl"
)

func run(t *testing.T, args ...string) string {
	t.Helper()
	root := &cobra.Command{Use: "localdev", SilenceUsage: true}
	root.AddCommand(Commands()...)
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(args)
	if err := root.ExecuteContext(t.Context()); err != nil {
		out.WriteString("error: " + err.Error())
	}
	return out.String()
}

func TestTokens(t *testing.T) {
	address := "sqlite:" + filepath.ToSlash(filepath.Join(t.TempDir(), "ledger.db"))
	for _, bad := range [][]string{{"--observer", "Anna B"}, {"--observer", "anna", "--days", "0"},
		{"--observer", "anna", "--days", "9999"}, {}} {
		if got := run(t, append([]string{"cells", "token", "grant", "--ledger", address},
			bad...)...); !strings.Contains(strings.ToLower(got), "error:") {
			t.Errorf("%v: got %s", bad, got)
		}
	}
	made := run(t, "cells", "token", "grant", "--ledger", address, "--observer", "anna", "--days", "30")
	text, _, _ := strings.Cut(made, "\n")
	l, err := ledgerurl.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	records := observers.New(l, nil)
	token, err := records.Bearer(t.Context(), text)
	if err != nil || token.Observer != "anna" {
		t.Fatalf("%q: %+v %v", text, token, err)
	}
	if got := run(t, "cells", "token", "list", "--ledger", address); !strings.Contains(got, token.ID) || strings.Contains(got, text) {
		t.Errorf("list: %s", got)
	}
	if got := run(t, "cells", "token", "revoke", token.ID, "--ledger", address); !strings.Contains(got, "is revoked") {
		t.Errorf("revoke: %s", got)
	}
	if _, err := records.Bearer(t.Context(), text); err == nil {
		t.Error("a revoked token opens the endpoint")
	}
	if got := run(t, "cells", "token", "revoke", "nonsense", "--ledger", address); !strings.Contains(got, `no token "nonsense"`) {
		t.Errorf("revoke: %s", got)
	}
}
