package e2e

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/infra/judges"
)

// models asks the tools for language models as the official clients do: what_is_here, parcel_at and lookup_place of the
// demo country, and a call that is refused.
func models(t *testing.T, base string) {
	const calls = `[{"name":"what_is_here","arguments":{"lon":13.2742,"lat":47.3208}},{"name":"parcel_at","arguments":{"lon":13.2742,"lat":47.3208}},
{"name":"lookup_place","arguments":{"q":"Lorfach"}},{"name":"parcel_at","arguments":{"lon":200,"lat":47}}]`
	for version, pkg := range map[string]string{"1": "@modelcontextprotocol/sdk", "2": "@modelcontextprotocol/client"} {
		folder := judges.Folder(t, "infra/judges/mcp", pkg)
		cmd := exec.Command(judges.Program(t, "node"), filepath.Join(folder, "client.mjs"), version, base+"/mcp", calls)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s%s", pkg, err, out, stderr.Bytes())
		}
		var got struct {
			Tools   []string
			Results []struct {
				IsError           bool
				Content           []struct{ Text string }
				StructuredContent struct{ Sources []struct{ License string } }
			}
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %v\n%s", pkg, err, out)
		}
		if len(got.Tools) != 7 || len(got.Results) != 4 {
			t.Fatalf("%s: got %d tools, %d answers", pkg, len(got.Tools), len(got.Results))
		}
		for i, want := range []string{`"gemeinde_code":"59902"`, `"parcel_id":"99101-`, `"name":"Lorfach"`, "200"} {
			r := got.Results[i]
			if r.IsError != (i == 3) || !strings.Contains(r.Content[0].Text, want) || i < 3 && len(r.StructuredContent.Sources) == 0 {
				t.Errorf("%s, call %d: want %s, got %+.600v", pkg, i, want, r)
			}
		}
	}
}
