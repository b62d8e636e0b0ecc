package e2e

import (
	"strings"
	"testing"
)

// TestContractCredits: every answer below /api names its licence and whom to credit, failures and live answers too.
func TestContractCredits(t *testing.T) {
	for _, d := range contract(t) {
		if p := d.service.Prefix; p != "/cadastre" && p != "/context" && p != "/landscape" || !strings.Contains(d.endpoint.Path, "/api/") {
			continue
		}
		for what, set := range map[string]map[string]string{"the example": nil, "an unknown parameter": {"no_such_parameter": "1"}} {
			w := d.ask(t, set)
			if h := w.Header(); !strings.Contains(h.Get("Link"), `rel="license"`) || h.Get("X-Data-Attribution") == "" {
				t.Errorf("%s, %s (%d): Link %q, X-Data-Attribution %q", d.name(), what, w.Code, h.Get("Link"), h.Get("X-Data-Attribution"))
			}
		}
	}
}
