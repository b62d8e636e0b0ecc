package national

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"mappe/artefacts/columns"
	"mappe/artefacts/directory"
	"mappe/builders/kgbuild"
	"mappe/builders/objects"
	"mappe/builders/source/sourcetest"
	"mappe/builders/source/tiles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/mvt"
)

// countedTiles counts the tiles that are read.
type countedTiles struct {
	*tiles.Reader
	read atomic.Int64
}

func (c *countedTiles) Tile(ctx context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	c.read.Add(1)
	return c.Reader.Tile(ctx, tileset, id)
}

// look builds a folder of sources as the command does, long after its files were written, and counts the tiles that are read.
func look(t *testing.T, dir string, st store.Store, o Options) (s Summary, read int64) {
	t.Helper()
	reader, err := tiles.Open(dir, tiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &countedTiles{Reader: reader}
	if o.Source, err = OpenSource(t.Context(), SourceOptions{Dir: dir, Reader: c}); err != nil {
		t.Fatal(err)
	}
	o.Store, o.Observer, o.Jobs, o.Now = st, silent{}, 2, func() time.Time { return time.Now().Add(time.Hour) }
	if s, err = Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return s, c.read.Load()
}

func rememberedKGs(t *testing.T, st store.Store) []byte {
	t.Helper()
	b, err := objects.Read(t.Context(), st, lookedKey)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A run reads the tiles of the files that are not as the run before has seen them, and serves what a run serves that reads all.
func TestARunRemembersWhatItHasLookedAt(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	first, all := look(t, dir, st, Options{})
	remembered := rememberedKGs(t, st)
	again, read := look(t, dir, st, Options{})
	if read != 0 || again.Generation != first.Generation || again.Count(kgbuild.Reused) != 3 ||
		!bytes.Equal(rememberedKGs(t, st), remembered) {
		t.Errorf("nothing changed: %d tiles were read, got %+v", read, again)
	}
	if s, read := look(t, dir, st, Options{Rehash: true}); read != all || s.Generation != first.Generation ||
		!bytes.Equal(rememberedKGs(t, st), remembered) {
		t.Errorf("with Rehash %d tiles were read, want %d", read, all)
	}
	for what, body := range map[string]string{"damaged": `{"format":1,"kgs":{`, "of the future": `{"format":2,"kgs":{}}`,
		"of another source": `{"format":1,"kgs":{"99001":{"input":"0123456789abcdef","files":"0"}}}`} {
		if _, err := st.Put(t.Context(), lookedKey, []byte(body), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, read := look(t, dir, st, Options{}); read != all || !bytes.Equal(rememberedKGs(t, st), remembered) {
			t.Errorf("what is remembered is %s: %d tiles were read, want %d", what, read, all)
		}
	}
	// A KG alone: what is known of the others stays known.
	touch(t, dir)
	if _, read := look(t, dir, st, Options{KGs: []austria.KGCode{"99002"}}); read == 0 || read >= all {
		t.Errorf("KG 99002 alone: %d of %d tiles were read", read, all)
	}
	if _, read := look(t, dir, st, Options{}); read == 0 || read >= all {
		t.Errorf("the two others: %d of %d tiles were read", read, all)
	}
	intact(t, st)
}

// touch changes the state of the tiles, not their bytes.
func touch(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "tiles/*/*/*/*.pbf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d tiles, %v", len(files), err)
	}
	for _, f := range files {
		if err := os.Chtimes(f, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
}

// A source with a KG less and one more at a later date is served as if it was built from nothing, whatever is remembered; what
// is remembered is of the KGs of the source.
func TestALaterSourceIsServedAsFromNothing(t *testing.T) {
	st := mem.New()
	look(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	later := sourcetest.Write(t, sourcetest.KG{Code: "99001"}, sourcetest.KG{Code: "99003"}, sourcetest.KG{Code: "99004"})
	for range 2 {
		look(t, later, st, Options{Accept: true})
	}
	var now looked
	if err := json.Unmarshal(rememberedKGs(t, st), &now); err != nil || len(now.KGs) != 3 || now.KGs["99004"].Input == "" ||
		now.KGs["99002"].Input != "" {
		t.Errorf("remembered is %+v, %v", now, err)
	}
	fresh := mem.New()
	look(t, later, fresh, Options{})
	got, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ReadLive(t.Context(), fresh)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Manifest.KGs) != len(want.Manifest.KGs) {
		t.Fatalf("%d KGs are served, want %d", len(got.Manifest.KGs), len(want.Manifest.KGs))
	}
	for i := range want.Manifest.KGs {
		if g, w := got.Manifest.KGs[i], want.Manifest.KGs[i]; g.Forms != w.Forms || g.Code != w.Code {
			t.Errorf("KG %s: %+v, from nothing %+v", w.Code, g.Forms, w.Forms)
		}
	}
	for _, kind := range []string{directory.Artefact, columns.Artefact} {
		if g, w := got.Manifest.Artefacts[kind], want.Manifest.Artefacts[kind]; g != w {
			t.Errorf("%s: %+v, from nothing %+v", kind, g, w)
		}
	}
}
