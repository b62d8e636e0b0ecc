package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"mappe/artefacts/keys"
	"mappe/artefacts/sectionfile"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

var overlay = sectionfile.Family{'o', 'v', 'l', 'y'}

// noise has no repeats, so that it is stored as it is.
func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)}).Read(b) // never fails
	return b
}

// partsOf writes an artefact of sections of noise of the given lengths.
func partsOf(t testing.TB, s store.Store, lengths ...int) (key keys.National, bodies [][]byte) {
	t.Helper()
	key, bodies, err := writeParts(s, lengths)
	if err != nil {
		t.Fatal(err)
	}
	return key, bodies
}

func writeParts(s store.Store, lengths []int) (key keys.National, bodies [][]byte, err error) {
	var sections []sectionfile.Section
	for i, n := range lengths {
		bodies = append(bodies, noise(uint64(i), n))
		sections = append(sections, sectionfile.Section{Name: fmt.Sprintf("%06d", i), Body: bodies[i]})
	}
	b, err := sectionfile.Encode(overlay, nil, sections)
	key = keys.National{Name: "overlay-natura", Sum: keys.Sum(b), Ext: "parts"}
	if err == nil {
		_, err = s.Put(context.Background(), key.String(), b, store.PutOptions{})
	}
	return key, bodies, err
}

// plain is the bytes of a section.
func plain(_ int, body []byte) ([]byte, int64, error) { return body, int64(cap(body)), nil }

func TestReadsThatSectionsCost(t *testing.T) {
	s := &storetest.Counting{Store: mem.New()}
	publish(t, s, 1)
	key, bodies := partsOf(t, s, 1000, 2000, 3000, maxGap+1, 500, 0, 600)
	_, v := openView(t, s, Options{})
	s.Reset()
	p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
	for _, c := range []struct {
		what     string
		sections []int
		gets     int64
		bytes    int64
	}{
		{"none", nil, 1, frontGuess}, // the directory
		{"one", []int{0}, 1, 1000},
		{"one in memory", []int{0}, 0, 0},
		{"neighbours of it", []int{2, 1, 2}, 1, 5000},
		{"two with a gap that is too wide", []int{4, 2}, 1, 500},
		{"an empty one", []int{5}, 0, 0},
		{"all: what is left, on both sides of what is in memory", []int{0, 1, 2, 3, 4, 5, 6}, 1, maxGap + 1 + 500 + 600},
	} {
		got := must[[][]byte](t)(Sections(t.Context(), p, c.sections, plain))
		for k, i := range c.sections {
			if !bytes.Equal(got[k], bodies[i]) {
				t.Errorf("%s: section %d has %d bytes, want %d", c.what, i, len(got[k]), len(bodies[i]))
			}
		}
		if r := s.Reads(); r.Gets != c.gets || r.Bytes != c.bytes {
			t.Errorf("%s: want %d reads of %d bytes, got %+v", c.what, c.gets, c.bytes, r)
		}
		s.Reset()
	}
	must[*Parts](t)(v.Parts(t.Context(), key, overlay))
	if r := s.Reads(); r.Gets != 0 {
		t.Errorf("a directory in memory: %+v", r)
	}
}

// A value that keeps the bytes of its section keeps nothing else that was read with them.
func TestAValueKeepsNoNeighbours(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	key, _ := partsOf(t, s, 1000, 2000)
	_, v := openView(t, s, Options{})
	got := must[[][]byte](t)(Sections(t.Context(), must[*Parts](t)(v.Parts(t.Context(), key, overlay)), []int{0, 1}, plain))
	if cap(got[0]) >= 3000 {
		t.Errorf("a section of 1000 bytes keeps %d", cap(got[0]))
	}
}

func TestALargeDirectoryTakesTwoReads(t *testing.T) {
	s := &storetest.Counting{Store: mem.New()}
	publish(t, s, 1)
	key, bodies := partsOf(t, s, slices.Repeat([]int{7}, 20_000)...)
	_, v := openView(t, s, Options{})
	s.Reset()
	p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
	if r := s.Reads(); r.Gets != 2 || p.Len() != 20_000 {
		t.Errorf("%d sections, %+v", p.Len(), r)
	}
	if got := must[[][]byte](t)(Sections(t.Context(), p, []int{19_999}, plain)); !bytes.Equal(got[0], bodies[19_999]) {
		t.Error("the last section has other bytes")
	}
}

