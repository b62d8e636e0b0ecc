package library

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mappe/artefacts/availability"
	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/geo/geom"
)

const (
	warm = austria.KGCode("99001")
	twin = austria.KGCode("99002") // elsewhere, warm
	cold = austria.KGCode("99003")

	beside = austria.KGCode("99004") // cold too, borders on cold
)

// The compressors' channels are made on first use and must not belong to one test's bubble.
func TestMain(m *testing.M) {
	b, err := kgfile.Encode(kgtest.Snapshot(kgtest.Options{Parcels: 60, Segments: 2, AreaKm2: 1}))
	if err == nil {
		_, err = kgfile.Open(b)
	}
	if err == nil { // the two have a compressor each
		_, err = register.Encode(&register.Contents{Attribution: "a text long enough to be compressed"})
	}
	if err != nil {
		panic(err)
	}
	m.Run()
}

// publish writes a generation of two warm KGs and a cold one.
func publish(t testing.TB, s store.Store, seed uint64) {
	t.Helper()
	put := func(key string, b []byte, opt store.PutOptions) {
		if _, err := s.Put(t.Context(), key, b, opt); err != nil {
			t.Fatal(err)
		}
	}
	c := &register.Contents{Stichtag: "2026-10-01", Attribution: "© BEV, 2026", ToleranceM: 2}
	for i, code := range []austria.KGCode{warm, twin} {
		snap := kgtest.Snapshot(kgtest.Options{Code: code, Parcels: 60, Segments: 2, AreaKm2: 1, Seed: seed + uint64(i)})
		b, err := kgfile.Encode(snap)
		if err != nil {
			t.Fatal(err)
		}
		k := register.KG{KG: snap.KG, DistrictCode: "399", Outline: snap.Outline}
		if i == 1 {
			k.Outline = nil // far away as the register knows it
			k.Box = geom.Box{}
		}
		sum := sha256.Sum256(b)
		key := keys.Snapshot{Code: code, Date: "2026-10-01", Sum: keys.Sum(b), Form: keys.KGS}.String()
		k.Snapshot = register.Object{Key: key, Date: "2026-10-01", Bytes: int64(len(b)), SHA256: sum}
		put(key, b, store.PutOptions{Immutable: true})
		c.KGs = append(c.KGs, k)
	}
	far := geom.Ring{{X: 100_000_000, Y: 470_000_000}, {X: 100_100_000, Y: 470_000_000}, {X: 100_100_000, Y: 470_100_000}}
	c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: cold, Box: far.Bounds()}, Outline: geom.MultiPolygon{{far}}})
	next := geom.Ring{{X: 100_100_000, Y: 470_000_000}, {X: 100_200_000, Y: 470_000_000}, {X: 100_100_000, Y: 470_100_000}}
	c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: beside, Box: next.Bounds()}, Outline: geom.MultiPolygon{{next}}})
	b, err := register.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	key := keys.Register{Sum: keys.Sum(b)}.String()
	put(key, b, store.PutOptions{Immutable: true})
	sum := sha256.Sum256(b)
	m, err := manifest.Encode(manifest.Manifest{Format: 1, Stichtag: "2026-10-01", KGCount: 3,
		Register: manifest.Object{Key: key, Bytes: int64(len(b)), SHA256: hex.EncodeToString(sum[:])}})
	if err != nil {
		t.Fatal(err)
	}
	gen := keys.Sum(m)
	put(keys.Manifest{Generation: gen}.String(), m, store.PutOptions{Immutable: true})
	p, err := manifest.Encode(manifest.Pointer{Format: 1, Generation: gen, Manifest: keys.Manifest{Generation: gen}.String(),
		Register: key, RegisterSHA256: hex.EncodeToString(sum[:]), KGCount: 3})
	if err != nil {
		t.Fatal(err)
	}
	put(keys.Current{}.String(), p, store.PutOptions{})
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestReadsAnAnswerCosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &storetest.Counting{Store: mem.New()}
		publish(t, s, 1)
		s.Reset()
		ctx := t.Context()
		l := must[*Library](t)(Open(ctx, s, Options{Refresh: time.Minute}))
		want := func(what string, gets int64) {
			t.Helper()
			synctest.Wait()
			if r := s.Reads(); r.Gets != gets || r.Heads+r.Lists != 0 {
				t.Errorf("%s: want %d reads, got %+v", what, gets, r)
			}
			s.Reset()
		}
		want("open", 2)
		v := must[*View](t)(l.View(ctx))
		f := must[*kgfile.File](t)(v.KG(ctx, warm))
		want("cold answer", 1)
		if f.KG().Code != warm || f.NumParcels() != 60 {
			t.Errorf("got KG %s of %d parcels", f.KG().Code, f.NumParcels())
		}
		if g := must[*kgfile.File](t)(must[*View](t)(l.View(ctx)).KG(ctx, warm)); g != f {
			t.Error("a warm answer opened the file again")
		}
		want("warm answer", 0)
		time.Sleep(59 * time.Second)
		must[*View](t)(l.View(ctx))
		want("before Refresh has passed", 0)
		time.Sleep(2 * time.Second)
		v = must[*View](t)(l.View(ctx))
		must[*kgfile.File](t)(v.KG(ctx, twin))
		want("cold answer with a look at the pointer", 2)
		must[*kgfile.File](t)(v.KG(ctx, twin))
		want("warm answer after it", 0)
		if st := l.Stats(); st.Hits != 2 || st.Misses != 2 || st.Entries != 2 || st.Loads != 2 || st.Bytes < 2*int64(f.Size()) {
			t.Errorf("stats: %+v", st)
		}
	})
}

