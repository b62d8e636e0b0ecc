package kgbuild

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/source/sourcetest"
	"mappe/builders/source/tiles"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/mvt"
)

// counted counts the tiles that are read.
type counted struct {
	*tiles.Reader
	read atomic.Int64
}

func (c *counted) Tile(ctx context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	c.read.Add(1)
	return c.Reader.Tile(ctx, tileset, id)
}

// lookedAt is a KG that was built from a folder of sources, and looked at long after the files were written.
type lookedAt struct {
	dir   string
	tiles *counted
	task  Task
	first Made
}

func lookAt(t *testing.T) *lookedAt {
	t.Helper()
	l := &lookedAt{dir: sourcetest.Write(t, sourcetest.KG{Code: string(facts.Code)})}
	reader, err := tiles.Open(l.dir, tiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l.tiles = &counted{Reader: reader}
	l.task = Task{Facts: facts, Settings: Settings{Stichtag: "2026-10-01", Attribution: "© BEV, 2026", ParcelZoom: 15, LandUseZoom: 16},
		Tiles: l.tiles, Store: mem.New(), Workers: 2, Now: func() time.Time { return time.Now().Add(time.Hour) }}
	l.first = mustBuild(t, l.task)
	l.task.Looked = l.first.Looked
	l.tiles.read.Store(0)
	return l
}

// files are the tiles of a zoom.
func (l *lookedAt) files(t *testing.T, zoom string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(l.dir, "tiles/kataster", zoom, "*/*.pbf"))
	if err != nil || len(list) == 0 {
		t.Fatalf("tiles of zoom %s: %d, %v", zoom, len(list), err)
	}
	return list
}

// change replaces a number of a parcel by one of the same length, in place or by another file, and sets the time of the file to what
// it was.
func (l *lookedAt) change(t *testing.T, inPlace bool) {
	t.Helper()
	changed := 0
	for _, name := range l.files(t, "15") {
		was, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		now := bytes.ReplaceAll(b, []byte("\x0a\x0216"), []byte("\x0a\x0299"))
		if bytes.Equal(now, b) {
			continue
		}
		to := name
		if !inPlace {
			to += ".new"
		}
		if err := os.WriteFile(to, now, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(to, name); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, was.ModTime(), was.ModTime()); err != nil {
			t.Fatal(err)
		}
		changed++
	}
	if changed == 0 {
		t.Fatal("no tile names parcel 16")
	}
}

// While the files are in the state that the look before has seen, no tile is read.
func TestWhatWasLookedAtIsNotRead(t *testing.T) {
	l := lookAt(t)
	if l.first.Looked.Input != l.first.Key.Input {
		t.Fatalf("the first look remembers %+v", l.first.Looked)
	}
	l.task.Settings.Stichtag, l.task.Settings.Attribution = "2027-04-01", "© BEV, 2027"
	made := mustBuild(t, l.task)
	if n := l.tiles.read.Load(); n != 0 || !made.Reused || made.Key != l.first.Key || made.Looked != l.first.Looked ||
		made.Digest.Entry.Forms != l.first.Digest.Entry.Forms {
		t.Errorf("%d tiles were read, got %+v", n, made)
	}
	l.task.Looked = Looked{}
	if again := mustBuild(t, l.task); l.tiles.read.Load() == 0 || !again.Reused || again.Looked != l.first.Looked {
		t.Errorf("without what was remembered: %d tiles read, got %+v", l.tiles.read.Load(), again)
	}
}

