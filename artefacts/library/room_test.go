package library

import (
	"bytes"
	"sync"
	"testing"

	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
)

// What is read under a room stands there and not in the library's memory, is read once while the room has space for it, and again
// beyond; what the library holds is used.
func TestRoom(t *testing.T) {
	s := &storetest.Counting{Store: mem.New()}
	publish(t, s, 1)
	const size = 4000
	key, bodies := partsOf(t, s, size, size, size, size, size)
	l, v := openView(t, s, Options{})
	p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
	read := func(room *Room, sections ...int) {
		t.Helper()
		ctx := t.Context()
		if room != nil {
			ctx = room.In(ctx)
		}
		for k, b := range must[[][]byte](t)(Sections(ctx, p, sections, plain)) {
			if !bytes.Equal(b, bodies[sections[k]]) {
				t.Errorf("section %d has other bytes", sections[k])
			}
		}
	}
	reads := func(what string, want int64) {
		t.Helper()
		if got := s.Reads().Gets; got != want {
			t.Errorf("%s: %d reads, want %d", what, got, want)
		}
		s.Reset()
	}
	held := l.Stats().Bytes
	s.Reset()
	room := NewRoom(2 * (size + entryBytes + 1000))
	read(room, 0, 1)
	reads("two at once", 1)
	read(room, 1, 0)
	reads("again", 0)
	if got := l.Stats().Bytes; got != held {
		t.Errorf("the library holds %d bytes more", got-held)
	}
	read(room, 2)
	read(room, 0) // used last of the two that were there
	reads("one beyond the room", 1)
	read(room, 1)
	reads("what had to go", 1)
	read(nil, 3)
	read(room, 3)
	reads("what the library holds", 1)
	read(NewRoom(10), 4)
	read(NewRoom(10), 4)
	reads("a room that is too small", 2)
}

// A section that somebody else asks for at the same time, who has no room, is kept by the library.
func TestRoomBesideOthersAtOnce(t *testing.T) {
	for range 50 {
		s := mem.New()
		publish(t, s, 1)
		key, _ := partsOf(t, s, 100_000)
		l, v := openView(t, s, Options{})
		p := must[*Parts](t)(v.Parts(t.Context(), key, overlay))
		room := NewRoom(1 << 20)
		var both sync.WaitGroup
		both.Go(func() { must[[][]byte](t)(Sections(room.In(t.Context()), p, []int{0}, plain)) })
		both.Go(func() { must[[][]byte](t)(Sections(t.Context(), p, []int{0}, plain)) })
		both.Wait()
		before := l.Stats().Bytes
		must[[][]byte](t)(Sections(t.Context(), p, []int{0}, plain))
		if got := l.Stats().Bytes; got != before || got < 100_000 {
			t.Fatalf("the library holds %d bytes, then %d", before, got)
		}
	}
}
