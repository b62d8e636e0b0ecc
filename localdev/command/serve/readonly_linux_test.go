package serve

import (
	"bufio"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/national"
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
		c := program("up", "--data", data, "--addr", "127.0.0.1:0")
		c.SetOut(os.Stdout)
		if err := c.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		return
	}
	data := published(t)
	before := files(t, data)
	base, printed := upAsReader(t, data)
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
	if !strings.Contains(printed, data+" is read-only: ") || !strings.Contains(printed, "--state DIR keeps them") {
		t.Errorf("want a line that says where state is kept, got %s", printed)
	}
	if after := files(t, data); after != before {
		t.Errorf("the directory was written to:\n%s", after)
	}
}

// upAsReader runs this test as the program of another user, who may read the directory and not write it. It
// gives the address that is served and what was printed before it.
func upAsReader(t *testing.T, data string) (base, printed string) {
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
			return strings.TrimSuffix(strings.TrimSpace(a), "/"), printed
		}
		printed += lines.Text() + "\n"
	}
	t.Fatalf("the server ended without an address: %s", printed)
	return "", ""
}