// Whatever sections are asked for, in whatever order: the values are theirs, no section is read twice, and the
// reads are as few as gaps and length of a run allow.
func TestAnySections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &storetest.Counting{Store: mem.New()}
		lengths := rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 100, 5000, 5000, maxGap, maxGap + 1}), 1, 8).Draw(t, "lengths")
		key, bodies, err := writeParts(s, lengths)
		if err != nil {
			t.Fatal(err)
		}
		l := &Library{store: s, opt: Options{}.withDefaults()}
		l.cache.init(1<<30, 16)
		v := &View{l, &generation{}}
		p, err := v.Parts(context.Background(), key, overlay)
		if err != nil {
			t.Fatal(err)
		}
		held := map[int]bool{}
		for range rapid.IntRange(1, 3).Draw(t, "requests") {
			ask := rapid.SliceOfN(rapid.IntRange(0, len(lengths)-1), 0, 15).Draw(t, "sections")
			s.Reset()
			got, err := Sections(context.Background(), p, ask, plain)
			if err != nil {
				t.Fatal(err)
			}
			for k, i := range ask {
				if !bytes.Equal(got[k], bodies[i]) {
					t.Fatalf("section %d has other bytes", i)
				}
			}
			if want := readsFor(p, ask, held); s.Reads().Gets != want {
				t.Fatalf("%v with %v in memory: want %d reads, got %+v", ask, held, want, s.Reads())
			}
			for _, i := range ask {
				held[i] = true
			}
		}
	})
}

// A run is bounded, so that no reading waits for the whole artefact.
func TestARunIsBounded(t *testing.T) {
	s := &storetest.Counting{Store: mem.New()}
	publish(t, s, 1)
	key, _ := partsOf(t, s, maxRun/2, maxRun/2, maxRun/2, maxRun+1, 1)
	_, v := openView(t, s, Options{})
	p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
	s.Reset()
	must[[][]byte](t)(Sections(t.Context(), p, []int{0, 1, 2, 3, 4}, plain))
	if r := s.Reads(); r.Gets != 4 {
		t.Errorf("want two sections, one, the one that is larger than a run, and the last, got %+v", r)
	}
}

// readsFor says how many reads sections cost: the rule in other words.
func readsFor(p *Parts, ask []int, held map[int]bool) (reads int64) {
	ask = slices.Compact(slices.Sorted(slices.Values(ask)))
	var from, to int64 = -1, -1
	length := int64(0)
	for _, i := range ask {
		if held[i] {
			continue
		}
		offset, n := p.Range(i)
		if from < 0 || offset > to+maxGap || offset+n > from+maxRun {
			if length > 0 {
				reads++
			}
			from, length = offset, 0
		}
		to = offset + n
		length = to - from
	}
	if length > 0 {
		reads++
	}
	return reads
}

func TestSectionsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &gate{Store: mem.New(), open: make(chan struct{})}
		publish(t, s, 1)
		key, bodies := partsOf(t, s, 100, 200, 300, 400)
		_, v := openView(t, s, Options{})
		close(s.open)
		p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
		s.open = make(chan struct{})
		s.gets.Store(0)
		impatient, give := context.WithCancel(t.Context())
		var decoded, gone atomic.Int64
		decode := func(i int, body []byte) ([]byte, int64, error) { decoded.Add(1); return plain(i, body) }
		var wg sync.WaitGroup
		wg.Go(func() { // begins the read of three sections and gives up
			if _, err := Sections(impatient, p, []int{0, 1, 2}, decode); errors.Is(err, context.Canceled) {
				gone.Add(1)
			}
		})
		synctest.Wait()
		for i := range 20 {
			wg.Go(func() {
				got, err := Sections(t.Context(), p, []int{i % 4, 1}, decode)
				if err != nil || !bytes.Equal(got[0], bodies[i%4]) || !bytes.Equal(got[1], bodies[1]) {
					t.Errorf("%v", err)
				}
			})
		}
		synctest.Wait()
		give()
		synctest.Wait()
		close(s.open)
		wg.Wait()
		if s.gets.Load() != 2 || decoded.Load() != 4 || gone.Load() != 1 {
			t.Errorf("%d reads, %d sections decoded, %d given up: want 2, 4, 1", s.gets.Load(), decoded.Load(), gone.Load())
		}
	})
}

