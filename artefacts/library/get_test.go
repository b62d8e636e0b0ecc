package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// words is the decoder of these tests: texts of words, each counted as ten bytes.
func words(decoded *atomic.Int64) Decoder[[]string] {
	return Decoder[[]string]{Limit: 1 << 20, Decode: func(body []byte) ([]string, int64, error) {
		decoded.Add(1)
		switch {
		case string(body) == "broken":
			return nil, 0, errors.New("these are no words")
		case string(body) == "panic":
			panic("index out of range")
		}
		all := strings.Fields(string(body))
		return all, int64(10 * len(all)), nil
	}}
}

// directoryOf writes a search directory and gives its key.
func directoryOf(t testing.TB, s store.Store, text string) keys.National {
	t.Helper()
	k := keys.National{Name: "search-names", Sum: keys.Sum([]byte(text)), Ext: "json"}
	if _, err := s.Put(t.Context(), k.String(), []byte(text), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	return k
}

func openView(t testing.TB, s store.Store, o Options) (*Library, *View) {
	t.Helper()
	l := must[*Library](t)(Open(t.Context(), s, o))
	return l, must[*View](t)(l.View(t.Context()))
}

func TestGetCostsOneRead(t *testing.T) {
	s := &storetest.Counting{Store: mem.New()}
	publish(t, s, 1)
	l, v := openView(t, s, Options{})
	key := directoryOf(t, s, "Gugging Kierling Klosterneuburg")
	var decoded atomic.Int64
	s.Reset()
	for range 3 {
		if got := must[[]string](t)(Get(t.Context(), v, key, words(&decoded))); len(got) != 3 || got[0] != "Gugging" {
			t.Errorf("got %q", got)
		}
	}
	if r := s.Reads(); r.Gets != 1 || r.Heads+r.Lists != 0 || decoded.Load() != 1 {
		t.Errorf("three answers: %+v, decoded %d times", r, decoded.Load())
	}
	if st := l.Stats(); st.Hits != 2 || st.Misses != 1 || st.Loads != 1 || st.Entries != 1 || st.Bytes != 30+entryBytes {
		t.Errorf("stats: %+v", st)
	}
}

func TestGetIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &gate{Store: mem.New(), open: make(chan struct{})}
		publish(t, s, 1)
		_, v := openView(t, s, Options{})
		key := directoryOf(t, s, "a b c")
		impatient, give := context.WithCancel(t.Context())
		var decoded, ok, gone atomic.Int64
		var wg sync.WaitGroup
		for i := range 50 {
			ctx := t.Context()
			if i == 0 { // the one that begins the read gives up
				ctx = impatient
			}
			wg.Go(func() {
				switch _, err := Get(ctx, v, key, words(&decoded)); {
				case err == nil:
					ok.Add(1)
				case errors.Is(err, context.Canceled):
					gone.Add(1)
				}
			})
			synctest.Wait()
		}
		give()
		synctest.Wait()
		close(s.open)
		wg.Wait()
		if s.gets.Load() != 1 || decoded.Load() != 1 || ok.Load() != 49 || gone.Load() != 1 {
			t.Errorf("%d reads, decoded %d times, %d answers, %d given up: want 1, 1, 49, 1", s.gets.Load(), decoded.Load(), ok.Load(),
				gone.Load())
		}
	})
}

func TestWhatGetAnswersWithoutAValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &gate{Store: mem.New(), open: make(chan struct{})}
		close(s.open)
		publish(t, s, 1)
		_, v := openView(t, s, Options{})
		other := directoryOf(t, s, "of these bytes")
		if _, err := s.Put(t.Context(), other.String(), []byte("of other bytes"), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			key  keys.Key
			want error
			kept bool // the object is not read again at once
		}{
			"no such object":     {keys.National{Name: "search-names", Sum: "0123456789abcdef", Ext: "json"}, ErrGone, false},
			"bytes of no name":   {other, ErrDamaged, true},
			"bytes of no words":  {directoryOf(t, s, "broken"), ErrDamaged, true},
			"a decoder's panic":  {directoryOf(t, s, "panic"), ErrDamaged, true},
			"larger than it may": {directoryOf(t, s, strings.Repeat("x", 1<<20+1)), ErrDamaged, true},
		} {
			var decoded atomic.Int64
			s.gets.Store(0)
			for range 3 {
				if got, err := Get(t.Context(), v, c.key, words(&decoded)); !errors.Is(err, c.want) || got != nil ||
					!strings.Contains(err.Error(), c.key.String()) {
					t.Errorf("%s: want %v, got %q, %v", name, c.want, got, err)
				}
			}
			if got := s.gets.Load(); (got == 1) != c.kept {
				t.Errorf("%s: three requests, %d reads", name, got)
			}
		}
		var decoded atomic.Int64
		good := directoryOf(t, s, "good words")
		s.fail.Store(true)
		if _, err := Get(t.Context(), v, good, words(&decoded)); !errors.Is(err, ErrStore) {
			t.Errorf("a silent store: %v", err)
		}
		s.fail.Store(false)
		must[[]string](t)(Get(t.Context(), v, good, words(&decoded)))
		// The object was mended.
		if _, err := s.Put(t.Context(), other.String(), []byte("of these bytes"), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(damagedFor)
		must[[]string](t)(Get(t.Context(), v, other, words(&decoded)))
	})
}

func TestGetRefusesWhatIsReplaced(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	_, v := openView(t, s, Options{})
	var decoded atomic.Int64
	if _, err := Get(t.Context(), v, keys.Current{}, words(&decoded)); err == nil {
		t.Error("the pointer would be kept for ever")
	}
	if _, err := v.Parts(t.Context(), keys.LatestIndex{}, overlay); err == nil {
		t.Error("the index of the latest files would be kept for ever")
	}
}

func TestAKeyHasOneDecoder(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	_, v := openView(t, s, Options{})
	key := directoryOf(t, s, "a b")
	var decoded atomic.Int64
	must[[]string](t)(Get(t.Context(), v, key, words(&decoded)))
	number := Decoder[int]{Limit: 100, Decode: func(b []byte) (int, int64, error) { return len(b), 8, nil }}
	if n, err := Get(t.Context(), v, key, number); err == nil || !strings.Contains(err.Error(), "[]string") {
		t.Errorf("got %d, %v", n, err)
	}
}

// KG files, objects and sections share one budget.
func TestOneBudgetForEverything(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	_, unbounded := openView(t, s, Options{})
	f := must[*kgfile.File](t)(unbounded.KG(t.Context(), warm))
	budget := f.Bytes() + 3*(10+entryBytes)
	l, v := openView(t, s, Options{BudgetBytes: budget})
	must[*kgfile.File](t)(v.KG(t.Context(), warm))
	var decoded atomic.Int64
	for i := range 3 {
		must[[]string](t)(Get(t.Context(), v, directoryOf(t, s, fmt.Sprint("word", i)), words(&decoded)))
	}
	if st := l.Stats(); st.Evictions != 0 || st.Entries != 4 || st.Bytes != budget {
		t.Fatalf("all of it fits: %+v", st)
	}
	must[[]string](t)(Get(t.Context(), v, directoryOf(t, s, "one more"), words(&decoded)))
	if st := l.Stats(); st.Evictions != 1 || st.Bytes > budget || l.cache.has(name{v.Register().KG(warm).Snapshot.Key, whole}) {
		t.Errorf("want the KG file evicted, which was used first: %+v", st)
	}
	big := Decoder[int]{Limit: 100, Decode: func(b []byte) (int, int64, error) { return len(b), budget, nil }}
	if n := must[int](t)(Get(t.Context(), v, directoryOf(t, s, "larger than all"), big)); n != len("larger than all") {
		t.Errorf("got %d", n)
	}
	if st := l.Stats(); st.Bytes > budget {
		t.Errorf("what is larger than the budget was kept: %+v", st)
	}
}

