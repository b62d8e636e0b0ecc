package e2e

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/national"
	"mappe/infra/oracles"
	"mappe/shared/cloud/store/dir"
)

// TestOneProgramServesThePages starts the program where there is nothing but itself: it has the pages in it, for browsers and for the
// CDN.
func TestOneProgramServesThePages(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the whole-system test")
	}
	web := oracles.Folder(t, "localdev/server/web", "esbuild")
	elsewhere, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	bin := filepath.Join(elsewhere, "localdev")
	if err := os.Link(program(t), bin); err != nil {
		t.Fatal(err)
	}
	st, err := dir.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99003", Parcels: 8, Segments: 1, AreaKm2: 1, Seed: 3})
	if _, err := national.PublishSnapshots(t.Context(), st, snapshot); err != nil {
		t.Fatal(err)
	}
	bundled := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(web, "dist", name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}

	base, _ := upIn(t, elsewhere, bin, "up", "--data", data)
	for path, name := range map[string]string{"/map": "index.html", "/p/99003-1": "index.html", "/national": "national.html",
		"/map/map.js": "map.js", "/map/map.css": "map.css", "/map/first.js": "first.js"} {
		want := bundled(name)
		if got := inCoding(t, base+path, ""); !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want the %d of %s", path, len(got), len(want), name)
		}
		z, err := gzip.NewReader(bytes.NewReader(inCoding(t, base+path, "gzip")))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s compressed: %d bytes, want the %d of %s (%v)", path, len(got), len(want), name, err)
		}
	}

	site := exec.Command(bin, "site", "--data", data)
	site.Dir = elsewhere
	if out, err := site.CombinedOutput(); err != nil {
		t.Fatalf("site: %v\n%s", err, out)
	}
	if got, err := os.ReadFile(filepath.Join(data, "site", "map", "index.html")); err != nil || !bytes.Equal(got, bundled("index.html")) {
		t.Errorf("site: %.200s (%v)", got, err)
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) != 1 {
		t.Errorf("the directory was written to: %v %v", left, err)
	}
}

// inCoding is a body as it came, in the coding that is accepted.
func inCoding(t *testing.T, url, coding string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", coding) // also "", so that the client unpacks nothing
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != 200 || a.Header.Get("Content-Encoding") != coding {
		t.Fatalf("%s: %d %v %v", url, a.StatusCode, a.Header, err)
	}
	return b
}