// What nobody waits for any more is not read: a client that left pays for no more than what was under way.
func TestWhatNobodyWaitsForIsNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &gate{Store: mem.New(), open: make(chan struct{})}
		publish(t, s, 1)
		const apart = maxGap + 1
		key, bodies := partsOf(t, s, 1, apart, 2, apart, 3, apart, 4)
		_, v := openView(t, s, Options{Width: 1})
		close(s.open)
		p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
		s.open = make(chan struct{})
		s.gets.Store(0)
		left, leave := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := Sections(left, p, []int{0, 2, 4, 6}, plain); !errors.Is(err, context.Canceled) {
				t.Errorf("want it cancelled, got %v", err)
			}
		})
		synctest.Wait()
		wg.Go(func() { // stays, and waits for the last of them
			if got, err := Sections(t.Context(), p, []int{6}, plain); err != nil || !bytes.Equal(got[0], bodies[6]) {
				t.Errorf("%v", err)
			}
		})
		synctest.Wait()
		leave()
		synctest.Wait()
		close(s.open)
		wg.Wait()
		if got := s.gets.Load(); got != 2 {
			t.Errorf("%d reads: want the one under way and the one that is waited for", got)
		}
		// What was given up is read when it is asked for again.
		if got := must[[][]byte](t)(Sections(t.Context(), p, []int{2}, plain)); !bytes.Equal(got[0], bodies[2]) {
			t.Error("section 2 has other bytes")
		}
	})
}

func TestReadsAtOnceHaveAWidth(t *testing.T) {
	for _, c := range []struct{ width, loads, requests, want int }{{3, 16, 1, 3}, {3, 16, 2, 6}, {8, 2, 3, 2}} {
		synctest.Test(t, func(t *testing.T) {
			s := &gate{Store: mem.New(), open: make(chan struct{})}
			publish(t, s, 1)
			key, _ := partsOf(t, s, slices.Repeat([]int{maxGap + 1, 1}, 20)...)
			_, v := openView(t, s, Options{Width: c.width, Loads: c.loads})
			close(s.open)
			p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
			s.open = make(chan struct{})
			s.top.Store(0)
			var wg sync.WaitGroup
			for r := range c.requests {
				wg.Go(func() {
					var ask []int
					for i := r; i < 20; i += c.requests {
						ask = append(ask, 2*i+1)
					}
					if _, err := Sections(t.Context(), p, ask, plain); err != nil {
						t.Error(err)
					}
				})
			}
			synctest.Wait()
			close(s.open)
			wg.Wait()
			if got := s.top.Load(); got != int64(c.want) {
				t.Errorf("width %d, %d loads, %d requests: %d reads at once, want %d", c.width, c.loads, c.requests, got, c.want)
			}
		})
	}
}

// One section that is damaged costs its own readers, not its neighbours', and is not read with every request.
func TestADamagedSection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &storetest.Counting{Store: mem.New()}
		publish(t, s, 1)
		key, bodies := partsOf(t, s, 100, 200, 300)
		b := must[[]byte](t)(readBody(t, s, key.String()))
		b[len(b)-301] ^= 1 // the last byte of section 1
		if _, err := s.Put(t.Context(), key.String(), b, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		_, v := openView(t, s, Options{})
		p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
		s.Reset()
		for range 3 {
			if _, err := Sections(t.Context(), p, []int{0, 1, 2}, plain); !errors.Is(err, ErrDamaged) ||
				!strings.Contains(err.Error(), key.String()) || !strings.Contains(err.Error(), `"000001"`) {
				t.Errorf("want ErrDamaged of section 1, got %v", err)
			}
		}
		got := must[[][]byte](t)(Sections(t.Context(), p, []int{0, 2}, plain))
		if !bytes.Equal(got[0], bodies[0]) || !bytes.Equal(got[1], bodies[2]) || s.Reads().Gets != 1 {
			t.Errorf("the neighbours: %+v", s.Reads())
		}
		for name, decode := range map[string]func(int, []byte) ([]byte, int64, error){
			"an error": func(int, []byte) ([]byte, int64, error) { return nil, 0, errors.New("no rows") },
			"a panic":  func(int, []byte) ([]byte, int64, error) { panic("no rows") },
		} {
			_, v := openView(t, s, Options{})
			p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
			if _, err := Sections(t.Context(), p, []int{0}, decode); !errors.Is(err, ErrDamaged) ||
				!strings.Contains(err.Error(), "no rows") {
				t.Errorf("%s of the decoder: %v", name, err)
			}
		}
		time.Sleep(damagedFor)
		if _, err := Sections(t.Context(), p, []int{1}, plain); !errors.Is(err, ErrDamaged) || s.Reads().Gets < 2 {
			t.Errorf("after a while it is read again: %v, %+v", err, s.Reads())
		}
	})
}

