package tiles

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"mappe/shared/geo/mvt"
)

// Whatever lies in the place of a tile: it is handed out within its limit, told as a failed download, or an
// error that names the tile.
func FuzzTileFile(f *testing.F) {
	for _, b := range [][]byte{nil, []byte("\x1atile"), zip([]byte("\x1atile")), zip(nil), []byte("<html>"), []byte("\xef\xbb\xbf {}"),
		zip([]byte("\n<p>")), zip(make([]byte, 5000))[:40], {0x1f, 0x8b}} {
		f.Add(b)
	}
	const limit = 4096
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		file := filepath.Join(dir, "tiles", path("kataster", tile))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(dir, Options{MaxBytes: limit})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Tile(t.Context(), "kataster", tile)
		if err == nil && (len(got) > limit || got != nil && len(got) == 0) {
			t.Errorf("%d bytes", len(got))
		}
		if err == nil && len(b) == 0 {
			t.Error("a file of 0 bytes is no tile")
		}
		if err == nil {
			_, _ = mvt.Decode(got, mvt.Limits{}) // an error or a tile, no panic
		}
	})
}

// A cached tile is what was kept for this URL, or nothing; reading and writing are inverses.
func FuzzCachedTile(f *testing.F) {
	e := entry{URL: "u", ETag: `"1"`, LastModified: "yesterday", body: []byte("\x1atile")}
	e.Sum = sum(e.body)
	good, err := e.bytes()
	if err != nil {
		f.Fatal(err)
	}
	for _, b := range [][]byte{good, good[:len(good)-1], nil, []byte("{}\n"),
		[]byte(`{"url":"u","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}` + "\n")} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e := parseEntry(b, "u", 4096)
		if e == nil {
			return
		}
		if len(e.body) == 0 || len(e.body) > 4096 || e.Sum != sum(e.body) {
			t.Fatalf("not to be used: %+v", e)
		}
		again, err := e.bytes()
		if err != nil {
			t.Fatal(err)
		}
		if o := parseEntry(again, "u", 4096); !reflect.DeepEqual(o, e) {
			t.Errorf("written and read: %+v, %+v", e, o)
		}
	})
}

// A server's pause is never longer than maxRetryAfter and never negative.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"7", "-1", "99999999999999999999", "Thu, 01 Oct 2026 12:00:07 GMT", "Thu, 01 Oct 9999 12:00:07 GMT", ""} {
		f.Add(s)
	}
	r := &Reader{opt: Options{Now: func() time.Time { return time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC) }}}
	f.Fuzz(func(t *testing.T, s string) {
		if d := r.retryAfter(s); d < 0 || d > maxRetryAfter {
			t.Errorf("%q: %v", s, d)
		}
	})
}
