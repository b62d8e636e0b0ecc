package command

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/clientlimit"
)

// A port that is taken is told before the country is made.
func TestStartLooksAtItsPortFirst(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dir := filepath.Join(t.TempDir(), "demo")
	c := root()
	c.SetArgs([]string{"start", "--addr", l.Addr().String(), "--dir", dir})
	c.SetOut(io.Discard)
	if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "--addr 127.0.0.1:PORT") {
		t.Errorf("want the taken port told, got %v", err)
	}
	if exists(dir) {
		t.Error("the country was made before")
	}
}

// The files that the README's command lines name are those that start writes, and the commands take them.
func TestExamplesOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeExamples(dir, time.Now()); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		exampleManuscript: {"press", "--out", filepath.Join(dir, "out")},
		exampleBoard:      {"work-poll", "--dry-run", "--board"},
		exampleCalendar:   {"expand", "--ics"},
	} {
		if !strings.Contains(string(readme), " .localdev/"+examplesDir+"/"+name) {
			t.Errorf("no command line of the README names .localdev/%s/%s", examplesDir, name)
		}
		c := root()
		var out strings.Builder
		c.SetArgs(append(args, filepath.Join(dir, examplesDir, name)))
		c.SetOut(&out)
		c.SetErr(&out)
		if err := c.ExecuteContext(t.Context()); err != nil {
			t.Errorf("%v %s: %v\n%s", args, name, err, out.String())
		}
	}
}

func TestVersion(t *testing.T) {
	c := root()
	var out strings.Builder
	c.SetArgs([]string{"--version"})
	c.SetOut(&out)
	if err := c.Execute(); err != nil || !strings.HasPrefix(out.String(), "localdev ") || !strings.Contains(out.String(), "go1.") {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// A command that was interrupted ends with what a person wants to know, not with the errors that follow.
func TestCancelledIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	source := filepath.Join(dir, "source")
	if err := generate(t.Context(), io.Discard, source); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	b := building{source: source, data: filepath.Join(dir, "data"), jobs: 1}
	err = b.run(ctx, out)
	said, _ := os.ReadFile(out.Name()) // a missing file shows below
	if line := cancelled(err); !strings.HasPrefix(line, "cancelled: ") || strings.Contains(line, "context") || strings.Contains(string(said), "fail") || strings.Contains(string(said), "context") {
		t.Errorf("got %q and\n%s", line, said)
	}
	if got := cancelled(context.Canceled); got != "cancelled" {
		t.Errorf("got %q", got)
	}
}

// --limits holds an address to its rate in one process too; the artefacts are the CDN's.
func TestLimits(t *testing.T) {
	h := limited(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}), clientlimit.New(clientlimit.Rate{PerSecond: 1, Burst: 2}))
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
	if w := ask("/artefacts/current.json", "192.0.2.1:1234"); w.Code != 200 {
		t.Errorf("artefacts: got %d", w.Code)
	}
	if w := ask("/cadastre/x", "192.0.2.2:1234"); w.Code != 200 {
		t.Errorf("another address: got %d", w.Code)
	}
}

// TestTheInstalledProgram: help, examples and completion speak of the program as it was installed.
func TestTheInstalledProgram(t *testing.T) {
	defer func(name string) { os.Args[0] = name }(os.Args[0])
	os.Args[0] = "/home/somebody/go/bin/mappe"
	for _, args := range [][]string{{"completion", "bash"}, {"build", "--help"}, {"--version"}, {"--help"}} {
		c := root()
		var out strings.Builder
		c.SetArgs(args)
		c.SetOut(&out)
		if err := c.Execute(); err != nil || !strings.Contains(out.String(), "mappe") || strings.Contains(out.String(), "localdev ") {
			t.Errorf("%v: %v\n%s", args, err, out.String())
		}
	}
}
