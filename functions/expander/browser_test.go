package expander

import (
	_ "embed"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"mappe/infra/judges"
	"mappe/shared/web/endpoint"
)

//go:embed page/browser.test.mjs
var browserTest string

// TestThePageInABrowser presses a button twice and reads what stands there. What else a person does with the
// page is tried beside the map (localdev/server/web/test/expander.test.mjs).
func TestThePageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the browser")
	}
	node, folder, chromium := judges.Program(t, "node"), judges.Folder(t, "localdev/server/web", "playwright-core"), judges.Chromium(t)
	server := httptest.NewServer(endpoint.Mount("/expander", handler(t, Deps{})))
	defer server.Close()
	cmd := exec.Command(node, "--input-type=module", "-") // from standard input, so that the folder's packages are found
	cmd.Dir, cmd.Stdin = folder, strings.NewReader(browserTest)
	cmd.Env = append(os.Environ(), "MAPPE_URL="+server.URL, "MAPPE_CHROMIUM="+chromium)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
