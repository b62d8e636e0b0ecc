package x402

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mappe/functions/expander"
	"mappe/functions/expander/paygate"
	"mappe/infra/oracles"
	"mappe/localdev/facilitator"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/web/endpoint"
)

// TestTheOfficialClientBuysAnExpansion sells what is really for sale: the official packages read the offer
// of the expander, and the official client buys from it.
func TestTheOfficialClientBuysAnExpansion(t *testing.T) {
	installed(t)
	dir := t.TempDir()
	books, err := sqlite.Open(t.Context(), filepath.Join(dir, "facilitator.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer books.Close()
	f := httptest.NewServer(facilitator.New(facilitator.Options{Ledger: books}))
	defer f.Close()
	opened, err := paygate.Open(t.Context(), paygate.Settings{PayTo: payee, Facilitator: f.URL,
		Ledger:   "sqlite:" + filepath.Join(dir, "ledger.db"),
		Resource: "/expander/v1/expand"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	h, err := expander.New(opened.Deps(expander.Deps{})).Handler()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(endpoint.Mount("/expander", h))
	defer server.Close()

	url := server.URL + "/expander/v1/expand"
	var problems []string
	if run(t, &problems, "offer.mjs", url); len(problems) > 0 {
		t.Errorf("the official packages object to the expander's 402: %s", strings.Join(problems, "; "))
	}
	for _, version := range []string{"2", "1"} {
		var b bought
		run(t, &b, "client.mjs", url, version,
			`{"rules":[{"rrule":"FREQ=DAILY;COUNT=3","tz":"Europe/Vienna","start":"2026-03-28T02:30:00"}]}`)
		var answer struct {
			Results []struct{ Occurrences []struct{ UTC string } }
		}
		if err := json.Unmarshal([]byte(b.Body), &answer); err != nil || b.Status != 200 || b.Receipt == nil || len(answer.Results) != 1 ||
			len(answer.Results[0].Occurrences) != 3 || answer.Results[0].Occurrences[1].UTC != "2026-03-29T01:30:00Z" {
			t.Errorf("version %s: %+v, %v", version, b, err)
		}
		run(t, &b, "client.mjs", url, version,
			`{"rules":[{"rrule":"FREQ=DAILY;COUNT=0","tz":"Europe/Vienna","start":"2026-03-28T02:30:00"}]}`)
		if b.Status != 400 {
			t.Errorf("version %s, a rule that is refused: %+v", version, b)
		}
	}
	moved := 0
	if err := facilitator.Transfers(t.Context(), books, "eip155:84532", "0x036cbd53842c5426634e7929541ec2318f3dcf7e",
		func(facilitator.Transfer) error {
			moved++
			return nil
		}); err != nil || moved != 2 {
		t.Errorf("want 2 transfers, got %d, %v", moved, err)
	}
}

// TestDiscoveryOnAHostOfItsOwn asks the tool that payment catalogues publish for operators: on a host of its own the
// expander is found by its origin alone, with its paid route and price; no header of a caller has a part in it.
func TestDiscoveryOnAHostOfItsOwn(t *testing.T) {
	oracles.Program(t, "node")
	folder := oracles.Folder(t, "infra/oracles/x402", "@agentcash/discovery")
	books, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "facilitator.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer books.Close()
	f := httptest.NewServer(facilitator.New(facilitator.Options{Ledger: books}))
	defer f.Close()
	opened, err := paygate.Open(t.Context(), paygate.Settings{PayTo: payee, Facilitator: f.URL,
		Ledger:   "sqlite:" + filepath.Join(t.TempDir(), "ledger.db"),
		Resource: "/v1/expand"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	h, err := expander.New(opened.Deps(expander.Deps{})).Handler()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	ask := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "node",
			append([]string{filepath.Join(folder, "node_modules/@agentcash/discovery/bin/discovery.js")}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v", args, err)
		}
		return string(out)
	}
	if out := ask("discover", server.URL, "-v"); !regexp.MustCompile(`POST +/v1/expand +paid +0\.02 USD +\[x402\]`).MatchString(out) {
		t.Errorf("discover: %s", out)
	}
	if out := ask("check", server.URL+"/v1/expand"); !strings.Contains(out, "0.02 USD") {
		t.Errorf("check: %s", out)
	}
	r, err := http.NewRequest("GET", server.URL+"/.well-known/x402", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example"
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || strings.Contains(string(body), "evil") || !strings.Contains(string(body), server.URL+"/v1/expand") {
		t.Errorf("for another Host: %s, %v", body, err)
	}
}
