package s3_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/s3"
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

// TestTheAddressNamesTheServer: a server on this machine is found by the address alone, without environment.
func TestTheAddressNamesTheServer(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_S3",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"} {
		t.Setenv(name, "")
	}
	var asked, signed string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, signed = r.URL.Path, r.Header.Get("Authorization")
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	s, err := s3.Open("s3://bucket/folder?region=eu-central-1&endpoint=" + url.QueryEscape(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(t.Context(), "key"); !errors.Is(err, store.ErrNotFound) || asked != "/bucket/folder/key" ||
		!strings.Contains(signed, "Credential=local/") || !strings.Contains(signed, "/eu-central-1/s3/") {
		t.Errorf("want /bucket/folder/key asked, signed for the region with local keys, got %q, %q, %v", asked, signed, err)
	}
	if _, err := s3.Open("s3://bucket?endpoint=https://s3.example"); err == nil || !strings.Contains(err.Error(), "AWS_REGION") {
		t.Errorf("a server elsewhere: want its region asked for, got %v", err)
	}
}
