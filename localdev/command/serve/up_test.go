package serve

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"mappe/functions/families"
	"mappe/shared/cloud/clientlimit"
	"mappe/shared/cloud/stack"
)

// program is the family's commands as a program.
func program(args ...string) *cobra.Command {
	c := &cobra.Command{Use: "localdev", SilenceUsage: true, SilenceErrors: true}
	c.AddCommand(Commands()...)
	c.SetArgs(args)
	return c
}

// A port that is taken is refused before the country is made.
func TestStartLooksAtItsPortFirst(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dir := filepath.Join(t.TempDir(), "demo")
	c := program("start", "--addr", l.Addr().String(), "--dir", dir)
	c.SetOut(io.Discard)
	if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "--addr 127.0.0.1:PORT") {
		t.Errorf("want the taken port named, got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("the country was made before")
	}
}

// --limits holds an address to its rate in one process too; the artefacts are the CDN's.
func TestLimits(t *testing.T) {
	few := func(name string) clientlimit.Rate {
		return clientlimit.Rate{PerSecond: 1, Burst: rateOf(name).PerSecond / 5}
	}
	h := limited(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}), families.All(families.Deps{}), few)
	ask := func(path, address string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		r.RemoteAddr = address
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for _, c := range []struct {
		path string
		most int
	}{
		{"/cadastre/x", 4}, {"/cadastre/api/v1/spatial/bbox", 4}, {"/cadastre/api/v1/search/parcel", 4}, {"/expander/v1/preview", 4},
		{"/workfeed/work/feed", 4},
		{"/books/api/books/1", 4}, {"/landscape/api/v1/layers", 4}, {"/context/api/v1/context", 1}, {"/context/api/v1/ne/manifest", 4},
		{"/mcp", 1},
	} {
		for n := range c.most + 1 {
			want := map[bool]int{true: 200, false: 429}[n < c.most]
			if w := ask(c.path, "192.0.2.1:1234"); w.Code != want || want == 429 && w.Header().Get("Retry-After") != "1" {
				t.Errorf("%s, request %d: want %d, got %d %v", c.path, n+1, want, w.Code, w.Header())
			}
		}
	}
	w := ask("/cadastre/x", "192.0.2.1:1234")
	if w.Header().Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(w.Body.String(), `"code":"rate_limited"`) {
		t.Errorf("a page of another origin reads no reason: %v %s", w.Header(), w.Body)
	}
	preflight := httptest.NewRequest("OPTIONS", "/cadastre/x", nil)
	preflight.RemoteAddr = "192.0.2.1:1234"
	w = httptest.NewRecorder()
	if h.ServeHTTP(w, preflight); w.Code != 200 {
		t.Errorf("a preflight is counted: %d", w.Code)
	}
	if w := ask("/artefacts/current.json", "192.0.2.1:1234"); w.Code != 200 {
		t.Errorf("artefacts: got %d", w.Code)
	}
	if w := ask("/c%61dastre/x", "192.0.2.1:1234"); w.Code != 429 {
		t.Errorf("a letter that is encoded: got %d", w.Code)
	}
	if w := ask("/cadastre/x", "192.0.2.2:1234"); w.Code != 200 {
		t.Errorf("another address: got %d", w.Code)
	}
}

// The rates are those that template.yaml gives the function of each family.
func TestRatesAreThoseOfTheTemplate(t *testing.T) {
	st, err := stack.Load("../../../template.yaml", stack.Options{Parameters: map[string]string{"ClientLimits": "yes"}})
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]string{} // rate by the folder of the program
	for _, f := range st.Functions {
		programs[f.Main] = f.Environment["MAPPE_CLIENT_LIMIT"]
	}
	for _, s := range families.All(families.Deps{}) {
		for _, m := range s.Members {
			folder, err := filepath.Abs("../../../" + m.Program)
			if err != nil {
				t.Fatal(err)
			}
			if got := programs[folder]; got != rateOf(m.Name).String() {
				t.Errorf("%s: the template says %q, up --limits %q", m.Name, got, rateOf(m.Name))
			}
		}
	}
}
