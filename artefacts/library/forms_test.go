package library

import (
	"errors"
	"io"
	"testing"

	"mappe/artefacts/manifest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// What is passed on is what the generation names: whole, in parts, and nothing of another length.
func TestObjectsThatArePassedOn(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	v := must[*View](t)(must[*Library](t)(Open(t.Context(), s, Options{})).View(t.Context()))
	if _, err := s.Put(t.Context(), "kg/x", []byte("0123456789"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), "kg/z", []byte("0123456789"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	there, gone, other := manifest.Object{Key: "kg/x", Bytes: 10}, manifest.Object{Key: "kg/y", Bytes: 10},
		manifest.Object{Key: "kg/z", Bytes: 11}
	for o, want := range map[manifest.Object]bool{there: true, gone: false, other: false} {
		if got, err := v.Has(t.Context(), o); err != nil || got != want {
			t.Errorf("%s of %d bytes is there: %v, want %v (%v)", o.Key, o.Bytes, got, want, err)
		}
	}
	for _, c := range []struct {
		offset, length int64
		want           string
	}{{0, 10, "0123456789"}, {3, 4, "3456"}, {9, 1, "9"}} {
		body := must[io.ReadCloser](t)(v.OpenRange(t.Context(), there, c.offset, c.length))
		if got := must[[]byte](t)(io.ReadAll(body)); string(got) != c.want {
			t.Errorf("%d bytes from %d: %q, want %q", c.length, c.offset, got, c.want)
		}
		body.Close()
	}
	for o, want := range map[manifest.Object]error{gone: ErrGone, other: ErrDamaged} {
		if _, err := v.OpenRange(t.Context(), o, 0, 5); !errors.Is(err, want) {
			t.Errorf("%s of %d bytes: %v, want %v", o.Key, o.Bytes, err, want)
		}
	}
}
