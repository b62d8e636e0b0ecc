package e2e

import (
	"strings"
	"testing"

	"mappe/functions/families"
)

// maxLLM is what a text for models may have, so that it fits beside a conversation: some 16,000 tokens.
const maxLLM = 64_000

// TestContractTextsForModels: llm.txt of each service is short, and says what its endpoints share once.
func TestContractTextsForModels(t *testing.T) {
	for _, s := range families.All(families.Deps{}) {
		text, err := s.Lead().Service.Text("https://example.org" + s.Prefix)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d endpoints", s.Prefix, len(text), len(s.Endpoints()))
		if len(text) > maxLLM {
			t.Errorf("%s: llm.txt has %d bytes, want at most %d", s.Prefix, len(text), maxLLM)
		}
		for _, e := range s.Endpoints() {
			if !strings.Contains(text, e.Method+" "+e.Path) {
				t.Errorf("%s: llm.txt lacks %s %s", s.Prefix, e.Method, e.Path)
			}
		}
		seen := map[string]int{}
		for _, line := range strings.Split(text, "\n") {
			if len(line) > 120 {
				seen[line]++
			}
		}
		for line, n := range seen {
			if n > 3 {
				t.Errorf("%s: llm.txt says %d times: %s", s.Prefix, n, line)
			}
		}
	}
}
