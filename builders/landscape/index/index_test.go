package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/sectionfile"
	"mappe/builders/national"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// country is two KGs, of which the second is processed.
func country(t *testing.T) (store.Store, *register.Register, Files) {
	t.Helper()
	st, reg := published(t, kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 1, AreaKm2: 1}),
		kgtest.Snapshot(kgtest.Options{Code: "99002", Parcels: 20, Segments: 1, AreaKm2: 1, East: 200_000}))
	return st, reg, Files{"99002": {Key: put(t, st, "99002", reg, 3)}}
}

// published is a store that serves some KGs, and their register.
func published(t testing.TB, list ...*kgfile.Snapshot) (store.Store, *register.Register) {
	t.Helper()
	st := mem.New()
	if _, err := national.PublishSnapshots(t.Context(), st, list...); err != nil {
		t.Fatal(err)
	}
	live, err := national.ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, err := objects.Read(t.Context(), st, live.Pointer.Register)
	if err != nil {
		t.Fatal(err)
	}
	reg, err := register.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return st, reg
}

func put(t *testing.T, st store.Store, code austria.KGCode, reg *register.Register, buildings int) string {
	t.Helper()
	box := reg.KG(code).Box
	return stored(t, st, landtest.Options{Code: code, Box: box, Parcels: map[string]geom.Point{"1": box.Center(), "2/1": box.Center()},
		Buildings: buildings, Trees: 1200, Samples: 3})
}

// stored is the key of the file of a processed KG.
func stored(t testing.TB, st store.Store, o landtest.Options) string {
	t.Helper()
	body, err := landscape.Encode(landtest.KG(o))
	if err != nil {
		t.Fatal(err)
	}
	key := keys.Landscape{Code: o.Code, Date: "2026-10-01", Sum: keys.Sum(body)}
	if err := objects.Put(t.Context(), st, key, body); err != nil {
		t.Fatal(err)
	}
	return key.String()
}

