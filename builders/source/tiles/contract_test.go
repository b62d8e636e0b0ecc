package tiles_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/builders/kg"
	"mappe/builders/kg/tiletest"
	"mappe/builders/source/tiles"
)

func open(t *testing.T, source string, opt tiles.Options) kg.TileReader {
	t.Helper()
	r, err := tiles.Open(source, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestContractOfDirectories(t *testing.T) {
	tiletest.RunFiles(t, func(t *testing.T, files tiletest.Files) kg.TileReader {
		dir := t.TempDir()
		for name, body := range files {
			file := filepath.Join(dir, "tiles", filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, body, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return open(t, dir, tiles.Options{})
	})
}

// A server's tiles are kept where there is a cache; what it answers in a tile's place is asked for once here.
func TestContractOfServers(t *testing.T) {
	for what, cached := range map[string]bool{"without a cache": false, "with a cache": true} {
		t.Run(what, func(t *testing.T) {
			tiletest.RunFiles(t, func(t *testing.T, files tiletest.Files) kg.TileReader {
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, ok := files[strings.TrimPrefix(r.URL.Path, "/")]
					if !ok {
						http.NotFound(w, r)
						return
					}
					w.Write(body)
				}))
				t.Cleanup(s.Close)
				opt := tiles.Options{Attempts: 1}
				if cached {
					opt.CacheDir, opt.Trust = t.TempDir(), true
				}
				return open(t, s.URL+"/{tileset}/{z}/{x}/{y}.pbf", opt)
			})
		})
	}
}