func TestViewPinsItsGeneration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := mem.New()
		publish(t, s, 1)
		ctx := t.Context()
		l := must[*Library](t)(Open(ctx, s, Options{Refresh: time.Second}))
		old := must[*View](t)(l.View(ctx))
		publish(t, s, 2)
		time.Sleep(59 * time.Second)
		if v := must[*View](t)(l.View(ctx)); v.Generation() != old.Generation() {
			t.Error("a request waited for the pointer")
		}
		synctest.Wait()
		now := must[*View](t)(l.View(ctx))
		if now.Generation() == old.Generation() {
			t.Errorf("generations: old %s, now %s", old.Generation(), now.Generation())
		}
		if a, b := must[*kgfile.File](t)(old.KG(ctx, warm)), must[*kgfile.File](t)(now.KG(ctx, warm)); a == b {
			t.Error("two generations give one file")
		}
		if old.Register() == now.Register() {
			t.Error("two generations share a register")
		}
		synctest.Wait()
	})
}

// After idle time the first answer is of the current data, and an error where nobody can say what that is.
func TestNothingOlderThanAMinuteIsServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &gate{Store: mem.New(), open: make(chan struct{})}
		close(s.open)
		publish(t, s, 1)
		ctx := t.Context()
		l := must[*Library](t)(Open(ctx, s, Options{}))
		first := must[*View](t)(l.View(ctx)).Generation()
		publish(t, s, 2)
		time.Sleep(61 * time.Second)
		if v := must[*View](t)(l.View(ctx)); v.Generation() == first {
			t.Error("after a minute of idleness the old generation was served")
		}
		s.fail.Store(true)
		time.Sleep(50 * time.Second)
		must[*View](t)(l.View(ctx))
		synctest.Wait()
		time.Sleep(11 * time.Second)
		if _, err := l.View(ctx); !errors.Is(err, ErrStore) {
			t.Errorf("a store that is silent for a minute: want ErrStore, got %v", err)
		}
		s.fail.Store(false)
		must[*View](t)(l.View(ctx))
		synctest.Wait()
	})
}

