package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

func TestArtefactsAnswerAsTheCDN(t *testing.T) {
	const key = "register/84d89877f0d4041e.reg" // of the bytes below
	st := mem.New()
	info, err := st.Put(context.Background(), key, []byte("0123456789"), store.PutOptions{Immutable: true})
	if err != nil {
		t.Fatal(err)
	}
	info.ETag = `"84d89877f0d4041e"`
	tests := []struct {
		name, method, path string
		header             http.Header
		status             int
		body, contentRange string
	}{
		{"whole", "GET", key, nil, 200, "0123456789", ""},
		{"head", "HEAD", key, nil, 200, "", ""},
		{"a part", "GET", key, http.Header{"Range": {"bytes=2-4"}}, 206, "234", "bytes 2-4/10"},
		{"the end", "GET", key, http.Header{"Range": {"bytes=-3"}}, 206, "789", "bytes 7-9/10"},
		{"from", "GET", key, http.Header{"Range": {"bytes=8-"}}, 206, "89", "bytes 8-9/10"},
		{"more than there is", "GET", key, http.Header{"Range": {"bytes=8-99"}}, 206, "89", "bytes 8-9/10"},
		{"to the last number there is", "GET", key, http.Header{"Range": {"bytes=0-9223372036854775807"}}, 206, "0123456789",
			"bytes 0-9/10"},
		{"numbers with signs", "GET", key, http.Header{"Range": {"bytes=+1-+2"}}, 200, "0123456789", ""},
		{"behind the end", "GET", key, http.Header{"Range": {"bytes=10-"}}, 416, "the range starts behind the end of the artefact\n",
			"bytes */10"},
		{"two parts", "GET", key, http.Header{"Range": {"bytes=0-1,3-4"}}, 200, "0123456789", ""},
		{"a part of this version", "GET", key, http.Header{"Range": {"bytes=0-1"}, "If-Range": {info.ETag}}, 206, "01", "bytes 0-1/10"},
		{"a part of another version", "GET", key, http.Header{"Range": {"bytes=0-1"}, "If-Range": {`"old"`}}, 200, "0123456789", ""},
		{"unchanged", "GET", key, http.Header{"If-None-Match": {info.ETag}}, 304, "", ""},
		{"unchanged, one of several", "GET", key, http.Header{"If-None-Match": {`"old", ` + info.ETag}}, 304, "", ""},
		{"unchanged, weak", "HEAD", key, http.Header{"If-None-Match": {"W/" + info.ETag}}, 304, "", ""},
		{"unchanged, any", "GET", key, http.Header{"If-None-Match": {"*"}}, 304, "", ""},
		{"unchanged, and a range behind the end", "GET", key, http.Header{"If-None-Match": {info.ETag}, "Range": {"bytes=10-"}}, 304, "",
			""},
		{"unchanged since", "GET", key, http.Header{"If-Modified-Since": {info.Modified.Format(http.TimeFormat)}}, 304, "", ""},
		{"changed since", "GET", key, http.Header{"If-Modified-Since": {info.Modified.Add(-time.Second).Format(http.TimeFormat)}}, 200,
			"0123456789", ""},
		{"the tag decides before the time", "GET", key,
			http.Header{"If-None-Match": {`"old"`}, "If-Modified-Since": {info.Modified.Format(http.TimeFormat)}}, 200, "0123456789", ""},
		{"changed", "GET", key, http.Header{"If-None-Match": {`"old"`}}, 200, "0123456789", ""},
		{"missing, any", "GET", "register/fedcba9876543210.reg", http.Header{"If-None-Match": {"*"}}, 404, "no such artefact\n", ""},
		{"missing", "GET", "register/fedcba9876543210.reg", nil, 404, "no such artefact\n", ""},
		{"no key", "GET", "../go.mod", nil, 404, "no such artefact\n", ""},
		{"preflight", "OPTIONS", key, nil, 204, "", ""},
		{"a write", "PUT", key, nil, 405, "artefacts are read with GET or HEAD\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, "/artefacts/"+tt.path, nil)
			for k, v := range tt.header {
				r.Header[k] = v
			}
			w := httptest.NewRecorder()
			newArtefacts(st, slog.New(slog.DiscardHandler)).ServeHTTP(w, r)
			if w.Code != tt.status || w.Body.String() != tt.body || w.Header().Get("Content-Range") != tt.contentRange {
				t.Errorf("want %d %q %q, got %d %q %q", tt.status, tt.body, tt.contentRange, w.Code, w.Body,
					w.Header().Get("Content-Range"))
			}
			if w.Code == 304 && (w.Header().Get("ETag") != info.ETag || w.Header().Get("Cache-Control") != store.CacheImmutable) {
				t.Errorf("want ETag and Cache-Control of the whole answer, got %v", w.Header())
			}
			if w.Code/100 == 2 && w.Code != 204 || w.Code == 304 {
				if got := w.Header().Get("Last-Modified"); got != info.Modified.Format(http.TimeFormat) {
					t.Errorf("Last-Modified: got %q", got)
				}
			}
			if w.Header().Get("Access-Control-Allow-Origin") != "*" {
				t.Error("no CORS header")
			}
		})
	}
}

