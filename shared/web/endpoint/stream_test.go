package endpoint

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// server runs the handler behind a real server, where chunks and broken connections show.
func server(t *testing.T, s *Service) *httptest.Server {
	t.Helper()
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	ts := httptest.NewServer(h)
	t.Cleanup(ts.Close)
	return ts
}

func TestCodings(t *testing.T) {
	ts := server(t, testService())
	for _, c := range []struct {
		accepts, coding string
		unpack          func(io.Reader) (io.Reader, error)
	}{
		{"gzip", "gzip", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"gzip, deflate, br, zstd", "zstd", func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) }},
	} {
		for q, short := range map[string]bool{"&count=1": true, "&count=5000&limit=5000": false} {
			req, _ := http.NewRequest("GET", ts.URL+"/api/v1/places?west=1"+q, nil)
			req.Header.Set("Accept-Encoding", c.accepts)
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			packed, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			length := int64(-1) // of what is sent in pieces
			if short {
				length = int64(len(packed))
			}
			if resp.Header.Get("Content-Encoding") != c.coding || resp.ContentLength != length ||
				(len(resp.TransferEncoding) == 0) != short ||
				!strings.Contains(resp.Header.Get("Vary"), "Accept-Encoding") {
				t.Errorf("%s: %v %v length %d, %d bytes", q, resp.Header, resp.TransferEncoding, resp.ContentLength, len(packed))
			}
			z, err := c.unpack(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			if b, err := io.ReadAll(z); err != nil || !json.Valid(b) {
				t.Errorf("%s: %v", q, err)
			}
		}
	}
}

// failing makes the first endpoint fail after n rows.
func failing(n int, fail error) *Service {
	s := testService()
	s.Endpoints[0].Serve = func(context.Context, *Request) (reply.Answer, error) {
		return &reply.Rows{Total: n + 1, Rows: func(yield func(format.Row, error) bool) {
			for r := range places(0, n) {
				if !yield(r, nil) {
					return
				}
			}
			yield(nil, fail)
		}}, nil
	}
	return s
}

func TestFailures(t *testing.T) {
	secret := errors.New("secret bucket")
	early := server(t, failing(3, secret))
	for _, form := range format.AllFormats() {
		if form == format.FormGeoPackage || form == format.FormParquet {
			continue // written in tests of their own
		}
		resp, err := http.Get(early.URL + "/api/v1/places?west=1&limit=2&format=" + string(form))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 500 || strings.Contains(string(b), "secret") || resp.Header.Get("ETag") != "" ||
			resp.Header.Get("Content-Type") != "application/json" || resp.Header.Get("Content-Disposition") != "" ||
			strings.Contains(fmt.Sprint(resp.Header), "next") {
			t.Errorf("%s: an error before the first byte: %d %s %v %v", form, resp.StatusCode, b, resp.Header, err)
		}
		for _, encoding := range []string{"identity", "gzip", "zstd"} {
			late := server(t, failing(20000, secret))
			req, _ := http.NewRequest("GET", late.URL+"/api/v1/places?west=1&limit=100000&format="+string(form), nil)
			req.Header.Set("Accept-Encoding", encoding)
			resp, err = http.DefaultTransport.RoundTrip(req)
			if err != nil {
				continue // broken before the headers arrived
			}
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
			if err == nil {
				t.Errorf("%s %s: a cut answer of status %d ends cleanly", form, encoding, resp.StatusCode)
			}
		}
	}
	s := testService()
	s.Endpoints[0].Serve = func(context.Context, *Request) (reply.Answer, error) { panic("secret") }
	s.Endpoints[3].Serve = func(context.Context, *Request) (reply.Answer, error) {
		return nil, fault.Retry(fault.RateLimited, 1500*time.Millisecond, "too many requests")
	}
	h, _ := s.Handler()
	if w := get(h, "/api/v1/places?west=1"); w.Code != 500 || strings.Contains(w.Body.String(), "secret") ||
		!strings.Contains(w.Body.String(), `"request_id":"id-1"`) {
		t.Errorf("panic: %d %s", w.Code, w.Body)
	}
	if w := get(h, "/api/v1/debug/inflight"); w.Code != 429 || w.Header().Get("Retry-After") != "2" {
		t.Errorf("429: %d Retry-After %s", w.Code, w.Header().Get("Retry-After"))
	}
}

// A body far above the limit is refused before it is sent, and in little memory when its length is not
// told.
func TestLargeBodyIsRefusedQuickly(t *testing.T) {
	ts := server(t, testService())
	conn, err := net.Dial("tcp", strings.TrimPrefix(ts.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/v1/points HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n{", 20<<20)
	conn.SetReadDeadline(time.Now().Add(time.Minute))
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "413") {
		t.Errorf("declared length: %q %v", line, err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	req, _ := http.NewRequest("POST", ts.URL+"/api/v1/points", io.LimitReader(zeros{}, 20<<20))
	resp, err := http.DefaultClient.Do(req)
	runtime.ReadMemStats(&after)
	if err == nil {
		resp.Body.Close()
		if resp.StatusCode != 413 {
			t.Errorf("chunked body: %d", resp.StatusCode)
		}
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("refusing cost %d bytes", grown)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// 100,000 rows leave in constant memory: the heap grows by a buffer, an encoder or a row group,
// never with the number of rows.
func TestRowsStreamInConstantMemory(t *testing.T) {
	h := handler(t)
	for _, form := range []string{"json", "geojson", "csv", "ndjson", "geojsonseq", "parquet"} {
		for _, encoding := range []string{"identity", "gzip", "zstd"} {
			r := httptest.NewRequest("GET", "/api/v1/places?west=1&count=100000&limit=100000&format="+form, nil)
			r.Header.Set("Accept-Encoding", encoding)
			w := &sink{header: http.Header{}}
			h.ServeHTTP(w, r)
			if encoding == "identity" && form != "parquet" && w.bytes < 5_000_000 {
				t.Errorf("%s: only %d bytes", form, w.bytes)
			}
			if w.peak > 8<<20 {
				t.Errorf("%s %s: the heap grew by %d bytes", form, encoding, w.peak)
			}
		}
	}
}

// sink drops the body and watches the heap.
type sink struct {
	header      http.Header
	bytes       int
	start, peak int64
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}
func (s *sink) Write(p []byte) (int, error) {
	if s.bytes>>20 != (s.bytes+len(p))>>20 || s.bytes == 0 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		if s.start == 0 {
			s.start = int64(m.HeapAlloc)
		}
		s.peak = max(s.peak, int64(m.HeapAlloc)-s.start)
	}
	s.bytes += len(p)
	return len(p), nil
}
