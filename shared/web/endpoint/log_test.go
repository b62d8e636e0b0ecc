package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// gone is a client that ends the connection with the first write.
type gone struct{ header http.Header }

func (g *gone) Header() http.Header       { return g.header }
func (g *gone) WriteHeader(int)           {}
func (g *gone) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A client that leaves is no error of the service: while it is sent to, and while it is searched for.
func TestClientThatLeavesIsNoError(t *testing.T) {
	for _, c := range []struct {
		name  string
		serve Handler
	}{
		{"while rows are sent", nil},
		{"during the search", func(ctx context.Context, _ *Request) (reply.Answer, error) { return nil, ctx.Err() }},
	} {
		var log bytes.Buffer
		s := failing(20000, errors.New("never reached"))
		s.Log = slog.New(slog.NewTextHandler(&log, nil))
		ctx, cancel := context.WithCancel(context.Background())
		if c.serve != nil {
			s.Endpoints[0].Serve = c.serve
			cancel()
		}
		h, err := s.Handler()
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() { _ = recover() }() // the connection is broken
			h.ServeHTTP(&gone{http.Header{}}, httptest.NewRequest("GET", "/api/v1/places?west=1&limit=100000", nil).WithContext(ctx))
		}()
		cancel()
		if strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "level=INFO") {
			t.Errorf("%s: log %q", c.name, log.String())
		}
	}
}

// A store that fails while the generation is pinned is 503 with Retry-After where Pin says so, and angle
// brackets stand in errors as they are.
func TestFaultOfPin(t *testing.T) {
	s := testService()
	s.Pin = func(context.Context) (context.Context, reply.Generation, error) {
		return nil, reply.Generation{}, fault.Retry(fault.Unavailable, 5*time.Second, "not <now>").Because(errors.New("secret bucket"))
	}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	w := get(h, "/api/v1/places?west=1")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "5" || !strings.Contains(w.Body.String(), "not <now>") ||
		strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

// The description names a version also where the service has none.
func TestDescriptionNamesAVersion(t *testing.T) {
	s := testService()
	s.Version = ""
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Info struct{ Version string } }
	if err := json.Unmarshal(get(h, "/openapi.json").Body.Bytes(), &doc); err != nil || doc.Info.Version != "1" {
		t.Errorf("info.version %q %v", doc.Info.Version, err)
	}
}

// GET and HEAD refuse a form that is not served alike.
func TestHeadOfAFormThatIsNotServed(t *testing.T) {
	s := testService()
	s.GeoPackage = nil
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"GET", "HEAD"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/api/v1/places?west=1&format=gpkg", nil))
		if w.Code != http.StatusBadRequest || w.Header().Get("Content-Disposition") != "" {
			t.Errorf("%s: %d %v", method, w.Code, w.Header())
		}
	}
}

// A panic is found by its log line: it says where.
func TestAPanicIsLoggedWithItsStack(t *testing.T) {
	var log bytes.Buffer
	s := testService()
	s.Log = slog.New(slog.NewTextHandler(&log, nil))
	s.Endpoints[0].Serve = func(context.Context, *Request) (reply.Answer, error) { panic("lost") }
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	if w := get(h, "/api/v1/places?west=1"); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "log_test.go") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if line := log.String(); !strings.Contains(line, "panic=lost") || !strings.Contains(line, "log_test.go") {
		t.Errorf("log: %s", line)
	}
}

func BenchmarkOpenAPI(b *testing.B) {
	h := handler(b)
	b.ReportAllocs()
	for b.Loop() {
		get(h, "/openapi.json")
	}
}
