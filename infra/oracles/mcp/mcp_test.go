// Package mcp asks the Model Context Protocol endpoint with the official clients and the official inspector.
package mcp

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/functions/fixture"
	"mappe/functions/mcp"
	"mappe/functions/mcp/table"
	"mappe/infra/oracles"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/web/endpoint"
)

// serve is the endpoint over the made-up world; it gives its address.
func serve(t *testing.T) string {
	t.Helper()
	s := mem.New()
	if err := fixture.PublishOver(s, nil, "88803"); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{fixture.AddPrices(s, fixture.Snapshots(), fixture.PriceRows()),
		fixture.AddMap(s, fixture.Community()), fixture.AddNames(s, fixture.Toponyms())} {
		if err != nil {
			t.Fatal(err)
		}
	}
	lib, err := fixture.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := mcp.New(mcp.Deps{Library: lib, Families: table.Families(table.Deps{Library: lib})}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(endpoint.Mount("/mcp", h))
	t.Cleanup(server.Close)
	return server.URL + "/mcp"
}

// run runs a program of Node.js that prints JSON.
func run(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := exec.Command(oracles.Program(t, "node"), args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", args[0], err, out, stderr.Bytes())
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("%s: %v\n%s", args[0], err, out)
	}
}

type tool struct {
	Name, Description string
	InputSchema       struct {
		Type       string
		Properties map[string]any
	}
}

type result struct {
	IsError bool
	Content []struct{ Type, Text, URI string }
	// StructuredContent was held to the schema of the tool by the client.
	StructuredContent struct {
		Answer  map[string]any
		Sources []struct{ License string }
		Date    struct{ As_of *string }
		Links   []struct{ URL string }
	}
}

// calls are one of each tool but those of areas, which localdev/e2e asks, and one that is refused.
func calls(t *testing.T) (string, int) {
	t.Helper()
	p := fixture.At(1.5, 0.5)
	here := map[string]any{"lon": p.Lon(), "lat": p.Lat()}
	type call struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	}
	list := []call{
		{"what_is_here", here}, {"parcel_at", here}, {"parcels_in", map[string]any{"kg": []string{"88801"}}},
		{"price_of", map[string]any{"parcel_id": "88801-1"}},
		{"land_use_at", here}, {"lookup_place", map[string]any{"q": "88801"}}, {"compare_versions", map[string]any{"kg": "88801"}},
		{"expand_rule_preview", map[string]any{"rules": []any{map[string]any{"rrule": "FREQ=DAILY;COUNT=3", "tz": "Europe/Vienna",
			"start": "2026-03-28T02:30:00"}}}},
		{"landscape_of_kg", map[string]any{"kg_code": "88801"}},
		{"landscape_of_parcels", map[string]any{"parcel_ids": []string{"88801-1"}}}, {"kgs_by_landscape", map[string]any{"limit": 2}},
		{"parcels_by_landscape", map[string]any{"kg": "88801"}}, {"nature_parcels", map[string]any{"kg": "88801"}},
		{"parcel_at", map[string]any{"lon": 200, "lat": 47}},
	}
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw), len(list)
}

// TestTheOfficialClientsCallEveryTool: both generations of the official client connect, list the tools, and hold the
// answers to the declared schemas.
func TestTheOfficialClientsCallEveryTool(t *testing.T) {
	address := serve(t)
	for version, pkg := range map[string]string{"1": "@modelcontextprotocol/sdk", "2": "@modelcontextprotocol/client"} {
		folder := oracles.Folder(t, "infra/oracles/mcp", pkg)
		asked, n := calls(t)
		var got struct {
			Server       struct{ Name string }
			Instructions string
			Tools        []string
			Results      []result
		}
		run(t, &got, filepath.Join(folder, "client.mjs"), version, address, asked)
		if got.Server.Name != "mappe" || got.Instructions == "" || len(got.Tools) != 25 || len(got.Results) != n {
			t.Fatalf("%s: %+v", pkg, got)
		}
		for i, r := range got.Results[:n-1] {
			if s := r.StructuredContent; r.IsError || len(s.Answer) == 0 || len(s.Sources) == 0 || s.Sources[0].License == "" ||
				len(s.Links) == 0 || !strings.Contains(r.Content[0].Text, "Source: ") {
				t.Errorf("%s, call %d: %+v", pkg, i, r)
			}
		}
		if r := got.Results[n-1]; !r.IsError || !strings.Contains(r.Content[0].Text, "lon") || !strings.Contains(r.Content[0].Text, "200") {
			t.Errorf("%s: want an error that names lon and 200, got %+v", pkg, r)
		}
	}
}

// TestTheInspectorReadsTheTools: the official inspector's command line lists and calls them.
func TestTheInspectorReadsTheTools(t *testing.T) {
	address := serve(t)
	folder := oracles.Folder(t, "infra/oracles/mcp", "@modelcontextprotocol/inspector-cli")
	inspect := func(into any, args ...string) {
		t.Helper()
		run(t, into, slices.Concat([]string{filepath.Join(folder, "node_modules", "@modelcontextprotocol", "inspector-cli", "build",
			"cli.js"), "--cli", address, "--transport", "http"}, args)...)
	}
	var list struct{ Tools []tool }
	inspect(&list, "--method", "tools/list")
	if len(list.Tools) != 25 {
		t.Errorf("got %+v", list)
	}
	for _, l := range list.Tools {
		if l.Description == "" || l.InputSchema.Type != "object" || len(l.InputSchema.Properties) == 0 {
			t.Errorf("got %+v", l)
		}
	}
	var r result
	inspect(&r, "--method", "tools/call", "--tool-name", "parcels_in", "--tool-arg", "kg=88801", "--tool-arg", "limit=2")
	table, _ := r.StructuredContent.Answer["data"].(map[string]any)
	if rows, _ := table["rows"].([]any); r.IsError || len(rows) != 2 {
		t.Errorf("got %+v", r)
	}
}