// A walk goes on in the generation it began in: from memory, or read anew by another process.
// TestASilentStoreIsAskedAgain: a library is opened over a store that gives no answer, and reads as soon as it gives one.
func TestASilentStoreIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &gate{Store: mem.New(), open: make(chan struct{})}
		close(s.open)
		publish(t, s, 1)
		s.fail.Store(true)
		ctx := t.Context()
		if _, err := Open(ctx, s, Options{}); !errors.Is(err, ErrStore) {
			t.Errorf("without OpenWithin: want ErrStore, got %v", err)
		}
		l := must[*Library](t)(Open(ctx, s, Options{OpenWithin: time.Second}))
		if _, err := l.View(ctx); !errors.Is(err, ErrStore) {
			t.Errorf("want ErrStore of a store that is silent, got %v", err)
		}
		if _, err := l.ViewOf(ctx, "0123456789abcdef"); !errors.Is(err, ErrStore) {
			t.Errorf("a former generation: want ErrStore, got %v", err)
		}
		if got := l.Stats(); got.Generation != "" || !errors.Is(got.RefreshErr, ErrStore) {
			t.Errorf("want no generation and the reason, got %+v", got)
		}
		s.fail.Store(false)
		v := must[*View](t)(l.View(ctx))
		if got := l.Stats(); got.Generation != v.Generation() || got.RefreshErr != nil {
			t.Errorf("want generation %s, got %+v", v.Generation(), got)
		}
		publish(t, s, 2)
		if err := l.Refresh(ctx); err != nil || must[*View](t)(l.View(ctx)).Generation() == v.Generation() {
			t.Errorf("want the next generation, got %v", err)
		}
		must[*View](t)(l.ViewOf(ctx, v.Generation()))
		if _, err := Open(ctx, mem.New(), Options{OpenWithin: time.Second}); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a store that answers that there is nothing: want the answer, got %v", err)
		}
		synctest.Wait()
	})
}