func TestPartsThatCannotBeRead(t *testing.T) {
	s := &gate{Store: mem.New(), open: make(chan struct{})}
	close(s.open)
	publish(t, s, 1)
	key, _ := partsOf(t, s, 100, maxGap+1, 300)
	whole := must[[]byte](t)(readBody(t, s, key.String()))
	put := func(b []byte) *View {
		t.Helper()
		if _, err := s.Put(t.Context(), key.String(), b, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		_, v := openView(t, s, Options{})
		return v
	}
	for name, b := range map[string][]byte{"cut off": whole[:len(whole)-1], "cut in its head": whole[:20], "empty": {},
		"another file": []byte(strings.Repeat("x", 200)), "run on": append(whole[:len(whole):len(whole)], 0)} {
		if _, err := put(b).Parts(t.Context(), key, overlay); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: want ErrDamaged, got %v", name, err)
		}
	}
	v := put(whole)
	if _, err := v.Parts(t.Context(), key, sectionfile.Family{'c', 'e', 'l', 'l'}); !errors.Is(err, ErrDamaged) {
		t.Errorf("of another kind: %v", err)
	}
	p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
	for _, i := range []int{-1, 3} {
		if _, err := Sections(t.Context(), p, []int{0, i}, plain); err == nil {
			t.Errorf("section %d of 3 is read", i)
		}
	}
	s.fail.Store(true)
	if _, err := Sections(t.Context(), p, []int{0}, plain); !errors.Is(err, ErrStore) {
		t.Errorf("a silent store: %v", err)
	}
	s.fail.Store(false)
	if _, err := s.Put(t.Context(), key.String(), whole[:len(whole)-400], store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, sections := range [][]int{{1}, {2}} {
		if _, err := Sections(t.Context(), p, sections, plain); !errors.Is(err, ErrDamaged) {
			t.Errorf("an object that shrank, section %v: %v", sections, err)
		}
	}
	if err := s.Delete(t.Context(), key.String()); err != nil {
		t.Fatal(err)
	}
	if _, err := Sections(t.Context(), p, []int{0}, plain); !errors.Is(err, ErrGone) {
		t.Errorf("an object that is gone: %v", err)
	}
	_, v = openView(t, s, Options{})
	if _, err := v.Parts(t.Context(), key, overlay); !errors.Is(err, ErrGone) {
		t.Errorf("an artefact that is gone: %v", err)
	}
}

// BenchmarkSectionsInMemory is a request of 16 sections that are all there.
func BenchmarkSectionsInMemory(b *testing.B) {
	s := mem.New()
	publish(b, s, 1)
	key, _ := partsOf(b, s, slices.Repeat([]int{1000}, 16)...)
	_, v := openView(b, s, Options{})
	p := must[*Parts](b)(v.Parts(b.Context(), key, overlay))
	ask := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Sections(b.Context(), p, ask, plain); err != nil {
			b.Fatal(err)
		}
	}
}

// The family's head is decoded once for all requests; one that cannot be decoded says that the object is damaged.
func TestAHeadIsDecodedOnce(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	b, err := sectionfile.Encode(overlay, []byte("four"), nil)
	if err != nil {
		t.Fatal(err)
	}
	key := keys.National{Name: "overlay-natura", Sum: keys.Sum(b), Ext: "parts"}
	if _, err := s.Put(t.Context(), key.String(), b, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	_, v := openView(t, s, Options{})
	decoded := 0
	for range 3 {
		p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
		got, err := Head(p, func(b []byte) (int, error) { decoded++; return len(b), nil })
		if err != nil || got != 4 {
			t.Errorf("want 4, got %d, %v", got, err)
		}
	}
	if decoded != 1 {
		t.Errorf("want one decoding, got %d", decoded)
	}
	_, v = openView(t, s, Options{})
	for range 2 {
		p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
		if _, err := Head(p, func([]byte) (int, error) { panic("a byte too many") }); !errors.Is(err, ErrDamaged) {
			t.Errorf("want a damaged object, got %v", err)
		}
	}
}
