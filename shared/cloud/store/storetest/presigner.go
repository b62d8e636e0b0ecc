package storetest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"mappe/shared/cloud/store"
)

// Presigning is a store whose objects can be reached by addresses.
type Presigning interface {
	store.Store
	store.Presigner
}

// RunPresigner holds a store to the contract of store.Presigner: an address gives the right that it names, and no other.
// fresh gives an empty store for each test, whose addresses a client reaches over HTTP.
func RunPresigner(t *testing.T, fresh func(t *testing.T) Presigning) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, s Presigning)
	}{
		{"an address to write takes its bytes once", presignedOnce},
		{"an address to write takes no other bytes and no other key", presignedNarrow},
		{"an address to write does not read", presignedOneWay},
		{"an address to read gives the object under its name", presignedGet},
		{"an address to read does not write", presignedReads},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, fresh(t)) })
	}
}

const (
	presignedKey  = "projects/1/source"
	presignedLife = time.Minute
)

var presignedBody = []byte("a manuscript")

// presigned is an address to write presignedBody, with the headers that it asks for.
func presigned(t *testing.T, s Presigning) (string, http.Header) {
	t.Helper()
	address, headers, err := s.PresignPut(t.Context(), presignedKey, int64(len(presignedBody)), presignedLife)
	if err != nil {
		t.Fatal(err)
	}
	return address, headers
}

// send sends a request without any right but that of its address.
func send(t *testing.T, method, address string, headers http.Header, body []byte) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(body))
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
	defer a.Body.Close()
	got, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a, got
}

// refused says that a request was not carried out, and that no object has the keys.
func refused(t *testing.T, s Presigning, a *http.Response, what string, keys ...string) {
	t.Helper()
	if a.StatusCode < 400 || a.StatusCode >= 500 {
		t.Errorf("%s: want it refused, got %d", what, a.StatusCode)
	}
	for _, key := range keys {
		if _, err := s.Head(t.Context(), key); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %s is there, %v", what, key, err)
		}
	}
}

func presignedOnce(t *testing.T, s Presigning) {
	address, headers := presigned(t, s)
	if headers.Get("If-None-Match") != "*" {
		t.Errorf("headers %v: want the condition among them", headers)
	}
	if a, _ := send(t, http.MethodPut, address, headers, presignedBody); a.StatusCode != http.StatusOK {
		t.Fatalf("want 200, got %d", a.StatusCode)
	}
	other := bytes.ToUpper(presignedBody)
	if a, _ := send(t, http.MethodPut, address, headers, other); a.StatusCode != http.StatusPreconditionFailed {
		t.Errorf("once more: want 412, got %d", a.StatusCode)
	}
	headers.Del("If-None-Match")
	if a, _ := send(t, http.MethodPut, address, headers, other); a.StatusCode < 400 {
		t.Errorf("once more without the condition: want it refused, got %d", a.StatusCode)
	}
	if got, _ := mustGet(t, s, presignedKey, store.GetOptions{}); !bytes.Equal(got, presignedBody) {
		t.Errorf("the object is %q", got)
	}
}

func presignedNarrow(t *testing.T, s Presigning) {
	address, headers := presigned(t, s)
	a, _ := send(t, http.MethodPut, address, headers, append(bytes.Clone(presignedBody), '!'))
	refused(t, s, a, "a byte too many", presignedKey)
	a, _ = send(t, http.MethodPut, address, headers, presignedBody[1:])
	refused(t, s, a, "a byte too few", presignedKey)
	a, _ = send(t, http.MethodPut, strings.Replace(address, "projects/1", "projects/2", 1), headers, presignedBody)
	refused(t, s, a, "another key", presignedKey, "projects/2/source")
	a, _ = send(t, http.MethodDelete, address, headers, nil)
	refused(t, s, a, "another method", presignedKey)
}

func presignedOneWay(t *testing.T, s Presigning) {
	address, _ := presigned(t, s)
	mustPut(t, s, presignedKey, presignedBody, store.PutOptions{})
	if a, got := send(t, http.MethodGet, address, nil, nil); a.StatusCode < 400 || bytes.Contains(got, presignedBody) {
		t.Errorf("read by an address to write: %d %q", a.StatusCode, got)
	}
}

func presignedGet(t *testing.T, s Presigning) {
	mustPut(t, s, presignedKey, presignedBody, store.PutOptions{Headers: store.Headers{ContentType: "application/pdf"}})
	address, err := s.PresignGet(t.Context(), presignedKey, "book-2026-11-21.pdf", presignedLife)
	if err != nil {
		t.Fatal(err)
	}
	a, got := send(t, http.MethodGet, address, nil, nil)
	if a.StatusCode != http.StatusOK || !bytes.Equal(got, presignedBody) || a.Header.Get("Content-Type") != "application/pdf" ||
		!strings.Contains(a.Header.Get("Content-Disposition"), "book-2026-11-21.pdf") {
		t.Errorf("%d %q %v", a.StatusCode, got, a.Header)
	}
	missing, err := s.PresignGet(t.Context(), "projects/9", "", presignedLife)
	if err != nil {
		t.Fatal(err)
	}
	if a, _ := send(t, http.MethodGet, missing, nil, nil); a.StatusCode != http.StatusNotFound {
		t.Errorf("a missing object: %d", a.StatusCode)
	}
}

func presignedReads(t *testing.T, s Presigning) {
	address, err := s.PresignGet(t.Context(), presignedKey, "", presignedLife)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := send(t, http.MethodPut, address, http.Header{"If-None-Match": {"*"}}, presignedBody)
	refused(t, s, a, "written by an address to read", presignedKey)
}
