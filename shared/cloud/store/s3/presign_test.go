package s3_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/store"
)

// TestPresigned: addresses read and write objects without credentials, and nothing else than they say.
func TestPresigned(t *testing.T) {
	endpoint := startGateway(t)
	t.Setenv("AWS_ENDPOINT_URL_S3", endpoint)
	s := openTest(t, "s3://presigned/some/prefix")
	waitFor(t, func() error { return s.CreateBucket(t.Context()) })
	body := []byte("a manuscript")
	address, headers, err := s.PresignPut(t.Context(), "projects/1/source", int64(len(body)), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	send := func(address string, b []byte) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range headers {
			r.Header[name] = values
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		return a.StatusCode
	}
	if code := send(address, append(body, '!')); code < 400 {
		t.Errorf("another length: want it refused, got %d", code)
	}
	if code := send(strings.Replace(address, "projects/1", "projects/2", 1), body); code < 400 {
		t.Errorf("another key: want it refused, got %d", code)
	}
	if code := send(address, body); code != http.StatusOK {
		t.Fatalf("want 200, got %d", code)
	}
	if headers.Get("If-None-Match") != "*" {
		t.Errorf("headers %v: want the condition among them", headers)
	}
	if code := send(address, bytes.ToUpper(body)); code != http.StatusPreconditionFailed {
		t.Errorf("once more: want 412, got %d", code)
	}
	headers.Del("If-None-Match")
	if code := send(address, bytes.ToUpper(body)); code < 400 {
		t.Errorf("once more without the condition: want it refused, got %d", code)
	}
	if info, err := s.Head(t.Context(), "projects/1/source"); err != nil || info.Size != int64(len(body)) {
		t.Errorf("%+v, %v", info, err)
	}
	address, err = s.PresignGet(t.Context(), "projects/1/source", "book-2026-11-21.pdf", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	got, err := io.ReadAll(a.Body)
	if err != nil || !bytes.Equal(got, body) || !strings.Contains(a.Header.Get("Content-Disposition"), "book-2026-11-21.pdf") {
		t.Errorf("%d %q %v %v", a.StatusCode, got, a.Header, err)
	}
	var _ store.Presigner = s
}