// Whatever may have changed is read.
func TestWhatMayHaveChangedIsRead(t *testing.T) {
	for what, c := range map[string]struct {
		change func(t *testing.T, l *lookedAt)
		built  bool // anew, of another input
	}{
		"a file changed in place, of the same size and time": {func(t *testing.T, l *lookedAt) { l.change(t, true) }, true},
		"a file replaced by one of the same size and time":   {func(t *testing.T, l *lookedAt) { l.change(t, false) }, true},
		"the same file written again": {func(t *testing.T, l *lookedAt) {
			name := l.files(t, "16")[0]
			b, err := os.ReadFile(name)
			if err == nil {
				err = os.WriteFile(name, b, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, false},
		"a file set back in time": {func(t *testing.T, l *lookedAt) {
			if err := os.Chtimes(l.files(t, "16")[0], time.Unix(1, 0), time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
		}, false},
		"a tile that was not there": {func(t *testing.T, l *lookedAt) {
			id, _ := mvt.Cover(facts.Outline.Bounds(), 16, maxCover)
			sourcetest.File(t, l.dir, filepath.Join("tiles/symbole", id[0].String()+".pbf"), "\x1a\x05\x0a\x01x\x78\x02")
		}, true},
		"another name of the KG": {func(_ *testing.T, l *lookedAt) { l.task.Facts.Name = "Öd" }, true},
		"force":                  {func(_ *testing.T, l *lookedAt) { l.task.Force = true }, false},
		"a form that was lost": {func(t *testing.T, l *lookedAt) {
			if err := l.task.Store.Delete(t.Context(), l.first.Digest.Entry.Forms.KGS.Key); err != nil {
				t.Fatal(err)
			}
		}, false},
		"a digest that was lost": {func(t *testing.T, l *lookedAt) {
			if err := l.task.Store.Delete(t.Context(), l.first.Key.String()); err != nil {
				t.Fatal(err)
			}
		}, false},
		"a look at another build": {func(_ *testing.T, l *lookedAt) { l.task.Looked.Input = "0123456789abcdef" }, false},
		"a look of another state": {func(_ *testing.T, l *lookedAt) { l.task.Looked.Files = "0123456789abcdef" }, false},
	} {
		l := lookAt(t)
		c.change(t, l)
		made := mustBuild(t, l.task)
		if n := l.tiles.read.Load(); n == 0 || (made.Key != l.first.Key) != c.built {
			t.Errorf("%s: %d tiles were read, key %s, before %s", what, n, made.Key, l.first.Key)
		}
		if whole, err := Whole(t.Context(), l.task.Store, made.Digest.Entry); !whole || err != nil {
			t.Errorf("%s: what was built is not whole: %v", what, err)
		}
		l.tiles.read.Store(0)
		l.task.Looked, l.task.Force = made.Looked, false
		if again := mustBuild(t, l.task); l.tiles.read.Load() != 0 || again.Key != made.Key {
			t.Errorf("%s: looked at again %d tiles were read, key %s, want %s", what, l.tiles.read.Load(), again.Key, made.Key)
		}
	}
}

// A file that may change again without being seen is read at each look: one that is younger than the look, by the clock of this
// machine, and one that is dated in the future. So is a source of which a tile is broken.
func TestWhatIsNotSettledIsNotRemembered(t *testing.T) {
	for what, change := range map[string]func(t *testing.T, l *lookedAt){
		"files just written": func(_ *testing.T, l *lookedAt) { l.task.Now = time.Now },
		"a clock set back": func(_ *testing.T, l *lookedAt) {
			l.task.Now = func() time.Time { return time.Now().Add(-24 * time.Hour) }
		},
		"no clock": func(_ *testing.T, l *lookedAt) { l.task.Now = nil },
		"a file of the future": func(t *testing.T, l *lookedAt) {
			at := time.Now().Add(24 * time.Hour)
			if err := os.Chtimes(l.files(t, "15")[0], at, at); err != nil {
				t.Fatal(err)
			}
		},
		"a broken tile": func(t *testing.T, l *lookedAt) {
			id, _ := mvt.Cover(facts.Outline.Bounds(), 16, maxCover)
			sourcetest.File(t, l.dir, filepath.Join("tiles/symbole", id[0].String()+".pbf"), "")
			l.task.AcceptGaps = true
		},
	} {
		l := lookAt(t)
		l.task.Looked = Looked{}
		change(t, l)
		if made := mustBuild(t, l.task); made.Looked != (Looked{}) || made.Quality.Verdict == rowschema.Refuse {
			t.Errorf("%s: it is remembered as %+v", what, made.Looked)
		}
	}
}

// A digest in a form of the future is not taken for the build, nor overwritten: the error names it.
func TestADigestOfTheFuture(t *testing.T) {
	l := lookAt(t)
	d := l.first.Digest
	d.Format = DigestFormat + 1
	body, err := manifest.Encode(d)
	if err == nil {
		err = l.task.Store.Delete(t.Context(), l.first.Key.String())
	}
	if err == nil {
		_, err = l.task.Store.Put(t.Context(), l.first.Key.String(), body, store.PutOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), l.task); err == nil || l.tiles.read.Load() == 0 {
		t.Errorf("want the digest refused, got %v with %d tiles read", err, l.tiles.read.Load())
	}
}