func TestPublish(t *testing.T) {
	st, reg, files := country(t)
	done, made, err := Publish(t.Context(), st, files, Changed, nil)
	if err != nil || !done.Changed || len(made.Unread) != 0 || made.Read != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	live, err := national.ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	o := live.Pointer.Artefacts[landscape.Artefact]
	entries, err := Served(t.Context(), st, o)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	plain, found := entries[0], entries[1]
	if plain.Processed || plain.ParcelCount != 20 || plain.File != "" || plain.SlopeMean == plain.SlopeMean {
		t.Errorf("%+v", plain)
	}
	if !found.Processed || found.File != files["99002"].Key || found.KGName != reg.KG("99002").Name || found.ParcelCount != 20 ||
		found.TreeCount != 1200 || found.QualityGrade == "" || len(found.Landcover) == 0 {
		t.Errorf("%+v", found)
	}
	b, err := objects.Read(t.Context(), st, o.Key)
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		i, ok := f.Find(name)
		if !ok {
			t.Fatalf("no section %s", name)
		}
		body, err := f.Section(i)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	if top, _, err := landscape.TopTrees.Decode(read("top-trees")); err != nil || len(top) != landscape.Tops ||
		top[0].Item.Height < top[999].Item.Height || top[0].KG != "99002" {
		t.Errorf("%d trees, %v", len(top), err)
	}
	if list, _, err := landscape.Built.Decode(read("buildings-99002")); err != nil || len(list) != 3 {
		t.Errorf("%d buildings, %v", len(list), err)
	}
	ranges, _, err := landscape.DecodeRanges(landscape.Built, read("ranges-buildings"))
	if err != nil || len(ranges) != 1 || ranges[0].Rows != 3 || ranges[0].Bounds[0] != [2]float64{4, 6} {
		t.Errorf("%+v, %v", ranges, err)
	}
	// The same files publish nothing; another file is another index.
	if done, _, err := Publish(t.Context(), st, files, Changed, nil); err != nil || done.Changed {
		t.Errorf("%+v, %v", done, err)
	}
	files["99001"] = File{Key: put(t, st, "99001", reg, 5), JSONURL: "https://r.example/1", LightURL: "https://r.example/2",
		FullURL: "https://r.example/3"}
	if done, _, err := Publish(t.Context(), st, files, Changed, nil); err != nil || !done.Changed {
		t.Errorf("%+v, %v", done, err)
	}
	if live, err = national.ReadLive(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	entries, err = Served(t.Context(), st, live.Pointer.Artefacts[landscape.Artefact])
	if err != nil || entries[0].JSONURL != "https://r.example/1" || entries[0].LightURL != "https://r.example/2" ||
		entries[0].FullURL != "https://r.example/3" ||
		entries[1].FullURL != "" {
		t.Errorf("addresses of products: %+v, %v", entries[0].Record, err)
	}
}

// many is a country of eight KGs, of which none is processed.
func many(t testing.TB) (store.Store, *register.Register) {
	t.Helper()
	var list []*kgfile.Snapshot
	for i := range 8 {
		list = append(list, kgtest.Snapshot(kgtest.Options{Code: austria.KGCode(fmt.Sprintf("9900%d", i+1)), Parcels: 20, Segments: 1,
			AreaKm2: 1, East: int32(i) * 200_000}))
	}
	return published(t, list...)
}

// An index that takes over what an earlier one has of unchanged KGs is, byte by byte, the one that all files give, whatever KGs come,
// change, go or lose their file meanwhile; and it reads the files of the changed ones alone, but where so many of the first things of
// the country are gone that the next ones have to be looked for.
func TestOfAnEarlierIndex(t *testing.T) {
	st, reg := many(t)
	rnd := rand.New(rand.NewPCG(3, 1))
	files := Files{}
	var earlier manifest.Object
	states := map[string][]byte{} // of the indexes, by key
	again, whole := 0, 0
	for round := range 36 {
		changed := map[austria.KGCode]bool{}
		for range 1 + rnd.IntN(2) {
			code := reg.KGs()[rnd.IntN(8)].Code
			changed[code] = true
			switch f := files[code]; {
			case f.Key != "" && (rnd.IntN(4) == 0 || round%12 > 6): // there are rounds in which they only go
				delete(files, code)
			case f.Key != "" && rnd.IntN(4) == 0:
				f.FullURL = fmt.Sprintf("https://r.example/%d", round)
				files[code] = f
				changed[code] = false
			case f.Key != "" && rnd.IntN(5) == 0:
				if err := st.Delete(t.Context(), f.Key); err != nil {
					t.Fatal(err)
				}
			case round%12 < 7:
				files[code] = File{Key: seeded(t, st, reg.KG(code), uint64(round), 600)}
			}
		}
		want, err := Build(t.Context(), st, Country{reg, files, manifest.Object{}, 2})
		if err != nil {
			t.Fatal(err)
		}
		// The state that lies there is now that of want: that of the earlier index is put back.
		if earlier.Key != "" {
			if _, err := st.Put(t.Context(), stateKey, states[earlier.Key], store.PutOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := Build(t.Context(), st, Country{reg, files, earlier, 2})
		if err != nil {
			t.Fatal(err)
		}
		if got.Object != want.Object || len(got.Unread) != len(want.Unread) {
			t.Fatalf("round %d: of the earlier index %+v, of all files %+v", round, got, want)
		}
		most := 0
		for code, c := range changed {
			if _, ok := files[code]; ok && c {
				most++
			}
		}
		switch {
		case got.Read > most && got.Read == want.Read:
			whole++
		case got.Read <= most:
			again++
		default:
			t.Errorf("round %d: %d files were read of %d changed ones", round, got.Read, most)
		}
		earlier = got.Object
		if states[earlier.Key], err = objects.Read(t.Context(), st, stateKey); err != nil {
			t.Fatal(err)
		}
		for code, f := range files { // as the processor does with files that it cannot read
			if _, err := st.Head(t.Context(), f.Key); err != nil {
				delete(files, code)
			}
		}
	}
	if t.Logf("%d of the earlier one, %d whole", again, whole); again < 12 || whole < 1 {
		t.Errorf("%d indexes of the earlier one, %d whole: the test does not try both", again, whole)
	}
}

// seeded is the file of a KG with so many trees of its own.
func seeded(t testing.TB, st store.Store, k *register.KG, seed uint64, trees int) string {
	t.Helper()
	return stored(t, st, landtest.Options{Code: k.Code, Box: k.Box, Buildings: int(seed % 3), Trees: trees, Samples: 2, Seed: seed,
		Parcels: map[string]geom.Point{"1": k.Box.Center()}})
}

// A state that is lost, damaged, of another index or of other rules, and an earlier index that is gone, cost time and nothing else.
func TestNoEarlierIndex(t *testing.T) {
	st, reg, files := country(t)
	first, err := Build(t.Context(), st, Country{reg, files, manifest.Object{}, 1})
	if err != nil {
		t.Fatal(err)
	}
	state, err := objects.Read(t.Context(), st, stateKey)
	if err != nil {
		t.Fatal(err)
	}
	files["99001"] = File{Key: put(t, st, "99001", reg, 5)}
	want, err := Build(t.Context(), st, Country{reg, files, manifest.Object{}, 1})
	if err != nil {
		t.Fatal(err)
	}
	other, err := objects.Read(t.Context(), st, stateKey)
	if err != nil {
		t.Fatal(err)
	}
	gone := first.Object
	gone.Key = "national/landscape-index-0123456789abcdef.parts"
	for _, c := range []struct {
		name    string
		earlier manifest.Object
		state   []byte
		read    int
	}{
		{"as it was left", first.Object, state, 1},
		{"no state", first.Object, nil, 2},
		{"a damaged state", first.Object, slices.Concat(state[:len(state)/2], []byte{1}, state[len(state)/2+1:]), 2},
		{"the state of another index", first.Object, other, 2},
		{"an index that is gone", gone, state, 2},
	} {
		err := st.Delete(t.Context(), stateKey)
		if c.state != nil {
			_, err = st.Put(t.Context(), stateKey, c.state, store.PutOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := Build(t.Context(), st, Country{reg, files, c.earlier, 1})
		if err != nil || got.Object != want.Object || got.Read != c.read {
			t.Errorf("%s: %+v, %v; want %+v with %d read", c.name, got, err, want, c.read)
		}
	}
}

func TestRefusals(t *testing.T) {
	st, reg, files := country(t)
	if _, err := Build(t.Context(), st, Country{reg, Files{"12345": files["99002"]}, manifest.Object{}, 1}); err == nil {
		t.Error("a KG that the register does not have: no error")
	}
	if _, _, err := Publish(t.Context(), mem.New(), nil, Changed, nil); err == nil {
		t.Error("an index of nothing is published")
	}
}

// One file that cannot be read is named and keeps no other KG out; a store that gives no answer is an error.
func TestUnreadFiles(t *testing.T) {
	st, reg, files := country(t)
	damaged := put(t, st, "99001", reg, 4)
	if _, err := st.Put(t.Context(), damaged, []byte("damaged"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]File{"the file of another KG": files["99002"], "a damaged file": {Key: damaged},
		"a file that is not there": {Key: "landscape/99001/99001-2026-10-01-0123456789abcdef.parts"}} {
		m, err := Build(t.Context(), st, Country{reg, Files{"99001": f, "99002": files["99002"]}, manifest.Object{}, 2})
		if err != nil || len(m.Unread) != 1 || m.Unread[0].KG != "99001" || !errors.Is(m.Unread[0].Err, ErrUnreadable) {
			t.Fatalf("%s: %+v, %v", name, m, err)
		}
		entries, err := Served(t.Context(), st, m.Object)
		if err != nil || len(entries) != 2 || entries[0].Processed || entries[0].File != "" || entries[0].ParcelCount != 20 ||
			!entries[1].Processed {
			t.Errorf("%s: %+v, %v", name, entries, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, st, Country{reg, files, manifest.Object{}, 1}); err == nil {
		t.Error("a store without an answer: no error")
	}
}

// The files that a kept index names are kept, others go.
func TestPruningKeepsFiles(t *testing.T) {
	st, reg, files := country(t)
	if _, _, err := Publish(t.Context(), st, files, Changed, nil); err != nil {
		t.Fatal(err)
	}
	stray := put(t, st, "99001", reg, 9)
	later := func() time.Time { return time.Now().Add(100 * 24 * time.Hour) }
	if _, err := national.Prune(t.Context(), st, national.PruneOptions{Now: later}); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Head(t.Context(), files["99002"].Key); err != nil {
		t.Errorf("a file that is served: %v", err)
	}
	if _, err := st.Head(t.Context(), stray); err == nil {
		t.Error("a file that no index names is kept")
	}
}

// BenchmarkBuild makes the index of eight KGs with 20,000 trees each: of all files, and where one has changed since the earlier one.
func BenchmarkBuild(b *testing.B) {
	st, reg := many(b)
	files := Files{}
	for i, k := range reg.KGs() {
		files[k.Code] = File{Key: seeded(b, st, reg.KG(k.Code), uint64(i), 20_000)}
	}
	earlier, err := Build(b.Context(), st, Country{reg, files, manifest.Object{}, 2})
	if err != nil {
		b.Fatal(err)
	}
	state, err := objects.Read(b.Context(), st, stateKey)
	if err != nil {
		b.Fatal(err)
	}
	files["99001"] = File{Key: seeded(b, st, reg.KG("99001"), 99, 20_000)}
	for name, o := range map[string]manifest.Object{"all": {}, "one": earlier.Object} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := st.Put(b.Context(), stateKey, state, store.PutOptions{}); err != nil {
					b.Fatal(err)
				}
				if m, err := Build(b.Context(), st, Country{reg, files, o, 2}); err != nil || name == "one" && m.Read != 1 {
					b.Fatal(m, err)
				}
			}
		})
	}
}