// brokenStore fails to read.
type brokenStore struct{ store.Store }

func (brokenStore) Get(context.Context, string, store.GetOptions) (*store.Object, error) {
	return nil, errors.New("disk fault")
}

func TestUnreadableArtefactsAreLogged(t *testing.T) {
	var log strings.Builder
	st := mem.New()
	if _, err := st.Put(t.Context(), "register/0123456789abcdef.reg", []byte("x"), store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	newArtefacts(brokenStore{st}, slog.New(slog.NewTextHandler(&log, nil))).ServeHTTP(w,
		httptest.NewRequest("GET", "/artefacts/register/0123456789abcdef.reg", nil))
	if w.Code != 503 || w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), "disk") ||
		!strings.Contains(log.String(), "disk fault") || !strings.Contains(log.String(), "0123456789abcdef.reg") {
		t.Errorf("%d %q, log %q", w.Code, w.Body, log.String())
	}
}

// An artefact whose bytes changed under its name is not passed on, whole or in parts.
func TestADamagedArtefactIsNotSent(t *testing.T) {
	const key = "register/84d89877f0d4041e.reg"
	st := mem.New()
	h := newArtefacts(st, slog.New(slog.DiscardHandler))
	ask := func(header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/artefacts/"+key, nil)
		if len(header) > 0 {
			r.Header.Set(header[0], header[1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for _, c := range []struct {
		body   string
		status int
	}{{"0123456789", 200}, {"0123456780", 500}, {"0123456789", 200}} {
		if _, err := st.Put(t.Context(), key, []byte(c.body), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		if w := ask(); w.Code != c.status || w.Code != 200 && !strings.Contains(w.Body.String(), "damaged") {
			t.Errorf("%s: %d %s, want %d", c.body, w.Code, w.Body, c.status)
		}
		if w := ask("Range", "bytes=0-1"); (w.Code == 206) != (c.status == 200) {
			t.Errorf("%s, a part: %d %s", c.body, w.Code, w.Body)
		}
	}
}

// slowStore lets its objects be read whole when it is told to, and parts of them always.
type slowStore struct {
	store.Store
	whole chan struct{}
}

func (s slowStore) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	if opt.Range == nil {
		<-s.whole
	}
	return s.Store.Get(ctx, key, opt)
}

// A large artefact is served while it is compared with its name; when it was found damaged it is not passed on any more. What could
// not be read is compared once more.
func TestALargeArtefactIsComparedWhileItIsServed(t *testing.T) {
	const key = "register/84d89877f0d4041e.reg"
	for _, c := range []struct {
		body  string
		after int
	}{{"0123456789", 206}, {"0123456780", 500}} {
		st := slowStore{mem.New(), make(chan struct{})}
		if _, err := st.Put(t.Context(), key, []byte(c.body), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		h := newArtefacts(st, slog.New(slog.DiscardHandler))
		h.atOnce = 9
		ask := func() *httptest.ResponseRecorder {
			r := httptest.NewRequest("GET", "/artefacts/"+key, nil)
			r.Header.Set("Range", "bytes=0-1")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w
		}
		for range 2 {
			if w := ask(); w.Code != 206 || w.Body.String() != "01" || w.Header().Get("ETag") != `"84d89877f0d4041e"` {
				t.Errorf("%s, while it is compared: %d %s %v", c.body, w.Code, w.Body, w.Header())
			}
		}
		st.whole <- struct{}{} // one comparison was begun
		h.turn.Lock()          // and is over
		if w := ask(); w.Code != c.after {
			t.Errorf("%s, when it was compared: %d %s, want %d", c.body, w.Code, w.Body, c.after)
		}
		h.turn.Unlock()
		select {
		case st.whole <- struct{}{}:
			t.Errorf("%s is compared twice", c.body)
		default:
		}
	}
}
