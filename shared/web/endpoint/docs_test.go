package endpoint

import (
	"context"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"mappe/infra/oracles"
)

// The page that a browser draws: words between backticks are set as code, everything else as it is written.
func TestDocsPageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the browser")
	}
	chromium := oracles.Chromium(t)
	s := testService()
	s.Description = "Ask with `west=1`, `east` & <b>\"more\"</b>; a lone ` stays."
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--user-data-dir="+t.TempDir(),
		"--virtual-time-budget=10000", "--dump-dom", server.URL+"/docs").Output()
	if err != nil {
		t.Fatal(err)
	}
	page := string(out)
	for _, want := range []string{
		"Ask with <code>west=1</code>, <code>east</code> &amp; &lt;b&gt;\"more\"&lt;/b&gt;; a lone ` stays.</p></div>",
		`<span class="path">/api/v1/places</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if t.Failed() {
		t.Logf("%.9000s", page)
	}
}
