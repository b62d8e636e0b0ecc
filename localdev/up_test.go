package main

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/national"
	"mappe/shared/cloud/clientlimit"
	"mappe/shared/cloud/store/storeurl"
)

// published is a directory with a small generation.
func published(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	st, err := storeurl.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "09901", Parcels: 20, Segments: 2, AreaKm2: 1, Seed: 5})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	return dir
}

// files are what a directory holds.
func files(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		all = append(all, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}

// TestUpOnAReadOnlyDirectory serves, as somebody who may only read, a directory that was published before.
func TestUpOnAReadOnlyDirectory(t *testing.T) {
	if data := os.Getenv("MAPPE_READONLY_CHILD"); data != "" {
		c := root()
		c.SetArgs([]string{"up", "--data", data, "--addr", "127.0.0.1:0"})
		c.SetOut(os.Stdout)
		if err := c.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		return
	}
	data := published(t)
	before := files(t, data)
	base, said := upAsReader(t, data)
	for _, path := range []string{"/healthz", "/cadastre/api/v1/spatial/kgs?west=9&south=46&east=17&north=49", "/workfeed/work/feed"} {
		a, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(a.Body) // a short one shows below
		a.Body.Close()
		if a.StatusCode != 200 {
			t.Errorf("%s: %d %.300s", path, a.StatusCode, body)
		}
	}
	if !strings.Contains(said, data+" is read-only: ") || !strings.Contains(said, "--state DIR keeps them") {
		t.Errorf("want a line that says where state is kept, got %s", said)
	}
	if after := files(t, data); after != before {
		t.Errorf("the directory was written to:\n%s", after)
	}
}

// upAsReader runs this test as the program of another user, who may read the directory and not write it. It
// gives the address that is served and what was printed before it.
func upAsReader(t *testing.T, data string) (base, said string) {
	t.Helper()
	home, err := os.MkdirTemp("", "mappe-reader-") // that of the test is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	bin, tmp := filepath.Join(home, "localdev.test"), filepath.Join(home, "tmp")
	program, err := os.ReadFile(os.Args[0])
	for _, err := range []error{err, os.WriteFile(bin, program, 0o755), os.Mkdir(tmp, 0o777), os.Chmod(tmp, 0o777), os.Chmod(home, 0o755)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{filepath.Dir(filepath.Dir(data)), filepath.Dir(data)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := filepath.WalkDir(data, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(p, 0o555)
			t.Cleanup(func() { os.Chmod(p, 0o755) })
		} else if err == nil {
			err = os.Chmod(p, 0o444)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(bin, "-test.run", "^TestUpOnAReadOnlyDirectory$")
	c.Env = append(os.Environ(), "MAPPE_READONLY_CHILD="+data, "TMPDIR="+tmp, "HOME="+tmp)
	c.Dir = tmp
	if os.Getuid() == 0 { // root writes everywhere
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait() // ended by the signal
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if a, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), "all services"); ok {
			go io.Copy(io.Discard, out)
			return strings.TrimSuffix(strings.TrimSpace(a), "/"), said
		}
		said += lines.Text() + "\n"
	}
	t.Fatalf("the server ended without an address: %s", said)
	return "", ""
}

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
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
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