// publishArtefacts adds artefacts to what publish wrote: one of the country and one of a KG.
func publishArtefacts(t *testing.T, s store.Store, national, ofKG keys.Key) {
	t.Helper()
	object := func(k keys.Key) manifest.Object {
		return manifest.Object{Key: k.String(), SHA256: keys.ContentSum(k) + strings.Repeat("0", 48)}
	}
	form := object(keys.Snapshot{Code: warm, Date: "2026-10-01", Sum: "0123456789abcdef", Form: keys.KGS})
	p := must[manifest.Pointer](t)(manifest.ParsePointer(must[[]byte](t)(readBody(t, s, keys.Current{}.String()))))
	m := must[[]byte](t)(manifest.Encode(manifest.Manifest{
		Format: 1, Stichtag: "2026-10-01", KGCount: 3, Register: manifest.Object{Key: p.Register, SHA256: p.RegisterSHA256},
		Artefacts: manifest.Artefacts{"search-names": object(national)},
		KGs: []manifest.Entry{{Code: warm, Forms: manifest.Forms{KGS: form, GeoParquet: form, GeoJSON: form, GeoPackage: form,
			PMTiles: form}, Artefacts: manifest.Artefacts{"cells": object(ofKG)}}},
	}))
	sum := sha256.Sum256(m)
	p.Generation, p.ManifestSHA256 = keys.Sum(m), hex.EncodeToString(sum[:])
	p.Manifest, p.Artefacts = keys.Manifest{Generation: p.Generation}.String(), manifest.Artefacts{"search-names": object(national)}
	for key, b := range map[string][]byte{p.Manifest: m, keys.Current{}.String(): must[[]byte](t)(manifest.Encode(p))} {
		if _, err := s.Put(t.Context(), key, b, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func readBody(t *testing.T, s store.Store, key string) ([]byte, error) {
	b, _, err := store.ReadAll(t.Context(), s, key, 1<<20, store.GetOptions{})
	return b, err
}

// A generation's artefacts are found by their kinds: those of the country at once, those of KGs by its manifest.
func TestArtefactsByKind(t *testing.T) {
	s := &storetest.Counting{Store: mem.New()}
	publish(t, s, 1)
	key := directoryOf(t, s, "names")
	cells := keys.Cells{Code: warm, Date: "2026-10-01", Sum: "0123456789abcdef"}
	publishArtefacts(t, s, key, cells)
	l, v := openView(t, s, Options{})
	_, first := openView(t, s, Options{})
	former := must[*View](t)(first.l.ViewOf(t.Context(), v.Generation()))
	for name, v := range map[string]*View{"the pointer's": v, "one read by its manifest": former} {
		if k, ok := v.Artefact("search-names"); !ok || k != keys.Key(key) {
			t.Errorf("%s: %v, %v", name, k, ok)
		}
		if k, ok := v.Artefact("overlay-natura"); ok {
			t.Errorf("%s: a kind it does not have: %v", name, k)
		}
	}
	s.Reset()
	for _, c := range []struct {
		code  austria.KGCode
		kind  string
		want  keys.Key
		reads int64
	}{{warm, "cells", cells, 1}, {warm, "landscape", nil, 0}, {twin, "cells", nil, 0}, {warm, "cells", cells, 0}} {
		s.Reset()
		k, ok, err := v.ArtefactOf(t.Context(), c.code, c.kind)
		if err != nil || ok != (c.want != nil) || k != c.want || s.Reads().Gets != c.reads {
			t.Errorf("%s of %s: %v, %v, %v with %+v", c.kind, c.code, k, ok, err, s.Reads())
		}
	}
	if st := l.Stats(); st.Entries != 0 {
		t.Errorf("names are not kept in the cache: %+v", st)
	}
}
