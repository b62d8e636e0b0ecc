package landscape

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"mappe/functions/core/shares"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store/dir"
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

// A result that nobody sees is given a name, and is listed.
func TestRename(t *testing.T) {
	folder := t.TempDir()
	address, results := "sqlite:"+filepath.ToSlash(filepath.Join(folder, "ledger.db")), filepath.Join(folder, "shares")
	l, err := ledgerurl.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	files, err := dir.Open(results)
	if err != nil {
		t.Fatal(err)
	}
	s := &shares.Shares{Ledger: l, Files: files}
	for _, job := range []string{"task-a-1", "task-b-1"} {
		h := shares.Share{Name: "auto-" + job, Kind: "terrain", Created: time.Now(), Expires: time.Now().Add(shares.Keep), Job: job}
		if err := s.Save(t.Context(), h, strings.NewReader(`{"result":{}}`), nil); err != nil {
			t.Fatal(err)
		}
	}
	flags := []string{"--ledger", address, "--shares", results}
	command := func(args ...string) string {
		return run(t, append(append([]string{"landscape", "share"}, args...), flags...)...)
	}
	if got := command("list"); strings.Contains(got, "task-a-1") {
		t.Errorf("listed without a name: %s", got)
	}
	if got := command("rename", "auto-task-a-1", "hillside"); !strings.Contains(got, "auto-task-a-1 is hillside now: terrain") {
		t.Errorf("%s", got)
	}
	for args, says := range map[string]string{"auto-task-b-1 hillside": "taken", "auto-nothing-there x1": "no share",
		"hillside auto-y": "auto-", "hillside": "accepts 2"} {
		if got := command(append([]string{"rename"}, strings.Fields(args)...)...); !strings.Contains(got, "error:") ||
			!strings.Contains(got,
				says) {
			t.Errorf("%s: %s", args, got)
		}
	}
	if got := command("list"); !strings.Contains(got, "hillside") || !strings.Contains(got, "never") || strings.Contains(got, "task-b-1") {
		t.Errorf("%s", got)
	}
}
