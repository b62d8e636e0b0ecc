package tiles

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"mappe/shared/geo/mvt"
)

// entry is a cached tile: one JSON line, then the body. The line holds the body's hash, so a file that
// was damaged or cut short is never used.
type entry struct {
	URL          string `json:"url"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	Sum          string `json:"sha256"`
	body         []byte
}

func (r *Reader) cached(url, tileset string, id mvt.TileID) *entry {
	if r.opt.CacheDir == "" {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(r.opt.CacheDir, filepath.FromSlash(path(tileset, id))))
	if err != nil {
		return nil
	}
	return parseEntry(b, url, r.opt.MaxBytes)
}

// parseEntry reads a cached tile of the URL, nil when the file holds none that may be used.
func parseEntry(b []byte, url string, maxBytes int) *entry {
	line, body, ok := bytes.Cut(b, []byte{'\n'})
	var e entry
	if !ok || len(line) > maxEntryLine || len(body) > maxBytes || json.Unmarshal(line, &e) != nil || e.URL != url || e.Sum != sum(body) ||
		Whole(body) != nil {
		return nil
	}
	e.body = body
	return &e
}

// maxEntryLine bounds the line of a cached tile: a URL, two header values and a hash.
const maxEntryLine = 64 << 10

// bytes is the file of the entry, of which parseEntry is the inverse.
func (e *entry) bytes() ([]byte, error) {
	line, err := json.Marshal(e)
	return append(append(line, '\n'), e.body...), err
}

// keep writes the entry beside its place and renames it, so that readers see all of it or nothing. A
// cache that cannot be written slows the next build and does not harm this one.
func (r *Reader) keep(url, tileset string, id mvt.TileID, e *entry) {
	if r.opt.CacheDir == "" {
		return
	}
	e.URL, e.Sum = url, sum(e.body)
	file, err := e.bytes()
	if err != nil {
		return
	}
	name := filepath.Join(r.opt.CacheDir, filepath.FromSlash(path(tileset, id)))
	if os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".tile-*")
	if err != nil {
		return
	}
	_, err = f.Write(file)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