func TestViewOfAFormerGeneration(t *testing.T) {
	s := &storetest.Counting{Store: mem.New()}
	publish(t, s, 1)
	ctx := t.Context()
	l := must[*Library](t)(Open(ctx, s, Options{}))
	old := must[*View](t)(l.View(ctx))
	key := old.Register().KG(warm).Snapshot.Key
	publish(t, s, 2)
	if err := l.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	for name, reads := range map[*Library]int64{l: 0, must[*Library](t)(Open(ctx, s, Options{})): 2} {
		for range 2 {
			s.Reset()
			v := must[*View](t)(name.ViewOf(ctx, old.Generation()))
			if got := v.Register().KG(warm).Snapshot.Key; got != key || v.Generation() != old.Generation() {
				t.Errorf("want the snapshot %s, got %s of %s", key, got, v.Generation())
			}
			if r := s.Reads(); r.Gets != reads {
				t.Errorf("want %d reads, got %+v", reads, r)
			}
			reads = 0
		}
	}
	for _, id := range []string{"0123456789abcdef", "", "../current", strings.Repeat("g", 16)} {
		if _, err := l.ViewOf(ctx, id); !errors.Is(err, ErrGone) {
			t.Errorf("generation %q: want ErrGone, got %v", id, err)
		}
	}
	put := []byte(`{"format":1}`)
	if _, err := s.Put(ctx, "manifests/0123456789abcdef.json", put, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.ViewOf(ctx, "0123456789abcdef"); err == nil || errors.Is(err, ErrGone) {
		t.Errorf("a manifest of other bytes: want an error, got %v", err)
	}
}

// What an answer depends on changes with the KGs it is about alone.
func TestDependsOnTheKGsNamed(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	ctx := t.Context()
	l := must[*Library](t)(Open(ctx, s, Options{}))
	a := must[*View](t)(l.View(ctx))
	// Only the warm KG is the same in the next generation: twin takes its seed from it.
	publish(t, s, 2)
	if err := l.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	b := must[*View](t)(l.View(ctx))
	for name, c := range map[string]struct {
		codes []austria.KGCode
		same  bool
	}{
		"a KG that was published anew": {[]austria.KGCode{warm}, false},
		"cold ones":                    {[]austria.KGCode{cold, beside}, true},
		"nothing":                      {nil, true},
		"one of both":                  {[]austria.KGCode{cold, warm}, false},
		"no such KG":                   {[]austria.KGCode{"00001"}, true},
	} {
		if got := a.Depends(c.codes) == b.Depends(c.codes); got != c.same {
			t.Errorf("%s: same is %v, want %v", name, got, c.same)
		}
	}
	if a.Depends([]austria.KGCode{warm, twin}) == a.Depends([]austria.KGCode{warm}) ||
		a.Depends([]austria.KGCode{cold}) == a.Depends([]austria.KGCode{beside}) {
		t.Error("different KGs make one state")
	}
}

func TestMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &storetest.Counting{Store: mem.New()}
		publish(t, s, 1)
		ctx := t.Context()
		var asked []austria.KGCode
		l := must[*Library](t)(Open(ctx, s, Options{Warmup: func(c austria.KGCode) { asked = append(asked, c) }}))
		v := must[*View](t)(l.View(ctx))
		all := []austria.KGCode{warm, twin, cold}
		missing := func(heads int64, want ...austria.KGCode) {
			t.Helper()
			s.Reset()
			got := must[[]austria.KGCode](t)(v.Missing(ctx, all))
			if r := s.Reads(); !slices.Equal(got, want) || r.Heads != heads || r.Gets != 0 {
				t.Errorf("want %v with %d questions, got %v with %+v", want, heads, got, r)
			}
		}
		missing(2, cold)
		missing(0, cold)
		if err := s.Delete(ctx, v.Register().KG(twin).Snapshot.Key); err != nil {
			t.Fatal(err)
		}
		time.Sleep(61 * time.Second)
		missing(2, twin, cold)
		must[*kgfile.File](t)(v.KG(ctx, warm))
		time.Sleep(2 * time.Minute)
		missing(1, twin, cold) // warm is in memory
		if !slices.Contains(asked, twin) {
			t.Errorf("warm-ups: %v", asked)
		}
	})
}

// For many KGs the index of evicted files is read, once a minute, and the store is asked only for those that it names.
func TestMissingOfMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &storetest.Counting{Store: mem.New()}
		publish(t, s, 1)
		ctx := t.Context()
		v := must[*View](t)(must[*Library](t)(Open(ctx, s, Options{})).View(ctx))
		many := slices.Repeat([]austria.KGCode{warm, twin}, 5)
		key := keys.Availability{}.String()
		of := func(code austria.KGCode) availability.Evicted {
			sum := v.Register().KG(code).Snapshot.SHA256
			return availability.Evicted{Code: code, Sum: hex.EncodeToString(sum[:]), Bytes: 1}
		}
		write := func(body []byte) {
			t.Helper()
			if _, err := s.Put(ctx, key, body, store.PutOptions{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(61 * time.Second)
		}
		missing := func(gets, heads int64, want ...austria.KGCode) {
			t.Helper()
			s.Reset()
			got := must[[]austria.KGCode](t)(v.Missing(ctx, many))
			if r := s.Reads(); !slices.Equal(got, slices.Repeat(want, 5)) || r.Gets != gets || r.Heads != heads {
				t.Errorf("want %v by %d reads and %d questions, got %v by %+v", want, gets, heads, got, r)
			}
		}
		missing(1, 0) // there is no index: nothing was evicted
		missing(0, 0)
		write(must[[]byte](t)(manifest.Encode(availability.Index{Format: availability.Format}.With(of(twin)))))
		missing(1, 5) // it is on its way out, and still there
		if err := s.Delete(ctx, v.Register().KG(twin).Snapshot.Key); err != nil {
			t.Fatal(err)
		}
		time.Sleep(61 * time.Second)
		missing(1, 5, twin)
		write([]byte("{"))
		missing(1, 10, twin) // each is asked for
		if err := s.Delete(ctx, key); err != nil {
			t.Fatal(err)
		}
		time.Sleep(61 * time.Second)
		missing(1, 0) // lost, and in no index
		if _, err := v.KG(ctx, twin); !errors.Is(err, ErrCold) {
			t.Fatal(err)
		}
		missing(0, 5, twin) // once it was noticed, every answer says so
	})
}

