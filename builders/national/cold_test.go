package national

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/manifest"
	"mappe/builders/kgbuild"
	"mappe/builders/source/sourcetest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// cold is a country of which the snapshot of one KG is not in the store, or is damaged.
type cold struct {
	dir   string
	store *mem.Store
	was   manifest.Entry
	body  []byte // of its file
	live  Live
}

const evictedKG = austria.KGCode("99001")

func newCold(t *testing.T) *cold {
	t.Helper()
	c := &cold{dir: drillSource(t), store: mem.New()}
	mustBuild(t, c.dir, c.store, Options{})
	c.live = c.read(t)
	c.was, _ = c.live.Manifest.Find(evictedKG)
	c.body = contents(t, c.store)[c.was.Forms.KGS.Key]
	c.put(t, nil)
	return c
}

func (c *cold) read(t *testing.T) Live {
	t.Helper()
	l, err := ReadLive(t.Context(), c.store)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// put puts other bytes in the place of the file; nil takes it away.
func (c *cold) put(t *testing.T, b []byte) {
	t.Helper()
	err := c.store.Delete(t.Context(), c.was.Forms.KGS.Key)
	if err == nil && b != nil {
		_, err = c.store.Put(t.Context(), c.was.Forms.KGS.Key, b, store.PutOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// renames changes what the source says of a KG.
func (c *cold) renames(t *testing.T, code string) {
	t.Helper()
	name := filepath.Join(c.dir, "registers", "kg.csv")
	b, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, bytes.ReplaceAll(b, []byte("Probe "+code), []byte("Neu "+code)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// restore brings the file back.
func (c *cold) restore(ctx context.Context, e manifest.Entry) error {
	_, err := c.store.Put(ctx, e.Forms.KGS.Key, c.body, store.PutOptions{})
	return err
}

// outcome is what a build says of the cold KG, and whether what is served of it is as it was. err is that of the publication.
func (c *cold) outcome(t *testing.T, o Options) (r kgbuild.Result, same bool, err error) {
	t.Helper()
	s, err := build(t, c.dir, c.store, o)
	for _, one := range s.Results {
		if one.Code == evictedKG {
			r = one
		}
	}
	live := c.read(t)
	now, _ := live.Manifest.Find(evictedKG)
	return r, now.Forms == c.was.Forms, err
}

// A publication reads the neighbours of a KG that has changed for their cells: one that is cold is brought back, or built of the source
// where that holds the same, and published as it was; else the publication fails, says which KG it is and what to do, and what is served
// stays.
func TestDrillAPublicationBesideAColdKG(t *testing.T) {
	c := newCold(t)
	c.renames(t, "99002")
	o := Options{KGs: []austria.KGCode{"99002"}}
	passes := func() {
		t.Helper()
		was := c.read(t).Pointer.Generation
		if _, same, err := c.outcome(t, o); err != nil || !same || c.read(t).Pointer.Generation == was {
			t.Errorf("the cold KG as it was %t, %v", same, err)
		}
		intact(t, c.store)
	}
	passes()

	c = newCold(t)
	c.renames(t, "99002")
	sourcetest.File(t, c.dir, "source.json", `{"stichtag":"2027-04-01","attribution":"© BEV, 2027"}`)
	passes() // of the same data at a later date

	c = newCold(t)
	c.renames(t, "99001")
	c.renames(t, "99002")
	fails := func(words ...string) {
		t.Helper()
		_, _, err := c.outcome(t, o)
		if err == nil || c.read(t).Pointer.Generation != c.live.Pointer.Generation {
			t.Fatalf("%v, served is %s", err, c.read(t).Pointer.Generation)
		}
		for _, w := range words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("want %q in %v", w, err)
			}
		}
	}
	fails("KG 99001", "not in the store", "no research repository", "other data of KG 99001", "`restore 99001`", "`build --kg 99001`")
	o.Restore = func(context.Context, manifest.Entry) error { return errors.New("no such record") }
	fails("KG 99001", "not in the store", "research repository", "no such record", "`build --kg 99001`")
	c.put(t, c.body[:20])
	fails("KG 99001", "damaged", "delete the object", "`restore 99001`")
	c.put(t, nil)
	o.Restore = c.restore
	passes()
}

// A build of the cold KG itself is compared with what is served: that is brought back, or the build says so and changes nothing of it,
// unless the operator has looked.
func TestDrillABuildOfAColdKG(t *testing.T) {
	says := func(t *testing.T, r kgbuild.Result, same bool, words ...string) {
		t.Helper()
		if r.Outcome != kgbuild.Failed || !same {
			t.Fatalf("%s, as it was %t", r.Outcome, same)
		}
		for _, w := range words {
			if !strings.Contains(r.Err.Error(), w) {
				t.Errorf("want %q in %v", w, r.Err)
			}
		}
	}
	damage := func(c *cold) []byte {
		b := bytes.Clone(c.body)
		b[len(b)/2] ^= 1
		return b
	}
	t.Run("nobody has it", func(t *testing.T) {
		c := newCold(t)
		c.renames(t, "99001")
		r, same, _ := c.outcome(t, Options{})
		says(t, r, same, "KG 99001", "`restore 99001`", "--accept-losses")
		r, same, _ = c.outcome(t, Options{Restore: func(context.Context, manifest.Entry) error { return errors.New("no such record") }})
		says(t, r, same, "research repository", "no such record")
		if r, same, err := c.outcome(t, Options{Accept: true}); r.Outcome != kgbuild.Built || same || err != nil {
			t.Errorf("accepted: %s %v, %v", r.Outcome, r.Err, err)
		}
	})
	t.Run("it is brought back", func(t *testing.T) {
		c := newCold(t)
		c.renames(t, "99001")
		if r, same, err := c.outcome(t, Options{Restore: c.restore}); r.Outcome != kgbuild.Built || same || err != nil {
			t.Errorf("%s %v", r.Outcome, r.Err)
		}
	})
	t.Run("damaged", func(t *testing.T) {
		c := newCold(t)
		c.put(t, damage(c))
		c.renames(t, "99001")
		r, same, _ := c.outcome(t, Options{})
		says(t, r, same, "KG 99001", "damaged", "delete "+c.was.Forms.KGS.Key, "`restore 99001`")
	})
	t.Run("cut short", func(t *testing.T) {
		c := newCold(t)
		c.put(t, c.body[:20])
		r, same, _ := c.outcome(t, Options{})
		says(t, r, same, "KG 99001", c.was.Forms.KGS.Key+" is damaged: delete it and build the KG again")
		c.put(t, nil)
		if r, same, err := c.outcome(t, Options{}); err != nil || r.Outcome != kgbuild.Built || !same {
			t.Errorf("deleted and built again: %s %v", r.Outcome, r.Err)
		}
		intact(t, c.store)
	})
}
