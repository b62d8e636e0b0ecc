package national

import (
	"context"
	"testing"

	"mappe/artefacts/keys"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// publishKeys publishes digests as the cloud does and counts what that reads and writes.
func publishKeys(t *testing.T, st *mem.Store, source *Source, made []keys.Digest) (Published, storetest.Reads, int64) {
	t.Helper()
	reads := &storetest.Counting{Store: st}
	writes := &storetest.Faulty{Store: reads}
	done, err := Publish(t.Context(), Publication{Store: writes, Country: source.Country, Keys: made, Observer: silent{}})
	if err != nil {
		t.Fatal(err)
	}
	return done, reads.Reads(), writes.Writes()
}

func TestPublishingTheSameReadsPointerManifestAndIndexOnly(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	first := mustBuild(t, dir, st, Options{})
	source, err := OpenSource(t.Context(), SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	var made []keys.Digest
	for _, e := range live.Manifest.KGs {
		k, err := keys.Parse(e.Digest)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, k.(keys.Digest))
	}
	done, reads, writes := publishKeys(t, st, source, made)
	if done.Changed || done.Generation != first.Generation || reads.Gets != 4 || writes != 0 {
		t.Errorf("want pointer, manifest with its part and index read and no write, got %+v, %+v, %d", done, reads, writes)
	}

	// A register that changed makes the register anew and leaves the tiles.
	source.Country.Districts = nil
	source.Country.Municipalities = nil
	source.Country.Attribution = "© another"
	done, reads, writes = publishKeys(t, st, source, made)
	after, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if !done.Changed || after.Manifest.Tiles != live.Manifest.Tiles || after.Manifest.Register == live.Manifest.Register {
		t.Errorf("got %+v", done)
	}
	// pointer, manifest with its part and 3 digests, index, pointer again; register, lists, places, manifest, pointer, index and
	// three marks of the publication; head and directory of the parcels as columns, which did not change; front of the
	// search directory; prices; dictionary and list of the cells, 3 sums that their tiles are drawn from, the list again for
	// the sums of their changes; the dictionary once more for the fronts, written; head and metadata of the areas, which are
	// drawn anew for their new credit; the log of publications, read and written
	if reads.Gets != 3+3+2+2+2+1+1+3+1+2+1 || writes != 17 {
		t.Errorf("want 21 reads and 17 writes, got %+v, %d", reads, writes)
	}
}

func TestAProcessReadsTheManifestOnce(t *testing.T) {
	dir, ctx := sourcetest.Write(t, sourcetest.Three...), context.Background()
	reads := &storetest.Counting{Store: mem.New()}
	mustBuild(t, dir, reads, Options{})
	source, err := OpenSource(ctx, SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	c := Cloud{Artefacts: reads, Runs: mem.New(), Source: source}
	reads.Reset()
	for _, code := range []string{"99001", "99002", "99003"} {
		if _, err := c.Do(ctx, CloudTask{Task: "kg", Run: "r", KGCode: code}); err != nil {
			t.Fatal(err)
		}
	}
	// the manifest and its part once; a look at the pointer and the digest for each KG
	if n := reads.Reads().Gets; n != 2+3*2 {
		t.Errorf("want 9 reads, got %d", n)
	}
}
