package server

import (
	"context"
	"io"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/national"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// truncating is a store of which two reads in five break off in the middle.
type truncating struct {
	store.Store
	reads, cut atomic.Int64
}

func (s *truncating) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	o, err := s.Store.Get(ctx, key, opt)
	if n := s.reads.Add(1) % 5; err == nil && (n == 1 || n == 3) {
		s.cut.Add(1)
		o.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(io.LimitReader(o.Body, o.Length/2), brokenOff{}), o.Body}
	}
	return o, err
}

type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestStartsOverATruncatingStore: a server starts and tells its health although reads break off.
func TestStartsOverATruncatingStore(t *testing.T) {
	inner := mem.New()
	if _, err := national.PublishSnapshots(t.Context(), inner,
		kgtest.Snapshot(kgtest.Options{Code: "09901", Parcels: 20, Segments: 2, AreaKm2: 1, Seed: 5})); err != nil {
		t.Fatal(err)
	}
	s := &truncating{Store: inner}
	for i := range 5 { // each beginning at another read of the five
		s.reads.Store(int64(i))
		h, err := New(t.Context(), Config{Store: s})
		if err != nil {
			t.Fatalf("beginning at read %d: %v", i, err)
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest("GET", "/healthz", nil)); w.Code != 200 {
			t.Errorf("beginning at read %d: %d %s", i, w.Code, w.Body)
		}
	}
	if s.cut.Load() < 5 {
		t.Errorf("only %d reads were cut", s.cut.Load())
	}
}
