package headcache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"

	"mappe/artefacts/headcache"
	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/overlays"
	"mappe/artefacts/proximity"
	"mappe/artefacts/sectionfile"
	"mappe/artefacts/toponyms"
	"mappe/builders/stage"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// What the artefact holds is the beginning of each object as the store has it: directories without sections, the
// dictionary whole; no object that is lost, none whose directory is too long, and no other kinds.
func TestStage(t *testing.T) {
	c := &stage.Country{Store: mem.New(), Made: manifest.Artefacts{}}
	if o, err := Stage().Make(t.Context(), c); err != nil || o.Key != "" {
		t.Fatalf("of nothing: %v, %v", o, err)
	}
	file := func(name string, sections int) manifest.Object {
		o, err := c.WriteParts(t.Context(), name, sectionfile.Family{'t', 'e', 's', 't'}, []byte(name), func(b *sectionfile.Builder) error {
			for i := range sections {
				if err := b.Add(section(i), []byte{byte(i)}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		c.Note(name, o)
		return o
	}
	grid := file(overlays.GridArtefact, 3)
	file("other", 3)
	if long := file(toponyms.Artefact, 40_000); long.Bytes-40_000 <= headcache.MaxFront {
		t.Fatalf("%d bytes are no long directory", long.Bytes)
	}
	dict, err := c.Put(t.Context(), keys.CellDict{Sum: keys.Sum([]byte("dictionary"))}, []byte("dictionary"))
	if err != nil {
		t.Fatal(err)
	}
	c.Note(ne.DictArtefact, dict)
	c.Note(proximity.NearestArtefact, manifest.Object{Key: "national/osm-nearest-0123456789abcdef.parts", Bytes: 100})

	o, err := Stage().Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	body, _, err := store.ReadAll(t.Context(), c.Store, o.Key, headcache.MaxFile, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := headcache.Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	stored, _, err := store.ReadAll(t.Context(), c.Store, grid.Key, 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	length, err := sectionfile.FrontLength(stored)
	if err != nil {
		t.Fatal(err)
	}
	if f := got[grid.Key]; f.Size != grid.Bytes || !bytes.Equal(f.Bytes, stored[:length]) {
		t.Errorf("the grid: %d bytes of %d, expected %d of %d", len(f.Bytes), f.Size, length, grid.Bytes)
	}
	if f := got[dict.Key]; f.Size != dict.Bytes || string(f.Bytes) != "dictionary" {
		t.Errorf("the dictionary: %q of %d", f.Bytes, f.Size)
	}
	if len(got) != 2 {
		t.Errorf("%d fronts, expected 2", len(got))
	}
	// What is served stays in the fronts where nothing makes it anew.
	delete(c.Made, overlays.GridArtefact)
	c.Live = manifest.Artefacts{overlays.GridArtefact: grid}
	if again, err := Stage().Make(t.Context(), c); err != nil || again != o {
		t.Errorf("made again: %v, %v", again, err)
	}
}

// section is the i-th of names that a directory cannot pack well.
func section(i int) string {
	sum := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
	return fmt.Sprintf("%05d %x", i, sum[:8])
}