func TestColdAndUnknown(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	ctx := t.Context()
	var asked []austria.KGCode
	l := must[*Library](t)(Open(ctx, s, Options{Warmup: func(c austria.KGCode) { asked = append(asked, c) }}))
	v := must[*View](t)(l.View(ctx))
	if !v.Warm(warm) || v.Warm(cold) || v.Warm("00001") {
		t.Error("warm and cold are mixed up")
	}
	if _, err := v.KG(ctx, cold); !errors.Is(err, ErrCold) {
		t.Errorf("cold KG: %v", err)
	}
	if _, err := v.KG(ctx, "00001"); !errors.Is(err, ErrUnknownKG) {
		t.Errorf("unknown KG: %v", err)
	}
	if err := s.Delete(ctx, v.Register().KG(twin).Snapshot.Key); err != nil {
		t.Fatal(err)
	}
	if _, err := v.KG(ctx, twin); !errors.Is(err, ErrCold) {
		t.Errorf("KG evicted from the store: %v", err)
	}
	if want := []austria.KGCode{cold, twin}; !slices.Equal(asked, want) {
		t.Errorf("warm-ups: want %v, got %v", want, asked)
	}
	nobody := must[*Library](t)(Open(ctx, s, Options{}))
	if _, err := must[*View](t)(nobody.View(ctx)).KG(ctx, cold); !errors.Is(err, ErrCold) || nobody.Warms() || !l.Warms() {
		t.Errorf("where nobody is asked: %v; warms: %v, want false; %v, want true", err, nobody.Warms(), l.Warms())
	}
}

func TestOpenProvesTheRegister(t *testing.T) {
	s := mem.New()
	if _, err := Open(t.Context(), s, Options{}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("empty store: %v", err)
	}
	publish(t, s, 1)
	key := keys.Current{}.String()
	b := must[[]byte](t)(manifest.Encode(manifest.Pointer{Format: 1, Manifest: keys.Manifest{Generation: "0000000000000001"}.String(),
		Register: register0(t, s), RegisterSHA256: strings.Repeat("0", 64)}))
	if _, err := s.Put(t.Context(), key, b, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), s, Options{}); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("register that is not the pointer's: %v", err)
	}
}

func register0(t *testing.T, s store.Store) string {
	for info, err := range s.List(t.Context(), "register/") {
		if err != nil {
			t.Fatal(err)
		}
		return info.Key
	}
	t.Fatal("no register was published")
	return ""
}

func TestWrongKGInAnObject(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	ctx := t.Context()
	l := must[*Library](t)(Open(ctx, s, Options{}))
	v := must[*View](t)(l.View(ctx))
	a, b := v.Register().KG(warm).Snapshot.Key, v.Register().KG(twin).Snapshot.Key
	obj := must[*store.Object](t)(s.Get(ctx, b, store.GetOptions{}))
	body := make([]byte, obj.Size)
	if _, err := obj.Body.Read(body); err != nil {
		t.Fatal(err)
	}
	v.Register().KG(warm).Snapshot.Bytes = obj.Size
	if _, err := s.Put(ctx, a, body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := v.KG(ctx, warm); err == nil || !strings.Contains(err.Error(), "holds KG 99002") {
		t.Errorf("want the swap noticed, got %v", err)
	}
}
