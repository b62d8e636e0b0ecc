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

	"mappe/shared/cloud/clientlimit"
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
	h := limited(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}), clientlimit.Rate{PerSecond: 1, Burst: 2}, clientlimit.Rate{PerSecond: 1, Burst: 3})
	ask := func(path, address string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		r.RemoteAddr = address
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for _, want := range []int{200, 200, 429} {
		if w := ask("/cadastre/x", "192.0.2.1:1234"); w.Code != want || want == 429 && w.Header().Get("Retry-After") != "1" {
			t.Errorf("want %d, got %d %v", want, w.Code, w.Header())
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
	for _, want := range []int{200, 200, 200, 429} {
		if w := ask("/context/x", "192.0.2.1:1234"); w.Code != want {
			t.Errorf("context: want %d, got %d", want, w.Code)
		}
	}
	for _, want := range []int{200, 200, 429} { // the cells have the usual rate, and a count of their own
		if w := ask("/context/api/v1/ne/manifest", "192.0.2.1:1234"); w.Code != want {
			t.Errorf("cells: want %d, got %d", want, w.Code)
		}
	}
	if w := ask("/artefacts/current.json", "192.0.2.1:1234"); w.Code != 200 {
		t.Errorf("artefacts: got %d", w.Code)
	}
	if w := ask("/cadastre/x", "192.0.2.2:1234"); w.Code != 200 {
		t.Errorf("another address: got %d", w.Code)
	}
}
