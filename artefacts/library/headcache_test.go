package library

import (
	"bytes"
	"testing"

	"mappe/artefacts/headcache"
	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/toponyms"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// pointTo gives the published generation artefacts of the country.
func pointTo(t *testing.T, s store.Store, of map[string]keys.Key) {
	t.Helper()
	p := must[manifest.Pointer](t)(manifest.ParsePointer(must[[]byte](t)(readBody(t, s, keys.Current{}.String()))))
	p.Artefacts = manifest.Artefacts{}
	for kind, key := range of {
		p.Artefacts[kind] = manifest.Object{Key: key.String(),
			SHA256: keys.ContentSum(key) + "000000000000000000000000000000000000000000000000"}
	}
	if _, err := s.Put(t.Context(), keys.Current{}.String(), must[[]byte](t)(manifest.Encode(p)), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
}

// Fronts that a generation holds together take one read; where they are damaged, lost or of other objects, each object is
// read itself, and the answer is the same.
func TestFrontsTakeOneRead(t *testing.T) {
	dict := cellDict(t)
	for name, c := range map[string]struct {
		spoil func(map[string]headcache.Front, keys.National) []byte // the stored bytes instead; nil: lost
		gets  int64
	}{
		"whole": {nil, 1 + 1},                                                                   // the fronts, a section
		"lost":  {func(map[string]headcache.Front, keys.National) []byte { return nil }, 2 + 3}, // what is lost is looked for each time
		"damaged": {func(map[string]headcache.Front, keys.National) []byte {
			return []byte("no fronts")
		}, 1 + 3},
		"of objects of another length": {func(of map[string]headcache.Front, key keys.National) []byte {
			f := of[key.String()]
			f.Size++
			b, err := headcache.Encode(map[string]headcache.Front{key.String(): f, keys.CellDict{Sum: ne.DictID(dict)}.String(): {Size: 9,
				Bytes: []byte("other")}})
			if err != nil {
				t.Fatal(err)
			}
			return b
		}, 1 + 3},
	} {
		s := mem.New()
		publish(t, s, 1)
		key, bodies := partsOf(t, s, 1000, 2000)
		dictKey := keys.CellDict{Sum: ne.DictID(dict)}
		if _, err := s.Put(t.Context(), dictKey.String(), dict, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		file := must[[]byte](t)(readBody(t, s, key.String()))
		n, err := headcache.Length(key.String(), file, int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]headcache.Front{key.String(): {Size: int64(len(file)), Bytes: file[:n]},
			dictKey.String(): {Size: int64(len(dict)), Bytes: dict}}
		body := must[[]byte](t)(headcache.Encode(of))
		if c.spoil != nil {
			body = c.spoil(of, key)
		}
		frontsKey := keys.National{Name: headcache.Artefact, Sum: keys.Sum(body), Ext: "parts"}
		if body != nil {
			if _, err := s.Put(t.Context(), frontsKey.String(), body, store.PutOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		pointTo(t, s, map[string]keys.Key{toponyms.Artefact: key, ne.DictArtefact: dictKey, headcache.Artefact: frontsKey})
		counted := &storetest.Counting{Store: s}
		_, v := openView(t, counted, Options{})
		counted.Reset()
		for range 2 {
			p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
			got := must[[][]byte](t)(Sections(t.Context(), p, []int{1}, plain))
			d := must[*CellDict](t)(v.CellDict(t.Context(), ne.DictID(dict)))
			if !bytes.Equal(got[0], bodies[1]) || !bytes.Equal(d.Bytes, dict) {
				t.Errorf("%s: other bytes", name)
			}
		}
		if got := counted.Reads().Gets; got != c.gets {
			t.Errorf("%s: %d reads, expected %d", name, got, c.gets)
		}
	}
}

// An artefact whose front is held nowhere is opened without the fronts.
func TestOtherArtefactsNeedNoFronts(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	key, _ := partsOf(t, s, 10)
	pointTo(t, s, map[string]keys.Key{"search-names": key, headcache.Artefact: keys.National{Name: headcache.Artefact, Sum: "0123456789abcdef",
		Ext: "parts"}})
	counted := &storetest.Counting{Store: s}
	_, v := openView(t, counted, Options{})
	counted.Reset()
	must[*Parts](t)(v.Parts(t.Context(), key, overlay))
	if got := counted.Reads().Gets; got != 1 {
		t.Errorf("%d reads, expected 1", got)
	}
}
